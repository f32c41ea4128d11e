//! Gathers: a fixed set, and fresh ones.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::gather::GatherSpec;

const WORDS: [u32; 5] = [1, 2, 4, 8, 16];

/// Each word with items of one, of a few, and of more of them than a block moves at once.
pub fn gather_covering_set() -> Vec<GatherSpec> {
    let of_word = |word: u32| [1, 2, 3, 4, 31, 1500].map(|words| legal(words * word, word));
    WORDS.into_iter().flat_map(of_word).collect()
}

/// Any gather: of a few words an item most often.
pub fn gather(rng: &mut ChaCha8Rng) -> GatherSpec {
    let word = *WORDS.choose(rng).expect("not empty");
    let most = if rng.random_ratio(1, 8) { 3000 } else { 40 };
    legal(rng.random_range(1..=most) * word, word)
}

fn legal(item_bytes: u32, word_bytes: u32) -> GatherSpec {
    GatherSpec::new(item_bytes, word_bytes).unwrap_or_else(|error| panic!("{error}"))
}
