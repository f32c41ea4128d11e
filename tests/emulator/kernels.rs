//! What is tested of all families that work on arrays and are no device-wide sort of one array. What a family has of its own is in its
//! folder in [`families`](crate::families).

use rand_chacha::ChaCha8Rng;
use sortsmith_testkit::emulator::Flavour;
use sortsmith_testkit::kernel_families::KernelFacts;
use sortsmith_testkit::runner::{self, Totals, Workload};
use sortsmith_testkit::seed::{self, Seed};

use crate::mutants::Barriers;
use crate::{chosen, compiler, mutants, orders_of_a_case, run, sites, with_fresh};

/// What is tested of a family. Its specs are those that its [`KernelFacts`] have.
pub(crate) struct KernelTests {
    /// Specs of the covering set and fresh ones.
    pub(crate) plain: Amount,
    /// The same under sanitizers.
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
    /// Specs in all: usually, and in deep runs. If the covering set has more, every n-th of its specs is taken, with n so large that its last
    /// ones are among them, and the rest is fresh.
    pub(crate) specs: [usize; 2],
    /// Specs in one program.
    pub(crate) batch: usize,
    /// Cases of each spec.
    pub(crate) cases: usize,
    /// The number of cases in which races are looked for.
    pub(crate) races: usize,
}

impl Amount {
    /// The chosen specs of the family, else those of the covering set and fresh ones.
    fn specs<S: KernelFacts>(&self, workload: &Workload<'_>) -> Vec<S> {
        let [usual, deep] = self.specs;
        let count = if seed::is_deep() { deep } else { usual };
        chosen(S::FOLDER).unwrap_or_else(|| {
            let known = S::covering_set();
            let step = known.len().div_ceil(count).max(1);
            let known = known.into_iter().step_by(step).collect();
            let mut rng = workload.seed.rng(workload.test);
            with_fresh(known, count, || S::fresh(&mut rng))
        })
    }
}

/// Specs of the covering set and fresh ones.
pub(crate) fn covering_and_fresh<S: KernelFacts>(tests: &KernelTests, test: &'static str) {
    let Amount { batch, cases, races, .. } = tests.plain;
    let seed = Seed::from_env();
    let orders = orders_of_a_case();
    let workload = Workload { test, seed, flavour: Flavour::Plain, batch, cases, orders, races };
    run(&workload, &tests.plain.specs::<S>(&workload));
}

/// The same under sanitizers.
pub(crate) fn sanitized<S: KernelFacts>(tests: &KernelTests, test: &'static str) {
    let Amount { batch, cases, races, .. } = tests.sanitized;
    let seed = Seed::from_env();
    let workload =
        Workload { test, seed, flavour: Flavour::Sanitized, batch, cases, orders: 1, races };
    run(&workload, &tests.sanitized.specs::<S>(&workload));
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
