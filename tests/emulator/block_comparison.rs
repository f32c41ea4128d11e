//! Bitonic sorts and merge sorts of blocks.

use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::{Family, SortSpec};
use sortsmith_testkit::emulator::Flavour;
use sortsmith_testkit::runner::Plan;
use sortsmith_testkit::sampler;
use sortsmith_testkit::seed::{self, Seed};

use super::{every_length, of_family, run};

/// The largest number of items of a random tile.
const LARGEST_TILE: u32 = 1500;

/// The chosen bitonic sorts, else the known ones and fresh ones.
fn specs(plan: &Plan<'_>, known: Vec<SortSpec>, count: usize) -> Vec<SortSpec> {
    let fresh = |rng: &mut ChaCha8Rng| sampler::block_bitonic(LARGEST_TILE, rng);
    of_family(plan, Family::BlockBitonic, known, count, fresh)
}

/// The chosen merge sorts, else the known ones and fresh ones.
fn merge_specs(plan: &Plan<'_>, known: Vec<SortSpec>, count: usize) -> Vec<SortSpec> {
    let fresh = |rng: &mut ChaCha8Rng| sampler::block_merge(LARGEST_TILE, rng);
    of_family(plan, Family::BlockMerge, known, count, fresh)
}

#[test]
fn block_bitonic_covering_and_fresh() {
    let seed = Seed::from_env();
    let count = if seed::is_deep() { 1500 } else { 120 };
    let plan = Plan {
        test: "block_comparison::block_bitonic_covering_and_fresh",
        seed,
        flavour: Flavour::Plain,
        batch: 10,
        cases: 20,
        orders: 3,
        races: 4,
    };
    run(&plan, &specs(&plan, sampler::block_bitonic_covering_set(), count));
}

/// 32-bit keys by truncated keys: with all values that are stored beside them, in tiles of one warp and of many.
#[test]
fn block_bitonic_by_truncated_keys() {
    let seed = Seed::from_env();
    let plan = Plan {
        test: "block_comparison::block_bitonic_by_truncated_keys",
        seed,
        flavour: Flavour::Plain,
        batch: 6,
        cases: if seed::is_deep() { 200 } else { 40 },
        orders: 3,
        races: 4,
    };
    let specs: Vec<SortSpec> = sampler::block_bitonic_truncated_set();
    run(&plan, &super::chosen().unwrap_or(specs));
}

/// Short keys, two in a register: of all types, in tiles of one warp and of many.
#[test]
fn block_bitonic_of_packed_pairs() {
    let seed = Seed::from_env();
    let plan = Plan {
        test: "block_comparison::block_bitonic_of_packed_pairs",
        seed,
        flavour: Flavour::Plain,
        batch: 6,
        cases: if seed::is_deep() { 200 } else { 40 },
        orders: 3,
        races: 4,
    };
    let specs: Vec<SortSpec> = sampler::block_bitonic_packed_set();
    run(&plan, &super::chosen().unwrap_or(specs));
}

#[test]
fn block_bitonic_sanitized() {
    let seed = Seed::from_env();
    let count = if seed::is_deep() { 200 } else { 6 };
    let plan = Plan {
        test: "block_comparison::block_bitonic_sanitized",
        seed,
        flavour: Flavour::Sanitized,
        batch: 3,
        cases: 20,
        orders: 2,
        races: 0,
    };
    run(&plan, &specs(&plan, Vec::new(), count));
}

/// Small tiles of each way to merge, with every number of valid items, under all schedules.
#[test]
fn block_bitonic_every_length() {
    every_length(
        "block_bitonic_every_length",
        &[
            "block_bitonic_sort_f32_u32_b24_i3_asc_stable",
            "block_bitonic_sort_u32_keys_b64_i4_desc",
            "block_bitonic_sort_i8_index_b96_i2_asc_stable_instriped",
            "block_bitonic_sort_u64_u16_b9_i7_desc_stable_instriped_outstriped",
            "block_bitonic_sort_f16_u64_b64_i1_asc_outstriped",
            "block_bitonic_sort_f32_u32_b32_i5_desc",
            "block_bitonic_sort_f32_u32_b64_i2_desc_stable",
            "block_bitonic_sort_i32_index_b32_i6_asc_outstriped",
        ],
    );
}

#[test]
fn block_merge_covering_and_fresh() {
    let seed = Seed::from_env();
    let count = if seed::is_deep() { 1500 } else { 110 };
    let plan = Plan {
        test: "block_comparison::block_merge_covering_and_fresh",
        seed,
        flavour: Flavour::Plain,
        batch: 10,
        cases: 20,
        orders: 3,
        races: 4,
    };
    run(&plan, &merge_specs(&plan, sampler::block_merge_covering_set(), count));
}

#[test]
fn block_merge_sanitized() {
    let seed = Seed::from_env();
    let count = if seed::is_deep() { 200 } else { 4 };
    let plan = Plan {
        test: "block_comparison::block_merge_sanitized",
        seed,
        flavour: Flavour::Sanitized,
        batch: 2,
        cases: 20,
        orders: 2,
        races: 0,
    };
    run(&plan, &merge_specs(&plan, Vec::new(), count));
}

/// The same of merges: within warps and across them, of runs that end with the tile.
#[test]
fn block_merge_every_length() {
    every_length(
        "block_merge_every_length",
        &[
            "block_merge_sort_f32_u32_b24_i3_asc",
            "block_merge_sort_u32_keys_b64_i4_desc",
            "block_merge_sort_i8_index_b96_i2_asc_instriped",
            "block_merge_sort_u64_u16_b9_i7_desc_instriped_outstriped",
            "block_merge_sort_f16_u64_b64_i1_asc_outstriped",
        ],
    );
}
