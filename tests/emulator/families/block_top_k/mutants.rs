//! Broken top-ks.

use crate::mutants::Edit::{Drop, Swap};
use crate::mutants::{Barriers, Ground, Mutation};

/// Several warps, several items of each thread, and a k of several runs.
pub(super) const SPECS: [&str; 1] = ["block_top_k_f32_b64_i8_desc"];

/// The same, and values of several words.
const BROKEN: [&str; 2] = [SPECS[0], "block_top_k_f32_u32x3_b64_i8_desc"];

#[rustfmt::skip] // one a line
const MUTATIONS: &[Mutation] = &[
    ("short rows are sampled", "sampled-rows", Swap(">= $a * $b", ">= $a")),
    ("there is no room for a tile", "most-buffered", Swap(": $a", ": 2 * $a")),
    ("the last items are not selected", "most-buffered", Swap("$a ? $b :", "")),
    ("totals are written while they are read", "alternate-totals", Drop),
    ("a partial tile is taken for a full one", "items-of-tile", Swap("$a < $b", "false")),
    ("items equal to the limit are no survivors", "survivor", Swap("<=", "<")),
    ("loads of vectors begin anywhere", "aligned-tiles", Swap("$a % $b", "0u")),
    ("a partial tile is taken for vectors", "tiles-of-vectors", Swap("&& $a == $b", "")),
    ("items past the end are read", "item-in-tile", Swap("if ($a < $b)", "if (true)")),
    ("a vector's first item is not counted", "items-of-vector", Swap("- 1)", "- 2)")),
    ("a run loses positions", "position-in-run", Swap("? $$a :", "? 0u :")),
    ("halves of lanes are taken for each other", "half-of-lanes", Swap("== 0", "!= 0")),
    ("halves of halves are taken for each other", "halves-of-lanes", Swap("== 0", "!= 0")),
    ("all items agree", "agreeing-items", Swap("== 0", ">= 0")),
    ("items are counted twice", "count-of-bin", Swap("1u)", "2u)")),
    ("a rank is not the rank in its bin", "rank-in-bin", Drop),
    ("a selection ends where a bin has one item too many", "all-of-bin", Swap("+ 1 ==", "+ 2 ==")),
    ("a bound is not that of its bin", "loose-bound", Swap("- 1)", "- 2)")),
    ("the last tie is lost", "ties-kept", Swap("+ 1", "")),
    ("a bin is left too late", "bin-of-rank", Swap("<=", "<")),
    ("all ties are kept", "kept-item", Swap("&& $a < $b", "")),
    ("ties that are lost have slots", "kept-slot", Swap("$a < $b ? $a : $b", "$a")),
    ("runs are not merged in reverse", "mirrored-item", Swap("$a == $b ?", "false ?")),
    ("items behind the last one are sorted", "items-that-are-there", Swap("$a < $b", "true")),
    ("equal keys come in any order", "order-of-items", Swap("|| ($a == $b && $c < $d)", "")),
    ("blocks do not go on where they end", "next-chunk", Swap("+= $a", "+= 1ull << 62")),
    ("blocks of candidates do not go on", "next-group", Swap("+= $a", "+= 1ull << 62")),
    ("a row's last candidates are of no group", "last-group", Swap("$a + 1 == $b ? $c :", "")),
    ("fewer than k survivors will do", "enough-survivors", Swap("if ($a >= $b)", "if (true)")),
    ("a row's last columns are of no chunk", "last-chunk", Swap("$a + 1 == $b ? $c :", "")),
    ("a row's last columns have no survivors", "last-survivors", Swap("$a + 1 == $b ? $c :", "")),
    ("blocks do not go on to other ranks", "next-ranker", Swap("+= $a", "+= 1ull << 62")),
    ("fewer than k survivors are ranked", "ranked-survivors", Swap("$a >= $b &&", "")),
    ("survivors behind the last of the k are kept", "more-survivors", Drop),
    ("the last launch begins anew", "nothing-to-do", Drop),
    ("a row's last columns are not searched", "last-searched", Swap("$a + 1 == $b ? $c :", "")),
    ("ties far apart have the same rank", "rank-of-later-tie", Swap("<=", "<")),
    ("long lists are cut", "long-lists", Swap("$a < $b;", "false;")),
    ("neighbouring ties have the same rank", "rank-of-tie", Swap("$a < $b + $c", "false")),
    ("a slot is in the list before", "list-of-slot", Swap("<=", "<")),
    ("all ranks are among the first k", "first-ranks", Swap("&& $a < $b)", ")")),
    ("a value's last word is not written", "words-of-value", Swap("$a < $b;", "$a + 1 < $b;")),
    ("threads do not go on to other positions", "next-found", Swap("+= $a", "+= 1ull << 62")),
    ("survivors past the end of a list are written", "slots-of-list", Swap("&& $a + $b < $c", "")),
    ("items behind a tile's survive", "filtered-item", Swap("$a < $b &&", "")),
    ("the last ties survive in place of the first", "late-ties", Swap("$a > $b", "$a < $b")),
    ("a list's items come in their order", "unsorted-items", Swap("if ($a)", "if (true)")),
    ("blocks do not go on to other chunks", "next-filtered", Swap("+= $a", "+= 1ull << 62")),
    ("a row's last columns are not filtered", "last-filtered", Swap("$a + 1 == $b ? $c :", "")),
    ("blocks do not go on to other lists", "next-listed", Swap("+= $a", "+= 1ull << 62")),
    ("fewer than k survivors are a list", "listed-survivors", Swap("$a >= $b &&", "")),
    ("the last launch searches what no launch has written", "nothing-in-groups", Drop),
    ("a missed row's last columns are not searched", "last-of-missed", Swap("$a + 1 == $b ? $c :", "")),
    ("ties beyond the sample's last are no survivors", "columns-of-ties", Swap("<=", ">")),
];

pub(super) const MUTANTS: Ground = Ground {
    specs: &BROKEN,
    mutations: MUTATIONS,
    barriers: Barriers::AtRunTime,
    telling: &[],
    survivors: &[],
    cases: 640,
};
