//! What follows from a spec: how many buckets there are, and how many items blocks sort.

use super::chunks::{ChunkClass, chunk_storage};
use crate::contract::device::spec::DeviceFields;
use crate::types::Arch;

/// Threads of a block of the tuned shape; blocks of others have shared memory in proportion.
pub(super) const TUNED_THREADS: u32 = 512;

/// Items per thread of the blocks that sort the smaller chunks.
const CHUNK_ROWS: u32 = 16;

/// The same of those that sort the largest: the first for which there is room.
const LARGE_CHUNK_ROWS: [u32; 3] = [16, 12, 8];

/// The most items that the sort takes: positions in the array have 32 bits, also where they are rounded up to a tile or to what
/// a block sorts.
pub(crate) const MAX_ITEMS: u64 = (1 << 32) - (1 << 15);

/// Tiles that one block goes over where pieces are counted and located.
pub(super) const SPAN_TILES: u32 = 64;

/// Samples of a parent for each of its buckets.
pub(super) const SAMPLES_PER_BUCKET: u32 = 32;

/// What such a sort is made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct PartitionPlan {
    /// Parents, where there are two levels.
    pub(super) parents: u32,
    /// The most buckets of a parent.
    pub(super) buckets: u32,
    /// Buckets of the only level.
    pub(super) only_buckets: u32,
    /// The most items that have one level.
    pub(super) one_level_items: u64,
    /// The most samples that a block sorts.
    pub(super) max_samples: u32,
    /// Items of a bucket of the second level, on average.
    pub(super) target_items: u32,
    /// Threads of a block that lists buckets.
    pub(super) list_threads: u32,
    /// The blocks that sort chunks, the smallest first.
    pub(super) classes: [ChunkClass; 3],
}

impl PartitionPlan {
    /// The plan of legal fields.
    pub(super) fn of(fields: &DeviceFields) -> Self {
        let threads = fields.threads;
        let class = |name, title, threads, rows| ChunkClass { name, title, threads, rows };
        let large = |rows| class("large", "Large", 2 * threads, rows);
        let most = Arch::MAX_SHARED_BYTES / TUNED_THREADS * threads;
        let fits = |it: &ChunkClass| chunk_storage(fields, *it) <= most;
        let [_, _, least] = LARGE_CHUNK_ROWS.map(large);
        Self {
            parents: threads / 2,
            buckets: threads,
            only_buckets: 2 * threads,
            one_level_items: u64::from(threads) * u64::from(fields.tile_items()),
            max_samples: 16 * threads,
            target_items: 6 * threads,
            list_threads: 2 * threads,
            classes: [
                class("small", "Small", threads / 2, CHUNK_ROWS),
                class("medium", "Medium", threads, CHUNK_ROWS),
                LARGE_CHUNK_ROWS.map(large).into_iter().find(fits).unwrap_or(least),
            ],
        }
    }

    /// The most items that a block sorts.
    pub(super) fn max_chunk_items(&self) -> u32 {
        self.classes[self.classes.len() - 1].items()
    }

    /// Whether n items have two levels of buckets.
    pub(super) fn has_two_levels(&self, n: u64) -> bool {
        n > self.one_level_items
    }

    /// The header's `max_chunks`.
    pub(super) fn max_chunks(&self, fields: &DeviceFields, n: u64) -> u64 {
        let [parents, buckets] = [self.parents, self.buckets].map(u64::from);
        let of_two_levels = (n / u64::from(self.target_items) + 2 * parents).min(parents * buckets);
        let buckets =
            if self.has_two_levels(n) { of_two_levels } else { u64::from(self.only_buckets) };
        buckets + fields.tile_count(n)
    }
}
