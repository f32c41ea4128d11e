//! Broken sorts by samples.

use crate::mutants::Edit::{Drop, Swap};
use crate::mutants::{Mutation, Survivor};
use crate::sites::survivors::NOTHING_TO_WAIT_FOR;

/// Buckets that most often are too large for a block, many buckets, and many tiles; values that are read, and positions that
/// are made.
pub(super) const SPECS: [&str; 3] = [
    "device_sample_sort_f32_u32_b32_i12_asc",
    "device_sample_sort_f16_keys_b256_i1_asc",
    "device_sample_sort_i64_index_b64_i2_asc",
];

/// Of rows: several tiles and buckets, with values and without.
pub(super) const ROW_SPECS: [&str; 2] =
    ["device_sample_sort_f32_u32_b32_i4_asc_rows", "device_sample_sort_u16_index_b64_i2_desc_rows"];

const LARGE_BUCKETS: &str =
    "Buckets are large, and all results right: equal_keys_are_distributed_over_buckets tells.";
const ANY_SPLITTERS: &str = "A search among bounds in any order keeps items in order, and no bucket has keys outside of its range.";
const EITHER_SIDE: &str =
    "Equal items of a tile stay together, on whichever side of their splitter.";
const ONE_WARP: &str = "The block has one warp, and its votes and shuffles keep it together; it has no other's samples or tiles.";
const NO_LARGE_BUCKET: &str = "Every bucket fits a block.";
const NOT_FIRST: &str = "No case has enough items for samples to come first.";
const RANKED_AGAIN: &str = "What is numbered wrong is not in order, and numbered again.";
const ONE_ROW: &str = "A thread has one item.";
const MANY_ROWS: &str = "Where lanes are served out of order, the last rows have some too.";
const LARGEST_SAMPLES: &str =
    "Only samples greater than all of another warp's are ranked too low; none is a splitter.";
const EITHER_WAY: &str = "Digits and register windows have the same result.";
const TAKES_LONG: &str = "They do so for too many rounds, and digits sort the bucket.";
const FEW_OVERFLOWS: &str = "Buckets of no case overflow, but by keys that this is right for.";
const SHORT_KEYS: &str = "Words tell keys of 16 bits apart.";
const ALL_ROUNDS: &str = "Where samples come first, every case has as many as there may be.";
const SCRATCH: &str = "Where keys are not wanted their array is scratch.";

/// Mutants that no case can tell from the original, and why.
#[rustfmt::skip] // one a line
pub(super) const SURVIVORS: &[Survivor] = &[
    ("device_sample_sort_f32_u32_b32_i12_asc", "equal items are in any tile's bucket", LARGE_BUCKETS),
    ("device_sample_sort_f32_u32_b32_i12_asc", "splitters know no tile", LARGE_BUCKETS),
    ("device_sample_sort_f32_u32_b32_i12_asc", "first splitters know no tile", LARGE_BUCKETS),
    ("device_sample_sort_f32_u32_b32_i12_asc", "maximum items are in the last bucket", LARGE_BUCKETS),
    ("device_sample_sort_f32_u32_b32_i12_asc", "equal items are in the bucket before", EITHER_SIDE),
    ("device_sample_sort_f32_u32_b32_i12_asc", "keys are written where only values are wanted", SCRATCH),
    ("device_sample_sort_f16_keys_b256_i1_asc", "equal items are in any tile's bucket", LARGE_BUCKETS),
    ("device_sample_sort_f16_keys_b256_i1_asc", "splitters know no tile", LARGE_BUCKETS),
    ("device_sample_sort_f16_keys_b256_i1_asc", "first splitters know no tile", NOT_FIRST),
    ("device_sample_sort_f16_keys_b256_i1_asc", "maximum items are in the last bucket", LARGE_BUCKETS),
    ("device_sample_sort_f16_keys_b256_i1_asc", "equal items are in the bucket before", EITHER_SIDE),
    ("device_sample_sort_f16_keys_b256_i1_asc", "keys are written where only values are wanted", SCRATCH),
    ("device_sample_sort_i64_index_b64_i2_asc", "equal items are in any tile's bucket", LARGE_BUCKETS),
    ("device_sample_sort_i64_index_b64_i2_asc", "splitters know no tile", LARGE_BUCKETS),
    ("device_sample_sort_i64_index_b64_i2_asc", "first splitters know no tile", LARGE_BUCKETS),
    ("device_sample_sort_i64_index_b64_i2_asc", "maximum items are in the last bucket", LARGE_BUCKETS),
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
    ("device_sample_sort_f32_u32_b32_i12_asc", "keys of register windows are written where only values are wanted", SCRATCH),
    ("device_sample_sort_i64_index_b64_i2_asc", "a row of one bucket is counted as one item", RANKED_AGAIN),
    ("device_sample_sort_i64_index_b64_i2_asc", "a thread's last items alone are looked at", MANY_ROWS),
    ("device_sample_sort_i64_index_b64_i2_asc", "a run's last sample does not count", LARGEST_SAMPLES),
    ("device_sample_sort_i64_index_b64_i2_asc", "keys of register windows are written where only values are wanted", SCRATCH),
    ("device_sample_sort_i64_index_b64_i2_asc", "pieces begin one too far", NO_LARGE_BUCKET),
    ("device_sample_sort_f16_keys_b256_i1_asc", "a row of one bucket is counted as one item", RANKED_AGAIN),
    ("device_sample_sort_f16_keys_b256_i1_asc", "a thread's last items alone are looked at", ONE_ROW),
    ("device_sample_sort_f16_keys_b256_i1_asc", "equal samples of the blocks above count", NOT_FIRST),
    ("device_sample_sort_f16_keys_b256_i1_asc", "equal samples of the blocks below do not count", NOT_FIRST),
    ("device_sample_sort_f16_keys_b256_i1_asc", "keys of register windows are written where only values are wanted", SCRATCH),
    ("device_sample_sort_f16_keys_b256_i1_asc", "pieces begin one too far", NO_LARGE_BUCKET),
    ("device_sample_sort_f32_u32_b32_i12_asc", "all overflow", EITHER_WAY),
    ("device_sample_sort_f32_u32_b32_i12_asc", "a rank does not count the own", ANY_SPLITTERS),
    ("device_sample_sort_f32_u32_b32_i12_asc", "equal samples of a block have the same rank", ANY_SPLITTERS),
    ("device_sample_sort_f32_u32_b32_i12_asc", "equal samples of the blocks above count", ANY_SPLITTERS),
    ("device_sample_sort_f32_u32_b32_i12_asc", "equal samples of the blocks below do not count", ANY_SPLITTERS),
    ("device_sample_sort_f32_u32_b32_i12_asc", "own samples are others too", ANY_SPLITTERS),
    ("device_sample_sort_f32_u32_b32_i12_asc", "the first step is the second one of the lower half", ANY_SPLITTERS),
    ("device_sample_sort_f32_u32_b32_i12_asc", "the last step does not count", ANY_SPLITTERS),
    ("device_sample_sort_f32_u32_b32_i12_asc", "the least order has others before it", ANY_SPLITTERS),
    ("device_sample_sort_f32_u32_b32_i12_asc", "few orders do not overflow", EITHER_WAY),
    ("device_sample_sort_f32_u32_b32_i12_asc", "equal keys are exchanged", TAKES_LONG),
    ("device_sample_sort_f16_keys_b256_i1_asc", "all overflow", EITHER_WAY),
    ("device_sample_sort_f16_keys_b256_i1_asc", "few orders do not overflow", EITHER_WAY),
    ("device_sample_sort_f16_keys_b256_i1_asc", "equal keys are exchanged", TAKES_LONG),
    ("device_sample_sort_i64_index_b64_i2_asc", "all overflow", EITHER_WAY),
    ("device_sample_sort_i64_index_b64_i2_asc", "a rank does not count the own", ANY_SPLITTERS),
    ("device_sample_sort_i64_index_b64_i2_asc", "equal samples of a block have the same rank", ANY_SPLITTERS),
    ("device_sample_sort_i64_index_b64_i2_asc", "equal samples of the blocks above count", ANY_SPLITTERS),
    ("device_sample_sort_i64_index_b64_i2_asc", "equal samples of the blocks below do not count", ANY_SPLITTERS),
    ("device_sample_sort_i64_index_b64_i2_asc", "own samples are others too", ANY_SPLITTERS),
    ("device_sample_sort_i64_index_b64_i2_asc", "the first step is the second one of the lower half", ANY_SPLITTERS),
    ("device_sample_sort_i64_index_b64_i2_asc", "the last step does not count", ANY_SPLITTERS),
    ("device_sample_sort_i64_index_b64_i2_asc", "the least order has others before it", ANY_SPLITTERS),
    ("device_sample_sort_i64_index_b64_i2_asc", "few orders do not overflow", EITHER_WAY),
    ("device_sample_sort_i64_index_b64_i2_asc", "equal keys are exchanged", TAKES_LONG),
    ("device_sample_sort_i64_index_b64_i2_asc", "an overflowing sub-bucket does not overflow", FEW_OVERFLOWS),
    ("device_sample_sort_i64_index_b64_i2_asc", "a tile is padded by the maximum bits", FEW_OVERFLOWS),
    ("device_sample_sort_i64_index_b64_i2_asc", "keys are not taken above the base", FEW_OVERFLOWS),
    ("device_sample_sort_f16_keys_b256_i1_asc", "ties are looked at once", SHORT_KEYS),
    ("device_sample_sort_f16_keys_b256_i1_asc", "words tell all keys apart", SHORT_KEYS),
    ("device_sample_sort_f16_keys_b256_i1_asc", "words tell keys apart that are near each other", SHORT_KEYS),
    ("device_sample_sort_f16_keys_b256_i1_asc", "a rank does not count the own", NOT_FIRST),
    ("device_sample_sort_f16_keys_b256_i1_asc", "blocks sort the buckets of others", NOT_FIRST),
    ("device_sample_sort_f16_keys_b256_i1_asc", "equal samples of a block have the same rank", NOT_FIRST),
    ("device_sample_sort_f16_keys_b256_i1_asc", "own samples are others too", NOT_FIRST),
    ("device_sample_sort_f16_keys_b256_i1_asc", "own samples are told apart by their numbers alone", NOT_FIRST),
    ("device_sample_sort_f16_keys_b256_i1_asc", "rounds that are not there count", NOT_FIRST),
    ("device_sample_sort_f16_keys_b256_i1_asc", "the first step is the second one of the lower half", NOT_FIRST),
    ("device_sample_sort_f16_keys_b256_i1_asc", "the last step does not count", NOT_FIRST),
    ("device_sample_sort_f16_keys_b256_i1_asc", "the least order has others before it", NOT_FIRST),
    ("device_sample_sort_i64_index_b64_i2_asc", "rounds that are not there count", ALL_ROUNDS),
];

#[rustfmt::skip] // one a line
pub(super) const MUTATIONS: &[Mutation] = &[
    // How splitters are found.
    ("a warp's equal samples are one", "rank-in-warp", Swap("|| $a", "")),
    ("a warp's samples are ranked the other way round", "rank-in-warp", Swap("< $a ||", "> $a ||")),
    ("samples of warps above count if they are equal", "warps-above", Swap("<", "<=")),
    ("a run's last sample does not count", "last-sample", Swap("+ $a", "")),
    ("samples of the warps below do not count", "warps-below", Swap("< $a", "< 0")),
    ("splitters know no tile", "splitter-tile", Swap(", $tile);", ", 0);")),
    // The same where samples come first.
    ("first splitters know no tile", "first-splitter-tile", Swap("= $a / $b", "= 0")),
    ("equal samples of a block have the same rank", "order-of-own-samples", Swap("|| ($a == $b && $c < $d)", "")),
    ("own samples are told apart by their numbers alone", "order-of-own-samples", Swap("$a < $b || ($a == $b && $c < $d)", "$c < $d")),
    ("equal samples of the blocks below do not count", "equal-samples-below", Drop),
    ("equal samples of the blocks above count", "equal-samples-below", Swap("if $a", "")),
    ("the first step is the second one of the lower half", "first-step", Swap("($c ? $a : $b) <=", "$b <=")),
    ("the last step does not count", "last-step", Swap("+ $a", "")),
    ("the least order has others before it", "minimum-sample", Drop),
    ("own samples are others too", "foreign-rounds", Swap("|| $a - $b < $c", "")),
    ("rounds that are not there count", "foreign-rounds", Swap("$a >= $b ||", "")),
    ("a rank does not count the own", "own-rank", Swap("$a +", "")),
    ("blocks sort the buckets of others", "bucket-of-block", Swap("+ 1", "")),
    // How items are parted.
    ("equal items are in any tile's bucket", "equal-to-splitter", Swap("$a < $b", "false")),
    ("equal items are in the bucket before", "equal-to-splitter", Swap("<", "<=")),
    ("equal items of tiles above are in the bucket before", "equal-to-splitter", Swap("<", ">")),
    ("maximum items are in the last bucket", "maximum-item", Drop),
    ("half of the buckets are not searched", "levels", Swap("$a <", "2 * $a <")),
    ("items past the end are counted", "items-past-end", Drop),
    ("lanes are numbered as they are served", "order-of-lanes", Swap("!$a", "false")),
    ("a thread's last items alone are looked at", "items-in-order", Swap("&=", "=")),
    ("a row of one bucket is counted as one item", "row-of-one-bucket", Swap("32u)", "1u)")),
    ("ballots number all lanes alike", "ballot-number", Swap("& $a", "")),
    ("counts are added to those of the first try", "second-count", Drop),
    ("buckets begin at the tile's start", "start-in-tile", Swap("= $a", "= 0")),
    ("keys go to their neighbours' slots", "placed-key", Swap("[$p] =", "[$p ^ 1] =")),
    ("values go to their neighbours' slots", "placed-value", Swap("[$p] =", "[$p ^ 1] =")),
    ("positions are those in the tile", "made-position-of-tile", Swap("$a + $b)", "$b)")),
    ("bits past the range are compared", "compared-range", Swap("<< $a >> $a", "")),
    ("-0.0 is less than +0.0", "negative-zero", Swap("$a == $b ? $c : $a", "$a")),
    // How buckets are gathered.
    ("a bucket's offset does not count tiles", "bucket-offset", Swap("if $c $$add($$to, $x);", "static_cast<void>($x);")),
    ("the last bucket ends where another begins", "last-bucket", Swap("return $a + 1 == $b;", "return false;")),
    ("pieces begin one too far", "piece-search", Swap("<=", "<")),
    ("pieces of no items are marked", "mark-of-piece", Swap("if $a", "")),
    ("rows begin in the first piece", "head-of-row", Swap("= $a;", "= 0;")),
    ("marks of lanes above count", "lanes-to-here", Swap(">> $a", "")),
    ("the last item is left out", "gathered-item", Swap(">= $a", "+ 1 >= $a")),
    ("keys are written where only values are wanted", "written-key-of-bucket", Swap("$a || !$b", "true")),
    ("keys of register windows are written where only values are wanted", "keys-of-register-windows", Swap("$a ? $b : 0", "$b")),
    ("the last key of register windows is left out", "keys-of-register-windows", Swap(":", "- 1 :")),
    ("the last value of register windows is left out", "value-of-register-window", Swap("<", "+ 1 <")),
    ("the last item has no word", "composite-of-item", Swap("<", "+ 1 <")),
    ("what is behind the last item is counted too", "counted-item", Swap("if $a", "")),
    ("marks are those that items took the place of", "marks-again", Drop),
    ("marks are made again among others", "cleared-marks", Drop),
    // How buckets are sorted by sub-buckets and register windows.
    ("few orders do not overflow", "few-distinct", Swap("$a - $b < $c / $d", "false")),
    ("all overflow", "sorted-by-register-windows", Swap("$a <= $b && !$c", "false")),
    ("ranges are as wide as one thread's items", "range-bits", Swap("^ $$max(&$m, $x);", "$m = $x;")),
    ("ranges are half as wide as items", "range-width", Swap(";", ">> 1;")),
    ("the maximum order has no sub-bucket", "scale-of-sub-buckets", Swap("/ $a}", "/ $a * 2}")),
    ("an overflowing sub-bucket does not overflow", "overflow-of-bucket", Drop),
    ("no sub-bucket is large", "largest-sub-bucket", Swap("$a > $b", "false")),
    ("one round too few of register windows", "number-of-halves", Swap("+ 1", "")),
    ("register windows are merged once", "rounds-of-register-windows", Swap("$a && !$b", "2")),
    ("register windows have the same halves in all rounds", "alternating-halves", Swap("$a % 2 *", "")),
    ("what is behind the last item is not greater", "padding-of-bucket", Swap("= $$x;", "= 0;")),
    ("equal orders have no order", "composite-of-item", Swap(", $a)", ", $a ^ 1)")),
    ("start bits are compared as they are", "shift-of-register-window", Swap("$a << $b", "0 * $a")),
    ("words tell all keys apart", "ties-of-composites", Swap("!$a &&", "false &&")),
    ("words tell keys apart that are near each other", "keys-apart", Swap(">> $a", "")),
    ("ties are looked at once", "ties-in-next-round", Swap("if $a", "")),
    ("equal keys are exchanged", "tied-neighbours", Swap("<=", "<")),
    // What a bucket's keys are sorted by otherwise.
    ("a base is above the least", "base-of-range", Swap("= $a;", "= $a + 1;")),
    ("the highest bit in which keys differ does not count", "highest-bit", Swap(", $a)", ", $a - 1)")),
    ("the lowest bit in which keys differ does not count", "lowest-bit", Swap(", $a)", ", $a + 1)")),
    ("the next splitter's own order is left out", "next-splitter", Swap(": $a};", ": $a - 1};")),
    ("what pads a tile may be -0.0", "base-below-zero", Drop),
    ("keys are not taken above the base", "above-base", Swap("- $base) >>", ") >>")),
    ("a tile is padded by the maximum bits", "valid-items", Swap("$base - 1;", "$base - $base - 1;")),
    // How large buckets are sorted.
    ("runs are not sorted with those behind", "run-pairs", Swap("$a % 2 * $b", "0")),
    ("one round too few", "rounds-of-runs", Swap("<", "+ 1 <")),
    ("runs go on past the bucket", "end-of-bucket", Swap("$a < 2 * $b ? $a :", "")),
];

/// More buckets than a block has threads.
pub(super) const SPECS_OF_TWO: [&str; 1] = ["device_sample_sort_f32_u32_b64_i8_asc"];

#[rustfmt::skip] // one a line
pub(super) const SURVIVORS_OF_TWO: &[Survivor] = &[
    (SPECS_OF_TWO[0], "the last samples are not ranked", ANY_SPLITTERS),
];

/// What such sorts have of their own.
#[rustfmt::skip] // one a line
pub(super) const MUTATIONS_OF_TWO: &[Mutation] = &[
    ("buckets of the second round have no bounds", "rounds-of-bounds", Swap("$a < $b;", "$a < 1;")),
    ("buckets of the second round have no offsets", "rounds-of-offsets", Swap("$a < $b;", "$a < 1;")),
    ("buckets of the second round begin with those of the first", "buckets-of-rounds-before", Drop),
    ("the last samples are not ranked", "rounds-at-once", Swap("$a < $b;", "false;")),
];

/// Structs with a float.
pub(super) const STRUCT_SPECS: [&str; 1] = ["device_sample_sort_f16u8_u32_b32_i12_desc"];

/// What structs have of their own.
#[rustfmt::skip] // one a line
pub(super) const STRUCT_MUTATIONS: &[Mutation] = &[
    ("fields differ from the splitter's by a distance", "distances-of-keys", Swap(") ^ $a;", ") - $a;")),
];

/// What rows have of their own.
#[rustfmt::skip] // one a line
pub(super) const ROW_MUTATIONS: &[Mutation] = &[
    ("rows begin too early", "first-of-row", Swap("$a * $b", "$a * ($b - 1)")),
    ("rows have the same scratch", "first-of-scratch", Swap("$a * $b", "0")),
    ("keys that are not wanted lie as those that come", "scratch-of-keys", Swap("$a ? $b : $c", "$b")),
    ("wanted keys have no gaps", "scratch-of-keys", Swap("$a ? $b : $c", "$c")),
    ("rows have the same workspace", "workspace-of-row", Swap("$a * ", "0 * ")),
    ("splitters know no tile", "splitter-tile", Swap("/ $a;", "* 0;")),
    ("half of the samples are not merged", "runs-of-samples", Swap("< $a", "< $a / 2")),
    ("a run's last step is left out", "steps-in-run", Swap("> 0", "> 1")),
    ("equal samples have the same rank", "equal-samples", Swap("$a <= $b", "$a < $b")),
    ("samples are ranked by their own run alone", "slot-in-merge", Swap("+ $a;", ";")),
    ("buckets of alike keys are not counted, and do not overflow", "alike-keys", Drop),
];

/// Mutants of those that no case can tell from the original, and why.
#[rustfmt::skip] // one a line
pub(super) const ROW_SURVIVORS: &[Survivor] = &[
    ("device_sample_sort_f32_u32_b32_i4_asc_rows", "a run's last step is left out", ANY_SPLITTERS),
    ("device_sample_sort_f32_u32_b32_i4_asc_rows", "half of the samples are not merged", ANY_SPLITTERS),
    ("device_sample_sort_f32_u32_b32_i4_asc_rows", "samples are ranked by their own run alone", ANY_SPLITTERS),
    ("device_sample_sort_f32_u32_b32_i4_asc_rows", "keys that are not wanted lie as those that come", NO_LARGE_BUCKET),
    ("device_sample_sort_f32_u32_b32_i4_asc_rows", "splitters know no tile", LARGE_BUCKETS),
    ("device_sample_sort_u16_index_b64_i2_desc_rows", "a run's last step is left out", ANY_SPLITTERS),
    ("device_sample_sort_u16_index_b64_i2_desc_rows", "half of the samples are not merged", ANY_SPLITTERS),
    ("device_sample_sort_u16_index_b64_i2_desc_rows", "samples are ranked by their own run alone", ANY_SPLITTERS),
    ("device_sample_sort_u16_index_b64_i2_desc_rows", "keys that are not wanted lie as those that come", NO_LARGE_BUCKET),
    ("device_sample_sort_u16_index_b64_i2_desc_rows", "splitters know no tile", LARGE_BUCKETS),
];

/// A sort that reads how many items there are.
pub(super) const COUNTED: [&str; 1] = ["device_sample_sort_f32_u32_b32_i4_asc_counted"];

/// One that reads how many rows there are.
pub(super) const COUNTED_ROWS: [&str; 1] =
    ["device_sample_sort_u16_index_b64_i2_desc_rows_counted"];

/// What is broken of the count alone: the rest is broken in sorts without one.
#[rustfmt::skip] // one a line
pub(super) const COUNT_MUTATIONS: &[Mutation] = &[
    ("items that do not count are sorted", "clamped-count-of-items", Swap("$a < $b ? $a : $b", "$b")),
    ("more items than there are count", "clamped-count-of-items", Swap("$a < $b ? $a : $b", "$a")),
    ("blocks without items sort", "blocks-of-count", Swap("< $a", "< ~0u")),
    ("blocks without items do not wait", "grid-of-no-items", Drop),
];

/// Mutants of those that no case can tell from the original, and why.
#[rustfmt::skip] // one a line
pub(super) const COUNT_SURVIVORS: &[Survivor] = &[
    (COUNTED[0], "blocks without items do not wait", NOTHING_TO_WAIT_FOR),
];

/// The same of rows.
#[rustfmt::skip] // one a line
pub(super) const ROW_COUNT_SURVIVORS: &[Survivor] = &[
    (COUNTED_ROWS[0], "blocks without a row do not wait", NOTHING_TO_WAIT_FOR),
];
