//! Broken sorts of rows by counting.

use crate::mutants::Edit::{Drop, Swap};
use crate::mutants::{Mutation, Survivor};
use crate::sites::survivors::FIRST_KERNEL;

/// Each type of keys in either order of bins; rows in which counters overflow, rows of many tiles, and rows of more vectors than a block loads
/// at once.
pub(super) const SPECS: [&str; 4] = [
    "device_counting_sort_bf16_keys_b128_i56_desc",
    "device_counting_sort_f16_keys_b64_i8_asc",
    "device_counting_sort_i16_keys_b64_i16_desc",
    "device_counting_sort_u16_keys_b512_i16_asc",
];

/// One that reads how many rows there are.
pub(super) const COUNTED: [&str; 1] = ["device_counting_sort_u16_keys_b64_i16_asc_counted"];

/// Mutants of those that no case can tell from the original, and why.
#[rustfmt::skip] // one a line
pub(super) const COUNT_SURVIVORS: &[Survivor] = &[
    (COUNTED[0], "blocks without a row do not wait", FIRST_KERNEL),
];

const BEHIND_THE_TILE: &str =
    "The sums of warps lie behind the tile's marks, and are read no more.";

/// Mutants that no case can tell from the original, and why.
#[rustfmt::skip] // one a line
pub(super) const SURVIVORS: &[Survivor] = &[
    ("device_counting_sort_bf16_keys_b128_i56_desc", "a bin's last key is in the tile before", BEHIND_THE_TILE),
    ("device_counting_sort_f16_keys_b64_i8_asc", "a bin's last key is in the tile before", BEHIND_THE_TILE),
    ("device_counting_sort_i16_keys_b64_i16_desc", "a bin's last key is in the tile before", BEHIND_THE_TILE),
    ("device_counting_sort_u16_keys_b512_i16_asc", "a bin's last key is in the tile before", BEHIND_THE_TILE),
];

#[rustfmt::skip] // one a line
pub(super) const MUTATIONS: &[Mutation] = &[
    ("rows begin too early", "first-of-counted-row", Swap("$a * $b", "$a * ($b - 1)")),
    ("no overflow is noticed", "counters-overflowed", Swap("$a > $b", "false")),
    ("zeros of both signs come by their bits", "zeros-of-both-signs", Swap("$a > 0 && $b > 0", "false")),
    // Counts.
    ("equal keys of a vector are one key", "equal-vector", Swap(", $a);", ", 1);")),
    ("vectors begin before the row", "keys-before-vectors", Swap("$a < $b ? $a : $b", "0")),
    ("a key before the vectors is left out", "first-keys", Swap("$a < $b)", "$a + 1 < $b)")),
    ("a key behind the vectors is left out", "last-keys", Swap(". x < $a", ". x + 1 < $a")),
    ("a key behind the row is counted", "last-keys", Swap(". x < $a", ". x <= $a")),
    ("too many vectors are loaded at once", "many-vectors", Swap("($a - 1) * $b <", "($a - 2) * $b <")),
    ("vectors of the last loads are left out", "few-vectors", Swap("$a < $b", "$a < 0")),
    ("keys are counted as those of a neighbour", "counted-key", Swap("[$a]", "[$a ^ 1]")),
    ("keys like the first one are one key", "keys-as-first", Swap("? $a : 0", "? 1 : 0")),
    ("counters overflow late", "is-overflow", Swap(">=", ">")),
    ("counters keep what they hand over", "handed-over", Drop),
    ("overflows are of the next bin", "overflow-of-bin", Swap("== $a", "== $a + 1")),
    // Zeros.
    ("a key before the row is taken for a zero", "key-of-sign", Swap("$a < $b ||", "")),
    ("a key behind the row is taken for a zero", "key-of-sign", Swap("|| $a >= $b", "")),
    ("shares of warps overlap", "share-of-warp", Swap("$a + $b < $c ? $a + $b : $c", "$c")),
    ("chunks with zeros are not seen", "chunk-with-zeros", Drop),
    ("each line has the same ranks", "next-rank", Drop),
    ("signs are one zero late", "sign-of-zero", Swap(", $a);", ", $a << 1);")),
    ("zeros begin one late", "first-zero", Swap("- $b)", "- $b + 1)")),
    // Marks and lines.
    ("a line that ends with the tile's first key marks nothing", "line-in-tile", Swap("$a <= $b)", "$a <= $b + 1)")),
    ("a bin's last key is in the tile before", "mark-in-tile", Swap(") < $a", ") <= $a")),
    ("lines past the tile are marked", "lines-of-tile", Swap("$a < $b ? $a : $b", "$a")),
    ("each second line is left out", "marked-lines", Swap("$l += $a", "$l += 2 * $a")),
    ("a warp writes one line", "lines-of-warp", Swap("$l += $a", "$l += 4096")),
    ("lanes know no mark below", "largest-mark", Swap("$a > $b ? $a : $b", "$a")),
    ("the farthest lanes below are left out", "lanes-below", Swap("< 32", "< 16")),
    ("vectors before the row are full", "full-vector", Swap("$a >= $b &&", "")),
    ("vectors behind the row are full", "full-vector", Swap("&& $a + $b <= $c", "")),
    ("written zeros are written again", "vector-with-zeros", Swap("= $a &&", "= false &&")),
    ("vectors that begin with zeros are full", "vector-with-zeros", Swap("<= $a", "< $a")),
    ("vectors that end with zeros are full", "vector-with-zeros", Swap(">= $a - 1", "> $a")),
    ("keys before the row are written", "position-of-row", Swap("$a + $b < $c ||", "")),
    ("keys behind the row are written", "position-of-row", Swap("|| $a + $b >= $c", "")),
    ("zeros are written by their bits", "written-zero", Drop),
];
