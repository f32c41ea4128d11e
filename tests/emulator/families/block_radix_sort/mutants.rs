//! Broken block radix sorts.

use crate::mutants::Edit::{Drop, Swap};
use crate::mutants::{Mutation, Survivor};

/// Each way of ranking and scanning, with storage of their own and shared, and each way of moving values; keys that are counted, and structs.
pub(super) const SPECS: [&str; 9] = [
    "block_radix_sort_f32_u32_b96_i4_r4_asc",
    "block_radix_sort_i8f32u16_u64_b70_i3_r3_desc_nomemo_raking",
    "block_radix_sort_u16_u8_b128_i2_r5_desc_rakingmemo_outstriped",
    "block_radix_sort_u32_u64_b64_i4_r8_asc_instriped",
    "block_radix_sort_i16_keys_b5x4_i6_r2_asc_nomemo",
    "block_radix_sort_f16_u16_b96_i4_r6_desc_match_instriped_outstriped",
    "block_radix_sort_i32_index_b64_i3_r5_asc_matchmasks",
    "block_radix_sort_u64_u128_b64_i16_r8_asc_match",
    "block_radix_sort_i8_keys_b96_i3_r8_desc_match_bits0to8",
];

const NO_GAP_AT_THE_END: &str =
    "One slot moves into the gap next to it: all slots still differ, and none is past the end.";

/// Mutants that no case can tell from the original, and why.
pub(super) const SURVIVORS: &[Survivor] = &[(
    "block_radix_sort_i16_keys_b5x4_i6_r2_asc_nomemo",
    "a gap comes one slot too early",
    NO_GAP_AT_THE_END,
)];

#[rustfmt::skip] // one a line
pub(super) const MUTATIONS: &[Mutation] = &[
    ("a thread counts its items backwards", "items-in-order", Swap("$i = 0; $i < $n; ++$i", "$i = $n - 1; $i >= 0; --$i")),
    ("lanes above count as lanes below", "lanes-below", Swap("(1u << $l) - 1u", "~((2u << $l) - 1u)")),
    ("the last valid item is left out", "valid-items", Swap(">=", "+ 1 >=")),
    ("one item too many is valid", "valid-items", Swap(">=", ">")),
    ("the last item is not stored", "stored-item", Swap("<", "+ 1 <")),
    ("one item too many is stored", "stored-item", Swap("<", "<=")),
    ("one item too many is loaded", "loaded-item", Swap("<", "<=")),
    ("partial tiles count as full", "full-tile", Swap("$a == $b", "true")),
    ("counts begin with what was there", "cleared-counts", Swap("$a = 0;", ";")),
    ("equal keys of a lane have one slot", "rank-by-count", Swap(") $to = $add;", ") $to = 0 * $add;")),
    ("keys begin where the next ones do", "start-of-a-thread", Swap(", $sum, $total);", ", $sum, $total) + $sum;")),
    ("slots begin one too far", "padded-slot", Swap("$p + $p /", "$p + 1 + $p /")),
    ("a gap comes one slot too early", "padded-slot", Swap("$p + $p /", "$p + ($p + 1) /")),
    ("gaps overlap items", "padded-slot", Swap("$p + $p /", "$p - $p /")),
    ("-0.0 is less than +0.0", "negative-zero", Swap("$a == $b ? $c : $a", "$a")),
    ("-0.0 of a field is greater than +0.0", "negative-zero-of-field", Drop),
    ("negative floats of a field order backwards", "ordered-field", Swap("$a ? ~$b : $c", "$c")),
    ("high halves start at zero", "upper-counters", Drop),
    ("high halves start at half", "upper-counters", Swap(", $a)", ", $a / 2)")),
    ("a digit takes bits past the end", "bits-of-digit", Swap("$a < $b ? $a : $b)", "$b)")),
    ("bins do not count the warps below", "start-in-next-warp", Drop),
    ("bins count one warp alone", "sum-over-warps", Swap("+=", "=")),
    ("rows begin one too early", "start-of-row", Swap("* $a;", "* ($a - 1);")),
    ("keys are written that are not wanted", "keys-wanted", Swap("$a != $b", "true")),
    ("rows that do not count are sorted", "counted-rows", Swap("$a < $b ? $a : $b", "$b")),
    ("more rows than there are count", "counted-rows", Swap("$a < $b ? $a : $b", "$a")),
    ("columns that do not count are sorted", "counted-columns", Swap("$a < $b ? $$c : $b", "$b")),
    ("more columns than there are count", "counted-columns", Swap("$a < $b ? $$c : $b", "$$c")),
];
