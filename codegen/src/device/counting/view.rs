//! The view of `templates/device/counting/header.cuh`.

use askama::Template;

use super::plan::{self, OVERFLOW, VECTOR_KEYS};
use crate::contract::arguments::ArgumentView;
use crate::contract::device::arguments::{ArgumentUse, CountOf};
use crate::contract::device::spec::DeviceSpec;
use crate::text::common::Part;
use crate::text::header::BaseView;
use crate::text::key::{KeyView, title};
use crate::text::value::ValueView;
use crate::types::KeyClass;

#[derive(Template)]
#[template(path = "device/counting/header.cuh", escape = "none")]
struct View {
    base: BaseView,
    key: KeyView,
    value: ValueView,
    arguments: Vec<ArgumentView>,
    /// Whether the number of items or rows is read from memory.
    counted: bool,

    max_items: u32,
    threads: u32,
    items: u32,
    vector_keys: u32,
    /// Keys of a line, as a logarithm.
    line_log2: u32,
    overflow: u32,
    max_overflows: u32,
    shared_bytes: u32,
}

/// What a header says of [`Arguments::row_stride`](crate::contract::device::arguments::Arguments::row_stride).
const ROW_STRIDE: &str = "Items from the start of a row, of n items, to that of the next one.";

/// The text of the header.
pub(super) fn render(spec: &DeviceSpec) -> askama::Result<String> {
    let title = title(spec.key, spec.value, spec.order);
    let number_at = spec.counted.then_some(Part::NumberAt);
    let common_parts = [
        Part::NullType,
        Part::Bits,
        Part::WarpLanes,
        Part::Warp,
        Part::WarpScans,
        Part::WarpSum,
        Part::GridOrder,
        Part::ClearWords,
    ];
    // For the signs of zeros.
    let is_float = spec.key.info().class == KeyClass::Float;
    let mark_slot = is_float.then_some(Part::MarkSlot);
    let common_parts = common_parts.into_iter().chain(mark_slot).chain(number_at);
    View {
        base: BaseView::of(spec, "device_counting_sort", title, common_parts).with_key(spec.key),
        key: KeyView::of(spec.key, spec.order, false),
        value: ValueView::of(spec.value),
        arguments: ArgumentUse {
            row_stride: Some(ROW_STRIDE.to_owned()),
            counted: spec.counted.then_some(CountOf::Rows),
            ..ArgumentUse::default()
        }
        .view(Vec::new()),
        counted: spec.counted,

        max_items: plan::max_items(spec),
        threads: spec.threads,
        items: spec.items,
        vector_keys: VECTOR_KEYS,
        line_log2: (32 * VECTOR_KEYS).ilog2(),
        overflow: OVERFLOW,
        max_overflows: plan::max_overflows(spec),
        shared_bytes: spec.shared_bytes(),
    }
    .render()
}
