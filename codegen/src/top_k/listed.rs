//! What the host launches for top-ks of long rows: a limit for each row from the samples of several blocks, and what survives it in one list.

use super::host::{HostFacts, HostNumber, Real, narrow};
use super::launch::{TopKLaunch, TopKRows, of_lists};
use super::spec::TopKSpec;
use crate::contract::device::host::{Number, Truth as _};

/// The launches of one top-k that has a list for each row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListedLaunches {
    /// How the limit of a row is found.
    pub sample: RowSample,
    /// Survivors that a row's list has room for.
    pub room: u32,
    /// Chunks of a row, each of which a block filters.
    pub chunks: u32,
    /// Chunks of a row that are searched for k candidates each, where the survivors are fewer than k or too many.
    pub groups: u32,
    /// The launch of [`TopKKernel::Samples`](super::TopKKernel::Samples).
    pub samples: TopKLaunch,
    /// That of [`TopKKernel::Filtered`](super::TopKKernel::Filtered).
    pub filtered: TopKLaunch,
    /// That of [`TopKKernel::Listed`](super::TopKKernel::Listed).
    pub listed: TopKLaunch,
    /// That of [`TopKKernel::Candidates`](super::TopKKernel::Candidates), which finds nothing to do where a list had room for the survivors.
    pub candidates: TopKLaunch,
}

/// The sample of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowSample {
    /// Blocks that have a tile of it each.
    pub blocks: u32,
    /// Items that each of them keeps.
    pub kept: u32,
    /// Which of these is the limit, from 1.
    pub rank: u32,
}

/// Where the arrays begin that the launches share, in words of 4 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListedScratch {
    /// The survivors' bits; the samples' bits are at the beginning.
    pub bits: u64,
    /// The samples' positions.
    pub sample_positions: u64,
    /// The survivors' positions.
    pub positions: u64,
    /// How many each row has.
    pub counts: u64,
    /// The groups' candidates.
    pub of_groups: u64,
    /// All words.
    pub words: u64,
}

/// The fewest columns of a row: shorter rows are searched in less time without lists.
const MIN_COLUMNS: u64 = 1 << 22;

/// Items of all rows' lists and samples.
const MAX_LISTED: u64 = 1 << 20;

/// Blocks that sample a row, and columns of it for each sampled item.
const MAX_SAMPLING_BLOCKS: u64 = 512;
const MIN_DISTANCE: u64 = 8;

/// Survivors at most, where more samples would make them fewer: a multiple of k, or so few that it does not matter.
const MOST_OF_K: u64 = 3;
const FEW_SURVIVORS: u64 = 1536;

/// Neighbouring items of a sample.
const SAMPLE_RUN: f64 = 4.0;

/// Rooms of lists are multiples of this.
const ROOM_STEP: u64 = 256;

/// Standard deviations of what is counted, within which hardly any count differs from its expectation.
const DEVIATIONS: f64 = 4.0;

/// The sample of a row by some blocks, in numbers of the host.
#[derive(Clone, Debug)]
pub(crate) struct HostSample<N> {
    pub kept: N,
    pub rank: N,
    /// Hardly any row has more survivors.
    pub most: N,
    /// What is kept of a row.
    pub items: N,
}

/// What is launched for rows, in numbers of the host.
#[derive(Clone, Debug)]
pub(crate) struct HostListed<N> {
    pub room: N,
    pub chunks: N,
    pub groups: N,
}

impl RowSample {
    /// Items that are kept of a row.
    pub fn items(&self) -> u32 {
        self.blocks * self.kept
    }
}

/// Hardly any count of what is expected to be these many is more.
fn more<R: Real>(expected: R) -> R {
    let deviation = R::known(DEVIATIONS).times(expected.clone().root());
    expected.plus(deviation).plus(R::known(SAMPLE_RUN))
}

impl TopKSpec {
    /// Survivors that a block has room for, and kept items of samples.
    fn buffer_items(&self) -> u64 {
        2 * u64::from(self.tile_items())
    }

    /// The sample of a tile by each of some blocks, written once for Rust and for C++.
    pub(crate) fn host_sample<N: HostNumber>(&self, columns: N, k: N, blocks: N) -> HostSample<N> {
        let tiles = N::Real::known(self.tile_items().into()).times(blocks.clone().real());
        let distance = columns.real().over(tiles);
        let rank = N::truncated(more(k.real().over(distance.clone())));
        let kept = N::truncated(more(rank.clone().real().over(blocks.clone().real())));
        // One more than the limit says how far away the next one is.
        let kept = kept.at_most(rank.clone().plus(N::known(1)));
        let most = N::truncated(more(rank.clone().real()).times(distance));
        HostSample { items: blocks.times(kept.clone()), kept, rank, most }
    }

    /// Blocks that sample a row, the fewest that leave few survivors; 0 where survivors are too many for a block whatever the sample is.
    pub(crate) fn host_sampling_blocks<N: HostNumber>(
        &self,
        columns: &N,
        k: &N,
        sample: impl Fn(N) -> HostSample<N>,
    ) -> N {
        let (tile, buffer) = (u64::from(self.tile_items()), self.buffer_items());
        let most_blocks = columns.clone().divided_by(N::known(MIN_DISTANCE * tile));
        let is_at_most = |number: N, most: u64| N::known(most).reaches(number);
        let is_legal = |blocks: N| {
            let HostSample { kept, rank, most, items } = sample(blocks.clone());
            let is_short = most_blocks.clone().reaches(blocks);
            let has_room = is_at_most(most, buffer).and(is_at_most(kept, tile));
            let has_rank = items.clone().reaches(rank.plus(N::known(1)));
            is_short.and(has_room).and(has_rank).and(is_at_most(items, buffer))
        };
        let few = k.clone().times(N::known(MOST_OF_K)).at_least(N::known(FEW_SURVIVORS));
        let is_enough = |blocks| few.clone().reaches(sample(blocks).most);
        N::power_of_two(MAX_SAMPLING_BLOCKS, is_legal, is_enough)
    }

    /// Whether rows are long enough for lists, and there is something to find.
    pub(crate) fn host_has_long_rows<N: HostNumber>(facts: &HostFacts<N>) -> N::Truth {
        let HostFacts { rows, columns, k, .. } = facts.clone();
        let has_keys = rows.reaches(N::known(1)).and(k.reaches(N::known(1)));
        let is_long = columns.clone().reaches(N::known(MIN_COLUMNS));
        has_keys.and(is_long).and(N::known(u32::MAX.into()).reaches(columns))
    }

    /// The room of a list, the chunks of a row and its groups.
    pub(crate) fn host_listed<N: HostNumber>(
        &self,
        facts: &HostFacts<N>,
        most: N,
    ) -> HostListed<N> {
        let HostFacts { rows, columns, k, multiprocessors } = facts.clone();
        let known = N::known;
        let of_row = |resident: u32| {
            let blocks = multiprocessors.clone().times(known(resident.into()));
            blocks.divided_by(rows.clone()).at_least(known(1))
        };
        let tiles = columns.clone().divided_by(known(self.tile_items().into()));
        // A group takes as long as the launch over all groups' candidates, a key of which takes four times as long.
        let balanced = columns.clone().divided_by(k.times(known(4))).root();
        let groups = balanced.at_most(of_row(self.resident_blocks())).at_least(known(1));
        HostListed {
            room: most.next_multiple_of(ROOM_STEP).at_most(known(self.buffer_items())),
            chunks: of_row(self.filtering_blocks()).at_most(tiles),
            groups: groups.at_most(columns.divided_by(known(self.min_chunk()))),
        }
    }

    /// Whether there is memory for the lists and samples of all rows.
    pub(crate) fn host_are_listed<N: Number>(rows: N, room: N, sampled: N) -> N::Truth {
        N::known(MAX_LISTED).reaches(rows.times(room.plus(sampled)))
    }

    /// The launches of a top-k on a device of this many multiprocessors, where it is one that has a list for each row.
    pub fn listed_launches(&self, shape: TopKRows, multiprocessors: u32) -> Option<ListedLaunches> {
        let facts = HostFacts::of(shape, multiprocessors);
        let HostFacts { rows, columns, k, .. } = facts;
        if !Self::host_has_long_rows(&facts) {
            return None;
        }
        let sample = |blocks| self.host_sample(columns, k, blocks);
        let blocks = self.host_sampling_blocks(&columns, &k, sample);
        if blocks == 0 {
            return None;
        }
        let HostSample { kept, rank, most, items } = sample(blocks);
        let HostListed { room, chunks, groups } = self.host_listed(&facts, most);
        if !Self::host_are_listed(rows, room, items) {
            return None;
        }
        let launch = |of_row: u64| TopKLaunch {
            blocks: narrow(rows * of_row),
            threads: self.threads,
            shared_bytes: self.shared_bytes(),
        };
        let [blocks_of_row, kept, rank] = [blocks, kept, rank].map(narrow);
        Some(ListedLaunches {
            sample: RowSample { blocks: blocks_of_row, kept, rank },
            room: narrow(room),
            chunks: narrow(chunks),
            groups: narrow(groups),
            samples: launch(blocks),
            filtered: launch(chunks),
            listed: launch(groups),
            candidates: launch(1),
        })
    }

    /// Where the arrays are that such launches share.
    pub fn listed_scratch(&self, rows: u64, k: u32, launches: &ListedLaunches) -> ListedScratch {
        let ListedLaunches { sample, room, groups, .. } = *launches;
        let numbers = [sample.items(), room, groups].map(u64::from);
        let words = self.host_listed_words(rows, k.into(), numbers);
        let [bits, sample_positions, positions, counts, of_groups, words] = words;
        ListedScratch { bits, sample_positions, positions, counts, of_groups, words }
    }

    /// Where the survivors' bits begin, the samples' positions, the survivors', the counts and the groups' candidates, and all words; written
    /// once for Rust and for C++.
    pub(crate) fn host_listed_words<N: Number>(
        &self,
        rows: N,
        k: N,
        [of_sample, room, groups]: [N; 3],
    ) -> [N; 6] {
        let words_of_bits = || N::known(self.words_of_bits());
        let (sampled, listed) = (rows.clone().times(of_sample), rows.clone().times(room));
        let bits = sampled.clone().times(words_of_bits());
        let sample_positions = bits.clone().plus(listed.clone().times(words_of_bits()));
        let positions = sample_positions.clone().plus(sampled);
        let counts = positions.clone().plus(listed);
        let of_groups = counts.clone().plus(rows.clone());
        let words = of_groups.clone().plus(of_lists(rows, k, groups));
        [bits, sample_positions, positions, counts, of_groups, words]
    }

    /// The most words of scratch of such launches for this k, whatever the number of rows, which have this many columns at most.
    pub fn max_listed_words(&self, columns: u64, k: u32, multiprocessors: u32) -> u64 {
        if columns < MIN_COLUMNS {
            return 0;
        }
        let rows = MAX_LISTED / ROOM_STEP.max(k.into());
        let lists = rows + self.resident(multiprocessors);
        MAX_LISTED * (1 + self.words_of_bits()) + rows + lists * u64::from(k)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launches(spec: &str, rows: u64, columns: u64, k: u32) -> Option<ListedLaunches> {
        let spec: TopKSpec = spec.parse().expect("legal");
        spec.listed_launches(TopKRows { rows, columns, k }, 132)
    }

    #[test]
    fn long_rows_have_lists() {
        let numbers = |it: ListedLaunches| {
            let RowSample { blocks, kept, rank, .. } = it.sample;
            [blocks, kept, rank, it.room, it.chunks, it.groups]
        };
        let of = |rows, columns, k| {
            launches("block_top_k_f32_b256_i8_desc", rows, columns, k).map(numbers)
        };
        assert_eq!(of(1, 1 << 24, 1024), Some([256, 6, 58, 3072, 528, 64]));
        assert_eq!(of(4, 1 << 22, 1024), Some([64, 8, 58, 3072, 132, 32]));
        assert_eq!(of(64, 128_256, 1024), None);
        assert_eq!(of(1, (1 << 22) - 1, 50), None);
        assert_eq!(of(1000, 1 << 22, 50), None);
        assert_eq!(of(1, 1 << 27, 1024), None);
        assert_eq!(of(1, 1 << 32, 50), None);
        let longest = launches("block_top_k_f32_b512_i8_desc", 1, 1 << 27, 1024);
        assert_eq!(longest.map(numbers), Some([512, 5, 36, 4096, 264, 132]));
    }

    #[test]
    fn scratch_is_never_more_than_is_reserved() {
        for name in ["block_top_k_f32_b256_i8_desc", "block_top_k_u128_b512_i8_asc"] {
            let spec: TopKSpec = name.parse().expect("legal");
            let rows = [1, 8, 64, 500, 680, 1000];
            for (rows, k) in rows.into_iter().flat_map(|rows| [1, 50, 1024].map(|k| (rows, k))) {
                for multiprocessors in [1, 20, 132] {
                    let shape = TopKRows { rows, columns: 1 << 22, k };
                    let launches = spec.listed_launches(shape, multiprocessors);
                    let words = launches.map(|it| spec.listed_scratch(rows, k, &it).words);
                    let most = spec.max_listed_words(shape.columns, k, multiprocessors);
                    assert!(words.is_none_or(|words| words <= most), "{name}, {shape:?}");
                }
            }
        }
    }
}
