//! Broken gathers.

use crate::mutants::Edit::Swap;
use crate::mutants::{Barriers, Ground, Mutation, Survivor};

/// Items of a word, of three, and of more than a block moves at once.
const SPECS: [&str; 3] = ["gather_b8_w8", "gather_b12_w4", "gather_b6000_w4"];

const ONE_WORD: &str = "An item is one word.";

/// Mutants that no case can tell from the original, and why.
const SURVIVORS: &[Survivor] = &[
    ("gather_b8_w8", "positions are of words", ONE_WORD),
    ("gather_b8_w8", "every word is an item's first", ONE_WORD),
    ("gather_b8_w8", "a round begins with an item", ONE_WORD),
];

#[rustfmt::skip] // one a line
const MUTATIONS: &[Mutation] = &[
    ("the last word stays behind", "written-word", Swap("<", "+ 1 <")),
    ("one word too many is written", "written-word", Swap("<", "<=")),
    ("words past the end are read where they lie", "source-word", Swap("$c < $d ? $c : $d - 1", "$c")),
    ("a partial round is taken for a full one", "words-of-round", Swap("$a - $b < $c", "false")),
    ("positions are of words", "position-of-item", Swap("/ $a", "")),
    ("each round has the first positions", "position-of-item", Swap("[$a +", "[")),
    ("every word is an item's first", "word-of-item", Swap("+ $a % $b", "")),
    ("a round begins with an item", "source-word", Swap("= $a +", "= 0u * $a +")),
    ("blocks do not go on where they end", "next-round", Swap("+= $a)", "+= 1ull << 62)")),
    ("blocks go on too late", "grid-stride", Swap("* $b;", "* $b + 1;")),
];

pub(super) const MUTANTS: Ground = Ground {
    specs: &SPECS,
    mutations: MUTATIONS,
    barriers: Barriers::Here,
    telling: &[],
    survivors: SURVIVORS,
    cases: 18,
};
