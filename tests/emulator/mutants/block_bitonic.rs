//! Broken bitonic sorts of blocks.

use std::time::Duration;

use sortsmith_codegen::SortSpec;

use super::{Barriers, Edit, Ground, Survivor, assert_survivors};

/// Shuffles and none; turns of the block and of warps; tiles that are no power of two; values by positions and in their place; keys by
/// prefixes.
pub(crate) const SPECS: [&str; 8] = [
    "block_bitonic_sort_u32_keys_b96_i4_asc_outstriped",
    "block_bitonic_sort_f32_u32_b128_i2_desc",
    "block_bitonic_sort_u64_u64_b20_i6_desc_stable_instriped",
    "block_bitonic_sort_f16_index_b64_i5_asc_stable",
    "block_bitonic_sort_i16_u8_b128_i8_asc_inwarpstriped",
    "block_bitonic_sort_f32_u32_b64_i2_desc_stable",
    "block_bitonic_sort_i32_index_b96_i2_asc_stable_outstriped",
    "block_bitonic_sort_i16_keys_b64_i8_desc",
];

const FEW_COLUMNS: &str = "There are no more columns than threads.";
const ONE_GROUP: &str = "All threads of the block share the columns of all.";
const WHOLE_RUNS: &str = "The tile is a power of two of threads: no run goes past its end.";
const ONE_ITEM: &str = "Half of a thread's items is one, whose reverse is itself.";
const NO_WHOLE_GAPS: &str = "No segment of this tile is a multiple of what is between two gaps.";

/// Mutants that no case can tell from the original, and why.
const SURVIVORS: &[Survivor] = &[
    ("block_bitonic_sort_i16_keys_b64_i8_desc", "each thread has one column", FEW_COLUMNS),
    ("block_bitonic_sort_i16_keys_b64_i8_desc", "warps share the first one's columns", ONE_GROUP),
    (
        "block_bitonic_sort_i16_keys_b64_i8_desc",
        "what is behind the tile is less than all items",
        WHOLE_RUNS,
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
        "block_bitonic_sort_f32_u32_b128_i2_desc",
        "what is behind the tile is less than all items",
        WHOLE_RUNS,
    ),
    (
        "block_bitonic_sort_f32_u32_b128_i2_desc",
        "the last item of the tile is behind it",
        WHOLE_RUNS,
    ),
    ("block_bitonic_sort_f32_u32_b128_i2_desc", "what is behind the tile is written", WHOLE_RUNS),
    (
        "block_bitonic_sort_f16_index_b64_i5_asc_stable",
        "what is behind the tile is less than all items",
        WHOLE_RUNS,
    ),
    (
        "block_bitonic_sort_f16_index_b64_i5_asc_stable",
        "the last item of the tile is behind it",
        WHOLE_RUNS,
    ),
    (
        "block_bitonic_sort_f16_index_b64_i5_asc_stable",
        "what is behind the tile is written",
        WHOLE_RUNS,
    ),
    (
        "block_bitonic_sort_i16_u8_b128_i8_asc_inwarpstriped",
        "what is behind the tile is less than all items",
        WHOLE_RUNS,
    ),
    (
        "block_bitonic_sort_i16_u8_b128_i8_asc_inwarpstriped",
        "the last item of the tile is behind it",
        WHOLE_RUNS,
    ),
    (
        "block_bitonic_sort_i16_u8_b128_i8_asc_inwarpstriped",
        "what is behind the tile is written",
        WHOLE_RUNS,
    ),
    ("block_bitonic_sort_f32_u32_b128_i2_desc", "what was got last stays reversed", ONE_ITEM),
    (
        "block_bitonic_sort_u64_u64_b20_i6_desc_stable_instriped",
        "a step over gaps leaves them out",
        NO_WHOLE_GAPS,
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
        WHOLE_RUNS,
    ),
    (
        "block_bitonic_sort_f32_u32_b64_i2_desc_stable",
        "what is behind the tile is less than all items",
        WHOLE_RUNS,
    ),
    (
        "block_bitonic_sort_f32_u32_b64_i2_desc_stable",
        "what is behind the tile is written",
        WHOLE_RUNS,
    ),
];

const EDITS: &[Edit] = &[
    (
        "the first comparator of a thread's sort is reversed",
        "sort_in_lane(T (&items)[kItemsPerThread]) {\n    order(items[0], items[2]);",
        "sort_in_lane(T (&items)[kItemsPerThread]) {\n    order(items[2], items[0]);",
    ),
    (
        "a comparator of a thread's merge is left out",
        "merge_in_lane(T (&items)[kItemsPerThread]) {\n    order(items[0], items[2]);",
        "merge_in_lane(T (&items)[kItemsPerThread]) {\n",
    ),
    (
        "lanes keep the wrong items",
        "const bool keeps_greater = (lane_ & bit) != 0;",
        "const bool keeps_greater = (lane_ & bit) == 0;",
    ),
    (
        "the last merge by shuffles alone is left out",
        "for (int lanes = 2; lanes <= kLanes; lanes *= 2)",
        "for (int lanes = 2; lanes < kLanes; lanes *= 2)",
    ),
    ("halves of a run are not mirrored", "kMirrored ? kSegment - 1 - offset : offset", "offset"),
    (
        "columns of two sorted halves are compared as bitonic ones",
        "kMirrored ? kSegments - 1 - s : kSegments / 2 + s",
        "kSegments / 2 + s",
    ),
    (
        "the last step of a column is left out",
        "distance > 0; distance /= 2",
        "distance > 1; distance /= 2",
    ),
    (
        "the last columns are left out",
        "column < kColumns; column += kThreads",
        "column + 1 < kColumns; column += kThreads",
    ),
    (
        "each thread has one column",
        "column < kColumns; column += kThreads",
        "column < kColumns; column += kColumns",
    ),
    (
        "what is behind the tile is less than all items",
        "greatest.part[part] = ~0u;",
        "greatest.part[part] = 0u;",
    ),
    (
        "the last item of the tile is behind it",
        "from + segments * kSegment >= kTileItems) return greatest_word();",
        "from + segments * kSegment + 1 >= kTileItems) return greatest_word();",
    ),
    (
        "what is behind the tile is written",
        "if (kTileItems % kRun != 0 && from + segments * kSegment >= kTileItems) return;",
        "",
    ),
    (
        "warps share the first one's columns",
        "const unsigned int first = thread_ / kThreads * kShared;",
        "const unsigned int first = 0;",
    ),
    (
        "lanes read their own items and not those of a pair",
        "lane_of_run / 2) * kItemsPerThread",
        "lane_of_run) * kItemsPerThread",
    ),
    ("odd lanes read the first half too", "thread_ % 2 * kHalf", "0u"),
    (
        "what was got last stays reversed",
        "words[kHalf + i] = words[kItemsPerThread - 1 - i];\n      words[kItemsPerThread - 1 - i] = word;",
        "words[kHalf + i] = word;",
    ),
    (
        "the last step across lanes of a run is left out",
        "for (int bit = kCount / 2; bit > 0; bit /= 2)",
        "for (int bit = kCount / 2; bit > 1; bit /= 2)",
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
        "padding has the bits of zero",
        "word_of(kAllBits, position << kMarkBits)",
        "word_of(Bits(0), position << kMarkBits)",
    ),
    ("padding has the value of zero", "word_of(kAllBits, kAllTagBits)", "word_of(kAllBits, 0)"),
    (
        "padding of keys alone has the bits of zero",
        "is_valid ? to_ordered_bits(key) : kAllBits",
        "is_valid ? to_ordered_bits(key) : Bits(0)",
    ),
    (
        "-0.0 is less than +0.0",
        "return ordered == kNegativeZero ? kPositiveZero : ordered;",
        "return ordered;",
    ),
    ("-0.0 loses its sign", "tag_of(word) & 1u ?", "false ?"),
    (
        "pairs have no values",
        "static_cast<unsigned int>(value));",
        "static_cast<unsigned int>(value) * 0u);",
    ),
    (
        "values are fetched from the places of their keys",
        "slot(position_of(words[i]))",
        "slot(position<Arrangement::kBlocked>(i))",
    ),
    (
        "an item is stored in its neighbour's place",
        "mine[i * kApart] = items[i];",
        "mine[i * kApart] = items[kItemsPerThread - 1 - i];",
    ),
    (
        "one item too many is loaded",
        "first + i * kApart < valid_items ? mine",
        "first + i * kApart <= valid_items ? mine",
    ),
    (
        "one item too many is stored",
        "if (first + i * kApart < valid_items)",
        "if (first + i * kApart <= valid_items)",
    ),
    (
        "the last item is not stored",
        "if (first + i * kApart < valid_items)",
        "if (first + i * kApart + 1 < valid_items)",
    ),
    ("parts of tiles count as whole", "if (valid_items == kTileItems) {", "if (true) {"),
    ("twins are not joined", "join_twins(words);", ""),
    ("upper twins are no complements", "lower | ~upper << 16", "lower | upper << 16"),
    (
        "the greater twin is lower",
        "min(lower, upper) | max(lower, upper) << 16",
        "max(lower, upper) | min(lower, upper) << 16",
    ),
    (
        "twins of one word are the same",
        "key_of(word_at(slot_of_step<kStride<kTo>>(from, i)).part[0] >> shift)",
        "key_of(word_at(slot_of_step<kStride<kTo>>(from, i)).part[0])",
    ),
    ("only upper twins are compared", "| min(a & 0xffffu, b & 0xffffu)", "| (a & 0xffffu)"),
    (
        "the wrong half of a run is read first",
        "lower = upper;\n      upper = other;",
        "lower = upper;",
    ),
    (
        "a step over gaps leaves them out",
        "return slot(from) + steps * slot(kStep);",
        "return slot(from) + steps * kStep;",
    ),
    (
        "keys with one prefix are left as they are",
        "return next < valid_items && bits_at(next) < bits_at(own);",
        "return false;",
    ),
    (
        "a key with the prefix of the next thread's first one is not seen",
        "first + kItemsPerThread == kTileItems ? ~prefix_of",
        "true ? ~prefix_of",
    ),
    (
        "equal keys with one prefix change places",
        "if (bits_at(position_of(greater)) <= bits) break;",
        "if (bits_at(position_of(greater)) < bits) break;",
    ),
    (
        "crowds are not sorted by their last digit",
        "if (turn * kPrefixBits >= width) break;",
        "if ((turn + 1) * kPrefixBits >= width) break;",
    ),
    (
        "the second digit's positions are taken for those of the input",
        "reorder(words, turn == 0);",
        "reorder(words, true);",
    ),
    (
        "a tile in order is looked up by its words",
        "const unsigned int at = is_in_order ? own : ",
        "const unsigned int at = ",
    ),
    (
        "values do not follow a crowd's keys",
        "storage_.values[at] = values[i];",
        "storage_.values[at] = storage_.values[at];",
    ),
    (
        "what is past the end has the least prefix",
        "words[i] = word_of(~0u, position<kFrom>(i));",
        "words[i] = word_of(0u, position<kFrom>(i));",
    ),
    (
        "the least key is that of one warp",
        "storage_.least[thread_ / kLanes] = least;",
        "storage_.least[0] = least; storage_.least[thread_ / kLanes] = storage_.least[0];",
    ),
    (
        "places have more bits than a float",
        "kPlaceBits = kPrefixBits < 21 ? kPrefixBits : 21;",
        "kPlaceBits = kPrefixBits;",
    ),
    ("one bit of a prefix is lost", "? width - kPrefixBits :", "? width - kPrefixBits - 1 :"),
];

#[test]
fn every_mutant_of_bitonic_sorts_of_blocks_is_caught_but_those_that_are_harmless() {
    assert_survivors::<SortSpec>(&Ground {
        specs: &SPECS,
        edits: EDITS,
        barriers: Barriers::AtRunTime,
        survivors: SURVIVORS,
        cases: 60,
        limit: Duration::from_secs(20),
    });
}
