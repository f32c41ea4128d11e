//! The crate's own sorts on a GPU, against the oracle. Without a GPU it says how much it left out, and passes unless one
//! is required.
//!
//! | variable | meaning |
//! |---|---|
//! | `SORTSMITH_SEED` | the seed of a run that is to be repeated |
//! | `SORTSMITH_REQUIRE_GPU=1` | fail where there is no GPU |
//! | `SORTSMITH_SANITIZE=1` | fewer and smaller arrays, for a run under compute-sanitizer |
//! | `SORTSMITH_GPU_HUGE=1` | also arrays of more than 2³¹ keys, for which the device needs 64 GB of memory |

#![allow(clippy::unwrap_used)] // a failed unwrap is a failed test

mod alone;
mod binned;
#[path = "../gpu_kernels/by_bytes.rs"]
mod by_bytes;
mod calls;
mod counted;
mod data;
mod device;
mod embedded;
mod graphs;
mod host_slices;
mod processes;
mod rows;
mod segments;
mod sharing;
mod slices;
mod tiles;
mod top_k;
mod top_k_pairs;
mod traffic;
mod tuned;
mod warm;

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;

use cudarc::driver::sys::CUdevice_attribute as Attribute;
use cudarc::driver::{CudaContext, CudaStream};
use libtest_mimic::{Failed, Trial};
use sortsmith::Sorter;
use sortsmith_codegen::device::Device;
use sortsmith_testkit::command_line::CommandLine;
use sortsmith_testkit::seed::Seed;

use processes::Child;

/// The argument of every test.
#[derive(Clone)]
pub struct Setting {
    /// The first device's context.
    pub context: Arc<CudaContext>,
    /// A stream of it that no test uses. cudarc waits for all of a context's work when it makes the first stream, and CUDA ends a capture
    /// that is going on then.
    _first_stream: Arc<CudaStream>,
    /// The facts about the device that launches depend on.
    pub device: Device,
    /// Of this run.
    pub seed: Seed,
    /// Whether to do little.
    pub sanitize: bool,
}

impl Setting {
    /// Which of two ways a case goes: both, or under a sanitizer one after the other.
    pub fn ways(&self, round: usize) -> [bool; 2] {
        [0, 1].map(|way| !self.sanitize || round % 2 == way)
    }
}

/// A test by its name.
type Test = (String, fn(&Setting));

fn main() {
    if let Some(share) = warm::share_of_this_process() {
        return warm::make(share);
    }
    if let Some(child) = Child::of_this_process() {
        return run_as(child);
    }
    let command_line = CommandLine::of_process();
    let sanitize = is_set("SORTSMITH_SANITIZE");
    let tests = all_tests(sanitize);
    let trials = match context() {
        Ok(context) => {
            let seed = Seed::from_env();
            let sorter = Sorter::on(&context.default_stream()).unwrap();
            println!("{}; SORTSMITH_SEED={}", sorter.backend(), seed.0);
            if command_line.runs_all() && !sanitize {
                warm::by_other_processes();
            }
            let setting = Setting {
                device: device_of(&context),
                _first_stream: context.new_stream().unwrap(),
                context,
                seed,
                sanitize,
            };
            tests.into_iter().map(|test| trial(test, setting.clone())).collect()
        }
        Err(reason) => {
            println!("left out: {} tests that need a GPU: {reason}", tests.len());
            let refusal = || Trial::test("gpu_runtime", move || Err(Failed::from(reason)));
            is_set("SORTSMITH_REQUIRE_GPU").then(refusal).into_iter().collect()
        }
    };
    command_line.run(trials).exit();
}

/// Does what a child process is for. A failure panics, so the process ends with a nonzero code.
fn run_as(child: Child) {
    match child {
        Child::Embedded => embedded::run_as_child(),
        Child::FirstSorts | Child::ColdStart => alone::sort_first(),
        Child::NoCompiler => alone::no_compiler(),
        Child::Calls => calls::run_as_child(),
        Child::Tuned => tuned::run_as_child(),
    }
}

/// All tests, those of huge arrays only where their variable is set.
fn all_tests(sanitize: bool) -> Vec<Test> {
    let mut tests: Vec<Test> = [
        slices::tests(),
        host_slices::tests(),
        tiles::tests(),
        rows::tests(),
        top_k::tests(),
        top_k_pairs::tests(),
        binned::tests(),
        segments::tests(),
        counted::tests(),
        sharing::tests(),
        graphs::tests(),
        traffic::tests(),
        device::tests(sanitize),
    ]
    .concat();
    if !sanitize {
        tests.extend([embedded::tests(), alone::tests(), calls::tests(), tuned::tests()].concat());
    }
    let huge = [device::huge::tests(), host_slices::huge_tests()].concat();
    if is_set(device::huge::VARIABLE) {
        tests.extend(huge);
    } else {
        println!(
            "left out: {} tests of huge arrays: {}=1 runs them",
            huge.len(),
            device::huge::VARIABLE
        );
    }
    tests
}

/// Whether a variable is set to 1.
fn is_set(name: &str) -> bool {
    std::env::var(name).is_ok_and(|value| value == "1")
}

/// The context, or the reason that there is none. sortsmith returns an error where cudarc panics.
fn context() -> Result<Arc<CudaContext>, String> {
    Sorter::on_device(0).map_err(|error| error.to_string())?;
    CudaContext::new(0).map_err(|error| error.to_string())
}

fn device_of(context: &CudaContext) -> Device {
    let attribute = |attribute| context.attribute(attribute).unwrap().cast_unsigned();
    Device {
        multiprocessors: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
        shared_bytes_per_block: attribute(
            Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
        ),
    }
}

fn trial((name, test): Test, setting: Setting) -> Trial {
    Trial::test(name, move || {
        panic::catch_unwind(AssertUnwindSafe(|| test(&setting))).map_err(|payload| {
            let words = payload.downcast_ref::<String>().map(String::as_str);
            let words = words.or_else(|| payload.downcast_ref::<&str>().copied());
            Failed::from(format!("{} (SORTSMITH_SEED={})", words.unwrap_or(""), setting.seed.0))
        })
    })
}
