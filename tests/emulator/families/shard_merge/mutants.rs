//! Broken merges of shards.

use crate::mutants::Edit::{Drop, Swap};
use crate::mutants::{Barriers, Ground, Mutation, Survivor};

/// Keys alone, values, and positions.
pub(super) const SPECS: [&str; 3] = [
    "shard_merge_u32_keys_b64_i2_asc",
    "shard_merge_f32_u32_b64_i2_desc_nanlast",
    "shard_merge_i16_index_b64_i2_asc",
];

/// Mutants that no case can tell from the original, and why.
const SURVIVORS: &[Survivor] = &[];

#[rustfmt::skip] // one a line
const MUTATIONS: &[Mutation] = &[
    ("bits are counted from the lowest", "mask", Swap("- 1) << $a", "- 1)")),
    ("equal keys are less", "compared", Swap("<", "<=")),
    ("-0.0 is less than +0.0", "negative-zero", Swap("$a == $b ? $c : $a", "$a")),
    ("NaNs order by their bits", "nan-bits", Drop),
    // The search for splitters.
    ("blocks go through one round of candidates", "next-of-grid", Swap("+= $a)", "+= 1ull << 62)")),
    ("a candidate's digit is the lowest one", "candidate", Swap("<< $a)", "<< 0 * $a)")),
    ("items equal to a candidate are below it", "below-candidate", Swap("<", "<=")),
    ("a sum equal to the target is beyond it", "within-target", Swap(">", ">=")),
    ("two candidates are the last one within the target", "last-within-target", Swap("<= $a)", "< $a)")),
    ("a digit found is the lowest one", "found-digit", Swap("<< $a", "<< 0 * $a")),
    ("items equal to a splitter are below it", "below-splitter", Swap("<", "<=")),
    ("no item is equal to a splitter", "equal-to-splitter", Swap("==", "<")),
    ("positions are those of one rank", "position-over-ranks", Swap("= $a +", "=")),
    // Merges.
    ("a block merges one tile", "next-of-ranges", Swap("+= $a)", "+= 1ull << 62)")),
    ("all tiles are full", "items-of-merged-tile", Swap("$a < $b ? $$c : $b", "$b")),
    ("equal keys of the second range come first in a split", "first-of-equal", Swap("!$$f($a, $b, $c)", "$$f($b, $a, $c)")),
    ("equal keys of the second range come first in a merge", "next-of-merge", Swap("!$$f($a, $b, $c)", "$$f($b, $a, $c)")),
    ("equal keys of the second range come first in a long split", "far-diagonal", Swap("!$$f($a, $b, $c)", "$$f($b, $a, $c)")),
    ("the first item of a probe's is not looked at", "probe", Swap("- 1;", ";")),
    ("probes are next to each other", "next-probes", Swap("* $a;", ";")),
    ("an item of the second range is of the first", "range-of-item", Swap("<", "<=")),
    ("a key past the end is read", "loaded-key", Swap("$a < $b ?", "$a <= $b ?")),
    ("a key too many is written", "merged-key", Swap("if ($a < $b)", "if ($a <= $b)")),
    ("a value too many is written", "merged-value", Swap("if ($a < $b)", "if ($a <= $b)")),
];

pub(super) const MUTANTS: Ground = Ground {
    specs: &SPECS,
    mutations: MUTATIONS,
    barriers: Barriers::AtRunTime,
    telling: &[],
    survivors: SURVIVORS,
    cases: 24,
};
