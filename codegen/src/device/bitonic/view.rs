//! The view of `templates/device/bitonic/header.cuh`.

use askama::Template;

use super::spec::BitonicSort;
use crate::block::comparison::view::MergingView;
use crate::contract::arguments::ArgumentView;
use crate::contract::device::arguments::ArgumentUse;
use crate::contract::device::spec::DeviceSpec;
use crate::primitives::composite_keys_view::{CompositeKeysView, NetworkView};
use crate::text::common::Part;
use crate::text::header::BaseView;
use crate::text::key::{KeyView, title};
use crate::text::slots::SlotsView;
use crate::text::value::ValueView;

#[derive(Template)]
#[template(path = "device/bitonic/header.cuh", escape = "none")]
struct View {
    base: BaseView,
    key: KeyView,
    value: ValueView,
    arguments: Vec<ArgumentView>,
    keeps_positions: bool,
    is_stable: bool,

    max_items: u64,
    threads: u32,
    items: u32,
    tile_log2: u32,
    max_steps: u32,
    steps: Vec<u32>,
    shared_bytes: u32,

    composites: CompositeKeysView,
    network: NetworkView,
    merging: MergingView,
}

/// The text of the header.
pub(super) fn render(spec: &DeviceSpec) -> askama::Result<String> {
    view(spec).render()
}

fn view(spec: &DeviceSpec) -> View {
    let sort = BitonicSort::of_fields(spec.fields());
    let (plan, item) = (sort.plan(), sort.item());
    let slots = SlotsView::of(plan.padding).part();
    let common_parts =
        [Part::NullType, Part::Bits, Part::WarpLanes, Part::GridOrder, Part::Limbs, slots];
    View {
        base: BaseView::of(
            spec,
            "device_bitonic_sort",
            title(spec.key, spec.value, spec.order),
            common_parts,
        )
        .with_key(spec.key),
        key: KeyView::of(spec.key, spec.order, false),
        value: ValueView::of(spec.value),
        arguments: ArgumentUse { reads_values: spec.value.is_read(), ..ArgumentUse::default() }
            .view(Vec::new()),
        keeps_positions: sort.keeps_positions(),
        is_stable: sort.is_stable(),

        max_items: sort.max_items(),
        threads: spec.threads,
        items: spec.items,
        tile_log2: spec.tile_items().ilog2(),
        max_steps: item.max_steps(),
        steps: (1..=item.max_steps()).collect(),
        shared_bytes: plan.shared_bytes,

        composites: CompositeKeysView::of_tile(
            item.composite,
            item.marks_negative_zero,
            item.values_break_ties,
        )
        .of_array(item.carried_limbs),
        network: NetworkView::of(&plan.sorter, Some(&plan.merger), item.registers() > 1),
        merging: MergingView::of(&plan),
    }
}
