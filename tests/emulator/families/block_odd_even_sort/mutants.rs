//! Broken odd-even transposition sorts.

use crate::mutants::Edit::Swap;
use crate::mutants::Mutation;

/// Values of two sizes and positions; tiles of even and of odd numbers of items, of less than a warp and of more. All threads have several pairs,
/// and equal keys are told apart by their values.
pub(super) const SPECS: [&str; 3] = [
    "block_odd_even_sort_f32_u32_b24_i3_asc",
    "block_odd_even_sort_i16_u16_b33_i3_desc_outstriped",
    "block_odd_even_sort_u64_index_b20_i4_desc_instriped",
];

#[rustfmt::skip] // one a line
pub(super) const MUTATIONS: &[Mutation] = &[
    ("equal keys are exchanged", "right-is-less", Swap("<", "<=")),
    ("keys that are less come last", "right-is-less", Swap("<", ">")),
    ("values stay where they are", "exchanged-value", Swap("= $a;", "= $a * 0;")),
    ("half of the rounds are left out", "rounds", Swap("< $n;", "< $n / 2;")),
    ("all rounds have the same pairs", "pairs-of-a-thread", Swap("+ $r % 2", "")),
    ("the last valid item is left out", "pairs-of-a-thread", Swap("+ 1 <", "+ 2 <")),
    ("one item too many is valid", "pairs-of-a-thread", Swap("+ 1 <", "<")),
    ("a thread has one pair", "pairs-of-a-thread", Swap("+= 2 * $n", "+= 64 * $n")),
    ("-0.0 is less than +0.0", "negative-zero", Swap("$a == $b ? $c : $a", "$a")),
    ("rows begin one too early", "start-of-row", Swap("* $a;", "* ($a - 1);")),
    ("keys are written that are not wanted", "keys-wanted", Swap("$a != $b", "true")),
    ("one item too many is loaded", "loaded-item", Swap("<", "<=")),
    ("the last item is not stored", "stored-item", Swap("<", "+ 1 <")),
    ("one item too many is stored", "stored-item", Swap("<", "<=")),
    ("partial tiles count as full", "full-tile", Swap("$a == $b", "true")),
];
