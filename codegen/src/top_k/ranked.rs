//! What the host launches for sorted top-ks of few long rows: all blocks of a row keep what a sample of it lets pass, and rank that.

use super::launch::{TopKLaunch, TopKRows};
use super::spec::TopKSpec;

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

    /// Whether hardly any row has more survivors than a block has room for, nor many times as many as k.
    fn are_survivors_few(&self, columns: u64, k: u32) -> bool {
        let distance = columns as f64 / self.sample_items() as f64;
        let expected = f64::from(k) / distance;
        let rank = (expected + 4.0 * expected.sqrt()).floor() + SAMPLE_RUN;
        let most = (rank + 3.0 * rank.sqrt()) * distance;
        expected >= LEAST_EXPECTED && most <= self.max_ranked() as f64
    }

    /// Blocks that search for survivors, or rank them, on a device of this many multiprocessors.
    fn ranking_blocks(&self, multiprocessors: u32) -> u64 {
        u64::from(multiprocessors) * u64::from((RANKING_THREADS / self.threads).max(1))
    }

    /// The launches of a sorted top-k on a device of this many multiprocessors, where it is one that ranks survivors.
    pub fn ranked_launches(&self, shape: TopKRows, multiprocessors: u32) -> Option<RankedLaunches> {
        let TopKRows { rows, columns, k } = shape;
        let is_long = columns >= 2 * self.min_chunk();
        let are_few = rows == 1 || rows <= MAX_ROWS && rows * columns <= MAX_COLUMNS_OF_ROWS;
        if rows == 0 || k == 0 || !is_long || !are_few || !self.are_survivors_few(columns, k) {
            return None;
        }
        let rankers = (self.ranking_blocks(multiprocessors) / rows).max(1);
        let tiles = columns / u64::from(self.tile_items());
        let chunks = rankers.min(multiprocessors.into()).min(tiles).min(MAX_CHUNKS) as u32;
        let groups = (CANDIDATES_OF_GROUPS / u64::from(k)).clamp(MIN_GROUPS, MAX_GROUPS);
        let searched = (columns / self.min_chunk()).min(columns / u64::from(k));
        let (rankers, groups) = (rankers as u32, groups.min(searched).min(rankers) as u32);
        let launch = |of_row: u32| TopKLaunch {
            blocks: rows as u32 * of_row,
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

    /// Where the arrays are that such launches share.
    pub fn ranked_scratch(&self, rows: u64, k: u32, launches: &RankedLaunches) -> RankedScratch {
        let lists = rows * u64::from(launches.chunks);
        let items = lists * u64::from(k);
        let positions = items * self.words_of_bits();
        let counts = positions + items;
        let of_groups = counts + lists;
        let words = of_groups + rows * u64::from(launches.groups) * u64::from(k);
        RankedScratch { positions, counts, of_groups, words }
    }

    /// The most words of scratch of such launches for this k, whatever the number of rows, which have this many columns at most.
    pub fn max_ranked_words(&self, columns: u64, k: u32, multiprocessors: u32) -> u64 {
        if columns < 2 * self.min_chunk() {
            return 0;
        }
        let lists = self.ranking_blocks(multiprocessors).max(MAX_ROWS);
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
