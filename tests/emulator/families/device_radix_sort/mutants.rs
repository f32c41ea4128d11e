//! Broken device-wide radix sorts.

use crate::mutants::Edit::{Drop, Swap};
use crate::mutants::{Mutation, Survivor, Telling};

/// Keys alone, values side by side with keys, and 64-bit keys with positions that are made; narrow and wide positions.
pub(super) const SPECS: [&str; 3] = [
    "device_radix_sort_u32_keys_b256_i6_asc",
    "device_radix_sort_f32_u32_b288_i3_desc_nanlast",
    "device_radix_sort_i64_index_b256_i3_asc_wide",
];

/// Runs of rare paths, each of which alone catches some mutants.
pub(super) const TELLING: Telling = &[
    (
        "device_radix_sort_u32_keys_b256_i6_asc",
        &[(4, 1), (13, 1), (13, 0), (14, 2), (9, 3), (7, 1)],
    ),
    (
        "device_radix_sort_f32_u32_b288_i3_desc_nanlast",
        &[(30, 0), (24, 0), (31, 1), (34, 4), (27, 3), (38, 2), (108, 0), (85, 1), (7, 1)],
    ),
];

/// Keys that are counted and written anew.
pub(super) const COUNTED: [&str; 1] = ["device_radix_sort_i16_keys_b256_i4_desc"];

/// Sorts that read how many items there are: with MSD buckets, and with a tie fix-up.
pub(super) const READING: [&str; 2] = [
    "device_radix_sort_f32_u32_b256_i2_desc_nanlast_counted",
    "device_radix_sort_u64_keys_b256_i1_asc_wide_counted",
];

/// What is broken of the count alone: the rest is broken in sorts without one.
#[rustfmt::skip] // one a line
pub(super) const COUNT_MUTATIONS: &[Mutation] = &[
    ("items that do not count are sorted", "clamped-count-of-items", Swap("$a < $b ? $a : $b", "$b")),
    ("more items than there are count", "clamped-count-of-items", Swap("$a < $b ? $a : $b", "$a")),
];

/// Survivors among sites too, for the same reasons.
pub(super) const BARRIER_FOLLOWS: &str = "The block's barrier follows.";
pub(super) const OWN_ITEMS: &str = "A lane ranks the items that it has loaded itself; others read them behind a barrier of the block.";
pub(super) const SAME_THREAD: &str = "One thread prepares the copies and asks for them; the barrier is for racecheck, which sees full warps.";
pub(super) const VOTE_FOLLOWS: &str =
    "A vote of the full warp follows, and a barrier behind the last row.";

const RACES: &str = "Mutants run without the race detector; sites catch it.";
const SCRATCH: &str = "Where keys are not wanted their array is scratch.";
const RANKED_BY_BALLOTS: &str =
    "The order is found to be wrong as the tile is written, and ballots rank it anew.";
const ZERO_IS_NAN: &str = "Ordered bits of zero are a NaN, and NaNs come last.";

const MANY_WARPS: &str = "It is for blocks of one warp, which _msd_buckets has not.";
const TWO_PASSES: &str = "The first phase of 32-bit keys has two passes: the second one's states alternate as if it were the first.";
const NO_COMPOSITES: &str = "Register windows of keys alone compare the keys; composite keys are in the header, and not used.";
const KEYS_ALONE: &str = "Keys alone are always wanted, and sorted alike from the input.";
const LATER_BARRIERS: &str = "Without values the next bucket is loaded to registers, and barriers follow before it overwrites the sorted keys.";
const ONE_SEGMENT: &str =
    "In cases of other keys than floats one segment of buckets has all that overflow.";

pub(super) const ONE_LEFT: &str = "Copies of keys alone are soon in order: the one bucket of few distinct keys that is left is large, and has 64 of them.";
const COUNTED_ALONE: &str = "Keys alone are counted, and it does not matter how many came before.";

const NOT_MAPPED: &str = "Then there is no map, and the sort is by all digits.";
const TIES: &str = "Where keys of two rows are out of order, so are others of the bucket, and its ties are sorted for those.";
const LARGE_BUCKETS: &str = "Then buckets are too large, and the second phase sorts by all digits.";
const NEARLY_ALL: &str = "For small n nearly all keys are samples, and none is a little before their range; infinities are in the first bucket either way.";
const SAMPLES: &str = "Fewer samples tell the range, and more keys are beyond it.";

const PASSED_OVER: &str =
    "Where positions are made, those past the end are passed over before that.";

const LEAVES_NO_ITEMS: &str = "The first phase leaves no items side by side.";
const NO_MAP: &str = "There is no linear map.";
const MAKES_NONE: &str = "The sort makes no positions.";

const NONE_UNUSED: &str = "Sorts with a linear map have no unused slots.";
const EITHER_WAY: &str =
    "Where no positions are made, they say only whether the next tile is padded.";

const SAMPLED: &str = "Whatever samples tell of copies, the keys are sorted.";

/// Mutants that no case can tell from the original, and why.
#[rustfmt::skip] // one a line
pub(super) const SURVIVORS: &[Survivor] = &[
    ("device_radix_sort_u32_keys_b256_i6_asc", "barrier `prepared-copies` is missing", SAME_THREAD),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "barrier `prepared-copies` is missing", SAME_THREAD),
    ("device_radix_sort_i64_index_b256_i3_asc_wide", "barrier `prepared-copies` is missing", SAME_THREAD),
    ("device_radix_sort_u32_keys_b256_i6_asc", "barrier `cleared-slots` is missing", SAMPLED),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "barrier `cleared-slots` is missing", SAMPLED),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "barrier `slots-of-keys` is missing", SAMPLED),
    ("device_radix_sort_u32_keys_b256_i6_asc", "barrier `loaded-tile` is missing", OWN_ITEMS),
    ("device_radix_sort_u32_keys_b256_i6_asc", "barrier `cleared-histogram` is missing", BARRIER_FOLLOWS),
    ("device_radix_sort_u32_keys_b256_i6_asc", "barrier `row-by-ballots` is missing", RACES),
    ("device_radix_sort_u32_keys_b256_i6_asc", "barrier `read-heavy-count` is missing", RACES),
    ("device_radix_sort_u32_keys_b256_i6_asc", "keys are written where only values are wanted", SCRATCH),
    ("device_radix_sort_u32_keys_b256_i6_asc", "lanes above of a heavy digit count as lanes below", RANKED_BY_BALLOTS),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "barrier `loaded-tile` is missing", OWN_ITEMS),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "barrier `cleared-histogram` is missing", BARRIER_FOLLOWS),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "barrier `row-by-ballots` is missing", RACES),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "barrier `read-heavy-count` is missing", RACES),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "keys are written where only values are wanted", SCRATCH),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "lanes above of a heavy digit count as lanes below", RANKED_BY_BALLOTS),
    ("device_radix_sort_i64_index_b256_i3_asc_wide", "barrier `loaded-tile` is missing", OWN_ITEMS),
    ("device_radix_sort_i64_index_b256_i3_asc_wide", "barrier `cleared-histogram` is missing", BARRIER_FOLLOWS),
    ("device_radix_sort_i64_index_b256_i3_asc_wide", "barrier `row-by-ballots` is missing", RACES),
    ("device_radix_sort_i64_index_b256_i3_asc_wide", "barrier `read-heavy-count` is missing", RACES),
    ("device_radix_sort_i64_index_b256_i3_asc_wide", "barrier `counted-row-of-run` is missing", RACES),
    ("device_radix_sort_i64_index_b256_i3_asc_wide", "keys are written where only values are wanted", SCRATCH),
    ("device_radix_sort_i64_index_b256_i3_asc_wide", "lanes above of a heavy digit count as lanes below", RANKED_BY_BALLOTS),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "positions past the end come first", ZERO_IS_NAN),
    ("device_radix_sort_i64_index_b256_i3_asc_wide", "one key too many is written", PASSED_OVER),
    ("device_radix_sort_i64_index_b256_i3_asc_wide", "one value too many is written", PASSED_OVER),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "barrier `totals-of-one-warp` is missing", MANY_WARPS),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "NaNs tell the range", NOT_MAPPED),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "barrier `ends-of-ties` is missing", RACES),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "keys are compared within rows alone", TIES),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "keys before the range are mapped too", NEARLY_ALL),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "buckets are looked for by the keys' digits", LARGE_BUCKETS),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "the range is that of a warp's samples", SAMPLES),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "the second phase takes what the first one left for its own", TWO_PASSES),
    ("device_radix_sort_u32_keys_b256_i6_asc", "barrier `totals-of-one-warp` is missing", MANY_WARPS),
    ("device_radix_sort_u32_keys_b256_i6_asc", "buckets are numbered with the shared bits", LARGE_BUCKETS),
    ("device_radix_sort_u32_keys_b256_i6_asc", "buckets below shared bits are looked for by the keys' digits", LARGE_BUCKETS),
    ("device_radix_sort_u32_keys_b256_i6_asc", "sub-buckets of a register window are not told apart", NO_COMPOSITES),
    ("device_radix_sort_u32_keys_b256_i6_asc", "keys of a sub-bucket are not told apart", NO_COMPOSITES),
    ("device_radix_sort_u32_keys_b256_i6_asc", "the first phase writes no keys where none are wanted", KEYS_ALONE),
    ("device_radix_sort_u32_keys_b256_i6_asc", "the second phase reads the input", KEYS_ALONE),
    ("device_radix_sort_u32_keys_b256_i6_asc", "the second phase takes what the first one left for its own", TWO_PASSES),
    ("device_radix_sort_u32_keys_b256_i6_asc", "the second phase takes items for arrays", LEAVES_NO_ITEMS),
    ("device_radix_sort_i64_index_b256_i3_asc_wide", "the second phase takes items for arrays", LEAVES_NO_ITEMS),
    ("device_radix_sort_u32_keys_b256_i6_asc", "the first phase ends in the arrays of the result", LEAVES_NO_ITEMS),
    ("device_radix_sort_i64_index_b256_i3_asc_wide", "the first phase ends in the arrays of the result", LEAVES_NO_ITEMS),
    ("device_radix_sort_u32_keys_b256_i6_asc", "the result of the second phase is not looked for in the scratch arrays", LEAVES_NO_ITEMS),
    ("device_radix_sort_i64_index_b256_i3_asc_wide", "the result of the second phase is not looked for in the scratch arrays", LEAVES_NO_ITEMS),
    ("device_radix_sort_u32_keys_b256_i6_asc", "buckets write no keys where none are wanted", KEYS_ALONE),
    ("device_radix_sort_u32_keys_b256_i6_asc", "digits of buckets are counted as one", NO_MAP),
    ("device_radix_sort_u32_keys_b256_i6_asc", "items of a segment are not counted", ONE_SEGMENT),
    ("device_radix_sort_u32_keys_b256_i6_asc", "barrier `next-segment` is missing", ONE_SEGMENT),
    ("device_radix_sort_u32_keys_b256_i6_asc", "barrier `next-bucket` is missing", LATER_BARRIERS),
    ("device_radix_sort_u32_keys_b256_i6_asc", "barrier `row-of-distinct-keys` is missing", VOTE_FOLLOWS),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "barrier `row-of-distinct-keys` is missing", VOTE_FOLLOWS),
    ("device_radix_sort_u32_keys_b256_i6_asc", "equal keys stay side by side", LEAVES_NO_ITEMS),
    ("device_radix_sort_u32_keys_b256_i6_asc", "five keys are taken for one", ONE_LEFT),
    ("device_radix_sort_u32_keys_b256_i6_asc", "buckets that are sorted count as overflowing", ONE_LEFT),
    ("device_radix_sort_u32_keys_b256_i6_asc", "barrier `next-left-bucket` is missing", ONE_LEFT),
    ("device_radix_sort_u32_keys_b256_i6_asc", "barrier 1 of add_row, a __syncwarp, is missing", COUNTED_ALONE),
    ("device_radix_sort_u32_keys_b256_i6_asc", "segments before are not counted", ONE_SEGMENT),
    ("device_radix_sort_u32_keys_b256_i6_asc", "unused slots count as positions", EITHER_WAY),
    ("device_radix_sort_u32_keys_b256_i6_asc", "the second phase makes positions anew", MAKES_NONE),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "unused slots count as positions", NONE_UNUSED),
    ("device_radix_sort_f32_u32_b288_i3_desc_nanlast", "the second phase makes positions anew", MAKES_NONE),
];

#[rustfmt::skip] // one a line
pub(super) const MUTATIONS: &[Mutation] = &[
    // How digits are reported.
    ("-0.0 is less than +0.0", "negative-zero", Swap("$a == $b ? $c : $a", "$a")),
    ("NaNs order by their bits", "nan-bits", Drop),
    ("NaNs of one sign order by their bits", "nan-bits", Swap("|| $a < $b", "")),
    ("the infinities are NaNs", "nan-bits", Swap(">", ">=")),
    ("the last digit takes bits past the end", "bits-of-last-digit", Swap("$a < $b ? $a :", "")),
    // How they are counted, and passes planned.
    ("the last key is not counted", "remaining-keys", Swap("<", "+ 1 <")),
    ("one key too many is counted", "remaining-keys", Swap("<", "<=")),
    ("a round of loads counts one chunk alone", "loaded-chunks", Swap("+ $a * $b", "")),
    ("keys behind the last chunk are not counted", "keys-in-chunks", Swap("$a * $b;", "1ull << 62;")),
    ("a column of counters is left out", "columns", Swap("<", "+ 1 <")),
    ("the count of a digit's bins is no barrier", "occupied-bins", Swap("= $$count($a > $b);", "= 2;")),
    ("digits begin behind those of their own warp alone", "digits-of-warps-below", Swap("+= $a", "+= 0")),
    ("all digits are determined by those above", "digit-differences", Drop),
    ("thread 0 alone says which digits differ", "independent-digit", Swap("if ($$or($$x))", "if ($$x)")),
    ("no digit of a block differs from the one above", "independent-digits-of-block", Drop),
    ("the last digit is determined by one above", "last-digit", Swap("| 1u << $a >> 1", "")),
    ("a pass that moves nothing takes a pass slot", "counted-pass", Swap("++$a;", "} ++$a; {")),
    // How passes take pass slots.
    ("passes of a sort in place write to the wrong array", "destination", Swap("1 :", "0 :")),
    ("passes of a sort not in place write to the wrong array", "destination", Swap("1;", "0;")),
    ("every pass reads the input", "first-pass", Swap("= $a == 1", "= true")),
    ("keys are written where only values are wanted", "written-keys", Swap("!$last ||", "true ||")),
    ("the result stays in the scratch arrays", "result-in-place", Swap("$a % 2 == 0", "true")),
    ("nothing is copied where no pass moves anything", "result-in-place", Swap(": $a > 0", ": true")),
    ("items of the second half overwrite the first", "odd-item", Swap("$i < $s ? $a : $i < 2 * $s ? $b :", "$i < $s ? $a : $i < 2 * $s ? $a - $s :")),
    ("the odd item lies behind the second half", "odd-item", Swap("$a < 2 * $b ?", "true ?")),
    ("the last pass writes items", "to-items", Swap("(!$last || $x || $y)", "(true || $x || $y)")),
    ("the first pass reads items", "from-items", Swap("&& (!$a || $b)", "")),
    // How a tile is loaded, ranked and written.
    ("a partial tile is taken for a full one", "tile-size", Swap("= $a < $b ?", "= false ?")),
    ("one item too many is loaded", "loaded-position", Swap("<", "<=")),
    ("the last item is not loaded", "loaded-position", Swap("<", "+ 1 <")),
    ("positions past the end come first", "padding-of-tile", Swap("($$key($a))", "($$key(0))")),
    ("lanes above of a heavy digit count as lanes below", "lanes-below", Swap("(1u << $l) - 1u", "~((2u << $l) - 1u)")),
    ("the heavy digit's count is not handed back between rows", "heavy-count-between-rows", Drop),
    ("the heavy digit's count is not handed back at the end", "heavy-count-at-end", Drop),
    ("the next heavy digit begins at nothing", "next-heavy-digit", Swap("= $a;", "= 0;")),
    ("any order of serving will do", "order-check", Swap("if $a", "")),
    ("order is checked within rows alone", "row-order", Swap("($lane == 0 ? $a : $b) < $c", "$lane == 0 || $b < $c")),
    ("ballots number the lanes above", "ballot-rank", Swap("& $lanes)]", "& ~$lanes) - 1]")),
    ("ballots scatter all rows to the first one's slots", "first-of-next-row", Drop),
    ("the second try is not written", "second-try", Swap("$a;", "return;")),
    ("a tile's positions begin at zero", "made-position", Swap("$a +", "")),
    ("unused slots count as positions", "slot-without-padding", Swap("* $a;", "* 0;")),
    ("any digit is taken for the only one of a tile", "only-digit", Swap("== $a)", "!= $a)")),
    ("the last key is not written", "keys-to-write", Swap(":", "- 1 :")),
    ("one key too many is written", "keys-to-write", Swap(":", "+ 1 :")),
    ("the last value is not written", "written-value", Swap("<", "+ 1 <")),
    ("one value too many is written", "written-value", Swap("<", "<=")),
    ("the last item is not written", "written-item", Swap("<", "+ 1 <")),
    ("one item too many is written", "written-item", Swap("<", "<=")),
    ("offsets do not count the tiles before", "offset-of-a-digit", Swap("+ $a", "")),
    ("offsets do not count the digits before in the tile", "offset-of-a-digit", Swap("- $a", "")),
    // Look-back.
    ("states do not alternate between passes", "alternating-states", Swap("$a % 2 +", "")),
    ("a tile does not wait for those before it", "known-state", Swap("|| $a", "")),
    ("a tile takes what the last pass left", "known-state", Swap("!= $a && $b != $c", "== 0")),
    ("a tile's own count is taken for that up to it", "first-tile", Swap("$tile == 0 ? $a : $b", "$a")),
    ("the first tile's count is its own alone", "first-tile", Swap("$tile == 0 ? $a : $b", "$b")),
    ("the sum up to a tile leaves the tile out", "inclusive-prefix", Swap("+ $a", "")),
    ("a tile says nothing of the tiles before it", "inclusive-prefix", Drop),
    ("a tile begins its look-back at itself", "previous-tile", Swap("- $a", "")),
    ("a tile asks the one before it again and again", "next-tile-back", Drop),
    // How 64-bit keys go by their upper digits.
    ("two keys that agree are left as they are", "exchange", Drop),
    ("values of two keys stay", "exchanged-value", Drop),
    ("three keys that agree are two and one", "run-of-two", Swap("|= $$a;", "|= 0;")),
    ("two keys at a warp's end are all of their run", "run-of-two", Swap("1u", "0u")),
    ("more keys that agree are left as they are", "sorted-runs", Drop),
    ("long runs are left as they are", "long-run", Drop),
    ("runs that are too long for a warp are left as they are", "too-long-run", Drop),
    ("only the last keys of a long run tell that it is not in order", "descent-of-long-run", Swap("|= $$a;", "= $$a;")),
    ("equal keys of a long run are as one", "order-in-long-run", Swap("|| $a;", "|| false;")),
    ("values of a long run stay", "value-of-long-run", Drop),
    ("runs of several keys are taken for copies of one", "another-key-of-run", Drop),
    ("long runs that begin before a warp's keys are left as they are", "long-run-before", Drop),
    ("keys before a warp's do not count", "keys-before", Drop),
    ("a run that goes on behind a warp's keys is left as it is", "run-behind", Swap("if ($$a)", "if (true)")),
    ("the run at a warp's last lane is left out", "key-of-next-warp", Swap("? $a : $b", "? $b : $b")),
    ("the run before a warp ends there", "key-of-previous-warp", Swap("= $$a;", "= 0;")),
    ("runs of a warp are left as they are", "runs-of-warp", Drop),
    ("a warp sorts runs that begin before its keys", "runs-of-warp", Swap("$keys, $continued, $last)", "$keys, 0, $last)")),
    ("keys of even pairs are not exchanged", "even-round", Swap("= $$a;", "= false;")),
    ("keys of odd pairs are not exchanged", "odd-round", Swap("= $$a;", "= false;")),
    ("the last key of a row is not exchanged with the next row's first", "composites-of-next-rows", Swap("= $l == 0 ? $a : $m == 31 ? $b : $c;", "= $c;")),
    ("values of a run stay", "value-of-run", Drop),
    ("a run is queued by each warp that sees a descent", "descent-before", Drop),
    ("runs that are too long for the queue are left as they are", "not-queued", Drop),
    ("a run seems to end where a share of it does", "search-of-run", Swap("== $a;", "!= $a;")),
    ("the queue is not sorted", "sorts-queue", Swap("> 0", "> 1u << 20")),
    ("queued runs are sorted by their lowest digit alone", "passes-of-run", Swap("$p, $s)) $s = !$s;", "$p, $s)) $s = !$s && $p == 0;")),
    ("keys of a queued run stay in the scratch arrays", "key-of-queued-run", Drop),
    ("values of a queued run stay in the scratch arrays", "value-of-queued-run", Drop),
    ("a row of a queued run overwrites the one before", "next-row-of-run", Drop),
    ("a queued run is taken for one of one digit", "only-digit-of-run", Swap("if ($$or($$x))", "if (true)")),
    ("the second phase reads the input", "source-of-phase", Swap("$a == 1 ? $b :", "")),
    ("the second phase makes positions anew", "made-values", Swap("&& $a == 0", "")),
    ("the second phase takes what the first one left for its own", "epoch", Swap("$a == 1 ? $b + $c : $c", "$c")),
    ("the first phase writes no keys where none are wanted", "written-keys", Swap("|| ($$x);", "|| false;")),
    ("upper digits in place may end in the scratch arrays", "even-number-of-passes", Swap("&& !$a", "")),
    // How MSD buckets are sorted by blocks.
    ("buckets are left as they are", "bucket-left-to-passes", Swap("|| $a", "|| false")),
    ("a large bucket is left as it is", "bucket-left-to-passes", Swap("> $a ||", "<= $a &&")),
    ("an overflowing sub-bucket is sorted by few rounds", "overflow-of-sub-bucket", Drop),
    ("keys that are not in order yet are taken for sorted", "too-many-rounds", Swap("return false;", "return true;")),
    ("a large sub-bucket is sorted in one round", "two-merges", Swap("if $a", "")),
    ("the largest sub-bucket is not stored", "largest-sub-bucket", Drop),
    ("the last item of a bucket is left out", "item-of-bucket", Swap("< $a;", "+ 1 < $a;")),
    ("an item behind the bucket is sorted too", "item-of-bucket", Swap("< $a;", "<= $a;")),
    ("register windows do not overlap", "overlapping-register-windows", Drop),
    ("sub-buckets of a register window are not told apart", "placed-item", Swap("($a & $b) << $c |", "")),
    ("keys of a sub-bucket are not told apart", "placed-item", Swap("| $a}", "}")),
    ("words behind the last item are not greater", "padding-of-register-windows", Swap("$a < $b", "false")),
    ("a bucket begins behind its keys", "bucket-search", Swap("$a < $b;", "$a <= $b;")),
    ("lanes of other searches are of one", "lanes-of-search", Swap(">> $a &", "&")),
    ("what is behind the last lane's share is of that one", "end-of-share", Swap("$a < $b && $c", "$c")),
    ("a bucket is not searched for", "end-of-search", Swap("[$a + 1]", "[$a]")),
    ("keys lose the bits of their bucket", "key-of-a-bucket", Swap("$a | $b", "$b")),
    ("values of a bucket stay", "value-of-a-bucket", Swap("if $there $to = $value;", "static_cast<void>($value);")),
    ("buckets write no keys where none are wanted", "writes-keys-of-buckets", Swap("!$a ||", "")),
    ("small buckets and large ones have as many rows", "rows-of-a-bucket", Swap("$a > $b * $c", "false")),
    ("rounds end before all is in order", "sorted-early", Swap("&& !$a", "&& false")),
    ("register windows are in order if the items of each are", "order-of-register-windows", Swap("&&", "||")),
    ("the first phase is by the lower digits", "pass-of-phase", Swap("[$a +", "[")),
    // How upper bits that all keys share are left out.
    ("shared bits are not left out of digits", "bits-below-shared", Swap("<< $a >>", ">>")),
    ("keys with other upper bits are taken for others", "other-upper-bits", Swap("!= 0", "> 255")),
    ("keys with other upper bits do not count", "keys-with-other-upper-bits", Swap("= !$$or($$x);", "= true;")),
    ("passes go by the digits above shared bits", "digit-below-shared", Swap("$a - ($x - $y) * $z", "$a - ($x - $y) * $z + 1")),
    ("buckets are numbered with the shared bits", "bucket-below-shared", Swap("& ($$a - 1)", "")),
    ("buckets below shared bits are looked for by the keys' digits", "pass-below-shared", Drop),
    ("keys lose the bits that all share", "bits-above-range", Swap("return $a |", "return")),
    // How buckets of few distinct keys are sorted.
    ("no bucket counts as left", "left-bucket", Swap("? $a :", "? 0 :")),
    ("buckets that are sorted count as overflowing", "sorted-by-distinct-keys", Drop),
    ("a key like an empty slot is taken for one that is there", "order-like-none", Drop),
    ("keys rank by greater ones", "rank-of-order", Swap("< $a;", "> $a;")),
    ("equal keys stay side by side", "equal-keys", Swap("$a && $b == 1", "$b == 1")),
    ("items are sorted where they have no room", "no-room-to-sort", Drop),
    ("five keys are taken for one", "more-than-one-key", Swap("> 1", "> 5")),
    ("distinct keys lose the bits of their bucket", "copied-distinct-key", Swap("$a | $b", "$b")),
    ("values of distinct keys stay", "value-of-distinct-key", Drop),
    ("keys with a linear map are known by their lower bits", "order-of-mapped-key", Drop),
    ("items of a row have those of the row before for their own", "offset-of-next-row", Drop),
    ("the last items of a bucket have no warp", "share-of-bucket", Swap("+ 1", "")),
    // How buckets that overflow are sorted.
    ("items that overflow are left side by side", "copied-overflow", Drop),
    ("equal digits of a warp are counted as one", "overflow-of-one-digit", Swap(", $a);", ", 1u);")),
    ("all lanes count the equal digits of a warp", "overflow-of-one-digit", Swap("if ($a == $b)", "")),
    ("overflowing items have room for one copy of all", "overflow-room", Swap("/ 32", "/ 16")),
    ("nothing that overflows is sorted as if it did", "sorts-overflow", Swap("> 0", ">= 0")),
    ("a bucket's first item is looked for in the one before", "search-of-overflow", Swap("<=", "<")),
    ("a run of gathered items goes on to the last one", "end-of-queued-run", Swap("$a + 1 < $b ? $c :", "")),
    ("a run of sorted items goes on to the last one", "end-of-sorted-run", Swap("$a + 1 < $b ? $c :", "")),
    ("the last items have no warp", "share-of-warp", Swap("+ 1", "")),
    ("all overflowing buckets take one entry of the queue", "queued-bucket", Swap("[$a]", "[0]")),
    ("items of a segment are not counted", "items-of-segment", Drop),
    ("segments before are not counted", "segments-before", Swap("? $a : 0", "? 0 : 0")),
    ("all buckets of a segment begin at its first item", "sorted-offset", Swap("+ $a", "")),
    ("digits of overflowing items are taken for constant", "constant-digit-of-overflow", Swap("($a == $b)", "($a > 0)")),
    ("the vote on a pass over overflowing items is no barrier", "constant-digit-of-overflow", Swap("if ($$or($a == $b))", "if ($a == $b)")),
    ("passes over overflowing items read what they are to write", "half-of-overflow-pass", Swap("? $a % 2 :", "? 1 - $a % 2 :")),
    ("sorted items are looked for where they were gathered", "half-of-sorted-overflow", Swap("% 2", "* 0")),
    ("keys of overflowing items are written where values alone are wanted", "scattered-key", Swap("if ($a)", "if (!$a)")),
    // What is left side by side between the phases.
    ("the first phase leaves arrays", "to-items", Swap("(!$last || $x || $y)", "(!$last || $y)")),
    ("the second phase takes items for arrays", "first-pass", Swap("&& !$a", "")),
    ("the first phase ends in the arrays of the result", "last-of-first-phase", Swap("+ 1", "")),
    ("the result of the second phase is not looked for in the scratch arrays", "executed-passes", Swap("+ $a", "")),
    // How floats are mapped.
    ("keys beyond the range are mapped too", "linear-map", Swap("= $$min($$max($x, $low), $high);", "= $$max($x, $low);")),
    ("keys before the range are mapped too", "linear-map", Swap("= $$min($$max($x, $low), $high);", "= $$min($x, $high);")),
    ("NaNs that come last are in the first bucket", "bucket-of-nan", Swap("$c ? $a : $b", "$b")),
    ("NaNs that come last are the first of their bucket", "sub-bucket-of-nan", Swap("$c ? $a : $b", "$b")),
    ("NaNs tell the range", "sampled-nan", Swap(">= 0x7f800000u", "> 0x7fffffffu")),
    ("the range is that of a warp's samples", "range-of-block", Drop),
    ("buckets are looked for by the keys' digits", "bucket-pass", Drop),
    ("digits of buckets are counted as one", "bucket-digit", Swap("%", "/")),
    ("close keys are left as they are", "ties-left", Swap("if ($$c) return true;", "static_cast<void>($$c); return true;")),
    ("keys are compared within rows alone", "key-before", Swap("? $a : $b) <= $c", "? $c : $b) <= $c")),
    ("equal keys that are close are exchanged", "insertion-of-ties", Swap("> $key;", ">= $key;")),
    ("the last of close keys is left out", "tied-keys", Swap("< $end", "+ 1 < $end")),
    ("network: a step is left out", "odd-even-steps", Swap("0", "1")),
];

#[rustfmt::skip] // one a line
pub(super) const COUNTED_MUTATIONS: &[Mutation] = &[
    // How keys are sorted by counting.
    ("a counter that is flushed is not counted", "count-handed-over", Drop),
    ("a counter that is flushed is not counted in its segment", "segment-handed-over", Drop),
    ("a counter that is flushed goes on", "counter-handed-over", Drop),
    ("a heavy hitter adds one", "heavy-count", Swap(", $a);", ", 1);")),
    ("all lanes of a heavy hitter add for all", "heavy-count", Swap("&& $a == 0", "")),
    ("a heavy hitter's keys are counted one by one too", "heavy-addend", Swap("$a ? 0 :", "")),
    ("a heavy hitter's counter is not flushed", "full-counter-of-heavy-key", Drop),
    ("a counter that overflows among others is not flushed", "full-counter", Swap("($a)", "(false)")),
    ("odd values are flushed as even ones", "count-handed-over", Swap(", $a);", ", decltype($a){0x8000u});")),
    ("lanes without a chunk count zeros", "keys-of-lane", Swap("$a ? 1 : 0", "1")),
    ("lanes without a chunk are a heavy hitter's", "heavy-ballot", Swap("$a && $b", "$b")),
    ("the second key of a word is left out", "both-counters", Swap(", $a << 32 | $b", ", $b")),
    ("keys behind the last chunk are not counted in the histogram", "remaining-keys-of-histogram", Swap("$a < $b", "false")),
    ("warps begin at zero", "start-of-warp", Drop),
    ("segments begin at zero", "start-of-segment", Swap("= $a < $b ? $c : 0;", "= 0;")),
    ("a segment's sum is its last lane's", "sum-of-segment", Swap("+=", "=")),
    ("a key is written once too seldom", "bin-search", Swap("<=", "<")),
    ("a range's last bin is its first one", "last-bin", Swap("if $c $$e[$i] = $b;", "if $c $$e[0] = $$e[1] = $b;")),
    ("keys past the end are written", "expanded-key", Swap("< $n)", "<= $n)")),
    ("empty bins are not passed over", "next-bin", Drop),
];
