//! Broken device-wide sorts by a network: what they have beside the networks of blocks, which have their mutants with
//! those.

use crate::mutants::Edit::{Drop, Swap};
use crate::mutants::{Mutation, Survivor};

/// Shuffles and none; values that go with their keys and are not compared; positions, as values and in the workspace.
pub(super) const SPECS: [&str; 4] = [
    "device_bitonic_sort_u32_keys_b64_i2_asc",
    "device_bitonic_sort_u32_u64_b64_i4_desc",
    "device_bitonic_sort_f16_u16_b64_i4_asc_stable",
    "device_bitonic_sort_f32_index_b64_i2_asc",
];

const ONE_PART: &str = "Values of 2 bytes have one part.";

/// Mutants that no case can tell from the original, and why.
#[rustfmt::skip] // one a line
pub(super) const SURVIVORS: &[Survivor] = &[
    ("device_bitonic_sort_f16_u16_b64_i4_asc_stable", "a value's upper word stays", ONE_PART),
];

#[rustfmt::skip] // one a line
pub(super) const MUTATIONS: &[Mutation] = &[
    // What is past the end.
    ("one item past the end is read", "read-past-end", Swap(">=", ">")),
    ("one item past the end is written", "write-past-end", Swap(">=", ">")),
    ("what is past the end is less than all items", "maximum-of-a-run", Swap("~", "")),
    ("items are compared where they were loaded", "transpose", Drop),
    // Steps over the array.
    ("no merge is mirrored", "mirrored-step", Swap("$a != 0", "false")),
    ("all steps are mirrored", "mirrored-step", Swap("$a != 0", "true")),
    ("runs are as long as a segment", "start-of-a-run", Swap("($a - $b) << $c", "$a - $b")),
    ("a launch's last step is left out", "steps-of-a-column", Swap("0", "1")),
    ("steps go on with the input", "items-of-a-column", Swap("false", "true")),
    ("merges go on with the input", "items-to-merge", Swap("false", "true")),
    // What goes with keys.
    ("equal keys have the positions that they are at", "position-of-a-tie", Swap("$c ? $a : $b", "$a")),
    ("positions stay where they are", "stored-position", Drop),
    ("positions are those of the last step", "position-value", Swap("$c ? $a : $b", "$a")),
    ("a value's upper word stays", "limbs-of-a-value", Swap("< $a", "< 1")),
];
