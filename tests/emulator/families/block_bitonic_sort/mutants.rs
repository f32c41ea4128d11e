//! Broken bitonic sorts of blocks.

use crate::mutants::Edit::{Drop, Swap};
use crate::mutants::{Mutation, Survivor};

/// Shuffles and none; exchanges of the block and of warps; tiles that are no power of two; values by positions and instead of them; keys by
/// truncated keys.
pub(super) const SPECS: [&str; 8] = [
    "block_bitonic_sort_u32_keys_b96_i4_asc_outstriped",
    "block_bitonic_sort_f32_u32_b128_i2_desc",
    "block_bitonic_sort_u64_u64_b20_i6_desc_stable_instriped",
    "block_bitonic_sort_f16_index_b64_i5_asc_stable",
    "block_bitonic_sort_i16_u8_b128_i8_asc_inwarpstriped",
    "block_bitonic_sort_f32_u32_b64_i2_desc_stable",
    "block_bitonic_sort_i32_index_b96_i2_asc_stable_outstriped",
    "block_bitonic_sort_f16_keys_b64_i12_desc_stable",
];

const FEW_COLUMNS: &str = "There are no more columns than threads.";
const ONE_GROUP: &str = "All threads of the block share the columns of all.";
const FULL_RUNS: &str = "The tile is a power of two of threads: no run goes past its end.";
const ONE_ITEM: &str = "Half of a thread's items is one, and the reverse of one is itself.";
const NO_COMPLETE_GAPS: &str = "No segment of this tile is a multiple of what is between two gaps.";

/// Mutants that no case can tell from the original, and why.
pub(super) const SURVIVORS: &[Survivor] = &[
    ("block_bitonic_sort_f16_keys_b64_i12_desc_stable", "each thread has one column", FEW_COLUMNS),
    (
        "block_bitonic_sort_f16_keys_b64_i12_desc_stable",
        "warps share the first one's columns",
        ONE_GROUP,
    ),
    (
        "block_bitonic_sort_f16_keys_b64_i12_desc_stable",
        "what is behind the tile is less than all items",
        FULL_RUNS,
    ),
    (
        "block_bitonic_sort_u32_keys_b96_i4_asc_outstriped",
        "each thread has one column",
        FEW_COLUMNS,
    ),
    ("block_bitonic_sort_f32_u32_b128_i2_desc", "each thread has one column", FEW_COLUMNS),
    (
        "block_bitonic_sort_i16_u8_b128_i8_asc_inwarpstriped",
        "each thread has one column",
        FEW_COLUMNS,
    ),
    (
        "block_bitonic_sort_u32_keys_b96_i4_asc_outstriped",
        "warps share the first one's columns",
        ONE_GROUP,
    ),
    ("block_bitonic_sort_f32_u32_b128_i2_desc", "warps share the first one's columns", ONE_GROUP),
    (
        "block_bitonic_sort_u64_u64_b20_i6_desc_stable_instriped",
        "warps share the first one's columns",
        ONE_GROUP,
    ),
    (
        "block_bitonic_sort_i16_u8_b128_i8_asc_inwarpstriped",
        "warps share the first one's columns",
        ONE_GROUP,
    ),
    (
        "block_bitonic_sort_f16_keys_b64_i12_desc_stable",
        "the last item of the tile is behind it",
        FULL_RUNS,
    ),
    (
        "block_bitonic_sort_f16_keys_b64_i12_desc_stable",
        "what is behind the tile is written",
        FULL_RUNS,
    ),
    (
        "block_bitonic_sort_f32_u32_b128_i2_desc",
        "what is behind the tile is less than all items",
        FULL_RUNS,
    ),
    (
        "block_bitonic_sort_f32_u32_b128_i2_desc",
        "the last item of the tile is behind it",
        FULL_RUNS,
    ),
    ("block_bitonic_sort_f32_u32_b128_i2_desc", "what is behind the tile is written", FULL_RUNS),
    (
        "block_bitonic_sort_f16_index_b64_i5_asc_stable",
        "what is behind the tile is less than all items",
        FULL_RUNS,
    ),
    (
        "block_bitonic_sort_f16_index_b64_i5_asc_stable",
        "the last item of the tile is behind it",
        FULL_RUNS,
    ),
    (
        "block_bitonic_sort_f16_index_b64_i5_asc_stable",
        "what is behind the tile is written",
        FULL_RUNS,
    ),
    (
        "block_bitonic_sort_i16_u8_b128_i8_asc_inwarpstriped",
        "what is behind the tile is less than all items",
        FULL_RUNS,
    ),
    (
        "block_bitonic_sort_i16_u8_b128_i8_asc_inwarpstriped",
        "the last item of the tile is behind it",
        FULL_RUNS,
    ),
    (
        "block_bitonic_sort_i16_u8_b128_i8_asc_inwarpstriped",
        "what is behind the tile is written",
        FULL_RUNS,
    ),
    ("block_bitonic_sort_f32_u32_b128_i2_desc", "what was got last stays reversed", ONE_ITEM),
    (
        "block_bitonic_sort_u64_u64_b20_i6_desc_stable_instriped",
        "a step over gaps leaves them out",
        NO_COMPLETE_GAPS,
    ),
    ("block_bitonic_sort_f32_u32_b64_i2_desc_stable", "each thread has one column", FEW_COLUMNS),
    (
        "block_bitonic_sort_f32_u32_b64_i2_desc_stable",
        "warps share the first one's columns",
        ONE_GROUP,
    ),
    ("block_bitonic_sort_f32_u32_b64_i2_desc_stable", "what was got last stays reversed", ONE_ITEM),
    (
        "block_bitonic_sort_i32_index_b96_i2_asc_stable_outstriped",
        "each thread has one column",
        FEW_COLUMNS,
    ),
    (
        "block_bitonic_sort_i32_index_b96_i2_asc_stable_outstriped",
        "warps share the first one's columns",
        ONE_GROUP,
    ),
    (
        "block_bitonic_sort_i32_index_b96_i2_asc_stable_outstriped",
        "what was got last stays reversed",
        ONE_ITEM,
    ),
    (
        "block_bitonic_sort_f32_u32_b64_i2_desc_stable",
        "the last item of the tile is behind it",
        FULL_RUNS,
    ),
    (
        "block_bitonic_sort_f32_u32_b64_i2_desc_stable",
        "what is behind the tile is less than all items",
        FULL_RUNS,
    ),
    (
        "block_bitonic_sort_f32_u32_b64_i2_desc_stable",
        "what is behind the tile is written",
        FULL_RUNS,
    ),
];

#[rustfmt::skip] // one a line
pub(super) const MUTATIONS: &[Mutation] = &[
    ("zeros of one sign come before those of the other", "zeros-of-both-signs", Swap("&&", "&& false &&")),
    ("zeros of runs before do not count", "zeros-of-runs-before", Drop),
    ("a zero counts as one before itself", "zeros-before-this-one", Swap("- 1u", "* 2u - 1u")),
    ("no items come before zeros", "items-before-zeros", Drop),
    ("all zeros are positive", "sorted-zero", Swap("? $a : $b", "? $b : $b")),
    ("the first comparator of a thread's sort is reversed", "sorting-network", Swap("^ $$order($a, $b); $$next(", "$$order($b, $a); $$next(")),
    ("a comparator of a thread's merge is left out", "merging-network", Swap("^ $$order($a, $b);", "")),
    ("lanes keep the wrong items", "half-that-is-kept", Swap("!=", "==")),
    ("the last merge by shuffles alone is left out", "merges-by-shuffles", Swap("<=", "<")),
    ("halves of a run are not mirrored", "mirrored-offset", Swap("$m ? $n - 1 - $s : $x", "$x")),
    ("columns of two sorted halves are compared as bitonic ones", "first-comparators-of-a-column", Swap("$m ? $n - 1 - $s : $x", "$x")),
    ("the last step of a column is left out", "steps-of-a-column", Swap("0", "1")),
    ("the last columns are left out", "columns-of-a-thread", Swap("<", "+ 1 <")),
    ("each thread has one column", "columns-of-a-thread", Swap("< $n; $i += $step", "< $n; $i += $n")),
    ("what is behind the tile is less than all items", "maximum-of-a-run", Swap("~", "")),
    ("the last item of the tile is behind it", "read-past-tile", Swap(">=", "+ 1 >=")),
    ("what is behind the tile is written", "write-past-tile", Drop),
    ("warps share the first one's columns", "first-item-of-sharing-threads", Swap("$a / $b * $c", "0")),
    ("lanes read their own items and not those of a pair", "first-slot-of-a-pair", Swap("+ $a)", "+ 2 * $a)")),
    ("odd lanes read the first half too", "first-slot-of-a-pair", Swap("$a * $b;", "0u;")),
    ("what was got last stays reversed", "reversed-half", Swap("[$n - 1 - $i] =", "[$n / 2 + $i] =")),
    ("the last step across lanes of a run is left out", "steps-of-a-run", Swap("0", "1")),
    ("the last valid item is left out", "valid-items", Swap(">=", "+ 1 >=")),
    ("one item too many is valid", "valid-items", Swap(">=", ">")),
    ("padding has the bits of zero", "padding", Swap("($bits, $p << $m)", "(0 * $bits, $p << $m)")),
    ("padding has the value of zero", "padding", Swap(", $v)", ", 0)")),
    ("padding of keys alone has the bits of zero", "key-or-padding", Swap(": $bits;", ": 0 * $bits;")),
    ("-0.0 is less than +0.0", "negative-zero", Swap("$a == $b ? $c : $a", "$a")),
    ("-0.0 loses its sign", "key-of-negative-zero", Swap("($a ?", "(false ?")),
    ("pairs have no values", "key-and-value", Swap(", $v);", ", $v * 0u);")),
    ("a thread's values are all that of its first item", "gathered-by-position", Swap("[$i]))]", "[0]))]")),
    ("an item is stored in its neighbour's slot", "stored-item-of-full-tile", Swap("< $n; $$x[$i];", "< $n; $$x[$n - 1 - $i];")),
    ("one item too many is loaded", "loaded-item", Swap("<", "<=")),
    ("one item too many is stored", "stored-item", Swap("<", "<=")),
    ("the last item is not stored", "stored-item", Swap("<", "+ 1 <")),
    ("partial tiles count as full", "full-tile", Swap("$a == $b", "true")),
    ("pairs are not packed", "packing", Drop),
    ("upper keys of pairs are no complements", "complement", Swap("~", "")),
    ("the greater key of a pair is lower", "order-within-a-register", Swap("= $$pack($a, $b)$$bits;", "= $$pack($b, $a)$$bits;")),
    ("packed keys of one pair are the same", "unpacked-key", Swap("($a));", "(false));")),
    ("only upper keys of pairs are compared", "packed-minimum", Swap("| $$min($a & $m, $b & $m)", "| ($a & $m)")),
    ("the wrong half of a run is read first", "swapped-reads", Drop),
    ("a step over gaps leaves them out", "step-over-gaps", Swap("* $$slot($step);", "* $step;")),
    ("keys with one truncated key are left as they are", "out-of-order", Swap("$a < $b && $c < $d", "false")),
    ("a key with the truncated key of the next thread's first one is not seen", "key-of-the-next-thread", Swap("$a + $b == $c ?", "true ?")),
    ("equal keys with one truncated key are exchanged", "insertion", Swap("<=", "<")),
    ("overflowing keys are not sorted by their last digit", "last-digit", Swap("$a *", "($a + 1) *")),
    ("the second digit's positions are taken for those of the input", "positions-of-the-input", Swap("$a == 0", "true")),
    ("a tile in order is looked up by its composite keys", "final-slot", Swap("$a ? $b :", "")),
    ("values do not follow an overflowing keys", "reordered-value", Swap("$to = $from;", "$to = $to;")),
    ("what is past the end has the minimum truncated key", "valid-items", Swap("~", "")),
    ("the least key is that of one warp", "minimum-of-a-warp", Swap("^ $$m[$a] = $x;", "$$m[0] = $x; $$m[$a] = $$m[0];")),
    ("mapped keys have more bits than a float", "bits-of-a-float", Swap("$a < 21 ? $a : 21", "$a")),
    ("one bit of a truncated key is lost", "truncated-bits", Swap("- $b :", "- $b - 1 :")),
];
