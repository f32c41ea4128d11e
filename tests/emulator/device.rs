//! What is tested of all device-wide sorts. What a family has of its own is in its folder in [`families`](crate::families).

use std::ops::Range;
use std::time::Duration;

use sortsmith_codegen::device::{Device, DeviceAlgorithm, DeviceSpec};
use sortsmith_testkit::device_cases::{self, DeviceCase, How};
use sortsmith_testkit::device_families;
use sortsmith_testkit::emulator::{Flavour, Outcome, Session};
use sortsmith_testkit::inputs::Keys;
use sortsmith_testkit::runner::Workload;
use sortsmith_testkit::seed::Seed;
use sortsmith_testkit::subject::Subject as _;

use crate::{
    chosen, compiler, fresh_specs, mutants, orders_of_a_case, proofs, run, sites, usual_or_deep,
};

/// What is tested of a family of device-wide sorts. Its specs are those that [`device_families`] has of it.
pub(crate) struct DeviceTests {
    /// Sorts of the covering set, and fresh ones.
    pub(crate) plain: Amount,
    /// Fresh sorts under sanitizers.
    pub(crate) sanitized: Amount,
    /// Broken headers.
    pub(crate) mutants: &'static [mutants::Ground],
    /// Sorts that have their barriers, fences, waits and atomics taken out.
    pub(crate) sites: &'static [sites::Ground],
    /// Calls in these that no case passes.
    pub(crate) unpassed: &'static [sites::Unpassed],
}

/// How much is tested.
#[derive(Clone, Copy)]
pub(crate) struct Amount {
    /// Fresh sorts: usually, and in deep runs.
    pub(crate) fresh: [usize; 2],
    /// Sorts in one program.
    pub(crate) batch: usize,
    /// Cases of each sort beside those that it has always.
    pub(crate) cases: usize,
}

impl DeviceTests {
    fn plain<'a>(&self, test: &'a str, seed: Seed) -> Workload<'a> {
        let Amount { batch, cases, .. } = self.plain;
        let orders = orders_of_a_case();
        Workload { test, seed, flavour: Flavour::Plain, batch, cases, orders, races: 4 }
    }
}

/// The chosen sorts of the family, else its covering set.
pub(crate) fn covering(algorithm: DeviceAlgorithm, tests: &DeviceTests, test: &'static str) {
    let workload = tests.plain(test, proofs::seed_of_known());
    let known = || device_families::facts(algorithm).covering_set();
    let specs = chosen(algorithm.prefix()).unwrap_or_else(known);
    proofs::of_known(algorithm.prefix(), &workload, &specs);
}

/// The chosen sorts of the family, else fresh ones.
pub(crate) fn fresh(algorithm: DeviceAlgorithm, tests: &DeviceTests, test: &'static str) {
    let workload = tests.plain(test, Seed::from_env());
    run(&workload, &chosen_or_fresh(algorithm, &workload, tests.plain.fresh));
}

/// The same under sanitizers.
pub(crate) fn sanitized(algorithm: DeviceAlgorithm, tests: &DeviceTests, test: &'static str) {
    let Amount { fresh, batch, cases } = tests.sanitized;
    let seed = Seed::from_env();
    let workload =
        Workload { test, seed, flavour: Flavour::Sanitized, batch, cases, orders: 1, races: 0 };
    run(&workload, &chosen_or_fresh(algorithm, &workload, fresh));
}

fn chosen_or_fresh(
    algorithm: DeviceAlgorithm,
    workload: &Workload<'_>,
    counts: [usize; 2],
) -> Vec<DeviceSpec> {
    let facts = device_families::facts(algorithm);
    chosen(algorithm.prefix()).unwrap_or_else(|| {
        let mut rng = workload.seed.rng(workload.test);
        fresh_specs(usual_or_deep(counts), facts.covering_set(), || facts.fresh(&mut rng))
    })
}

/// The barriers of sorts of as many tiles of keys of these kinds, which have to be right: of each number of tiles those of all kinds.
pub(crate) fn barriers_of<const N: usize>(
    spec: &DeviceSpec,
    tiles: [usize; N],
    bits: Range<u32>,
    kinds: &[Keys],
) -> [Vec<u32>; N] {
    let case = |tiles: usize, kind: Keys| {
        let device = Device { multiprocessors: 1, shared_bytes_per_block: 227 * 1024 };
        let how = How { device, ..How::by_bits(bits.clone()) };
        let n = tiles * spec.tile_items() as usize;
        device_cases::case(spec, kind, n, how, &mut Seed(1).rng("keys"))
    };
    let cases: Vec<DeviceCase> =
        tiles.iter().flat_map(|tiles| kinds.iter().map(|kind| case(*tiles, *kind))).collect();
    let mut barriers = barriers_of_cases(spec, &cases).into_iter();
    tiles.map(|_| barriers.by_ref().take(kinds.len()).collect())
}

/// The barriers of each of these sorts, which have to be right.
pub(crate) fn barriers_of_cases(spec: &DeviceSpec, cases: &[DeviceCase]) -> Vec<u32> {
    let member = spec.member().unwrap_or_else(|error| panic!("{error}"));
    // Programs go with their compiler.
    let compiler = compiler();
    let batch = compiler
        .build("barriers", &[member], Flavour::Brief)
        .unwrap_or_else(|error| panic!("{error}"));
    let mut session = Session::start(&batch, Duration::from_secs(60)).expect("it runs");
    let barriers = |case: &DeviceCase| {
        let outcome = session.run(&spec.message(case, 0, 0)).expect("it answers");
        assert_eq!(spec.complaint(case, &outcome), None, "{case}");
        let Outcome::Sorted { barriers, .. } = outcome else { unreachable!("it was sorted") };
        barriers
    };
    cases.iter().map(barriers).collect()
}
