//! What is tested of sorts of logical warps.

use sortsmith_codegen::Family;
use sortsmith_testkit::sampler;

use super::mutants::{MUTATIONS, SPECS, SURVIVORS};
use crate::families::{Mutants, TileTests};
use crate::sites::Survivor;

pub(crate) const TESTS: TileTests = TileTests {
    family: Family::WarpBitonic,
    fresh: |rng| sampler::of_family(Family::WarpBitonic, u32::MAX, rng),
    fresh_sorts: [25, 1945],
    sanitized: [6, 200],
    batch: 10,
    orders: 3,
    // Each way to exchange items.
    every_length: &[
        "warp_bitonic_sort_f32_u32_w4_i3_asc_stable",
        "warp_bitonic_sort_u32_keys_w8_i4_desc",
        "warp_bitonic_sort_i8_index_w16_i2_asc_stable_instriped",
        "warp_bitonic_sort_u64_u16_w2_i7_desc_stable_instriped",
        "warp_bitonic_sort_f16_u64_w32_i1_asc_stable_outstriped",
        "warp_bitonic_sort_i64_keys_w4_i12_asc_outstriped",
    ],
    mutants: Mutants {
        specs: &SPECS,
        mutations: MUTATIONS,
        survivors: SURVIVORS,
        sites: SITES,
        unpassed: &[],
        cases: 80,
        site_cases: 80,
    },
};

const SITES: &[Survivor] = &[Survivor {
    marker: "loaded-composites",
    specs: &[
        "warp_bitonic_sort_i16_u8_w4_i4_asc",
        "warp_bitonic_sort_f32_u32_w16_i3_desc_stable_instriped_outstriped",
        "warp_bitonic_sort_u64_u64_w4_i6_desc_stable_outstriped",
        "warp_bitonic_sort_i32_index_w8_i2_asc_stable",
        "warp_bitonic_sort_u8_u128_w4_i16_asc",
    ],
    reason: "Each lane writes the slots that it has read itself.",
}];
