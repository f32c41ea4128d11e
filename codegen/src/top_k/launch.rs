//! What the host launches for a top-k of rows.

use super::host::{HostFacts, HostNumber, narrow};
use super::spec::TopKSpec;
use crate::contract::device::host::Number;

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
    /// `_candidates`: each block searches the candidates of a row, or of some of its chunks.
    Candidates,
    /// `_survivors`: each block searches a chunk of a row for what a sample of the row lets pass.
    Survivors,
    /// `_ranked`: each block ranks some of a row's survivors.
    Ranked,
    /// `_samples`: each block keeps the first keys of a sample of a row.
    Samples,
    /// `_filtered`: each block appends what a row's samples let pass of a chunk to the row's list.
    Filtered,
    /// `_listed`: a block finds the first keys of a row's list, or all blocks of the row search groups of its columns.
    Listed,
    /// `_found`: each thread writes what is at positions that are known.
    Found,
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
    /// Groups of a row's chunks, where a row has too many candidates for one block: each searches those of a group.
    pub groups: u32,
    /// The launch of [`TopKKernel::Candidates`] for the groups, where there are several.
    pub of_groups: Option<TopKLaunch>,
    /// That of [`TopKKernel::Candidates`] for the rows, where a row has several chunks.
    pub candidates: Option<TopKLaunch>,
}

impl TopKKernel {
    /// What the kernel's symbol has behind the spec's name.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Rows => "_rows",
            Self::Candidates => "_candidates",
            Self::Survivors => "_survivors",
            Self::Ranked => "_ranked",
            Self::Samples => "_samples",
            Self::Filtered => "_filtered",
            Self::Listed => "_listed",
            Self::Found => "_found",
        }
    }
}

/// Tiles of a chunk at least: enough for a sample.
const MIN_CHUNK_TILES: u64 = 4;

/// Tiles of a row's candidates that one block does not search.
const GROUPED_TILES: u64 = 8;

impl HostFacts<u64> {
    pub(super) fn of(TopKRows { rows, columns, k }: TopKRows, multiprocessors: u32) -> Self {
        Self { rows, columns, k: k.into(), multiprocessors: multiprocessors.into() }
    }
}

/// The most blocks of a grid: the kernels go on from where they end.
const MAX_BLOCKS: u64 = i32::MAX as u64;

impl TopKSpec {
    /// What the host launches on a device of this many multiprocessors; none where there are no rows or no keys to find.
    pub fn launches(&self, shape: TopKRows, multiprocessors: u32) -> Option<TopKLaunches> {
        let TopKRows { rows, k, .. } = shape;
        let chunks = self.host_chunks(&HostFacts::of(shape, multiprocessors));
        let groups = self.host_groups(chunks, k.into());
        let launch = |lists: u64| TopKLaunch {
            blocks: narrow(blocks_of(rows, lists)),
            threads: self.threads,
            shared_bytes: self.shared_bytes(),
        };
        (rows > 0 && k > 0).then(|| TopKLaunches {
            chunks: narrow(chunks),
            rows: launch(chunks),
            groups: narrow(groups),
            of_groups: (groups > 1).then(|| launch(groups)),
            candidates: (chunks > 1).then(|| launch(1)),
        })
    }

    /// The most candidates of a launch for this k, whatever the number of rows, which have this many columns at most.
    pub fn max_candidates(&self, columns: u64, k: u32, multiprocessors: u32) -> u64 {
        if columns < 2 * self.min_chunk() {
            return 0;
        }
        // Groups have fewer than chunks have.
        2 * self.resident(multiprocessors) * u64::from(k)
    }

    /// The launch of [`TopKKernel::Found`] for this many positions; none for none.
    pub fn launch_of_found(&self, n: u64) -> Option<TopKLaunch> {
        // A grid has no more blocks; the kernel goes on from where they end.
        let blocks = n.div_ceil(self.threads.into()).min(MAX_BLOCKS) as u32;
        (n > 0).then_some(TopKLaunch { blocks, threads: self.threads, shared_bytes: 0 })
    }

    /// Blocks that run at once on a device of this many multiprocessors.
    pub(super) fn resident(&self, multiprocessors: u32) -> u64 {
        u64::from(self.resident_blocks()) * u64::from(multiprocessors)
    }

    /// The fewest columns of a chunk.
    pub(super) fn min_chunk(&self) -> u64 {
        MIN_CHUNK_TILES * u64::from(self.tile_items())
    }

    /// Chunks of a row: as many as occupy the device, but no more than make the list of their candidates some times as long as a chunk. Written once
    /// for Rust and for C++, as what follows from it.
    pub(crate) fn host_chunks<N: HostNumber>(&self, facts: &HostFacts<N>) -> N {
        let HostFacts { rows, columns, k, multiprocessors } = facts.clone();
        let one = || N::known(1);
        let resident = N::known(self.resident_blocks().into()).times(multiprocessors);
        let wanted = resident.divided_by(rows.at_least(one()));
        let balanced = N::known(2).times(columns.clone().divided_by(k.at_least(one())).root());
        let least = columns.divided_by(N::known(self.min_chunk()));
        wanted.at_most(balanced).at_most(least).at_least(one())
    }

    /// Groups of a row's chunks: where their candidates are many tiles, as many as make a group's list as long as that of all groups.
    pub(crate) fn host_groups<N: HostNumber>(&self, chunks: N, k: N) -> N {
        let many = N::known(GROUPED_TILES * u64::from(self.tile_items()));
        let are_many = chunks.clone().times(k).reaches(many);
        N::choose(&are_many, chunks.root(), N::known(1))
    }
}

/// Blocks of a launch for some lists of each row.
pub(crate) fn blocks_of<N: Number>(rows: N, lists: N) -> N {
    rows.times(lists).at_most(N::known(MAX_BLOCKS))
}

/// Positions of candidates that launches of chunks and groups share, those of the groups behind those of the chunks; none where there is one chunk.
pub(crate) fn candidates_of<N: Number>(rows: N, k: N, chunks: N, groups: N) -> N {
    let two = || N::known(2);
    let of_groups = N::choose(&groups.clone().reaches(two()), groups, N::known(0));
    let lists = chunks.clone().plus(of_groups);
    N::choose(&chunks.reaches(two()), of_lists(rows, k, lists), N::known(0))
}

/// Positions of k items for each of some lists of a row.
pub(crate) fn of_lists<N: Number>(rows: N, k: N, lists: N) -> N {
    rows.times(lists.times(k))
}

impl TopKLaunches {
    /// Positions of candidates that launches share, those of the groups behind those of the chunks; none where there is one chunk.
    pub fn candidates(&self, TopKRows { rows, k, .. }: TopKRows) -> u64 {
        candidates_of(rows, k.into(), self.chunks.into(), self.groups.into())
    }

    /// Where the groups' positions begin.
    pub fn start_of_groups(&self, TopKRows { rows, k, .. }: TopKRows) -> u64 {
        of_lists(rows, k.into(), self.chunks.into())
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
        assert_eq!(chunks(1, 128_256, 64), Some(15));
        assert_eq!(chunks(1, 1 << 20, 1024), Some(64));
        assert_eq!(chunks(1, 1 << 27, 64), Some(396));
        assert_eq!(chunks(1000, 1 << 20, 64), Some(1));
        let long = launches(1, 1 << 27, 64).expect("there is a row");
        let shape = TopKRows { rows: 1, columns: 1 << 27, k: 64 };
        assert_eq!((long.rows.blocks, long.candidates.map(|it| it.blocks)), (396, Some(1)));
        assert_eq!(
            (long.groups, long.of_groups),
            (19, Some(TopKLaunch { blocks: 19, ..long.rows }))
        );
        assert_eq!(long.start_of_groups(shape), 396 * 64);
        assert_eq!(long.candidates(shape), (396 + 19) * 64);
        let short = launches(1, 128_256, 64).expect("there is a row");
        assert_eq!((short.groups, short.of_groups), (1, None));
        for rows in 1..600 {
            let shape = TopKRows { rows, ..shape };
            let candidates = spec.launches(shape, 132).map(|it| it.candidates(shape));
            assert!(candidates <= Some(spec.max_candidates(shape.columns, shape.k, 132)));
        }
        let most = launches(u64::MAX, 1, 1).expect("there are rows");
        assert_eq!((most.rows.blocks, most.candidates), (i32::MAX as u32, None));
    }
}
