//! Gathers.

use sortsmith_codegen::gather::GatherSpec;
use sortsmith_testkit::emulator::Flavour;
use sortsmith_testkit::runner::Plan;
use sortsmith_testkit::sampler;
use sortsmith_testkit::seed::{self, Seed};

use super::{chosen, run, with_fresh};

/// The chosen specs, else the covering set and fresh ones: `count` in all.
fn specs(plan: &Plan<'_>, count: usize) -> Vec<GatherSpec> {
    chosen().unwrap_or_else(|| {
        let mut rng = plan.seed.rng(plan.test);
        with_fresh(sampler::gather_covering_set(), count, || sampler::gather(&mut rng))
    })
}

#[test]
fn gathers() {
    let seed = Seed::from_env();
    let count = if seed::is_deep() { 400 } else { 60 };
    let plan = Plan {
        test: "gathers",
        seed,
        flavour: Flavour::Plain,
        batch: 30,
        cases: 18,
        orders: 2,
        races: 4,
    };
    run(&plan, &specs(&plan, count));
}

#[test]
fn gathers_under_sanitizers() {
    let seed = Seed::from_env();
    let count = if seed::is_deep() { 100 } else { 40 };
    let plan = Plan {
        test: "gathers_under_sanitizers",
        seed,
        flavour: Flavour::Sanitized,
        batch: 20,
        cases: 12,
        orders: 1,
        races: 0,
    };
    run(&plan, &specs(&plan, count));
}
