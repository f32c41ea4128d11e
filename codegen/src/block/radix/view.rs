//! The view of `templates/block/radix/header.cuh`.

use askama::Template;

use crate::block::radix::plan::{BinScan, Carry, RadixPlan, RankPlan};
use crate::block::view::{TileBits, TileView};
use crate::contract::render::{Options, RenderError};
use crate::contract::spec::{Family, SortSpec};
use crate::contract::tile_arguments::TileParametersView;
use crate::primitives::members::{CallView, EntryView, entries, enumerator};
use crate::text::common::Part;
use crate::text::header::BaseView;
use crate::text::key::{KeyView, title};
use crate::text::slots::SlotsView;
use crate::text::value::ValueView;
use crate::types::{Arrangement, Block, InnerScan, LaneMatch};

#[derive(Template)]
#[template(path = "block/radix/header.cuh", escape = "none")]
struct View {
    base: BaseView,
    key: KeyView,
    value: ValueView,

    tile: TileView,
    parameters: TileParametersView,
    block: Block,
    items: u32,
    tile_items: u32,
    passes: u32,
    range_words: String,
    is_static: bool,
    begin_bit: u32,
    end_bit: u32,

    radix: RadixView,
    ranked: &'static str,
    overlaps: bool,

    input: &'static str,
    output: &'static str,
    entries: Vec<EntryView>,
}

/// What the fragments of `templates/block/radix` say of a sort, whatever its items per thread.
#[allow(clippy::struct_excessive_bools)] // one flag for each way in which sorts differ
pub(crate) struct RadixView {
    pub(crate) radix_bits: u32,
    pub(crate) carries: bool,
    pub(crate) carries_positions: bool,
    pub(crate) fetches_values: bool,
    pub(crate) carried: &'static str,
    pub(crate) carried_register: &'static str,
    pub(crate) carry_words: &'static str,
    pub(crate) value_words: u32,
    /// Whether digits are those of the distance to a base, the member `base_`.
    pub(crate) has_base: bool,

    pub(crate) is_match: bool,
    pub(crate) uses_masks: bool,
    pub(crate) counts_keys: bool,
    pub(crate) memoize: bool,
    pub(crate) counter_lanes: u32,
    pub(crate) counter_segment: u32,
    pub(crate) bins_per_thread: u32,
    pub(crate) scan_groups: u32,
    pub(crate) histogram_words: u32,
    pub(crate) block_scan: &'static str,

    pub(crate) key_slots: SlotsView,
    pub(crate) carried_slots: SlotsView,
    pub(crate) word_slots: SlotsView,
}

impl RadixView {
    /// A sort by the bits of keys.
    fn of(plan: &RadixPlan) -> Self {
        let (counter_lanes, counter_segment, memoize) = match plan.rank {
            RankPlan::Packed { lanes, segment, memoize, .. } => (lanes, segment, memoize),
            RankPlan::Match { .. } | RankPlan::Counts => (0, 0, false),
        };
        let (bins_per_thread, scan_groups) = match plan.rank {
            RankPlan::Match { scan: BinScan::Bins(bins), .. } => (bins, 1),
            RankPlan::Match { scan: BinScan::Groups(groups), .. } => (0, groups),
            RankPlan::Packed { .. } | RankPlan::Counts => (0, 0),
        };
        Self {
            radix_bits: plan.radix_bits,
            carries: plan.carry != Carry::Nothing,
            carries_positions: matches!(plan.carry, Carry::Positions | Carry::Sources),
            fetches_values: plan.carry == Carry::Sources,
            carried: plan.carried().map_or("", |carried| carried.cuda),
            carried_register: if plan.carry == Carry::Values { "Value" } else { "unsigned int" },
            carry_words: match plan.carry {
                Carry::Nothing => "",
                Carry::Values => "its value",
                Carry::Positions => "its position in the input",
                Carry::Sources => "its value's position in the input",
            },
            value_words: plan.value_words(),
            has_base: false,

            is_match: matches!(plan.rank, RankPlan::Match { .. }),
            uses_masks: matches!(plan.rank, RankPlan::Match { lanes: LaneMatch::SharedMasks, .. }),
            counts_keys: plan.rank == RankPlan::Counts,
            memoize,
            counter_lanes,
            counter_segment,
            bins_per_thread,
            scan_groups,
            histogram_words: plan.histogram_words(),
            block_scan: block_scan(plan),

            key_slots: SlotsView::of(plan.key_padding),
            carried_slots: SlotsView::of(plan.carry_padding),
            word_slots: SlotsView::of(plan.word_padding),
        }
    }

    /// A sort by the distance of keys to a base that is known at run time.
    pub(crate) fn above_base(plan: &RadixPlan) -> Self {
        Self { has_base: true, ..Self::of(plan) }
    }
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

fn view(spec: &SortSpec, plan: &RadixPlan, options: Options) -> View {
    let base = BaseView::of(
        spec,
        "block_radix_sort",
        title(spec.key, spec.value, spec.order),
        common_parts(plan),
    )
    .with_key(spec.key)
    .with_kernels(options.tile_kernel, options.rows_kernel)
    .with_counted_rows(options.counted_rows_kernel)
    .of_project(options.of_project);
    let (begin_bit, end_bit) = plan.static_bits.unwrap_or((0, spec.key.bits()));
    let arrangements = (plan.tile_input, Arrangement::Striped);
    let bits = if plan.static_bits.is_some() { TileBits::Constant } else { TileBits::Argument };
    View {
        base,
        key: KeyView::of(spec.key, spec.order, false),
        value: ValueView::of(spec.value),

        tile: TileView::of(plan.block, plan.shared_bytes, arrangements, bits),
        parameters: TileParametersView::of(spec),
        block: plan.block,
        items: spec.items,
        tile_items: plan.tile_items(),
        passes: plan.passes,
        range_words: match plan.static_bits {
            Some((begin, end)) => format!("bits {begin} to {end}"),
            None => "all bits of a key".to_owned(),
        },
        is_static: plan.static_bits.is_some(),
        begin_bit,
        end_bit,

        radix: RadixView::of(plan),
        ranked: enumerator(plan.ranked),
        overlaps: plan.overlaps,

        input: enumerator(spec.input),
        output: enumerator(spec.output),
        entries: entries(spec, || calls(plan.static_bits.is_some())),
    }
}

/// What the header is made of.
pub(crate) fn common_parts(plan: &RadixPlan) -> Vec<Part> {
    let mut common_parts = vec![
        Part::NullType,
        Part::Bits,
        Part::WarpLanes,
        Part::Warp,
        SlotsView::of(plan.key_padding).part(),
    ];
    match plan.rank {
        RankPlan::Packed { inner_scan: InnerScan::Raking | InnerScan::RakingMemoize, .. } => {
            common_parts.push(Part::RakingScan);
        }
        RankPlan::Packed { .. } | RankPlan::Counts => common_parts.push(Part::WarpScans),
        RankPlan::Match { lanes, .. } => {
            common_parts.extend((lanes == LaneMatch::Ballots).then_some(Part::BallotMatch));
            common_parts.push(Part::WarpScans);
        }
    }
    common_parts
}

fn block_scan(plan: &RadixPlan) -> &'static str {
    match plan.rank {
        RankPlan::Packed { inner_scan: InnerScan::Raking, .. } => {
            "RakingScan<kBlockThreads, false>"
        }
        RankPlan::Packed { inner_scan: InnerScan::RakingMemoize, .. } => {
            "RakingScan<kBlockThreads, true>"
        }
        _ => "WarpScans<kBlockThreads>",
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
