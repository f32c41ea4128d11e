//! Broken binned argsorts.

use crate::mutants::Edit::Swap;
use crate::mutants::{Barriers, Ground, Mutation};

/// Several warps and several items of each thread, and one warp.
pub(super) const SPECS: [&str; 2] = ["binned_argsort_i32_b64_i2_r5", "binned_argsort_u8_b32_i3_r2"];

#[rustfmt::skip] // one a line
const MUTATIONS: &[Mutation] = &[
    ("blocks do not go on where they end", "next-binned-row", Swap("+= $a", "+= 1ull << 62")),
    ("a chunk begins behind the last column", "begin-of-chunk", Swap("$a < $b ? $a : $b", "$a")),
    ("a chunk ends behind the last column", "end-of-chunk", Swap("$a - $b < $c ? $d :", "")),
    ("a row of several tiles is not counted", "row-of-a-tile", Swap("$a <= $b", "true")),
    ("every chunk writes offsets", "writer-of-offsets", Swap("== 0", ">= 0")),
    ("chunks are not behind those before them", "behind-other-chunks", Swap("? $a :", "? 0 :")),
    ("keys that are in no bin are in the last one", "slot-of-key", Swap(": $a;", ": $a - 1;")),
    ("keys behind the end of a chunk are counted", "counted-lanes", Swap("$a & $b", "$a")),
    ("a chunk is before itself", "chunks-before", Swap("<", "<=")),
    ("a partial tile is taken for a full one", "items-of-sorted-tile", Swap("$a - $b < $c", "false")),
    ("offsets have one bin too few", "offsets-of-bins", Swap("<= $a", "< $a")),
    ("items of a slot are shifted by its end", "shift-of-slot", Swap("$a - $b;", "$a;")),
    ("slots go on where the tile before began", "next-tile-of-slot", Swap("+= $a", "+= 0")),
    ("one tile is sorted", "last-tile", Swap("$a - $b <= $c", "true")),
    ("items behind the last are read", "items-behind-the-last", Swap("&& $a < $b ?", "?")),
    ("ranks do not know the lanes below", "rank-in-warp", Swap("+ ($a & 0xffu)", "")),
    ("a warp's items are where the warp's before are", "offset-in-next-warp", Swap("+= $a", "+= 0")),
    ("items behind the last are written", "written-items", Swap(">= $a", "> $a")),
];

pub(super) const MUTANTS: Ground = Ground {
    specs: &SPECS,
    mutations: MUTATIONS,
    barriers: Barriers::AtRunTime,
    survivors: &[],
    cases: 40,
};
