//! The view of `templates/top_k/header.cuh`.

use askama::Template;

use super::parameters::{
    CandidatesArguments, FilteredArguments, FoundArguments, ListedArguments, RankedArguments,
    RowsArguments, SamplesArguments, SurvivorsArguments,
};
use super::spec::TopKSpec;
use super::value::FoundView;
use crate::contract::arguments::ParametersView;
use crate::contract::render::RenderError;
use crate::text::common::Part;
use crate::text::header::BaseView;
use crate::text::key::KeyView;
use crate::types::Order;

#[derive(Template)]
#[template(path = "top_k/header.cuh", escape = "none")]
struct View {
    base: BaseView,
    key: KeyView,
    found: FoundView,
    threads: u32,
    items: u32,
    max_k: u32,
    shared_bytes: u32,
    vector_items: u32,
    vector_bytes: u32,
    rows_parameters: ParametersView,
    candidates_parameters: ParametersView,
    survivors_parameters: ParametersView,
    ranked_parameters: ParametersView,
    samples_parameters: ParametersView,
    filtered_parameters: ParametersView,
    listed_parameters: ParametersView,
    found_parameters: ParametersView,
    blocks: u32,
    blocks_of_old: u32,
    filtering_blocks: u32,
}

/// The header with the template's markers.
pub fn marked_header(spec: &TopKSpec) -> Result<String, RenderError> {
    let which = match spec.order {
        Order::Ascending => "smallest",
        Order::Descending => "largest",
    };
    let title = format!("Finds the {which} {} keys{}", spec.key, spec.value.in_title());
    let common_parts =
        [Part::Bits, Part::WarpLanes, Part::Warp, Part::GridOrder, Part::Limbs, Part::PackedItems];
    let view = View {
        base: BaseView::of(spec, "block_top_k", title, common_parts).with_key(spec.key),
        key: KeyView::of(spec.key, spec.order, spec.nan_last),
        found: spec.value.into(),
        threads: spec.threads,
        items: spec.items,
        max_k: spec.max_k(),
        shared_bytes: spec.shared_bytes(),
        vector_items: spec.vector_items(),
        vector_bytes: spec.vector_items() * spec.key.bytes(),
        rows_parameters: ParametersView::of_fields(RowsArguments::taken(spec.value), spec),
        candidates_parameters: ParametersView::of_fields(
            CandidatesArguments::taken(spec.value),
            spec,
        ),
        survivors_parameters: ParametersView::of::<SurvivorsArguments, _>(spec),
        ranked_parameters: ParametersView::of_fields(RankedArguments::taken(spec.value), spec),
        samples_parameters: ParametersView::of::<SamplesArguments, _>(spec),
        filtered_parameters: ParametersView::of::<FilteredArguments, _>(spec),
        listed_parameters: ParametersView::of_fields(ListedArguments::taken(spec.value), spec),
        found_parameters: ParametersView::of_fields(FoundArguments::taken(spec.value), spec),
        blocks: spec.bound_blocks(),
        blocks_of_old: spec.bound_blocks_of_old(),
        filtering_blocks: spec.filtering_blocks(),
    };
    let mut text =
        view.render().map_err(|source| RenderError::Device { name: spec.to_string(), source })?;
    text.push('\n');
    Ok(text)
}
