//! The view of `templates/segments/header.cuh`.

use askama::Template;

use super::arguments::{Arguments, CountArguments};
use super::networks;
use super::spec::{GROUP_LANES, SegmentSpec};
use crate::contract::arguments::{self, ArgumentView, ParametersView};
use crate::contract::spec::SortSpec;
use crate::text::common::Part;
use crate::text::header::BaseView;
use crate::text::key::{KeyView, title};
use crate::text::value::ValueView;

#[derive(Template)]
#[template(path = "segments/header.cuh", escape = "none")]
struct View {
    base: BaseView,
    key: KeyView,
    value: ValueView,
    threads: u32,
    items: u32,
    tile_items: u32,
    warp_items: u32,
    /// Blocks for which a multiprocessor is to have registers.
    resident_blocks: u32,
    resident_warp_sorts: u32,
    group_lanes: u32,
    classify_shared_bytes: u32,
    rank_shared_bytes: u32,
    shared_bytes: u32,
    tile_shared_bytes: u32,
    resident_merges: u32,
    warp_classes: Vec<u32>,
    tile_classes: Vec<u32>,
    warp_networks: Vec<SortSpec>,
    tile_networks: Vec<SortSpec>,
    arguments: Vec<ArgumentView>,
    count_members: Vec<ArgumentView>,
    count: ParametersView,
}

/// The text of the header.
pub(super) fn render(spec: &SegmentSpec) -> askama::Result<String> {
    let common_parts = [
        Part::NullType,
        Part::Bits,
        Part::WarpLanes,
        Part::MergePath,
        Part::GridOrder,
        Part::GappedSlots,
        Part::NumberAt,
    ];
    let title = title(spec.key, spec.value, spec.order);
    let base = BaseView::of(spec, "segmented_merge_sort", title, common_parts);
    let view = View {
        base: base.with_key(spec.key),
        key: KeyView::of(spec.key, spec.order, spec.nan_last),
        value: ValueView::of(spec.value),
        threads: spec.threads,
        items: spec.items,
        tile_items: spec.tile_items(),
        warp_items: spec.warp_items(),
        // 128 registers a thread.
        resident_blocks: (512 / spec.threads).max(1),
        resident_warp_sorts: spec.resident_warp_sorts(),
        group_lanes: GROUP_LANES,
        classify_shared_bytes: spec.classify_shared_bytes(),
        rank_shared_bytes: spec.rank_shared_bytes(),
        shared_bytes: spec.shared_bytes(),
        tile_shared_bytes: spec.tile_shared_bytes(),
        resident_merges: spec.resident_merges(),
        warp_classes: spec.warp_classes(),
        tile_classes: spec.tile_classes(),
        warp_networks: networks::of_warps(spec),
        tile_networks: networks::of_tiles(spec),
        arguments: arguments::members::<Arguments, _>(&()),
        count_members: arguments::members::<CountArguments, _>(&()),
        count: ParametersView::of::<CountArguments, _>(spec),
    };
    view.render()
}
