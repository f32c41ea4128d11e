//! The launches that sort an array on a device; [`sortsmith_codegen::dispatch`] says which kernels do it.
//!
//! Values that these do not carry are gathered afterwards, by the positions that the sort makes in their place.

use std::ops::Range;

use cudarc::driver::CudaStream;
use sortsmith_codegen::device::Device;
use sortsmith_codegen::dispatch::{ArraySort, KernelSpec, Method};
use sortsmith_codegen::{KeyType, Order};

use super::Gpu;
use super::alignment;
use super::gather::{self, Gathered};
use super::memory::{Scratch, SortMemory};
use super::sorts::{LoadedKernels, SortKernel};
use super::tile::TileArrays;
use super::whole;
use crate::{ArrayAlgorithm, Carried, Error};

/// What to sort and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Type of the keys.
    pub key: KeyType,
    /// What goes with them and how: nothing, values, or positions that the sort makes, of `u32`.
    pub value: Carried,
    /// Which end comes first.
    pub order: Order,
    /// The ordered bits that take part, a range of the key's.
    pub bits: Range<u32>,
    /// All NaNs last.
    pub nan_last: bool,
    /// What sorts them.
    pub algorithm: ArrayAlgorithm,
    /// Equal keys keep their input order; else they need not.
    pub stable: bool,
    /// How many keys there are, at least 2; at most 2³² where the sort makes positions.
    pub n: usize,
}

impl Task {
    /// The sort, whatever its length.
    pub fn array_sort(&self) -> ArraySort {
        let Self { key, value, order, nan_last, algorithm, stable, .. } = *self;
        let method = match algorithm {
            ArrayAlgorithm::Fastest => Method::Fastest,
            ArrayAlgorithm::Bitonic => Method::Network { stable },
        };
        ArraySort { key, value: value.moved(), order, nan_last, method }
    }
}

/// Device memory by its addresses, `n` items each. What is sorted in place is what is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrays {
    /// The keys.
    pub keys_in: u64,
    /// Where they go, if anybody asks for them.
    pub keys_out: Option<u64>,
    /// The values; 0 if there are none, or if they are positions, which the sort makes.
    pub values_in: u64,
    /// Where values or positions go; 0 if there are none.
    pub values_out: u64,
}

impl Arrays {
    /// Keys and values in place.
    pub fn in_place(keys: u64, values: u64) -> Self {
        Self { keys_in: keys, keys_out: Some(keys), values_in: values, values_out: values }
    }

    /// Keys that are only read, and where positions go.
    pub fn argsort(keys: u64, positions: u64) -> Self {
        Self { keys_in: keys, keys_out: None, values_in: 0, values_out: positions }
    }
}

/// Makes everything that a [`run`] of this task needs: kernels and scratch. Then `run` allocates and compiles nothing,
/// for this and for fewer items, with arrays whose keys are to be sorted if `sorts_keys` says so.
pub fn prepare(
    gpu: &Gpu,
    task: &Task,
    sorts_keys: bool,
    memory: &mut SortMemory,
) -> Result<(), Error> {
    let kernels = gpu.sort_kernels(task.array_sort());
    let mut bytes = 0;
    for kernel in &kernels[..=place_of(&kernels, task)?] {
        let code = kernel.loaded(gpu)?;
        let most = usize::try_from(kernel.most).unwrap_or(usize::MAX);
        let task = Task { n: task.n.min(most), ..task.clone() };
        bytes = bytes.max(scratch_bytes(&code.spec, &task, sorts_keys, gpu.device()));
    }
    if let Carried::ByPosition(spec) = task.value {
        gather::prepare(gpu, spec)?;
        memory.positions.reserve(Scratch::bytes_of([position_bytes(task)]))?;
        bytes = bytes.max(Scratch::bytes_of([gather::copy_bytes(spec, task.n)]));
    }
    memory.scratch.reserve(bytes)
}

/// Sorts, in order on the stream and without waiting for it.
///
/// # Safety
///
/// - The stream's context is bound to this thread, and the GPU's.
/// - The arrays are memory of that context, aligned for their types, with at least `task.n` items.
/// - They stay until the stream has done this work, nothing out of the stream's order touches them, and they do not
///   overlap, but for those that are the same to sort in place: keys and values both, or neither.
/// - The memory is of this stream.
pub unsafe fn run(
    gpu: &Gpu,
    stream: &CudaStream,
    task: &Task,
    arrays: &Arrays,
    memory: &mut SortMemory,
) -> Result<(), Error> {
    let SortMemory { scratch, positions } = memory;
    let Carried::ByPosition(spec) = task.value else {
        let sort = |[values_in, values_out]: [u64; 2]| {
            let arrays = Arrays { values_in, values_out, ..*arrays };
            // SAFETY: the caller answers for what this asks for, but for values' addresses, which are multiples of their size.
            unsafe { sort(gpu, stream, task, &arrays, scratch) }
        };
        let values = [arrays.values_in, arrays.values_out];
        // SAFETY: the caller answers for the context, the arrays and the memory; positions are of no use to this sort.
        return unsafe {
            alignment::with_aligned(stream, (task.value.moved(), task.n), values, positions, sort)
        };
    };
    // What may fail for want of something comes first: keys are not sorted whose values cannot follow.
    let gather = gather::prepare(gpu, spec)?;
    let [positions] = positions.take([position_bytes(task)])?;
    let is_in_place = arrays.values_in == arrays.values_out;
    let copy_bytes = if is_in_place { gather::copy_bytes(spec, task.n) } else { 0 };
    scratch.reserve(Scratch::bytes_of([copy_bytes]))?;
    let sorted = Arrays { values_in: 0, values_out: positions, ..*arrays };
    // SAFETY: the caller answers for the keys; the positions are this stream's, as many as keys, and aligned.
    unsafe { sort(gpu, stream, task, &sorted, scratch) }?;
    // The sort's own scratch is free again, in the stream's order.
    let [copy] = scratch.take([copy_bytes])?;
    let gathered = Gathered {
        items_in: arrays.values_in,
        items_out: arrays.values_out,
        positions,
        copy: is_in_place.then_some(copy),
    };
    // SAFETY: the caller answers for the values, whose type's alignment the spec's words have. The sort has written n
    // positions, each below n; the copy is there in place, as long as it must be, and apart from all of these.
    unsafe { gather::run(stream, (spec, &gather), task.n, &gathered) }
}

/// Bytes of a position for each key.
fn position_bytes(task: &Task) -> usize {
    task.n.saturating_mul(size_of::<u32>())
}

/// Bytes of scratch that sorts by this kernel take, of the task's items and of fewer.
fn scratch_bytes(kernel: &KernelSpec, task: &Task, sorts_keys: bool, device: Device) -> usize {
    match kernel {
        KernelSpec::Tile(_) if sorts_keys => 0,
        KernelSpec::Tile(_) => Scratch::bytes_of([key_bytes(task)]),
        KernelSpec::Whole(spec) => whole::most_scratch_bytes(spec, task, sorts_keys, device),
    }
}

/// Bytes of all keys.
fn key_bytes(task: &Task) -> usize {
    task.n.saturating_mul(task.key.bytes() as usize)
}

/// Sorts keys and what moves with them.
///
/// # Safety
///
/// As for [`run`], with memory for what moves as the values, at multiples of its size.
unsafe fn sort(
    gpu: &Gpu,
    stream: &CudaStream,
    task: &Task,
    arrays: &Arrays,
    scratch: &mut Scratch,
) -> Result<(), Error> {
    let kernels = gpu.sort_kernels(task.array_sort());
    let kernel = &kernels[place_of(&kernels, task)?];
    let tile = match &kernel.loaded(gpu)?.kernels {
        LoadedKernels::Tile(tile) => tile,
        LoadedKernels::Whole(kernels) => {
            // SAFETY: the caller answers for what this asks for, and the kernels are the task's.
            return unsafe { kernels.sort(gpu, stream, task, arrays, scratch) };
        }
    };
    let keys_out = if let Some(keys_out) = arrays.keys_out {
        keys_out
    } else {
        let [keys_out] = scratch.take([key_bytes(task)])?;
        keys_out
    };
    let Arrays { keys_in, values_in, values_out, .. } = *arrays;
    let tile_arrays = TileArrays { keys_in, keys_out, values_in, values_out };
    // SAFETY: the caller answers for the arrays. The scratch is as long as the keys and aligned, its uses are in the
    // order of this stream, and the grid has one block, which reads all of its tile before it writes.
    unsafe { tile.sort(stream, task.n, &task.bits, &tile_arrays) }
}

/// Which of the kernels sort so many items, unless there are more than any sort of a device takes.
fn place_of(kernels: &[SortKernel], task: &Task) -> Result<usize, Error> {
    let n = task.n as u64;
    let place = kernels.partition_point(|kernel| kernel.most < n).min(kernels.len() - 1);
    // Tuned kernels take as many items as the built-in ones are used for.
    match &kernels[place].choice.built_in {
        KernelSpec::Whole(spec) if spec.max_items() < n => Err(Error::DeviceSize {
            items: task.n,
            limit: usize::try_from(spec.max_items()).unwrap_or(usize::MAX),
        }),
        _ => Ok(place),
    }
}

#[cfg(test)]
mod tests;
