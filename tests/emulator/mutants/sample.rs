//! Broken sorts by samples.

use std::time::Duration;

use sortsmith_codegen::device::DeviceSpec;

use super::{Edit, Ground, Survivor, assert_survivors};

/// Buckets that most often are too large for a block, many buckets, and many tiles; values that are read, and positions that
/// are made.
const SPECS: [&str; 3] = [
    "device_sample_sort_f32_u32_b32_i12_asc",
    "device_sample_sort_u16_keys_b256_i1_asc",
    "device_sample_sort_i64_index_b64_i2_asc",
];

const LARGE_BUCKETS: &str =
    "Buckets are large, and all results right: equal_keys_are_spread tells.";
const EITHER_SIDE: &str =
    "Equal items of a tile stay together, on whichever side of their splitter.";
const ONE_WARP: &str = "The block has one warp, whose votes and shuffles keep it together; it has no other's samples or tiles.";
const NO_LARGE_BUCKET: &str = "Every bucket fits a block.";
const NOT_FIRST: &str = "No case has so many items that samples come first.";
const SAME_RANKS: &str = "More samples in a block's list do not change the ranks of its own.";
const NO_EQUAL_SAMPLES: &str =
    "Where samples come first, no case has equal ones at the edge of a bucket.";
const SCRATCH: &str = "Where keys are not wanted their array is scratch.";

/// Mutants that no case can tell from the original, and why.
#[rustfmt::skip] // one a line
const SURVIVORS: &[Survivor] = &[
    ("device_sample_sort_f32_u32_b32_i12_asc", "equal items are in any tile's bucket", LARGE_BUCKETS),
    ("device_sample_sort_f32_u32_b32_i12_asc", "splitters know no tile", LARGE_BUCKETS),
    ("device_sample_sort_f32_u32_b32_i12_asc", "first splitters know no tile", LARGE_BUCKETS),
    ("device_sample_sort_f32_u32_b32_i12_asc", "greatest items are in the last bucket", LARGE_BUCKETS),
    ("device_sample_sort_f32_u32_b32_i12_asc", "equal items are in the bucket before", EITHER_SIDE),
    ("device_sample_sort_f32_u32_b32_i12_asc", "a range has the next one's samples too", SAME_RANKS),
    ("device_sample_sort_f32_u32_b32_i12_asc", "keys are written where only values are wanted", SCRATCH),
    ("device_sample_sort_u16_keys_b256_i1_asc", "equal items are in any tile's bucket", LARGE_BUCKETS),
    ("device_sample_sort_u16_keys_b256_i1_asc", "splitters know no tile", LARGE_BUCKETS),
    ("device_sample_sort_u16_keys_b256_i1_asc", "first splitters know no tile", NOT_FIRST),
    ("device_sample_sort_u16_keys_b256_i1_asc", "greatest items are in the last bucket", LARGE_BUCKETS),
    ("device_sample_sort_u16_keys_b256_i1_asc", "equal items are in the bucket before", EITHER_SIDE),
    ("device_sample_sort_u16_keys_b256_i1_asc", "a range has the next one's samples too", NOT_FIRST),
    ("device_sample_sort_u16_keys_b256_i1_asc", "keys are written where only values are wanted", SCRATCH),
    ("device_sample_sort_i64_index_b64_i2_asc", "equal items are in any tile's bucket", LARGE_BUCKETS),
    ("device_sample_sort_i64_index_b64_i2_asc", "splitters know no tile", LARGE_BUCKETS),
    ("device_sample_sort_i64_index_b64_i2_asc", "first splitters know no tile", LARGE_BUCKETS),
    ("device_sample_sort_i64_index_b64_i2_asc", "greatest items are in the last bucket", LARGE_BUCKETS),
    ("device_sample_sort_i64_index_b64_i2_asc", "equal items are in the bucket before", EITHER_SIDE),
    ("device_sample_sort_i64_index_b64_i2_asc", "a range has the next one's samples too", SAME_RANKS),
    ("device_sample_sort_i64_index_b64_i2_asc", "keys are written where only values are wanted", SCRATCH),
    ("device_sample_sort_f32_u32_b32_i12_asc", "a warp's samples are ranked the other way round", LARGE_BUCKETS),
    ("device_sample_sort_f32_u32_b32_i12_asc", "a bucket begins where it does in the last tile", ONE_WARP),
    ("device_sample_sort_f32_u32_b32_i12_asc", "a bucket's place does not count all warps' tiles", ONE_WARP),
    ("device_sample_sort_f32_u32_b32_i12_asc", "a run's last sample does not count", ONE_WARP),
    ("device_sample_sort_f32_u32_b32_i12_asc", "samples of the warps below do not count", ONE_WARP),
    ("device_sample_sort_f32_u32_b32_i12_asc", "samples of warps above count if they are equal", ONE_WARP),
    ("device_sample_sort_f32_u32_b32_i12_asc", "buckets past the 32nd begin at the tile's start", ONE_WARP),
    ("device_sample_sort_f32_u32_b32_i12_asc", "barrier 2 of rank_of_sample, a __syncthreads, is missing", ONE_WARP),
    ("device_sample_sort_f32_u32_b32_i12_asc", "barrier 1 of sort_large_bucket, a __syncthreads, is missing", ONE_WARP),
    ("device_sample_sort_f32_u32_b32_i12_asc", "barrier 2 of sort_large_bucket, a __syncthreads, is missing", ONE_WARP),
    ("device_sample_sort_u16_keys_b256_i1_asc", "barrier 1 of sort_large_bucket, a __syncthreads, is missing", NO_LARGE_BUCKET),
    ("device_sample_sort_u16_keys_b256_i1_asc", "barrier 2 of sort_large_bucket, a __syncthreads, is missing", NO_LARGE_BUCKET),
    ("device_sample_sort_u16_keys_b256_i1_asc", "one round too few", NO_LARGE_BUCKET),
    ("device_sample_sort_u16_keys_b256_i1_asc", "runs are not sorted with those behind", NO_LARGE_BUCKET),
    ("device_sample_sort_u16_keys_b256_i1_asc", "runs go on past the bucket", NO_LARGE_BUCKET),
    ("device_sample_sort_i64_index_b64_i2_asc", "barrier 1 of sort_large_bucket, a __syncthreads, is missing", NO_LARGE_BUCKET),
    ("device_sample_sort_i64_index_b64_i2_asc", "barrier 2 of sort_large_bucket, a __syncthreads, is missing", NO_LARGE_BUCKET),
    ("device_sample_sort_i64_index_b64_i2_asc", "one round too few", NO_LARGE_BUCKET),
    ("device_sample_sort_i64_index_b64_i2_asc", "runs are not sorted with those behind", NO_LARGE_BUCKET),
    ("device_sample_sort_i64_index_b64_i2_asc", "runs go on past the bucket", NO_LARGE_BUCKET),
    ("device_sample_sort_u16_keys_b256_i1_asc", "a warp's samples before a range do not all count", NOT_FIRST),
    ("device_sample_sort_u16_keys_b256_i1_asc", "barrier 1 of find_splitters, a __syncthreads, is missing", NOT_FIRST),
    ("device_sample_sort_u16_keys_b256_i1_asc", "barrier 2 of find_splitters, a __syncthreads, is missing", NOT_FIRST),
    ("device_sample_sort_u16_keys_b256_i1_asc", "equal samples have the same rank", NOT_FIRST),
    ("device_sample_sort_u16_keys_b256_i1_asc", "samples before a range do not count", NOT_FIRST),
    ("device_sample_sort_i64_index_b64_i2_asc", "equal samples have the same rank", NO_EQUAL_SAMPLES),
];

#[rustfmt::skip] // one a line
const EDITS: &[Edit] = &[
    // How splitters are found.
    ("a warp's equal samples are one", "order < own || (order == own && other < lane)", "order < own"),
    ("a warp's samples are ranked the other way round", "(order < own || (order == own && other < lane))", "(order > own || (order == own && other < lane))"),
    ("samples of warps above count if they are equal", "[own](Bits order) { return order < own; }", "[own](Bits order) { return order <= own; }"),
    ("a run's last sample does not count", "return before + comes_before(run[before]);", "return before;"),
    ("samples of the warps below do not count", "for (unsigned int other = 0; other < warp; ++other)", "for (unsigned int other = 0; other < 0; ++other)"),
    ("splitters know no tile", "set_bound(storage, bucket, own, tile)", "set_bound(storage, bucket, own, 0)"),
    // The same where samples come first.
    ("first splitters know no tile", "= sample_position(arguments, number, samples) / kTileItems;", "= 0;"),
    ("samples before a range do not count", "++before;", ""),
    ("equal samples have the same rank", "(order == other && number < other_number)", "(false)"),
    ("a range has the next one's samples too", "blockIdx.x + 1 == kSampleBlocks ||", "true ||"),
    ("a warp's samples before a range do not all count", "if (threadIdx.x % 32 == 31) atomicAdd(&storage.before, before);", "if (threadIdx.x % 32 == 30) atomicAdd(&storage.before, before);"),
    // How items are parted.
    ("equal items are in any tile's bucket", "excludes_own = blockIdx.x < tile", "excludes_own = false"),
    ("equal items are in the bucket before", "excludes_own = blockIdx.x < tile", "excludes_own = blockIdx.x <= tile"),
    ("equal items of tiles above are in the bucket before", "excludes_own = blockIdx.x < tile", "excludes_own = blockIdx.x > tile"),
    ("greatest items are in the last bucket", "orders[i] == ~Bits(0) ? bucket_of_greatest : at[i]", "at[i]"),
    ("half of the buckets are not searched", "for (unsigned int step = buckets / 2;", "for (unsigned int step = buckets / 4;"),
    ("items past the end are counted", "if (warp_striped<kItemsPerThread>(i) < valid_items) atomicAdd", "atomicAdd"),
    ("items past the end are partitioned", "static_cast<int>(valid_items));\n    if (threadIdx.x < buckets) write_start", "kTileItems);\n    if (threadIdx.x < buckets) write_start"),
    ("buckets past the 32nd begin at the tile's start", "start += storage.warp_sums[warp];", "start += 0;"),
    ("keys keep their places in the tile", "bits_as<Key>(storage.keys[positions[i]])", "bits_as<Key>(storage.keys[position])"),
    ("values keep their places in the tile", "storage.values[positions[i]]", "storage.values[position]"),
    ("positions are those in the tile", "static_cast<Value>(tile_start + positions[i])", "static_cast<Value>(positions[i])"),
    ("bits past the range are compared", "compared << above >> above >>", "compared >>"),
    ("-0.0 is less than +0.0", "return ordered == kNegativeZero ? kPositiveZero : ordered;", "return ordered;"),
    // How buckets are gathered.
    ("a bucket begins where it does in the last tile", "if (other < warp) before += storage.warp_items[other];", ""),
    ("a bucket's place does not count all warps' tiles", "first += storage.warp_starts[other];", "if (other == 0) first += storage.warp_starts[other];"),
    ("the last bucket ends where another begins", "blockIdx.x + 1 < gridDim.x ?", "blockIdx.x < gridDim.x ?"),
    ("pieces begin one too far", "if (pieces.starts[piece[i] + step] <= ", "if (pieces.starts[piece[i] + step] < "),
    ("the last item is left out", "if (position >= size) continue;\n      keys[i] = kGathers", "if (position + 1 >= size) continue;\n      keys[i] = kGathers"),
    ("keys are written where only values are wanted", "if (arguments.writes_keys || !kGathers)", "if (true)"),
    // What a bucket's keys are sorted by.
    ("a base is above the least", "return {least << arguments.begin_bit,", "return {(least + 1) << arguments.begin_bit,"),
    ("the highest bit in which keys differ does not count", "bit_length(most - least)}", "bit_length((most - least) / 2)}"),
    ("the next splitter's own order is left out", "splitters.orders[bucket + 1] :", "splitters.orders[bucket + 1] - 1 :"),
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
        all_barriers: false,
        survivors: SURVIVORS,
        cases: 40,
        limit: Duration::from_secs(20),
    });
}
