//! What the host launches.

use super::counts::{
    bucket_count, row_bucket_items, sample_blocks, sample_threads, samples_come_first,
};
use super::items::is_of_rows;
use super::layout::Storage;
use crate::contract::device::launch::{Kernel, Launch};
use crate::contract::device::spec::DeviceSpec;

/// The kernel that finds the splitters of buckets, by samples.
pub(super) const SAMPLES: Kernel = Kernel::new("_samples");

/// The kernel that partitions each tile by bucket.
pub(super) const SPLIT: Kernel = Kernel::new("_split");

/// The kernel that sorts the buckets.
pub(super) const BUCKETS: Kernel = Kernel::new("_buckets");

/// The most items that the sort takes: as many tiles as a block has threads, and of rows as many buckets.
pub(super) fn max_items(spec: &DeviceSpec) -> u64 {
    let (threads, tile) = (u64::from(spec.threads), u64::from(spec.tile_items()));
    let of_buckets = u64::from(row_bucket_items(spec));
    threads * if is_of_rows(spec) { tile.min(of_buckets) } else { tile }
}

/// The launches for n items, of which there are some.
pub(super) fn launches(spec: &DeviceSpec, n: u64) -> Vec<Launch> {
    let storage = Storage::of(spec);
    let tiles = u32::try_from(spec.tile_count(n)).unwrap_or(u32::MAX);
    let launch = |kernel, blocks, shared_bytes| Launch {
        kernel,
        argument: None,
        blocks,
        threads: spec.threads,
        shared_bytes,
    };
    let samples = Launch {
        kernel: SAMPLES,
        argument: None,
        blocks: if is_of_rows(spec) { 1 } else { sample_blocks(spec.threads) },
        threads: sample_threads(spec.threads),
        shared_bytes: storage.sample,
    };
    let mut launches = Vec::from_iter(samples_come_first(spec, n).then_some(samples));
    launches.extend([
        launch(SPLIT, tiles, storage.split),
        launch(BUCKETS, bucket_count(spec, n), storage.bucket),
    ]);
    launches
}
