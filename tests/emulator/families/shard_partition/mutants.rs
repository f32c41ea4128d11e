//! Broken partitions of shards.

use crate::mutants::Edit::Swap;
use crate::mutants::{Barriers, Ground, Mutation, Survivor};

/// Keys alone, values that are read, and positions.
pub(super) const SPECS: [&str; 3] = [
    "shard_partition_u32_keys_b64_i2_r3_asc",
    "shard_partition_f32_u32_b64_i2_r2_desc_nanlast",
    "shard_partition_i16_index_b64_i2_r4_asc",
];

/// Mutants that no case can tell from the original, and why.
const SURVIVORS: &[Survivor] = &[];

#[rustfmt::skip] // one a line
const MUTATIONS: &[Mutation] = &[
    ("bits are counted from the lowest", "mask", Swap("- 1) << $a", "- 1)")),
    ("a slot more is sampled", "sampled-slots", Swap("<", "<=")),
    ("the first item of a range is sampled", "sampled-position", Swap("% ($a - $b)", "* 0")),
    ("equal splitters stay equal", "equal-splitters", Swap("? $a + $b : $a", "? $a : $a")),
    ("buckets of unequal keys are equal", "equal-keys", Swap("<= $a", "<= $a + $a")),
    ("a key is in the bucket before its splitter", "search", Swap(">=", ">")),
    ("the max order is behind the last bucket", "last-bucket", Swap("$a < $b ? $a : $b - 1", "$a")),
    ("an item past the end is read", "valid-items", Swap("<", "<=")),
    ("items past the end count", "counted-key", Swap("+= $a;", "+= 1;")),
    ("items past the end have a bucket", "behind-last-item", Swap("$a ? $b :", "true ? $b :")),
    ("items of a row have the same rank", "rank-in-warp", Swap("& $a)", "& 0 * $a)")),
    ("a key too many is written", "moved-key", Swap("if ($a < $b)", "if ($a <= $b)")),
    ("a value too many is written", "moved-value", Swap("if ($a < $b)", "if ($a <= $b)")),
    ("positions are those in the first tile", "position", Swap("+ $a + $b + 32", "+ $b + 32")),
];

pub(super) const MUTANTS: Ground = Ground {
    specs: &SPECS,
    mutations: MUTATIONS,
    barriers: Barriers::AtRunTime,
    telling: &[],
    survivors: SURVIVORS,
    cases: 24,
};
