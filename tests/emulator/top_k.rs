//! Top-ks.

use sortsmith_codegen::top_k::TopKSpec;
use sortsmith_testkit::emulator::Flavour;
use sortsmith_testkit::runner::Plan;
use sortsmith_testkit::sampler;
use sortsmith_testkit::seed::{self, Seed};

use super::{chosen, run, with_fresh};

/// The chosen specs, else the covering set and fresh ones: `count` in all.
fn specs(plan: &Plan<'_>, count: usize) -> Vec<TopKSpec> {
    chosen().unwrap_or_else(|| {
        let mut rng = plan.seed.rng(plan.test);
        with_fresh(sampler::top_k_covering_set(), count, || sampler::top_k(&mut rng))
    })
}

#[test]
fn top_ks() {
    let seed = Seed::from_env();
    let count = if seed::is_deep() { 120 } else { 18 };
    let plan = Plan {
        test: "top_ks",
        seed,
        flavour: Flavour::Plain,
        batch: 10,
        cases: 24,
        orders: 2,
        races: 8,
    };
    run(&plan, &specs(&plan, count));
}

#[test]
fn top_ks_under_sanitizers() {
    let seed = Seed::from_env();
    let plan = Plan {
        test: "top_ks_under_sanitizers",
        seed,
        flavour: Flavour::Sanitized,
        batch: 6,
        cases: 18,
        orders: 1,
        races: 0,
    };
    let specs = specs(&plan, 0);
    // A fifth of the types; the emulator's own checks see all of them.
    let some: Vec<TopKSpec> = specs.into_iter().step_by(5).collect();
    run(&plan, &some);
}
