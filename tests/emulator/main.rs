//! Runs generated CUDA on the CPU and compares every result with the oracle.
//!
//! `SORTSMITH_SEED` repeats a run, `SORTSMITH_SPEC` narrows it to specs by name, `SORTSMITH_DEEP=1` makes it long.

mod corpus;
mod device;
mod families;
mod flushed;
mod fuzz;
mod kernels;
mod listed;
mod markers;
mod mutants;
mod proofs;
mod selftests;
mod sites;

use std::collections::HashSet;
use std::hash::Hash;
use std::path::Path;

use sortsmith_codegen::registry::Named;
use sortsmith_codegen::{Family, SortSpec};
use sortsmith_testkit::cases::{self, Case};
use sortsmith_testkit::emulator::{Compiler, Flavour, SCHEDULES, Session};
use sortsmith_testkit::runner::{self, REQUEST_LIMIT, Workload};
use sortsmith_testkit::seed;
use sortsmith_testkit::subject::Subject;

/// Seconds of a processor that a block of a broken kernel may take: far more than any that is right does.
const BLOCK_SECONDS: u32 = 3;

/// The number of orders of threads that a case of a sort of arrays meets. The next case goes on with the next schedule, so that over its
/// cases a sort meets all of them several times.
fn orders_of_a_case() -> u64 {
    if seed::is_deep() { 2 } else { 1 }
}

/// The first number, or in deep runs the second one.
fn usual_or_deep([usual, deep]: [usize; 2]) -> usize {
    if seed::is_deep() { deep } else { usual }
}

fn compiler() -> Compiler {
    let target =
        Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it is in the target folder");
    Compiler::new(&target.join("emulator"))
}

/// The specs that the environment chooses of a family, by what its names begin with. None where it chooses no specs at all.
fn chosen<S: Subject>(family: &str) -> Option<Vec<S>> {
    let names = seed::chosen_specs()?;
    for name in &names {
        assert_legal(name);
    }
    let is_its_own = |name: &&String| name.starts_with(&format!("{family}_"));
    let parse = |name: &String| name.parse().unwrap_or_else(|error| panic!("{error}"));
    Some(names.iter().filter(is_its_own).map(parse).collect())
}

/// Panics if a text is no spec's name.
fn assert_legal(name: &str) {
    if Named::claims(name) {
        name.parse::<Named>().unwrap_or_else(|error| panic!("{error}"));
    } else {
        name.parse::<SortSpec>().unwrap_or_else(|error| panic!("{error}"));
    }
}

/// Fresh specs, all of them different, and none of the covering set.
fn fresh_specs<S: Subject + Eq + Hash>(
    count: usize,
    covering: Vec<S>,
    mut fresh: impl FnMut() -> S,
) -> Vec<S> {
    let (mut known, mut specs): (HashSet<S>, _) = (covering.into_iter().collect(), Vec::new());
    while specs.len() < count {
        let spec = fresh();
        if known.insert(spec) {
            specs.push(spec);
        }
    }
    specs
}

/// Tries every number of valid items of these specs of a family, each under some of the schedules, so that all are used.
fn every_length(family: Family, test: &str, names: &[&str]) {
    let parse = |name: &&str| name.parse().unwrap_or_else(|error| panic!("{error}"));
    let specs: Vec<SortSpec> = names.iter().map(parse).collect();
    let seed = proofs::seed_of_known();
    let cases_of = |spec: &SortSpec| {
        let cases = cases::of_every_length(spec, &mut seed.rng(&spec.to_string()));
        assert_eq!(cases.len(), 2 * (spec.tile_items() as usize + 1));
        cases
    };
    proofs::of_cases(family.prefix(), test, &specs, cases_of, || {
        eprintln!("{test}: {}={}", seed::SEED_VARIABLE, seed.0);
        run_every_length(test, &specs, cases_of);
    });
}

fn run_every_length(test: &str, specs: &[SortSpec], cases_of: impl Fn(&SortSpec) -> Vec<Case>) {
    let members = proofs::members(specs);
    // Its folder goes when it goes.
    let compiler = compiler();
    let batch =
        compiler.build(test, &members, Flavour::Plain).unwrap_or_else(|error| panic!("{error}"));
    let mut session = Session::start(&batch, REQUEST_LIMIT).unwrap_or_else(|e| panic!("{e}"));
    for (member, spec) in specs.iter().enumerate() {
        for (number, case) in cases_of(spec).iter().enumerate() {
            for round in 0..3 {
                let order = (number as u64 + round) * SCHEDULES + (number as u64 + 2 * round) % 6;
                let outcome = session.run(&case.request(spec, member, order).message());
                let outcome = outcome.unwrap_or_else(|error| panic!("{spec}, {case}: {error}"));
                if let Some(complaint) = case.complaint(spec, &outcome) {
                    panic!("{spec}, {case}, order {order}: {complaint}");
                }
            }
        }
    }
}

fn run<S: Subject>(workload: &Workload<'_>, specs: &[S]) {
    let tested: Vec<S> = workload.seed.tested(specs.len()).map(|index| specs[index]).collect();
    eprintln!(
        "{}: {} specs, {}={}",
        workload.test,
        tested.len(),
        seed::SEED_VARIABLE,
        workload.seed.0
    );
    let totals = runner::run(&compiler(), workload, &tested);
    eprintln!(
        "{}: {} specs, {} cases, {} runs; {} s of compiling and {} s of running over all cores",
        workload.test,
        totals.specs,
        totals.cases,
        totals.runs,
        totals.building.as_secs(),
        totals.running.as_secs(),
    );
    totals.expect_no_failures();
}
