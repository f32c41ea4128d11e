//! The view of `templates/shard_partition/header.cuh`.

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

#[derive(Template)]
#[template(path = "shard_partition/header.cuh", escape = "none")]
struct View {
    base: BaseView,
    key: KeyView,
    value: ValueView,
    threads: u32,
    items: u32,
    bits: u32,
    max_buckets: u32,
    count_shared_bytes: u32,
    scatter_shared_bytes: u32,
    resident_scatters: u32,
    arguments: Vec<ArgumentView>,
}

/// The header with the template's markers.
pub fn marked_header(spec: &ShardSpec) -> Result<String, RenderError> {
    let common_parts = [
        Part::NullType,
        Part::Bits,
        Part::WarpLanes,
        Part::Warp,
        Part::BallotMatch,
        Part::WarpScans,
    ];
    let what = match spec.value {
        ValueType::None => String::new(),
        ValueType::Index => " with their positions".to_owned(),
        value => format!(" with {}-byte values", value.bytes()),
    };
    let title = format!("Partitions a rank's {} keys{what}", spec.key);
    let mut value = ValueView::of(spec.value);
    if value.is_position {
        // Over all ranks there may be more than 2^32 items.
        value.cuda = "unsigned long long";
    }
    let view = View {
        base: BaseView::of(spec, "shard_partition", title, common_parts).with_key(spec.key),
        key: KeyView::of(spec.key, spec.order, spec.nan_last),
        value,
        threads: spec.threads,
        items: spec.items,
        bits: spec.bits,
        max_buckets: spec.max_buckets(),
        count_shared_bytes: spec.count_shared_bytes(),
        scatter_shared_bytes: spec.scatter_shared_bytes(),
        resident_scatters: spec.resident_scatters(),
        arguments: arguments::members::<Arguments, _>(&()),
    };
    let mut text =
        view.render().map_err(|source| RenderError::Device { name: spec.to_string(), source })?;
    text.push('\n');
    Ok(text)
}
