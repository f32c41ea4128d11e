//! How many samples and buckets there are: the header's `samples_come_first` and `bucket_count`, for the host.

use super::items::is_of_rows;
use crate::contract::device::host::{Number, Truth as _};
use crate::contract::device::spec::DeviceFields;

/// The least number of samples for each bucket where each block finds the splitters for itself.
const SAMPLES_OF_FEW_BUCKETS: u32 = 4;

/// The least numbers of samples where splitters are found by a launch of its own: for each bucket, and for the smaller one of
/// two that follow each other, if a block has no more threads than there are buckets. With 8 for the smaller one, 2²⁰ pairs take 1.05 times as long,
/// and with 16 for each 1.08 times (H200, 2026-11-23).
pub(super) const SAMPLES_PER_BUCKET: u32 = 8;
pub(super) const SAMPLES_OF_SMALLER_BUCKET: u32 = 6;

/// Samples that one block of that launch ranks, at most: a lane of a warp each.
pub(super) const OWN_SAMPLES: u32 = 32;

/// As many buckets as `_split` finds splitters for.
pub(super) fn few_buckets(threads: u32) -> u32 {
    threads / SAMPLES_OF_FEW_BUCKETS
}

/// Buckets for each thread of a block, at most: two where n may be so large that buckets would have more than four items for each thread.
/// Blocks of a warp keep one, and those of more than 512 threads have no room for the counters of two.
pub(super) fn buckets_per_thread(fields: &DeviceFields) -> u32 {
    let has_two = fields.items >= 8 && (64..=512).contains(&fields.threads) && !is_of_rows(fields);
    if has_two { 2 } else { 1 }
}

/// The most buckets that there are.
pub(super) fn max_buckets(fields: &DeviceFields) -> u32 {
    buckets_per_thread(fields) * fields.threads
}

/// Blocks of the launch of `_samples` for n items, of which each ranks at most as many samples as a warp has lanes.
pub(super) fn sample_blocks<N: Number>(fields: &DeviceFields, n: &N) -> N {
    if is_of_rows(fields) {
        return N::known(1);
    }
    let buckets = bucket_count(fields, n).at_least(N::known(fields.threads.into()));
    buckets.times(N::known(SAMPLES_PER_BUCKET.into())).divided_by(N::known(OWN_SAMPLES.into()))
}

/// Samples for each bucket of rows, unless these are more than are sorted: one bucket in a million has twice as many items as on
/// average.
pub(super) const SAMPLES_PER_ROW_BUCKET: u32 = 32;

/// Items of a bucket of rows, on average at most: half as many as a block has the shared memory for. Half as large ones take 1.04 to
/// 1.14 times as long (H200, 2026-11-24).
pub(super) fn row_bucket_items(fields: &DeviceFields) -> u32 {
    let per_thread = match fields.key.bytes() + fields.value.bytes() {
        0..=8 => 8,
        9..=12 => 6,
        13..=16 => 4,
        _ => 2,
    };
    per_thread * fields.threads
}

/// The most samples of a row: as many as a block of `_samples` has the shared memory for on most architectures.
pub(super) fn max_row_samples(fields: &DeviceFields) -> u32 {
    let per_thread = if fields.key.bytes() <= 8 { 8 } else { 4 };
    per_thread * fields.threads
}

/// Threads of each of these blocks, which have little else to hide the time of their reads behind.
pub(super) fn sample_threads(threads: u32) -> u32 {
    (2 * threads).min(1024)
}

/// Whether there is a launch of `_samples`.
pub(super) fn samples_come_first<N: Number>(fields: &DeviceFields, n: N) -> N::Truth {
    let threads = fields.threads;
    let most = 2 * u64::from(few_buckets(threads)) * u64::from(threads);
    if is_of_rows(fields) { N::Truth::known(true) } else { n.reaches(N::known(most + 1)) }
}

/// Buckets of n items.
pub(super) fn bucket_count<N: Number>(fields: &DeviceFields, n: &N) -> N {
    let threads = fields.threads;
    let buckets = |most: u32, items: u32| {
        let enough = n.clone().divided_up_by(N::known(items.into())).next_power_of_two();
        enough.at_most(N::known(most.into()))
    };
    if is_of_rows(fields) {
        return buckets(threads, row_bucket_items(fields));
    }
    let come_first = samples_come_first(fields, n.clone());
    let mut many = buckets(threads, 2 * threads);
    if max_buckets(fields) > threads {
        let of_four_items_each = u64::from(4 * threads) * u64::from(threads);
        let are_most = n.clone().reaches(N::known(of_four_items_each + 1));
        many = N::choose(&are_most, N::known(max_buckets(fields).into()), many);
    }
    N::choose(&come_first, many, buckets(few_buckets(threads), threads))
}
