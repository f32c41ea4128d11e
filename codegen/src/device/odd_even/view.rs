//! The view of `templates/device/odd_even/header.cuh`.

use askama::Template;

use crate::contract::arguments::ArgumentView;
use crate::contract::device::arguments::ArgumentUse;
use crate::contract::device::spec::DeviceSpec;
use crate::text::common::Part;
use crate::text::header::BaseView;
use crate::text::key::{KeyView, title};
use crate::text::value::ValueView;

#[derive(Template)]
#[template(path = "device/odd_even/header.cuh", escape = "none")]
struct View {
    base: BaseView,
    key: KeyView,
    value: ValueView,
    arguments: Vec<ArgumentView>,

    threads: u32,
    items: u32,
    shared_bytes: u32,
}

/// The text of the header.
pub(super) fn render(spec: &DeviceSpec) -> askama::Result<String> {
    let title = title(spec.key, spec.value, spec.order);
    let common_parts = [Part::NullType, Part::Bits, Part::GridOrder];
    let reads_values = spec.value.is_read();
    View {
        base: BaseView::of(spec, "device_odd_even_sort", title, common_parts).with_key(spec.key),
        key: KeyView::of(spec.key, spec.order, false),
        value: ValueView::of(spec.value),
        arguments: ArgumentUse { reads_values, ..ArgumentUse::default() }.view(Vec::new()),

        threads: spec.threads,
        items: spec.items,
        shared_bytes: spec.shared_bytes(),
    }
    .render()
}
