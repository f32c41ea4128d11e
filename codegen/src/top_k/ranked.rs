//! What the host launches for top-ks of long rows that several blocks have a chunk of each: they keep what a sample of the row lets pass. Then several
//! blocks rank that, or one selects it.

use super::host::{HostFacts, HostNumber, Real, either, narrow};
use super::launch::{TopKLaunch, TopKRows, of_lists};
use super::spec::TopKSpec;
use crate::contract::device::host::{Number, Truth as _};

/// The launches of one sorted top-k that ranks survivors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedLaunches {
    /// Chunks of a row, each of which a block searches for survivors.
    pub chunks: u32,
    /// Blocks of a row that rank its survivors; one selects them.
    pub rankers: u32,
    /// Chunks of a row that are searched for k candidates each, where the survivors are fewer than k or too many; one ranker searches the row.
    pub groups: u32,
    /// Which item of a row's sample is the limit, from 1.
    pub rank: u32,
    /// The launch of [`TopKKernel::Survivors`](super::TopKKernel::Survivors).
    pub survivors: TopKLaunch,
    /// That of [`TopKKernel::Ranked`](super::TopKKernel::Ranked).
    pub ranked: TopKLaunch,
    /// That of [`TopKKernel::Candidates`](super::TopKKernel::Candidates), which finds nothing to do where survivors were ranked; none of one ranker.
    pub candidates: Option<TopKLaunch>,
}

/// Where the arrays begin that the launches share, in words of 4 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedScratch {
    /// The survivors' positions. Their bits are at the beginning.
    pub positions: u64,
    /// How many each chunk has.
    pub counts: u64,
    /// The groups' candidates.
    pub of_groups: u64,
    /// All words.
    pub words: u64,
}

/// Rows of which there are more have too few blocks each to rank survivors.
const MAX_ROWS: u64 = 8;

/// Columns of all rows, where there are several: with more of them each row has too few blocks to rank its survivors.
const MAX_COLUMNS_OF_ROWS: u64 = 1 << 21;

/// Columns of a row where one block selects survivors: the block searches these where survivors are fewer than k or too many.
const MAX_COLUMNS_OF_ONE: u64 = 1 << 18;

/// Threads of a multiprocessor that keep survivors for one block, and the same for a k of a small part of a tile: with the second, 64 rows of
/// 128,256 columns take 1.08 times as long at k = 1,024, and 0.92 times at k = 256 (H200, 2026-11-29).
const KEEPING_THREADS: u32 = 512;
const KEEPING_THREADS_OF_SMALL_K: u32 = 768;
const SMALL_K_OF_TILE: u64 = 8;

/// Tiles of a chunk at least, where one block selects survivors.
const MIN_TILES: u64 = 2;

/// By how many deviations the limit's rank is more than is expected: of ranked survivors, the number of which is squared, and of selected ones, where
/// items of a run may be alike.
const DEVIATIONS: f64 = 4.0;
const DEVIATIONS_OF_ONE: f64 = 6.0;

/// Chunks of a row: a block has a count for each.
const MAX_CHUNKS: u64 = 256;

/// Threads of a multiprocessor that rank survivors.
const RANKING_THREADS: u32 = 512;

/// Groups of a row, and how many candidates they have in all, where there are groups enough: one block searches those.
const MIN_GROUPS: u64 = 16;
const MAX_GROUPS: u64 = 64;
const CANDIDATES_OF_GROUPS: u64 = 24 << 10;

/// Neighbouring items of a sample.
const SAMPLE_RUN: f64 = 4.0;

/// Sampled items among the first k: with fewer, most survivors are none of these.
const LEAST_EXPECTED: f64 = 0.125;

impl TopKSpec {
    /// Items of a row's sample: the buffer's.
    fn sample_items(&self) -> u64 {
        2 * u64::from(self.tile_items())
    }

    /// Words of an item's compared bits.
    pub(super) fn words_of_bits(&self) -> u64 {
        u64::from(self.key.storage().widened().bytes / 4)
    }

    /// Survivors that a block has room for: their bits are where those and the positions of buffered items are.
    fn max_ranked(&self) -> u64 {
        self.sample_items() * (self.words_of_bits() + 1) / self.words_of_bits()
    }

    /// Columns of a row for each item of its sample. What hardly any row exceeds is written once for Rust and for C++.
    pub(crate) fn host_distance<N: HostNumber>(&self, columns: N) -> N::Real {
        columns.real().over(N::Real::known(self.sample_items() as f64))
    }

    /// The most sampled items that come before the k-th key: hardly any row has more.
    pub(crate) fn host_limit<N: HostNumber>(expected: N::Real, is_of_one: &N::Truth) -> N::Real {
        let real = |number| <N::Real as Real>::known(number);
        let deviations = N::Real::choose(is_of_one, real(DEVIATIONS_OF_ONE), real(DEVIATIONS));
        let deviation = deviations.times(expected.clone().root());
        expected.plus(deviation).floor().plus(real(SAMPLE_RUN))
    }

    /// Whether hardly any row has more survivors than a block has room for, nor many times as many as k, by the sampled items that are
    /// expected among the first k, and by the limit's rank.
    pub(crate) fn host_are_survivors_few<N: HostNumber>(
        &self,
        [distance, expected, rank]: [N::Real; 3],
        is_of_one: &N::Truth,
    ) -> N::Truth {
        let real = |number| <N::Real as Real>::known(number);
        let most = rank.clone().plus(real(3.0).times(rank.root())).times(distance);
        let [alone, ranked] = [self.sample_items(), self.max_ranked()].map(|it| real(it as f64));
        let are_few = N::Real::choose(is_of_one, alone, ranked).reaches(most);
        expected.reaches(real(LEAST_EXPECTED)).and(are_few)
    }

    /// Blocks that search for survivors, or rank them, on a device of this many multiprocessors.
    fn ranking_blocks<N: Number>(&self, multiprocessors: N) -> N {
        multiprocessors.times(N::known((RANKING_THREADS / self.threads).max(1).into()))
    }

    /// The launches of a top-k on a device of this many multiprocessors, where it is one that ranks or selects survivors.
    pub fn ranked_launches(
        &self,
        shape: TopKRows,
        is_sorted: bool,
        multiprocessors: u32,
    ) -> Option<RankedLaunches> {
        let facts = HostFacts::of(shape, multiprocessors);
        let is_of_one = !(is_sorted && Self::host_may_rank_by_several(&facts));
        let distance = self.host_distance(facts.columns);
        let expected = facts.k.real() / distance;
        let limit = Self::host_limit::<u64>(expected, &is_of_one);
        let are_few = self.host_are_survivors_few::<u64>([distance, expected, limit], &is_of_one);
        if !self.host_may_rank(&facts, &is_of_one) || !are_few {
            return None;
        }
        let [chunks, rankers, groups] = self.host_ranked(&facts, &is_of_one).map(narrow);
        let launch = |of_row: u32| TopKLaunch {
            blocks: shape.rows as u32 * of_row,
            threads: self.threads,
            shared_bytes: self.shared_bytes(),
        };
        Some(RankedLaunches {
            chunks,
            rankers,
            groups,
            rank: narrow(self.host_rank(limit)),
            survivors: launch(chunks),
            ranked: launch(rankers),
            candidates: (rankers > 1).then(|| launch(1)),
        })
    }

    /// The limit's rank among the sampled items.
    pub(crate) fn host_rank<N: HostNumber>(&self, limit: N::Real) -> N {
        N::truncated(limit).at_most(N::known(self.sample_items()))
    }

    /// Whether rows are so few that several blocks rank the survivors of each, for sorted results; written once for Rust and for C++.
    pub(crate) fn host_may_rank_by_several<N: HostNumber>(facts: &HostFacts<N>) -> N::Truth {
        let HostFacts { rows, columns, .. } = facts.clone();
        let known = N::known;
        let of_all = rows.clone().times(columns);
        let are_short =
            known(MAX_ROWS).reaches(rows.clone()).and(known(MAX_COLUMNS_OF_ROWS).reaches(of_all));
        either(rows.is(known(1)), are_short)
    }

    /// Whether rows are long enough, and short enough for one block.
    pub(crate) fn host_may_rank<N: HostNumber>(
        &self,
        facts: &HostFacts<N>,
        is_of_one: &N::Truth,
    ) -> N::Truth {
        let HostFacts { rows, columns, k, .. } = facts.clone();
        let known = N::known;
        let has_keys = rows.reaches(known(1)).and(k.reaches(known(1)));
        let is_long = columns.clone().reaches(known(2 * self.min_chunk()));
        let is_short = known(MAX_COLUMNS_OF_ONE).reaches(columns);
        let has_chunks = self.chunks_of_one(facts).reaches(known(2));
        has_keys.and(is_long).and(either(is_of_one.clone().not(), is_short.and(has_chunks)))
    }

    /// The chunks of a row where one block selects survivors.
    fn chunks_of_one<N: HostNumber>(&self, facts: &HostFacts<N>) -> N {
        let HostFacts { rows, columns, k, multiprocessors } = facts.clone();
        let known = N::known;
        let tile = u64::from(self.tile_items());
        let [few, many] = [KEEPING_THREADS, KEEPING_THREADS_OF_SMALL_K].map(|threads| {
            known((threads / self.threads).min(self.resident_blocks()).max(1).into())
        });
        let is_small_k = known(tile / SMALL_K_OF_TILE).reaches(k);
        let blocks = multiprocessors.times(N::choose(&is_small_k, many, few));
        let tiles = columns.divided_by(known(MIN_TILES * tile));
        let of_row = blocks.divided_by(rows.at_least(known(1)));
        of_row.at_most(tiles).at_most(known(MAX_CHUNKS))
    }

    /// The chunks of a row, its rankers and its groups.
    pub(crate) fn host_ranked<N: HostNumber>(
        &self,
        facts: &HostFacts<N>,
        is_of_one: &N::Truth,
    ) -> [N; 3] {
        let HostFacts { rows, columns, k, multiprocessors } = facts.clone();
        let known = N::known;
        let of_row = self.ranking_blocks(multiprocessors.clone()).divided_by(rows);
        let rankers = N::choose(is_of_one, known(1), of_row.at_least(known(1)));
        let tiles = columns.clone().divided_by(known(self.tile_items().into()));
        let of_several = rankers.clone().at_most(multiprocessors).at_most(tiles);
        let of_several = of_several.at_most(known(MAX_CHUNKS));
        let chunks = N::choose(is_of_one, self.chunks_of_one(facts), of_several);
        let groups = known(CANDIDATES_OF_GROUPS).divided_by(k.clone());
        let groups = groups.at_least(known(MIN_GROUPS)).at_most(known(MAX_GROUPS));
        let of_columns = columns.clone().divided_by(known(self.min_chunk()));
        let searched = of_columns.at_most(columns.divided_by(k));
        [chunks, rankers.clone(), groups.at_most(searched).at_most(rankers)]
    }

    /// Where the arrays are that such launches share.
    pub fn ranked_scratch(&self, rows: u64, k: u32, launches: &RankedLaunches) -> RankedScratch {
        let RankedLaunches { chunks, rankers, groups, .. } = *launches;
        let lists = [chunks, rankers, groups].map(u64::from);
        let words = self.host_ranked_words(rows, k.into(), lists);
        let [positions, counts, of_groups, words] = words;
        RankedScratch { positions, counts, of_groups, words }
    }

    /// Where the survivors' positions begin, the counts and the groups' candidates, and all words; written once for Rust and for C++.
    pub(crate) fn host_ranked_words<N: Number>(
        &self,
        rows: N,
        k: N,
        [chunks, rankers, groups]: [N; 3],
    ) -> [N; 4] {
        let groups = N::choose(&rankers.reaches(N::known(2)), groups, N::known(0));
        let lists = rows.clone().times(chunks);
        let items = lists.clone().times(k.clone());
        let positions = items.clone().times(N::known(self.words_of_bits()));
        let counts = positions.clone().plus(items);
        let of_groups = counts.clone().plus(lists);
        let words = of_groups.clone().plus(of_lists(rows, k, groups));
        [positions, counts, of_groups, words]
    }

    /// The most words of scratch of such launches for this k, whatever the number of rows, which have this many columns at most.
    pub fn max_ranked_words(&self, columns: u64, k: u32, multiprocessors: u32) -> u64 {
        if columns < 2 * self.min_chunk() {
            return 0;
        }
        let multiprocessors = u64::from(multiprocessors);
        let keeping = u64::from((KEEPING_THREADS_OF_SMALL_K / self.threads).max(1));
        let lists = self.ranking_blocks(multiprocessors).max(MAX_ROWS);
        let lists = lists.max(multiprocessors * keeping);
        let groups = lists.min(MAX_ROWS * MAX_GROUPS);
        lists * (u64::from(k) * (1 + self.words_of_bits()) + 1) + groups * u64::from(k)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launches(rows: u64, columns: u64, k: u32, is_sorted: bool) -> Option<RankedLaunches> {
        let spec: TopKSpec = "block_top_k_f32_b256_i8_desc".parse().expect("legal");
        spec.ranked_launches(TopKRows { rows, columns, k }, is_sorted, 132)
    }

    #[test]
    fn survivors_of_few_long_rows_are_ranked_and_others_selected() {
        let counts = |it: RankedLaunches| (it.chunks, it.rankers, it.groups);
        let of = |rows, columns, k| launches(rows, columns, k, true).map(counts);
        assert_eq!(of(1, 1 << 20, 1024), Some((132, 264, 24)));
        assert_eq!(of(1, 128_256, 50), Some((62, 264, 15)));
        assert_eq!(of(8, 128_256, 50), Some((33, 33, 15)));
        assert_eq!(of(9, 128_256, 50), Some((31, 1, 1)));
        assert_eq!(of(64, 128_256, 50), Some((6, 1, 1)));
        assert_eq!(of(64, 128_256, 1024), Some((4, 1, 1)));
        assert_eq!(of(198, 128_256, 50), Some((2, 1, 1)));
        assert_eq!(of(199, 128_256, 50), None);
        assert_eq!(of(133, 128_256, 1024), None);
        assert_eq!(of(2, 1 << 20, 1024), Some((132, 132, 24)));
        assert_eq!(of(3, 1 << 20, 1024), None);
        assert_eq!(of(1, 8192, 50), None);
        assert_eq!(of(1, 1 << 20, 8), None);
        assert_eq!(of(1, 1 << 22, 1024), None);
        assert_eq!(of(1, 1 << 20, 0), None);
        assert_eq!(of(0, 1 << 20, 50), None);
        let unsorted = |rows, columns, k| launches(rows, columns, k, false).map(counts);
        assert_eq!(unsorted(1, 128_256, 1024), Some((31, 1, 1)));
        assert_eq!(unsorted(64, 128_256, 1024), Some((4, 1, 1)));
        assert_eq!(unsorted(1, 1 << 20, 1024), None);
    }

    #[test]
    fn scratch_is_never_more_than_is_reserved() {
        for name in ["block_top_k_f32_b256_i8_desc", "block_top_k_u128_b512_i8_asc"] {
            let spec: TopKSpec = name.parse().expect("legal");
            let rows = (1..=MAX_ROWS).chain([20, 64, 100, 250, 400]);
            for (rows, k) in rows.flat_map(|rows| [1, 50, 1024].map(|k| (rows, k))) {
                let columns = [1 << 18, 1 << 19].map(|columns| [(columns, true), (columns, false)]);
                for ((columns, is_sorted), multiprocessors) in
                    columns.concat().into_iter().flat_map(|it| [1, 20, 132].map(|of| (it, of)))
                {
                    let shape = TopKRows { rows, columns, k };
                    let launches = spec.ranked_launches(shape, is_sorted, multiprocessors);
                    let words = launches.map(|it| spec.ranked_scratch(rows, k, &it).words);
                    let most = spec.max_ranked_words(shape.columns, k, multiprocessors);
                    assert!(words.is_none_or(|words| words <= most), "{name}, {shape:?}");
                    assert!(launches.is_none_or(|it| it.groups <= it.rankers));
                }
            }
        }
    }
}
