//! The shared memory of blocks, and the workspace.

use super::counts::{OWN_SAMPLES, bucket_count, buckets_per_thread, max_buckets, max_row_samples};
use super::items::{is_of_rows, sub_buckets_per_thread, value_of};
use crate::block::radix::plan::RadixPlan;
use crate::contract::device::host::{HostScratch, Number};
use crate::contract::device::spec::{DeviceFields, DeviceSpec, SharedBytes};
use crate::layout::{Region, array};
use crate::types::ValueType;

/// Elements behind a row of a histogram for each bucket: the count of what is in no bucket, and what makes it 16 bytes.
pub(super) const BEHIND_BUCKETS: u32 = 4;

/// The bytes of shared memory of its blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Storage {
    /// Of a block of `_samples`: the header's `sizeof(SampleStorage)`.
    pub(super) sample: u32,
    /// Of a block of `_split`: the header's `sizeof(SplitStorage)`.
    pub(super) split: u32,
    /// Of a block of `_buckets`: the header's `sizeof(BucketStorage)`.
    pub(super) bucket: u32,
}

impl Storage {
    /// That of a legal spec.
    pub(super) fn of(spec: &DeviceSpec) -> Self {
        let SharedBytes([sample, split, bucket]) = spec.shared();
        Self { sample, split, bucket }
    }

    /// As a spec keeps it.
    pub(super) fn shared(self) -> SharedBytes {
        SharedBytes([self.sample, self.split, self.bucket])
    }
}

/// Bytes of the alternate arrays and of workspace: splitters, and where each bucket begins in each tile.
pub(super) fn scratch<N: Number>(fields: &DeviceFields, n: &N) -> HostScratch<N> {
    let known = |number: u32| N::known(number.into());
    let tiles = n.clone().divided_up_by(known(fields.tile_items()));
    let buckets = bucket_count(fields, n);
    let splitters = known(splitter(fields).size_of()).times(buckets.clone());
    let offsets = known(2).times(buckets).times(tiles);
    let alternate_keys = n.clone().times(known(fields.key.bytes())).next_multiple_of(16);
    let alternate_values = n.clone().times(known(fields.value.bytes()));
    HostScratch {
        zeroed: known(0),
        workspace: splitters.next_multiple_of(16).plus(offsets.next_multiple_of(16)),
        alternate: alternate_keys.clone().plus(alternate_values),
        alternate_keys,
    }
}

/// The header's `Splitter`.
fn splitter(fields: &DeviceFields) -> Region {
    let order_bytes = fields.key.storage().widened().bytes;
    Region::of(&[array("order", order_bytes, 1), array("tile", 4, 1)])
}

/// Keys as they are moved: integers of as many bytes, or the structs themselves.
fn keys(fields: &DeviceFields, length: u32) -> Region {
    let key = fields.key;
    let align = key.unsigned().map_or(key.align(), |it| it.bytes);
    Region { bytes: key.bytes() * length, align }
}

pub(super) fn sample_storage(fields: &DeviceFields) -> u32 {
    let orders = fields.key.storage().widened().bytes;
    if is_of_rows(fields) {
        let samples = 2 * max_row_samples(fields);
        let arrays = [array("orders, twice", orders, samples), array("numbers, twice", 2, samples)];
        return Region::of(&arrays).size_of();
    }
    let orders = array("own samples, in order too", orders, 2 * OWN_SAMPLES);
    Region::of(&[orders, array("ranks, numbers, counts", 4, 3 * OWN_SAMPLES + 4)]).size_of()
}

pub(super) fn split_storage(fields: &DeviceFields) -> u32 {
    let storage = fields.key.storage();
    let (tile, warps) = (fields.tile_items(), fields.threads / 32);
    let samples = if is_of_rows(fields) { 0 } else { 2 * fields.threads };
    let before = Region::of(&[
        array("samples", storage.widened().bytes, samples),
        array("bounds", storage.widened().bytes, max_buckets(fields)),
        array("sums of warps", 4, buckets_per_thread(fields) * warps),
    ]);
    let values = fields.value.is_read().then(|| array("values", fields.value.bytes(), tile));
    let items = Region::of(&[array("tie-break indices", 4, tile)]).then(keys(fields, tile));
    let items = items.then(Region::of(values.as_slice()));
    let histograms = 4 * warps * (max_buckets(fields) + BEHIND_BUCKETS);
    let bytes = items.size_of().max(histograms);
    before.then(Region { bytes, align: 16 }).size_of()
}

pub(super) fn bucket_storage(
    fields: &DeviceFields,
    sorts: &[RadixPlan],
    register_window_rows: &[u32],
) -> u32 {
    let warps = fields.threads / 32;
    let words = 2 * fields.threads + warps + 6;
    let pieces = Region::of(&[array("pieces, sums of warps, six words", 4, words)]);
    let sort_bytes = sorts.iter().map(|plan| plan.shared_bytes).max().unwrap_or(0);
    let most = sorts.iter().map(RadixPlan::tile_items).max().unwrap_or(0);
    let marks = Region::of(&[array("marks", 2, most), array("heads", 2, most / 32)]);
    let rows = register_window_rows.iter().copied().max();
    let register_windows = rows.map_or(0, |rows| register_window_bytes(fields, rows, marks));
    pieces.then(Region { bytes: sort_bytes.max(register_windows), align: 16 }).size_of()
}

/// The header's `RegisterWindowItems`.
fn register_window_bytes(fields: &DeviceFields, rows: u32, marks: Region) -> u32 {
    let items = rows * fields.threads;
    let counters = sub_buckets_per_thread(rows) * fields.threads;
    let words = Region::of(&[array("counters, or composite keys", 4, counters + 32)]);
    // A union is padded to its alignment.
    let bytes = keys(fields, items).or(marks).bytes.next_multiple_of(16);
    let before = words.then(Region { bytes, align: 16 });
    let has_values = fields.value != ValueType::None;
    let values = has_values.then(|| array("values", value_of(fields).bytes(), items));
    before.then(Region::of(values.as_slice())).size_of()
}
