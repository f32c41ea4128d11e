//! Broken sorts of whole arrays by a network: what they have beside the networks of blocks, whose mutants are with
//! those.

use std::time::Duration;

use sortsmith_codegen::device::DeviceSpec;

use super::{Barriers, Edit, Ground, Survivor, assert_survivors};

/// Shuffles and none; values that go with their keys and are not compared; positions, as values and in the workspace.
pub(crate) const SPECS: [&str; 4] = [
    "device_bitonic_sort_u32_keys_b64_i2_asc",
    "device_bitonic_sort_u32_u64_b64_i4_desc",
    "device_bitonic_sort_f16_u16_b64_i4_asc_stable",
    "device_bitonic_sort_f32_index_b64_i2_asc",
];

const ONE_PART: &str = "Values of 2 bytes have one part.";

/// Mutants that no case can tell from the original, and why.
#[rustfmt::skip] // one a line
const SURVIVORS: &[Survivor] = &[
    ("device_bitonic_sort_f16_u16_b64_i4_asc_stable", "a value's upper part stays", ONE_PART),
];

#[rustfmt::skip] // one a line
const EDITS: &[Edit] = &[
    // What is past the end.
    ("one item past the end is read", "if (place >= arguments.n) return greatest_word();", "if (place > arguments.n) return greatest_word();"),
    ("one item past the end is written", "if (place >= arguments.n) return;", "if (place > arguments.n) return;"),
    ("what is past the end is less than all items", "greatest.part[part] = ~0u;", "greatest.part[part] = 0u;"),
    ("items are compared where they were loaded", "striped_to_shared(words);\n    __syncthreads();\n    shared_to_run(words);\n    sort_words", "sort_words"),
    // Steps over the array.
    ("no merge is mirrored", "const bool is_mirrored = turn % 2 != 0;", "const bool is_mirrored = false;"),
    ("all steps are mirrored", "const bool is_mirrored = turn % 2 != 0;", "const bool is_mirrored = true;"),
    ("runs are as long as a segment", "(column - offset) << kSteps;", "column - offset;"),
    ("a launch's last step is left out", "distance > 0; distance /= 2", "distance > 1; distance /= 2"),
    ("steps go on with the input", "item_at<false>(arguments, segment", "item_at<true>(arguments, segment"),
    ("merges go on with the input", "load_striped<false>", "load_striped<true>"),
    // What goes with keys.
    ("equal keys have the positions that they are at", " : positions_of(arguments)[place], true)", " : static_cast<unsigned int>(place), true)"),
    ("positions stay where they are", "positions_of(arguments)[place] = position_of(word);", ""),
    ("positions are those of the last step", " : arguments.values_out[place], true)", " : static_cast<unsigned int>(place), true)"),
    ("a value's upper part stays", "i < kValueParts; ++i) parts.part[i] =", "i < 1; ++i) parts.part[i] ="),
];

#[test]
fn mutants_of_sorts_by_networks_are_caught() {
    assert_survivors::<DeviceSpec>(&Ground {
        specs: &SPECS,
        edits: EDITS,
        barriers: Barriers::AtRunTime,
        survivors: SURVIVORS,
        cases: 30,
        limit: Duration::from_secs(20),
    });
}
