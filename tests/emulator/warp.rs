//! Sorts of logical warps.

use sortsmith_codegen::{Family, SortSpec};
use sortsmith_testkit::emulator::Flavour;
use sortsmith_testkit::runner::Plan;
use sortsmith_testkit::sampler;
use sortsmith_testkit::seed::{self, Seed};

use super::{every_length, of_family, run};

/// The chosen specs of the family, else the known ones and fresh ones.
fn specs(plan: &Plan<'_>, known: Vec<SortSpec>, count: usize) -> Vec<SortSpec> {
    of_family(plan, Family::WarpBitonic, known, count, sampler::warp_bitonic)
}

#[test]
fn warp_covering_and_fresh() {
    let seed = Seed::from_env();
    let count = if seed::is_deep() { 2000 } else { 80 };
    let plan = Plan {
        test: "warp::warp_covering_and_fresh",
        seed,
        flavour: Flavour::Plain,
        batch: 10,
        cases: 20,
        orders: 3,
        races: 4,
    };
    run(&plan, &specs(&plan, sampler::warp_covering_set(), count));
}

#[test]
fn warp_sanitized() {
    let seed = Seed::from_env();
    let count = if seed::is_deep() { 200 } else { 6 };
    let plan = Plan {
        test: "warp::warp_sanitized",
        seed,
        flavour: Flavour::Sanitized,
        batch: 4,
        cases: 20,
        orders: 2,
        races: 0,
    };
    run(&plan, &specs(&plan, Vec::new(), count));
}

/// Small tiles of each way to exchange items, with every number of valid items, under all schedules.
#[test]
fn warp_every_length() {
    every_length(
        "warp_every_length",
        &[
            "warp_bitonic_sort_f32_u32_w4_i3_asc_stable",
            "warp_bitonic_sort_u32_keys_w8_i4_desc",
            "warp_bitonic_sort_i8_index_w16_i2_asc_stable_instriped",
            "warp_bitonic_sort_u64_u16_w2_i7_desc_stable_instriped",
            "warp_bitonic_sort_f16_u64_w32_i1_asc_stable_outstriped",
            "warp_bitonic_sort_i64_keys_w4_i12_asc_outstriped",
        ],
    );
}
