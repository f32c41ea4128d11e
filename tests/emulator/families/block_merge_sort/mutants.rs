//! Broken merge sorts of blocks. What they share with bitonic sorts is broken there.

use crate::mutants::Edit::{Drop, Swap};
use crate::mutants::{Mutation, Survivor};

/// Warps by shuffles and threads alone; merges of warps and of the block; tiles that are no power of two.
pub(super) const SPECS: [&str; 3] = [
    "block_merge_sort_f32_u32_b96_i4_asc",
    "block_merge_sort_u64_u64_b20_i6_desc_instriped",
    "block_merge_sort_f32_keys_b64_i9_asc_outstriped",
];

const FULL_RUNS: &str = "The tile is a power of two of threads: no run goes past its end.";

/// Mutants that no case can tell from the original, and why.
pub(super) const SURVIVORS: &[Survivor] =
    &[("block_merge_sort_f32_keys_b64_i9_asc_outstriped", "runs go on behind the tile", FULL_RUNS)];

#[rustfmt::skip] // one a line
pub(super) const MUTATIONS: &[Mutation] = &[
    ("the smaller of two items comes last", "smaller-head", Swap("= $less;", "= !$less;")),
    ("the search ends one too early", "upper-half", Swap("+ 1;", "; break;")),
    ("the search does not look at the first half", "lower-half", Swap("= $half;", "= 0;")),
    ("the search looks one item further", "diagonal", Swap("1 -", "")),
    ("the second run may be left by more items than it has", "least-of-first-run", Swap("$a > $b ? $a - $b : 0", "0")),
    ("the first run may be left by more items than it has", "most-of-first-run", Swap("< $a ? $b : $a", "")),
    ("the first run goes on behind its end", "end-of-a-run", Swap("$c ? $a : $b);", "$a);")),
    ("what is behind a run is less than all", "maximum-of-a-run", Swap("~", "")),
    ("runs go on behind the tile", "end-of-tile", Swap("$a > $b", "false")),
    ("the first run's items are taken again", "next-of-first-run", Drop),
    ("the second run's items are taken again", "next-of-second-run", Drop),
    ("the last warp with items counts as empty", "warps-with-items", Swap("($a + $b - 1) / $b", "$a / $b")),
    ("second runs begin where they end", "first-of-second-run", Swap("$a / 2", "$a")),
];
