//! The view of `templates/device/radix/header.cuh`.

use askama::Template;

use super::parts;
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
    fills: bool,
    tallies: bool,
    tally_shared_bytes: u32,
    tally_barrier_keys: u32,
    tally_segments: u32,
    fill_threads: u32,
    sorts_prefixes: bool,
    min_prefix_passes: u32,
    spared_passes: u32,
    mends: bool,
    sorts_parts: bool,
    places_items: bool,
    spreads: bool,
    spread_items: u32,
    least_upper_digits: u32,
    few_rows: u32,
    part_threads: u32,
    places: u32,
    part_shared_bytes: u32,
    resident_parts: u32,
    most_parts: u32,
    least_part: u32,
    most_in_part: u32,
    most_in_cell: u32,
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
    if spec.sorts_prefixes() {
        parts_needed.push(Part::Racing);
    }
    if spec.sorts_parts() {
        parts_needed.extend([Part::WarpScans, Part::OddEvenMerge, Part::AsyncCopy]);
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
        fills: spec.fills(),
        tallies: spec.tallies(),
        tally_shared_bytes: launch::TALLY_SHARED_BYTES,
        tally_barrier_keys: launch::TALLY_BARRIER_KEYS,
        tally_segments: launch::TALLY_SEGMENTS,
        fill_threads: launch::FILL_THREADS,
        sorts_prefixes: spec.sorts_prefixes(),
        min_prefix_passes: spec.min_prefix_passes(),
        spared_passes: launch::SPARED_PASSES,
        mends: spec.mends(),
        sorts_parts: spec.sorts_parts(),
        places_items: spec.places_items(),
        spreads: spec.spreads(),
        spread_items: parts::SPREAD_ITEMS,
        least_upper_digits: parts::LEAST_UPPER_DIGITS,
        few_rows: parts::FEW_ROWS,
        part_threads: parts::THREADS,
        places: parts::PLACES,
        part_shared_bytes: spec.part_shared_bytes(),
        resident_parts: spec.resident_parts(),
        most_parts: parts::MOST,
        least_part: parts::LEAST_ITEMS,
        most_in_part: parts::MOST_EXPECTED,
        most_in_cell: parts::MOST_IN_CELL,
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
