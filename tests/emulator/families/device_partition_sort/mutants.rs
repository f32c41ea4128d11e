//! Broken partition sorts.

use crate::mutants::Edit::{Drop, Swap};
use crate::mutants::{Mutation, Survivor};

/// Values that are read, positions that are made, and keys alone; all have two levels soon.
pub(super) const SPECS: [&str; 3] = [
    "device_partition_sort_u64_u32_b64_i2_asc",
    "device_partition_sort_f64_index_b64_i1_desc",
    "device_partition_sort_i64_keys_b64_i1_asc",
];

/// Mutants that no case can tell from the original, and why.
#[rustfmt::skip] // one a line
pub(super) const SURVIVORS: &[Survivor] = &[
];

#[rustfmt::skip] // one a line
pub(super) const MUTATIONS: &[Mutation] = &[
    // How splitters are found.
    ("nodes of a level are one", "node-in-level", Swap("$a >> $b", "0")),
    ("buckets that are not used have splitters", "unused-splitter", Drop),
    ("sorts are not counted", "sort-counter", Drop),
    ("orders above all samples have any truncated order", "order-above-samples", Swap("$a >> 32 != 0", "false")),
    // How tiles are partitioned.
    ("atomics are served in the order of lanes", "order-of-atomics", Swap("!$a", "false")),
    ("what is behind the last item takes an offset of items", "offset-behind-last-item", Swap("$a < $b", "true")),
    ("what is behind the last item is in the first bucket", "behind-last-item", Swap("~", "")),
    ("the last bucket has what is behind the last item", "size-of-last-bucket", Swap("? $a - $b :", "? $a :")),
    ("lanes of a bucket have the same offset", "offset-by-match", Swap("& $a", "")),
    ("positions are those of the next item", "made-position-of-item", Swap("($a)", "($a + 1)")),
    // How pieces are found and gathered.
    ("the last bucket ends where another tile's first begins", "piece-of-last-bucket", Swap("$a + 1 < $b ?", "true ?")),
    ("a segment's spans begin with the array's first", "segments-before", Swap("if $a", "if (false)")),
    ("gathered tiles begin a tile later", "first-piece-of-gathered-tile", Swap("{$a, $b}", "{$a, $b + 1}")),
    ("tiles past the last one are gathered", "gathered-tile-past-end", Drop),
    ("pieces behind a gathered tile are marked", "pieces-of-gathered-tile", Swap("&& $a < $b + $c", "")),
    ("a gathered tile has no more pieces than threads", "more-pieces", Swap("= $$a;", "= false;")),
    ("no mark of the rows before counts", "marks-before", Swap("$a == 0", "true")),
    ("marks of lanes above count", "lanes-to-here-of-piece", Swap(">> $a", "")),
    ("rows go on with the mark before the first", "last-mark", Drop),
    ("pieces before a chunk are marked", "pieces-of-chunk", Swap("&& $a + $b > $c", "")),
    ("pieces of no items are marked", "pieces-of-chunk", Swap("$a != 0 &&", "")),
    ("pieces begin before the chunk", "source-of-piece", Swap("+ $a);", ");")),
    // How chunks are listed and sorted.
    ("all buckets are of equal keys", "equal-keys-of-bucket", Swap("==", "<=")),
    ("all parents are of equal keys", "parent-of-equal-keys", Swap("==", "<=")),
    ("all buckets are small", "class-of-bucket", Swap("&& $a > $b", "&& false")),
    ("no bucket is oversized", "oversized-bucket", Swap("!$a && $b > $c", "false")),
    ("every other chunk of a block is left out", "chunks-of-block", Swap("+= $a", "+= 2 * $a")),
    ("every other chunk of a block is not merged", "merged-chunks-of-block", Swap("+= $a", "+= 2 * $a")),
    ("equal keys of a run are exchanged", "order-in-run", Swap("> $a", ">= $a")),
    ("merges begin behind equal keys", "equal-keys-of-runs", Swap("<=", "<")),
    ("equal keys of merged runs are exchanged", "merged-run", Swap("<=", "<")),
    ("chunks of oversized buckets have no keys", "keys-of-chunk", Swap("|| $$a == $b", "")),
    ("equal keys are not written", "key-of-equal-ones", Swap("if $a", "if (false)")),
    // How chunks are sorted by sub-buckets and register windows.
    ("the maximum order has no sub-bucket", "scale-of-sub-buckets", Swap("/ $a}", "/ $a * 2}")),
    ("chunks that are not sorted are not merged either", "chunk-for-merges", Drop),
    ("no sub-bucket is large", "largest-sub-bucket", Swap("$a > $b", "false")),
    ("sub-buckets of a register window are not told apart", "placed-item", Swap("($a & $b) << $c |", "")),
    ("start bits are compared as they are", "shift-of-register-window", Swap("$a << $b", "0 * $a")),
    ("one round too few of register windows", "number-of-halves", Swap("+ 1", "")),
    ("register windows are merged once", "rounds-of-register-windows", Swap("$a && !$b", "2")),
    ("register windows have the same halves in all rounds", "alternating-halves", Swap("$a % 2 *", "")),
    ("the last item has no composite key", "composite-of-chunk", Swap("<", "+ 1 <")),
    ("equal orders have no order", "composite-of-chunk", Swap(", $a)", ", $a ^ 1)")),
    ("what is behind the last item is not greater", "padding-of-chunk", Swap("= $$x;", "= 0;")),
    ("composite keys tell all keys apart", "ties-of-chunk", Swap("return $a", "return true")),
    ("composite keys tell keys apart that are near each other", "keys-apart", Swap(">> $a", "")),
    ("runs of ties begin with their second item", "run-of-ties", Swap("|| ($a != 0 && $b)", "|| $a == 0 || !$b")),
    ("long runs of ties stay as they are", "long-run-of-ties", Drop),
    ("equal keys of a run of ties are exchanged", "insertion-in-ties", Swap("<=", "<")),
    ("the last key is left out", "keys-of-finish", Swap(":", "- 1 :")),
    // How oversized buckets are sorted.
    ("merges of buckets begin behind equal keys", "equal-keys-of-bucket-runs", Swap("<=", "<")),
    ("equal keys of a bucket's runs are exchanged", "merged-bucket-run", Swap("<=", "<")),
    ("merged buckets stay where they are", "back-to-result", Swap("&& !$a", "&& false")),
];
