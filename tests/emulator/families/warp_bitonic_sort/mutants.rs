//! Broken sorts of logical warps.

use crate::mutants::Edit::{Drop, Swap};
use crate::mutants::{Mutation, Survivor};

/// Zeros of both signs; halves of items and all items that lanes exchange; composite keys of one register, of two and of three; values by positions,
/// instead of them, and positions alone; rows that shared memory has no room for.
pub(super) const SPECS: [&str; 6] = [
    "warp_bitonic_sort_f32_keys_w8_i8_asc_stable",
    "warp_bitonic_sort_f32_u32_w16_i3_desc_stable_instriped_outstriped",
    "warp_bitonic_sort_u64_u64_w4_i6_desc_stable_outstriped",
    "warp_bitonic_sort_i16_u8_w4_i4_asc",
    "warp_bitonic_sort_i32_index_w8_i2_asc_stable",
    "warp_bitonic_sort_u8_u128_w4_i16_asc",
];

const OTHER_WORDS: &str = "The comparison of longer composite keys, which this sort does not have.";

/// Mutants that no case can tell from the original, and why.
pub(super) const SURVIVORS: &[Survivor] = &[
    (
        "warp_bitonic_sort_f32_keys_w8_i8_asc_stable",
        "the tie-break index is not compared",
        OTHER_WORDS,
    ),
    ("warp_bitonic_sort_f32_keys_w8_i8_asc_stable", "the lowest limb is not compared", OTHER_WORDS),
    (
        "warp_bitonic_sort_f32_u32_w16_i3_desc_stable_instriped_outstriped",
        "the lowest limb is not compared",
        OTHER_WORDS,
    ),
    (
        "warp_bitonic_sort_u64_u64_w4_i6_desc_stable_outstriped",
        "the tie-break index is not compared",
        OTHER_WORDS,
    ),
    ("warp_bitonic_sort_i16_u8_w4_i4_asc", "the tie-break index is not compared", OTHER_WORDS),
    ("warp_bitonic_sort_i16_u8_w4_i4_asc", "the lowest limb is not compared", OTHER_WORDS),
    (
        "warp_bitonic_sort_i32_index_w8_i2_asc_stable",
        "the lowest limb is not compared",
        OTHER_WORDS,
    ),
    (
        "warp_bitonic_sort_f32_u32_w16_i3_desc_stable_instriped_outstriped",
        "lanes do not rotate before they send",
        "The number of items is odd: no lanes meet, and none has to rotate.",
    ),
];

#[rustfmt::skip] // one a line
pub(super) const MUTATIONS: &[Mutation] = &[
    ("the first comparator of a lane's sort is reversed", "sorting-network", Swap("^ $$order($a, $b);", "$$order($b, $a);")),
    ("a comparator of a lane's merge is left out", "merging-network", Swap("^ $$order($a, $b);", "")),
    ("a comparator of a lane's merge is reversed", "merging-network", Swap("^ $$order($a, $b);", "$$order($b, $a);")),
    ("the last step across lanes is left out", "steps-across-lanes", Swap(">=", ">")),
    ("the last step of items is left out", "steps-of-items", Swap("0", "1")),
    ("lanes keep the wrong items", "half-that-is-kept", Swap("!=", "==")),
    ("runs are not mirrored in the last merge", "mirrored-lanes", Swap("- $a / $b", "/ 2")),
    ("items are not mirrored", "mirrored-item", Swap("= $n - 1 - $i;", "= $i;")),
    ("the last merge is left out", "merges-by-shuffles", Swap("<=", "<")),
    ("the last valid item is left out", "valid-pairs", Swap("< $n)", "+ 1 < $n)")),
    ("one item too many is valid", "valid-pairs", Swap("< $n)", "< $n + 1)")),
    ("padding has the bits of zero", "padding", Swap("($bits, $p << $m)", "(0 * $bits, $p << $m)")),
    ("padding of keys alone has the bits of zero", "key-or-padding", Swap(": $bits;", ": 0 * $bits;")),
    ("all padding has the position of the first item", "padding", Swap(", $p << $m)", ", 0)")),
    ("-0.0 is less than +0.0", "negative-zero", Swap("$a == $b ? $c : $a", "$a")),
    ("-0.0 loses its sign", "key-of-negative-zero", Swap("($a ?", "(false ?")),
    ("zeros of one sign come before those of the other", "zeros-of-both-signs", Swap("&&", "&& false &&")),
    ("items of half of the lanes come before zeros", "items-before-zeros", Swap("< $a;", "< $a / 2;")),
    ("a lane's zeros have the first one's sign", "sign-of-zero", Swap("<< $a;", ";")),
    ("a zero counts as one before itself", "zeros-of-lanes-before", Swap("- 1u", "* 2u - 1u")),
    ("zeros of lanes before do not count", "zeros-of-lane", Drop),
    ("sorted zeros keep their signs", "sorted-zero", Drop),
    ("the tie-break index is not compared", "two-words-compared", Swap("$a < $b", "$a >> 32 < $b >> 32")),
    ("the lowest limb is not compared", "lower-words-compared", Swap("| ($a & $b)", "| false")),
    ("pairs have no values", "key-and-value", Swap(", $v);", ", $v * 0u);")),
    ("values of pairs are their neighbours'", "loaded-pair", Swap("< $n; $$x[$i]);", "< $n; $$x[$n - 1 - $i]);")),
    ("pairs of members are mixed up", "pair-of-members", Swap("< $n; $$x[$i]);", "< $n; $$x[$n - 1 - $i]);")),
    ("values stay where they are", "value-of-item", Swap("= $a;", "= decltype($a)();")),
    ("lanes do not rotate before they send", "rotation-before", Drop),
    ("lanes rotate too far after they got", "rotation-after", Swap(", $a % $b);", ", $a % $b + 1);")),
    ("logical warps get the first one's items", "source-lane", Swap("$a + $b)", "$b)")),
    ("one item too many is loaded", "loaded-position-is-valid", Swap("<", "<=")),
    ("the last item is not stored", "stored-position-is-valid", Swap(">=", "+ 1 >=")),
    ("one item too many is stored", "stored-position-is-valid", Swap(">=", ">")),
    ("blocks that are not full count as full", "full-block", Swap("$a - $b >= $c", "$a > 0")),
    ("both lanes of a pair store as the first one", "exchanged-lane", Swap(", $a);", ", 0);")),
    ("lanes of a pair send what they should keep", "sent-item", Swap(", $a, $b)", ", $b, $a)")),
    ("tiles begin one too early", "start-of-tile", Swap("* $a;", "* ($a - 1);")),
    ("rows begin one too early", "start-of-row", Swap("* $a;", "* ($a - 1);")),
    ("rows that are not there are sorted", "row-is-there", Swap("$a < $b ? $c : 0", "$c")),
    ("keys are written that are not wanted", "keys-wanted", Swap("$a != $b", "true")),
    ("one value too many is read", "staged-row", Swap("<", "<=")),
    ("one column too many is written", "staged-to", Swap("<", "<=")),
    ("one column too many is valid", "column-is-valid", Swap("<", "<=")),
    ("the last value of a row is not moved", "staged-value", Swap("($a < $b)", "($a + 1 < $b)")),
    ("keys of staged rows are written that are not wanted", "staged-keys-wanted", Swap("$a != $b", "true")),
];
