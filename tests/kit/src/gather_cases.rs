//! The cases of one gather: items, positions, launches, and the expected output.

use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::gather::{GatherLaunch, GatherSpec};

use crate::cases::first_difference;
use crate::emulator::{GatherRequest, Outcome};
use crate::inputs;
use crate::oracle;

/// How many words a case moves, as an average.
pub const TYPICAL_WORDS: u64 = 5000;

/// Where the items come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Positions {
    /// Where they go.
    InOrder,
    /// The other end.
    Reversed,
    /// Anywhere, each once, as a sort leaves them.
    Shuffled,
    /// Anywhere among more or fewer items than there are positions.
    Drawn,
}

/// One case, all but the order of threads.
#[derive(Clone, Debug)]
pub struct GatherCase {
    /// Where the items come from.
    pub kind: Positions,
    /// Which items.
    pub positions: Vec<u32>,
    /// The host's launch, or one with fewer blocks.
    pub launch: GatherLaunch,
    /// The number of blocks that run concurrently, interleaved.
    pub blocks_at_once: u32,
    /// The items that go in.
    pub items: Vec<u8>,
    /// The items that must come out.
    pub expected: Vec<u8>,
}

impl GatherCase {
    /// The request for one order of threads.
    pub fn request(&self, spec: &GatherSpec, member: usize, seed: u64) -> GatherRequest<'_> {
        let Self { positions, launch, blocks_at_once, items, .. } = self;
        GatherRequest {
            member,
            item_bytes: spec.item_bytes() as usize,
            launch: *launch,
            blocks_at_once: *blocks_at_once,
            seed,
            positions,
            items,
        }
    }

    /// The defect of an outcome, if it has one.
    pub fn complaint(&self, spec: &GatherSpec, outcome: &Outcome) -> Option<String> {
        match outcome {
            Outcome::Sorted { values, .. } => {
                // By words: an item may be longer than a message can tell.
                first_difference("word", values, &self.expected, spec.word_bytes() as usize)
            }
            Outcome::Fault(message) => Some(format!("fault: {message}")),
            Outcome::Refused(message) => Some(format!("refused: {message}")),
        }
    }
}

impl std::fmt::Display for GatherCase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { kind, positions, launch, blocks_at_once, .. } = self;
        let (n, blocks) = (positions.len(), launch.blocks);
        write!(f, "{n} {kind:?} positions, {blocks} blocks, {blocks_at_once} at once")
    }
}

/// `count` cases of a spec: sizes at the limits of one step of a block, and between them.
pub fn of(spec: &GatherSpec, count: usize, rng: &mut ChaCha8Rng) -> Vec<GatherCase> {
    let mut sizes = sizes(*spec, rng);
    sizes.shuffle(rng);
    let kinds = [Positions::Shuffled, Positions::Drawn, Positions::Reversed, Positions::InOrder];
    (0..count)
        .map(|number| case(*spec, kinds[number % kinds.len()], sizes[number % sizes.len()], rng))
        .collect()
}

/// No items, one, two; those of exactly a round of one, two and three blocks, one fewer and one more; any.
fn sizes(spec: GatherSpec, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let in_one_block = |n: &u64| spec.launch(*n).is_none_or(|launch| launch.blocks == 1);
    let round = (0..=1 << 16).take_while(in_one_block).last().unwrap_or(0) as usize;
    let edges = (1..=3).flat_map(|rounds| {
        let full = rounds * round;
        [full.saturating_sub(1), full, full + 1]
    });
    let mut sizes: Vec<usize> = [0, 1, 2].into_iter().chain(edges).collect();
    sizes.extend((0..6).map(|_| rng.random_range(0..=6 * round.max(2))));
    sizes
}

fn case(spec: GatherSpec, kind: Positions, n: usize, rng: &mut ChaCha8Rng) -> GatherCase {
    let (mut all, mut positions) = (n, (0..n as u32).collect::<Vec<u32>>());
    match kind {
        Positions::InOrder => {}
        Positions::Reversed => positions.reverse(),
        Positions::Shuffled => positions.shuffle(rng),
        Positions::Drawn => {
            all = rng.random_range(1..=2 * n + 1);
            positions.fill_with(|| rng.random_range(0..all as u32));
        }
    }
    let item_bytes = spec.item_bytes() as usize;
    let items = inputs::values(item_bytes, all, rng.random());
    let expected = oracle::gather(&items, item_bytes, &positions);
    // No items, no launch: the request has no block then.
    let full = spec.launch(n as u64).unwrap_or(GatherLaunch { blocks: 0, threads: 0 });
    // With fewer blocks each goes on from where they end.
    let blocks = if rng.random() {
        full.blocks
    } else {
        rng.random_range(0..=full.blocks).max(full.blocks.min(1))
    };
    let launch = GatherLaunch { blocks, ..full };
    let blocks_at_once = *[1, 2, 4].choose(rng).expect("not empty");
    GatherCase { kind, positions, launch, blocks_at_once, items, expected }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand::SeedableRng;

    use super::*;

    #[test]
    fn a_spec_meets_the_edges_of_rounds_and_grids_that_stride() {
        let spec: GatherSpec = "gather_b12_w4".parse().expect("legal");
        let cases = of(&spec, 40, &mut ChaCha8Rng::seed_from_u64(3));
        let sizes: HashSet<usize> = cases.iter().map(|case| case.positions.len()).collect();
        // 341 items are 1023 words.
        for n in [0, 1, 2, 340, 341, 342, 682, 683, 1023, 1024] {
            assert!(sizes.contains(&n), "{n}");
        }
        let strides = |case: &&GatherCase| {
            let n = case.positions.len() as u64;
            spec.launch(n).is_some_and(|launch| launch.blocks > case.launch.blocks)
        };
        assert!(cases.iter().filter(strides).count() > 3);
        assert!(cases.iter().all(|case| (case.launch.blocks == 0) == case.positions.is_empty()));
    }
}
