//! The view of `templates/device/radix/header.cuh`.

use askama::Template;

use super::arguments::{OwnUse, RadixArguments};
use super::kernels::{KernelView, kernels};
use super::spec::{BINS, RADIX_BITS, RadixSort};
use super::tie_fix_up::TieConstants;
use super::{counting, grid, msd_buckets, onesweep, tie_fix_up, upper_digits};
use crate::contract::arguments::{self, ArgumentView};
use crate::contract::device::arguments::{ArgumentUse, CountOf};
use crate::contract::device::launch::Device;
use crate::contract::device::spec::DeviceSpec;
use crate::text::common::Part;
use crate::text::header::BaseView;
use crate::text::key::{KeyView, title};
use crate::text::value::ValueView;
use crate::types::Arch;

#[derive(Template)]
#[template(path = "device/radix/header.cuh", escape = "none")]
#[allow(clippy::struct_excessive_bools)] // one flag for each way in which headers differ
struct View {
    base: BaseView,
    key: KeyView,
    value: ValueView,
    arguments: Vec<ArgumentView>,
    kernels: Vec<KernelView>,
    /// Whether the number of items is read from memory.
    counted: bool,
    /// The argument by which the workspace is laid out.
    layout_items: &'static str,

    sorts_by_counting: bool,
    has_key_histogram: bool,
    histogram: counting::HistogramConstants,
    finish_threads: u32,
    sorts_upper_digits: bool,
    min_upper_passes: u32,
    spared_passes: u32,
    fixes_up_ties: bool,
    ties: TieConstants,
    resident_finishing: [u32; 3],
    finds_determined_digits: bool,
    sorts_msd_buckets: bool,
    many_copies: u32,
    sorts_positions: bool,
    maps_values: bool,
    mapped_bucket_items: u32,
    min_upper_digits: u32,
    few_rows: u32,
    msd_bucket_threads: u32,
    rows: u32,
    msd_bucket_shared_bytes: u32,
    resident_msd_buckets: u32,
    max_buckets: u32,
    min_bucket_items: u32,
    max_expected_items: u32,
    max_sub_bucket: u32,
    interleaves: bool,
    item_bytes: u32,

    count: &'static str,
    max_items: u64,
    threads: u32,
    items: u32,
    radix_bits: u32,
    bins: u32,
    shared_bytes: u32,
    control_bytes: u32,
    unused_before_bins: u32,
    unused_at_end: u32,
    count_threads: u32,
    chunks_at_once: u32,
    usual_columns_log2: [u32; 3],
    pads_rows: bool,
    slots: u32,
}

/// How many columns of counters, as logarithms, are usual on data centres' GPUs from Hopper on, on those of Ampere, and on
/// other ones.
fn usual_columns_log2(sort: RadixSort) -> [u32; 3] {
    [Arch::MAX_SHARED_BYTES, 163 * 1024, 99 * 1024].map(|shared_bytes_per_block| {
        sort.count_columns_log2(Device { multiprocessors: 1, shared_bytes_per_block })
    })
}

/// The text of the header.
pub(super) fn render(spec: &DeviceSpec) -> askama::Result<String> {
    view(spec).render()
}

/// The arguments of the kernels.
fn argument_views(sort: RadixSort) -> Vec<ArgumentView> {
    let by_counting = "workspace_bytes(n) or counting_bytes(), aligned to 16; the first zeroed_bytes(n), or all of them, zero.";
    let used = ArgumentUse {
        has_alternates: true,
        reads_values: sort.value.is_read(),
        takes_bits: true,
        workspace: sort.sorts_by_counting().then(|| by_counting.to_owned()),
        counted: sort.counted.then_some(CountOf::Items),
        ..ArgumentUse::default()
    };
    used.view(arguments::members::<RadixArguments, _>(&OwnUse::of(sort)))
}

/// The fragments of `templates/common` that it takes.
fn common_parts(sort: RadixSort) -> Vec<Part> {
    let mut common_parts = vec![
        Part::NullType,
        Part::Bits,
        Part::WarpLanes,
        Part::Warp,
        Part::BallotMatch,
        Part::Poll,
        Part::PackedItems,
        Part::Opaque,
        Part::BulkCopy,
        Part::GridOrder,
    ];
    if sort.fixes_up_ties() {
        common_parts.push(Part::Racing);
    }
    if sort.sorts_msd_buckets() {
        common_parts.extend([
            Part::WarpScans,
            Part::OddEvenMerge,
            Part::SubBuckets,
            Part::AsyncCopy,
        ]);
    }
    common_parts.extend(sort.counted.then_some(Part::NumberAt));
    common_parts.sort_unstable();
    common_parts
}

/// The file around the struct.
fn base(spec: &DeviceSpec, sort: RadixSort) -> BaseView {
    let title = title(spec.key, spec.value, spec.order);
    BaseView::of(spec, "device_radix_sort", title, common_parts(sort)).with_key(spec.key)
}

fn view(spec: &DeviceSpec) -> View {
    let sort = RadixSort::of_fields(spec.fields());
    let [unused_before_bins, unused_at_end] = sort.unused_control_bytes();
    View {
        base: base(spec, sort),
        key: KeyView::of(spec.key, spec.order, spec.nan_last),
        value: ValueView::of(spec.value),
        arguments: argument_views(sort),
        kernels: kernels(spec),
        counted: spec.counted,
        layout_items: if spec.counted { "most_items" } else { "n" },

        sorts_by_counting: sort.sorts_by_counting(),
        has_key_histogram: sort.has_key_histogram(),
        histogram: counting::CONSTANTS,
        sorts_upper_digits: sort.sorts_upper_digits(),
        min_upper_passes: sort.min_upper_passes(),
        spared_passes: upper_digits::SPARED_PASSES,
        fixes_up_ties: sort.fixes_up_ties(),
        ties: tie_fix_up::CONSTANTS,
        resident_finishing: grid::resident_finishing(&sort),
        finds_determined_digits: sort.finds_determined_digits(),
        sorts_msd_buckets: sort.sorts_msd_buckets(),
        many_copies: sort.many_copies(),
        sorts_positions: sort.sorts_positions(),
        maps_values: sort.maps_values(),
        mapped_bucket_items: msd_buckets::MAPPED_BUCKET_ITEMS,
        min_upper_digits: msd_buckets::MIN_UPPER_DIGITS,
        few_rows: msd_buckets::FEW_ROWS,
        msd_bucket_threads: msd_buckets::THREADS,
        rows: msd_buckets::ROWS,
        msd_bucket_shared_bytes: sort.msd_bucket_shared_bytes(),
        resident_msd_buckets: sort.resident_msd_buckets(),
        max_buckets: msd_buckets::MOST,
        min_bucket_items: msd_buckets::LEAST_ITEMS,
        max_expected_items: msd_buckets::MOST_EXPECTED,
        max_sub_bucket: msd_buckets::MAX_SUB_BUCKET,
        interleaves: sort.interleaves(),
        item_bytes: sort.item_bytes(),

        count: sort.count_type().cuda,
        max_items: sort.max_items(),
        threads: spec.threads,
        items: spec.items,
        radix_bits: RADIX_BITS,
        bins: BINS,
        shared_bytes: spec.shared_bytes(),
        control_bytes: sort.control_bytes(),
        unused_before_bins,
        unused_at_end,
        count_threads: onesweep::COUNT_THREADS,
        chunks_at_once: sort.chunks_at_once(),
        finish_threads: sort.finish_threads(),
        usual_columns_log2: usual_columns_log2(sort),
        pads_rows: sort.pads_rows(),
        slots: sort.slots(),
    }
}
