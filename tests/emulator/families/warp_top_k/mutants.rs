//! Broken top-ks by warps.

use crate::mutants::Edit::Swap;
use crate::mutants::{Barriers, Ground, Mutation, Survivor};

/// Survivors; runs of several lanes, cut off and not, and of a lane's first items; one limb and two.
pub(super) const SPECS: [&str; 4] = [
    "warp_top_k_f32_i16_k32_desc_nanlast",
    "warp_top_k_f32_i4_k32_desc_nanlast",
    "warp_top_k_i64_i2_k64_asc",
    "warp_top_k_i64_i4_k8_asc",
];

/// The same, and values of several words.
const BROKEN: [&str; 5] =
    [SPECS[0], SPECS[1], SPECS[2], SPECS[3], "warp_top_k_f32_u32x3_i4_k32_desc"];

#[rustfmt::skip] // one a line
const MUTATIONS: &[Mutation] = &[
    ("warps do not go on where they end", "next-row-of-warp", Swap("+= $a", "+= 1ull << 62")),
    ("warps do not go on to other rows", "next-rows-of-warp", Swap("+= $a * $b", "+= 1ull << 62")),
    ("bits that are left out are below the slots", "composite-of-factor", Swap("& ~($a - 1)", "")),
    ("no bits of a row are left out", "composite-of-shift", Swap(">> $a)", ">> 0)")),
    ("columns past the end are in the row", "columns-past-the-end", Swap(">= $a", "> $a")),
    ("the least bits are a lane's own", "least-of-lanes", Swap("$a < $b ? $a :", "false ? $a :")),
    ("the largest bits are a lane's own", "largest-of-lanes", Swap("$a < $b ? $b :", "false ? $b :")),
    ("halves of runs are taken for each other", "half-of-run", Swap("== 0", "!= 0")),
    ("no item of a lane is excluded by a merge", "excluded-in-lane", Swap("= $a;", "= ~0u;")),
    ("lanes have no ties with each other", "ties-of-lanes", Swap("= !$a &&", "= false &&")),
    ("runs have no ties", "ties-in-run", Swap(") < $a;", ") < 0;")),
    ("excluded items have no ties", "ties-with-excluded", Swap(") < $a", ") < 0")),
    ("bits of no row decide", "bits-of-row-decide", Swap("$a && $b", "false")),
    ("neighbours in a run are in order", "wrong-in-run", Swap("|= $a < $b", "|= false")),
    ("neighbours between lanes are in order", "wrong-between-lanes", Swap("$a < $b)", "false)")),
    ("excluded items have no ties with the last", "tie-with-excluded", Swap("== $a / $b", "== ~0u")),
    ("ties with the last are equal to it", "other-tie", Swap("|= $a != $b &&", "|= false &&")),
    ("positions are counted in a lane alone", "lanes-of-row-below", Swap(">= $a", ">= 32")),
    ("rows that are not there are written", "rows-that-are-there", Swap(">= $a", ">= 32")),
    ("ranks that are not found are written", "ranks-that-are-found", Swap(">= $a", "> $a")),
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
    ("a value's last word is not written", "words-of-value", Swap("$a < $b;", "$a + 1 < $b;")),
    ("rows of a warp have the same values", "values-of-row", Swap("($a * $b).", "(0ull).")),
    ("halves of lanes are taken for each other", "half-of-lanes", Swap("== 0", "!= 0")),
    ("halves of halves are taken for each other", "halves-of-lanes", Swap("== 0", "!= 0")),
];

const SAME_MINIMA: &str = "Two runs that begin with their upper halves have the same mirrored pairs, and a bitonic run is sorted from any of its items on.";

const SURVIVORS: &[Survivor] =
    &[(SPECS[1], "halves of runs are taken for each other", SAME_MINIMA)];

pub(super) const MUTANTS: Ground = Ground {
    specs: &BROKEN,
    mutations: MUTATIONS,
    barriers: Barriers::AtRunTime,
    telling: &[],
    survivors: SURVIVORS,
    cases: 240,
};
