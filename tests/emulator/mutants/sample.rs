//! Broken sorts by samples.

use std::time::Duration;

use sortsmith_codegen::device::DeviceSpec;

use super::{Edit, Ground, Survivor, assert_survivors};

/// Buckets that most often are too large for a block, many buckets, and many tiles; values that are read, and positions that
/// are made.
const SPECS: [&str; 3] = [
    "device_sample_sort_f32_u32_b32_i4_desc",
    "device_sample_sort_u16_keys_b256_i1_asc",
    "device_sample_sort_i64_index_b64_i2_asc",
];

const LARGE_BUCKETS: &str =
    "Buckets are large, and all results right: equal_keys_are_spread tells.";
const EITHER_SIDE: &str =
    "Equal items of a tile stay together, on whichever side of their splitter.";
const ONE_WARP: &str = "The block has one warp, whose votes and shuffles keep it together; it has no other's samples or tiles.";
const FEW_BUCKETS: &str = "There are no more than 32 buckets.";
const NO_LARGE_BUCKET: &str = "Every bucket fits a block.";
const SCRATCH: &str = "Where keys are not wanted their array is scratch.";

/// Mutants that no case can tell from the original, and why.
#[rustfmt::skip] // one a line
const SURVIVORS: &[Survivor] = &[
    ("device_sample_sort_f32_u32_b32_i4_desc", "equal items are in any tile's bucket", LARGE_BUCKETS),
    ("device_sample_sort_f32_u32_b32_i4_desc", "splitters know no tile", LARGE_BUCKETS),
    ("device_sample_sort_f32_u32_b32_i4_desc", "half of the buckets are not searched", LARGE_BUCKETS),
    ("device_sample_sort_f32_u32_b32_i4_desc", "equal items are in the bucket before", EITHER_SIDE),
    ("device_sample_sort_f32_u32_b32_i4_desc", "keys are written where only values are wanted", SCRATCH),
    ("device_sample_sort_u16_keys_b256_i1_asc", "equal items are in any tile's bucket", LARGE_BUCKETS),
    ("device_sample_sort_u16_keys_b256_i1_asc", "splitters know no tile", LARGE_BUCKETS),
    ("device_sample_sort_u16_keys_b256_i1_asc", "half of the buckets are not searched", LARGE_BUCKETS),
    ("device_sample_sort_u16_keys_b256_i1_asc", "equal items are in the bucket before", EITHER_SIDE),
    ("device_sample_sort_u16_keys_b256_i1_asc", "keys are written where only values are wanted", SCRATCH),
    ("device_sample_sort_i64_index_b64_i2_asc", "equal items are in any tile's bucket", LARGE_BUCKETS),
    ("device_sample_sort_i64_index_b64_i2_asc", "splitters know no tile", LARGE_BUCKETS),
    ("device_sample_sort_i64_index_b64_i2_asc", "half of the buckets are not searched", LARGE_BUCKETS),
    ("device_sample_sort_i64_index_b64_i2_asc", "equal items are in the bucket before", EITHER_SIDE),
    ("device_sample_sort_i64_index_b64_i2_asc", "keys are written where only values are wanted", SCRATCH),
    ("device_sample_sort_f32_u32_b32_i4_desc", "a warp's samples are ranked the other way round", LARGE_BUCKETS),
    ("device_sample_sort_f32_u32_b32_i4_desc", "a bucket begins where it does in the last tile", ONE_WARP),
    ("device_sample_sort_f32_u32_b32_i4_desc", "a bucket's place does not count all warps' tiles", ONE_WARP),
    ("device_sample_sort_f32_u32_b32_i4_desc", "a run's last sample does not count", ONE_WARP),
    ("device_sample_sort_f32_u32_b32_i4_desc", "samples are ranked in their own warp alone", ONE_WARP),
    ("device_sample_sort_f32_u32_b32_i4_desc", "samples of warps above count if they are equal", ONE_WARP),
    ("device_sample_sort_f32_u32_b32_i4_desc", "barrier 2 of make_splitters, a __syncthreads, is missing", ONE_WARP),
    ("device_sample_sort_f32_u32_b32_i4_desc", "barrier 1 of sort_large_bucket, a __syncthreads, is missing", ONE_WARP),
    ("device_sample_sort_f32_u32_b32_i4_desc", "barrier 2 of sort_large_bucket, a __syncthreads, is missing", ONE_WARP),
    ("device_sample_sort_f32_u32_b32_i4_desc", "buckets past the 32nd begin at the tile's start", FEW_BUCKETS),
    ("device_sample_sort_i64_index_b64_i2_asc", "buckets past the 32nd begin at the tile's start", FEW_BUCKETS),
    ("device_sample_sort_u16_keys_b256_i1_asc", "barrier 1 of sort_large_bucket, a __syncthreads, is missing", NO_LARGE_BUCKET),
    ("device_sample_sort_u16_keys_b256_i1_asc", "barrier 2 of sort_large_bucket, a __syncthreads, is missing", NO_LARGE_BUCKET),
    ("device_sample_sort_u16_keys_b256_i1_asc", "one round too few", NO_LARGE_BUCKET),
    ("device_sample_sort_u16_keys_b256_i1_asc", "runs are not sorted with those behind", NO_LARGE_BUCKET),
    ("device_sample_sort_u16_keys_b256_i1_asc", "runs go on past the bucket", NO_LARGE_BUCKET),
];

#[rustfmt::skip] // one a line
const EDITS: &[Edit] = &[
    // How splitters are found.
    ("a warp's equal samples are one", "order < own || (order == own && other < lane)", "order < own"),
    ("a warp's samples are ranked the other way round", "(order < own || (order == own && other < lane))", "(order > own || (order == own && other < lane))"),
    ("samples of warps above count if they are equal", "comes_before(run[before + step - 1], own, other < warp)", "comes_before(run[before + step - 1], own, true)"),
    ("a run's last sample does not count", "before += comes_before(run[before], own, other < warp);", ""),
    ("samples are ranked in their own warp alone", "if (other != warp) rank += before;", ""),
    ("splitters know no tile", "storage.splitters.tiles[rank / stride] = position / kTileItems;", "storage.splitters.tiles[rank / stride] = 0;"),
    // How items are parted.
    ("equal items are in any tile's bucket", "order < splitter || (order == splitter && tile < storage.splitters.tiles[bucket + step])", "order < splitter"),
    ("equal items are in the bucket before", "order == splitter && tile < storage", "order == splitter && tile <= storage"),
    ("equal items of tiles above are in the bucket before", "order == splitter && tile < storage", "order == splitter && tile > storage"),
    ("half of the buckets are not searched", "for (unsigned int step = buckets / 2;", "for (unsigned int step = buckets / 4;"),
    ("items past the end are counted", "if (warp_striped<kItemsPerThread>(i) < valid_items) atomicAdd", "atomicAdd"),
    ("items past the end are partitioned", "static_cast<int>(valid_items));\n    if (threadIdx.x < 32) write_starts", "kTileItems);\n    if (threadIdx.x < 32) write_starts"),
    ("buckets past the 32nd begin at the tile's start", "before += __shfl_sync(~0u, inclusive, 31);", ""),
    ("keys keep their places in the tile", "bits_as<Key>(storage.keys[positions[i]])", "bits_as<Key>(storage.keys[position])"),
    ("values keep their places in the tile", "storage.values[positions[i]]", "storage.values[position]"),
    ("positions are those in the tile", "static_cast<Value>(tile_start + positions[i])", "static_cast<Value>(positions[i])"),
    ("bits past the range are compared", "compared << above >> above >>", "compared >>"),
    ("-0.0 is less than +0.0", "return ordered == kNegativeZero ? kPositiveZero : ordered;", "return ordered;"),
    // How buckets are gathered.
    ("a bucket begins where it does in the last tile", "if (other < warp) before += storage.warp_items[other];", ""),
    ("a bucket's place does not count all warps' tiles", "first += storage.warp_starts[other];", "if (other == 0) first += storage.warp_starts[other];"),
    ("the last bucket ends where another begins", "bucket + 1 < gridDim.x ?", "bucket < gridDim.x ?"),
    ("pieces begin one too far", "if (pieces.starts[piece + step] <= position)", "if (pieces.starts[piece + step] < position)"),
    ("the last item is left out", "if (position >= size) continue;\n      const unsigned int from", "if (position + 1 >= size) continue;\n      const unsigned int from"),
    ("keys are written where only values are wanted", "if (arguments.writes_keys || !kGathers)", "if (true)"),
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
