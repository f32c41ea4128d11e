//! The kernels, and what the host launches.

use super::layout::Storage;
use super::plan::{PartitionPlan, SPAN_TILES};
use crate::contract::device::launch::{Device, Kernel, Launch, LaunchArgument};
use crate::contract::device::spec::{DeviceFields, DeviceSpec};
use crate::types::Arch;

/// The seed of the positions of samples, where the caller has no other: the argument of the kernels that sample.
const SEED: u32 = 0x9e37_79b9;

/// What a block of each architecture has registers for, at most.
const THREADS_OF_MULTIPROCESSOR: u32 = 2048;

/// Threads that a multiprocessor is to hold at least of kernels with many items a thread: with 64 registers each.
const RESIDENT_THREADS: u32 = 1024;

/// Blocks that a multiprocessor of any architecture can hold.
const RESIDENT_BLOCKS: u32 = 16;

/// Bytes of shared memory that each block takes beside its own.
const RESERVED_SHARED_BYTES: u32 = 1024;

/// A kernel: its blocks, and what they call.
#[derive(Clone, Copy, Debug)]
pub(super) struct KernelPlan {
    pub(super) kernel: Kernel,
    pub(super) threads: u32,
    pub(super) shared_bytes: u32,
    /// Blocks that a multiprocessor is to hold at least.
    pub(super) resident_blocks: u32,
    pub(super) takes_seed: bool,
    /// The header's function.
    pub(super) call: &'static str,
}

impl KernelPlan {
    /// The same with as many blocks on a multiprocessor as shared memory has room for, if these are not too many, nor their threads.
    fn with_residents(self) -> Self {
        let room = Arch::MAX_SHARED_BYTES + RESERVED_SHARED_BYTES;
        let by_shared = room / (self.shared_bytes + RESERVED_SHARED_BYTES);
        let resident_blocks =
            by_shared.min(RESIDENT_THREADS / self.threads).clamp(1, RESIDENT_BLOCKS);
        Self { resident_blocks, ..self }
    }
}

/// All kernels, in the order in which they are launched; `split` alone is that of the only level, and those from `split_parents` to
/// `split_buckets` are of two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kernels {
    samples: KernelPlan,
    split: KernelPlan,
    split_parents: KernelPlan,
    sum_pieces: KernelPlan,
    scan_pieces: KernelPlan,
    locate_pieces: KernelPlan,
    parent_samples: KernelPlan,
    split_buckets: KernelPlan,
    list_buckets: KernelPlan,
    chunks: [KernelPlan; 3],
    merges: [KernelPlan; 3],
    equal_keys: KernelPlan,
    oversized_buckets: KernelPlan,
}

impl Kernels {
    pub(super) fn of(fields: &DeviceFields) -> Self {
        let plan = PartitionPlan::of(fields);
        let storage = Storage::of(fields);
        let kernel = |suffix, threads, shared_bytes, call| KernelPlan {
            kernel: Kernel::new(suffix),
            threads,
            shared_bytes,
            resident_blocks: 1,
            takes_seed: false,
            call,
        };
        let threads = fields.threads;
        let with_seed = |it: KernelPlan| KernelPlan { takes_seed: true, ..it };
        let of_class = |number: usize, suffix, call| {
            kernel(suffix, plan.classes[number].threads, storage.chunks[number], call)
                .with_residents()
        };
        Self {
            samples: with_seed(kernel("_samples", threads, storage.samples, "find_splitters")),
            split: kernel("_split", threads, storage.split, "split").with_residents(),
            split_parents: kernel(
                "_split_parents",
                threads,
                storage.split_parents,
                "split_by_parents",
            )
            .with_residents(),
            sum_pieces: kernel("_sum_pieces", plan.parents, 0, "sum_pieces"),
            scan_pieces: kernel("_scan_pieces", plan.list_threads, storage.scan, "scan_pieces"),
            locate_pieces: kernel("_locate_pieces", plan.parents, storage.locate, "locate_pieces"),
            parent_samples: with_seed(kernel(
                "_parent_samples",
                threads,
                storage.samples,
                "find_splitters_of_parent",
            ))
            .with_residents(),
            split_buckets: kernel("_split_buckets", threads, storage.split_buckets, "split_parent")
                .with_residents(),
            list_buckets: kernel("_list_buckets", plan.list_threads, storage.list, "list_buckets"),
            chunks: [
                of_class(0, "_small_chunks", "finish_small_chunks"),
                of_class(1, "_medium_chunks", "finish_medium_chunks"),
                of_class(2, "_large_chunks", "finish_large_chunks"),
            ],
            merges: [
                of_class(0, "_small_merges", "merge_small_chunks"),
                of_class(1, "_medium_merges", "merge_medium_chunks"),
                of_class(2, "_large_merges", "merge_large_chunks"),
            ],
            equal_keys: kernel("_equal_keys", threads, storage.equal, "move_equal_keys"),
            oversized_buckets: kernel("_oversized_buckets", threads, 0, "sort_oversized_buckets"),
        }
    }

    /// All of them.
    pub(super) fn all(&self) -> Vec<KernelPlan> {
        let mut all = vec![self.samples, self.split];
        all.extend(self.of_two_levels());
        all.extend(self.behind_levels());
        all
    }

    /// The kernels of two levels alone, behind the samples.
    fn of_two_levels(&self) -> [KernelPlan; 6] {
        [
            self.split_parents,
            self.sum_pieces,
            self.scan_pieces,
            self.locate_pieces,
            self.parent_samples,
            self.split_buckets,
        ]
    }

    /// The kernels behind the last level.
    fn behind_levels(&self) -> Vec<KernelPlan> {
        let mut kernels = vec![self.list_buckets];
        kernels.extend(self.of_chunks());
        kernels.push(self.oversized_buckets);
        kernels
    }

    /// The kernels that go through a list of chunks.
    fn of_chunks(&self) -> impl Iterator<Item = KernelPlan> {
        self.chunks.into_iter().chain(self.merges).chain([self.equal_keys])
    }
}

/// The launches for n items, of which there are some.
pub(super) fn launches(spec: &DeviceSpec, n: u64, device: Device) -> Vec<Launch> {
    let plan = PartitionPlan::of(spec);
    let kernels = Kernels::of(spec);
    let narrow = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let launch = |it: KernelPlan, blocks: u32| Launch {
        kernel: it.kernel,
        argument: it.takes_seed.then_some(LaunchArgument::Seed(SEED)),
        blocks,
        threads: it.threads,
        shared_bytes: it.shared_bytes,
    };
    let tiles = narrow(spec.tile_count(n));
    // As many as the device holds, or as there may be chunks.
    let resident = |it: KernelPlan, most: u64| {
        let by_shared = device.shared_bytes_per_block / it.shared_bytes.max(1);
        let of_one = by_shared.clamp(1, THREADS_OF_MULTIPROCESSOR / it.threads);
        launch(it, narrow(most.clamp(1, u64::from(device.multiprocessors * of_one))))
    };
    let mut launches = vec![launch(kernels.samples, 1)];
    let lists = if plan.has_two_levels(n) {
        let spans = tiles.div_ceil(SPAN_TILES);
        let blocks = [tiles, spans, 1, spans, plan.parents, tiles + plan.parents];
        launches
            .extend(kernels.of_two_levels().into_iter().zip(blocks).map(|(it, n)| launch(it, n)));
        plan.parents
    } else {
        launches.push(launch(kernels.split, tiles));
        1
    };
    launches.push(launch(kernels.list_buckets, lists));
    let most = plan.max_chunks(spec, n).min(n);
    launches.extend(kernels.of_chunks().map(|it| resident(it, most)));
    launches.push(resident(kernels.oversized_buckets, n / u64::from(plan.max_chunk_items())));
    launches
}
