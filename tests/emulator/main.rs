//! Runs generated CUDA on the CPU and compares every result with the oracle.
//!
//! `SORTSMITH_SEED` repeats a run, `SORTSMITH_SPEC` narrows it to specs by name, `SORTSMITH_DEEP=1` makes it long.

mod mutants;

use std::collections::HashSet;
use std::path::Path;

use sortsmith_codegen::SortSpec;
use sortsmith_testkit::emulator::{Compiler, Flavour};
use sortsmith_testkit::runner::{self, Plan};
use sortsmith_testkit::sampler;
use sortsmith_testkit::seed::{self, Seed};

fn compiler() -> Compiler {
    let target =
        Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it is in the target folder");
    Compiler::new(&target.join("emulator"))
}

/// The chosen specs, else the covering set, if asked for, and fresh ones: `count` in all.
fn specs(
    seed: Seed,
    subject: &str,
    with_covering_set: bool,
    count: usize,
    largest_tile: u32,
) -> Vec<SortSpec> {
    if let Some(names) = seed::chosen_specs() {
        return names
            .iter()
            .map(|name| name.parse().unwrap_or_else(|error| panic!("{error}")))
            .collect();
    }
    let mut specs = if with_covering_set { sampler::covering_set() } else { Vec::new() };
    let mut known: HashSet<SortSpec> = specs.iter().copied().collect();
    let mut rng = seed.rng(subject);
    while specs.len() < count {
        let fresh = sampler::block_radix(&mut rng);
        if fresh.tile_items() <= largest_tile && known.insert(fresh) {
            specs.push(fresh);
        }
    }
    specs
}

fn run(plan: &Plan<'_>, specs: &[SortSpec]) {
    eprintln!("{}: {} specs, {}={}", plan.test, specs.len(), seed::SEED_VARIABLE, plan.seed.0);
    let totals = runner::run(&compiler(), plan, specs);
    eprintln!(
        "{}: {} specs, {} cases, {} runs; {} s of compiling and {} s of running over all cores",
        plan.test,
        totals.specs,
        totals.cases,
        totals.runs,
        totals.building.as_secs(),
        totals.running.as_secs(),
    );
    totals.expect_no_failures();
}

#[test]
fn covering_and_fresh() {
    let seed = Seed::from_env();
    let count = if seed::is_deep() { 4000 } else { 500 };
    let plan = Plan {
        test: "covering_and_fresh",
        seed,
        flavour: Flavour::Plain,
        batch: 8,
        cases: 20,
        orders: 4,
    };
    run(&plan, &specs(seed, plan.test, true, count, u32::MAX));
}

#[test]
fn sanitized() {
    let seed = Seed::from_env();
    let count = if seed::is_deep() { 400 } else { 40 };
    let plan = Plan {
        test: "sanitized",
        seed,
        flavour: Flavour::Sanitized,
        batch: 4,
        cases: 20,
        orders: 2,
    };
    run(&plan, &specs(seed, plan.test, false, count, 2048));
}
