//! Which kernels sort an array on a device, and their launches.
//!
//! Few items are one tile of one block. More of them, and NaNs that come last, are a device-wide radix sort. Values that
//! neither carries are gathered afterwards, by the positions that the sort makes in their place.

use std::ops::Range;
use std::sync::Arc;

use cudarc::driver::CudaStream;
use sortsmith_codegen::matrix::default_radix_bits;
use sortsmith_codegen::plan::RadixPlan;
use sortsmith_codegen::{Block, KeyType, Order, SortSpec, SpecFields};

use super::Gpu;
use super::gather::{self, Gathered};
use super::memory::{Scratch, SortMemory};
use super::tile::{self, TileArrays};
use super::whole;
use crate::{Carried, Error};

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
    /// Equal keys keep their input order; else they need not.
    pub stable: bool,
    /// How many keys there are, at least 2; at most 2³² where the sort makes positions.
    pub n: usize,
}

/// Device memory by its addresses, `n` items each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrays {
    /// The keys.
    pub keys: u64,
    /// Whether `keys` is to be sorted; else it is only read.
    pub sorts_keys: bool,
    /// The values, which are sorted in place, or where positions go; 0 if there are none.
    pub values: u64,
}

/// Threads and items of the tiles, the smallest first: a block with idle threads takes as long as a full one.
const TILES: [(u32, u32); 3] = [(128, 4), (256, 8), (512, 16)];

/// Makes everything that a [`run`] of this task needs: kernels and scratch. Then `run` allocates and compiles nothing,
/// for this and for fewer items.
pub fn prepare(gpu: &Gpu, task: &Task, memory: &mut SortMemory) -> Result<(), Error> {
    for (threads, items) in TILES {
        let n = task.n.min((threads * items) as usize);
        if let Some(spec) = tile_for(gpu, &Task { n, ..task.clone() }) {
            tile::prepare(gpu, &spec)?;
        }
    }
    // Positions alone need a place for the sorted keys.
    let mut bytes = Scratch::bytes_of([task.n * task.key.bytes() as usize]);
    if tile_for(gpu, task).is_none() {
        for n in [task.n, task.n.min(1 << 20)] {
            let task = Task { n, ..task.clone() };
            let spec = whole::spec_for(gpu, &task)?;
            whole::prepare(gpu, &spec)?;
            bytes = bytes.max(Scratch::bytes_of(whole::scratch_bytes(&spec, &task, false)));
        }
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
/// - The arrays are memory of the stream's context, aligned for their types, with at least `task.n` items.
/// - They stay until the stream has done this work, nothing out of the stream's order touches them, and they do not
///   overlap.
/// - The memory is of this stream.
pub unsafe fn run(
    gpu: &Gpu,
    stream: &Arc<CudaStream>,
    task: &Task,
    arrays: &Arrays,
    memory: &mut SortMemory,
) -> Result<(), Error> {
    let SortMemory { scratch, positions } = memory;
    let Carried::ByPosition(spec) = task.value else {
        // SAFETY: the caller answers for what this asks for.
        return unsafe { sort(gpu, stream, task, arrays, scratch) };
    };
    // What may fail for want of something comes first: keys are not sorted whose values cannot follow.
    gather::prepare(gpu, spec)?;
    let [positions] = positions.take([position_bytes(task)])?;
    let copy_bytes = gather::copy_bytes(spec, task.n);
    scratch.reserve(Scratch::bytes_of([copy_bytes]))?;
    let sorted = Arrays { values: positions, ..*arrays };
    // SAFETY: the caller answers for the keys; the positions are this stream's, as many as keys, and aligned.
    unsafe { sort(gpu, stream, task, &sorted, scratch) }?;
    // The sort's own scratch is free again, in the stream's order.
    let [copy] = scratch.take([copy_bytes])?;
    let gathered = Gathered { items: arrays.values, positions, copy };
    // SAFETY: the caller answers for the values, whose type's alignment the spec's words have. The sort has written n
    // positions, each below n; the copy is as long as it must be, and apart from both.
    unsafe { gather::run(gpu, stream, spec, task.n, &gathered) }
}

/// Bytes of a position for each key.
fn position_bytes(task: &Task) -> usize {
    task.n.saturating_mul(size_of::<u32>())
}

/// Sorts keys and what moves with them.
///
/// # Safety
///
/// As for [`run`], with memory for what moves as the values.
unsafe fn sort(
    gpu: &Gpu,
    stream: &Arc<CudaStream>,
    task: &Task,
    arrays: &Arrays,
    scratch: &mut Scratch,
) -> Result<(), Error> {
    let Some(spec) = tile_for(gpu, task) else {
        // SAFETY: the caller answers for what this asks for.
        return unsafe { whole::sort(gpu, stream, task, arrays, scratch) };
    };
    let keys_out = if arrays.sorts_keys {
        arrays.keys
    } else {
        let [keys_out] = scratch.take([task.n * task.key.bytes() as usize])?;
        keys_out
    };
    let tile_arrays = TileArrays {
        keys_in: arrays.keys,
        keys_out,
        values_in: arrays.values,
        values_out: arrays.values,
    };
    // SAFETY: the caller answers for the arrays. The scratch is as long as the keys and aligned, its uses are in the
    // order of this stream, and the grid has one block, which reads all of its tile before it writes.
    unsafe { tile::sort(gpu, stream, &spec, task.n, &task.bits, &tile_arrays) }
}

/// The spec of the smallest tile that holds all items, if there is one that does all that is asked.
fn tile_for(gpu: &Gpu, task: &Task) -> Option<SortSpec> {
    if task.nan_last {
        return None;
    }
    let limit = gpu.max_shared_bytes();
    TILES
        .into_iter()
        .filter_map(|tile| fitting_spec(task, tile, limit))
        .find(|spec| spec.tile_items() as usize >= task.n)
}

/// The spec of a tile, if the device has the shared memory for it.
fn fitting_spec(task: &Task, (threads, items): (u32, u32), limit: u32) -> Option<SortSpec> {
    let fields = |radix_bits| SpecFields {
        order: task.order,
        ..SpecFields::block_radix(
            task.key,
            task.value.moved(),
            Block::linear(threads),
            items,
            radix_bits,
        )
    };
    let spec = fields(default_radix_bits(&fields(1))).validate().ok()?;
    RadixPlan::of(&spec).is_some_and(|plan| plan.shared_bytes <= limit).then_some(spec)
}

#[cfg(test)]
mod tests {
    use sortsmith_codegen::{Arch, Token, ValueType};

    use super::*;

    #[test]
    fn every_type_has_tiles_on_every_architecture() {
        for (key, _) in KeyType::table() {
            for (value, _) in ValueType::table() {
                for order in [Order::Ascending, Order::Descending] {
                    let bits = 0..key.bits();
                    let (nan_last, stable, n) = (false, true, 2);
                    let value = Carried::As(*value);
                    let task = Task { key: *key, value, order, bits, nan_last, stable, n };
                    for arch in Arch::all() {
                        let limit = arch.max_shared_bytes();
                        let specs = TILES.map(|tile| fitting_spec(&task, tile, limit));
                        assert!(specs[0].is_some(), "{task:?} on {arch}");
                        let is_largest_there = specs[2].is_some();
                        assert!(
                            is_largest_there || limit < Arch::MAX_SHARED_BYTES,
                            "{task:?} on {arch}"
                        );
                        assert!(specs.iter().flatten().all(|spec| spec.order == order));
                    }
                }
            }
        }
    }
}
