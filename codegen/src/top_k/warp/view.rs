//! The view of `templates/top_k/warp/header.cuh`.

use askama::Template;

use super::super::value::FoundView;
use super::parameters::RowsArguments;
use super::spec::WarpTopKSpec;
use crate::contract::arguments::ParametersView;
use crate::contract::render::RenderError;
use crate::text::common::Part;
use crate::text::header::BaseView;
use crate::text::key::KeyView;
use crate::types::Order;

#[derive(Template)]
#[template(path = "top_k/warp/header.cuh", escape = "none")]
struct View {
    base: BaseView,
    key: KeyView,
    found: FoundView,
    threads: u32,
    items: u32,
    max_columns: u32,
    max_k: u32,
    shared_bytes: u32,
    row_lanes: u32,
    run_items: u32,
    keeps_all: bool,
    is_of_one_limb: bool,
    blocks: u32,
    blocks_of_old: u32,
    slots_per_thread: u32,
    slot_bits: u32,
    vector_items: u32,
    vector_bytes: u32,
    rows_parameters: ParametersView,
    item_align: u32,
}

/// The header with the template's markers.
pub fn marked_header(spec: &WarpTopKSpec) -> Result<String, RenderError> {
    let which = match spec.order {
        Order::Ascending => "smallest",
        Order::Descending => "largest",
    };
    let title = format!("Finds the {which} {} keys{}", spec.key, spec.value.in_title());
    let of_few_lanes = [Part::OddEvenMerge, Part::Limbs];
    let of_survivors = [Part::Warp, Part::Limbs, Part::WarpSum, Part::PackedItems];
    let more: &[Part] = if spec.is_of_few_lanes() { &of_few_lanes } else { &of_survivors };
    let common = [Part::Bits, Part::WarpLanes].into_iter().chain(more.iter().copied());
    let view = View {
        base: BaseView::of(spec, "warp_top_k", title, common).with_key(spec.key),
        key: KeyView::of(spec.key, spec.order, spec.nan_last),
        found: spec.value.into(),
        threads: spec.threads(),
        items: spec.lane_items(),
        max_columns: spec.max_columns(),
        max_k: spec.max_k,
        shared_bytes: spec.shared_bytes(),
        row_lanes: spec.row_lanes(),
        run_items: spec.run_items(),
        keeps_all: spec.max_k == spec.max_columns(),
        is_of_one_limb: spec.key.bytes() <= 4,
        blocks: spec.resident_blocks(),
        blocks_of_old: spec.resident_blocks_of_old(),
        slots_per_thread: spec.slots_per_thread(),
        slot_bits: (32 * spec.slots_per_thread()).ilog2(),
        vector_items: spec.vector_items(),
        vector_bytes: spec.vector_items() * spec.key.bytes(),
        rows_parameters: ParametersView::of_fields(RowsArguments::taken(spec.value), spec),
        item_align: spec.item_bytes().min(16),
    };
    let mut text =
        view.render().map_err(|source| RenderError::Device { name: spec.to_string(), source })?;
    text.push('\n');
    Ok(text)
}
