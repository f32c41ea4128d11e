//! What a sort of segments launches, and the memory that it takes: both follow from the lengths of arrays alone.

use std::fmt;

use super::spec::{GROUP_LANES, LANES, SegmentSpec};
use crate::contract::device::launch::Device;
use crate::types::ValueType;

/// Bytes of a list's entry.
const TILE_BYTES: u64 = 24;

/// The lengths of the lists and of the longest segment, in front of the lists.
const ZEROED_BYTES: u64 = 48;

/// Blocks that are launched for a multiprocessor, if there is work for as many: they go through lists, and the device alone knows how
/// long these are.
const BLOCKS_PER_MULTIPROCESSOR: u64 = 16;

/// How much there is to sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Items of the array.
    pub n: u64,
    /// Segments, of which the device may sort fewer.
    pub segments: u64,
    /// The most items of a segment: those of the array, where the device alone knows.
    pub longest: u64,
    /// Whether positions are those in the array, of all of its items, and not those in segments.
    pub absolute_positions: bool,
}

/// A kernel of a sort of segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SegmentKernel {
    /// Lists the segments by their lengths.
    Classify,
    /// Sorts segments of at most an item for each lane of a warp, by ranks.
    Ranks,
    /// Sorts short segments, each by a warp.
    Warps,
    /// Sorts segments of at most a tile, and tiles of longer ones, each by a block.
    Tiles,
    /// Merges the runs of long segments, two by two.
    Merge,
}

impl SegmentKernel {
    /// All of them, in the order of a header.
    pub const ALL: [Self; 5] = [Self::Classify, Self::Ranks, Self::Warps, Self::Tiles, Self::Merge];

    /// What its symbol has behind the spec's name.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Classify => "_classify",
            Self::Ranks => "_ranks",
            Self::Warps => "_warps",
            Self::Tiles => "_tiles",
            Self::Merge => "_merge",
        }
    }
}

/// One launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentLaunch {
    /// The kernel.
    pub kernel: SegmentKernel,
    /// The round, which [`SegmentKernel::Merge`] takes as an `int` behind the arguments.
    pub round: Option<u32>,
    /// Blocks, along x.
    pub blocks: u32,
    /// Threads of each, along x.
    pub threads: u32,
    /// Bytes of dynamic shared memory.
    pub shared_bytes: u32,
}

impl fmt::Display for SegmentLaunch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kernel, round, blocks, threads, shared_bytes } = self;
        f.write_str(kernel.suffix())?;
        round.map_or(Ok(()), |round| write!(f, " {round}"))?;
        write!(f, " <<<{blocks}, {threads}, {shared_bytes}>>>")
    }
}

/// Bytes of device memory that a sort takes beside its arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scratch {
    /// The workspace.
    pub workspace: u64,
    /// The first bytes of it, which are zero when a sort begins.
    pub zeroed: u64,
    /// The alternate keys.
    pub keys: u64,
    /// The alternate values.
    pub values: u64,
}

impl SegmentSpec {
    /// The launches of a sort, in their order; none where there is nothing to do.
    pub fn launches(&self, problem: Problem, device: Device) -> Vec<SegmentLaunch> {
        let Problem { n, segments, longest, absolute_positions } = problem;
        let [of_lanes, of_ranks, of_warps, of_blocks, of_long_segments] = self.capacities(problem);
        let all = if absolute_positions { segments.max(n) } else { segments };
        if n == 0 || all == 0 {
            return Vec::new();
        }
        let threads = u64::from(self.threads);
        let most = u64::from(device.multiprocessors.max(1)) * BLOCKS_PER_MULTIPROCESSOR;
        // Rounds that no segment takes are launched too, and end the sooner the fewer blocks they have.
        let merges = u64::from(device.multiprocessors.max(1)) * u64::from(self.resident_merges());
        let launch = |kernel, round, work: u64| SegmentLaunch {
            kernel,
            round,
            // At most some thousands.
            blocks: work.clamp(1, if kernel == SegmentKernel::Merge { merges } else { most })
                as u32,
            threads: self.threads,
            shared_bytes: self.shared_bytes_of(kernel),
        };
        let mut launches = vec![launch(SegmentKernel::Classify, None, all.div_ceil(threads))];
        if of_lanes > 0 && longest > 1 {
            let groups = of_lanes.div_ceil(threads / u64::from(GROUP_LANES));
            let warps = of_ranks.div_ceil(threads / u64::from(LANES));
            launches.push(launch(SegmentKernel::Ranks, None, groups.max(warps)));
        }
        if of_warps > 0 && self.warp_items() > LANES && longest > u64::from(LANES) {
            let warps = of_warps.div_ceil(threads / u64::from(LANES));
            launches.push(launch(SegmentKernel::Warps, None, warps));
        }
        if segments > 0 && longest > u64::from(self.warp_items()) {
            launches.push(launch(SegmentKernel::Tiles, None, of_blocks + of_long_segments));
            let rounds = (0..self.rounds(longest)).map(Some);
            launches
                .extend(rounds.map(|round| launch(SegmentKernel::Merge, round, of_long_segments)));
        }
        launches
    }

    /// The dynamic shared memory of a kernel's block.
    pub fn shared_bytes_of(&self, kernel: SegmentKernel) -> u32 {
        match kernel {
            SegmentKernel::Classify => self.classify_shared_bytes(),
            SegmentKernel::Ranks => self.rank_shared_bytes(),
            SegmentKernel::Warps | SegmentKernel::Merge => self.shared_bytes(),
            SegmentKernel::Tiles => self.tile_shared_bytes(),
        }
    }

    /// The scratch of a sort.
    pub fn scratch(&self, problem: Problem) -> Scratch {
        let has_rounds = self.rounds(problem.longest) > 0;
        let alternate = if has_rounds { problem.n } else { 0 };
        let value_bytes =
            if self.value == ValueType::Index { 4 } else { u64::from(self.value.bytes()) };
        Scratch {
            workspace: ZEROED_BYTES + TILE_BYTES * self.capacities(problem).iter().sum::<u64>(),
            zeroed: ZEROED_BYTES,
            keys: alternate * u64::from(self.key.bytes()),
            values: alternate * value_bytes,
        }
    }

    /// Rounds of merges of a segment of n items.
    fn rounds(&self, n: u64) -> u32 {
        n.div_ceil(u64::from(self.tile_items())).max(1).next_power_of_two().ilog2()
    }

    /// The most entries of each list.
    fn capacities(&self, Problem { n, segments, .. }: Problem) -> [u64; 5] {
        let (warp, tile) = (u64::from(self.warp_items()), u64::from(self.tile_items()));
        let listed = |least: u32| segments.min(n / u64::from(least));
        [listed(2), listed(GROUP_LANES), listed(LANES), n / warp, 2 * (n / tile)]
    }
}
