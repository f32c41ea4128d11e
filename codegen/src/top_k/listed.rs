//! What the host launches for top-ks of long rows: a limit for each row from the samples of several blocks, and what survives it in one list.

use super::launch::{TopKLaunch, TopKRows};
use super::spec::TopKSpec;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowSample {
    /// Blocks that have a tile of it each.
    pub blocks: u32,
    /// Items that each of them keeps.
    pub kept: u32,
    /// Which of these is the limit, from 1.
    pub rank: u32,
    /// Hardly any row has more survivors.
    most: u32,
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
const MAX_SAMPLING_BLOCKS: u32 = 512;
const MIN_DISTANCE: u64 = 8;

/// Survivors at most, where more samples would make them fewer: a multiple of k, or so few that it does not matter.
const MOST_OF_K: u32 = 3;
const FEW_SURVIVORS: u32 = 1536;

/// Neighbouring items of a sample.
const SAMPLE_RUN: u32 = 4;

/// Rooms of lists are multiples of this.
const ROOM_STEP: u32 = 256;

/// Standard deviations of what is counted, within which hardly any count differs from its expectation.
const DEVIATIONS: f64 = 4.0;

impl RowSample {
    /// The sample of a tile by each of some blocks.
    fn of(tile: u32, columns: u64, k: u32, blocks: u32) -> Self {
        let distance = columns as f64 / (f64::from(tile) * f64::from(blocks));
        let more = |expected: f64| expected + DEVIATIONS * expected.sqrt() + f64::from(SAMPLE_RUN);
        let rank = more(f64::from(k) / distance) as u32;
        let kept = more(f64::from(rank) / f64::from(blocks)) as u32;
        // One more than the limit says how far away the next one is.
        let kept = kept.min(rank + 1);
        Self { blocks, kept, rank, most: (more(rank.into()) * distance) as u32 }
    }

    /// Items that are kept of a row.
    pub fn items(&self) -> u32 {
        self.blocks * self.kept
    }
}

impl TopKSpec {
    /// Survivors that a block has room for, and kept items of samples.
    fn buffer_items(&self) -> u32 {
        2 * self.tile_items()
    }

    /// The sample of a row, the smallest that leaves few survivors; none where survivors are too many for a block whatever the sample is.
    fn row_sample(&self, columns: u64, k: u32) -> Option<RowSample> {
        let tile = self.tile_items();
        let most_blocks = columns / (MIN_DISTANCE * u64::from(tile));
        let blocks = (0..=MAX_SAMPLING_BLOCKS.ilog2()).map(|log2| 1 << log2);
        let blocks = blocks.take_while(|it| u64::from(*it) <= most_blocks);
        let samples = blocks.map(|blocks| RowSample::of(tile, columns, k, blocks));
        let buffer = self.buffer_items();
        let has_room = |it: &RowSample| {
            it.most <= buffer && it.kept <= tile && it.rank < it.items() && it.items() <= buffer
        };
        let samples: Vec<RowSample> = samples.filter(has_room).collect();
        let few = FEW_SURVIVORS.max(MOST_OF_K * k);
        samples.iter().find(|it| it.most <= few).or(samples.last()).copied()
    }

    /// The launches of a top-k on a device of this many multiprocessors, where it is one that has a list for each row.
    pub fn listed_launches(&self, shape: TopKRows, multiprocessors: u32) -> Option<ListedLaunches> {
        let TopKRows { rows, columns, k } = shape;
        let is_long = (MIN_COLUMNS..=u32::MAX.into()).contains(&columns);
        if rows == 0 || k == 0 || !is_long {
            return None;
        }
        let sample = self.row_sample(columns, k)?;
        let room = sample.most.next_multiple_of(ROOM_STEP).min(self.buffer_items());
        if rows.saturating_mul((room + sample.items()).into()) > MAX_LISTED {
            return None;
        }
        let of_row =
            |resident: u32| (u64::from(resident) * u64::from(multiprocessors) / rows).max(1);
        let tiles = columns / u64::from(self.tile_items());
        let chunks = of_row(self.filtering_blocks()).min(tiles);
        // A group takes as long as the launch over all groups' candidates, a key of which takes four times as long.
        let balanced = (columns / (4 * u64::from(k))).isqrt();
        let groups =
            balanced.min(of_row(self.resident_blocks())).clamp(1, columns / self.min_chunk());
        let launch = |of_row: u64| TopKLaunch {
            blocks: (rows * of_row) as u32,
            threads: self.threads,
            shared_bytes: self.shared_bytes(),
        };
        Some(ListedLaunches {
            sample,
            room,
            chunks: chunks as u32,
            groups: groups as u32,
            samples: launch(sample.blocks.into()),
            filtered: launch(chunks),
            listed: launch(groups),
            candidates: launch(1),
        })
    }

    /// Where the arrays are that such launches share.
    pub fn listed_scratch(&self, rows: u64, k: u32, launches: &ListedLaunches) -> ListedScratch {
        let sampled = rows * u64::from(launches.sample.items());
        let listed = rows * u64::from(launches.room);
        let bits = sampled * self.words_of_bits();
        let sample_positions = bits + listed * self.words_of_bits();
        let positions = sample_positions + sampled;
        let counts = positions + listed;
        let of_groups = counts + rows;
        let words = of_groups + rows * u64::from(launches.groups) * u64::from(k);
        ListedScratch { bits, sample_positions, positions, counts, of_groups, words }
    }

    /// The most words of scratch of such launches for this k, whatever the number of rows, which have this many columns at most.
    pub fn max_listed_words(&self, columns: u64, k: u32, multiprocessors: u32) -> u64 {
        if columns < MIN_COLUMNS {
            return 0;
        }
        let rows = MAX_LISTED / u64::from(ROOM_STEP.max(k));
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
