//! The view of `templates/device/sample/header.cuh`.

use std::collections::BTreeSet;

use askama::Template;

use super::arguments;
use super::counts::{
    self, buckets_per_thread, few_buckets, max_buckets, max_row_samples, row_bucket_items,
    sample_threads,
};
use super::items::{is_of_rows, sub_buckets_per_thread, value_of};
use super::launch;
use super::layout::BEHIND_BUCKETS;
use super::plan::{SamplePlan, max_sub_bucket, resident_blocks};
use crate::block::radix::view::{self as block_radix, RadixView};
use crate::contract::arguments::ArgumentView;
use crate::contract::device::arguments::{ArgumentUse, CountOf};
use crate::contract::device::family::finished;
use crate::contract::device::spec::{DeviceFields, DeviceSpec};
use crate::contract::render::RenderError;
use crate::text::common::Part;
use crate::text::header::BaseView;
use crate::text::key::{KeyView, title};
use crate::text::value::ValueView;
use crate::types::KeyType;

/// How buckets of at most `rows` items for each thread are sorted.
struct RegisterWindowView {
    rows: u32,
    /// Of a register window.
    items: u32,
    /// Bits of a sub-bucket's number.
    sub_bucket_bits: u32,
    /// How their items get to the order of their sub-buckets, those of the fewest rows first.
    sub_buckets: Vec<SubBucketView>,
}

struct SubBucketView {
    rows: u32,
    per_thread: u32,
}

/// How buckets are sorted that have as many items for each thread, by ascending numbers.
fn register_windows(fields: &DeviceFields, rows: &[u32]) -> Vec<RegisterWindowView> {
    let mut all: Vec<RegisterWindowView> = Vec::new();
    for rows in rows.iter().copied() {
        let per_thread = sub_buckets_per_thread(rows);
        let sub_bucket_bits = (per_thread * fields.threads).next_power_of_two().ilog2();
        let items = if rows <= 6 { 8 } else { 16 };
        let sub_buckets = SubBucketView { rows, per_thread };
        match all.last_mut() {
            Some(last) if (last.items, last.sub_bucket_bits) == (items, sub_bucket_bits) => {
                last.rows = rows;
                last.sub_buckets.push(sub_buckets);
            }
            _ => all.push(RegisterWindowView {
                rows,
                items,
                sub_bucket_bits,
                sub_buckets: vec![sub_buckets],
            }),
        }
    }
    all
}

#[derive(Template)]
#[template(path = "device/sample/header.cuh", escape = "none")]
#[allow(clippy::struct_excessive_bools)] // one flag for each way in which headers differ
struct View {
    base: BaseView,
    key: KeyView,
    value: ValueView,
    arguments: Vec<ArgumentView>,
    of_rows: bool,
    /// Whether the number of items or rows is read from memory.
    counted: bool,
    /// Whether another header has the kernels of samples and buckets.
    leaves_buckets: bool,
    /// Tiles of fewer items: the kernels sort samples and buckets of such sorts too. The smallest come first.
    smaller_tiles: Vec<SmallerTile>,
    /// The items of a tile, where kernels read it.
    tile_items: &'static str,
    /// What positions that are made are positions in.
    positions_of: &'static str,

    max_items: u64,
    threads: u32,
    items: u32,
    few_buckets: u32,
    buckets_per_thread: u32,
    samples: SamplesView,
    /// Of rows: items of a bucket on average.
    bucket_mean: u32,
    /// Of keys that leave a rest of a sector of memory: as many as are in one, nearly.
    sector_items: u32,
    resident_blocks: u32,
    split_shared_bytes: u32,
    bucket_shared_bytes: u32,
    bucket_bits: u32,
    /// What the sorts of buckets by digits have in common.
    radix: RadixView,
    bucket_value: &'static str,
    /// Their items per thread, the fewest first.
    bucket_items: Vec<u32>,
    max_bucket_items: u32,
    /// Whether buckets of the largest block sort and runs of larger buckets are sorted by one copy of it, which is less code and takes a
    /// few percent longer.
    shares_largest: bool,
    /// From which items per thread on they rank and exchange in the same bytes; none do where there is no such number.
    overlapping_items: Option<u32>,
    register_windows: Vec<RegisterWindowView>,
    max_register_window_rows: u32,
    max_sub_buckets: u32,
    max_sub_bucket: u32,
    behind_buckets: u32,
}

/// A tile of a sort that leaves its samples and buckets to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct SmallerTile {
    /// The most items that are sorted by such tiles.
    pub(super) most: u64,
    pub(super) items: u32,
}

/// What a header has of a sort.
#[derive(Clone, Debug)]
pub(super) enum Contents {
    /// All kernels.
    All,
    /// All, and those of samples and buckets are for sorts by these tiles too; the smallest come first.
    AllWith(Vec<SmallerTile>),
    /// But for the kernels of samples and buckets, which another header has.
    Split,
}

impl Contents {
    /// What the header of a sort is called that has these.
    pub(super) fn name_of(&self, spec: &DeviceSpec) -> String {
        match self {
            Self::All => spec.to_string(),
            Self::AllWith(_) => format!("{spec}_shared"),
            Self::Split => format!("{spec}_tiles"),
        }
    }
}

/// What a header of rows says of [`Arguments::row_stride`](crate::contract::device::arguments::Arguments::row_stride).
const ROW_STRIDE: &str = "Items from the start of a row, of n items, to that of the next one, in the arrays that come and in those of the result. In scratch\n\
    rows have no gaps, nor in keys_out where keys are not written.";

/// What the kernels use of their arguments.
fn argument_use(fields: &DeviceFields) -> ArgumentUse {
    let count_of = if is_of_rows(fields) { CountOf::Rows } else { CountOf::Items };
    ArgumentUse {
        has_alternates: true,
        reads_values: fields.value.is_read(),
        takes_bits: true,
        row_stride: is_of_rows(fields).then(|| ROW_STRIDE.to_owned()),
        counted: fields.counted.then_some(count_of),
        ..ArgumentUse::default()
    }
}

/// Two keys at least, and a power of two of them: numbers of keys in a sector differ in the lower bits of their offsets.
fn sector_items(key: KeyType) -> u32 {
    1 << (32 / key.bytes()).max(2).ilog2()
}

/// From which items per thread on sorts of buckets by digits rank and exchange in the same bytes.
fn overlapping_items(plan: &SamplePlan) -> Option<u32> {
    plan.buckets.iter().find(|it| it.overlaps).map(|it| it.items)
}

/// The fragments of `templates/common` that it takes.
fn common_parts(plan: &SamplePlan, counted: bool) -> BTreeSet<Part> {
    let mut common_parts: BTreeSet<Part> = [
        Part::NullType,
        Part::Bits,
        Part::WarpLanes,
        Part::Warp,
        Part::BallotMatch,
        Part::GridOrder,
        Part::OddEvenMerge,
        Part::SubBuckets,
        Part::WarpRange,
        Part::AsyncCopy,
        Part::Opaque,
        Part::ClearWords,
    ]
    .into();
    common_parts.extend(block_radix::common_parts(&plan.largest));
    common_parts.extend(overlapping_items(plan).map(|_| Part::Conditional));
    common_parts.extend(counted.then_some(Part::NumberAt));
    common_parts
}

/// How samples are taken, and the kernel that ranks them.
struct SamplesView {
    per_bucket: u32,
    of_smaller_bucket: u32,
    /// Of rows: the most of them.
    max: u32,
    /// Samples that a block ranks.
    own: u32,
    threads: u32,
    shared_bytes: u32,
}

impl SamplesView {
    fn of(spec: &DeviceSpec, plan: &SamplePlan) -> Self {
        Self {
            per_bucket: if is_of_rows(spec) {
                counts::SAMPLES_PER_ROW_BUCKET
            } else {
                counts::SAMPLES_PER_BUCKET
            },
            of_smaller_bucket: counts::SAMPLES_OF_SMALLER_BUCKET,
            max: max_row_samples(spec),
            own: counts::OWN_SAMPLES,
            threads: sample_threads(spec.threads),
            shared_bytes: plan.storage.sample,
        }
    }
}

/// The header: the sort of a bucket by digits, and the kernels.
pub(super) fn marked_header(spec: &DeviceSpec, contents: Contents) -> Result<String, RenderError> {
    let plan = SamplePlan::of(spec)
        .map_err(|error| RenderError::NoDeviceSort { name: spec.to_string(), error })?;
    let of_rows = is_of_rows(spec);
    let name = contents.name_of(spec);
    let leaves_buckets = matches!(contents, Contents::Split);
    let smaller_tiles = match contents {
        Contents::AllWith(tiles) => tiles,
        Contents::All | Contents::Split => Vec::new(),
    };
    let shares_largest = of_rows || !smaller_tiles.is_empty();
    let max_register_window_rows = plan.register_window_rows.iter().copied().max().unwrap_or(0);
    let view = View {
        base: BaseView::of(
            &name,
            "device_sample_sort",
            title(spec.key, spec.value, spec.order),
            common_parts(&plan, spec.counted),
        )
        .with_key(spec.key),
        key: KeyView::of(spec.key, spec.order, false),
        value: ValueView::of(spec.value),
        arguments: argument_use(spec).view(arguments::views()),
        of_rows,
        counted: spec.counted,
        leaves_buckets,
        tile_items: if smaller_tiles.is_empty() { "kTileItems" } else { "tile_items(arguments.n)" },
        smaller_tiles,
        positions_of: if of_rows { "the row" } else { "the input" },

        max_items: launch::max_items(spec),
        threads: spec.threads,
        items: spec.items,
        few_buckets: few_buckets(spec.threads),
        buckets_per_thread: buckets_per_thread(spec),
        samples: SamplesView::of(spec, &plan),
        bucket_mean: row_bucket_items(spec),
        sector_items: sector_items(spec.key),
        resident_blocks: resident_blocks(spec),
        split_shared_bytes: plan.storage.split,
        bucket_shared_bytes: plan.storage.bucket,
        bucket_bits: max_buckets(spec).ilog2() + 1,
        radix: RadixView::above_base(&plan.largest),
        bucket_value: value_of(spec).cuda(),
        bucket_items: plan.buckets.iter().map(|it| it.items).collect(),
        max_bucket_items: plan.largest.items,
        shares_largest,
        overlapping_items: overlapping_items(&plan),
        register_windows: register_windows(spec, &plan.register_window_rows),
        max_register_window_rows,
        max_sub_buckets: sub_buckets_per_thread(max_register_window_rows) * spec.threads,
        max_sub_bucket: max_sub_bucket(spec.key),
        behind_buckets: BEHIND_BUCKETS,
    };
    finished(spec, view.render())
}
