//! What the host launches for binned argsorts of rows.

use super::chunks::Chunks;
use super::exchange::Exchange;
use super::spec::BinnedSpec;

/// The shape of a binned argsort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BinnedRows {
    /// Rows.
    pub rows: u64,
    /// Keys of a row: less than 2³².
    pub columns: u64,
}

/// A kernel of a binned argsort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinnedKernel {
    /// `_rows`: each block sorts a row.
    Rows,
    /// `_count`: each block counts the keys of a chunk of a row.
    Count,
    /// `_rank`: each block sorts the keys of a chunk, and writes them to where the counts say.
    Rank,
    /// `_chunks`: each block sorts the keys of a chunk; they publish their counts.
    Chunks,
}

/// A launch of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BinnedLaunch {
    /// The kernel.
    pub kernel: BinnedKernel,
    /// Blocks, along x.
    pub blocks: u32,
    /// Rows of them, along y.
    pub rows: u32,
    /// Threads of each, along x.
    pub threads: u32,
    /// Bytes of dynamic shared memory.
    pub shared_bytes: u32,
}

/// What one binned argsort launches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinnedLaunches {
    /// A block sorts a row.
    Rows(BinnedLaunch),
    /// Blocks sort chunks in one launch.
    AtOnce {
        /// The chunks.
        chunks: Chunks,
        /// How they publish their counts.
        exchange: Exchange,
        /// The launch of [`BinnedKernel::Chunks`].
        launch: BinnedLaunch,
    },
    /// Blocks count the keys of chunks, and sort them.
    Chunks {
        /// The chunks.
        chunks: Chunks,
        /// The launch of [`BinnedKernel::Count`].
        count: BinnedLaunch,
        /// That of [`BinnedKernel::Rank`].
        rank: BinnedLaunch,
    },
}

impl BinnedKernel {
    /// All of them, in the order of a header.
    pub const ALL: [Self; 4] = [Self::Rows, Self::Count, Self::Rank, Self::Chunks];

    /// What the kernel's symbol has behind the spec's name.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Rows => "_rows",
            Self::Count => "_count",
            Self::Rank => "_rank",
            Self::Chunks => "_chunks",
        }
    }
}

/// Blocks for each multiprocessor at most, where rows are split.
const MAX_BLOCKS_PER_MULTIPROCESSOR: u64 = 4;

/// Items of each thread in a chunk, at least.
const MIN_CHUNK_ROWS: u64 = 2;

/// Chunks up to which a thread may have one item.
const MAX_SHORT_CHUNKS: u64 = 32;

/// Chunks of a row of a tile up to which it is faster in one block.
const MAX_SLOWER_CHUNKS: u64 = 4;

/// The most keys of a chunk where blocks publish their counts: these have 14 bits.
const MAX_PUBLISHED_COLUMNS: u64 = (1 << 14) - 1;

impl BinnedSpec {
    /// What the host launches on a device of this many multiprocessors; none where there are no rows. A row without keys has offsets too.
    pub fn launches(&self, shape: BinnedRows, multiprocessors: u32) -> Option<BinnedLaunches> {
        // A grid has no more blocks; the kernel of rows goes on from where they end, and there are never as many chunks.
        let launch = |kernel, blocks: u64| BinnedLaunch {
            kernel,
            blocks: blocks.min(i32::MAX as u64) as u32,
            rows: 1,
            threads: self.threads,
            shared_bytes: self.shared_bytes(),
        };
        let multiprocessors = multiprocessors.max(1);
        let rows = launch(BinnedKernel::Rows, shape.rows);
        let of_rows = (shape.rows > 0).then_some(BinnedLaunches::Rows(rows));
        let Some(chunks) = self.chunks(shape, u64::from(multiprocessors)) else { return of_rows };
        let blocks = shape.rows * u64::from(chunks.count);
        let most = u64::from(self.tile_items()).min(MAX_PUBLISHED_COLUMNS);
        let is_tile = shape.columns <= u64::from(self.tile_items());
        let is_worth_it = !is_tile || u64::from(chunks.count) > MAX_SLOWER_CHUNKS;
        if is_worth_it && blocks <= u64::from(multiprocessors) && chunks.columns <= most {
            let exchange = Exchange::of(multiprocessors);
            let rows = shape.rows as u32;
            let launch = BinnedLaunch { rows, ..launch(BinnedKernel::Chunks, chunks.count.into()) };
            return Some(BinnedLaunches::AtOnce { chunks, exchange, launch });
        }
        if is_tile {
            return of_rows;
        }
        let [count, rank] = [BinnedKernel::Count, BinnedKernel::Rank].map(|it| launch(it, blocks));
        Some(BinnedLaunches::Chunks { chunks, count, rank })
    }

    /// Bytes of the counts of a launch, at most, for any number of rows of this many columns or fewer.
    pub fn max_count_bytes(&self, columns: u64, multiprocessors: u32) -> u64 {
        if columns <= u64::from(self.tile_items()) {
            return 0;
        }
        let blocks = MAX_BLOCKS_PER_MULTIPROCESSOR * u64::from(multiprocessors.max(1));
        blocks * u64::from(self.chunk_counts()) * 4
    }

    /// The chunks of a row; none where a block sorts all of it. Blocks run in waves, one on each multiprocessor: the chunks are those with
    /// which all waves together are the shortest, and fewest of these.
    fn chunks(&self, BinnedRows { rows, columns }: BinnedRows, at_once: u64) -> Option<Chunks> {
        let threads = u64::from(self.threads);
        let least_rows = if columns <= MAX_SHORT_CHUNKS * threads { 1 } else { MIN_CHUNK_ROWS };
        if rows == 0 || columns == 0 {
            return None;
        }
        let most = columns / (least_rows * threads);
        let waves_of = |count: u64| ((rows * count).div_ceil(at_once), count);
        // The most chunks for each number of waves.
        let counts = (1..=MAX_BLOCKS_PER_MULTIPROCESSOR).map(|waves| waves * at_once / rows);
        let (_, wanted) = counts.map(|count| waves_of(count.clamp(1, most.max(1)))).fold(
            waves_of(1),
            |best, next| {
                if next.0 * best.1 < best.0 * next.1 { next } else { best }
            },
        );
        // Full rows of all warps.
        let columns_of_chunk = columns.div_ceil(wanted).next_multiple_of(threads);
        let count = columns.div_ceil(columns_of_chunk) as u32;
        (count > 1).then_some(Chunks { count, columns: columns_of_chunk })
    }
}

impl BinnedLaunches {
    /// The launches, in their order.
    pub fn all(&self) -> impl Iterator<Item = BinnedLaunch> {
        let (first, second) = match *self {
            Self::Rows(launch) | Self::AtOnce { launch, .. } => (launch, None),
            Self::Chunks { count, rank, .. } => (count, Some(rank)),
        };
        [first].into_iter().chain(second)
    }

    /// The chunks of a row, if it has several.
    pub fn chunks(&self) -> Option<Chunks> {
        match *self {
            Self::Rows(_) => None,
            Self::AtOnce { chunks, .. } | Self::Chunks { chunks, .. } => Some(chunks),
        }
    }

    /// Bytes of the counts that the kernels of chunks share.
    pub fn count_bytes(&self, spec: &BinnedSpec, rows: u64) -> u64 {
        match self {
            Self::Rows(_) | Self::AtOnce { .. } => 0,
            Self::Chunks { chunks, .. } => {
                let counts = rows * u64::from(chunks.count) * u64::from(spec.chunk_counts());
                counts * u64::from(chunks.count_bytes())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec() -> BinnedSpec {
        "binned_argsort_u32_b512_i16_r8".parse().expect("legal")
    }

    #[test]
    fn long_rows_are_split_to_occupy_the_device() {
        let launches = |rows, columns| spec().launches(BinnedRows { rows, columns }, 132);
        let chunks = |rows, columns| match launches(rows, columns) {
            Some(it) => it.chunks().map_or((1, columns), |it| (it.count, it.columns)),
            None => (0, 0),
        };
        assert_eq!(chunks(0, 100), (0, 0));
        assert_eq!(chunks(1, 0), (1, 0));
        assert_eq!(chunks(1, 2048), (1, 2048));
        assert_eq!(chunks(1, 1 << 12), (8, 512));
        assert_eq!(chunks(1, 8193), (9, 1024));
        assert_eq!(chunks(1, 1 << 14), (32, 512));
        assert_eq!(chunks(1, 1 << 16), (64, 1024));
        assert_eq!(chunks(1, 1 << 20), (128, 8192));
        assert_eq!(chunks(1, (1 << 20) + 1), (129, 8192));
        assert_eq!(chunks(1, 1 << 27), (132, 1_016_832));
        assert_eq!(chunks(64, 1 << 20), (2, 1 << 19));
        // One wave and a block more would take as long as two.
        assert_eq!(chunks(133, 1 << 20), (3, 349_696));
        assert_eq!(chunks(1 << 20, 1 << 20), (1, 1 << 20));
        // Rows of a tile are split only where that occupies more of the device.
        assert_eq!(chunks(16, 4096), (8, 512));
        assert_eq!(chunks(64, 4096), (1, 4096));
        assert_eq!(chunks(133, 8192), (1, 8192));
        let of = |rows, columns| launches(rows, columns).map(|it| it.all().count());
        assert_eq!([of(1, 100), of(1, 1 << 20), of(1, 1 << 21)], [Some(1), Some(1), Some(2)]);
    }

    #[test]
    fn the_counts_have_a_bound_for_any_number_of_rows() {
        for columns in
            [2049, 4096, 8192, 8193, 65_536, 100_000, 1 << 20, 1 << 27, u64::from(u32::MAX)]
        {
            let most = spec().max_count_bytes(columns, 132);
            for rows in (1..700).chain([u64::MAX >> 34]) {
                let shape = BinnedRows { rows, columns };
                let launches = spec().launches(shape, 132).expect("there are rows");
                assert!(launches.count_bytes(&spec(), rows) <= most, "{shape:?}");
                if let BinnedLaunches::AtOnce { chunks, exchange, .. } = launches {
                    assert!(exchange.words(&spec(), rows, chunks) <= exchange.capacity.into());
                }
                if let Some(chunks) = launches.chunks() {
                    let before = u64::from(chunks.count - 1) * chunks.columns;
                    assert!(before < columns && columns <= before + chunks.columns, "{shape:?}");
                }
            }
        }
    }
}
