//! The kernels of a header, in the order of their definitions.

use super::spec::{BINS, RadixSort};
use super::{counting, grid, msd_buckets, onesweep};
use crate::contract::device::launch::Kernel;
use crate::contract::device::spec::DeviceSpec;

/// A kernel as the template shows it.
pub(super) struct KernelView {
    pub(super) suffix: &'static str,
    /// What its `__launch_bounds__` are, if it has some.
    pub(super) bounds: Option<String>,
    /// The header's function.
    pub(super) call: &'static str,
    pub(super) takes_pass_slot: bool,
    pub(super) takes_shared: bool,
    /// Whether it reads the number of items from memory.
    pub(super) reads_count: bool,
}

impl KernelView {
    fn new(kernel: Kernel, call: &'static str) -> Self {
        let suffix = kernel.suffix();
        Self {
            suffix,
            bounds: None,
            call,
            takes_pass_slot: false,
            takes_shared: false,
            reads_count: false,
        }
    }

    fn bounded(self, threads: u32) -> Self {
        Self { bounds: Some(threads.to_string()), ..self }
    }

    fn with_shared(self) -> Self {
        Self { takes_shared: true, ..self }
    }
}

/// The kernels of a spec's header.
pub(super) fn kernels(spec: &DeviceSpec) -> Vec<KernelView> {
    let sort = RadixSort::of_fields(spec.fields());
    let view = KernelView::new;
    let residents = format!("{}, {}", spec.threads, sort.resident_blocks());
    let mut kernels = vec![
        view(RadixSort::COUNT, "count_digits").bounded(onesweep::COUNT_THREADS).with_shared(),
        view(RadixSort::PLAN, "plan_passes").bounded(BINS),
        KernelView {
            bounds: Some(residents),
            takes_pass_slot: true,
            ..view(RadixSort::PASS, "run_pass").with_shared()
        },
    ];
    if sort.fixes_up_ties() {
        let bounds = Some(grid::bounds_of_looking());
        kernels.push(KernelView { bounds, ..view(RadixSort::FIX_UP, "fix_up_ties") });
    }
    if sort.sorts_msd_buckets() {
        // How many blocks are resident is the architecture's, which the header knows.
        let residents = format!("{}, sortsmith::{spec}::kResidentBuckets", msd_buckets::THREADS);
        let buckets = view(RadixSort::MSD_BUCKETS, "sort_buckets").with_shared();
        kernels.extend([
            view(RadixSort::BUCKET_OFFSETS, "find_bucket_offsets"),
            KernelView { bounds: Some(residents), ..buckets },
            view(RadixSort::COUNT_OVERFLOW, "count_overflow"),
            view(RadixSort::GATHER_OVERFLOW, "gather_overflow").bounded(BINS),
        ]);
    }
    if sort.has_key_histogram() {
        let histogram = view(RadixSort::HISTOGRAM, "build_histogram").with_shared();
        kernels.extend([
            histogram.bounded(onesweep::COUNT_THREADS),
            view(RadixSort::SCAN, "scan_histogram").bounded(onesweep::COUNT_THREADS),
        ]);
    }
    if sort.sorts_by_counting() {
        kernels.push(view(RadixSort::EXPAND, "expand").bounded(counting::EXPAND_THREADS));
    }
    let bounds = format!("{}, sortsmith::{spec}::kResidentFinishing", sort.finish_threads());
    kernels.push(KernelView { bounds: Some(bounds), ..view(RadixSort::FINISH, "finish") });
    // Buckets and their offsets are all that a block of buckets sees, and those of values all that a scan does: neither has registers for more.
    let without_count = [RadixSort::MSD_BUCKETS, RadixSort::SCAN].map(Kernel::suffix);
    for kernel in &mut kernels {
        kernel.reads_count = spec.counted && !without_count.contains(&kernel.suffix);
    }
    kernels
}
