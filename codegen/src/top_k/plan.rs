//! The launches of a top-k in their order: written once for Rust and for C++.

use super::AnyTopK;
use super::launch::{TopKKernel, TopKLaunch, TopKLaunches, TopKRows};
use super::listed::{ListedLaunches, ListedScratch, RowSample};
use super::ranked::{RankedLaunches, RankedScratch};
use crate::contract::device::host::{Number, Truth as _};

/// What launches of chunks and groups read and write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TopKLists {
    /// The candidates of the chunks of each row, which are at the beginning of what the launches share.
    Chunks,
    /// The candidates of the groups.
    Groups,
    /// The results of each row.
    Results,
}

/// What a launch does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TopKStep {
    /// Searches the chunks of rows, or rows.
    Rows {
        /// Where it writes what it finds.
        to: TopKLists,
    },
    /// Searches candidates.
    Candidates {
        /// Which.
        from: TopKLists,
        /// Where it writes what it finds.
        to: TopKLists,
    },
    /// [`TopKKernel::Survivors`].
    Survivors,
    /// [`TopKKernel::Ranked`].
    Ranked,
    /// [`TopKKernel::Samples`].
    Samples,
    /// [`TopKKernel::Filtered`].
    Filtered,
    /// [`TopKKernel::Listed`].
    Listed,
}

/// The last launch where blocks of earlier ones may have left candidates; it finds nothing to do where these have written results.
const AMONG_GROUPS: TopKStep =
    TopKStep::Candidates { from: TopKLists::Groups, to: TopKLists::Results };

/// The launches that rank survivors, or of one ranker select them, with the condition of each.
pub(crate) fn ranked<N: Number>(rankers: N) -> [(N::Truth, TopKStep); 3] {
    let always = || N::Truth::known(true);
    [
        (always(), TopKStep::Survivors),
        (always(), TopKStep::Ranked),
        (rankers.reaches(N::known(2)), AMONG_GROUPS),
    ]
}

/// The launches that have a list for each row.
pub(crate) const LISTED: [TopKStep; 4] =
    [TopKStep::Samples, TopKStep::Filtered, TopKStep::Listed, AMONG_GROUPS];

/// The launches of chunks and groups of them, with the condition of each.
pub(crate) fn split<N: Number>(chunks: N, groups: N) -> [(N::Truth, TopKStep); 5] {
    use TopKLists::{Chunks, Groups, Results};
    let [has_chunks, has_groups] = [chunks, groups].map(|it| it.reaches(N::known(2)));
    let has_chunks_alone = has_chunks.clone().and(has_groups.clone().not());
    [
        (has_chunks.clone().not(), TopKStep::Rows { to: Results }),
        (has_chunks, TopKStep::Rows { to: Chunks }),
        (has_groups.clone(), TopKStep::Candidates { from: Chunks, to: Groups }),
        (has_groups, AMONG_GROUPS),
        (has_chunks_alone, TopKStep::Candidates { from: Chunks, to: Results }),
    ]
}

impl TopKStep {
    /// The kernel.
    pub const fn kernel(self) -> TopKKernel {
        match self {
            Self::Rows { .. } => TopKKernel::Rows,
            Self::Candidates { .. } => TopKKernel::Candidates,
            Self::Survivors => TopKKernel::Survivors,
            Self::Ranked => TopKKernel::Ranked,
            Self::Samples => TopKKernel::Samples,
            Self::Filtered => TopKKernel::Filtered,
            Self::Listed => TopKKernel::Listed,
        }
    }
}

/// The launches of one top-k, and what they take beside its arrays: numbers, and where arrays begin that they share, in words of 4 bytes. What
/// no launch takes is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TopKPlan {
    /// Chunks of a row.
    pub chunks: u32,
    /// Blocks of a row that rank its survivors.
    pub rankers: u32,
    /// Groups of a row's chunks, or of its columns.
    pub groups: u32,
    /// Which item of a row's sample is the limit of its survivors.
    pub rank: u32,
    /// How the limit of a row is found.
    pub sample: RowSample,
    /// Survivors that a row's list has room for.
    pub room: u32,
    /// The survivors' bits.
    pub bits: u64,
    /// The samples' positions. Their bits are at the beginning.
    pub sample_positions: u64,
    /// The survivors' positions.
    pub positions: u64,
    /// How many each chunk or each row has.
    pub counts: u64,
    /// The groups' candidates.
    pub of_groups: u64,
    /// All words that launches share.
    pub scratch_words: u64,
    steps: [Option<(TopKStep, TopKLaunch)>; 4],
}

impl TopKPlan {
    /// The launches in their order. The first one begins in order, and each other one waits on the device for the one before it.
    pub fn steps(&self) -> impl Iterator<Item = (TopKStep, TopKLaunch)> + use<> {
        self.steps.into_iter().flatten()
    }

    /// The lists of a row: of chunks or of groups.
    pub const fn lists(&self, lists: TopKLists) -> u32 {
        match lists {
            TopKLists::Chunks => self.chunks,
            TopKLists::Groups => self.groups,
            TopKLists::Results => 1,
        }
    }

    fn with(mut self, steps: impl Iterator<Item = (TopKStep, TopKLaunch)>) -> Self {
        self.steps.iter_mut().zip(steps).for_each(|(to, step)| *to = Some(step));
        self
    }

    fn of_split(shape: TopKRows, launches: &TopKLaunches) -> Self {
        let TopKLaunches { chunks, groups, .. } = *launches;
        let steps = split(u64::from(chunks), u64::from(groups)).into_iter().filter(|it| it.0);
        let launch = |(_, step)| {
            let launch = match step {
                TopKStep::Rows { .. } => Some(launches.rows),
                TopKStep::Candidates { to: TopKLists::Groups, .. } => launches.of_groups,
                _ => launches.candidates,
            };
            launch.map(|launch| (step, launch))
        };
        let (of_groups, scratch_words) =
            (launches.start_of_groups(shape), launches.candidates(shape));
        Self { chunks, groups, of_groups, scratch_words, ..Self::default() }
            .with(steps.filter_map(launch))
    }

    fn of_ranked(launches: &RankedLaunches, scratch: RankedScratch) -> Self {
        let RankedLaunches { chunks, rankers, groups, rank, candidates, .. } = *launches;
        let RankedScratch { positions, counts, of_groups, words: scratch_words } = scratch;
        let steps = ranked(u64::from(rankers)).into_iter().filter(|it| it.0);
        let steps = steps.filter_map(|(_, step)| {
            let launch = match step {
                TopKStep::Survivors => Some(launches.survivors),
                TopKStep::Ranked => Some(launches.ranked),
                _ => candidates,
            };
            launch.map(|launch| (step, launch))
        });
        let numbers = Self { chunks, rankers, groups, rank, ..Self::default() };
        Self { positions, counts, of_groups, scratch_words, ..numbers }.with(steps)
    }

    fn of_listed(launches: &ListedLaunches, scratch: ListedScratch) -> Self {
        let ListedLaunches { sample, room, chunks, groups, .. } = *launches;
        let ListedScratch { bits, sample_positions, positions, counts, of_groups, words } = scratch;
        let scratch_words = words;
        let steps = LISTED.into_iter().map(|step| match step {
            TopKStep::Samples => (step, launches.samples),
            TopKStep::Filtered => (step, launches.filtered),
            TopKStep::Listed => (step, launches.listed),
            _ => (step, launches.candidates),
        });
        let numbers = Self { chunks, groups, sample, room, ..Self::default() };
        Self { bits, sample_positions, positions, counts, of_groups, scratch_words, ..numbers }
            .with(steps)
    }
}

impl AnyTopK {
    /// What the host launches on a device of this many multiprocessors; none where there are no rows or no keys to find. Survivors are ranked or
    /// selected where that is the faster way; else each row has a list if that is, or rows are searched in chunks.
    pub fn plan(&self, shape: TopKRows, is_sorted: bool, multiprocessors: u32) -> Option<TopKPlan> {
        let TopKRows { rows, k, .. } = shape;
        let spec = match self {
            Self::Block(spec) => spec,
            Self::Warp(spec) => {
                let launches = spec.launches(shape, multiprocessors)?;
                return Some(TopKPlan::of_split(shape, &launches));
            }
        };
        if let Some(launches) = spec.ranked_launches(shape, is_sorted, multiprocessors) {
            let scratch = spec.ranked_scratch(rows, k, &launches);
            return Some(TopKPlan::of_ranked(&launches, scratch));
        }
        if let Some(launches) = spec.listed_launches(shape, multiprocessors) {
            let scratch = spec.listed_scratch(rows, k, &launches);
            return Some(TopKPlan::of_listed(&launches, scratch));
        }
        let launches = spec.launches(shape, multiprocessors)?;
        Some(TopKPlan::of_split(shape, &launches))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::top_k::TopKSpec;

    #[test]
    fn rows_are_split_or_survivors_are_ranked_or_listed() {
        let spec: TopKSpec = "block_top_k_f32_b256_i8_desc".parse().expect("legal");
        let steps_of_rows = |rows, columns, k, is_sorted| {
            let shape = TopKRows { rows, columns, k };
            let plan = AnyTopK::from(spec).plan(shape, is_sorted, 132);
            plan.map(|it| it.steps().map(|(step, _)| step).collect::<Vec<_>>())
        };
        let steps = |columns, k, is_sorted| steps_of_rows(1, columns, k, is_sorted);
        let [chunks, groups, results] = [TopKLists::Chunks, TopKLists::Groups, TopKLists::Results];
        let candidates = |from, to| TopKStep::Candidates { from, to };
        let to_chunks = TopKStep::Rows { to: chunks };
        assert_eq!(steps(1000, 0, true), None);
        assert_eq!(steps(1000, 50, true), Some(vec![TopKStep::Rows { to: results }]));
        let selected = vec![TopKStep::Survivors, TopKStep::Ranked];
        let ranked = [&selected[..], &[candidates(groups, results)]].concat();
        assert_eq!(steps(128_256, 50, true), Some(ranked));
        assert_eq!(steps(128_256, 50, false), Some(selected.clone()));
        assert_eq!(steps_of_rows(64, 128_256, 1024, true), Some(selected));
        let of_chunks = vec![to_chunks, candidates(chunks, results)];
        assert_eq!(steps(1 << 20, 8, false), Some(of_chunks));
        let of_groups = vec![to_chunks, candidates(chunks, groups), candidates(groups, results)];
        assert_eq!(steps(1 << 21, 1024, false), Some(of_groups));
        assert_eq!(steps(1 << 24, 50, false), Some(LISTED.to_vec()));
    }
}
