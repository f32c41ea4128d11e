//! Broken device-wide radix sorts.

use std::time::Duration;

use sortsmith_codegen::device::DeviceSpec;

use super::{Barriers, Edit, Ground, Survivor, assert_survivors};

/// Keys alone, values side by side with keys, and 64-bit keys with positions that are made; narrow and wide places.
pub(crate) const SPECS: [&str; 3] = [
    "device_radix_sort_u32_keys_b256_i6_asc",
    "device_radix_sort_f32_u32_b288_i3_desc_nanlast",
    "device_radix_sort_i64_index_b256_i3_asc_wide",
];

/// Keys that are counted and written anew.
pub(crate) const COUNTED: [&str; 1] = ["device_radix_sort_i16_keys_b256_i4_desc"];

const VOTE_FOLLOWS: &str =
    "A vote of the whole warp follows. The emulator does not model that votes order no memory.";
const SCRATCH: &str = "Where keys are not wanted their array is scratch.";
const MENDED: &str =
    "The order is found to be wrong as the tile is written, and ballots rank it anew.";
const ZERO_IS_NAN: &str = "Ordered bits of zero are a NaN, and NaNs come last.";
const NO_CHANGE_OVER: &str =
    "Threads change over at barriers and atomics alone, so no two sort one run at once.";

const MANY_WARPS: &str = "It is for blocks of one warp, which _parts has not.";
const TWO_PASSES: &str = "The first phase of 32-bit keys has two passes: the second one's states alternate as if it were the first.";
const KEYS_ALONE: &str = "Keys alone are always wanted, and sorted alike from the input.";
const KEYS_ARE_WORDS: &str =
    "Words of keys alone are keys: as many rounds as it takes sort any crowd.";
const FEW_KEYS: &str = "Keys alone are sorted so by all bits: of few of them each part is a digit, which a block has room for.";

const NOT_SPREAD: &str = "Then there is no map, and the sort is by all digits.";
const TIES: &str =
    "Where keys are close together others in the part are, and ties are sorted for those.";
const LARGE_PARTS: &str = "Then parts are too large, and the second phase sorts by all digits.";
const NEARLY_ALL: &str = "Of so few keys nearly all are samples, and none is a little before their range; infinities are in the first part either way.";
const SAMPLES: &str = "Fewer samples tell the range, and more keys are beyond it.";

const PASSED_OVER: &str =
    "Where positions are made, those past the end are passed over before that.";

const SAME_THREAD: &str = "One thread prepares the copies and asks for them; the barrier is for racecheck, which sees whole warps.";

/// Mutants that no case can tell from the original, and why.
#[rustfmt::skip] // one a line
const SURVIVORS: &[Survivor] = &[
    ("device_radix_sort_u32_keys_b256_i6_asc", "barrier 1 of sort_tiles, a __syncwarp, is missing", SAME_THREAD),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "barrier 1 of sort_tiles, a __syncwarp, is missing", SAME_THREAD),
    ("device_radix_sort_i64_index_b256_i3_asc_wide", "barrier 1 of sort_tiles, a __syncwarp, is missing", SAME_THREAD),
    ("device_radix_sort_u32_keys_b256_i6_asc", "barrier 1 of load, a __syncwarp, is missing", VOTE_FOLLOWS),
    ("device_radix_sort_u32_keys_b256_i6_asc", "barrier 1 of clear_histogram, a __syncwarp, is missing", VOTE_FOLLOWS),
    ("device_radix_sort_u32_keys_b256_i6_asc", "barrier 2 of place_by_ballots, a __syncwarp, is missing", VOTE_FOLLOWS),
    ("device_radix_sort_u32_keys_b256_i6_asc", "barrier 2 of rank_by_atomics, a __syncwarp, is missing", VOTE_FOLLOWS),
    ("device_radix_sort_u32_keys_b256_i6_asc", "keys are written where only values are wanted", SCRATCH),
    ("device_radix_sort_u32_keys_b256_i6_asc", "crowded lanes above count as lanes below", MENDED),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "barrier 1 of load, a __syncwarp, is missing", VOTE_FOLLOWS),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "barrier 1 of clear_histogram, a __syncwarp, is missing", VOTE_FOLLOWS),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "barrier 2 of place_by_ballots, a __syncwarp, is missing", VOTE_FOLLOWS),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "barrier 2 of rank_by_atomics, a __syncwarp, is missing", VOTE_FOLLOWS),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "keys are written where only values are wanted", SCRATCH),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "crowded lanes above count as lanes below", MENDED),
    ("device_radix_sort_i64_index_b256_i3_asc_wide", "barrier 1 of load, a __syncwarp, is missing", VOTE_FOLLOWS),
    ("device_radix_sort_i64_index_b256_i3_asc_wide", "barrier 1 of clear_histogram, a __syncwarp, is missing", VOTE_FOLLOWS),
    ("device_radix_sort_i64_index_b256_i3_asc_wide", "barrier 2 of place_by_ballots, a __syncwarp, is missing", VOTE_FOLLOWS),
    ("device_radix_sort_i64_index_b256_i3_asc_wide", "barrier 2 of rank_by_atomics, a __syncwarp, is missing", VOTE_FOLLOWS),
    ("device_radix_sort_i64_index_b256_i3_asc_wide", "keys are written where only values are wanted", SCRATCH),
    ("device_radix_sort_i64_index_b256_i3_asc_wide", "crowded lanes above count as lanes below", MENDED),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "positions past the end come first", ZERO_IS_NAN),
    ("device_radix_sort_i64_index_b256_i3_asc_wide", "one key too many is written", PASSED_OVER),
    ("device_radix_sort_i64_index_b256_i3_asc_wide", "one value too many is written", PASSED_OVER),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "barrier 2 of exclusive_sum, a __syncwarp, is missing", MANY_WARPS),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "NaNs tell the range", NOT_SPREAD),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "barrier 1 of sort_ties, a __syncthreads, is missing", NO_CHANGE_OVER),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "keys are compared within rows alone", TIES),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "keys before the range are spread too", NEARLY_ALL),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "parts are looked for by the keys' digits", LARGE_PARTS),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "the range is that of a warp's samples", SAMPLES),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "the second phase takes what the first one left for its own", TWO_PASSES),
    ("device_radix_sort_u32_keys_b256_i6_asc", "barrier 2 of exclusive_sum, a __syncwarp, is missing", MANY_WARPS),
    ("device_radix_sort_u32_keys_b256_i6_asc", "a crowd is sorted by few rounds", KEYS_ARE_WORDS),
    ("device_radix_sort_u32_keys_b256_i6_asc", "a large part is left as it is", FEW_KEYS),
    ("device_radix_sort_u32_keys_b256_i6_asc", "a part is looked for in no place", FEW_KEYS),
    ("device_radix_sort_u32_keys_b256_i6_asc", "the first phase writes no keys where none are wanted", KEYS_ALONE),
    ("device_radix_sort_u32_keys_b256_i6_asc", "the second phase reads the input", KEYS_ALONE),
    ("device_radix_sort_u32_keys_b256_i6_asc", "the second phase takes what the first one left for its own", TWO_PASSES),
];

#[rustfmt::skip] // one a line
const EDITS: &[Edit] = &[
    // How digits are told.
    (
        "-0.0 is less than +0.0",
        "return ordered == kNegativeZero ? kPositiveZero : ordered;",
        "return ordered;",
    ),
    (
        "NaNs order by their bits",
        "if (ordered > kGreatestNumber || ordered < kLeastNumber) return kAllBits;",
        "",
    ),
    (
        "NaNs of one sign order by their bits",
        "ordered > kGreatestNumber || ordered < kLeastNumber",
        "ordered > kGreatestNumber",
    ),
    ("the infinities are NaNs", "ordered > kGreatestNumber ||", "ordered >= kGreatestNumber ||"),
    (
        "the last digit takes bits past the end",
        "return left < kRadixBits ? left : kRadixBits;",
        "return kRadixBits;",
    ),
    // How they are counted, and passes planned.
    (
        "the last key is not counted",
        "i < arguments.n; i += stride) count_key",
        "i + 1 < arguments.n; i += stride) count_key",
    ),
    (
        "one key too many is counted",
        "i < arguments.n; i += stride) count_key",
        "i <= arguments.n; i += stride) count_key",
    ),
    (
        "a round of loads counts one chunk alone",
        "loaded[c] = chunks[i + c * stride];",
        "loaded[c] = chunks[i];",
    ),
    (
        "keys behind the last chunk are not counted",
        "counted = chunk_count * kChunkKeys;",
        "counted = arguments.n;",
    ),
    ("a column of counters is left out", "c < columns; ++c", "c + 1 < columns; ++c"),
    (
        "the vote on a pass is no barrier",
        "__syncthreads_or(count == arguments.n)",
        "count == arguments.n",
    ),
    (
        "digits begin behind those of their own warp alone",
        "++warp) start += warp_totals[warp];",
        "++warp) start += 0;",
    ),
    (
        "a pass that moves nothing takes its turn with the arrays",
        "if (bin == 0) control.digits[executed] = pass;\n        ++executed;\n      }",
        "if (bin == 0) control.digits[executed] = pass;\n      }\n      ++executed;",
    ),
    // How passes take turns with the arrays.
    (
        "passes of a sort in place write to the wrong array",
        "return in_place ? ordinal % 2 == 1 :",
        "return in_place ? ordinal % 2 == 0 :",
    ),
    (
        "passes of a sort not in place write to the wrong array",
        "(executed - ordinal) % 2 == 1",
        "(executed - ordinal) % 2 == 0",
    ),
    (
        "every pass reads the input",
        "const bool is_first = pass.ordinal == 1",
        "const bool is_first = true",
    ),
    (
        "keys are written where only values are wanted",
        "route.writes_keys = !is_last || arguments.writes_keys",
        "route.writes_keys = true || arguments.writes_keys",
    ),
    ("the result stays in the scratch arrays", "in_place ? executed % 2 == 0", "in_place ? true"),
    (
        "nothing is copied where no pass moves anything",
        ": executed > 0) return;",
        ": true) return;",
    ),
    (
        "items of the second half overwrite the first",
        "reinterpret_cast<ItemOrConst*>(second) + (index - split)",
        "in_first - split",
    ),
    (
        "the odd item lies behind the second half",
        "index < 2 * split ? in_second",
        "true ? in_second",
    ),
    (
        "the last pass writes items",
        "route.to_items = arguments.interleaves && (!is_last ||",
        "route.to_items = arguments.interleaves && (true ||",
    ),
    (
        "the first pass reads items",
        "route.from_items = arguments.interleaves && !is_first;",
        "route.from_items = arguments.interleaves;",
    ),
    // How a tile is loaded, ranked and written.
    (
        "a partial tile is taken for a whole one",
        "arguments.n - tile_start < kTileItems ? static_cast",
        "false ? static_cast",
    ),
    (
        "one item too many is loaded",
        "const bool is_valid = position < valid_items;",
        "const bool is_valid = position <= valid_items;",
    ),
    (
        "the last item is not loaded",
        "const bool is_valid = position < valid_items;",
        "const bool is_valid = position + 1 < valid_items;",
    ),
    (
        "positions past the end come first",
        "bits_as<StoredBits>(to_key(kAllBits))",
        "bits_as<StoredBits>(to_key(0))",
    ),
    (
        "crowded lanes above count as lanes below",
        "const unsigned int lanes_below = (1u << lane) - 1u;",
        "const unsigned int lanes_below = ~((2u << lane) - 1u);",
    ),
    (
        "the crowd's count is not handed back between rows",
        "if (lane == 0) histogram[crowded] = crowded_count;\n          __syncwarp();",
        "__syncwarp();",
    ),
    (
        "the crowd's count is not handed back at the end",
        "if (lane == 0) histogram[crowded] = crowded_count;\n  }",
        "}",
    ),
    (
        "the next crowd begins at nothing",
        "crowded_count = histogram[crowded];",
        "crowded_count = 0;",
    ),
    (
        "any order of serving will do",
        "if (is_second_try || storage.is_out_of_order == 0) return;",
        "return;",
    ),
    (
        "order is checked within rows alone",
        "in_order &= (lane == 0 ? before_row : below) < own;",
        "in_order &= lane == 0 || below < own;",
    ),
    (
        "ballots number the lanes above",
        "storage.sources[first + __popc(same & lanes_below)]",
        "storage.sources[first + __popc(same & ~lanes_below) - 1]",
    ),
    (
        "ballots place all rows at the first one's places",
        "if ((same & lanes_below) == 0) positions[own] = first + __popc(same);",
        "",
    ),
    ("the second try is not written", "place_by_ballots<kFromItems>(storage, digit, first_slot);", "return;"),
    (
        "a tile's positions begin at zero",
        "static_cast<Value>(tile_start + position_of_slot",
        "static_cast<Value>(position_of_slot",
    ),
    ("gaps count as positions", "Slots<kFromItems>::kGap) * gap;", "Slots<kFromItems>::kGap) * 0;"),
    (
        "the last key is not written",
        "route.writes_keys ? valid_items : 0;",
        "route.writes_keys ? valid_items - 1 : 0;",
    ),
    (
        "one key too many is written",
        "route.writes_keys ? valid_items : 0;",
        "route.writes_keys ? valid_items + 1 : 0;",
    ),
    (
        "the last value is not written",
        "if (position < valid_items) route.values_to",
        "if (position + 1 < valid_items) route.values_to",
    ),
    (
        "one value too many is written",
        "if (position < valid_items) route.values_to",
        "if (position <= valid_items) route.values_to",
    ),
    (
        "the last item is not written",
        "if (position < valid_items) *item_there",
        "if (position + 1 < valid_items) *item_there",
    ),
    (
        "one item too many is written",
        "if (position < valid_items) *item_there",
        "if (position <= valid_items) *item_there",
    ),
    (
        "places do not count the tiles before",
        "+ before - storage.starts[threadIdx.x]",
        "- storage.starts[threadIdx.x]",
    ),
    (
        "places do not count the digits before in the tile",
        "+ before - storage.starts[threadIdx.x]",
        "+ before",
    ),
    // What tiles tell each other.
    ("states do not alternate between passes", "Count(epoch % 2 + 1)", "Count(1)"),
    (
        "a tile does not wait for those before it",
        "is_done || (state != kOwn && state != last_state)",
        "is_done",
    ),
    ("a tile takes what the last pass left", "state != kOwn && state != last_state", "state == 0"),
    (
        "a tile's own count is taken for that up to it",
        "(tile == 0 ? up_to(epoch) : kOwn)",
        "up_to(epoch)",
    ),
    ("the first tile's count is its own alone", "(tile == 0 ? up_to(epoch) : kOwn)", "kOwn"),
    ("the sum up to a tile leaves the tile out", "last_state | (sum + count)", "last_state | sum"),
    ("a tile says nothing of the tiles before it", "publish(own, last_state | (sum + count));", ""),
    ("a tile begins its look-back at itself", "next = own - kBins;", "next = own;"),
    ("a tile asks the one before it again and again", "next -= kBins;", ""),
    // How 64-bit keys go by their upper digits.
    (
        "keys that agree are left as they are",
        "if (i == 0 || prefix != before >> lower_bits) sort_run(arguments, i, bit);",
        "",
    ),
    (
        "long runs are left as they are",
        "is_long_run(arguments, i, bit)) racing_store(&control.needs_all, 1);",
        "false) racing_store(&control.needs_all, 1);",
    ),
    (
        "a descent behind a warp's last lane is not seen",
        "if (range > after && !racing_load",
        "if (lane != 31 && range > after && !racing_load",
    ),
    (
        "a descent behind a block's last thread is not seen",
        "if (range > after && !racing_load",
        "if (threadIdx.x != 255 && range > after && !racing_load",
    ),
    (
        "a descent behind a row's last thread is not seen",
        "if (range > after && !racing_load",
        "if ((i + 1) % stride != 0 && range > after && !racing_load",
    ),
    (
        "the run at a warp's last lane is left out",
        "if (lane == 31) after = range_at(i + 1);",
        "if (lane == 31) after = ~range;",
    ),
    (
        "a run is sorted from each of its keys",
        "if (i == 0 || prefix != before >> lower_bits) sort_run",
        "sort_run",
    ),
    ("the last key of a run is left out", "next <= last; ++next", "next < last; ++next"),
    ("values of a run stay", "values[place] = value;", ""),
    (
        "runs are sorted by the digits that are sorted",
        "range_of(arguments, keys[place - 1], arguments.begin_bit) > range",
        "range_of(arguments, keys[place - 1], bit) > range",
    ),
    (
        "equal keys of a run change places",
        "range_of(arguments, keys[place - 1], arguments.begin_bit) > range",
        "range_of(arguments, keys[place - 1], arguments.begin_bit) >= range",
    ),
    (
        "the second phase reads the input",
        "const Key* const keys_in = pass.phase == 1 ? arguments.keys_out : arguments.keys_in;",
        "const Key* const keys_in = arguments.keys_in;",
    ),
    (
        "the second phase makes positions anew",
        "route.makes_values = is_first && pass.phase == 0;",
        "route.makes_values = is_first;",
    ),
    (
        "the second phase takes what the first one left for its own",
        "route.epoch = pass.phase == 1 ? control.executed[0] + pass.ordinal : pass.ordinal;",
        "route.epoch = pass.ordinal;",
    ),
    (
        "the first phase writes no keys where none are wanted",
        "|| (pass.phase == 0 && control.sorts_prefixes)",
        "|| false",
    ),
    ("prefixes in place may end in the scratch arrays", "&& !(in_place && chosen % 2 == 1)", ""),
    // How parts are sorted by blocks.
    (
        "parts are left as they are",
        "(part.size > 0 && !sort_part(arguments, storage, range, part))",
        "false",
    ),
    ("a large part is left as it is", "part.size > kPartItems || (", "part.size <= kPartItems && ("),
    ("a crowd is sorted by few rounds", "if (storage.most > kMostInCell) return false;", ""),
    ("many of a cell are sorted in one round", "if (most <= kFewInCell) return;", "return;"),
    ("the most of a cell is not told", "if (most > kFewInCell) atomicMax(&storage.most, most);", ""),
    (
        "the last item of a part is left out",
        "row * static_cast<int>(kPartThreads) < left;",
        "row * static_cast<int>(kPartThreads) + 1 < left;",
    ),
    (
        "an item behind the part is sorted too",
        "row * static_cast<int>(kPartThreads) < left;",
        "row * static_cast<int>(kPartThreads) <= left;",
    ),
    (
        "windows do not overlap",
        "if (first + kPlacesPerThread < size) sort_window<false>(storage, first + kHalf);\n    __syncthreads();\n    if (most",
        "if (most",
    ),
    ("cells of a window are not told apart", "(start & kStartMask) << kFractionBits |", ""),
    ("keys of a cell are not told apart", "| (numbers[row] & kFractionMask)", ""),
    (
        "words behind the last item are not greater",
        "if (threadIdx.x < kPlacesPerThread) {\n      storage.words",
        "if (false) {\n      storage.words",
    ),
    (
        "a part begins behind its keys",
        "left_key(arguments, middle)) < part)",
        "left_key(arguments, middle)) <= part)",
    ),
    (
        "a part is looked for in no place",
        "digit + 1 < kBins ? control.bins[top][digit + 1] :",
        "digit + 1 < kBins ? control.bins[top][digit] :",
    ),
    (
        "keys lose the bits of their part",
        "to_key(static_cast<Bits>(part.number) << range.bits | words",
        "to_key(static_cast<Bits>(0) | words",
    ),
    (
        "values of a part stay",
        "if (is_there(row, left)) values[row * kPartThreads] = value;",
        "static_cast<void>(value);",
    ),
    (
        "parts write no keys where none are wanted",
        "arguments.writes_keys || !leaves_items(arguments);",
        "arguments.writes_keys;",
    ),
    (
        "small parts and large ones have as many rows",
        "if (part.size > kFewRows * kPartThreads) work",
        "if (false) work",
    ),
    (
        "rounds end before all is in order",
        "first < size && !is_in_order(storage, first)",
        "first < size && false",
    ),
    ("windows are in order if the items of each are", "return in_order && last <=", "return in_order || last <="),
    ("the first phase is by the lower digits", "control.digits[skipped + turn]", "control.digits[turn]"),
    // What is left side by side between the phases.
    ("the first phase leaves arrays", "(!is_last || (leaves && pass.phase == 0))", "!is_last"),
    (
        "the second phase takes items for arrays",
        "pass.ordinal == 1 && !(leaves && pass.phase == 1);",
        "pass.ordinal == 1;",
    ),
    (
        "the first phase ends in the arrays of the result",
        "leaves ? writes_scratch(true, pass.ordinal + 1, executed) :",
        "leaves ? writes_scratch(true, pass.ordinal, executed) :",
    ),
    (
        "the result of the second phase is not looked for in the scratch arrays",
        "control.executed[1] + leaves_items(arguments)",
        "control.executed[1]",
    ),
    // How floats are spread.
    (
        "keys beyond the range are spread too",
        "fminf(fmaxf(place_of(key, kFirst), kFirst), last)",
        "fmaxf(place_of(key, kFirst), kFirst)",
    ),
    (
        "keys before the range are spread too",
        "fminf(fmaxf(place_of(key, kFirst), kFirst), last)",
        "fminf(place_of(key, kFirst), last)",
    ),
    ("NaNs that come last are in the first part", "comes_last(key) ? last : place", "place"),
    ("NaNs that come last are the first of their part", "comes_last(key) ? kLast : place", "place"),
    ("NaNs tell the range", ">= 0x7f800000u) continue;", "> 0x7fffffffu) continue;"),
    ("the range is that of a warp's samples", "    agree();\n    const unsigned int warps", "    const unsigned int warps"),
    (
        "parts are looked for by the keys' digits",
        "top = kCountedDigits - 1;",
        "",
    ),
    ("digits of parts are counted as one", "count_digit(kMaxPasses, part % kBins);", "count_digit(kMaxPasses, part / kBins);"),
    ("close keys are left as they are", "if (!__syncthreads_or(!in_order)) return true;", "__syncthreads_or(!in_order);\n      return true;"),
    (
        "keys are compared within rows alone",
        "(threadIdx.x % 32 == 0 ? before : below) <= own",
        "(threadIdx.x % 32 == 0 ? own : below) <= own",
    ),
    ("equal keys that are close change places", "key_at(place - 1) > key;", "key_at(place - 1) >= key;"),
    ("the last of close keys is left out", "next < end; ++next", "next + 1 < end; ++next"),
    ("network: a step is left out", "if constexpr (kStep > 0) {", "if constexpr (kStep > 1) {"),
];

#[rustfmt::skip] // one a line
const COUNTED_EDITS: &[Edit] = &[
    // How keys are counted and written anew.
    (
        "a counter that is handed over is not counted",
        "add_to_tallies(arguments, value - odd, 0x8000u * (1 - odd), 0x8000u * odd);",
        "",
    ),
    (
        "a counter that is handed over is not counted in its segment",
        "atomicAdd(&segment_tallies_of(arguments)[value / kSegmentValues], static_cast<Count>(0x8000));",
        "",
    ),
    (
        "a counter that is handed over goes on",
        "atomicSub(&counters[counter_slot(value / 2)], addend_of(value, 0x8000u));",
        "",
    ),
    ("a crowd adds one", "count_value(arguments, counters, frequent, crowd_keys)", "count_value(arguments, counters, frequent, 1)"),
    ("all of a crowd add for all", "if (kCrowded && threadIdx.x % 32 == 0) count_value", "if (kCrowded) count_value"),
    ("a crowd's keys are counted one by one too", "is_crowd ? 0 : addend_of(value, keys)", "addend_of(value, keys)"),
    (
        "a crowd's counter is not handed over",
        "if (filled_by(addend, word)) hand_over(arguments, counters, value);",
        "",
    ),
    ("a counter that fills among others is not handed over", "    if (filled) {", "    if (false) {"),
    ("odd values are handed over as even ones", "0x8000u * (1 - odd), 0x8000u * odd);", "0x8000u, 0);"),
    ("lanes without a chunk count zeros", "const unsigned int keys = is_chunk ? 1 : 0;", "const unsigned int keys = 1;"),
    ("lanes without a chunk are of the crowd", "__ballot_sync(~0u, is_chunk && is_crowd)", "__ballot_sync(~0u, is_crowd)"),
    ("the second key of a word is left out", "static_cast<unsigned long long>(odd) << 32 | even", "even"),
    (
        "keys behind the last chunk are not tallied",
        "start < arguments.n; start += stride",
        "false; start += stride",
    ),
    ("warps begin at zero", "if (lane < warp) start += warp_totals[lane];", ""),
    (
        "segments begin at zero",
        "lane < blockIdx.x ? segment_tallies_of(arguments)[lane] : 0",
        "0",
    ),
    ("a segment's sum is its last lane's", "sum += even + odd;", "sum = even + odd;"),
    (
        "a key is written once too seldom",
        "while (first < last) {\n      const unsigned int middle = (first + last + 1) / 2;\n      if (starts[middle] <= place)",
        "while (first < last) {\n      const unsigned int middle = (first + last + 1) / 2;\n      if (starts[middle] < place)",
    ),
    (
        "a part's last bin is its first one",
        "ends[threadIdx.x / 32] = bin;",
        "ends[0] = ends[1] = bin;",
    ),
    (
        "keys past the end are written",
        "if (i + k < part_keys) arguments.keys_out",
        "if (i + k <= part_keys) arguments.keys_out",
    ),
    ("empty bins are not passed over", "bin = bin_behind(place + k, bin + 1);", ""),
];

#[test]
fn every_mutant_is_caught_but_those_that_are_harmless() {
    assert_survivors::<DeviceSpec>(&Ground {
        specs: &SPECS,
        edits: EDITS,
        barriers: Barriers::Here,
        survivors: SURVIVORS,
        cases: 80,
        // A mutant may wait for ever for what no tile says.
        limit: Duration::from_secs(8),
    });
}

#[test]
fn mutants_of_keys_that_are_counted_are_caught() {
    assert_survivors::<DeviceSpec>(&Ground {
        specs: &COUNTED,
        edits: COUNTED_EDITS,
        barriers: Barriers::AtRunTime,
        survivors: &[],
        cases: 56,
        limit: Duration::from_secs(20),
    });
}
