//! What the tests know of gathers: their specs, and the cases of each: items, positions, launches, and the expected output.

use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::KernelArguments as _;
use sortsmith_codegen::gather::{self, GatherLaunch, GatherSpec};
use sortsmith_codegen::render::RenderError;

use crate::cases::first_difference;
use crate::emulator::{ArgumentTable, Member, Message, Outcome, long_words, words};
use crate::inputs;
use crate::kernel_families::KernelFacts;
use crate::oracle;
use crate::subject::Subject;

/// The arguments of the kernels.
const ARGUMENTS: [ArgumentTable; 1] = [("_kernel", &gather::GatherArguments::FIELDS)];

const MAGIC: u32 = u32::from_le_bytes(*b"ssgq");

const WORDS: [u32; 5] = [1, 2, 4, 8, 16];

impl KernelFacts for GatherSpec {
    const FOLDER: &str = "gather";

    /// Each word with items of one, of a few, and of more of them than a block moves at once.
    fn covering_set() -> Vec<Self> {
        let of_word = |word: u32| [1, 2, 3, 4, 31, 1500].map(|words| legal(words * word, word));
        WORDS.into_iter().flat_map(of_word).collect()
    }

    /// Of a few words an item most often.
    fn fresh(rng: &mut ChaCha8Rng) -> Self {
        let word = *WORDS.choose(rng).expect("not empty");
        let most = if rng.random_ratio(1, 8) { 3000 } else { 40 };
        legal(rng.random_range(1..=most) * word, word)
    }

    fn compiled_set() -> Vec<Self> {
        Self::covering_set()
    }

    fn symbols(&self) -> Vec<String> {
        vec![self.symbol()]
    }
}

fn legal(item_bytes: u32, word_bytes: u32) -> GatherSpec {
    GatherSpec::new(item_bytes, word_bytes).unwrap_or_else(|error| panic!("{error}"))
}

impl Subject for GatherSpec {
    type Case = GatherCase;

    fn member(&self) -> Result<Member, RenderError> {
        Ok(Member::of_family((Self::FOLDER, &ARGUMENTS), self, gather::header(self)?))
    }

    fn marked_header(&self) -> Result<String, RenderError> {
        gather::marked_header(self)
    }

    fn cost(&self) -> u64 {
        TYPICAL_WORDS
    }

    fn cases(&self, count: usize, rng: &mut ChaCha8Rng) -> Vec<GatherCase> {
        of(*self, count, rng)
    }

    fn message(&self, case: &GatherCase, member: usize, seed: u64) -> Message {
        case.message(*self, member, seed)
    }

    fn complaint(&self, case: &GatherCase, outcome: &Outcome) -> Option<String> {
        // By words: an item may be longer than a message can tell.
        outcome.complaint(|_, items| {
            first_difference("word", items, &case.expected, self.word_bytes() as usize)
        })
    }
}

/// How many words a case moves, as an average.
const TYPICAL_WORDS: u64 = 5000;

/// Where the items come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Positions {
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
    kind: Positions,
    /// Which items.
    positions: Vec<u32>,
    /// The host's launch, or one with fewer blocks.
    launch: GatherLaunch,
    /// The number of blocks that run concurrently, interleaved.
    blocks_at_once: u32,
    /// The items that go in.
    items: Vec<u8>,
    /// The items that must come out.
    expected: Vec<u8>,
}

impl GatherCase {
    /// The request as `driver.hpp` has it.
    fn message(&self, spec: GatherSpec, member: usize, seed: u64) -> Message {
        let Self { positions, launch, blocks_at_once, items, .. } = self;
        let item_bytes = spec.item_bytes() as usize;
        let mut bytes = Vec::with_capacity(48 + 4 * positions.len() + items.len());
        words(&mut bytes, &[MAGIC, member as u32, launch.blocks, launch.threads]);
        words(&mut bytes, &[*blocks_at_once, 0]);
        let all = items.len() / item_bytes;
        long_words(&mut bytes, &[positions.len() as u64, all as u64, seed]);
        words(&mut bytes, positions);
        bytes.extend(items);
        let answered_values = positions.len() * item_bytes;
        Message { bytes, answered_keys: 0, answered_values, races: (20, 1) }
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
fn of(spec: GatherSpec, count: usize, rng: &mut ChaCha8Rng) -> Vec<GatherCase> {
    let mut sizes = sizes(spec, rng);
    sizes.shuffle(rng);
    let kinds = [Positions::Shuffled, Positions::Drawn, Positions::Reversed, Positions::InOrder];
    (0..count)
        .map(|number| case(spec, kinds[number % kinds.len()], sizes[number % sizes.len()], rng))
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
        let cases = of(spec, 40, &mut ChaCha8Rng::seed_from_u64(3));
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
