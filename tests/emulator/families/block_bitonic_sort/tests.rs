//! What is tested of bitonic sorts of blocks.

use sortsmith_codegen::{Family, SortSpec};
use sortsmith_testkit::emulator::Flavour;
use sortsmith_testkit::runner::Workload;
use sortsmith_testkit::sampler;
use sortsmith_testkit::sampler::block_bitonic_sort::{packed_set, truncated_set};

use super::mutants::{MUTATIONS, SPECS, SURVIVORS};
use crate::families::{Mutants, TileTests};
use crate::sites::survivors::VOTE_OF_ZEROS;
use crate::{chosen, proofs, usual_or_deep};

pub(crate) const TESTS: TileTests = TileTests {
    family: Family::BlockBitonic,
    fresh: |rng| sampler::of_family(Family::BlockBitonic, 1500, rng),
    fresh_sorts: [16, 1400],
    sanitized: [6, 200],
    batch: 10,
    orders: 3,
    // Each way to merge.
    every_length: &[
        "block_bitonic_sort_f32_u32_b24_i3_asc_stable",
        "block_bitonic_sort_u32_keys_b64_i4_desc",
        "block_bitonic_sort_i8_index_b96_i2_asc_stable_instriped",
        "block_bitonic_sort_u64_u16_b9_i7_desc_stable_instriped_outstriped",
        "block_bitonic_sort_f16_u64_b64_i1_asc_outstriped",
        "block_bitonic_sort_f32_u32_b32_i5_desc",
        "block_bitonic_sort_f32_u32_b64_i2_desc_stable",
        "block_bitonic_sort_i32_index_b32_i6_asc_outstriped",
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

/// The chosen bitonic sorts, else these.
fn run(test: &'static str, known: Vec<SortSpec>) {
    let seed = proofs::seed_of_known();
    let cases = usual_or_deep([40, 200]);
    let workload =
        Workload { test, seed, flavour: Flavour::Plain, batch: 6, cases, orders: 3, races: 4 };
    let prefix = Family::BlockBitonic.prefix();
    proofs::of_known(prefix, &workload, &chosen(prefix).unwrap_or(known));
}

/// 32-bit keys by truncated keys: with all values that are stored beside them, in tiles of one warp and of many.
#[test]
fn by_truncated_keys() {
    let test = "families::block_bitonic_sort::tests::by_truncated_keys";
    run(test, truncated_set());
}

/// Short keys, two in a register: of all types, in tiles of one warp and of many.
#[test]
fn of_packed_pairs() {
    let test = "families::block_bitonic_sort::tests::of_packed_pairs";
    run(test, packed_set());
}
