//! The view of `templates/device/radix/header.cuh`.

use askama::Template;

use super::msd_buckets;
use crate::contract::render::RenderError;
use crate::device::{
    BINS, Device, DeviceAlgorithm, DeviceSpec, RADIX_BITS, bitonic, launch, sample,
};
use crate::text::common::{Part, PartView};
use crate::text::key::{KeyView, title};
use crate::text::{guard, markers, version_namespace};
use crate::types::{Arch, ValueType};

#[derive(Template)]
#[template(path = "device/radix/header.cuh")]
#[allow(clippy::struct_excessive_bools)] // one flag for each way in which headers differ
struct View {
    name: String,
    title: String,
    version: &'static str,
    version_namespace: String,
    struct_guard: String,
    parts: Vec<PartView>,

    key: KeyView,
    value: &'static str,
    sorts_by_counting: bool,
    has_key_histogram: bool,
    histogram_shared_bytes: u32,
    histogram_barrier_keys: u32,
    histogram_segments: u32,
    expand_threads: u32,
    sorts_upper_digits: bool,
    min_upper_passes: u32,
    spared_passes: u32,
    fixes_up_ties: bool,
    sorts_msd_buckets: bool,
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
    is_in_place: bool,
    interleaves: bool,
    item_bytes: u32,
    has_values: bool,
    reads_values: bool,
    makes_positions: bool,

    counts: bool,
    count: &'static str,
    counts_widely: bool,
    max_items: u64,
    threads: u32,
    items: u32,
    resident_blocks: u32,
    radix_bits: u32,
    bins: u32,
    shared_bytes: u32,
    control_bytes: u32,
    workspace_align: u32,
    count_threads: u32,
    usual_columns_log2: [u32; 3],
    array_gap: u32,
    item_gap: u32,
}

/// How many columns of counters, as logarithms, are usual on data centres' GPUs from Hopper on, on those of Ampere, and on
/// other ones.
fn usual_columns_log2(spec: &DeviceSpec) -> [u32; 3] {
    [Arch::MAX_SHARED_BYTES, 163 * 1024, 99 * 1024].map(|shared_bytes_per_block| {
        spec.count_columns_log2(Device { multiprocessors: 1, shared_bytes_per_block })
    })
}

/// The header of a device-wide sort: self-contained CUDA with all of its kernels.
pub fn header(spec: &DeviceSpec) -> Result<String, RenderError> {
    marked_header(spec).map(|text| markers::strip(&text))
}

/// The header with the templates' [`markers`].
#[doc(hidden)]
pub fn marked_header(spec: &DeviceSpec) -> Result<String, RenderError> {
    let text = match spec.algorithm {
        DeviceAlgorithm::Radix => view(spec).render(),
        DeviceAlgorithm::Sample => return sample::header(spec),
        DeviceAlgorithm::Bitonic { .. } => return bitonic::header(spec),
    };
    finished(spec, text)
}

/// The engine's text, with the last newline that it leaves out.
pub(crate) fn finished(
    spec: &DeviceSpec,
    text: askama::Result<String>,
) -> Result<String, RenderError> {
    text.map(|text| text + "\n")
        .map_err(|source| RenderError::Device { name: spec.to_string(), source })
}

fn view(spec: &DeviceSpec) -> View {
    let mut parts_needed = vec![
        Part::NullType,
        Part::Bits,
        Part::Warp,
        Part::BallotMatch,
        Part::Poll,
        Part::PackedItems,
        Part::Opaque,
        Part::BulkCopy,
        Part::GridOrder,
    ];
    if spec.sorts_upper_digits() {
        parts_needed.push(Part::Racing);
    }
    if spec.sorts_msd_buckets() {
        parts_needed.extend([
            Part::WarpScans,
            Part::OddEvenMerge,
            Part::SubBuckets,
            Part::AsyncCopy,
        ]);
    }
    parts_needed.sort_unstable();
    View {
        name: spec.to_string(),
        title: title(spec.key, spec.value, spec.order),
        version: env!("CARGO_PKG_VERSION"),
        version_namespace: version_namespace(),
        struct_guard: guard(&spec.to_string()),
        parts: parts_needed.into_iter().map(PartView::of).collect(),

        key: KeyView::of(spec.key, spec.order, spec.nan_last),
        value: spec.value.cuda(),
        sorts_by_counting: spec.sorts_by_counting(),
        has_key_histogram: spec.has_key_histogram(),
        histogram_shared_bytes: launch::HISTOGRAM_SHARED_BYTES,
        histogram_barrier_keys: launch::HISTOGRAM_BARRIER_KEYS,
        histogram_segments: launch::HISTOGRAM_SEGMENTS,
        expand_threads: launch::EXPAND_THREADS,
        sorts_upper_digits: spec.sorts_upper_digits(),
        min_upper_passes: spec.min_upper_passes(),
        spared_passes: launch::SPARED_PASSES,
        fixes_up_ties: spec.fixes_up_ties(),
        sorts_msd_buckets: spec.sorts_msd_buckets(),
        sorts_positions: spec.sorts_positions(),
        maps_values: spec.maps_values(),
        mapped_bucket_items: msd_buckets::MAPPED_BUCKET_ITEMS,
        min_upper_digits: msd_buckets::MIN_UPPER_DIGITS,
        few_rows: msd_buckets::FEW_ROWS,
        msd_bucket_threads: msd_buckets::THREADS,
        rows: msd_buckets::ROWS,
        msd_bucket_shared_bytes: spec.msd_bucket_shared_bytes(),
        resident_msd_buckets: spec.resident_msd_buckets(),
        max_buckets: msd_buckets::MOST,
        min_bucket_items: msd_buckets::LEAST_ITEMS,
        max_expected_items: msd_buckets::MOST_EXPECTED,
        max_sub_bucket: msd_buckets::MAX_SUB_BUCKET,
        is_in_place: false,
        interleaves: spec.interleaves(),
        item_bytes: spec.item_bytes(),
        has_values: spec.value != ValueType::None,
        reads_values: spec.value.is_read(),
        makes_positions: spec.value == ValueType::Index,

        counts: true,
        count: spec.count_type().cuda,
        counts_widely: spec.wide,
        max_items: spec.max_items(),
        threads: spec.threads,
        items: spec.items,
        resident_blocks: spec.resident_blocks(),
        radix_bits: RADIX_BITS,
        bins: BINS,
        shared_bytes: spec.shared_bytes(),
        control_bytes: spec.control_bytes(),
        workspace_align: 16,
        count_threads: launch::COUNT_THREADS,
        usual_columns_log2: usual_columns_log2(spec),
        array_gap: spec.array_gap(),
        item_gap: spec.item_gap(),
    }
}
