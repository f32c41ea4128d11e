//! The view of `templates/binned_argsort/header.cuh`.

use askama::Template;

use super::parameters::{ChunksArguments, CountArguments, RankArguments, RowsArguments};
use super::spec::BinnedSpec;
use crate::contract::arguments::ParametersView;
use crate::contract::render::RenderError;
use crate::text::common::Part;
use crate::text::header::BaseView;

#[derive(Template)]
#[template(path = "binned_argsort/header.cuh", escape = "none")]
struct View {
    base: BaseView,
    key: &'static str,
    /// The unsigned type in registers that keys are compared as.
    register_bits: &'static str,
    threads: u32,
    items: u32,
    bits: u32,
    max_bins: u32,
    chunk_counts: u32,
    shared_bytes: u32,
    rows: ParametersView,
    count: ParametersView,
    rank: ParametersView,
    chunks: ParametersView,
}

/// The header with the template's markers.
pub fn marked_header(spec: &BinnedSpec) -> Result<String, RenderError> {
    let title = format!("Sorts the positions of {} keys that are the numbers of bins", spec.key);
    let common_parts =
        [Part::WarpLanes, Part::Warp, Part::BallotMatch, Part::Poll, Part::GridOrder];
    let view = View {
        base: BaseView::of(spec, "binned_argsort", title, common_parts),
        key: spec.key.info().cuda,
        register_bits: spec.key.storage().widened().cuda,
        threads: spec.threads,
        items: spec.items,
        bits: spec.bits,
        max_bins: spec.max_bins(),
        chunk_counts: spec.chunk_counts(),
        shared_bytes: spec.shared_bytes(),
        rows: ParametersView::of::<RowsArguments, _>(spec),
        count: ParametersView::of::<CountArguments, _>(spec),
        rank: ParametersView::of::<RankArguments, _>(spec),
        chunks: ParametersView::of::<ChunksArguments, _>(spec),
    };
    let mut text =
        view.render().map_err(|source| RenderError::Device { name: spec.to_string(), source })?;
    text.push('\n');
    Ok(text)
}
