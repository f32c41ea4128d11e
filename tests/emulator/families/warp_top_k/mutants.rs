//! Broken top-ks by warps.

use crate::mutants::Edit::Swap;
use crate::mutants::{Barriers, Ground, Mutation, Survivor};

/// Survivors in several vectors of a lane and all items of a row; one limb and two.
const SPECS: [&str; 3] = [
    "warp_top_k_f32_i8_k32_desc_nanlast",
    "warp_top_k_f32_i2_k64_desc",
    "warp_top_k_i64_i4_k16_asc",
];

#[rustfmt::skip] // one a line
const MUTATIONS: &[Mutation] = &[
    ("warps do not go on where they end", "next-row-of-warp", Swap("+= $a", "+= 1ull << 62")),
    ("vectors are loaded from anywhere", "loads-of-vectors", Swap("$a && $b % $c == 0", "true")),
    ("vectors past the end are read", "vector-in-row", Swap("if ($a < $b)", "if (true)")),
    ("columns past the end are read", "column-in-row", Swap("if ($a < $b)", "if (true)")),
    ("items past the end are items", "items-past-the-end", Swap(">= $a", "> $a")),
    ("the first group has all ranks", "group-of-rank", Swap("% $a == $b", "% $a == $b + 1000")),
    ("more items survive than there are slots", "more-than-slots", Swap("> $a", "> 2 * $a")),
    ("a limit leaves fewer than k", "too-low", Swap("$a < $b", "false")),
    ("a limit leaves more than there are slots", "few-enough", Swap("<= $a", "<= 2 * $a")),
    ("the last item is less than itself", "less-than-the-last", Swap("- 1)", ")")),
    ("all ties survive", "first-ties", Swap("if ($a < $b)", "if (true)")),
    ("a vector's first item is not counted", "items-of-vector", Swap("- 1)", "- 2)")),
    ("no bits are left out", "bits-left-out", Swap("$a > 0 ? $a :", "false ? $a :")),
    ("slots do not decide", "composite-key", Swap("| $a :", "| ($a ^ 31u) :")),
    ("the bits that are left out do not decide", "bits-decide", Swap("$a > 0 && $b", "false")),
    ("neighbours in a lane are in order", "wrong-neighbours", Swap("|= $a < $b", "|= false")),
    ("neighbours of two lanes are in order", "wrong-lanes", Swap("$a > 0 && $b < $c", "false")),
    ("slots are lost by a sort by all bits", "slot-of-all-bits", Swap("? $a :", "? 0u :")),
    ("a range is too short", "length-of-range", Swap("32 * ($a + 1)", "16 * ($a + 1)")),
    ("keys are made of bits that others have", "key-of-several", Swap("$a == $b || $a == $c ? $d : $e", "$e")),
    ("unsorted items are one too many", "found-slot", Swap("$a <= $b", "true")),
    ("unsorted items have the rank of their lane", "rank-by-position", Swap("$a + $b", "$b")),
    ("halves of lanes are taken for each other", "half-of-lanes", Swap("== 0", "!= 0")),
    ("halves of halves are taken for each other", "halves-of-lanes", Swap("== 0", "!= 0")),
];

const NO_BARRIER: &str = "barrier `slots-are-read` is missing";
const MEETING: &str = "Lanes meet in the collectives of the next row's limit before one of them writes a slot. They order execution, and not memory.";

const SURVIVORS: &[Survivor] = &[
    (SPECS[0], NO_BARRIER, MEETING),
    (SPECS[1], NO_BARRIER, MEETING),
    (SPECS[2], NO_BARRIER, MEETING),
];

pub(super) const MUTANTS: Ground = Ground {
    specs: &SPECS,
    mutations: MUTATIONS,
    barriers: Barriers::Here,
    survivors: SURVIVORS,
    cases: 240,
};
