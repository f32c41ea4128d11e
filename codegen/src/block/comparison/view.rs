//! The view of `templates/block/comparison/header.cuh`.

use askama::Template;

use crate::block::comparison::plan::{ComparisonPlan, MAX_FIXED_UP, Merge, Turn};
use crate::contract::render::{Options, RenderError};
use crate::contract::spec::SortSpec;
use crate::layout::STATIC_SHARED_BYTES;
use crate::primitives::members::{EntryView, entries, enumerator, whole_and_partial};
use crate::primitives::word::Word;
use crate::primitives::words_view::{WordsView, lines};
use crate::text::common::{Part, PartView};
use crate::text::key::{KeyView, title};
use crate::text::{guard, version_namespace};
use crate::types::{Block, ValueType};

#[derive(Template)]
#[template(path = "block/comparison/header.cuh")]
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
    fetches_values: bool,
    fetched_words: u32,

    block: Block,
    threads: u32,
    resident_blocks: Option<u32>,
    items: u32,
    tile_items: u32,
    stable: bool,

    words: WordsView,
    has_tie_break: bool,
    joins: bool,
    is_one_register: bool,
    tie_break_bits: u32,
    marks_negative_zero: bool,
    zeros_are_equal: bool,
    values_break_ties: bool,
    compares_truncated_keys: bool,
    position_bits: u32,
    max_fixed_up: u32,
    warps: u32,

    sorter: Vec<String>,
    sorter_comparators: usize,
    has_merger: bool,
    merger: Vec<String>,
    merger_comparators: usize,
    shuffles: bool,
    merges_by_path: bool,
    has_merges: bool,
    merges: Vec<MergeView>,

    shared_bytes: u32,
    needs_dynamic: bool,
    slots: u32,
    reads_two_words: bool,
    swaps_reads: bool,
    period: u32,
    gap: u32,

    input: &'static str,
    output: &'static str,
    tile_arrangement: &'static str,
    takes_bits: bool,
    is_static: bool,
    entries: Vec<EntryView>,
}

/// A merge through shared memory, as the template shows it.
pub(crate) struct MergeView {
    pub(crate) threads: u32,
    pub(crate) lanes: u32,
    /// Threads that share columns: the block, or a warp.
    pub(crate) sharing: &'static str,
    pub(crate) sync: &'static str,
    pub(crate) turns: Vec<Turn>,
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
            turns: merge.turns.clone(),
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
fn parts(plan: &ComparisonPlan) -> Vec<Part> {
    let mut parts = vec![Part::NullType, Part::Bits, Part::Parts];
    if plan.compares_truncated_keys() {
        parts.extend([Part::Opaque, Part::WarpRange]);
    }
    if plan.word == Word::PackedPairs {
        parts.push(Part::PackedPairs);
    }
    parts
}

#[allow(clippy::too_many_lines)] // one line for each field of the template
fn view(spec: &SortSpec, plan: &ComparisonPlan, options: Options) -> View {
    View {
        name: spec.to_string(),
        title: title(spec.key, spec.value, spec.order),
        version: env!("CARGO_PKG_VERSION"),
        version_namespace: version_namespace(),
        struct_guard: guard(&spec.to_string()),
        parts: parts(plan).into_iter().map(PartView::of).collect(),
        tile_kernel: options.tile_kernel,

        key: KeyView::of(spec.key, spec.order, false),
        value: spec.value.cuda(),
        value_bytes: spec.value.bytes(),
        values_out: if spec.value == ValueType::Index { "positions_out" } else { "values_out" },
        has_values: spec.value != ValueType::None,
        reads_values: spec.value.is_read(),
        makes_positions: spec.value == ValueType::Index,
        fetches_values: plan.fetched_words > 0,
        fetched_words: plan.fetched_words,

        block: plan.block,
        threads: plan.block.threads(),
        resident_blocks: plan.resident_blocks(),
        items: plan.items,
        tile_items: spec.tile_items(),
        stable: spec.algorithm.is_stable(),

        words: if plan.word == Word::PackedPairs {
            WordsView::of_packed_pairs()
        } else {
            WordsView::of_tile()
        },
        has_tie_break: plan.word.has_tie_break(),
        joins: plan.word.joined_tie_break_bits() > 0,
        is_one_register: plan.word.registers() == 1,
        tie_break_bits: plan.word.joined_tie_break_bits(),
        marks_negative_zero: plan.marks_negative_zero(),
        zeros_are_equal: plan.zeros_are_equal,
        values_break_ties: plan.values_break_ties,
        compares_truncated_keys: plan.compares_truncated_keys(),
        position_bits: plan.position_bits,
        max_fixed_up: MAX_FIXED_UP,
        warps: plan.warps(),

        sorter: lines(&plan.sorter),
        sorter_comparators: plan.sorter.len(),
        has_merger: !plan.merges_by_path || plan.shuffled_lanes > 1,
        merger: lines(&plan.merger),
        merger_comparators: plan.merger.len(),
        shuffles: plan.shuffled_lanes > 1,
        merges_by_path: plan.merges_by_path,
        has_merges: !plan.merges.is_empty(),
        merges: plan.merges.iter().map(MergeView::of).collect(),

        shared_bytes: plan.shared_bytes,
        needs_dynamic: plan.shared_bytes > STATIC_SHARED_BYTES,
        slots: plan.slots(),
        reads_two_words: plan.words.is_multiple_of(4),
        swaps_reads: plan.swaps_reads(),
        period: plan.padding.period,
        gap: plan.padding.gap,

        input: enumerator(spec.input),
        output: enumerator(spec.output),
        tile_arrangement: enumerator(plan.tile_arrangement),
        takes_bits: false,
        is_static: false,
        entries: entries(spec, whole_and_partial),
    }
}
