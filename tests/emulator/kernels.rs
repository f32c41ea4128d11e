//! What is tested of all families that work on arrays and are no device-wide sort of one array. What a family has of its own is in its
//! folder in [`families`](crate::families).

use rand_chacha::ChaCha8Rng;
use sortsmith_testkit::emulator::Flavour;
use sortsmith_testkit::kernel_families::KernelFacts;
use sortsmith_testkit::runner::{self, Totals, Workload};
use sortsmith_testkit::seed::Seed;

use crate::mutants::Barriers;
use crate::{
    chosen, compiler, fresh_specs, mutants, orders_of_a_case, proofs, run, sites, usual_or_deep,
};

/// What is tested of a family. Its specs are those that its [`KernelFacts`] have.
pub(crate) struct KernelTests {
    /// Specs of the covering set, and fresh ones.
    pub(crate) plain: Amount,
    /// Fresh ones under sanitizers.
    pub(crate) sanitized: Amount,
    /// Broken headers.
    pub(crate) mutants: mutants::Ground,
    /// Specs that have their barriers, fences, waits and atomics taken out, if mutants do not have their barriers taken out.
    pub(crate) sites: &'static [sites::Ground],
    /// Calls in these that no case passes.
    pub(crate) unpassed: &'static [sites::Unpassed],
}

/// How much is tested.
#[derive(Clone, Copy)]
pub(crate) struct Amount {
    /// Fresh specs: usually, and in deep runs.
    pub(crate) fresh: [usize; 2],
    /// Specs in one program.
    pub(crate) batch: usize,
    /// Cases of each spec.
    pub(crate) cases: usize,
    /// The number of cases in which races are looked for.
    pub(crate) races: usize,
}

impl KernelTests {
    fn plain<'a>(&self, test: &'a str, seed: Seed) -> Workload<'a> {
        let Amount { batch, cases, races, .. } = self.plain;
        let orders = orders_of_a_case();
        Workload { test, seed, flavour: Flavour::Plain, batch, cases, orders, races }
    }
}

/// The chosen specs of the family, else its covering set.
pub(crate) fn covering<S: KernelFacts>(tests: &KernelTests, test: &'static str) {
    let workload = tests.plain(test, proofs::seed_of_known());
    let specs = chosen(S::FOLDER).unwrap_or_else(S::covering_set);
    proofs::of_known(S::FOLDER, &workload, &specs);
}

/// The chosen specs of the family, else fresh ones.
pub(crate) fn fresh<S: KernelFacts>(tests: &KernelTests, test: &'static str) {
    let workload = tests.plain(test, Seed::from_env());
    run(&workload, &chosen_or_fresh::<S>(&workload, tests.plain.fresh));
}

/// The same under sanitizers.
pub(crate) fn sanitized<S: KernelFacts>(tests: &KernelTests, test: &'static str) {
    let Amount { fresh, batch, cases, races } = tests.sanitized;
    let seed = Seed::from_env();
    let workload =
        Workload { test, seed, flavour: Flavour::Sanitized, batch, cases, orders: 1, races };
    run(&workload, &chosen_or_fresh::<S>(&workload, fresh));
}

fn chosen_or_fresh<S: KernelFacts>(workload: &Workload<'_>, counts: [usize; 2]) -> Vec<S> {
    chosen(S::FOLDER).unwrap_or_else(|| {
        let mut rng = workload.seed.rng(workload.test);
        fresh_specs(usual_or_deep(counts), S::covering_set(), || S::fresh(&mut rng))
    })
}

/// Barriers are taken out of its headers, here or by its mutants.
pub(crate) fn sites_are_needed<S: KernelFacts>(tests: &KernelTests) {
    assert!(!tests.sites.is_empty() || tests.mutants.barriers == Barriers::Here);
    sites::assert_survivors::<S>(S::FOLDER, tests.sites, tests.unpassed);
}

/// Specs of a family in a round of the fuzzed ones.
const FUZZED: usize = 4;

/// Fresh specs, or those of the chosen ones that are of the family, with cases of their own: rows, segments and keys are drawn anew.
pub(crate) fn fuzz<S: KernelFacts>(
    workload: &Workload<'_>,
    names: Option<&[String]>,
    rng: &mut ChaCha8Rng,
    totals: &mut Totals,
) {
    let parse = |name: &String| name.parse().unwrap_or_else(|_| panic!("{name}: no spec"));
    let specs: Vec<S> = match names {
        Some(names) => names.iter().filter(|it| it.starts_with(S::FOLDER)).map(parse).collect(),
        None => (0..FUZZED).map(|_| S::fresh(rng)).collect(),
    };
    if !specs.is_empty() {
        let done = runner::run(&compiler(), workload, &specs);
        done.expect_no_failures();
        totals.specs += done.specs;
        totals.cases += done.cases;
        totals.runs += done.runs;
    }
}
