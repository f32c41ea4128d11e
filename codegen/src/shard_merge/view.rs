//! The view of `templates/shard_merge/header.cuh`.

use askama::Template;

use super::parameters::Arguments;
use super::spec::ShardSpec;
use crate::contract::arguments::{self, ArgumentView};
use crate::contract::render::RenderError;
use crate::text::common::Part;
use crate::text::header::BaseView;
use crate::text::key::KeyView;
use crate::text::value::ValueView;
use crate::types::ValueType;

/// Values that a thread loads before it waits for the first of them: as many as there are registers for.
fn loaded_values(spec: &ShardSpec) -> u32 {
    let bytes = spec.value_bytes().max(1);
    // Narrow ones take a register each, and their addresses are in registers too.
    let most = if bytes.min(spec.key.bytes()) < 4 { 8 } else { 16 };
    (64 / bytes).min(most).min(spec.items)
}

#[derive(Template)]
#[template(path = "shard_merge/header.cuh", escape = "none")]
struct View {
    base: BaseView,
    key: KeyView,
    value: ValueView,
    threads: u32,
    items: u32,
    /// Values that a thread loads at once.
    loaded_values: u32,
    shared_bytes: u32,
    resident_merges: u32,
    arguments: Vec<ArgumentView>,
}

/// The header with the template's markers.
pub fn marked_header(spec: &ShardSpec) -> Result<String, RenderError> {
    let common_parts =
        [Part::NullType, Part::Bits, Part::WarpLanes, Part::MergePath, Part::GappedSlots];
    let what = match spec.value {
        ValueType::None => String::new(),
        ValueType::Index => " with their positions".to_owned(),
        value => format!(" with {}-byte values", value.bytes()),
    };
    let title = format!("Merges ranks' {} keys{what}", spec.key);
    let mut value = ValueView::of(spec.value);
    if value.is_position {
        // Over all ranks there may be more than 2^32 items.
        value.cuda = "unsigned long long";
    }
    let view = View {
        base: BaseView::of(spec, "shard_merge", title, common_parts).with_key(spec.key),
        key: KeyView::of(spec.key, spec.order, spec.nan_last),
        value,
        threads: spec.threads,
        items: spec.items,
        loaded_values: loaded_values(spec),
        shared_bytes: spec.shared_bytes(),
        resident_merges: spec.resident_merges(),
        arguments: arguments::members::<Arguments, _>(&()),
    };
    let mut text =
        view.render().map_err(|source| RenderError::Device { name: spec.to_string(), source })?;
    text.push('\n');
    Ok(text)
}
