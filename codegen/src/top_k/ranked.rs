//! What the host launches for sorted top-ks of few long rows: all blocks of a row keep what a sample of it lets pass, and rank that.

use super::host::{HostFacts, HostNumber, Real, either, narrow};
use super::launch::{TopKLaunch, TopKRows, of_lists};
use super::spec::TopKSpec;
use crate::contract::device::host::{Number, Truth as _};

/// The launches of one sorted top-k that ranks survivors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedLaunches {
    /// Chunks of a row, each of which a block searches for survivors.
    pub chunks: u32,
    /// Blocks of a row that rank its survivors.
    pub rankers: u32,
    /// Chunks of a row that are searched for k candidates each, where the survivors are fewer than k or too many.
    pub groups: u32,
    /// The launch of [`TopKKernel::Survivors`](super::TopKKernel::Survivors).
    pub survivors: TopKLaunch,
    /// That of [`TopKKernel::Ranked`](super::TopKKernel::Ranked).
    pub ranked: TopKLaunch,
    /// That of [`TopKKernel::Candidates`](super::TopKKernel::Candidates), which finds nothing to do where survivors were ranked.
    pub candidates: TopKLaunch,
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

/// Rows of which there are more have blocks enough where each row is searched by itself.
const MAX_ROWS: u64 = 8;

/// Columns of all rows, where there are several: with more of them each row has too few blocks to rank its survivors.
const MAX_COLUMNS_OF_ROWS: u64 = 1 << 21;

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
    pub(crate) fn host_limit<R: Real>(expected: R) -> R {
        let deviation = R::known(4.0).times(expected.clone().root());
        expected.plus(deviation).floor().plus(R::known(SAMPLE_RUN))
    }

    /// Whether hardly any row has more survivors than a block has room for, nor many times as many as k, by the sampled items that are
    /// expected among the first k, and by the limit's rank.
    pub(crate) fn host_are_survivors_few<R: Real>(
        &self,
        [distance, expected, rank]: [R; 3],
    ) -> R::Truth {
        let most = rank.clone().plus(R::known(3.0).times(rank.root())).times(distance);
        let are_few = R::known(self.max_ranked() as f64).reaches(most);
        expected.reaches(R::known(LEAST_EXPECTED)).and(are_few)
    }

    /// The same of rows and k.
    fn are_survivors_few(&self, columns: u64, k: u64) -> bool {
        let distance = self.host_distance(columns);
        let expected = k.real() / distance;
        self.host_are_survivors_few([distance, expected, Self::host_limit(expected)])
    }

    /// Blocks that search for survivors, or rank them, on a device of this many multiprocessors.
    fn ranking_blocks<N: Number>(&self, multiprocessors: N) -> N {
        multiprocessors.times(N::known((RANKING_THREADS / self.threads).max(1).into()))
    }

    /// The launches of a sorted top-k on a device of this many multiprocessors, where it is one that ranks survivors.
    pub fn ranked_launches(&self, shape: TopKRows, multiprocessors: u32) -> Option<RankedLaunches> {
        let facts = HostFacts::of(shape, multiprocessors);
        if !self.host_may_rank(&facts) || !self.are_survivors_few(facts.columns, facts.k) {
            return None;
        }
        let [chunks, rankers, groups] = self.host_ranked(&facts).map(narrow);
        let launch = |of_row: u32| TopKLaunch {
            blocks: shape.rows as u32 * of_row,
            threads: self.threads,
            shared_bytes: self.shared_bytes(),
        };
        Some(RankedLaunches {
            chunks,
            rankers,
            groups,
            survivors: launch(chunks),
            ranked: launch(rankers),
            candidates: launch(1),
        })
    }

    /// Whether rows are few and long enough, written once for Rust and for C++.
    pub(crate) fn host_may_rank<N: HostNumber>(&self, facts: &HostFacts<N>) -> N::Truth {
        let HostFacts { rows, columns, k, .. } = facts.clone();
        let known = N::known;
        let of_all = rows.clone().times(columns.clone());
        let are_short =
            known(MAX_ROWS).reaches(rows.clone()).and(known(MAX_COLUMNS_OF_ROWS).reaches(of_all));
        let has_keys = rows.clone().reaches(known(1)).and(k.reaches(known(1)));
        let is_long = columns.reaches(known(2 * self.min_chunk()));
        let are_few = either(rows.is(known(1)), are_short);
        has_keys.and(is_long).and(are_few)
    }

    /// The chunks of a row, its rankers and its groups.
    pub(crate) fn host_ranked<N: HostNumber>(&self, facts: &HostFacts<N>) -> [N; 3] {
        let HostFacts { rows, columns, k, multiprocessors } = facts.clone();
        let known = N::known;
        let of_row = self.ranking_blocks(multiprocessors.clone()).divided_by(rows);
        let rankers = of_row.at_least(known(1));
        let tiles = columns.clone().divided_by(known(self.tile_items().into()));
        let chunks = rankers.clone().at_most(multiprocessors).at_most(tiles);
        let groups = known(CANDIDATES_OF_GROUPS).divided_by(k.clone());
        let groups = groups.at_least(known(MIN_GROUPS)).at_most(known(MAX_GROUPS));
        let of_columns = columns.clone().divided_by(known(self.min_chunk()));
        let searched = of_columns.at_most(columns.divided_by(k));
        [
            chunks.at_most(known(MAX_CHUNKS)),
            rankers.clone(),
            groups.at_most(searched).at_most(rankers),
        ]
    }

    /// Where the arrays are that such launches share.
    pub fn ranked_scratch(&self, rows: u64, k: u32, launches: &RankedLaunches) -> RankedScratch {
        let RankedLaunches { chunks, groups, .. } = *launches;
        let words = self.host_ranked_words(rows, k.into(), [chunks, groups].map(u64::from));
        let [positions, counts, of_groups, words] = words;
        RankedScratch { positions, counts, of_groups, words }
    }

    /// Where the survivors' positions begin, the counts and the groups' candidates, and all words; written once for Rust and for C++.
    pub(crate) fn host_ranked_words<N: Number>(
        &self,
        rows: N,
        k: N,
        [chunks, groups]: [N; 2],
    ) -> [N; 4] {
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
        let lists = self.ranking_blocks(u64::from(multiprocessors)).max(MAX_ROWS);
        let groups = lists.min(MAX_ROWS * MAX_GROUPS);
        lists * (u64::from(k) * (1 + self.words_of_bits()) + 1) + groups * u64::from(k)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launches(rows: u64, columns: u64, k: u32) -> Option<RankedLaunches> {
        let spec: TopKSpec = "block_top_k_f32_b256_i8_desc".parse().expect("legal");
        spec.ranked_launches(TopKRows { rows, columns, k }, 132)
    }

    #[test]
    fn few_long_rows_are_ranked() {
        let counts = |it: RankedLaunches| (it.chunks, it.rankers, it.groups);
        let of = |rows, columns, k| launches(rows, columns, k).map(counts);
        assert_eq!(of(1, 1 << 20, 1024), Some((132, 264, 24)));
        assert_eq!(of(1, 128_256, 50), Some((62, 264, 15)));
        assert_eq!(of(8, 128_256, 50), Some((33, 33, 15)));
        assert_eq!(of(9, 128_256, 50), None);
        assert_eq!(of(2, 1 << 20, 1024), Some((132, 132, 24)));
        assert_eq!(of(3, 1 << 20, 1024), None);
        assert_eq!(of(1, 8192, 50), None);
        assert_eq!(of(1, 1 << 20, 8), None);
        assert_eq!(of(1, 1 << 22, 1024), None);
        assert_eq!(of(1, 1 << 20, 0), None);
    }

    #[test]
    fn scratch_is_never_more_than_is_reserved() {
        for name in ["block_top_k_f32_b256_i8_desc", "block_top_k_u128_b512_i8_asc"] {
            let spec: TopKSpec = name.parse().expect("legal");
            for (rows, k) in (1..=MAX_ROWS).flat_map(|rows| [1, 50, 1024].map(|k| (rows, k))) {
                for multiprocessors in [1, 20, 132] {
                    let shape = TopKRows { rows, columns: 1 << 19, k };
                    let launches = spec.ranked_launches(shape, multiprocessors);
                    let words = launches.map(|it| spec.ranked_scratch(rows, k, &it).words);
                    let most = spec.max_ranked_words(shape.columns, k, multiprocessors);
                    assert!(words.is_none_or(|words| words <= most), "{name}, {shape:?}");
                    assert!(launches.is_none_or(|it| it.groups <= it.rankers));
                }
            }
        }
    }
}
