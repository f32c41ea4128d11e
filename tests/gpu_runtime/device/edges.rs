//! Every number of keys up to three tiles of a block, and every number near an edge where another path begins.

use rand_chacha::ChaCha8Rng;
use sortsmith::{SortKey, SortOptions};
use sortsmith_codegen::ValueType;

use super::check::{Case, Checker};
use super::inputs::{Keys, Pattern};
use super::{FEW, SHAPES, offsets};
use crate::{Setting, Test};

/// The number of keys that a block sorts; of short ones it sorts twice as many.
const BLOCK: usize = 2048;

/// How far from an edge every number of keys is tried.
const NEAR: usize = 9;

/// Numbers of keys from about which other launches begin to pay: MSD buckets of integers, and those by value bucketing. And a number of keys of
/// 16 bits for which each block that counts has several rounds.
pub const PAYING: [usize; 3] = [1_500_000, 3_000_000, 1 << 23];

/// The tests.
pub fn tests() -> Vec<Test> {
    vec![
        ("every_n::u8".to_owned(), every_n::<u8>),
        ("every_n::u16".to_owned(), every_n::<u16>),
        ("every_n::u32".to_owned(), every_n::<u32>),
        ("every_n::f32".to_owned(), every_n::<f32>),
        ("every_n::u64".to_owned(), every_n::<u64>),
    ]
}

/// Of each path's edges: the shapes of a sort by samples, the smallest, then full tiles of the radix sort.
fn every_n<K: SortKey>(setting: &Setting) {
    let mut at = Edges::<K>::new(setting);
    for n in 0..=3 * BLOCK {
        at.check(n);
    }
    at.around(2 * BLOCK);
    for edge in SHAPES {
        at.around(edge);
    }
    for value in [ValueType::None, ValueType::U32, ValueType::Index, ValueType::U64] {
        let tile = at.checker.tile_items::<K>(value);
        let first = FEW.div_ceil(tile);
        for tiles in first..first + 3 {
            at.around(tiles * tile);
        }
    }
    for edge in PAYING {
        for n in edge - 1..=edge + 1 {
            at.check(n);
        }
    }
    if K::HAS_NAN {
        // There is nothing but the radix sort, after the tiles of a block.
        at.options = SortOptions::new().nan_last();
        for tiles in 1..=3 {
            let tile = at.checker.tile_items::<K>(ValueType::None);
            at.around(tiles * tile);
        }
    }
}

/// Keys of one pattern after the other, and orders, in alternation.
struct Edges<K> {
    checker: Checker,
    rng: ChaCha8Rng,
    sources: [Vec<K>; 3],
    options: SortOptions,
    round: usize,
}

impl<K: SortKey> Edges<K> {
    fn new(setting: &Setting) -> Self {
        let n = PAYING.into_iter().fold(0, usize::max) + 1;
        let seed = setting.seed.0;
        let patterns = [Pattern::Uniform, Pattern::LowEntropy(3), Pattern::FewDistinct];
        Self {
            checker: Checker::new(setting),
            rng: setting.seed.rng(&format!("every n of {}", K::KEY_TYPE)),
            sources: patterns.map(|pattern| Keys { pattern, n, seed }.all::<K>()),
            options: SortOptions::new(),
            round: 0,
        }
    }

    fn around(&mut self, edge: usize) {
        for n in edge - NEAR..=edge + NEAR {
            self.check(n);
        }
    }

    /// Alone, with values and as positions.
    fn check(&mut self, n: usize) {
        self.round += 1;
        let source = &self.sources[self.round % self.sources.len()];
        let options =
            if self.round.is_multiple_of(2) { self.options.descending() } else { self.options };
        let case = Case::new(&source[..n], options, offsets(&mut self.rng), "every n");
        self.checker.all_of(&case);
    }
}
