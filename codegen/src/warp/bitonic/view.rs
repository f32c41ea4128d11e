//! The view of `templates/warp/bitonic/header.cuh`.

use askama::Template;

use crate::contract::render::{Options, RenderError};
use crate::contract::spec::{Algorithm, Family, SortSpec};
use crate::contract::tile_arguments::TileParametersView;
use crate::primitives::composite_keys_view::{CompositeKeysView, NetworkView};
use crate::primitives::members::{EntryView, entries, enumerator, full_and_partial};
use crate::text::common::Part;
use crate::text::header::BaseView;
use crate::text::key::{KeyView, title};
use crate::text::value::ValueView;
use crate::warp::bitonic::plan::{TileOutput, WarpPlan};

#[derive(Template)]
#[template(path = "warp/bitonic/header.cuh", escape = "none")]
#[allow(clippy::struct_excessive_bools)] // one flag for each way in which headers differ
struct View {
    base: BaseView,
    key: KeyView,
    value: ValueView,

    lanes: u32,
    items: u32,
    tile_items: u32,
    stable: bool,
    tile_threads: u32,
    parameters: TileParametersView,

    composites: CompositeKeysView,
    orders_zeros: bool,
    tile_values_break_ties: bool,
    item: &'static str,

    exchanges_halves: bool,
    network: NetworkView,
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
    stages_rows: bool,
    row_pitch: u32,
    staged_bytes: u32,

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

/// What the header is made of.
const COMMON_PARTS: [Part; 5] =
    [Part::NullType, Part::Bits, Part::WarpLanes, Part::Opaque, Part::Limbs];

fn view(spec: &SortSpec, plan: &WarpPlan, options: Options) -> View {
    let meeting_lanes = 1 << plan.items.trailing_zeros().min(plan.lanes.ilog2());
    View {
        base: BaseView::of(
            spec,
            "warp_bitonic_sort",
            title(spec.key, spec.value, spec.order),
            COMMON_PARTS,
        )
        .with_key(spec.key)
        .with_kernels(options.tile_kernel, options.rows_kernel)
        .with_counted_rows(options.counted_rows_kernel)
        .of_project(options.of_project),
        key: KeyView::of(spec.key, spec.order, false),
        value: ValueView::of(spec.value),

        lanes: plan.lanes,
        items: plan.items,
        tile_items: spec.tile_items(),
        stable: matches!(spec.algorithm, Algorithm::WarpBitonic { stable: true, .. }),
        tile_threads: plan.tile_threads,
        parameters: TileParametersView::of(spec),

        composites: CompositeKeysView::of_tile(plan.composite, plan.marks_negative_zero, false),
        orders_zeros: plan.orders_zeros,
        tile_values_break_ties: plan.tile_values_break_ties,
        item: if spec.value.is_read() { "Item" } else { "CompositeKey" },

        exchanges_halves: plan.exchanges_halves(),
        network: NetworkView::of(
            &plan.sorter,
            Some(&plan.merger),
            plan.composite.registers() > 1 || spec.value.is_read(),
        ),
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
        stages_rows: plan.staged_rows.is_some(),
        row_pitch: plan.staged_rows.map_or(0, |it| it.pitch),
        staged_bytes: plan.staged_rows.map_or(0, |it| it.bytes),

        input: enumerator(spec.input),
        output: enumerator(spec.output),
        entries: entries(spec, full_and_partial),
    }
}

/// CUDA's type of this number of bytes, which the hardware moves at once.
fn vector_type(bytes: u32) -> &'static str {
    match bytes {
        1 => "unsigned char",
        2 => "unsigned short",
        4 => "unsigned int",
        8 => "uint2",
        _ => "uint4",
    }
}

/// The inverse of an odd number, modulo a power of two.
fn inverse(number: u32, modulus: u32) -> u32 {
    (0..modulus).find(|inverse| inverse * number % modulus == 1).unwrap_or(0)
}
