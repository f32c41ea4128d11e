//! The launches that cases of top-ks have: as a host might choose them, with as many blocks or with fewer.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::top_k::{RankedLaunches, TopKLaunch, TopKLaunches, TopKRows, TopKSpec};

/// Launches that have a list for each row.
#[derive(Clone, Copy, Debug)]
pub(super) struct ListedCase {
    /// Blocks of `_filtered`, `_listed` and `_candidates`.
    pub(super) blocks: [u32; 3],
    /// Blocks of `_samples`.
    sample_blocks: u32,
    /// Blocks that have a sample of a row.
    pub(super) blocks_of_sample: u32,
    /// Items that each of them keeps.
    kept: u32,
    /// Which of these is the limit.
    rank: u32,
    /// Survivors that a list has room for.
    pub(super) room: u32,
    /// Chunks of a row.
    pub(super) chunks: u32,
    /// Groups of its columns.
    pub(super) groups: u32,
}

impl ListedCase {
    /// What the request has of samples.
    pub(super) fn sample(&self) -> [u32; 4] {
        [self.sample_blocks, self.blocks_of_sample, self.kept, self.rank]
    }
}

/// Launches that have lists, for two fifths of the rows that may have them: with limits that are too low and too high for k, too.
pub(super) fn listed_launches(
    spec: &TopKSpec,
    TopKRows { rows, columns, k }: TopKRows,
    rng: &mut ChaCha8Rng,
) -> Option<ListedCase> {
    let tile = spec.tile_items();
    if columns < u64::from(tile) || rng.random_ratio(3, 5) {
        return None;
    }
    let most_blocks = (columns / u64::from(tile)).min(3) as u32;
    let blocks_of_sample = rng.random_range(1..=most_blocks);
    let sampled = u64::from(blocks_of_sample * tile);
    // Of this rank in the sample the k-th key is expected.
    let expected = (u64::from(k) * sampled / columns) as u32;
    let rank = (expected + rng.random_range(1..=2 + expected / 2)).min(tile);
    let kept = rng.random_range(rank / blocks_of_sample + 1..=rank + 1).min(tile);
    let rank = rank.min(kept * blocks_of_sample);
    let room = if rng.random_ratio(3, 4) { 2 * tile } else { rng.random_range(k..=2 * tile) };
    let chunks = rng.random_range(1..=columns.min(12)) as u32;
    let groups = rng.random_range(1..=(columns / u64::from(k)).min(4)) as u32;
    let mut blocks = |of_row: u32| {
        let all = rows as u32 * of_row;
        if rng.random() { all } else { rng.random_range(1..=all) }
    };
    let kept_items = kept * blocks_of_sample;
    (kept_items <= 2 * tile).then(|| ListedCase {
        blocks: [blocks(chunks), blocks(groups), blocks(1)],
        sample_blocks: blocks(blocks_of_sample),
        blocks_of_sample,
        kept,
        rank,
        room,
        chunks,
        groups,
    })
}

/// Launches that rank survivors, or of one ranker select them, for half of the rows that may have them: with limits of fewer than k items, too. Only
/// one ranker leaves results in the order of their positions.
pub(super) fn ranked_launches(
    spec: &TopKSpec,
    shape: TopKRows,
    is_sorted: bool,
    rng: &mut ChaCha8Rng,
) -> Option<RankedLaunches> {
    let TopKRows { rows, columns, k } = shape;
    let sample_items = 2 * spec.tile_items();
    if columns < u64::from(sample_items) || rng.random() {
        return None;
    }
    let most_chunks = if rng.random_ratio(1, 8) { 256 } else { 12 };
    let chunks = rng.random_range(1..=columns.min(most_chunks)) as u32;
    let rankers: u32 = if is_sorted { *[1, 1, 3, 5, 7].choose(rng).expect("not empty") } else { 1 };
    let most_groups = (columns / u64::from(k)).min(u64::from(rankers)) as u32;
    let groups = if rng.random() { most_groups } else { rng.random_range(1..=most_groups) };
    // Of this rank in the sample the k-th key is expected.
    let expected = f64::from(k) * f64::from(sample_items) / columns as f64;
    let likely = ((expected + 4.0 * expected.sqrt()) as u32 + 4).min(sample_items);
    let rank = if rng.random_ratio(3, 4) { likely } else { rng.random_range(1..=likely) };
    let mut launch = |blocks: u32| TopKLaunch {
        blocks: if rng.random() { blocks } else { rng.random_range(1..=blocks) },
        threads: spec.threads,
        shared_bytes: spec.shared_bytes(),
    };
    let rows = rows as u32;
    Some(RankedLaunches {
        chunks,
        rankers,
        groups,
        rank,
        survivors: launch(rows * chunks),
        ranked: launch(rows * rankers),
        candidates: (rankers > 1).then(|| launch(rows)),
    })
}

/// The host's launches of rows in chunks, with as many blocks or with fewer: then each goes on from where they end.
pub(super) fn launches(spec: &TopKSpec, shape: TopKRows, rng: &mut ChaCha8Rng) -> TopKLaunches {
    let most_chunks = (shape.columns / u64::from(shape.k)).min(4) as u32;
    let chunks =
        *[1, 1, most_chunks, rng.random_range(1..=most_chunks)].choose(rng).expect("not empty");
    // Candidates that are not a multiple of the groups need fewer groups than chunks.
    let uneven = (chunks - 1).max(1);
    let groups =
        *[1, 1, uneven, uneven, rng.random_range(1..=chunks)].choose(rng).expect("not empty");
    let mut launch = |blocks: u32| TopKLaunch {
        blocks: if rng.random() { blocks } else { rng.random_range(1..=blocks) },
        threads: spec.threads,
        shared_bytes: spec.shared_bytes(),
    };
    let rows = shape.rows as u32;
    TopKLaunches {
        chunks,
        rows: launch(rows * chunks),
        groups,
        of_groups: (groups > 1).then(|| launch(rows * groups)),
        candidates: (chunks > 1).then(|| launch(rows)),
    }
}
