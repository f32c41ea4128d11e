//! The view of `templates/block/odd_even/header.cuh`.

use askama::Template;

use crate::block::odd_even::plan::OddEvenPlan;
use crate::block::view::{TileBits, TileView};
use crate::contract::render::{Options, RenderError};
use crate::contract::spec::SortSpec;
use crate::contract::tile_arguments::TileParametersView;
use crate::primitives::members::{EntryView, entries, enumerator, full_and_partial};
use crate::text::common::Part;
use crate::text::header::BaseView;
use crate::text::key::{KeyView, title};
use crate::text::value::ValueView;
use crate::types::{Arrangement, Block};

#[derive(Template)]
#[template(path = "block/odd_even/header.cuh", escape = "none")]
struct View {
    base: BaseView,
    key: KeyView,
    value: ValueView,

    tile: TileView,
    parameters: TileParametersView,
    block: Block,
    items: u32,
    tile_items: u32,
    rounds: u32,
    zeros_are_equal: bool,

    input: &'static str,
    output: &'static str,
    entries: Vec<EntryView>,
}

pub(crate) fn render(spec: &SortSpec, options: Options) -> Result<String, RenderError> {
    let no_template = || RenderError::NoTemplate { spec: *spec, family: spec.algorithm.family() };
    let plan = OddEvenPlan::of(spec).ok_or_else(no_template)?;
    let mut text = view(spec, &plan, options)
        .render()
        .map_err(|source| RenderError::Template { spec: *spec, source })?;
    text.push('\n');
    Ok(text)
}

fn view(spec: &SortSpec, plan: &OddEvenPlan, options: Options) -> View {
    let title = title(spec.key, spec.value, spec.order);
    let common_parts = [Part::NullType, Part::Bits, Part::WarpLanes];
    let block = spec.algorithm.block();
    // Neighbouring threads read and write neighbouring items of the array.
    let arrangements = (Arrangement::Striped, Arrangement::Striped);
    View {
        base: BaseView::of(spec, "block_odd_even_sort", title, common_parts)
            .with_key(spec.key)
            .with_kernels(options.tile_kernel, options.rows_kernel)
            .with_counted_rows(options.counted_rows_kernel)
            .of_project(options.of_project),
        key: KeyView::of(spec.key, spec.order, false),
        value: ValueView::of(spec.value),

        tile: TileView::of(block, plan.shared_bytes, arrangements, TileBits::All),
        parameters: TileParametersView::of(spec),
        block,
        items: spec.items,
        tile_items: spec.tile_items(),
        rounds: plan.rounds,
        zeros_are_equal: true,

        input: enumerator(spec.input),
        output: enumerator(spec.output),
        entries: entries(spec, full_and_partial),
    }
}
