//! Fresh specs of all families, keys that random strings of bytes describe where they are sorts, and orders of threads, for as long as the deep
//! test gives them.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::device::{DeviceAlgorithm, DeviceSpec};
use sortsmith_codegen::render::RenderError;
use sortsmith_codegen::{Family, SortSpec, Token};
use sortsmith_testkit::device_families;
use sortsmith_testkit::emulator::{Flavour, Member, Message, Outcome};
use sortsmith_testkit::runner::{self, Totals, Workload};
use sortsmith_testkit::sampler;
use sortsmith_testkit::seed::{self, Seed};
use sortsmith_testkit::subject::Subject;

use super::{compiler, families};

/// What the deep test gives them; a round that has begun is ended.
const TIME: Duration = Duration::from_secs(180);

/// Specs of one family in a round: a program for each of two cores.
const ROUND: usize = 8;

/// A spec that meets structured keys alone.
#[derive(Clone, Copy)]
struct Fuzzed<S>(S);

impl<S: fmt::Display> fmt::Display for Fuzzed<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<S: FromStr> FromStr for Fuzzed<S> {
    type Err = S::Err;

    fn from_str(name: &str) -> Result<Self, S::Err> {
        name.parse().map(Self)
    }
}

impl<S: Subject> Subject for Fuzzed<S> {
    type Case = S::Case;

    fn member(&self) -> Result<Member, RenderError> {
        self.0.member()
    }

    fn marked_header(&self) -> Result<String, RenderError> {
        self.0.marked_header()
    }

    fn cost(&self) -> u64 {
        self.0.cost()
    }

    fn cases(&self, count: usize, rng: &mut ChaCha8Rng) -> Vec<S::Case> {
        self.0.structured_cases(count, rng)
    }

    fn message(&self, case: &S::Case, member: usize, seed: u64) -> Message {
        self.0.message(case, member, seed)
    }

    fn complaint(&self, case: &S::Case, outcome: &Outcome) -> Option<String> {
        self.0.complaint(case, outcome)
    }

    fn wrong_barriers(&self, case: &S::Case, barriers: u32) -> Option<String> {
        self.0.wrong_barriers(case, barriers)
    }
}

/// The items of a tile, at most.
const LARGEST_TILE: u32 = 2048;

fn run<S: Subject>(workload: &Workload<'_>, specs: &[S], totals: &mut Totals) {
    let specs: Vec<Fuzzed<S>> = specs.iter().copied().map(Fuzzed).collect();
    let done = runner::run(&compiler(), workload, &specs);
    done.expect_no_failures();
    totals.specs += done.specs;
    totals.cases += done.cases;
    totals.runs += done.runs;
}

fn parsed<S: Subject>(names: &[&String]) -> Vec<S> {
    let parse = |name: &&String| name.parse().unwrap_or_else(|error| panic!("{error}"));
    names.iter().map(parse).collect()
}

/// Without `SORTSMITH_DEEP=1` the specs that `SORTSMITH_SPEC` names, which is how a failure is seen again.
#[test]
fn fuzzed() {
    let seed = Seed::from_env();
    let workload = Workload {
        test: "fuzzed",
        seed,
        flavour: Flavour::Plain,
        batch: ROUND / 2,
        cases: 24,
        orders: 4,
        races: 2,
    };
    // What costs more meets fewer orders of threads.
    let wide_workload = Workload { orders: 2, ..workload };
    let mut totals = Totals::default();
    if let Some(names) = seed::chosen_specs() {
        families::fuzz_kernels(&wide_workload, Some(&names), &mut seed.rng("fuzzed"), &mut totals);
        let sorts = names.iter().filter(|name| !families::is_of_kernels(name));
        let (wide, block): (Vec<_>, Vec<_>) = sorts.partition(|name| name.starts_with("device_"));
        if !block.is_empty() {
            run(&workload, &parsed::<SortSpec>(&block), &mut totals);
        }
        if !wide.is_empty() {
            run(&wide_workload, &parsed::<DeviceSpec>(&wide), &mut totals);
        }
        return;
    }
    if !seed::is_deep() {
        eprintln!("left out: {}=1 asks for it", seed::DEEP_VARIABLE);
        return;
    }
    let (start, mut rng) = (Instant::now(), seed.rng("fuzzed"));
    while start.elapsed() < TIME {
        for (family, _) in Family::table() {
            let draw = |_| sampler::of_family(*family, LARGEST_TILE, &mut rng);
            let specs: Vec<SortSpec> = (0..ROUND).map(draw).collect();
            run(&workload, &specs, &mut totals);
        }
        for algorithm in DeviceAlgorithm::ALL {
            let draw = |_| device_families::facts(algorithm).fresh(&mut rng);
            let specs: Vec<DeviceSpec> = (0..ROUND / 2).map(draw).collect();
            run(&wide_workload, &specs, &mut totals);
        }
        families::fuzz_kernels(&wide_workload, None, &mut rng, &mut totals);
    }
    let Totals { specs, cases, runs, .. } = totals;
    eprintln!(
        "fuzzed: {specs} specs, {cases} cases, {runs} runs, {}={}",
        seed::SEED_VARIABLE,
        seed.0
    );
}
