//! Sorts of few items: parted into buckets by samples, each bucket sorted by a block.

use std::collections::BTreeSet;

use askama::Template;

use super::launch::{Kernel, Launch};
use super::render::finished;
use super::{DeviceSpec, DeviceSpecError, require};
use crate::plan::{RadixPlan, Region, SharedArray};
use crate::render::key::{KeyView, title};
use crate::render::parts::{Part, PartView};
use crate::render::{RenderError, block_radix, guard, version_namespace};
use crate::spec::{
    Algorithm, Arch, Arrangement, Block, KeyType, LaneMatch, Rank, SortSpec, SpecFields, ValueType,
};

/// Items per thread of the sorts of buckets, as far as there is shared memory for them on every architecture.
const BUCKET_ITEMS: [u32; 3] = [2, 4, 8];

/// Bits of a digit of theirs.
const BUCKET_SORT_BITS: u32 = 8;

/// So many samples there are for each bucket, at least.
const SAMPLES_OF_BUCKET: u32 = 4;

/// What such a sort is made of.
#[derive(Clone, Debug)]
pub(super) struct SamplePlan {
    /// Orders a tile's items by bucket.
    partition: SortSpec,
    /// Sort buckets, the smallest ones first.
    buckets: Vec<SortSpec>,
    pub(super) storage: Storage,
}

/// The shared memory of its blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Storage {
    /// Of a block of `_split`: the header's `sizeof(SplitStorage)`.
    pub(super) split_bytes: u32,
    /// Of a block of `_buckets`: the header's `sizeof(BucketStorage)`.
    pub(super) bucket_bytes: u32,
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
        let split_bytes = split_storage(spec, &plan);
        let storage = Storage { split_bytes, bucket_bytes: bucket_storage(spec, &buckets) };
        require(
            split_bytes <= Arch::MAX_SHARED_BYTES,
            "tile",
            format!("{} items, {split_bytes} bytes of shared memory", spec.tile_items()),
            &format!("at most {} bytes", Arch::MAX_SHARED_BYTES),
        )?;
        Ok(Self { partition, buckets, storage })
    }
}

/// The logarithm of the most buckets.
fn bucket_bits(threads: u32) -> u32 {
    (threads / SAMPLES_OF_BUCKET).ilog2()
}

/// Buckets of n items: the header's `bucket_count`.
pub(super) fn bucket_count(threads: u32, n: u64) -> u32 {
    let enough = n.div_ceil(u64::from(threads)).next_power_of_two();
    u32::try_from(enough).unwrap_or(u32::MAX).clamp(1, 1 << bucket_bits(threads))
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
    vec![
        launch(Kernel::Split, tiles, storage.split_bytes),
        launch(Kernel::Buckets, bucket_count(spec.threads, n), storage.bucket_bytes),
    ]
}

fn partition(spec: &DeviceSpec) -> Option<SortSpec> {
    let bits = bucket_bits(spec.threads);
    block_sort(KeyType::U8, ValueType::Index, spec.threads, spec.items, bits, SpecFields::validate)
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

fn split_storage(spec: &DeviceSpec, partition: &RadixPlan) -> u32 {
    let storage = spec.key.storage();
    let (tile, buckets) = (spec.tile_items(), 1 << bucket_bits(spec.threads));
    let mut arrays = vec![array("keys", storage.bytes, tile)];
    arrays.extend(spec.value.is_read().then(|| array("values", spec.value.bytes(), tile)));
    arrays.extend([
        array("samples", storage.widened().bytes, 2 * spec.threads),
        array("splitters", storage.widened().bytes, buckets),
        array("tiles of splitters", 4, buckets),
        array("counts", 4, buckets),
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
    bucket_bits: u32,
    workspace_align: u32,
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
    for sort in std::iter::once(&plan.partition).chain(&plan.buckets) {
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
        bucket_bits: bucket_bits(spec.threads),
        workspace_align: 16,
        split_shared_bytes: plan.storage.split_bytes,
        bucket_shared_bytes: plan.storage.bucket_bytes,
        partition: plan.partition.to_string(),
        bucket_sorts: plan.buckets.iter().map(ToString::to_string).collect(),
    };
    finished(spec, view.render())
}
