//! Sorts of logical warps.

use sortsmith_codegen::{Family, SortSpec};
use sortsmith_testkit::emulator::Flavour;
use sortsmith_testkit::runner::Plan;
use sortsmith_testkit::sampler;
use sortsmith_testkit::seed::{self, Seed};

use super::{chosen, run, with_fresh};

/// The chosen specs of the family, else the known ones and fresh ones.
fn specs(plan: &Plan<'_>, known: Vec<SortSpec>, count: usize) -> Vec<SortSpec> {
    if let Some(chosen) = chosen::<SortSpec>() {
        let is_of_family = |spec: &SortSpec| spec.algorithm.family() == Family::WarpBitonic;
        return chosen.into_iter().filter(is_of_family).collect();
    }
    let mut rng = plan.seed.rng(plan.test);
    with_fresh(known, count, || sampler::warp_bitonic(&mut rng))
}

#[test]
fn warp_covering_and_fresh() {
    let seed = Seed::from_env();
    let count = if seed::is_deep() { 2000 } else { 60 };
    let plan = Plan {
        test: "warp::warp_covering_and_fresh",
        seed,
        flavour: Flavour::Plain,
        batch: 10,
        cases: 20,
        orders: 3,
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
    };
    run(&plan, &specs(&plan, Vec::new(), count));
}
