//! Broken block radix sorts.

use std::time::Duration;

use sortsmith_codegen::SortSpec;

use super::{Barriers, Edit, Ground, Survivor, assert_survivors};

/// Each way of ranking and scanning, with storage of their own and shared, and each way of moving values; keys that are counted.
pub(crate) const SPECS: [&str; 9] = [
    "block_radix_sort_f32_u32_b96_i4_r4_asc",
    "block_radix_sort_i64_u64_b70_i3_r3_desc_nomemo_raking",
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
const SURVIVORS: &[Survivor] = &[(
    "block_radix_sort_i16_keys_b5x4_i6_r2_asc_nomemo",
    "a gap comes one slot too early",
    NO_GAP_AT_THE_END,
)];

/// A text and what breaks it, under a label. It applies to every header that holds the text, and to at least one.
const EDITS: &[Edit] = &[
    (
        "a thread counts its items backwards",
        "for (int i = 0; i < kItemsPerThread; ++i) {\n      unsigned short& counter",
        "for (int i = kItemsPerThread - 1; i >= 0; --i) {\n      unsigned short& counter",
    ),
    (
        "lanes above count as lanes below",
        "lanes_below = (1u << lane) - 1u",
        "lanes_below = ~((2u << lane) - 1u)",
    ),
    (
        "the last valid item is left out",
        "if (position<kFrom>(i) >= valid_items)",
        "if (position<kFrom>(i) + 1 >= valid_items)",
    ),
    (
        "one item too many is valid",
        "if (position<kFrom>(i) >= valid_items)",
        "if (position<kFrom>(i) > valid_items)",
    ),
    (
        "the last item is not stored",
        "if (first + i * kApart < valid_items)",
        "if (first + i * kApart + 1 < valid_items)",
    ),
    (
        "one item too many is stored",
        "if (first + i * kApart < valid_items)",
        "if (first + i * kApart <= valid_items)",
    ),
    (
        "one item too many is loaded",
        "first + i * kApart < valid_items ? mine",
        "first + i * kApart <= valid_items ? mine",
    ),
    ("parts of tiles count as whole", "if (valid_items == kTileItems) {", "if (true) {"),
    (
        "counts begin with what was there",
        "bin += kBlockThreads) counts[bin] = 0;",
        "bin += kBlockThreads) {}",
    ),
    (
        "a key's equals are in its place",
        "positions[i] = atomicAdd(&counts[bits[i]], 1u);",
        "positions[i] = 0 * atomicAdd(&counts[bits[i]], 1u);",
    ),
    (
        "keys begin where the next ones do",
        "counts[first + b] = start;",
        "counts[first + b] = start + own[b];",
    ),
    ("slots begin one too far", "return position + position /", "return position + 1 + position /"),
    (
        "a gap comes one slot too early",
        "return position + position /",
        "return position + (position + 1) /",
    ),
    ("gaps overlap items", "return position + position /", "return position - position /"),
    (
        "-0.0 is less than +0.0",
        "return ordered == kNegativeZero ? kPositiveZero : ordered;",
        "return ordered;",
    ),
    ("high halves start at zero", "before += total << 16;", ""),
    ("high halves start at half", "before += total << 16;", "before += total << 15;"),
    ("a digit takes bits past the end", "((1u << count) - 1u)", "((1u << kRadixBits) - 1u)"),
    ("bins do not count the warps below", "          start += count;\n", ""),
    (
        "bins count one warp alone",
        "sum += storage_.rank.histograms[warp][bin]",
        "sum = storage_.rank.histograms[warp][bin]",
    ),
];

#[test]
fn every_mutant_is_caught_but_those_that_are_harmless() {
    assert_survivors::<SortSpec>(&Ground {
        specs: &SPECS,
        edits: EDITS,
        barriers: Barriers::AtRunTime,
        survivors: SURVIVORS,
        cases: 40,
        // A mutant may loop for ever; all others are far quicker.
        limit: Duration::from_secs(20),
    });
}
