//! Broken sorts of logical warps.

use std::time::Duration;

use sortsmith_codegen::SortSpec;

use super::{Barriers, Edit, Ground, Survivor, assert_survivors};

/// Halves and whole items that lanes exchange; words of one part, of two and of three; values by positions and in their
/// place.
pub(crate) const SPECS: [&str; 4] = [
    "warp_bitonic_sort_u32_keys_w8_i8_asc",
    "warp_bitonic_sort_f32_u32_w16_i3_desc_stable_instriped_outstriped",
    "warp_bitonic_sort_u64_u64_w4_i6_desc_stable_outstriped",
    "warp_bitonic_sort_i16_u8_w4_i4_asc",
];

const OTHER_WORDS: &str = "The comparison of words of more parts, which this sort does not have.";

/// Mutants that no case can tell from the original, and why.
const SURVIVORS: &[Survivor] = &[
    ("warp_bitonic_sort_u32_keys_w8_i8_asc", "the tag is not compared", OTHER_WORDS),
    ("warp_bitonic_sort_u32_keys_w8_i8_asc", "the lowest part is not compared", OTHER_WORDS),
    (
        "warp_bitonic_sort_f32_u32_w16_i3_desc_stable_instriped_outstriped",
        "the lowest part is not compared",
        OTHER_WORDS,
    ),
    (
        "warp_bitonic_sort_u64_u64_w4_i6_desc_stable_outstriped",
        "the tag is not compared",
        OTHER_WORDS,
    ),
    ("warp_bitonic_sort_i16_u8_w4_i4_asc", "the tag is not compared", OTHER_WORDS),
    ("warp_bitonic_sort_i16_u8_w4_i4_asc", "the lowest part is not compared", OTHER_WORDS),
    (
        "warp_bitonic_sort_f32_u32_w16_i3_desc_stable_instriped_outstriped",
        "lanes do not turn before they send",
        "The number of items is odd: no lanes meet, and none has to turn.",
    ),
];

const EDITS: &[Edit] = &[
    (
        "the first comparator of a lane's sort is reversed",
        "sort_in_lane(T (&items)[kItemsPerThread]) {\n    order(items[0], items[2]);",
        "sort_in_lane(T (&items)[kItemsPerThread]) {\n    order(items[2], items[0]);",
    ),
    (
        "a comparator of a lane's merge is left out",
        "merge_in_lane(T (&items)[kItemsPerThread]) {\n    order(items[0], items[2]);",
        "merge_in_lane(T (&items)[kItemsPerThread]) {\n",
    ),
    (
        "a comparator of a lane's merge is reversed",
        "merge_in_lane(T (&items)[kItemsPerThread]) {\n    order(items[0], items[4]);",
        "merge_in_lane(T (&items)[kItemsPerThread]) {\n    order(items[4], items[0]);",
    ),
    (
        "the last step across lanes is left out",
        "bit >= kLanes / lanes; bit /= 2",
        "bit > kLanes / lanes; bit /= 2",
    ),
    ("the last step of whole items is left out", "bit > 0; bit /= 2", "bit > 1; bit /= 2"),
    (
        "lanes keep the wrong items",
        "const bool keeps_greater = (lane_ & bit) != 0;",
        "const bool keeps_greater = (lane_ & bit) == 0;",
    ),
    (
        "runs are not mirrored in the last merge",
        "across(items[i], kLanes - kLanes / lanes)",
        "across(items[i], kLanes / 2)",
    ),
    (
        "whole items are not mirrored",
        "const T lower = across(items[mirrored], lanes - 1);",
        "const T lower = across(items[i], lanes - 1);",
    ),
    (
        "the last merge is left out",
        "for (int lanes = 2; lanes <= kLanes; lanes *= 2)",
        "for (int lanes = 2; lanes < kLanes; lanes *= 2)",
    ),
    (
        "the last valid item is left out",
        "position<kFrom>(i) < valid_items)",
        "position<kFrom>(i) + 1 < valid_items)",
    ),
    (
        "one item too many is valid",
        "position<kFrom>(i) < valid_items)",
        "position<kFrom>(i) < valid_items + 1)",
    ),
    (
        "padding has the bits of zero",
        "word_of(kAllBits, position << kMarkBits)",
        "word_of(Bits(0), position << kMarkBits)",
    ),
    (
        "padding of keys alone has the bits of zero",
        "is_valid ? to_ordered_bits(key) : kAllBits",
        "is_valid ? to_ordered_bits(key) : Bits(0)",
    ),
    (
        "all padding has the position of the first item",
        "word_of(kAllBits, position << kMarkBits)",
        "word_of(kAllBits, 0)",
    ),
    (
        "-0.0 is less than +0.0",
        "return ordered == kNegativeZero ? kPositiveZero : ordered;",
        "return ordered;",
    ),
    ("-0.0 loses its sign", "tag_of(word) & 1u ?", "false ?"),
    (
        "the tag is not compared",
        "return upper_a < upper_b;",
        "return upper_a >> 32 < upper_b >> 32;",
    ),
    (
        "the lowest part is not compared",
        "((upper_a == upper_b) & is_less<kCount - 2>(a, b))",
        "false",
    ),
    (
        "pairs have no values",
        "static_cast<unsigned int>(value));",
        "static_cast<unsigned int>(value) * 0u);",
    ),
    (
        "values of pairs are their neighbours'",
        "pair_of(vector.items[i], value_vector.items[i])",
        "pair_of(vector.items[i], value_vector.items[kReadItems - 1 - i])",
    ),
    (
        "pairs of members are mixed up",
        "pair_of(keys[i], values[i])",
        "pair_of(keys[i], values[kItemsPerThread - 1 - i])",
    ),
    ("values stay where they are", "bits_as<Parts<kValueParts>>(value)", "Parts<kValueParts>()"),
    ("lanes do not turn before they send", "rotate<kMeeting>(items, lane_ / kApart);", ""),
    (
        "lanes turn too far after they got",
        "(got, lane_ % kItemsPerThread)",
        "(got, lane_ % kItemsPerThread + 1)",
    ),
    (
        "logical warps get the first one's items",
        "lane_of_thread() / kLanes * kLanes + source",
        "source",
    ),
    (
        "one item too many is loaded",
        "loaded_position(i) < valid_items;",
        "loaded_position(i) <= valid_items;",
    ),
    ("the last item is not stored", "if (target >= valid_items)", "if (target + 1 >= valid_items)"),
    ("one item too many is stored", "if (target >= valid_items)", "if (target > valid_items)"),
    ("blocks that are not whole count as whole", "n - block_start >= kBlockItems", "n > 0"),
    ("lanes of a pair store as if they had not exchanged", "+ vector % 2;", "+ lane_ % 2;"),
    (
        "lanes of a pair send what they should keep",
        "across(blended(odd, first, second), 1)",
        "across(blended(odd, second, first), 1)",
    ),
    (
        "tiles begin one too early",
        "threadIdx.x / kLanes * kTileItems",
        "threadIdx.x / kLanes * (kTileItems - 1)",
    ),
];

#[test]
fn every_mutant_of_warp_sorts_is_caught_but_those_that_are_harmless() {
    assert_survivors::<SortSpec>(&Ground {
        specs: &SPECS,
        edits: EDITS,
        barriers: Barriers::AtRunTime,
        survivors: SURVIVORS,
        cases: 80,
        limit: Duration::from_secs(20),
    });
}
