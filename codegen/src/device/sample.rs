//! Sorts of few items: parted into buckets by samples, each bucket sorted by a block.
//!
//! The header's `samples_come_first`, `bucket_count` and `workspace_bytes` are here too, for the host.

use std::collections::BTreeSet;

use askama::Template;

use super::launch::{Kernel, Launch};
use super::render::finished;
use super::{DeviceSpec, DeviceSpecError, require};
use crate::plan::{RadixPlan, Region, SharedArray};
use crate::render::block_radix::Nested;
use crate::render::key::{KeyView, title};
use crate::render::parts::{Part, PartView};
use crate::render::{RenderError, block_radix, guard, version_namespace};
use crate::spec::{
    Algorithm, Arch, Arrangement, Block, KeyType, LaneMatch, Rank, SortSpec, SpecFields, ValueType,
};

/// Items per thread of the sorts of buckets, as far as there is shared memory for them on every architecture.
const BUCKET_ITEMS: [u32; 3] = [2, 4, 8];

/// Bits of a digit of theirs. What a bucket's keys have in common leaves 23 to 28 bits of 32: as many passes as of 8, with half
/// as many bins to scan.
const BUCKET_SORT_BITS: u32 = 7;

/// Where each block finds the splitters for itself, so many samples there are for each bucket, at least.
const SAMPLES_OF_FEW_BUCKETS: u32 = 4;

/// Blocks that find the splitters where that is a launch of its own.
const SAMPLE_BLOCKS: u32 = 32;

/// What such a sort is made of.
#[derive(Clone, Debug)]
pub(super) struct SamplePlan {
    /// Orders a tile's items by bucket.
    partition: SortSpec,
    /// Sort buckets, the smallest ones first.
    buckets: Vec<SortSpec>,
    pub(super) storage: Storage,
}

/// The bytes of shared memory of its blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Storage {
    /// Of a block of `_samples`: the header's `sizeof(SampleStorage)`.
    pub(super) sample: u32,
    /// Of a block of `_split`: the header's `sizeof(SplitStorage)`.
    pub(super) split: u32,
    /// Of a block of `_buckets`: the header's `sizeof(BucketStorage)`.
    pub(super) bucket: u32,
}

impl SamplePlan {
    /// The plan of a spec, or the first field for which there is none.
    pub(super) fn of(spec: &DeviceSpec) -> Result<Self, DeviceSpecError> {
        require(
            !spec.nan_last,
            "nanlast",
            "true".to_owned(),
            "false: block sorts have no such order",
        )?;
        require(!spec.wide, "wide", "true".to_owned(), "false: few items need no 64-bit places")?;
        let partition = partition(spec);
        let buckets: Vec<SortSpec> =
            BUCKET_ITEMS.iter().filter_map(|items| bucket_sort(spec, *items)).collect();
        let plans = (partition.as_ref().and_then(RadixPlan::of), buckets.is_empty());
        let (Some(partition), (Some(plan), false)) = (partition, plans) else {
            let tile = format!("{} threads, {} items", spec.threads, spec.items);
            let legal = "what a block sort of such items has the shared memory for".to_owned();
            return Err(DeviceSpecError { field: "tile", value: tile, legal });
        };
        let storage = Storage {
            sample: sample_storage(spec),
            split: split_storage(spec, &plan),
            bucket: bucket_storage(spec, &buckets),
        };
        let most = storage.most();
        require(
            most <= Arch::MAX_SHARED_BYTES,
            "tile",
            format!("{} items, {most} bytes of shared memory", spec.tile_items()),
            &format!("at most {} bytes", Arch::MAX_SHARED_BYTES),
        )?;
        Ok(Self { partition, buckets, storage })
    }
}

impl Storage {
    /// The most that any block needs.
    pub(super) fn most(&self) -> u32 {
        self.sample.max(self.split).max(self.bucket)
    }
}

/// As many buckets as `_split` finds splitters for.
fn few_buckets(threads: u32) -> u32 {
    threads / SAMPLES_OF_FEW_BUCKETS
}

/// Samples for each bucket, where they come first. 16-byte ones take too much shared memory to have as many.
fn samples_per_bucket(key: KeyType) -> u32 {
    if key.bytes() <= 8 { 8 } else { 4 }
}

/// Whether there is a launch of `_samples`.
fn samples_come_first(threads: u32, n: u64) -> bool {
    n > 2 * u64::from(few_buckets(threads)) * u64::from(threads)
}

/// Buckets of n items.
fn bucket_count(threads: u32, n: u64) -> u32 {
    let (most, items) = if samples_come_first(threads, n) {
        (threads, 2 * threads)
    } else {
        (few_buckets(threads), threads)
    };
    let enough = n.div_ceil(u64::from(items)).next_power_of_two();
    u32::try_from(enough).unwrap_or(u32::MAX).clamp(1, most)
}

/// Bytes of workspace: splitters, and where each bucket begins in each tile.
pub(super) fn workspace_bytes(spec: &DeviceSpec, n: u64) -> u64 {
    let starts = 2 * u64::from(bucket_count(spec.threads, n)) * spec.tile_count(n);
    u64::from(splitters(spec).size_of()) + starts.next_multiple_of(16)
}

/// The launches for n items, of which there are some.
pub(super) fn launches(spec: &DeviceSpec, storage: Storage, n: u64) -> Vec<Launch> {
    let tiles = u32::try_from(spec.tile_count(n)).unwrap_or(u32::MAX);
    let launch = |kernel, blocks, shared_bytes| Launch {
        kernel,
        blocks,
        threads: spec.threads,
        shared_bytes,
    };
    let samples = launch(Kernel::Samples, SAMPLE_BLOCKS, storage.sample);
    let mut launches = Vec::from_iter(samples_come_first(spec.threads, n).then_some(samples));
    launches.extend([
        launch(Kernel::Split, tiles, storage.split),
        launch(Kernel::Buckets, bucket_count(spec.threads, n), storage.bucket),
    ]);
    launches
}

/// Blocks that a multiprocessor is to hold at least: two, where tiles are for more buckets than there are multiprocessors
/// and the items leave the registers for it.
fn resident_blocks(spec: &DeviceSpec) -> u32 {
    let is_for_many = spec.items >= 4;
    let holds_two = spec.threads <= 512 && spec.key.bytes() + spec.value.bytes() <= 12;
    if is_for_many && holds_two { 2 } else { 1 }
}

fn partition(spec: &DeviceSpec) -> Option<SortSpec> {
    let bits = few_buckets(spec.threads).ilog2();
    block_sort(KeyType::U16, ValueType::Index, spec.threads, spec.items, bits, SpecFields::validate)
}

fn bucket_sort(spec: &DeviceSpec, items: u32) -> Option<SortSpec> {
    let value = if spec.value == ValueType::Index { ValueType::U32 } else { spec.value };
    let ordered = |fields: SpecFields| SpecFields { order: spec.order, ..fields }.validate();
    let sort = block_sort(spec.key, value, spec.threads, items, BUCKET_SORT_BITS, ordered)?;
    // The least that an architecture has.
    let fits = |bytes| Arch::all().all(|arch| bytes <= arch.max_shared_bytes());
    fits(bucket_storage(spec, &[sort])).then_some(sort)
}

/// A block sort that ranks by ballots, from the arrangement that is loaded.
fn block_sort<E>(
    key: KeyType,
    value: ValueType,
    threads: u32,
    items: u32,
    radix_bits: u32,
    validate: impl FnOnce(SpecFields) -> Result<SortSpec, E>,
) -> Option<SortSpec> {
    let block = Block::linear(threads);
    let fields = SpecFields::block_radix(key, value, block, items, radix_bits);
    let Algorithm::BlockRadix { block, radix_bits, bits, .. } = fields.algorithm else {
        return None;
    };
    let rank = Rank::Match(LaneMatch::Ballots);
    let algorithm = Algorithm::BlockRadix { block, radix_bits, rank, bits };
    validate(SpecFields { algorithm, input: Arrangement::WarpStriped, ..fields }).ok()
}

fn array(what: &'static str, element_bytes: u32, length: u32) -> SharedArray {
    SharedArray { what, element_bytes, length }
}

fn splitters(spec: &DeviceSpec) -> Region {
    let order_bytes = spec.key.storage().widened().bytes;
    let arrays = [array("orders", order_bytes, spec.threads), array("tiles", 4, spec.threads)];
    Region { align: 16, ..Region::of(&arrays) }
}

fn sample_storage(spec: &DeviceSpec) -> u32 {
    let order_bytes = spec.key.storage().widened().bytes;
    let samples = samples_per_bucket(spec.key) * spec.threads;
    let bounds = Region::of(&[
        array("samples", order_bytes, 2 * spec.threads),
        array("bounds", order_bytes, 2),
        array("their numbers, and counts", 4, 4),
    ]);
    let own = Region::of(&[array("orders", order_bytes, samples), array("numbers", 2, samples)]);
    bounds.then(Region { align: 16, ..own }).size_of()
}

fn split_storage(spec: &DeviceSpec, partition: &RadixPlan) -> u32 {
    let storage = spec.key.storage();
    let tile = spec.tile_items();
    let mut arrays = vec![array("keys", storage.bytes, tile)];
    arrays.extend(spec.value.is_read().then(|| array("values", spec.value.bytes(), tile)));
    arrays.extend([
        array("samples", storage.widened().bytes, 2 * spec.threads),
        array("bounds", storage.widened().bytes, spec.threads),
        array("counts", 4, spec.threads),
        array("sums of warps", 4, spec.threads / 32),
    ]);
    Region::of(&arrays).then(Region { bytes: partition.shared_bytes, align: 16 }).size_of()
}

fn bucket_storage(spec: &DeviceSpec, sorts: &[SortSpec]) -> u32 {
    let pieces = Region::of(&[array("pieces", 4, 2 * spec.threads + 2 * (spec.threads / 32))]);
    let shared_bytes = |sort| RadixPlan::of(sort).map_or(0, |plan| plan.shared_bytes);
    let bytes = sorts.iter().map(shared_bytes).max().unwrap_or(0);
    pieces.then(Region { bytes, align: 16 }).size_of()
}

#[derive(Template)]
#[template(path = "device_sample_sort.cuh")]
#[allow(clippy::struct_excessive_bools)] // one flag for each way in which headers differ
struct View {
    name: String,
    title: String,
    version: &'static str,
    version_namespace: String,
    struct_guard: String,
    parts: Vec<PartView>,
    sorters: Vec<String>,

    key: KeyView,
    value: &'static str,
    has_values: bool,
    reads_values: bool,
    makes_positions: bool,
    interleaves: bool,
    item_bytes: u32,
    counts: bool,

    max_items: u64,
    threads: u32,
    items: u32,
    few_buckets: u32,
    samples_per_bucket: u32,
    sample_blocks: u32,
    resident_blocks: u32,
    workspace_align: u32,
    sample_shared_bytes: u32,
    split_shared_bytes: u32,
    bucket_shared_bytes: u32,
    partition: String,
    bucket_sorts: Vec<String>,
}

/// The header: the block sorts that it is made of, and both kernels.
pub(super) fn header(spec: &DeviceSpec) -> Result<String, RenderError> {
    let plan = SamplePlan::of(spec)
        .map_err(|error| RenderError::NoDeviceSort { name: spec.to_string(), error })?;
    let mut parts: BTreeSet<Part> =
        [Part::NullType, Part::Bits, Part::Warp, Part::GridOrder].into();
    let mut sorters = Vec::new();
    let partition = Nested { spec: plan.partition, relative: false };
    let buckets: Vec<Nested> =
        plan.buckets.iter().map(|spec| Nested { spec: *spec, relative: true }).collect();
    for sort in std::iter::once(&partition).chain(&buckets) {
        let (text, its_parts) = block_radix::structure(sort)?;
        sorters.push(text);
        parts.extend(its_parts);
    }
    let view = View {
        name: spec.to_string(),
        title: title(spec.key, spec.value, spec.order),
        version: env!("CARGO_PKG_VERSION"),
        version_namespace: version_namespace(),
        struct_guard: guard(&spec.to_string()),
        parts: parts.into_iter().map(PartView::of).collect(),
        sorters,

        key: KeyView::of(spec.key, spec.order, false),
        value: spec.value.cuda(),
        has_values: spec.value != ValueType::None,
        reads_values: spec.value.is_read(),
        makes_positions: spec.value == ValueType::Index,
        interleaves: false,
        item_bytes: 0,
        counts: false,

        max_items: spec.max_items(),
        threads: spec.threads,
        items: spec.items,
        few_buckets: few_buckets(spec.threads),
        samples_per_bucket: samples_per_bucket(spec.key),
        sample_blocks: SAMPLE_BLOCKS,
        resident_blocks: resident_blocks(spec),
        workspace_align: 16,
        sample_shared_bytes: plan.storage.sample,
        split_shared_bytes: plan.storage.split,
        bucket_shared_bytes: plan.storage.bucket,
        partition: partition.name(),
        bucket_sorts: buckets.iter().map(Nested::name).collect(),
    };
    finished(spec, view.render())
}
