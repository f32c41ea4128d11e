//! Broken device-wide radix sorts.

use std::time::Duration;

use sortsmith_codegen::device::DeviceSpec;

use super::{Edit, Ground, Survivor, assert_survivors};

/// Keys alone, values that are read, and positions that are made; narrow and wide places.
const SPECS: [&str; 3] = [
    "device_radix_sort_u32_keys_b256_i2_asc",
    "device_radix_sort_f32_u64_b288_i3_desc_nanlast",
    "device_radix_sort_i64_index_b256_i1_asc_wide",
];

const NO_VALUES: &str = "Keys alone are always wanted.";
const BLOCKS_START_IN_ORDER: &str = "The emulator starts blocks in ascending order; a GPU need not, and there a block \
                                     could wait for one that has no place to run.";
const ZERO_IS_NAN: &str = "Ordered bits of zero are a NaN, and NaNs come last.";
const ONE_ROW: &str = "One item a thread is one row a warp: no row comes after it.";

/// Mutants that no case can tell from the original, and why.
const SURVIVORS: &[Survivor] = &[
    (
        "device_radix_sort_u32_keys_b256_i2_asc",
        "no pass writes keys where only values are wanted",
        NO_VALUES,
    ),
    (
        "device_radix_sort_u32_keys_b256_i2_asc",
        "tiles are taken in the order of blocks",
        BLOCKS_START_IN_ORDER,
    ),
    (
        "device_radix_sort_f32_u64_b288_i3_desc_nanlast",
        "positions past the end come first",
        ZERO_IS_NAN,
    ),
    (
        "device_radix_sort_f32_u64_b288_i3_desc_nanlast",
        "tiles are taken in the order of blocks",
        BLOCKS_START_IN_ORDER,
    ),
    (
        "device_radix_sort_i64_index_b256_i1_asc_wide",
        "barrier 2 of count_row, a __syncwarp, is missing",
        ONE_ROW,
    ),
    (
        "device_radix_sort_i64_index_b256_i1_asc_wide",
        "tiles are taken in the order of blocks",
        BLOCKS_START_IN_ORDER,
    ),
];

const EDITS: &[Edit] = &[
    // How digits are told.
    ("-0.0 is less than +0.0", "if (ordered == kNegativeZero) ordered = kPositiveZero;", ""),
    (
        "NaNs order by their bits",
        "if (ordered > kGreatestNumber || ordered < kLeastNumber) ordered = kAllBits;",
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
        "for (; i < arguments.n; i += stride) count_key",
        "for (; i + 1 < arguments.n; i += stride) count_key",
    ),
    (
        "one key too many is counted",
        "for (; i < arguments.n; i += stride) count_key",
        "for (; i <= arguments.n; i += stride) count_key",
    ),
    (
        "a round of loads counts one key alone",
        "arguments.keys_in[i + k * stride]",
        "arguments.keys_in[i]",
    ),
    ("a column of counters is left out", "c < kColumns", "c + 1 < kColumns"),
    (
        "the vote on a pass is no barrier",
        "__syncthreads_or(count == arguments.n)",
        "count == arguments.n",
    ),
    ("digits begin behind those of their own warp alone", "start += warp_totals[warp];", ""),
    (
        "a pass that moves nothing takes its turn with the arrays",
        "executed += !is_constant;",
        "++executed;",
    ),
    // How passes take turns with the arrays.
    (
        "passes of a sort in place write to the wrong array",
        "? ordinal % 2 == 1 :",
        "? ordinal % 2 == 0 :",
    ),
    (
        "passes of a sort not in place write to the wrong array",
        "(executed - ordinal) % 2 == 1",
        "(executed - ordinal) % 2 == 0",
    ),
    (
        "every pass reads the input",
        "const bool is_first = ordinal == 1;",
        "const bool is_first = true;",
    ),
    (
        "no pass writes keys where only values are wanted",
        "arguments.writes_keys || ordinal < executed",
        "arguments.writes_keys",
    ),
    ("the result stays in the scratch arrays", "executed % 2 == 0", "true"),
    (
        "nothing is copied where no pass moves anything",
        ": executed > 0) return;",
        ": true) return;",
    ),
    // How a tile is loaded, ranked and written.
    (
        "a partial tile is taken for a whole one",
        "arguments.n - tile_start < kTileItems ?",
        "false ?",
    ),
    (
        "one key too many is loaded",
        "loaded_position(i) < valid_items ? to_ordered_bits",
        "loaded_position(i) <= valid_items ? to_ordered_bits",
    ),
    (
        "the last key is not loaded",
        "loaded_position(i) < valid_items ? to_ordered_bits",
        "loaded_position(i) + 1 < valid_items ? to_ordered_bits",
    ),
    ("a value past the end is loaded", "valid_items - 1]", "valid_items]"),
    (
        "positions past the end come first",
        "(keys[loaded_position(i)]) : kAllBits",
        "(keys[loaded_position(i)]) : Bits(0)",
    ),
    (
        "lanes above count as lanes below",
        "lanes_below = (1u << lane) - 1u",
        "lanes_below = ~((2u << lane) - 1u)",
    ),
    (
        "a tile's positions begin at zero",
        "static_cast<Value>(tile_start + loaded_position(i))",
        "static_cast<Value>(loaded_position(i))",
    ),
    (
        "the last key is not written",
        "writes_keys && position < valid_items",
        "writes_keys && position + 1 < valid_items",
    ),
    (
        "one key too many is written",
        "writes_keys && position < valid_items",
        "writes_keys && position <= valid_items",
    ),
    (
        "the last value is not written",
        "if (position < valid_items) values_out",
        "if (position + 1 < valid_items) values_out",
    ),
    (
        "one value too many is written",
        "if (position < valid_items) values_out",
        "if (position <= valid_items) values_out",
    ),
    ("places do not count the tiles before", "+ before - start", "- start"),
    ("places do not count the digits before in the tile", "+ before - start", "+ before"),
    // What tiles tell each other.
    ("states do not alternate between passes", "Count(ordinal % 2 + 1)", "Count(1)"),
    (
        "a tile does not wait for those before it",
        "is_done || (state != kOwn && state != last_state)",
        "is_done",
    ),
    ("a tile takes what the last pass left", "state != kOwn && state != last_state", "state == 0"),
    (
        "a tile's own count is taken for that up to it",
        "(tile == 0 ? up_to(ordinal) : kOwn)",
        "up_to(ordinal)",
    ),
    ("the first tile's count is its own alone", "(tile == 0 ? up_to(ordinal) : kOwn)", "kOwn"),
    ("the sum up to a tile leaves the tile out", "last_state | (sum + count)", "last_state | sum"),
    ("a tile says nothing of the tiles before it", "publish(own, last_state | (sum + count));", ""),
    ("a tile begins its look-back at itself", "next = own - kBins;", "next = own;"),
    ("a tile asks the one before it again and again", "next -= kBins;", ""),
    (
        "tiles are taken in the order of blocks",
        "atomicAdd(&control.tickets[pass], 1u)",
        "blockIdx.x",
    ),
];

#[test]
fn every_mutant_is_caught_but_those_that_are_harmless() {
    assert_survivors::<DeviceSpec>(&Ground {
        specs: &SPECS,
        edits: EDITS,
        survivors: SURVIVORS,
        cases: 40,
        // A mutant may wait for ever for what no tile says.
        limit: Duration::from_secs(4),
    });
}
