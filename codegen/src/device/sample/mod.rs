//! Sorts of small n: partitioned into buckets by samples, each bucket sorted by a block.
//!
//! The header's `samples_come_first`, `bucket_count` and `workspace_bytes` are here too, for the host.

use std::collections::BTreeSet;

use askama::Template;

use super::finished;
use super::launch::{Kernel, Launch};
use super::{DeviceSpec, DeviceSpecError, require};
use crate::block::radix;
use crate::block::radix::plan::RadixPlan;
use crate::block::radix::view::{self as block_radix, Nested};
use crate::contract::render::RenderError;
use crate::contract::spec::{Algorithm, Rank, SortSpec, SpecFields};
use crate::layout::{Region, SharedArray};
use crate::text::common::{Part, PartView};
use crate::text::key::{KeyView, title};
use crate::text::{guard, version_namespace};
use crate::types::{Arch, Arrangement, Block, KeyType, LaneMatch, ValueType};

/// Items per thread of the sorts of buckets, as far as every architecture has the shared memory for them.
const BUCKET_ITEMS: [u32; 3] = [2, 4, 8];

/// Of one more such sort where buckets have four items a thread on average: one in a hundred has more than eight, and one in
/// ten million more than sixteen. The first for which two blocks find room is taken.
const LARGE_BUCKET_ITEMS: [u32; 2] = [16, 12];

/// Bits of a digit of theirs. What a bucket's keys have in common leaves 23 to 28 bits of 32: as many passes as of 8, with half
/// as many bins to scan.
const BUCKET_SORT_BITS: u32 = 7;

/// Where each block finds the splitters for itself, so many samples there are for each bucket, at least.
const SAMPLES_OF_FEW_BUCKETS: u32 = 4;

/// Where splitters are found by a launch of its own, so many samples there are for each bucket, and so many for the smaller one of
/// two that follow each other, if there are as many buckets as there may be. H200, 2026-11-23, 2²⁰ `f32` keys with `u32` values in a
/// probe, eight inputs one after the other: 8 of 8 36.2 µs, 7 35.5, 6 34.5, 5 34.6, 4 34.8. Of 16 samples for each bucket 37.4, and
/// 36.9 with 12 for the smaller.
const SAMPLES_PER_BUCKET: u32 = 8;
const SAMPLES_OF_SMALLER_BUCKET: u32 = 6;

/// Samples that one block of that launch ranks, at most: a lane of a warp each.
const OWN_SAMPLES: u32 = 32;

/// Items per thread of the sorts by sub-buckets and windows, which take time for what is not there too.
const WINDOW_ROWS: [u32; 6] = [1, 2, 4, 6, 8, 12];

/// The same of the largest buckets, where the sorts of buckets go that far: the first for which there is room is taken.
const LARGE_WINDOW_ROWS: [u32; 2] = [16, 15];

/// The shared memory of a block that sorts them, at most: what GPUs of compute capability 8.6 and 8.9 have.
const MOST_OF_LARGE_WINDOWS: u32 = 99 * 1024;

/// Items of one sub-bucket of a bucket, at most: of more, digits are sorted sooner. H200, 2026-11-22, 2²⁰ keys that are the AND of three
/// words: `u32` 86 µs with 224 in a sub-bucket and 57 with 64, which take four passes; of two words `u64` 80 with 224 and 183 with 64, which
/// take seven.
fn max_sub_bucket(key: KeyType) -> u32 {
    if key.bytes() <= 4 { 96 } else { 224 }
}

/// Elements behind a row of a histogram for each bucket: the count of what is in no bucket, and what makes it 16 bytes.
const BEHIND_BUCKETS: u32 = 4;

/// What such a sort is made of.
#[derive(Clone, Debug)]
pub(super) struct SamplePlan {
    /// Sort buckets, the smallest ones first.
    buckets: Vec<SortSpec>,
    /// Items per thread of the sorts by sub-buckets and windows.
    window_rows: Vec<u32>,
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
        require(!spec.wide, "wide", "true".to_owned(), "false: small n needs no 64-bit offsets")?;
        let buckets = bucket_sorts(spec);
        let window_rows = window_rows(spec, &buckets);
        if buckets.is_empty() || window_rows.is_empty() {
            let tile = format!("{} threads, {} items", spec.threads, spec.items);
            let legal = "what a block sort of such items has the shared memory for".to_owned();
            return Err(DeviceSpecError { field: "tile", value: tile, legal });
        }
        let storage = Storage {
            sample: sample_storage(spec),
            split: split_storage(spec),
            bucket: bucket_storage(spec, &buckets, &window_rows),
        };
        let most = storage.most();
        require(
            most <= Arch::MAX_SHARED_BYTES,
            "tile",
            format!("{} items, {most} bytes of shared memory", spec.tile_items()),
            &format!("at most {} bytes", Arch::MAX_SHARED_BYTES),
        )?;
        Ok(Self { buckets, window_rows, storage })
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

/// Blocks of the launch of `_samples`, of which each ranks at most as many samples as a warp has lanes.
fn sample_blocks(threads: u32) -> u32 {
    SAMPLES_PER_BUCKET * threads / OWN_SAMPLES
}

/// Threads of each of these blocks, which have little else to hide the time of their reads behind.
fn sample_threads(threads: u32) -> u32 {
    (2 * threads).min(1024)
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
    let samples = Launch {
        kernel: Kernel::Samples,
        blocks: sample_blocks(spec.threads),
        threads: sample_threads(spec.threads),
        shared_bytes: storage.sample,
    };
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

/// What a bucket's keys have with them.
fn value_of(spec: &DeviceSpec) -> ValueType {
    if spec.value == ValueType::Index { ValueType::U32 } else { spec.value }
}

/// The most shared memory that blocks of `_buckets` are to have: what every architecture has, or for larger tiles, of which
/// two blocks are to share a multiprocessor, half of what Hopper has.
fn most_of_bucket(spec: &DeviceSpec) -> u32 {
    let least = Arch::all().map(Arch::max_shared_bytes).min().unwrap_or(0);
    if spec.items >= 8 { Arch::MAX_SHARED_BYTES / 2 } else { least }
}

/// The sorts of buckets, the smallest ones first.
fn bucket_sorts(spec: &DeviceSpec) -> Vec<SortSpec> {
    let of_at_most = |items: u32, most: u32| {
        bucket_sort(spec, items).filter(|sort| bucket_storage(spec, &[*sort], &[]) <= most)
    };
    let least = Arch::all().map(Arch::max_shared_bytes).min().unwrap_or(0);
    let mut sorts: Vec<SortSpec> =
        BUCKET_ITEMS.iter().filter_map(|items| of_at_most(*items, least)).collect();
    if spec.items >= 8 {
        let most = most_of_bucket(spec);
        sorts.extend(LARGE_BUCKET_ITEMS.iter().find_map(|items| of_at_most(*items, most)));
    }
    sorts
}

/// Items per thread of the sorts by sub-buckets and windows, the fewest first.
fn window_rows(spec: &DeviceSpec, sorts: &[SortSpec]) -> Vec<u32> {
    let largest = sorts.iter().map(|sort| sort.items).max().unwrap_or(0);
    let fits = |rows: u32, most| rows <= largest && bucket_storage(spec, sorts, &[rows]) <= most;
    let mut rows: Vec<u32> =
        WINDOW_ROWS.into_iter().filter(|rows| fits(*rows, most_of_bucket(spec))).collect();
    // At most what every architecture has: more gains little.
    let most = most_of_bucket(spec).min(MOST_OF_LARGE_WINDOWS);
    rows.extend(LARGE_WINDOW_ROWS.into_iter().find(|rows| fits(*rows, most)));
    rows
}

fn bucket_sort(spec: &DeviceSpec, items: u32) -> Option<SortSpec> {
    let ordered =
        |fields: SpecFields| radix::plan::validate(SpecFields { order: spec.order, ..fields });
    block_sort(spec.key, value_of(spec), spec.threads, items, BUCKET_SORT_BITS, ordered)
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
    let orders = spec.key.storage().widened().bytes;
    let orders = array("own samples, in order too", orders, 2 * OWN_SAMPLES);
    Region::of(&[orders, array("places, numbers, counts", 4, 3 * OWN_SAMPLES + 4)]).size_of()
}

fn split_storage(spec: &DeviceSpec) -> u32 {
    let storage = spec.key.storage();
    let (tile, warps) = (spec.tile_items(), spec.threads / 32);
    let before = Region::of(&[
        array("samples", storage.widened().bytes, 2 * spec.threads),
        array("bounds", storage.widened().bytes, spec.threads),
        array("sums of warps", 4, warps),
    ]);
    let mut items = vec![array("tags", 4, tile), array("keys", storage.bytes, tile)];
    items.extend(spec.value.is_read().then(|| array("values", spec.value.bytes(), tile)));
    let items = Region::of(&items);
    let histograms = 4 * warps * (spec.threads + BEHIND_BUCKETS);
    let bytes = items.size_of().max(histograms);
    before.then(Region { bytes, align: 16 }).size_of()
}

fn bucket_storage(spec: &DeviceSpec, sorts: &[SortSpec], window_rows: &[u32]) -> u32 {
    let warps = spec.threads / 32;
    let words = 2 * spec.threads + warps + 4;
    let pieces = Region::of(&[array("pieces, sums of warps, four words", 4, words)]);
    let plans = sorts.iter().filter_map(RadixPlan::of);
    let sort_bytes = plans.map(|plan| plan.shared_bytes).max().unwrap_or(0);
    let most = sorts.iter().map(|sort| sort.tile_items()).max().unwrap_or(0);
    let marks = Region::of(&[array("marks", 2, most), array("heads", 2, most / 32)]);
    let rows = window_rows.iter().copied().max();
    let windows = rows.map_or(0, |rows| window_bytes(spec, rows, marks));
    pieces.then(Region { bytes: sort_bytes.max(windows), align: 16 }).size_of()
}

/// The header's `WindowItems`.
fn window_bytes(spec: &DeviceSpec, rows: u32, marks: Region) -> u32 {
    let items = rows * spec.threads;
    let cells = sub_buckets_per_thread(rows) * spec.threads;
    let words = Region::of(&[array("starts, or words", 4, cells + 32)]);
    let keys = Region::of(&[array("keys", spec.key.storage().bytes, items)]);
    // A union is padded to its alignment.
    let bytes = keys.or(marks).bytes.next_multiple_of(16);
    let before = words.then(Region { bytes, align: 16 });
    let has_values = spec.value != ValueType::None;
    let values = has_values.then(|| array("values", value_of(spec).bytes(), items));
    before.then(Region::of(values.as_slice())).size_of()
}

/// Sub-buckets for each thread that so many items for each are sorted by: about two for each item, but for the largest buckets.
fn sub_buckets_per_thread(rows: u32) -> u32 {
    match rows {
        0..=2 => 4,
        3..=8 => 8,
        _ => rows.next_multiple_of(4),
    }
}

/// How buckets of at most so many items for each thread are sorted.
struct WindowView {
    rows: u32,
    sub_buckets_per_thread: u32,
    /// Bits of a sub-bucket's number.
    sub_bucket_bits: u32,
}

impl WindowView {
    fn of(spec: &DeviceSpec, rows: u32) -> Self {
        let sub_buckets_per_thread = sub_buckets_per_thread(rows);
        let cells = sub_buckets_per_thread * spec.threads;
        Self { rows, sub_buckets_per_thread, sub_bucket_bits: cells.next_power_of_two().ilog2() }
    }
}

#[derive(Template)]
#[template(path = "device/sample/header.cuh")]
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
    is_in_place: bool,
    interleaves: bool,
    sorts_by_counting: bool,
    item_bytes: u32,
    counts: bool,
    sorts_msd_buckets: bool,

    max_items: u64,
    threads: u32,
    items: u32,
    few_buckets: u32,
    samples_per_bucket: u32,
    samples_of_smaller_bucket: u32,
    sample_blocks: u32,
    sample_threads: u32,
    resident_blocks: u32,
    workspace_align: u32,
    sample_shared_bytes: u32,
    split_shared_bytes: u32,
    bucket_shared_bytes: u32,
    bucket_bits: u32,
    bucket_sorts: Vec<String>,
    windows: Vec<WindowView>,
    max_window_rows: u32,
    max_sub_buckets: u32,
    max_sub_bucket: u32,
    behind_buckets: u32,
}

/// The header: the block sorts that it is made of, and the kernels.
pub(super) fn header(spec: &DeviceSpec) -> Result<String, RenderError> {
    let plan = SamplePlan::of(spec)
        .map_err(|error| RenderError::NoDeviceSort { name: spec.to_string(), error })?;
    let mut parts: BTreeSet<Part> = [
        Part::NullType,
        Part::Bits,
        Part::Warp,
        Part::BallotMatch,
        Part::GridOrder,
        Part::OddEvenMerge,
        Part::SubBuckets,
        Part::AsyncCopy,
        Part::Opaque,
    ]
    .into();
    let mut sorters = Vec::new();
    let buckets: Vec<Nested> =
        plan.buckets.iter().map(|spec| Nested { spec: *spec, relative: true }).collect();
    for sort in &buckets {
        let (text, its_parts) = block_radix::structure(sort)?;
        sorters.push(text);
        parts.extend(its_parts);
    }
    let max_window_rows = plan.window_rows.iter().copied().max().unwrap_or(0);
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
        is_in_place: false,
        interleaves: false,
        sorts_by_counting: false,
        item_bytes: 0,
        counts: false,
        sorts_msd_buckets: false,

        max_items: spec.max_items(),
        threads: spec.threads,
        items: spec.items,
        few_buckets: few_buckets(spec.threads),
        samples_per_bucket: SAMPLES_PER_BUCKET,
        samples_of_smaller_bucket: SAMPLES_OF_SMALLER_BUCKET,
        sample_blocks: sample_blocks(spec.threads),
        sample_threads: sample_threads(spec.threads),
        resident_blocks: resident_blocks(spec),
        workspace_align: 16,
        sample_shared_bytes: plan.storage.sample,
        split_shared_bytes: plan.storage.split,
        bucket_shared_bytes: plan.storage.bucket,
        bucket_bits: spec.threads.ilog2() + 1,
        bucket_sorts: buckets.iter().map(Nested::name).collect(),
        windows: plan.window_rows.iter().map(|rows| WindowView::of(spec, *rows)).collect(),
        max_window_rows,
        max_sub_buckets: sub_buckets_per_thread(max_window_rows) * spec.threads,
        max_sub_bucket: max_sub_bucket(spec.key),
        behind_buckets: BEHIND_BUCKETS,
    };
    finished(spec, view.render())
}
