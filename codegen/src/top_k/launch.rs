//! What the host launches for a top-k of rows.

use super::spec::TopKSpec;

/// The shape of a top-k.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TopKRows {
    /// Rows.
    pub rows: u64,
    /// Keys of a row: at least `k`, at most 2³².
    pub columns: u64,
    /// Keys that are found in each row.
    pub k: u32,
}

/// A kernel of a top-k.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TopKKernel {
    /// `_rows`: each block searches a row or a chunk of one.
    Rows,
    /// `_candidates`: each block searches the candidates of a row.
    Candidates,
}

/// A launch of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TopKLaunch {
    /// Blocks, along x.
    pub blocks: u32,
    /// Threads of each, along x.
    pub threads: u32,
    /// Bytes of dynamic shared memory.
    pub shared_bytes: u32,
}

/// What one top-k launches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TopKLaunches {
    /// Chunks of a row, each of which a block searches.
    pub chunks: u32,
    /// The launch of [`TopKKernel::Rows`].
    pub rows: TopKLaunch,
    /// That of [`TopKKernel::Candidates`], where a row has several chunks.
    pub candidates: Option<TopKLaunch>,
}

impl TopKKernel {
    /// What the kernel's symbol has behind the spec's name.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Rows => "_rows",
            Self::Candidates => "_candidates",
        }
    }
}

/// Tiles of a chunk at least.
const MIN_CHUNK_TILES: u64 = 2;

impl TopKSpec {
    /// What the host launches on a device of this many multiprocessors; none where there are no rows or no keys to find.
    pub fn launches(&self, shape: TopKRows, multiprocessors: u32) -> Option<TopKLaunches> {
        let TopKRows { rows, k, .. } = shape;
        let chunks = self.chunks(shape, multiprocessors);
        // A grid has no more blocks; the kernel goes on from where they end.
        let launch = |blocks: u64| TopKLaunch {
            blocks: blocks.min(i32::MAX as u64) as u32,
            threads: self.threads,
            shared_bytes: self.shared_bytes(),
        };
        (rows > 0 && k > 0).then(|| TopKLaunches {
            chunks,
            rows: launch(rows * u64::from(chunks)),
            candidates: (chunks > 1).then(|| launch(rows)),
        })
    }

    /// The most candidates of a launch for this k, whatever the number of rows, which have this many columns at most.
    pub fn max_candidates(&self, columns: u64, k: u32, multiprocessors: u32) -> u64 {
        if columns < 2 * self.min_chunk() {
            return 0;
        }
        self.resident(multiprocessors) * u64::from(k)
    }

    /// Blocks that run at once on a device of this many multiprocessors.
    fn resident(&self, multiprocessors: u32) -> u64 {
        u64::from(self.resident_blocks()) * u64::from(multiprocessors)
    }

    /// The fewest columns of a chunk.
    fn min_chunk(&self) -> u64 {
        MIN_CHUNK_TILES * u64::from(self.tile_items())
    }

    /// Chunks of a row: as many as occupy the device, but no more than make the chunks as long as the list of their candidates, which a
    /// block searches in the second launch.
    fn chunks(&self, TopKRows { rows, columns, k }: TopKRows, multiprocessors: u32) -> u32 {
        let wanted = self.resident(multiprocessors) / rows.max(1);
        let balanced = (columns / u64::from(k.max(1))).isqrt();
        wanted.min(balanced).min(columns / self.min_chunk()).max(1) as u32
    }
}

impl TopKLaunches {
    /// Positions of candidates that the two kernels share; none where there is one chunk.
    pub fn candidates(&self, TopKRows { rows, k, .. }: TopKRows) -> u64 {
        let of_row = u64::from(self.chunks) * u64::from(k);
        if self.candidates.is_some() { rows.saturating_mul(of_row) } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_long_rows_are_split() {
        let spec: TopKSpec = "block_top_k_f32_b256_i8_desc".parse().expect("legal");
        let launches = |rows, columns, k| spec.launches(TopKRows { rows, columns, k }, 132);
        let chunks = |rows, columns, k| launches(rows, columns, k).map(|it| it.chunks);
        assert_eq!(chunks(0, 100, 1), None);
        assert_eq!(chunks(1, 100, 0), None);
        assert_eq!(chunks(1, 4096, 64), Some(1));
        assert_eq!(chunks(1, 128_256, 64), Some(31));
        assert_eq!(chunks(1, 1 << 20, 1024), Some(32));
        assert_eq!(chunks(1, 1 << 27, 64), Some(264));
        assert_eq!(chunks(1000, 1 << 20, 64), Some(1));
        let long = launches(1, 1 << 27, 64).expect("there is a row");
        let shape = TopKRows { rows: 1, columns: 1 << 27, k: 64 };
        assert_eq!((long.rows.blocks, long.candidates.map(|it| it.blocks)), (264, Some(1)));
        assert_eq!(long.candidates(shape), 264 * 64);
        for rows in 1..600 {
            let shape = TopKRows { rows, ..shape };
            let candidates = spec.launches(shape, 132).map(|it| it.candidates(shape));
            assert!(candidates <= Some(spec.max_candidates(shape.columns, shape.k, 132)));
        }
        let most = launches(u64::MAX, 1, 1).expect("there are rows");
        assert_eq!((most.rows.blocks, most.candidates), (i32::MAX as u32, None));
    }
}
