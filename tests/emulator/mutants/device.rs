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

/// Mutants that no case can tell from the original, and why.
const SURVIVORS: &[Survivor] = &[];

const EDITS: &[Edit] = &[];

#[test]
fn every_mutant_is_caught_but_those_that_are_harmless() {
    assert_survivors::<DeviceSpec>(&Ground {
        specs: &SPECS,
        edits: EDITS,
        survivors: SURVIVORS,
        cases: 24,
        // A mutant may wait for ever for what no tile says.
        limit: Duration::from_secs(10),
    });
}
