//! The view of `templates/device/partition/header.cuh`.

use askama::Template;

use super::launch::Kernels;
use super::layout::Storage;
use super::plan::{MAX_ITEMS, PartitionPlan, SAMPLES_PER_BUCKET, SPAN_TILES};
use crate::contract::arguments::ArgumentView;
use crate::contract::device::arguments::ArgumentUse;
use crate::contract::device::spec::DeviceSpec;
use crate::text::common::Part;
use crate::text::header::BaseView;
use crate::text::key::{KeyView, title};
use crate::text::value::ValueView;

/// What the header says of the counter of sorts.
const SORT_COUNTER: &str = "A number in device memory that each sort advances by one, or null: a part of the seed, so that the\nlaunches of a graph have another one each time.";

/// The blocks that sort chunks of one size.
struct ClassView {
    name: &'static str,
    title: &'static str,
    threads: u32,
    /// Items per thread.
    rows: u32,
    /// The most items of a chunk.
    capacity: u32,
    shared_bytes: u32,
}

/// A kernel.
struct KernelView {
    suffix: &'static str,
    threads: u32,
    resident_blocks: u32,
    takes_seed: bool,
    call: &'static str,
}

#[derive(Template)]
#[template(path = "device/partition/header.cuh", escape = "none")]
struct View {
    base: BaseView,
    key: KeyView,
    value: ValueView,
    arguments: Vec<ArgumentView>,
    storage: Storage,
    classes: Vec<ClassView>,
    kernels: Vec<KernelView>,

    threads: u32,
    items: u32,
    only_buckets: u32,
    parents: u32,
    buckets: u32,
    one_level_items: u64,
    max_items: u64,
    span_tiles: u32,
    list_threads: u32,
    max_chunk_items: u32,
    target_items: u32,
    max_samples: u32,
    samples_per_bucket: u32,
}

fn classes(plan: &PartitionPlan, storage: &Storage) -> Vec<ClassView> {
    let classes = plan.classes.iter().zip(storage.chunks);
    classes
        .map(|(class, shared_bytes)| ClassView {
            name: class.name,
            title: class.title,
            threads: class.threads,
            rows: class.rows,
            capacity: class.items(),
            shared_bytes,
        })
        .collect()
}

fn kernels(spec: &DeviceSpec) -> Vec<KernelView> {
    let kernels = Kernels::of(spec).all().into_iter();
    kernels
        .map(|it| KernelView {
            suffix: it.kernel.suffix(),
            threads: it.threads,
            resident_blocks: it.resident_blocks,
            takes_seed: it.takes_seed,
            call: it.call,
        })
        .collect()
}

/// The text of the header.
pub(super) fn render(spec: &DeviceSpec) -> askama::Result<String> {
    let plan = PartitionPlan::of(spec);
    let storage = Storage::of(spec);
    let common_parts = [
        Part::NullType,
        Part::Bits,
        Part::WarpLanes,
        Part::Warp,
        Part::BallotMatch,
        Part::Poll,
        Part::Racing,
        Part::WarpScans,
        Part::OddEvenMerge,
        Part::SubBuckets,
        Part::AsyncCopy,
        Part::Opaque,
        Part::MergePath,
        Part::GridOrder,
        Part::PackedItems,
        Part::MarkSlot,
    ];
    let view = View {
        base: BaseView::of(
            spec,
            "device_partition_sort",
            title(spec.key, spec.value, spec.order),
            common_parts,
        )
        .with_key(spec.key),
        key: KeyView::of(spec.key, spec.order, spec.nan_last),
        value: ValueView::of(spec.value),
        arguments: ArgumentUse {
            has_alternates: true,
            reads_values: spec.value.is_read(),
            sort_counter: Some(SORT_COUNTER.to_owned()),
            ..ArgumentUse::default()
        }
        .view(Vec::new()),
        storage,
        classes: classes(&plan, &storage),
        kernels: kernels(spec),

        threads: spec.threads,
        items: spec.items,
        only_buckets: plan.only_buckets,
        parents: plan.parents,
        buckets: plan.buckets,
        one_level_items: plan.one_level_items,
        max_items: MAX_ITEMS,
        span_tiles: SPAN_TILES,
        list_threads: plan.list_threads,
        max_chunk_items: plan.max_chunk_items(),
        target_items: plan.target_items,
        max_samples: plan.max_samples,
        samples_per_bucket: SAMPLES_PER_BUCKET,
    };
    view.render()
}
