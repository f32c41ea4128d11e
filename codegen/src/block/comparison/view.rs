//! The view of `templates/block/comparison/header.cuh`.

use askama::Template;

use crate::block::comparison::merges::{ColumnExchange, Merge};
use crate::block::comparison::plan::{ComparisonPlan, MAX_FIXED_UP, Zeros};
use crate::block::comparison::spec::ZERO_RUN;
use crate::block::view::{TileBits, TileView};
use crate::contract::render::{Options, RenderError};
use crate::contract::spec::SortSpec;
use crate::contract::tile_arguments::TileParametersView;
use crate::primitives::composite_key::CompositeKey;
use crate::primitives::composite_keys_view::{CompositeKeysView, NetworkView};
use crate::primitives::members::{EntryView, entries, enumerator, full_and_partial};
use crate::text::common::Part;
use crate::text::header::BaseView;
use crate::text::key::{KeyView, title};
use crate::text::slots::SlotsView;
use crate::text::value::ValueView;
use crate::types::Block;

#[derive(Template)]
#[template(path = "block/comparison/header.cuh", escape = "none")]
struct View {
    base: BaseView,
    key: KeyView,
    value: ValueView,
    fetched_words: u32,

    tile: TileView,
    parameters: TileParametersView,
    block: Block,
    items: u32,
    tile_items: u32,
    stable: bool,

    composites: CompositeKeysView,
    zeros_are_equal: bool,
    orders_zeros: bool,
    zero_run: u32,
    truncated: Option<TruncatedView>,
    network: NetworkView,
    merging: MergingView,

    input: &'static str,
    output: &'static str,
    entries: Vec<EntryView>,
}

/// What `truncated_composites.cuh` and `truncated_keys.cuh` say.
struct TruncatedView {
    position_bits: u32,
    max_fixed_up: u32,
    warps: u32,
}

/// What the fragments of `templates/block/comparison` say of merges through shared memory.
#[allow(clippy::struct_excessive_bools)] // one flag for each way in which merges differ
pub(crate) struct MergingView {
    /// Whether lanes of a warp exchange items before and behind the merges.
    pub(crate) shuffles: bool,
    pub(crate) merges_by_path: bool,
    pub(crate) merges: Vec<MergeView>,
    /// Whether there are merges by a path, and whether there are merges by columns.
    pub(crate) has_paths: bool,
    pub(crate) has_columns: bool,
    pub(crate) slots: SlotsView,
    pub(crate) reads_two_words: bool,
    pub(crate) swaps_reads: bool,
}

impl MergingView {
    pub(crate) fn of(plan: &ComparisonPlan) -> Self {
        let has_merges = !plan.merges.is_empty();
        Self {
            shuffles: plan.shuffled_lanes > 1,
            merges_by_path: plan.merges_by_path,
            merges: plan.merges.iter().map(MergeView::of).collect(),
            has_paths: plan.has_paths(),
            has_columns: has_merges && !plan.merges_by_path,
            slots: SlotsView::of(plan.padding),
            reads_two_words: plan.composites.is_multiple_of(4),
            swaps_reads: plan.swaps_reads(),
        }
    }
}

/// A merge through shared memory, as the template shows it.
pub(crate) struct MergeView {
    pub(crate) threads: u32,
    pub(crate) lanes: u32,
    /// Threads that share columns: the block, or a warp.
    pub(crate) sharing: &'static str,
    pub(crate) sync: &'static str,
    pub(crate) exchanges: Vec<ColumnExchange>,
    pub(crate) packs_pairs: bool,
}

impl MergeView {
    pub(crate) fn of(merge: &Merge) -> Self {
        let (sharing, sync) = if merge.is_within_warp {
            ("32", "__syncwarp();")
        } else {
            ("kBlockThreads", "__syncthreads();")
        };
        Self {
            threads: merge.threads,
            lanes: merge.lanes,
            sharing,
            sync,
            exchanges: merge.exchanges.clone(),
            packs_pairs: merge.packs_pairs,
        }
    }
}

pub(crate) fn render(spec: &SortSpec, options: Options) -> Result<String, RenderError> {
    let no_template = || RenderError::NoTemplate { spec: *spec, family: spec.algorithm.family() };
    let plan = ComparisonPlan::of(spec).ok_or_else(no_template)?;
    let mut text = view(spec, &plan, options)
        .render()
        .map_err(|source| RenderError::Template { spec: *spec, source })?;
    text.push('\n');
    Ok(text)
}

/// What the header is made of.
fn common_parts(plan: &ComparisonPlan) -> Vec<Part> {
    let slots = SlotsView::of(plan.padding).part();
    let mut common_parts = vec![Part::NullType, Part::Bits, Part::WarpLanes, Part::Limbs, slots];
    if plan.has_paths() {
        common_parts.push(Part::MergePath);
    }
    if plan.compares_truncated_keys() {
        common_parts.extend([Part::Opaque, Part::WarpRange]);
    }
    if plan.zeros == Zeros::ReorderedAfterwards {
        common_parts.push(Part::MarkSlot);
    }
    if plan.composite == CompositeKey::PackedPairs {
        common_parts.push(Part::PackedPairs);
    }
    common_parts
}

fn view(spec: &SortSpec, plan: &ComparisonPlan, options: Options) -> View {
    let base = BaseView::of(
        spec,
        "block_comparison_sort",
        title(spec.key, spec.value, spec.order),
        common_parts(plan),
    )
    .with_key(spec.key)
    .with_kernels(options.tile_kernel, options.rows_kernel)
    .with_counted_rows(options.counted_rows_kernel)
    .of_project(options.of_project);
    let arrangements = (plan.tile_arrangement, plan.tile_arrangement);
    let tile = TileView::of(plan.block, plan.shared_bytes, arrangements, TileBits::All);
    View {
        base,
        key: KeyView::of(spec.key, spec.order, false),
        value: ValueView::of(spec.value),
        fetched_words: plan.fetched_words,

        tile: TileView { resident_blocks: plan.resident_blocks(), ..tile },
        parameters: TileParametersView::of(spec),
        block: plan.block,
        items: plan.items,
        tile_items: spec.tile_items(),
        stable: spec.algorithm.is_stable(),

        composites: CompositeKeysView::of_tile(
            plan.composite,
            plan.marks_negative_zero(),
            plan.values_break_ties,
        ),
        zeros_are_equal: plan.zeros != Zeros::ByBits,
        orders_zeros: plan.zeros == Zeros::ReorderedAfterwards,
        zero_run: ZERO_RUN,
        truncated: plan.compares_truncated_keys().then(|| TruncatedView {
            position_bits: plan.position_bits,
            max_fixed_up: MAX_FIXED_UP,
            warps: plan.warps(),
        }),
        network: NetworkView::of(
            &plan.sorter,
            (!plan.merges_by_path || plan.shuffled_lanes > 1).then_some(&plan.merger),
            plan.composite.registers() > 1,
        ),
        merging: MergingView::of(plan),

        input: enumerator(spec.input),
        output: enumerator(spec.output),
        entries: entries(spec, full_and_partial),
    }
}
