//! Broken sorts by samples.

use std::time::Duration;

use sortsmith_codegen::device::DeviceSpec;

use super::{Barriers, Edit, Ground, Survivor, assert_survivors};

/// Buckets that most often are too large for a block, many buckets, and many tiles; values that are read, and positions that
/// are made.
pub(crate) const SPECS: [&str; 3] = [
    "device_sample_sort_f32_u32_b32_i12_asc",
    "device_sample_sort_f16_keys_b256_i1_asc",
    "device_sample_sort_i64_index_b64_i2_asc",
];

const LARGE_BUCKETS: &str =
    "Buckets are large, and all results right: equal_keys_are_spread tells.";
const EITHER_SIDE: &str =
    "Equal items of a tile stay together, on whichever side of their splitter.";
const ONE_WARP: &str = "The block has one warp, whose votes and shuffles keep it together; it has no other's samples or tiles.";
const NO_LARGE_BUCKET: &str = "Every bucket fits a block.";
const NOT_FIRST: &str = "No case has so many items that samples come first.";
const RANKED_AGAIN: &str = "What is numbered wrong is not in order, and numbered again.";
const ONE_ROW: &str = "A thread has one item.";
const MANY_ROWS: &str = "Where lanes are served out of turn, the last rows have some too.";
const GREATEST_SAMPLES: &str =
    "Only samples greater than all of another warp's are ranked too low; none is a splitter.";
const EITHER_WAY: &str = "Digits and windows have the same result.";
const TAKES_LONG: &str = "They do so for too many rounds, and digits sort the bucket.";
const FEW_CROWDS: &str = "Buckets of no case are crowded, but by keys that this is right for.";
const SHORT_KEYS: &str = "Words tell keys of 16 bits apart.";
const ALL_ROUNDS: &str = "Where samples come first, every case has as many as there may be.";
const SCRATCH: &str = "Where keys are not wanted their array is scratch.";

/// Mutants that no case can tell from the original, and why.
#[rustfmt::skip] // one a line
const SURVIVORS: &[Survivor] = &[
    ("device_sample_sort_f32_u32_b32_i12_asc", "equal items are in any tile's bucket", LARGE_BUCKETS),
    ("device_sample_sort_f32_u32_b32_i12_asc", "splitters know no tile", LARGE_BUCKETS),
    ("device_sample_sort_f32_u32_b32_i12_asc", "first splitters know no tile", LARGE_BUCKETS),
    ("device_sample_sort_f32_u32_b32_i12_asc", "greatest items are in the last bucket", LARGE_BUCKETS),
    ("device_sample_sort_f32_u32_b32_i12_asc", "equal items are in the bucket before", EITHER_SIDE),
    ("device_sample_sort_f32_u32_b32_i12_asc", "keys are written where only values are wanted", SCRATCH),
    ("device_sample_sort_f16_keys_b256_i1_asc", "equal items are in any tile's bucket", LARGE_BUCKETS),
    ("device_sample_sort_f16_keys_b256_i1_asc", "splitters know no tile", LARGE_BUCKETS),
    ("device_sample_sort_f16_keys_b256_i1_asc", "first splitters know no tile", NOT_FIRST),
    ("device_sample_sort_f16_keys_b256_i1_asc", "greatest items are in the last bucket", LARGE_BUCKETS),
    ("device_sample_sort_f16_keys_b256_i1_asc", "equal items are in the bucket before", EITHER_SIDE),
    ("device_sample_sort_f16_keys_b256_i1_asc", "keys are written where only values are wanted", SCRATCH),
    ("device_sample_sort_i64_index_b64_i2_asc", "equal items are in any tile's bucket", LARGE_BUCKETS),
    ("device_sample_sort_i64_index_b64_i2_asc", "splitters know no tile", LARGE_BUCKETS),
    ("device_sample_sort_i64_index_b64_i2_asc", "first splitters know no tile", LARGE_BUCKETS),
    ("device_sample_sort_i64_index_b64_i2_asc", "greatest items are in the last bucket", LARGE_BUCKETS),
    ("device_sample_sort_i64_index_b64_i2_asc", "equal items are in the bucket before", EITHER_SIDE),
    ("device_sample_sort_i64_index_b64_i2_asc", "keys are written where only values are wanted", SCRATCH),
    ("device_sample_sort_f32_u32_b32_i12_asc", "a warp's samples are ranked the other way round", LARGE_BUCKETS),
    ("device_sample_sort_f32_u32_b32_i12_asc", "a run's last sample does not count", ONE_WARP),
    ("device_sample_sort_f32_u32_b32_i12_asc", "samples of the warps below do not count", ONE_WARP),
    ("device_sample_sort_f32_u32_b32_i12_asc", "samples of warps above count if they are equal", ONE_WARP),
    ("device_sample_sort_f16_keys_b256_i1_asc", "one round too few", NO_LARGE_BUCKET),
    ("device_sample_sort_f16_keys_b256_i1_asc", "runs are not sorted with those behind", NO_LARGE_BUCKET),
    ("device_sample_sort_f16_keys_b256_i1_asc", "runs go on past the bucket", NO_LARGE_BUCKET),
    ("device_sample_sort_i64_index_b64_i2_asc", "one round too few", NO_LARGE_BUCKET),
    ("device_sample_sort_i64_index_b64_i2_asc", "runs are not sorted with those behind", NO_LARGE_BUCKET),
    ("device_sample_sort_i64_index_b64_i2_asc", "runs go on past the bucket", NO_LARGE_BUCKET),
    ("device_sample_sort_f32_u32_b32_i12_asc", "a row of one bucket is counted as one item", RANKED_AGAIN),
    ("device_sample_sort_f32_u32_b32_i12_asc", "a thread's last items alone are looked at", MANY_ROWS),
    ("device_sample_sort_f32_u32_b32_i12_asc", "keys of windows are written where only values are wanted", SCRATCH),
    ("device_sample_sort_i64_index_b64_i2_asc", "a row of one bucket is counted as one item", RANKED_AGAIN),
    ("device_sample_sort_i64_index_b64_i2_asc", "a run's last sample does not count", GREATEST_SAMPLES),
    ("device_sample_sort_i64_index_b64_i2_asc", "keys of windows are written where only values are wanted", SCRATCH),
    ("device_sample_sort_i64_index_b64_i2_asc", "pieces begin one too far", NO_LARGE_BUCKET),
    ("device_sample_sort_f16_keys_b256_i1_asc", "a row of one bucket is counted as one item", RANKED_AGAIN),
    ("device_sample_sort_f16_keys_b256_i1_asc", "a thread's last items alone are looked at", ONE_ROW),
    ("device_sample_sort_f16_keys_b256_i1_asc", "equal samples of the blocks above count", NOT_FIRST),
    ("device_sample_sort_f16_keys_b256_i1_asc", "equal samples of the blocks below do not count", NOT_FIRST),
    ("device_sample_sort_f16_keys_b256_i1_asc", "keys of windows are written where only values are wanted", SCRATCH),
    ("device_sample_sort_f16_keys_b256_i1_asc", "pieces begin one too far", NO_LARGE_BUCKET),
    ("device_sample_sort_f32_u32_b32_i12_asc", "all have a crowd", EITHER_WAY),
    ("device_sample_sort_f32_u32_b32_i12_asc", "few orders have no crowd", EITHER_WAY),
    ("device_sample_sort_f32_u32_b32_i12_asc", "equal keys change places", TAKES_LONG),
    ("device_sample_sort_f16_keys_b256_i1_asc", "all have a crowd", EITHER_WAY),
    ("device_sample_sort_f16_keys_b256_i1_asc", "few orders have no crowd", EITHER_WAY),
    ("device_sample_sort_f16_keys_b256_i1_asc", "equal keys change places", TAKES_LONG),
    ("device_sample_sort_i64_index_b64_i2_asc", "all have a crowd", EITHER_WAY),
    ("device_sample_sort_i64_index_b64_i2_asc", "few orders have no crowd", EITHER_WAY),
    ("device_sample_sort_i64_index_b64_i2_asc", "equal keys change places", TAKES_LONG),
    ("device_sample_sort_i64_index_b64_i2_asc", "a crowd is no crowd", FEW_CROWDS),
    ("device_sample_sort_i64_index_b64_i2_asc", "a tile is padded by the greatest bits", FEW_CROWDS),
    ("device_sample_sort_i64_index_b64_i2_asc", "keys are not taken above the base", FEW_CROWDS),
    ("device_sample_sort_f16_keys_b256_i1_asc", "ties are looked at once", SHORT_KEYS),
    ("device_sample_sort_f16_keys_b256_i1_asc", "words tell all keys apart", SHORT_KEYS),
    ("device_sample_sort_f16_keys_b256_i1_asc", "words tell keys apart that are near each other", SHORT_KEYS),
    ("device_sample_sort_f16_keys_b256_i1_asc", "a rank does not count the own", NOT_FIRST),
    ("device_sample_sort_f16_keys_b256_i1_asc", "blocks sort the buckets of others", NOT_FIRST),
    ("device_sample_sort_f16_keys_b256_i1_asc", "equal samples of a block have the same place", NOT_FIRST),
    ("device_sample_sort_f16_keys_b256_i1_asc", "own samples are others too", NOT_FIRST),
    ("device_sample_sort_f16_keys_b256_i1_asc", "own samples are told apart by their numbers alone", NOT_FIRST),
    ("device_sample_sort_f16_keys_b256_i1_asc", "rounds that are not there count", NOT_FIRST),
    ("device_sample_sort_f16_keys_b256_i1_asc", "the first step is the second one of the lower half", NOT_FIRST),
    ("device_sample_sort_f16_keys_b256_i1_asc", "the last step does not count", NOT_FIRST),
    ("device_sample_sort_f16_keys_b256_i1_asc", "the least order has others before it", NOT_FIRST),
    ("device_sample_sort_i64_index_b64_i2_asc", "rounds that are not there count", ALL_ROUNDS),
];

#[rustfmt::skip] // one a line
const EDITS: &[Edit] = &[
    // How splitters are found.
    ("a warp's equal samples are one", "order < own || (order == own && other < lane)", "order < own"),
    ("a warp's samples are ranked the other way round", "(order < own || (order == own && other < lane))", "(order > own || (order == own && other < lane))"),
    ("samples of warps above count if they are equal", "[own](Bits order) { return order < own; }", "[own](Bits order) { return order <= own; }"),
    ("a run's last sample does not count", "return before + comes_before(run[before]);", "return before;"),
    ("samples of the warps below do not count", "for (unsigned int other = 0; other < warp; ++other)", "for (unsigned int other = 0; other < 0; ++other)"),
    ("splitters know no tile", "set_bound(storage, buckets, bucket, own, tile)", "set_bound(storage, buckets, bucket, own, 0)"),
    // The same where samples come first.
    ("first splitters know no tile", "= paired_place(arguments, rounds, number / kSampleThreads, number % kSampleThreads) / kTileItems;", "= 0;"),
    ("equal samples of a block have the same place", "(storage.read[other] == storage.read[own] && other < own)", "(false)"),
    ("own samples are told apart by their numbers alone", "storage.read[other] < storage.read[own] || (storage.read[other] == storage.read[own] && other < own)", "other < own"),
    ("equal samples of the blocks below do not count", "if (i * kSampleThreads + threadIdx.x < first) --limits[i];", ""),
    ("equal samples of the blocks above count", "if (i * kSampleThreads + threadIdx.x < first) --limits[i];", "--limits[i];"),
    ("the first step is the second one of the lower half", "(is_upper ? quarters[2] : quarters[0])", "quarters[0]"),
    ("the last step does not count", "before[i] = before[i] / sizeof(Bits) + is_behind;", "before[i] = before[i] / sizeof(Bits);"),
    ("the least order has others before it", "if (number < first && limits[i] == ~Bits(0)) before[i] = 0;", ""),
    ("own samples are others too", "i >= rounds || number - first < own_samples", "i >= rounds"),
    ("rounds that are not there count", "i >= rounds || number - first", "number - first"),
    ("a rank does not count the own", "= threadIdx.x + inclusive_sum_in_warp(storage.counts", "= inclusive_sum_in_warp(storage.counts"),
    ("blocks sort the buckets of others", "2 * blockIdx.x + 1 : 2 * (blockIdx.x - kHalf)", "2 * blockIdx.x : 2 * (blockIdx.x - kHalf)"),
    // How items are parted.
    ("equal items are in any tile's bucket", "excludes_own = blockIdx.x < tile", "excludes_own = false"),
    ("equal items are in the bucket before", "excludes_own = blockIdx.x < tile", "excludes_own = blockIdx.x <= tile"),
    ("equal items of tiles above are in the bucket before", "excludes_own = blockIdx.x < tile", "excludes_own = blockIdx.x > tile"),
    ("greatest items are in the last bucket", "if (orders[i] == ~Bits(0)) found[i] = bucket_of_greatest;", ""),
    ("half of the buckets are not searched", "level < buckets; level *= 2", "2 * level < buckets; level *= 2"),
    ("items past the end are counted", "if (warp_striped<kItemsPerThread>(i) >= valid_items) found[i] = kNoBucket;", ""),
    ("lanes are numbered as they are served", "if (!is_in_order(storage, valid_items)) {", "if (false) {"),
    ("a thread's last items alone are looked at", "is_right &= storage", "is_right = storage"),
    ("a row of one bucket is counted as one item", "atomicAdd(&histogram[found[i]], 32u)", "atomicAdd(&histogram[found[i]], 1u)"),
    ("ballots number all lanes alike", "numbers[i] = before + __popc(same & lanes_below);", "numbers[i] = before + __popc(same);"),
    ("counts are added to those of the first try", "clear_words<sizeof(storage.histograms)>(storage.histograms);\n      __syncthreads();", "__syncthreads();"),
    ("buckets begin at the tile's start", "static_cast<unsigned short>(start);", "0;"),
    ("keys keep their places in the tile", "storage.items.keys[places[i]] =", "storage.items.keys[position] ="),
    ("values keep their places in the tile", "storage.items.values[places[i]] =", "storage.items.values[position] ="),
    ("positions are those in the tile", "static_cast<Value>(tile_start + (storage.items", "static_cast<Value>((storage.items"),
    ("bits past the range are compared", "compared << above >> above >>", "compared >>"),
    ("-0.0 is less than +0.0", "return ordered == kNegativeZero ? kPositiveZero : ordered;", "return ordered;"),
    // How buckets are gathered.
    ("a bucket's place does not count tiles", "if (threadIdx.x % 32 == 31) atomicAdd(&storage.first, starts);", "static_cast<void>(starts);"),
    ("the last bucket ends where another begins", "return bucket_of_block() + 1 == gridDim.x;", "return false;"),
    ("pieces begin one too far", "if (pieces.starts[piece + step] <= position)", "if (pieces.starts[piece + step] < position)"),
    ("pieces of no items are marked", "if (start < end) marks.numbers", "marks.numbers"),
    ("rows begin in the first piece", "storage.windows.marks.heads[position / 32]", "0"),
    ("marks of lanes above count", "~0u >> (31 - threadIdx.x % 32)", "~0u"),
    ("the last item is left out", "if (position >= size) continue;\n      keys[i] = (kGathers", "if (position + 1 >= size) continue;\n      keys[i] = (kGathers"),
    ("keys are written where only values are wanted", "if (arguments.writes_keys || !kGathers)", "if (true)"),
    ("keys of windows are written where only values are wanted", "= arguments.writes_keys ? size : 0;", "= size;"),
    ("the last key of windows is left out", "= arguments.writes_keys ? size : 0;", "= arguments.writes_keys ? size - 1 : 0;"),
    ("the last value of windows is left out", "if (place < size) arguments.values_out", "if (place + 1 < size) arguments.values_out"),
    ("the last item has no word", "if (position < size) items.words", "if (position + 1 < size) items.words"),
    ("what is behind the last item is counted too", "if (is_there) number = atomicAdd", "number = atomicAdd"),
    ("marks are those that items took the place of", "mark_pieces_again(storage, size);", ""),
    ("marks are made again among others", "clear_words<sizeof(Marks::numbers)>", "if (false) clear_words<sizeof(Marks::numbers)>"),
    // How buckets are sorted by cells and windows.
    ("few orders have no crowd", "range.most - range.least < (size - 1) / kMostInCell", "false"),
    ("all have a crowd", "size <= kMaxWindowItems && !has_crowd", "false"),
    ("ranges are as wide as one thread's items", "atomicMax(&storage.distance_bits, bit_length(distances));", "storage.distance_bits = bit_length(distances);"),
    ("ranges are half as wide as items", "~Bits(0) >> (8 * sizeof(Bits) - storage.distance_bits)", "~Bits(0) >> (8 * sizeof(Bits) - storage.distance_bits) >> 1"),
    ("the greatest order has no cell", "return {range.least, shift, (cells << 16) / upper};", "return {range.least, shift, (cells << 16) / upper * 2};"),
    ("a crowd is no crowd", "if (most > kMostInCell) return false;", ""),
    ("no cell has many items", "if (most > Plan::kFewInCell) atomicMax", "if (false) atomicMax"),
    ("one round too few of windows", "/ Plan::kHalf + 1;", "/ Plan::kHalf;"),
    ("windows are merged once", "round < halves && !is_sorted", "round < 2"),
    ("windows have the same halves in all rounds", "first + round % 2 * Plan::kHalf", "first + Plan::kHalf"),
    ("what is behind the last item is not greater", "items.words[Plan::slot_of_place(behind)] = behind << (32 - kStartBits) | ~0u >> kStartBits;", "items.words[Plan::slot_of_place(behind)] = 0;"),
    ("equal orders have no order", "= numbers[row] << Plan::kPositionBits | position;", "= numbers[row] << Plan::kPositionBits | (position ^ 1);"),
    ("starts are compared as they are", "const unsigned int shift = (kMostInCell - first) << (32 - kStartBits);", "const unsigned int shift = 0;"),
    ("words tell all keys apart", "if (!map.tells_apart(Plan::kFractionBits) && ", "if (false && "),
    ("words tell keys apart that are near each other", ">> (32 - fraction_bits) != 0", "!= 0"),
    ("ties are looked at once", "if (storage.ties_round != round + 1) return true;", "return true;"),
    ("equal keys change places", "if (order <= order_of(", "if (order < order_of("),
    // What a bucket's keys are sorted by otherwise.
    ("a base is above the least", "return {least << arguments.begin_bit,", "return {(least + 1) << arguments.begin_bit,"),
    ("the highest bit in which keys differ does not count", "bit_length(range.most - least)}", "bit_length((range.most - least) / 2)}"),
    ("the next splitter's own order is left out", "splitters.orders[bucket + 1]};", "splitters.orders[bucket + 1] - 1};"),
    ("what pads a tile may be -0.0", "if (compared_bits(below) != below) --least;", ""),
    ("keys are not taken above the base", " - base_) >>", ") >>"),
    ("a tile is padded by the greatest bits", "base_ - 1;", "kAllBits;"),
    // How large buckets are sorted.
    ("runs are not sorted with those behind", "for (unsigned int start = round % 2 * kRun;", "for (unsigned int start = 0;"),
    ("one round too few", "for (unsigned int round = 0; round < runs; ++round)", "for (unsigned int round = 0; round + 1 < runs; ++round)"),
    ("runs go on past the bucket", "left < 2 * kRun ? left : 2 * kRun", "2 * kRun"),
];

#[test]
fn mutants_of_sorts_by_samples_are_caught() {
    assert_survivors::<DeviceSpec>(&Ground {
        specs: &SPECS,
        edits: EDITS,
        barriers: Barriers::AtRunTime,
        survivors: SURVIVORS,
        cases: 80,
        limit: Duration::from_secs(20),
    });
}
