//! The view of `templates/block/radix/header.cuh`.

use askama::Template;

use crate::block::radix::plan::{BinScan, Carry, RadixPlan, RankPlan};
use crate::contract::render::{Options, RenderError};
use crate::contract::spec::{Family, SortSpec};
use crate::layout::STATIC_SHARED_BYTES;
use crate::primitives::members::{CallView, EntryView, entries, enumerator};
use crate::text::common::{Part, PartView};
use crate::text::key::{KeyView, title};
use crate::text::{guard, version_namespace};
use crate::types::{Block, InnerScan, LaneMatch, ValueType};

#[derive(Template)]
#[template(path = "block/radix/header.cuh", blocks = ["structure"])]
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
    value_words: u32,
    values_out: &'static str,
    has_values: bool,
    reads_values: bool,
    makes_positions: bool,
    fetches_values: bool,
    carries: bool,
    carries_positions: bool,
    carried: &'static str,
    carried_register: &'static str,
    carry_words: &'static str,

    block: Block,
    threads: u32,
    resident_blocks: Option<u32>,
    items: u32,
    tile_items: u32,
    has_whole_warps: bool,
    radix_bits: u32,
    passes: u32,
    range_words: String,
    is_static: bool,
    begin_bit: u32,
    end_bit: u32,

    is_match: bool,
    uses_masks: bool,
    counts_keys: bool,
    memoize: bool,
    counter_lanes: u32,
    counter_segment: u32,
    bins_per_thread: u32,
    scan_groups: u32,
    histogram_words: u32,
    block_scan: String,

    overlaps: bool,
    shared_bytes: u32,
    needs_dynamic: bool,
    key_slots: u32,
    carried_slots: u32,
    word_slots: u32,
    key_gap: u32,
    key_period: u32,
    carried_gap: u32,
    carried_period: u32,
    word_gap: u32,
    word_period: u32,

    input: &'static str,
    output: &'static str,
    ranked: &'static str,
    tile_input: &'static str,
    takes_bits: bool,
    entries: Vec<EntryView>,
}

pub(crate) fn render(spec: &SortSpec, options: Options) -> Result<String, RenderError> {
    let no_template = || RenderError::NoTemplate { spec: *spec, family: Family::BlockRadix };
    let plan = RadixPlan::of(spec).ok_or_else(no_template)?;
    let mut text = view(spec, &plan, options)
        .render()
        .map_err(|source| RenderError::Template { spec: *spec, source })?;
    text.push('\n');
    Ok(text)
}

/// A structure that stands in the header of a sort made of block sorts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Nested {
    pub(crate) spec: SortSpec,
    /// Whether it sorts by the difference to a base.
    pub(crate) relative: bool,
}

impl Nested {
    /// What the structure is called. One that sorts otherwise than the spec says has a name of its own, for a file may
    /// include both.
    pub(crate) fn name(&self) -> String {
        format!("{}{}", self.spec, if self.relative { "_relative" } else { "" })
    }
}

/// The structure alone, and the parts that must come before it.
pub(crate) fn structure(nested: &Nested) -> Result<(String, Vec<Part>), RenderError> {
    let spec = &nested.spec;
    let no_template = || RenderError::NoTemplate { spec: *spec, family: Family::BlockRadix };
    let plan = RadixPlan::of(spec).ok_or_else(no_template)?;
    let mut view = view(spec, &plan, Options::default());
    if nested.relative {
        view.key = view.key.relative();
        view.struct_guard = guard(&nested.name());
        view.name = nested.name();
    }
    let text = view
        .as_structure()
        .render()
        .map_err(|source| RenderError::Template { spec: *spec, source })?;
    Ok((text, parts(&plan)))
}

#[allow(clippy::too_many_lines)] // one line for each field of the template
fn view(spec: &SortSpec, plan: &RadixPlan, options: Options) -> View {
    let (begin_bit, end_bit) = plan.static_bits.unwrap_or((0, spec.key.bits()));
    let (key_slots, carried_slots, word_slots) = plan.slots();
    let carried = plan.carried();
    let (counter_lanes, counter_segment, memoize) = match plan.rank {
        RankPlan::Packed { lanes, segment, memoize, .. } => (lanes, segment, memoize),
        RankPlan::Match { .. } | RankPlan::Counts => (0, 0, false),
    };
    let (bins_per_thread, scan_groups) = match plan.rank {
        RankPlan::Match { scan: BinScan::Bins(bins), .. } => (bins, 1),
        RankPlan::Match { scan: BinScan::Groups(groups), .. } => (0, groups),
        RankPlan::Packed { .. } | RankPlan::Counts => (0, 0),
    };
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
        value_words: plan.value_words(),
        values_out: if plan.carry == Carry::Positions { "positions_out" } else { "values_out" },
        has_values: spec.value != ValueType::None,
        reads_values: spec.value.is_read(),
        makes_positions: plan.carry == Carry::Positions,
        fetches_values: plan.carry == Carry::Sources,
        carries: plan.carry != Carry::Nothing,
        carries_positions: matches!(plan.carry, Carry::Positions | Carry::Sources),
        carried: carried.map_or("", |carried| carried.cuda),
        carried_register: if plan.carry == Carry::Values { "Value" } else { "unsigned int" },
        carry_words: match plan.carry {
            Carry::Nothing => "",
            Carry::Values => "its value",
            Carry::Positions => "its position in the input",
            Carry::Sources => "its value's position in the input",
        },

        block: plan.block,
        threads: plan.block.threads(),
        resident_blocks: None,
        items: spec.items,
        tile_items: plan.tile_items(),
        has_whole_warps: plan.block.has_whole_warps(),
        radix_bits: plan.radix_bits,
        passes: plan.passes,
        range_words: match plan.static_bits {
            Some((begin, end)) => format!("bits {begin} to {end}"),
            None => "a whole key".to_owned(),
        },
        is_static: plan.static_bits.is_some(),
        begin_bit,
        end_bit,

        is_match: matches!(plan.rank, RankPlan::Match { .. }),
        counts_keys: plan.rank == RankPlan::Counts,
        uses_masks: matches!(plan.rank, RankPlan::Match { lanes: LaneMatch::SharedMasks, .. }),
        memoize,
        counter_lanes,
        counter_segment,
        bins_per_thread,
        scan_groups,
        histogram_words: plan.histogram_words(),
        block_scan: block_scan(plan),

        overlaps: plan.overlaps,
        shared_bytes: plan.shared_bytes,
        needs_dynamic: plan.shared_bytes > STATIC_SHARED_BYTES,
        key_slots,
        carried_slots,
        word_slots,
        key_gap: plan.key_padding.gap,
        key_period: plan.key_padding.period,
        carried_gap: plan.carry_padding.gap,
        carried_period: plan.carry_padding.period,
        word_gap: plan.word_padding.gap,
        word_period: plan.word_padding.period,

        input: enumerator(spec.input),
        output: enumerator(spec.output),
        ranked: enumerator(plan.ranked),
        tile_input: enumerator(plan.tile_input),
        takes_bits: true,
        entries: entries(spec, || calls(plan.static_bits.is_some())),
    }
}

fn parts(plan: &RadixPlan) -> Vec<Part> {
    let mut parts = vec![Part::NullType, Part::Bits, Part::Warp];
    match plan.rank {
        RankPlan::Packed { inner_scan: InnerScan::Raking | InnerScan::RakingMemoize, .. } => {
            parts.push(Part::RakingScan);
        }
        RankPlan::Packed { .. } | RankPlan::Counts => parts.push(Part::WarpScans),
        RankPlan::Match { lanes, .. } => {
            parts.extend((lanes == LaneMatch::Ballots).then_some(Part::BallotMatch));
            parts.push(Part::WarpScans);
        }
    }
    parts
}

fn block_scan(plan: &RadixPlan) -> String {
    match plan.rank {
        RankPlan::Packed { inner_scan: InnerScan::Raking, .. } => {
            "RakingScan<kBlockThreads, false>".to_owned()
        }
        RankPlan::Packed { inner_scan: InnerScan::RakingMemoize, .. } => {
            "RakingScan<kBlockThreads, true>".to_owned()
        }
        _ => "WarpScans<kBlockThreads>".to_owned(),
    }
}

fn calls(is_static: bool) -> Vec<CallView> {
    let call = |parameters, arguments| CallView { parameters, arguments };
    let mut calls = vec![
        call("", "kBeginBit, kEndBit, kTileItems"),
        call(", int valid_items", "kBeginBit, kEndBit, valid_items"),
    ];
    if !is_static {
        calls.push(call(", int begin_bit, int end_bit", "begin_bit, end_bit, kTileItems"));
        calls.push(call(
            ", int begin_bit, int end_bit, int valid_items",
            "begin_bit, end_bit, valid_items",
        ));
    }
    calls
}
