//! Broken gathers.

use std::time::Duration;

use sortsmith_codegen::gather::GatherSpec;

use super::{Barriers, Edit, Ground, Survivor, assert_survivors};

/// Items of a word, of three, and of more than a block moves at once.
pub(crate) const SPECS: [&str; 3] = ["gather_b8_w8", "gather_b12_w4", "gather_b6000_w4"];

const ONE_WORD: &str = "An item is one word.";

/// Mutants that no case can tell from the original, and why.
const SURVIVORS: &[Survivor] = &[
    ("gather_b8_w8", "positions are of words", ONE_WORD),
    ("gather_b8_w8", "every word is an item's first", ONE_WORD),
    ("gather_b8_w8", "a round begins with an item", ONE_WORD),
];

#[rustfmt::skip] // one a line
const EDITS: &[Edit] = &[
    ("the last word stays behind", "if (word < round_words) items_out", "if (word + 1 < round_words) items_out"),
    ("one word too many is written", "if (word < round_words) items_out", "if (word <= round_words) items_out"),
    ("words past the end are read where they lie", "(word < round_words ? word : round_words - 1)", "word"),
    ("a part of a round is taken for a whole one", "words - start < kRoundWords ?", "false ?"),
    ("positions are of words", "positions[first_item + source / kItemWords]", "positions[first_item + source]"),
    ("each round has the first positions", "positions[first_item + source", "positions[source"),
    ("every word is an item's first", "item * kItemWords + source % kItemWords", "item * kItemWords"),
    ("a round begins with an item", "words_before + (word", "0u * words_before + (word"),
    ("blocks do not go on where they end", "start += stride", "start += words"),
    ("blocks go on too late", "(gridDim.x) * kRoundWords", "(gridDim.x) * kRoundWords + kItemWords"),
];

#[test]
fn mutants_of_gathers() {
    let ground = Ground {
        specs: &SPECS,
        edits: EDITS,
        barriers: Barriers::Here,
        survivors: SURVIVORS,
        cases: 18,
        limit: Duration::from_secs(20),
    };
    assert_survivors::<GatherSpec>(&ground);
}
