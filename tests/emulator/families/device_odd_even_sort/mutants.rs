//! Broken device-wide odd-even transposition sorts.

use crate::mutants::Edit::Swap;
use crate::mutants::Mutation;

/// Values of two sizes and positions. Threads have several pairs, and equal keys are told apart by their values.
pub(super) const SPECS: [&str; 3] = [
    "device_odd_even_sort_f32_u32_b32_i3_asc",
    "device_odd_even_sort_i16_u16_b64_i2_desc",
    "device_odd_even_sort_u64_index_b32_i4_asc",
];

#[rustfmt::skip] // one a line
pub(super) const MUTATIONS: &[Mutation] = &[
    ("equal keys are exchanged", "odd-even-right-is-less", Swap("<", "<=")),
    ("keys that are less come last", "odd-even-right-is-less", Swap("<", ">")),
    ("values stay where they are", "odd-even-exchanged-value", Swap("= $a;", "= $a * 0;")),
    ("half of the rounds are left out", "odd-even-rounds", Swap("< $n;", "< $n / 2;")),
    ("all rounds have the same pairs", "odd-even-pairs-of-a-thread", Swap("+ $r % 2", "")),
    ("the last item is left out", "odd-even-pairs-of-a-thread", Swap("+ 1 <", "+ 2 <")),
    ("one item too many is in a pair", "odd-even-pairs-of-a-thread", Swap("+ 1 <", "<")),
    ("a thread has one pair", "odd-even-pairs-of-a-thread", Swap("+= 2 * $n", "+= 64 * $n")),
    ("-0.0 is less than +0.0", "negative-zero", Swap("$a == $b ? $c : $a", "$a")),
    ("one item too many is loaded", "odd-even-loaded-item", Swap("<", "<=")),
    ("the last item is not stored", "odd-even-stored-item", Swap("<", "+ 1 <")),
    ("one item too many is stored", "odd-even-stored-item", Swap("<", "<=")),
];
