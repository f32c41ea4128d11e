//! The families: a folder each, named as the specs' names begin, by the tables `tile_families!`, `device_families!` and `kernel_families!`.
//!
//! `tests.rs` in the folder has `TESTS`, which is [`TileTests`], [`DeviceTests`] or [`KernelTests`], and tests that only this family has;
//! `mutants.rs` has how its headers are broken. `facts.rs`, a module of the tests' kit, is in all folders but those of tile sorts; of these
//! `block_bitonic_sort` has one, with the specs of what no other family has. Device-wide sorts have `launches.hpp` of the emulator's driver, and
//! other families on arrays a driver of their own, `driver.hpp` and `driver.cpp`.
//! What is tested of all families of tile sorts is here, of the others in [`device`](crate::device) and in [`kernels`](crate::kernels).

use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::{Family, SortSpec};
use sortsmith_testkit::emulator::Flavour;
use sortsmith_testkit::runner::{Totals, Workload};
use sortsmith_testkit::sampler;
use sortsmith_testkit::seed::Seed;

use crate::device::{self, DeviceTests};
use crate::kernels::{self, KernelTests};
use crate::mutants::{self, Barriers, Mutation};
use crate::{chosen, fresh_specs, proofs, run, sites, usual_or_deep};

/// What is tested of a family of tile sorts.
pub(crate) struct TileTests {
    /// The family.
    pub(crate) family: Family,
    /// A random sort of it.
    pub(crate) fresh: fn(&mut ChaCha8Rng) -> SortSpec,
    /// Sorts that are drawn, beside the covering set: usually, and in deep runs.
    pub(crate) fresh_sorts: [usize; 2],
    /// Sorts that are drawn for sanitizers.
    pub(crate) sanitized: [usize; 2],
    /// Sorts in one program.
    pub(crate) batch: usize,
    /// Orders of threads that each case meets.
    pub(crate) orders: u64,
    /// Small tiles of each way to sort, which meet every number of valid items.
    pub(crate) every_length: &'static [&'static str],
    /// Broken headers.
    pub(crate) mutants: Mutants,
}

/// Sorts that have their headers broken, and their barriers taken out.
pub(crate) struct Mutants {
    /// Their names: together they have each line that a mutation breaks.
    pub(crate) specs: &'static [&'static str],
    /// How lines are broken.
    pub(crate) mutations: &'static [Mutation],
    /// The mutants that survive.
    pub(crate) survivors: &'static [mutants::Survivor],
    /// Barriers, fences and atomics that may be taken out.
    pub(crate) sites: &'static [sites::Survivor],
    /// Calls of such functions that no case passes.
    pub(crate) unpassed: &'static [sites::Unpassed],
    /// Cases that each mutant meets, under each schedule.
    pub(crate) cases: usize,
    /// Cases that each sort meets with a site taken out.
    pub(crate) site_cases: usize,
}

/// The items of a tile under sanitizers, at most.
const MOST_SANITIZED_ITEMS: u32 = 2048;

macro_rules! families {
    ($(
        $(#[$doc:meta])*
        $variant:ident { $($option:ident),* } $name:ident $token:literal $($folder:ident)::+;
    )*) => {
        $(
            pub(crate) mod $name {
                mod mutants;
                pub(crate) mod tests;

                use tests::TESTS;

                #[test]
                fn the_tests_are_of_the_family() {
                    assert_eq!(TESTS.family, sortsmith_codegen::Family::$variant);
                }

                #[test]
                fn covering() {
                    super::covering(&TESTS, concat!("families::", stringify!($name), "::covering"));
                }

                #[test]
                fn fresh() {
                    super::fresh(&TESTS, concat!("families::", stringify!($name), "::fresh"));
                }

                #[test]
                fn sanitized() {
                    super::sanitized(&TESTS, concat!("families::", stringify!($name), "::sanitized"));
                }

                #[test]
                fn every_length() {
                    let test = concat!("families::", stringify!($name), "::every_length");
                    crate::every_length(TESTS.family, test, TESTS.every_length);
                }

                #[test]
                fn mutants_are_caught_but_those_that_are_harmless() {
                    super::mutants_are_caught(&TESTS);
                }

                #[test]
                fn sites_are_needed() {
                    super::sites_are_needed(&TESTS);
                }
            }
        )*

        /// All families of tile sorts.
        pub(crate) const ALL: &[&TileTests] = &[$(&$name::tests::TESTS),*];
    };
}
sortsmith_codegen::tile_families!(families);

macro_rules! device_families {
    ($(
        $(#[$doc:meta])*
        $variant:ident $({ $($(#[$option_doc:meta])* $option:ident,)* })? $name:ident $word:literal $family:path;
    )*) => {
        $(
            pub(crate) mod $name {
                mod mutants;
                pub(crate) mod tests;

                use sortsmith_codegen::device::{DeviceAlgorithm, DeviceSpec};

                use super::device;
                use tests::TESTS;

                const ALGORITHM: DeviceAlgorithm =
                    DeviceAlgorithm::$variant $({ $($option: false),* })?;

                #[test]
                fn covering() {
                    let test = concat!("families::", stringify!($name), "::covering");
                    device::covering(ALGORITHM, &TESTS, test);
                }

                #[test]
                fn fresh() {
                    let test = concat!("families::", stringify!($name), "::fresh");
                    device::fresh(ALGORITHM, &TESTS, test);
                }

                #[test]
                fn sanitized() {
                    let test = concat!("families::", stringify!($name), "::sanitized");
                    device::sanitized(ALGORITHM, &TESTS, test);
                }

                #[test]
                fn mutants_are_caught_but_those_that_are_harmless() {
                    super::mutants::assert_survivors::<DeviceSpec>(stringify!($name), TESTS.mutants);
                }

                #[test]
                fn sites_are_needed() {
                    let (family, unpassed) = (stringify!($name), TESTS.unpassed);
                    super::sites::assert_survivors::<DeviceSpec>(family, TESTS.sites, unpassed);
                }
            }
        )*

        /// All families of device-wide sorts.
        pub(crate) const DEVICE_WIDE: &[&DeviceTests] = &[$(&$name::tests::TESTS),*];
    };
}
sortsmith_codegen::device_families!(device_families);

macro_rules! kernel_families {
    ($($(#[$doc:meta])* $variant:ident $folder:ident::$spec:ident $name:ident;)*) => {
        $(
            pub(crate) mod $name {
                mod mutants;
                pub(crate) mod tests;

                use sortsmith_codegen::$folder::$spec as Spec;

                use super::kernels;
                use tests::TESTS;

                #[test]
                fn covering() {
                    let test = concat!("families::", stringify!($name), "::covering");
                    kernels::covering::<Spec>(&TESTS, test);
                }

                #[test]
                fn fresh() {
                    let test = concat!("families::", stringify!($name), "::fresh");
                    kernels::fresh::<Spec>(&TESTS, test);
                }

                #[test]
                fn sanitized() {
                    let test = concat!("families::", stringify!($name), "::sanitized");
                    kernels::sanitized::<Spec>(&TESTS, test);
                }

                #[test]
                fn mutants_are_caught_but_those_that_are_harmless() {
                    super::mutants::assert_survivors::<Spec>(stringify!($name), &[TESTS.mutants]);
                }

                #[test]
                fn sites_are_needed() {
                    kernels::sites_are_needed::<Spec>(&TESTS);
                }

                #[test]
                fn a_renamed_variable_breaks_no_mutant() {
                    let super::mutants::Ground { specs, mutations, .. } = TESTS.mutants;
                    super::mutants::names::assert_no_names::<Spec>(specs, mutations);
                }
            }
        )*

        /// All families that work on arrays and are no device-wide sort of one.
        pub(crate) const KERNELS: &[&KernelTests] = &[$(&$name::tests::TESTS),*];

        /// A round of fresh specs of each of them, by the names of those that are chosen if some are.
        pub(crate) fn fuzz_kernels(workload: &Workload<'_>, names: Option<&[String]>, rng: &mut ChaCha8Rng, totals: &mut Totals) {
            $(kernels::fuzz::<sortsmith_codegen::$folder::$spec>(workload, names, rng, totals);)*
        }
    };
}
sortsmith_codegen::kernel_families!(kernel_families);

/// Whether a spec's name is of one of these families.
pub(crate) fn is_of_kernels(name: &str) -> bool {
    sortsmith_testkit::kernel_families::FOLDERS.iter().any(|folder| name.starts_with(folder))
}

impl TileTests {
    fn plain<'a>(&self, test: &'a str, seed: Seed) -> Workload<'a> {
        let &Self { batch, orders, .. } = self;
        Workload { test, seed, flavour: Flavour::Plain, batch, cases: 20, orders, races: 4 }
    }
}

/// The chosen sorts of the family, else its covering set.
fn covering(tests: &TileTests, test: &'static str) {
    let (family, workload) = (tests.family, tests.plain(test, proofs::seed_of_known()));
    let specs = chosen(family.prefix()).unwrap_or_else(|| sampler::covering_set_of(family));
    proofs::of_known(family.prefix(), &workload, &specs);
}

/// The chosen sorts of the family, else fresh ones.
fn fresh(tests: &TileTests, test: &'static str) {
    let workload = tests.plain(test, Seed::from_env());
    run(&workload, &chosen_or_fresh(tests, &workload, tests.fresh_sorts, u32::MAX));
}

/// The same under sanitizers.
fn sanitized(tests: &TileTests, test: &'static str) {
    let seed = Seed::from_env();
    let &TileTests { batch, sanitized, .. } = tests;
    let batch = batch.div_ceil(2).min(usual_or_deep(sanitized));
    let flavour = Flavour::Sanitized;
    let workload = Workload { test, seed, flavour, batch, cases: 20, orders: 2, races: 0 };
    run(&workload, &chosen_or_fresh(tests, &workload, sanitized, MOST_SANITIZED_ITEMS));
}

/// The chosen sorts of the family, else fresh ones of tiles of no more items than that.
fn chosen_or_fresh(
    tests: &TileTests,
    workload: &Workload<'_>,
    counts: [usize; 2],
    most_items: u32,
) -> Vec<SortSpec> {
    let TileTests { family, fresh, .. } = tests;
    chosen(family.prefix()).unwrap_or_else(|| {
        let mut rng = workload.seed.rng(workload.test);
        let small = || loop {
            let spec = fresh(&mut rng);
            if spec.tile_items() <= most_items {
                break spec;
            }
        };
        fresh_specs(usual_or_deep(counts), sampler::covering_set_of(*family), small)
    })
}

fn mutants_are_caught(tests: &TileTests) {
    let &Mutants { specs, mutations, survivors, cases, .. } = &tests.mutants;
    let barriers = Barriers::AtRunTime;
    let telling = &[];
    let ground = mutants::Ground { specs, mutations, barriers, telling, survivors, cases };
    mutants::assert_survivors::<SortSpec>(tests.family.prefix(), &[ground]);
}

fn sites_are_needed(tests: &TileTests) {
    let &Mutants { specs, sites: survivors, site_cases: cases, unpassed, .. } = &tests.mutants;
    let name = tests.family.prefix();
    let ground = sites::Ground { name, specs, cases, survivors };
    sites::assert_survivors::<SortSpec>(name, &[ground], unpassed);
}
