//! The memory by which the blocks of one launch publish their counts.

use super::chunks::Chunks;
use super::spec::{BinnedSpec, MAX_BINS};

/// How the blocks of a launch of [`super::BinnedKernel::Chunks`] publish their counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// Words of 64 bits of an even launch, and of an odd one. One number for all that use the same memory.
    pub capacity: u32,
    /// The counts of two to the power of this neighbouring chunks are added up: 7 at most.
    pub group_bits: u32,
    /// How often a block polls a word before it counts the row by itself.
    pub polls: u32,
}

/// Words in front of those of launches.
const STATE_WORDS: u64 = 16;

/// Groups of 16 chunks: a block reads sums of as many groups as counts of chunks where a row has 256.
const GROUP_BITS: u32 = 4;

/// A poll takes about half a microsecond: a millisecond, which is what a block takes to count a million keys.
const POLLS: u32 = 1 << 11;

impl Exchange {
    /// For all specs on a device with this many multiprocessors, each of which has a block at most.
    pub fn of(multiprocessors: u32) -> Self {
        // A row has two chunks or more, so its groups are at most 9 for 16 of its chunks.
        let counts = (MAX_BINS + 1).next_multiple_of(8);
        let words = u64::from(multiprocessors.max(1)) * u64::from(counts) * (8 + 9) / 32;
        let capacity = u32::try_from(words + 1).unwrap_or(u32::MAX);
        Self { capacity, group_bits: GROUP_BITS, polls: POLLS }
    }

    /// Bytes of the memory.
    pub fn bytes(self) -> u64 {
        8 * (STATE_WORDS + 2 * u64::from(self.capacity))
    }

    /// Words that a launch takes.
    pub fn words(self, spec: &BinnedSpec, rows: u64, chunks: Chunks) -> u64 {
        let groups = chunks.count.div_ceil(1 << self.group_bits);
        let counts = u64::from(spec.chunk_counts());
        rows * (u64::from(chunks.count) * (counts / 4) + u64::from(groups) * (counts / 2))
    }
}
