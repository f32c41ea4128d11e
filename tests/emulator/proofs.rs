//! Tests of the emulator without a random choice, but for mutants and sites: what has held by the same inputs does not run again.

use rand::RngExt as _;
use sortsmith_testkit::emulator::Member;
use sortsmith_testkit::proven::{self, is_source, prove};
use sortsmith_testkit::runner::Workload;
use sortsmith_testkit::seed::Seed;
use sortsmith_testkit::subject::Subject;

use crate::compiler;

/// What proofs draw from.
const FIXED: Seed = Seed(1);

/// The seed of known specs: always the same, so that what has held is not repeated. A fresh one in runs by which nothing is proven, which try more of
/// them, some of them, or chosen ones.
pub(crate) fn seed_of_known() -> Seed {
    if proven::counts() { FIXED } else { Seed::from_env() }
}

/// Runs known specs of a family, by a workload with the [seed](seed_of_known) of such.
pub(crate) fn of_known<S: Subject>(family: &str, workload: &Workload<'_>, specs: &[S]) {
    prove(
        &format!("emulator {}", workload.test),
        |inputs| {
            inputs.add_emulator(family, &compiler());
            inputs.add_sources("tests/kit/src/runner.rs", |_| true);
            inputs.add_debug("workload", workload);
            inputs.add_program(&members(specs));
            for spec in specs {
                let mut rng = workload.seed.rng(&spec.to_string());
                inputs.add_cases(spec, &spec.cases(workload.cases, &mut rng));
                // Orders of threads follow.
                inputs.add_debug("next", &rng.random::<u64>());
            }
        },
        || crate::run(workload, specs),
    );
}

/// Runs a test of specs by these cases.
pub(crate) fn of_cases<S: Subject>(
    family: &str,
    test: &str,
    specs: &[S],
    cases_of: impl Fn(&S) -> Vec<S::Case>,
    proof: impl FnOnce(),
) {
    prove(
        &format!("emulator {test}"),
        |inputs| {
            inputs.add_emulator(family, &compiler());
            inputs.add_program(&members(specs));
            for spec in specs {
                inputs.add_cases(spec, &cases_of(spec));
            }
        },
        proof,
    );
}

/// Runs a test of specs by these names, which are all that it compiles. The sources of the family, which its module is of, say by which cases.
pub(crate) fn of_specs<S: Subject, const N: usize>(
    family: &str,
    (module, test): (&str, &str),
    names: [&str; N],
    proof: impl FnOnce([S; N]),
) {
    let module = module.strip_prefix("emulator::").unwrap_or(module);
    let specs: [S; N] = names.map(|name| name.parse().unwrap_or_else(|error| panic!("{error}")));
    prove(
        &format!("emulator {module}::{test}"),
        |inputs| {
            inputs.add_emulator(family, &compiler());
            inputs.add_program(&members(&specs));
            // Which launches a case has, and which random numbers follow from a seed.
            inputs.add_sources("codegen/src", is_source);
            inputs.add_sources("Cargo.lock", |_| true);
        },
        || proof(specs),
    );
}

/// The headers of specs.
pub(crate) fn members<S: Subject>(specs: &[S]) -> Vec<Member> {
    specs.iter().map(|spec| spec.member().unwrap_or_else(|error| panic!("{error}"))).collect()
}
