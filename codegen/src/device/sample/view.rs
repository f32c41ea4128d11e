//! The view of `templates/device/sample/header.cuh`.

use std::collections::BTreeSet;

use askama::Template;

use super::counts::{
    self, few_buckets, max_row_samples, row_bucket_items, sample_blocks, sample_threads,
};
use super::items::{is_of_rows, sub_buckets_per_thread, value_of};
use super::launch;
use super::layout::BEHIND_BUCKETS;
use super::plan::{SamplePlan, max_sub_bucket, resident_blocks};
use crate::block::radix::view::{self as block_radix, RadixView};
use crate::contract::arguments::ArgumentView;
use crate::contract::device::arguments::ArgumentUse;
use crate::contract::device::family::finished;
use crate::contract::device::spec::{DeviceFields, DeviceSpec};
use crate::contract::render::RenderError;
use crate::text::common::Part;
use crate::text::header::BaseView;
use crate::text::key::{KeyView, title};
use crate::text::value::ValueView;

/// How buckets of at most `rows` items for each thread are sorted.
struct RegisterWindowView {
    rows: u32,
    sub_buckets_per_thread: u32,
    /// Bits of a sub-bucket's number.
    sub_bucket_bits: u32,
}

impl RegisterWindowView {
    fn of(fields: &DeviceFields, rows: u32) -> Self {
        let sub_buckets_per_thread = sub_buckets_per_thread(rows);
        let counters = sub_buckets_per_thread * fields.threads;
        Self { rows, sub_buckets_per_thread, sub_bucket_bits: counters.next_power_of_two().ilog2() }
    }
}

#[derive(Template)]
#[template(path = "device/sample/header.cuh")]
struct View {
    base: BaseView,
    key: KeyView,
    value: ValueView,
    arguments: Vec<ArgumentView>,
    of_rows: bool,
    /// What positions that are made are positions in.
    positions_of: &'static str,

    max_items: u64,
    threads: u32,
    items: u32,
    few_buckets: u32,
    samples_per_bucket: u32,
    samples_of_smaller_bucket: u32,
    /// Of rows: the most samples, and items of a bucket on average.
    max_samples: u32,
    bucket_mean: u32,
    sample_blocks: u32,
    sample_threads: u32,
    resident_blocks: u32,
    sample_shared_bytes: u32,
    split_shared_bytes: u32,
    bucket_shared_bytes: u32,
    bucket_bits: u32,
    /// What the sorts of buckets by digits have in common.
    radix: RadixView,
    bucket_value: &'static str,
    /// Their items per thread, the fewest first.
    bucket_items: Vec<u32>,
    max_bucket_items: u32,
    /// From which items per thread on they rank and exchange in the same bytes; none do where there is no such number.
    overlapping_items: Option<u32>,
    register_windows: Vec<RegisterWindowView>,
    max_register_window_rows: u32,
    max_sub_buckets: u32,
    max_sub_bucket: u32,
    behind_buckets: u32,
}

/// What a header of rows says of [`Arguments::row_stride`](crate::contract::device::arguments::Arguments::row_stride).
const ROW_STRIDE: &str = "Items from the start of a row, of n items, to that of the next one, in the arrays that come and in those of the result. In scratch\n\
    rows have no gaps, nor in keys_out where keys are not written.";

/// What the kernels use of their arguments.
fn argument_use(fields: &DeviceFields) -> ArgumentUse {
    ArgumentUse {
        has_alternates: true,
        reads_values: fields.value.is_read(),
        takes_bits: true,
        row_stride: is_of_rows(fields).then(|| ROW_STRIDE.to_owned()),
        ..ArgumentUse::default()
    }
}

/// From which items per thread on sorts of buckets by digits rank and exchange in the same bytes.
fn overlapping_items(plan: &SamplePlan) -> Option<u32> {
    plan.buckets.iter().find(|it| it.overlaps).map(|it| it.items)
}

/// The fragments of `templates/common` that it takes.
fn common_parts(plan: &SamplePlan) -> BTreeSet<Part> {
    let mut common_parts: BTreeSet<Part> = [
        Part::NullType,
        Part::Bits,
        Part::WarpLanes,
        Part::Warp,
        Part::BallotMatch,
        Part::GridOrder,
        Part::OddEvenMerge,
        Part::SubBuckets,
        Part::AsyncCopy,
        Part::Opaque,
    ]
    .into();
    common_parts.extend(block_radix::common_parts(&plan.largest));
    common_parts.extend(overlapping_items(plan).map(|_| Part::Conditional));
    common_parts
}

/// The header: the sort of a bucket by digits, and the kernels.
pub(super) fn marked_header(spec: &DeviceSpec) -> Result<String, RenderError> {
    let plan = SamplePlan::of(spec)
        .map_err(|error| RenderError::NoDeviceSort { name: spec.to_string(), error })?;
    let of_rows = is_of_rows(spec);
    let max_register_window_rows = plan.register_window_rows.iter().copied().max().unwrap_or(0);
    let view = View {
        base: BaseView::of(
            spec,
            "device_sample_sort",
            title(spec.key, spec.value, spec.order),
            common_parts(&plan),
        )
        .including(spec.key.info().header),
        key: KeyView::of(spec.key, spec.order, false),
        value: ValueView::of(spec.value),
        arguments: argument_use(spec).view(Vec::new()),
        of_rows,
        positions_of: if of_rows { "the row" } else { "the input" },

        max_items: launch::max_items(spec),
        threads: spec.threads,
        items: spec.items,
        few_buckets: few_buckets(spec.threads),
        samples_per_bucket: if of_rows {
            counts::SAMPLES_PER_ROW_BUCKET
        } else {
            counts::SAMPLES_PER_BUCKET
        },
        samples_of_smaller_bucket: counts::SAMPLES_OF_SMALLER_BUCKET,
        max_samples: max_row_samples(spec),
        bucket_mean: row_bucket_items(spec),
        sample_blocks: if of_rows { 1 } else { sample_blocks(spec.threads) },
        sample_threads: sample_threads(spec.threads),
        resident_blocks: resident_blocks(spec),
        sample_shared_bytes: plan.storage.sample,
        split_shared_bytes: plan.storage.split,
        bucket_shared_bytes: plan.storage.bucket,
        bucket_bits: spec.threads.ilog2() + 1,
        radix: RadixView::above_base(&plan.largest),
        bucket_value: value_of(spec).cuda(),
        bucket_items: plan.buckets.iter().map(|it| it.items).collect(),
        max_bucket_items: plan.largest.items,
        overlapping_items: overlapping_items(&plan),
        register_windows: plan
            .register_window_rows
            .iter()
            .map(|rows| RegisterWindowView::of(spec, *rows))
            .collect(),
        max_register_window_rows,
        max_sub_buckets: sub_buckets_per_thread(max_register_window_rows) * spec.threads,
        max_sub_bucket: max_sub_bucket(spec.key),
        behind_buckets: BEHIND_BUCKETS,
    };
    finished(spec, view.render())
}
