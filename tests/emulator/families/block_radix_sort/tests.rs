//! What is tested of block radix sorts.

use sortsmith_codegen::Family;
use sortsmith_testkit::sampler;

use super::mutants::{MUTATIONS, SPECS, SURVIVORS};
use crate::families::{Mutants, TileTests};

pub(crate) const TESTS: TileTests = TileTests {
    family: Family::BlockRadix,
    fresh: sampler::block_radix,
    fresh_sorts: [290, 3790],
    sanitized: [40, 400],
    batch: 8,
    orders: 4,
    // Packed ranks and both matches, with storage of their own and shared, and each way that values move; structs.
    every_length: &[
        "block_radix_sort_f32_u32_b33_i2_r4_asc",
        "block_radix_sort_u64_u64_b5x4_i3_r6_desc_instriped",
        "block_radix_sort_i16_index_b64_i2_r8_asc_match_outstriped",
        "block_radix_sort_u8_u8_b32_i4_r5_desc_matchmasks",
        "block_radix_sort_u8f16_u32_b32_i2_r6_desc",
    ],
    mutants: Mutants {
        specs: &SPECS,
        mutations: MUTATIONS,
        survivors: SURVIVORS,
        sites: &[],
        unpassed: &[],
        cases: 40,
        site_cases: 40,
    },
};
