//! Sorts of device arrays: the kernels that [`sortsmith_codegen::dispatch`] chooses, and a gather for values that those do not
//! move.

use cudarc::driver::CudaStream;
use sortsmith_codegen::gather::GatherSpec;

use super::alignment;
use super::families;
use super::gather::{self, Gathered};
use super::scratch::{Scratch, SortMemory};
use super::sorts::{SortKernel, Sorts};
use super::task::{Arrays, Task};
use crate::error::Error;
use crate::value::Carried;

/// Prepares everything that [`run`] needs: kernels and scratch. After that `run` neither allocates nor compiles, for this task
/// and for fewer items. `writes_keys` is false for an argsort.
pub fn prepare(
    sorts: &Sorts,
    task: &Task,
    writes_keys: bool,
    memory: &mut SortMemory,
) -> Result<(), Error> {
    let context = sorts.context();
    let kernels = sorts.kernels(task.array_sort());
    let mut bytes = 0;
    for kernel in &kernels[..=kernel_index(&kernels, task)?] {
        let loaded = sorts.load(kernel)?;
        let max_items = usize::try_from(kernel.max_items).unwrap_or(usize::MAX);
        let task = Task { n: task.n.min(max_items), ..task.clone() };
        let device = context.device();
        bytes = bytes.max(families::scratch_bytes(&loaded.spec, &task, writes_keys, device));
    }
    if let Carried::ByPosition(spec) = task.value {
        gather::prepare(context, spec)?;
        memory.positions.reserve(Scratch::bytes_of([task.position_bytes()]))?;
        bytes = bytes.max(Scratch::bytes_of([gather::copy_bytes(spec, task.n)]));
    }
    memory.scratch.reserve(bytes)
}

/// Enqueues the sort and does not wait for it.
///
/// # Safety
///
/// - The stream's context is bound to this thread, and is that of the sorts.
/// - The arrays are memory of that context for `task.n` items, aligned for their types.
/// - They are valid until the stream has done this work, nothing outside of the stream's order accesses them, and they do not
///   overlap, except that a sort in place names the same arrays as input and output: keys and values both, or neither.
/// - The memory is of this stream.
pub unsafe fn run(
    sorts: &Sorts,
    stream: &CudaStream,
    task: &Task,
    arrays: &Arrays,
    memory: &mut SortMemory,
) -> Result<(), Error> {
    if let Carried::ByPosition(spec) = task.value {
        // SAFETY: the caller vouches for the context, the arrays and the memory, and the spec is of the task's values.
        return unsafe { sort_and_gather(sorts, stream, (task, spec), arrays, memory) };
    }
    let SortMemory { scratch, positions: copies, .. } = memory;
    let sort = |[values_in, values_out]: [u64; 2]| {
        let arrays = Arrays { values_in, values_out, ..*arrays };
        // SAFETY: the caller vouches for everything but the values' addresses, which are multiples of a value's size here.
        unsafe { sort(sorts, stream, task, &arrays, scratch) }
    };
    let values = [arrays.values_in, arrays.values_out];
    // SAFETY: the caller vouches for the context, the arrays and the memory; this sort makes no positions.
    unsafe { alignment::with_aligned(stream, (task.value.moved(), task.n), values, copies, sort) }
}

/// Sorts keys with positions, and gathers the values by them.
///
/// # Safety
///
/// As for [`run`]. The gather's spec is of the task's values.
unsafe fn sort_and_gather(
    sorts: &Sorts,
    stream: &CudaStream,
    (task, spec): (&Task, GatherSpec),
    arrays: &Arrays,
    SortMemory { scratch, positions, .. }: &mut SortMemory,
) -> Result<(), Error> {
    // Everything that may be unavailable is prepared first: the keys must not be sorted if the values cannot be gathered.
    let module = gather::prepare(sorts.context(), spec)?;
    let [positions] = positions.take([task.position_bytes()])?;
    let is_in_place = arrays.values_in == arrays.values_out;
    let copy_bytes = if is_in_place { gather::copy_bytes(spec, task.n) } else { 0 };
    scratch.reserve(Scratch::bytes_of([copy_bytes]))?;
    let sorted = Arrays { values_in: 0, values_out: positions, ..*arrays };
    // SAFETY: the caller vouches for the keys; the positions are this stream's, as many as keys, and aligned.
    unsafe { sort(sorts, stream, task, &sorted, scratch) }?;
    // The sort is done with its scratch in the stream's order.
    let [copy] = scratch.take([copy_bytes])?;
    let gathered = Gathered {
        items_in: arrays.values_in,
        items_out: arrays.values_out,
        positions,
        copy: is_in_place.then_some(copy),
    };
    // SAFETY: the caller vouches for the values, which are aligned to the spec's words. The sort has written n positions, each
    // below n. For a gather in place there is a copy of sufficient length, which overlaps none of these.
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
    task: &Task,
    arrays: &Arrays,
    scratch: &mut Scratch,
) -> Result<(), Error> {
    let kernels = sorts.kernels(task.array_sort());
    let loaded = sorts.load(&kernels[kernel_index(&kernels, task)?])?;
    let device = sorts.context().device();
    // SAFETY: the kernels are the task's, and the caller vouches for the rest.
    unsafe { loaded.kernels.sort(device, stream, task, arrays, scratch) }
}

/// The index of the kernels for the task's number of items, or an error if no sort supports as many.
fn kernel_index(kernels: &[SortKernel], task: &Task) -> Result<usize, Error> {
    let n = task.n as u64;
    let index = kernels.partition_point(|it| it.max_items < n).min(kernels.len() - 1);
    // Tuned kernels sort as many items as the built-in ones are used for.
    match families::max_items(&kernels[index].choice.built_in) {
        Some(limit) if limit < n => Err(Error::DeviceSize {
            items: task.n,
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
        }),
        _ => Ok(index),
    }
}
