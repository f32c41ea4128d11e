//! The shared memory of blocks, and the workspace.

use super::chunks::{KEY_BYTES, chunk_storage, values_of};
use super::plan::{PartitionPlan, SPAN_TILES};
use crate::contract::device::scratch::aligned;
use crate::contract::device::spec::DeviceFields;
use crate::layout::{Region, array};

/// The bytes of shared memory of its blocks, which the header compares with its structs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Storage {
    pub(super) samples: u32,
    pub(super) split: u32,
    pub(super) split_parents: u32,
    pub(super) split_buckets: u32,
    pub(super) scan: u32,
    pub(super) locate: u32,
    pub(super) list: u32,
    pub(super) equal: u32,
    /// Of the classes of chunks.
    pub(super) chunks: [u32; 3],
}

impl Storage {
    /// That of fields.
    pub(super) fn of(fields: &DeviceFields) -> Self {
        let plan = PartitionPlan::of(fields);
        let tile = fields.tile_items();
        let samples =
            [array("orders", KEY_BYTES, plan.max_samples), array("positions", 2, plan.max_samples)];
        let list_warps = plan.list_threads / 32;
        Self {
            samples: Region::of(&samples).size_of(),
            split: split_storage(fields, plan.only_buckets, false),
            split_parents: split_storage(fields, plan.parents, false),
            split_buckets: split_storage(fields, plan.buckets, true),
            scan: 4 * (plan.list_threads + list_warps),
            locate: 4 * (32 * (plan.parents + 1) + plan.parents),
            list: 4 * (list_warps + 2 * lists(&plan)),
            equal: 4 * (tile + tile / 32 + fields.threads / 32),
            chunks: plan.classes.map(|class| chunk_storage(fields, class)),
        }
    }

    /// The most of all.
    pub(super) fn most(&self) -> u32 {
        let Self {
            samples,
            split,
            split_parents,
            split_buckets,
            scan,
            locate,
            list,
            equal,
            chunks,
        } = *self;
        let others = [samples, split, split_parents, split_buckets, scan, locate, list, equal];
        others.into_iter().chain(chunks).fold(0, u32::max)
    }
}

/// The header's `SplitStorage`.
fn split_storage(fields: &DeviceFields, buckets: u32, gathers: bool) -> u32 {
    let (tile, warps) = (fields.tile_items(), fields.threads / 32);
    let counters = Region::of(&[array("counters", 4, warps * buckets)]);
    let keys = Region::of(&[array("keys", KEY_BYTES, tile)]);
    let values = Region::of(values_of(fields, tile).as_slice());
    let items = Region { align: 16, ..counters.or(keys).or(values) }.padded();
    let pieces = if gathers { [tile / 32, tile] } else { [1, 1] };
    let behind = Region::of(&[
        array("tree", KEY_BYTES, buckets),
        array("heads", 4, tile / 32),
        array("sums", 4, warps),
        array("marks, differences", 4, pieces[0] + pieces[1]),
    ]);
    items.then(behind).size_of()
}

/// The lists of chunks: of each class two, by sub-buckets and by merges, and that of equal keys.
fn lists(plan: &PartitionPlan) -> u32 {
    plan.classes.iter().fold(1, |lists, _| lists + 2)
}

/// Bytes at the start of the workspace that have to be zero: the header's `Counts`.
pub(super) fn zeroed_bytes(fields: &DeviceFields) -> u64 {
    let plan = PartitionPlan::of(fields);
    aligned(4 * u64::from(lists(&plan) + 1 + plan.only_buckets))
}

/// Bytes of the workspace, array by array as the header's `workspace_of`.
pub(super) fn workspace_bytes(fields: &DeviceFields, n: u64) -> u64 {
    const CHUNK: u64 = 16;
    let plan = PartitionPlan::of(fields);
    let tiles = fields.tile_count(n);
    let [parents, buckets, only_buckets] =
        [plan.parents, plan.buckets, plan.only_buckets].map(u64::from);
    let key = u64::from(KEY_BYTES);
    let of_parents = aligned((8 * (parents + 1)).next_multiple_of(key) + key * parents);
    let of_levels = if plan.has_two_levels(n) {
        let gathered = tiles + parents;
        let pieces = parents * (tiles + 1).next_multiple_of(32);
        let spans = tiles.div_ceil(u64::from(SPAN_TILES));
        key * (parents + parents * buckets)
            + parents * buckets
            + aligned(2 * gathered * buckets)
            + aligned(4 * spans * parents)
            + 6 * pieces
            + aligned(8 * gathered)
    } else {
        (key + 1) * only_buckets + aligned(2 * tiles * only_buckets)
    };
    zeroed_bytes(fields)
        + of_parents
        + of_levels
        + CHUNK * u64::from(lists(&plan)) * plan.max_chunks(fields, n)
        + aligned(8 * (n / u64::from(plan.max_chunk_items()) + 1))
}
