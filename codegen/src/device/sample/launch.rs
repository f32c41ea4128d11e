//! What the host launches.

use super::counts::{
    bucket_count, row_bucket_items, sample_blocks, sample_threads, samples_come_first,
};
use super::items::is_of_rows;
use super::layout::Storage;
use crate::contract::device::host::{HostLaunch, Number};
use crate::contract::device::launch::Kernel;
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
pub(super) fn launches<N: Number>(spec: &DeviceSpec, n: &N) -> Vec<HostLaunch<N>> {
    let storage = Storage::of(spec);
    let known = |number: u32| N::known(number.into());
    let samples = HostLaunch::new(
        SAMPLES,
        sample_blocks(spec, n),
        sample_threads(spec.threads),
        known(storage.sample),
    );
    let tiles = n.clone().divided_up_by(known(spec.tile_items()));
    let buckets = bucket_count(spec, n);
    vec![
        samples.only_if(&samples_come_first(spec, n.clone())),
        HostLaunch::new(SPLIT, tiles, spec.threads, known(storage.split)),
        HostLaunch::new(BUCKETS, buckets, spec.threads, known(storage.bucket)),
    ]
}
