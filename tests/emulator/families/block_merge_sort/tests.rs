//! What is tested of merge sorts of blocks.

use sortsmith_codegen::Family;
use sortsmith_testkit::sampler;

use super::mutants::{MUTATIONS, SPECS, SURVIVORS};
use crate::families::{Mutants, TileTests};
use crate::sites::survivors::VOTE_OF_ZEROS;

pub(crate) const TESTS: TileTests = TileTests {
    family: Family::BlockMerge,
    fresh: |rng| sampler::of_family(Family::BlockMerge, 1500, rng),
    fresh_sorts: [8, 1400],
    sanitized: [4, 200],
    batch: 10,
    orders: 3,
    // Merges within warps and across them, of runs that end with the tile.
    every_length: &[
        "block_merge_sort_f32_u32_b24_i3_asc",
        "block_merge_sort_u32_keys_b64_i4_desc",
        "block_merge_sort_i8_index_b96_i2_asc_instriped",
        "block_merge_sort_u64_u16_b9_i7_desc_instriped_outstriped",
        "block_merge_sort_f16_u64_b64_i1_asc_outstriped",
    ],
    mutants: Mutants {
        specs: &SPECS,
        mutations: MUTATIONS,
        survivors: SURVIVORS,
        sites: VOTE_OF_ZEROS,
        unpassed: &[],
        cases: 60,
        site_cases: 40,
    },
};
