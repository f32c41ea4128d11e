//! Runs generated kernels on a GPU and compares them with the oracle. Without a GPU it says how much it left
//! out, and passes unless one is required.
//!
//! | variable | meaning |
//! |---|---|
//! | `SORTSMITH_SEED` | the seed of a run that is to be repeated |
//! | `SORTSMITH_SPEC` | these specs alone |
//! | `SORTSMITH_GPU_SPECS` | how many random specs to run beside the fixed ones; 200 |
//! | `SORTSMITH_GPU_CASES` | how many cases of each spec; 12 |
//! | `SORTSMITH_REQUIRE_GPU=1` | fail where there is no GPU |
//! | `SORTSMITH_SANITIZE=1` | few and small ones, for a run under compute-sanitizer |

mod driver;
mod guarded;
mod program;
mod run;

use std::collections::BTreeSet;
use std::sync::Arc;

use libtest_mimic::{Failed, Trial};
use sortsmith_codegen::{Family, SortSpec, TileOption, Token};
use sortsmith_testkit::command_line::CommandLine;
use sortsmith_testkit::sampler::{self, block_bitonic_sort};
use sortsmith_testkit::seed::{Seed, chosen_specs};

use driver::Gpu;

/// How much to run.
struct Amount {
    fixed: bool,
    random: usize,
    largest_tile: Option<u32>,
    cases: usize,
}

impl Amount {
    fn from_env() -> Self {
        let number = |name: &str, default: usize| match std::env::var(name) {
            Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name}={text} is no number")),
            Err(_) => default,
        };
        let sanitize = std::env::var("SORTSMITH_SANITIZE").is_ok_and(|value| value == "1");
        Self {
            fixed: !sanitize,
            random: number("SORTSMITH_GPU_SPECS", if sanitize { 12 } else { 200 }),
            largest_tile: sanitize.then_some(1024),
            cases: number("SORTSMITH_GPU_CASES", if sanitize { 6 } else { 12 }),
        }
    }
}

/// Of sampled sorts by comparisons. NVRTC 13.0 takes five minutes for a network of 55 `u64` keys and positions a thread; the
/// emulator runs such ones.
const MOST_SAMPLED_ITEMS: u32 = 32;

/// The usual tiles: nine shapes, keys and pairs, each rank at the radix bits that suit it.
fn usual_specs() -> Vec<SortSpec> {
    let ranks = [
        (4, ""),
        (5, ""),
        (6, ""),
        (6, "_match"),
        (8, "_match"),
        (6, "_matchmasks"),
        (8, "_matchmasks"),
    ];
    let mut specs = Vec::new();
    for items in ["u32_keys", "f32_u32"] {
        for threads in [128, 256, 512] {
            for per_thread in [4, 8, 16] {
                for (bits, rank) in ranks {
                    let name = format!(
                        "block_radix_sort_{items}_b{threads}_i{per_thread}_r{bits}_asc{rank}"
                    );
                    specs.push(name.parse().unwrap_or_else(|error| panic!("{error}")));
                }
                for (family, option) in [("bitonic", ""), ("bitonic", "_stable"), ("merge", "")] {
                    let name =
                        format!("block_{family}_sort_{items}_b{threads}_i{per_thread}_asc{option}");
                    specs.push(name.parse().unwrap_or_else(|error| panic!("{error}")));
                }
            }
        }
    }
    specs
}

/// The families without digits.
fn by_comparisons() -> impl Iterator<Item = Family> {
    let families = Family::table().iter().map(|(family, _)| *family);
    families.filter(|family| !family.has(TileOption::RadixBits))
}

fn specs(amount: &Amount, seed: Seed) -> Vec<SortSpec> {
    if let Some(names) = chosen_specs() {
        return names
            .iter()
            .map(|name| name.parse().unwrap_or_else(|error| panic!("{error}")))
            .collect();
    }
    let mut specs = if amount.fixed { usual_specs() } else { Vec::new() };
    if amount.fixed {
        specs.extend(by_comparisons().flat_map(sampler::covering_set_of));
    }
    let largest_tile = amount.largest_tile.unwrap_or(u32::MAX);
    let special = [block_bitonic_sort::truncated_set(), block_bitonic_sort::packed_set()];
    let special = special.into_iter().flatten();
    specs.extend(special.filter(|spec| spec.tile_items() <= largest_tile));
    let mut rng = seed.rng("gpu");
    // A quarter as many of each family that sorts by comparisons, which have fewer options.
    for family in by_comparisons() {
        let sample = |_| sampler::of_family(family, largest_tile, &mut rng);
        let sampled = (0..amount.random.div_ceil(4)).map(sample);
        specs.extend(sampled.filter(|spec| spec.items <= MOST_SAMPLED_ITEMS));
    }
    specs.extend((0..amount.random).map(|_| match amount.largest_tile {
        Some(items) => sampler::of_family(Family::BlockRadix, items, &mut rng),
        None => sampler::block_radix(&mut rng),
    }));
    let mut names = BTreeSet::new();
    specs.retain(|spec| names.insert(spec.to_string()));
    specs
}

fn main() {
    let command_line = CommandLine::of_process();
    let (amount, seed) = (Amount::from_env(), Seed::from_env());
    let specs = specs(&amount, seed);
    let trials = match Gpu::open() {
        Ok(gpu) => {
            println!("{}; SORTSMITH_SEED={}", gpu.describe(), seed.0);
            trials(gpu, &specs, amount.cases, seed)
        }
        Err(reason) => {
            let (count, cases) = (specs.len(), specs.len() * (amount.cases + 1));
            println!("left out: {count} specs with {cases} cases that need a GPU: {reason}");
            let is_required =
                std::env::var("SORTSMITH_REQUIRE_GPU").is_ok_and(|value| value == "1");
            let refusal = || Trial::test("gpu_kernels", move || Err(Failed::from(reason)));
            is_required.then(refusal).into_iter().collect()
        }
    };
    command_line.run(trials).exit();
}

fn trials(gpu: Gpu, specs: &[SortSpec], cases: usize, seed: Seed) -> Vec<Trial> {
    let gpu = Arc::new(gpu);
    let trial = |spec: SortSpec| {
        let gpu = Arc::clone(&gpu);
        Trial::test(spec.to_string(), move || {
            run::check(&gpu, &spec, cases, &mut seed.rng(&spec.to_string())).map_err(|complaint| {
                let again = format!("SORTSMITH_SEED={} SORTSMITH_SPEC={spec}", seed.0);
                Failed::from(format!(
                    "{complaint}\n  again: {again} cargo test -p sortsmith-tests --features gpu-tests --test gpu_kernels"
                ))
            })
        })
    };
    specs.iter().map(|spec| trial(*spec)).collect()
}
