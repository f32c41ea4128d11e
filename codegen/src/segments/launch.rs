//! What a sort of segments launches, and the memory that it takes: both follow from the lengths of arrays alone.

use std::fmt;

use super::spec::{GROUP_LANES, LANES, SegmentSpec};
use crate::contract::device::host::{Cpp, CppTruth, Number, Truth as _};
use crate::contract::device::launch::Device;
use crate::types::ValueType;

/// Bytes of a list's entry.
const TILE_BYTES: u64 = 24;

/// The lengths of the lists and of the longest segment, in front of the lists.
pub const ZEROED_BYTES: u64 = 48;

/// Blocks that are launched for a multiprocessor, if there is work for as many: they go through lists, and the device alone knows how
/// long these are.
const BLOCKS_PER_MULTIPROCESSOR: u64 = 16;

/// The most items: far more than any device holds, and no number of bytes overflows.
pub const MAX_ITEMS: u64 = 1 << 56;

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

/// What launches and scratch follow from: numbers where Rust sorts, C++ expressions in a header.
#[derive(Clone, Debug)]
pub struct HostFacts<N: Number> {
    pub n: N,
    pub segments: N,
    pub longest: N,
    pub multiprocessors: N,
    pub absolute_positions: N::Truth,
}

impl HostFacts<u64> {
    fn of(problem: Problem, device: Device) -> Self {
        let Problem { n, segments, longest, absolute_positions } = problem;
        let multiprocessors = device.multiprocessors.max(1).into();
        Self { n, segments, longest, multiprocessors, absolute_positions }
    }
}

impl HostFacts<Cpp> {
    /// The variables of `templates/device/segmented_facade.cuh`: the offsets are on the device, and values are no positions.
    pub fn variables() -> Self {
        let variable = |name: &str| Cpp::Text(name.to_owned());
        Self {
            n: variable("n"),
            segments: variable("segments"),
            longest: variable("n"),
            multiprocessors: variable("multiprocessors"),
            absolute_positions: CppTruth::known(false),
        }
    }
}

/// A launch that is made where its condition holds, once or once a round.
#[derive(Clone, Debug)]
pub struct HostLaunch<N: Number> {
    pub condition: N::Truth,
    pub kernel: SegmentKernel,
    /// Rounds, of a kernel that takes their number: from 0 on.
    pub rounds: Option<N>,
    pub blocks: N,
    pub threads: u32,
    pub shared_bytes: u32,
}

impl SegmentSpec {
    /// The launches of a sort, in their order; none where there is nothing to do.
    pub fn launches(&self, problem: Problem, device: Device) -> Vec<SegmentLaunch> {
        let narrow = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let mut launches = Vec::new();
        for launch in self.host_launches(HostFacts::of(problem, device)) {
            let HostLaunch { condition, kernel, rounds, blocks, threads, shared_bytes } = launch;
            let numbers = match rounds.map(narrow) {
                Some(rounds) => (0..rounds).map(Some).collect(),
                None => vec![None],
            };
            let blocks = narrow(blocks);
            let one = |round| SegmentLaunch { kernel, round, blocks, threads, shared_bytes };
            launches.extend(numbers.into_iter().filter(|_| condition).map(one));
        }
        launches
    }

    /// The same, written once for Rust and for C++.
    pub(crate) fn host_launches<N: Number>(&self, facts: HostFacts<N>) -> Vec<HostLaunch<N>> {
        let [of_lanes, of_ranks, of_warps, of_blocks, of_long_segments] = self.capacities(&facts);
        let HostFacts { n, segments, longest, multiprocessors, absolute_positions } = facts;
        let is_some = |number: &N| number.clone().reaches(N::known(1));
        let is_longer_than = |items: u32| longest.clone().reaches(N::known(u64::from(items) + 1));
        let all = segments.clone().at_least(n.clone());
        let all = N::choose(&absolute_positions, all, segments.clone());
        let has_work = is_some(&n).and(is_some(&all));
        let most = multiprocessors.clone().times(N::known(BLOCKS_PER_MULTIPROCESSOR));
        // Rounds that no segment takes are launched too, and end the sooner the fewer blocks they have.
        let merges = multiprocessors.times(N::known(self.resident_merges().into()));
        let launch = |condition: N::Truth, kernel, work: N| HostLaunch {
            condition: has_work.clone().and(condition),
            kernel,
            rounds: None,
            // At most some thousands.
            blocks: work.at_least(N::known(1)).at_most(match kernel {
                SegmentKernel::Merge => merges.clone(),
                _ => most.clone(),
            }),
            threads: self.threads,
            shared_bytes: self.shared_bytes_of(kernel),
        };
        let of_block = |sorters: u32| N::known((self.threads / sorters).into());
        let groups = of_lanes.clone().divided_up_by(of_block(GROUP_LANES));
        let ranks = groups.at_least(of_ranks.divided_up_by(of_block(LANES)));
        let has_ranks = is_some(&of_lanes).and(is_longer_than(1));
        let warps = of_warps.clone().divided_up_by(of_block(LANES));
        let has_warps = N::Truth::known(self.warp_items() > LANES).and(is_some(&of_warps));
        let has_tiles = is_some(&segments).and(is_longer_than(self.warp_items()));
        let tiles = of_blocks.plus(of_long_segments.clone());
        let classify = all.divided_up_by(N::known(self.threads.into()));
        vec![
            launch(N::Truth::known(true), SegmentKernel::Classify, classify),
            launch(has_ranks, SegmentKernel::Ranks, ranks),
            launch(has_warps.and(is_longer_than(LANES)), SegmentKernel::Warps, warps),
            launch(has_tiles.clone(), SegmentKernel::Tiles, tiles),
            HostLaunch {
                rounds: Some(self.rounds(longest.clone())),
                ..launch(has_tiles, SegmentKernel::Merge, of_long_segments)
            },
        ]
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
        let device = Device { multiprocessors: 1, shared_bytes_per_block: 0 };
        let [workspace, keys, values] = self.host_scratch(&HostFacts::of(problem, device));
        Scratch { workspace, zeroed: ZEROED_BYTES, keys, values }
    }

    /// The bytes of the workspace, of the alternate keys and of the alternate values, written once for Rust and for C++.
    pub(crate) fn host_scratch<N: Number>(&self, facts: &HostFacts<N>) -> [N; 3] {
        let has_rounds = facts.longest.clone().reaches(N::known(u64::from(self.tile_items()) + 1));
        let alternate = N::choose(&has_rounds, facts.n.clone(), N::known(0));
        let value_bytes = if self.value == ValueType::Index { 4 } else { self.value.bytes() };
        let entries = self.capacities(facts).into_iter().reduce(Number::plus);
        let lists = entries.unwrap_or(N::known(0)).times(N::known(TILE_BYTES));
        let of = |bytes: u32| alternate.clone().times(N::known(bytes.into()));
        [lists.plus(N::known(ZEROED_BYTES)), of(self.key.bytes()), of(value_bytes)]
    }

    /// Rounds of merges of a segment of n items.
    fn rounds<N: Number>(&self, n: N) -> N {
        let tiles = n.divided_up_by(N::known(self.tile_items().into()));
        tiles.at_least(N::known(1)).next_power_of_two().log2()
    }

    /// The most entries of each list.
    fn capacities<N: Number>(&self, HostFacts { n, segments, .. }: &HostFacts<N>) -> [N; 5] {
        let fitting = |items: u32| n.clone().divided_by(N::known(items.into()));
        let listed = |least: u32| segments.clone().at_most(fitting(least));
        let (warps, tiles) = (fitting(self.warp_items()), fitting(self.tile_items()));
        [listed(2), listed(GROUP_LANES), listed(LANES), warps, tiles.times(N::known(2))]
    }
}
