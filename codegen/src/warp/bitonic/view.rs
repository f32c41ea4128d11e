//! The view of `templates/warp/bitonic/header.cuh`.

use askama::Template;

use crate::contract::render::{Options, RenderError};
use crate::contract::spec::{Algorithm, Family, SortSpec};
use crate::primitives::members::{EntryView, entries, enumerator, whole_and_partial};
use crate::primitives::words_view::{WordsView, lines};
use crate::text::common::{Part, PartView};
use crate::text::key::{KeyView, title};
use crate::text::{guard, version_namespace};
use crate::types::ValueType;
use crate::warp::bitonic::plan::{TileOutput, WarpPlan};

#[derive(Template)]
#[template(path = "warp/bitonic/header.cuh")]
#[allow(clippy::struct_excessive_bools)] // one flag for each way in which headers differ
struct View {
    name: String,
    title: String,
    version: &'static str,
    version_namespace: String,
    struct_guard: String,
    parts: Vec<PartView>,
    tile_kernel: bool,

    key: KeyView,
    value: &'static str,
    value_bytes: u32,
    values_out: &'static str,
    has_values: bool,
    reads_values: bool,
    makes_positions: bool,

    lanes: u32,
    items: u32,
    tile_items: u32,
    stable: bool,
    tile_threads: u32,

    words: WordsView,
    has_tie_break: bool,
    joins: bool,
    is_one_register: bool,
    tie_break_bits: u32,
    marks_negative_zero: bool,
    tile_values_break_ties: bool,
    values_break_ties: bool,
    item: &'static str,

    exchanges_halves: bool,
    sorter: Vec<String>,
    sorter_comparators: usize,
    has_merger: bool,
    merger: Vec<String>,
    merger_comparators: usize,
    meeting_lanes: u32,
    inverse: u32,

    read_items: u32,
    written_items: u32,
    read_keys: &'static str,
    read_values: &'static str,
    written_keys: &'static str,
    written_values: &'static str,
    is_paired: bool,
    is_striped: bool,

    input: &'static str,
    output: &'static str,
    entries: Vec<EntryView>,
}

pub(crate) fn render(spec: &SortSpec, options: Options) -> Result<String, RenderError> {
    let no_template = || RenderError::NoTemplate { spec: *spec, family: Family::WarpBitonic };
    let plan = WarpPlan::of(spec).ok_or_else(no_template)?;
    let mut text = view(spec, &plan, options)
        .render()
        .map_err(|source| RenderError::Template { spec: *spec, source })?;
    text.push('\n');
    Ok(text)
}

fn view(spec: &SortSpec, plan: &WarpPlan, options: Options) -> View {
    let meeting_lanes = 1 << plan.items.trailing_zeros().min(plan.lanes.ilog2());
    View {
        name: spec.to_string(),
        title: title(spec.key, spec.value, spec.order),
        version: env!("CARGO_PKG_VERSION"),
        version_namespace: version_namespace(),
        struct_guard: guard(&spec.to_string()),
        parts: [Part::NullType, Part::Bits, Part::Opaque, Part::Lane, Part::Parts]
            .map(PartView::of)
            .into(),
        tile_kernel: options.tile_kernel,

        key: KeyView::of(spec.key, spec.order, false),
        value: spec.value.cuda(),
        value_bytes: spec.value.bytes(),
        values_out: if spec.value == ValueType::Index { "positions_out" } else { "values_out" },
        has_values: spec.value != ValueType::None,
        reads_values: spec.value.is_read(),
        makes_positions: spec.value == ValueType::Index,

        lanes: plan.lanes,
        items: plan.items,
        tile_items: spec.tile_items(),
        stable: matches!(spec.algorithm, Algorithm::WarpBitonic { stable: true, .. }),
        tile_threads: plan.tile_threads,

        words: WordsView::of_tile(),
        has_tie_break: plan.word.has_tie_break(),
        joins: plan.word.joined_tie_break_bits() > 0,
        is_one_register: plan.word.registers() == 1,
        tie_break_bits: plan.word.joined_tie_break_bits(),
        marks_negative_zero: plan.marks_negative_zero,
        tile_values_break_ties: plan.tile_values_break_ties,
        values_break_ties: false,
        item: if spec.value.is_read() { "Item" } else { "Word" },

        exchanges_halves: plan.exchanges_halves(),
        sorter: lines(&plan.sorter),
        sorter_comparators: plan.sorter.len(),
        has_merger: true,
        merger: lines(&plan.merger),
        merger_comparators: plan.merger.len(),
        meeting_lanes,
        inverse: inverse(plan.items / meeting_lanes, plan.lanes / meeting_lanes),

        read_items: plan.read_items,
        written_items: plan.written_items(),
        read_keys: vector_type(plan.read_items * spec.key.bytes()),
        read_values: vector_type(plan.read_items * spec.value.bytes()),
        written_keys: vector_type(plan.written_items() * spec.key.bytes()),
        written_values: vector_type(plan.written_items() * spec.value.bytes()),
        is_paired: plan.tile_output == TileOutput::Paired,
        is_striped: plan.tile_output == TileOutput::Striped,

        input: enumerator(spec.input),
        output: enumerator(spec.output),
        entries: entries(spec, whole_and_partial),
    }
}

/// A type of CUDA's of so many bytes, which the hardware moves at once.
fn vector_type(bytes: u32) -> &'static str {
    match bytes {
        1 => "unsigned char",
        2 => "unsigned short",
        4 => "unsigned int",
        8 => "uint2",
        _ => "uint4",
    }
}

/// The number whose product with an odd number is 1, modulo a power of two.
fn inverse(number: u32, modulus: u32) -> u32 {
    (0..modulus).find(|inverse| inverse * number % modulus == 1).unwrap_or(0)
}
