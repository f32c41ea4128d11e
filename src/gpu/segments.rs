//! Sorts of the segments of a device array, by offsets and counts that only the device knows.

use cudarc::driver::CudaStream;
use sortsmith_codegen::gather::GatherSpec;
use sortsmith_codegen::segments::{Problem, SegmentSpec};

use super::alignment;
use super::gather::{self, Gathered};
use super::scratch::{Scratch, SortMemory};
use super::segment_kernels::{SegmentBounds, SegmentSizes};
use super::sorts::Sorts;
use super::task::{Arrays, Task};
use crate::error::Error;
use crate::value::Carried;

/// Prepares everything that [`run`] needs: kernels and scratch. After that `run` neither allocates nor compiles, for this task and for
/// fewer items and segments. `writes_keys` is false for an argsort.
pub fn prepare(
    sorts: &Sorts,
    (task, sizes): (&Task, SegmentSizes),
    writes_keys: bool,
    memory: &mut SortMemory,
) -> Result<(), Error> {
    let kernels = sorts.load_segments(spec(task))?;
    let mut bytes = kernels.scratch_bytes(problem(task, sizes), task, writes_keys);
    if let Carried::ByPosition(spec) = task.value {
        gather::prepare(sorts.context(), spec)?;
        memory.positions.reserve(Scratch::bytes_of([task.position_bytes()]))?;
        bytes = bytes.max(Scratch::bytes_of([gather::copy_bytes(spec, task.n)]));
    }
    memory.scratch.reserve(bytes)
}

/// Enqueues the sort of each segment and does not wait for it. The task is that of the array. Values are sorted in place.
///
/// # Safety
///
/// - The stream's context is bound to this thread, and is that of the sorts.
/// - The arrays are memory of that context for `task.n` items, aligned for their types, begins and ends for as many numbers as there are
///   segments, and a count for one. Whatever these are, no other memory is accessed.
/// - They are valid until the stream has done this work, nothing outside of the stream's order accesses them, and they do not overlap,
///   except that a sort in place names the same arrays as input and output.
/// - The memory is of this stream.
pub unsafe fn run(
    sorts: &Sorts,
    stream: &CudaStream,
    (task, bounds): (&Task, &SegmentBounds),
    arrays: &Arrays,
    memory: &mut SortMemory,
) -> Result<(), Error> {
    if task.n == 0 || bounds.sizes.count == 0 {
        return Ok(());
    }
    if let Carried::ByPosition(spec) = task.value {
        // SAFETY: the caller vouches for all of it, and the spec is of the task's values.
        return unsafe { sort_and_gather(sorts, stream, (task, spec, bounds), arrays, memory) };
    }
    let SortMemory { scratch, positions: copies, .. } = memory;
    let sort = |[values_in, values_out]: [u64; 2]| {
        let arrays = Arrays { values_in, values_out, ..*arrays };
        // SAFETY: the caller vouches for everything but the values' addresses, which are multiples of a value's size here.
        unsafe { sort(sorts, stream, (task, bounds), &arrays, scratch) }
    };
    let values = [arrays.values_in, arrays.values_out];
    // SAFETY: the caller vouches for the context, the arrays and the memory; this sort makes no positions in it.
    unsafe { alignment::with_aligned(stream, (task.value.moved(), task.n), values, copies, sort) }
}

/// Sorts keys with positions in the array, and gathers the values by them, in place.
///
/// # Safety
///
/// As for [`run`]. The gather's spec is of the task's values.
unsafe fn sort_and_gather(
    sorts: &Sorts,
    stream: &CudaStream,
    (task, spec, bounds): (&Task, GatherSpec, &SegmentBounds),
    arrays: &Arrays,
    SortMemory { scratch, positions, .. }: &mut SortMemory,
) -> Result<(), Error> {
    // Everything that may be unavailable is prepared first: the keys must not be sorted if the values cannot be gathered.
    let module = gather::prepare(sorts.context(), spec)?;
    let [positions] = positions.take([task.position_bytes()])?;
    let copy_bytes = gather::copy_bytes(spec, task.n);
    scratch.reserve(Scratch::bytes_of([copy_bytes]))?;
    let sorted = Arrays { values_in: 0, values_out: positions, ..*arrays };
    // SAFETY: the caller vouches for the keys; the positions are this stream's, as many as keys, and aligned.
    unsafe { sort(sorts, stream, (task, bounds), &sorted, scratch) }?;
    // The sort is done with its scratch in the stream's order.
    let [copy] = scratch.take([copy_bytes])?;
    let gathered = Gathered {
        items_in: arrays.values_in,
        items_out: arrays.values_out,
        positions,
        copy: Some(copy),
    };
    // SAFETY: the caller vouches for the values, which are aligned to the spec's words. The sort has written n positions, each below n
    // whatever the offsets are: those of items outside of segments too. There is a copy of sufficient length, which overlaps none of these.
    unsafe { gather::run(stream, (spec, &module), task.n, &gathered) }
}

/// Sorts keys and the values that move with them.
///
/// # Safety
///
/// As for [`run`], with values at multiples of their size, of the type that moves with the keys.
unsafe fn sort(
    sorts: &Sorts,
    stream: &CudaStream,
    (task, bounds): (&Task, &SegmentBounds),
    arrays: &Arrays,
    scratch: &mut Scratch,
) -> Result<(), Error> {
    let kernels = sorts.load_segments(spec(task))?;
    let (to, problem) = ((sorts.context().device(), stream), problem(task, bounds.sizes));
    // SAFETY: the kernels and the problem are the task's, and the caller vouches for the rest.
    unsafe { kernels.sort(to, (task, problem), bounds, arrays, scratch) }
}

fn spec(task: &Task) -> SegmentSpec {
    SegmentSpec::of(task.key, task.value.moved(), task.order, task.nan_last)
}

fn problem(task: &Task, SegmentSizes { count, longest }: SegmentSizes) -> Problem {
    let absolute_positions = matches!(task.value, Carried::ByPosition(_));
    let (segments, longest) = (count as u64, longest as u64);
    Problem { n: task.n as u64, segments, longest, absolute_positions }
}
