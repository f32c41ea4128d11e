//! Broken sorts of segments.

use crate::mutants::Edit::{Drop, Swap};
use crate::mutants::{Barriers, Ground, Mutation, Survivor};

/// Keys alone, values that are read, and positions.
pub(super) const SPECS: [&str; 3] = [
    "segmented_merge_sort_u32_keys_b64_i2_asc",
    "segmented_merge_sort_u32_u32_b64_i1_desc",
    "segmented_merge_sort_i16_index_b64_i2_asc",
];

/// Mutants that no case can tell from the original, and why.
#[rustfmt::skip] // one a line
const SURVIVORS: &[Survivor] = &[
    ("segmented_merge_sort_u32_keys_b64_i2_asc", "negative offsets of 4 bytes are those of long arrays", LONG_ARRAYS),
    ("segmented_merge_sort_u32_u32_b64_i1_desc", "negative offsets of 4 bytes are those of long arrays", LONG_ARRAYS),
    ("segmented_merge_sort_i16_index_b64_i2_asc", "negative offsets of 4 bytes are those of long arrays", LONG_ARRAYS),
];

const LONG_ARRAYS: &str = "An array of 2³¹ items is more than the emulator has room for; races_and_what_comes_late reads such numbers.";

#[rustfmt::skip] // one a line
const MUTATIONS: &[Mutation] = &[
    // Lists.
    ("all tiles are full", "items-of-tile", Swap("return $$a < $c ? $$b : $c", "return $c")),
    ("two runs of a tile are a round more", "rounds-of-segment", Swap("< $a", "<= $a")),
    ("more is listed than there is room for", "listed-items", Swap("return $$a < $b ? $$a : $b", "return $$a")),
    ("blocks list the segments of one round", "next-segments", Swap("+= $a)", "+= 1ull << 62)")),
    ("a segment more", "last-segment", Swap("<", "<=")),
    ("empty segments have two items", "empty-segment", Swap("$a < $b ? $$c : 0", "$a < $b ? $$c : 2")),
    ("a group has an item more than lanes", "class-of-lanes", Swap("<= $a", "<= $a + 1")),
    ("a warp has an item more than lanes", "class-of-ranks", Swap("<= $a", "<= $a + 1")),
    ("a warp sorts an item more than it has room for", "class-of-warps", Swap("<= $a", "<= $a + 1")),
    ("a block sorts an item more than a tile", "class-of-blocks", Swap("<= $a", "<= $a + 1")),
    ("offsets are past the end", "clamped-offset", Swap("$a < $b ? $a : $b", "$a")),
    ("negative offsets of 4 bytes are those of long arrays", "negative-number", Swap("$a ? $$b : $c", "$c")),
    ("the count is the number behind it", "count-of-segments", Swap(", 0)", ", 1)")),
    ("more segments are counted than there are", "clamped-count", Swap("$a < $b ? $a : $b", "$a")),
    ("rows are one item apart", "begin-of-segment", Swap("* $a :", "* 1 :")),
    ("rows have an item more", "end-of-segment", Swap("+ $a :", "+ $a + 1 :")),
    ("a block's segments take one slot", "append", Swap(", $a);", ", 1ull);")),
    ("a warp's entries are not counted", "entries-of-warp", Drop),
    ("barrier `counted-entries` is missing", "counted-entries", Drop),
    ("barrier `slots-of-warps` is missing", "slots-of-warps", Drop),
    ("warps have the same slots", "slots-of-warps-before", Drop),
    ("a lane has the slot of the one before", "slot-of-lane", Swap("- 1u", "")),
    ("the last tile is left out", "tiles-of-segment", Swap("+ $a - 1", "")),
    ("segments of one warp have the same slots", "tiles-of-lanes-before", Swap("? $a : 0", "? 0 : 0")),
    ("a segment's tiles are those behind it", "base-of-lane", Swap("- $a;", ";")),
    ("no segment is the longest", "longest", Drop),
    ("tiles past a warp's lanes are left out", "next-tiles", Swap("+= $a)", "+= 64 * $a)")),
    ("all tiles are the first", "appended-tile", Swap("* $a} :", "* 0} :")),
    ("segments are merged of which some tiles are not listed", "segments-that-fit", Swap("$a <=", "0 <=")),
    // Positions.
    ("items outside of segments have no position", "identity", Drop),
    ("the only item of a segment has no position", "position-of-one", Drop),
    ("positions are those in the tile", "base-of-positions", Swap("= $a +", "=")),
    // Comparisons.
    ("bits are counted from the lowest", "mask", Swap("- 1) << $a", "- 1)")),
    ("equal keys are less", "compared", Swap("<", "<=")),
    ("equal keys are exchanged", "network", Swap("if ($$f($a, $b, $c))", "if (!$$f($b, $a, $c))")),
    ("equal keys of the second run come first in a split", "first-of-equal", Swap("!$$f($a, $b, $c)", "$$f($b, $a, $c)")),
    ("equal keys of the second run come first in a merge", "next-of-merge", Swap("!$$f($a, $b, $c)", "$$f($b, $a, $c)")),
    ("equal keys of the second run come first in a long split", "far-diagonal", Swap("!$$f($a, $b, $c)", "$$f($b, $a, $c)")),
    // Sorts of tiles.
    ("barrier `loaded` is missing", "loaded", Drop),
    ("barrier `runs-read` is missing", "runs-read", Drop),
    ("barrier `runs-written` is missing", "runs-written", Drop),
    ("barrier `last-runs-read` is missing", "last-runs-read", Drop),
    ("barrier `sorted` is missing", "sorted", Drop),
    ("barrier `values-read` is missing", "values-read", Drop),
    ("what is past the end is least", "padding", Swap(": $a)", ": 0)")),
    ("one key past the end is written", "valid-item", Swap("<", "<=")),
    ("one value past the end is written", "valid-value", Swap("<", "<=")),
    ("ranks begin before the lists are there", "grid-before-ranks", Drop),
    ("warps begin before the lists are there", "grid-before-warps", Drop),
    ("tiles begin before the lists are there", "grid-before-tiles", Drop),
    ("a warp ranks one segment", "next-of-ranks", Swap("+= $a)", "+= 1ull << 62)")),
    ("a warp sorts one segment", "next-of-warp", Swap("+= $a)", "+= 1ull << 62)")),
    ("a group sorts one segment", "next-of-groups", Swap("+= $a * $b)", "+= 1ull << 62)")),
    ("groups past the end have a segment", "last-of-groups", Swap("$a < $b ?", "$a <= $b ?")),
    ("all groups compare with the first one's items", "other-of-group", Swap("($a + $b)", "($b)")),
    ("equal keys have one rank", "rank-of-equal", Swap("? !$$f($a, $b, $c) :", "? $$f($b, $a, $c) :")),
    ("a block sorts one tile", "next-of-block", Swap("+= $a)", "+= 1ull << 62)")),
    ("tiles are where the second round reads", "first-array", Swap("== 0", "!= 0")),
    // Networks.
    ("networks sort by some of the bits", "all-bits", Swap("return $$a;", "return true;")),
    ("networks read past the end", "network-source", Swap("? $a : 0", "? $a : $a")),
    ("barrier `network-read` is missing", "network-read", Drop),
    ("positions of networks are those in the tile", "base-of-network", Swap("= $a +", "=")),
    ("a network writes one item past the end", "network-item", Swap("<", "<=")),
    // Merges.
    ("merges begin before the round before has ended", "grid-before-merges", Drop),
    ("the last round is left out", "last-round", Swap("($a >=", "($a + 1 >=")),
    ("the first item of a probe's is not looked at", "probe", Swap("- 1;", ";")),
    ("probes are next to each other", "next-probes", Swap("* $a;", ";")),
    ("a block merges one tile", "next-of-merge-block", Swap("+= $a)", "+= 1ull << 62)")),
    ("rounds read what they write", "array-of-round", Swap("== 0", "!= 0")),
    ("all pairs are the first", "start-of-pair", Swap("* (2 * $a);", "* 0;")),
    ("a first run is longer than the segment", "first-run", Swap("$a < $b ? $a : $b", "$b")),
    ("a second run is longer than the segment", "second-run", Swap("= $$a < $b ? $$a : $b", "= $b")),
    ("an item of the second run is of the first", "source", Swap("$a < $b", "$a <= $b")),
    ("one merged item past the end is written", "merged-item", Swap("<", "<=")),
];

pub(super) const MUTANTS: Ground = Ground {
    specs: &SPECS,
    mutations: MUTATIONS,
    barriers: Barriers::AtRunTime,
    telling: &[],
    survivors: SURVIVORS,
    cases: 44,
};
