//! What is tested of odd-even transposition sorts of blocks.

use sortsmith_codegen::Family;
use sortsmith_testkit::sampler;

use super::mutants::{MUTATIONS, SPECS};
use crate::families::{Mutants, TileTests};

pub(crate) const TESTS: TileTests = TileTests {
    family: Family::BlockOddEven,
    fresh: |rng| sampler::of_family(Family::BlockOddEven, u32::MAX, rng),
    fresh_sorts: [60, 600],
    sanitized: [4, 100],
    batch: 10,
    orders: 3,
    // Threads with one pair and with several, even and odd tiles.
    every_length: &[
        "block_odd_even_sort_f32_u32_b8_i3_asc",
        "block_odd_even_sort_i16_keys_b33_i1_desc_outstriped",
        "block_odd_even_sort_u64_index_b5_i5_asc_instriped",
    ],
    mutants: Mutants {
        specs: &SPECS,
        mutations: MUTATIONS,
        survivors: &[],
        sites: &[],
        unpassed: &[],
        cases: 40,
        site_cases: 40,
    },
};
