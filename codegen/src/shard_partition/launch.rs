//! What a partition of a shard launches.

use super::spec::ShardSpec;

/// A kernel of a partition of a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShardKernel {
    /// Reads the samples of a shard.
    Samples,
    /// Picks splitters of the sorted samples of all ranks.
    Splitters,
    /// Counts each tile's items of each bucket.
    Count,
    /// Makes these counts offsets.
    Scan,
    /// Moves the items.
    Scatter,
}

impl ShardKernel {
    /// All of them, in the order of a header and of their launches.
    pub const ALL: [Self; 5] =
        [Self::Samples, Self::Splitters, Self::Count, Self::Scan, Self::Scatter];

    /// What its symbol has behind the spec's name.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Samples => "_samples",
            Self::Splitters => "_splitters",
            Self::Count => "_count",
            Self::Scan => "_scan",
            Self::Scatter => "_scatter",
        }
    }
}

/// One launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShardLaunch {
    /// The kernel.
    pub kernel: ShardKernel,
    /// Blocks, along x; none if there is nothing to do.
    pub blocks: u32,
    /// Threads of each, along x.
    pub threads: u32,
    /// Bytes of dynamic shared memory.
    pub shared_bytes: u32,
}

impl ShardSpec {
    /// Tiles of a shard of n items.
    pub fn tiles(&self, n: u64) -> u64 {
        n.div_ceil(u64::from(self.tile_items()))
    }

    /// Bytes of the counts of a shard of n items in this number of buckets.
    pub fn offset_bytes(&self, n: u64, buckets: u32) -> u64 {
        8 * self.tiles(n) * u64::from(buckets)
    }

    /// The launch of a kernel for a shard of n items, in this number of buckets and with room for this number of samples.
    pub fn launch(&self, kernel: ShardKernel, n: u64, buckets: u32, samples: u32) -> ShardLaunch {
        // A shard that needs more tiles than a grid has blocks is longer than any memory.
        let tiles = self.tiles(n).min(i32::MAX as u64) as u32;
        let (blocks, shared_bytes) = match kernel {
            ShardKernel::Samples => (samples.div_ceil(self.threads), 0),
            ShardKernel::Splitters => (1, 0),
            ShardKernel::Count => (tiles, self.count_shared_bytes()),
            ShardKernel::Scan => (buckets, 0),
            ShardKernel::Scatter => (tiles, self.scatter_shared_bytes()),
        };
        ShardLaunch { kernel, blocks, threads: self.threads, shared_bytes }
    }
}
