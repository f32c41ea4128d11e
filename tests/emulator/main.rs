//! Runs generated CUDA on the CPU and compares every result with the oracle.
//!
//! `SORTSMITH_SEED` repeats a run, `SORTSMITH_SPEC` narrows it to specs by name, `SORTSMITH_DEEP=1` makes it long.

mod device;
mod gather;
mod mutants;
mod warp;

use std::collections::HashSet;
use std::hash::Hash;
use std::path::Path;

use sortsmith_codegen::SortSpec;
use sortsmith_testkit::emulator::{Compiler, Flavour};
use sortsmith_testkit::runner::{self, Plan};
use sortsmith_testkit::sampler;
use sortsmith_testkit::seed::{self, Seed};
use sortsmith_testkit::subject::Subject;

fn compiler() -> Compiler {
    let target =
        Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it is in the target folder");
    Compiler::new(&target.join("emulator"))
}

/// The specs that the environment chooses, if any.
fn chosen<S: Subject>() -> Option<Vec<S>> {
    let parse = |name: &String| name.parse().unwrap_or_else(|error| panic!("{error}"));
    seed::chosen_specs().map(|names| names.iter().map(parse).collect())
}

/// The known specs and fresh ones: `count` in all, all of them different.
fn with_fresh<S: Subject + Eq + Hash>(
    mut specs: Vec<S>,
    count: usize,
    mut fresh: impl FnMut() -> S,
) -> Vec<S> {
    let mut known: HashSet<S> = specs.iter().copied().collect();
    while specs.len() < count {
        let spec = fresh();
        if known.insert(spec) {
            specs.push(spec);
        }
    }
    specs
}

/// The chosen specs, else the covering set, if asked for, and fresh ones: `count` in all.
fn specs(
    plan: &Plan<'_>,
    with_covering_set: bool,
    count: usize,
    largest_tile: u32,
) -> Vec<SortSpec> {
    chosen().unwrap_or_else(|| {
        let known = if with_covering_set { sampler::covering_set() } else { Vec::new() };
        let mut rng = plan.seed.rng(plan.test);
        with_fresh(known, count, || {
            loop {
                let spec = sampler::block_radix(&mut rng);
                if spec.tile_items() <= largest_tile {
                    break spec;
                }
            }
        })
    })
}

fn run<S: Subject>(plan: &Plan<'_>, specs: &[S]) {
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
    run(&plan, &specs(&plan, true, count, u32::MAX));
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
    run(&plan, &specs(&plan, false, count, 2048));
}
