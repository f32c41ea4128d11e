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
    ("items behind the last are read", "own-rows", Swap("$a < $b ?", "false ?")),
    ("items behind the last have the first slot", "items-behind-the-last", Swap("$a < $b ?", "true ?")),
    ("ranks do not know the lanes below", "rank-in-warp", Swap("& $a", "& 0u")),
    ("a warp's items are where the warp's before are", "offset-in-next-warp", Swap("+= $a", "+= 0")),
    ("no block leaves the next launch's state", "last-to-begin", Swap("== $a *", "!= $a *")),
    ("launches are all even or all odd", "state-of-next-launch", Swap("$a - $b", "($a | 1u << 16) - $b")),
    ("one word of the launch before is not cleared", "clear-before", Swap("< $a;", "+ 1 < $a;")),
    ("counts are taken before they are published", "ready-words", Swap("== $a", "!= 0")),
    ("items behind the last are published", "published-items", Swap("? $a - $b :", "? $a :")),
    ("a block that waits for too long goes on", "polled-too-often", Swap("return false", "break")),
    ("counts that are published too late are taken", "published-too-late", Swap("if ($a) $b;", "$a;")),
    ("the last group is waited for like the others", "last-group", Swap("$a < $b <<", "false && $a < $b <<")),
    ("a group is before itself", "groups-before", Swap("<", "<=")),
    ("offsets of one launch have one bin too few", "offsets-at-once", Swap("<= $a", "< $a")),
    ("chunks of one launch are not behind those before them", "shift-at-once", Swap("+ $a -", "-")),
    ("items behind the last are written", "written-items", Swap(">= $a", "> $a")),
];

pub(super) const MUTANTS: Ground = Ground {
    specs: &SPECS,
    mutations: MUTATIONS,
    barriers: Barriers::AtRunTime,
    telling: &[],
    survivors: &[],
    cases: 40,
};
