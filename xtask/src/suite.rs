//! `cargo xtask test`: the complete test suite, with nothing left out but what needs a GPU.

use std::{
    collections::hash_map::RandomState,
    env,
    hash::{BuildHasher as _, Hasher as _},
    panic::resume_unwind,
    process::Command,
    thread,
    time::Instant,
};

use sortsmith_codegen::toolchain::Toolchain;

use crate::{
    SuiteArgs, candle,
    error::Error,
    miri,
    process::{self, cargo},
    toolkit, workspace,
};

/// What the quick run tests: what proves most of a change in a second. The libraries' and tasks' own tests hold the layers, the
/// words and the plans; the others are the goldens, names, messages of the command line, the host's sorts, one in
/// sixteen specs of every family in the emulator, and the goldens and as many specs through NVRTC.
const QUICK_TARGETS: [&str; 16] = [
    "--lib",
    "--bins",
    "--test",
    "golden",
    "--test",
    "names",
    "--test",
    "cli_errors",
    "--test",
    "host",
    "--test",
    "backends",
    "--test",
    "emulator",
    "--test",
    "compilers",
];

/// Packages of which the quick run runs no test. What the other packages' tests use of them is compiled, and that is the test kit's library alone;
/// its own tests, the other packages and what only these depend on are not.
const QUICK_PACKAGES_LEFT_OUT: [&str; 6] = [
    "embedded",
    "sortsmith-benches",
    "sortsmith-fuzz-targets",
    "sortsmith-test-embedded",
    "sortsmith-testkit",
    "sortsmith-tune",
];

/// What the quick run leaves out of these, by a part of the tests' names.
const LEFT_OUT: [(&str, &str); 15] = [
    ("mutant", "mutants of templates"),
    ("sites", "barriers, fences and atomics taken out one by one"),
    ("sanitize", "the emulator under sanitizers"),
    ("selftests::", "the emulator's tests of itself"),
    ("every_length", "every length of a tile"),
    ("corpus::", "sorts that once went wrong, and others under version control"),
    ("ptx::", "instructions of fences and waits"),
    ("ballots_of_buckets", "the predicates that ballots take"),
    ("device_tuned", "tuned device-wide sorts through NVRTC"),
    ("fuzzed", "sorts of random descriptions"),
    ("quiet", "nvcc's warnings"),
    ("spill", "registers that spill"),
    ("stay_in_registers", "networks' registers and shuffles"),
    ("device_radix_sort::tests", "what a radix sort chooses by its keys"),
    ("device_sample_sort::tests", "what a sample sort chooses by its keys"),
];

/// Targets that the quick run leaves out.
const TARGETS_LEFT_OUT: &str = "the test kit's tests of itself, injected faults, lifetimes, calls of the driver, kernels of build scripts, C++ projects, examples, benches, the tuner and documentation";

pub fn run(args: &SuiteArgs) -> Result<(), Error> {
    let started = Instant::now();
    let has_gpu = has_gpu();
    let toolchain =
        if args.quick { toolchain_while_compiling(has_gpu) } else { toolkit::ensure() }?;
    let seed = args.seed.or_else(seed_of_environment).unwrap_or_else(fresh_seed);
    let mut tests = tests_of(args.quick, has_gpu);
    // Every failure of a run is worth knowing, not only those of the first test binary.
    tests.arg("--no-fail-fast");
    tests.env("SORTSMITH_REQUIRE_CUDA", "1").env("SORTSMITH_SEED", seed.to_string());
    use_toolchain(&mut tests, &toolchain);
    if args.deep {
        tests.env("SORTSMITH_DEEP", "1");
    }
    if args.quick {
        tests.env("SORTSMITH_QUICK", "1").arg("--");
        tests.args(LEFT_OUT.iter().flat_map(|(name, _)| ["--skip", name]));
    }
    if !args.filter.is_empty() {
        tests.arg("--").args(&args.filter);
    }
    let again = if args.quick { "--quick --seed" } else { "--seed" };
    eprintln!("seed {seed}; `cargo xtask test {again} {seed}` repeats this run");
    let result = process::run(&mut tests);
    let result =
        if args.deep && args.filter.is_empty() { result.and(deep(&toolchain)) } else { result };
    if has_gpu {
        eprintln!("nothing that needs a GPU was left out");
    } else {
        eprintln!(
            "left out: what needs a GPU, for nvidia-smi shows none; `cargo xtask gpu-bundle DIR` \
             packs it for a machine that has one"
        );
    }
    if args.quick {
        say_what_is_quick(started);
    }
    eprintln!("seed {seed}");
    result
}

/// What only the deep run does beside the tests.
fn deep(toolchain: &Toolchain) -> Result<(), Error> {
    let checked = candle::check(toolchain);
    if miri::is_there() {
        return checked.and(miri::run());
    }
    eprintln!("left out: what needs no driver under Miri; `cargo xtask miri` says what it takes");
    checked
}

/// The tests of a run, without their arguments.
fn tests_of(quick: bool, has_gpu: bool) -> Command {
    let mut tests = cargo();
    tests.args(["test", "--workspace"]);
    if quick {
        tests.args(QUICK_PACKAGES_LEFT_OUT.iter().flat_map(|package| ["--exclude", package]));
        tests.args(QUICK_TARGETS);
    }
    if has_gpu {
        tests.args(["--features", workspace::GPU_TESTS]);
    }
    tests
}

/// The CUDA compilers. If they are fetched first, the quick run's tests are compiled in the meantime: no build script of theirs needs
/// a CUDA compiler.
fn toolchain_while_compiling(has_gpu: bool) -> Result<Toolchain, Error> {
    if let Some(found) = toolkit::found() {
        return Ok(found);
    }
    thread::scope(|scope| {
        let fetched = scope.spawn(toolkit::ensure);
        // What does not compile fails again, and counts, when the tests are run.
        let _ = process::run(tests_of(true, has_gpu).arg("--no-run"));
        fetched.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

fn say_what_is_quick(started: Instant) {
    eprintln!("quick: {:.0} s, compiling included", started.elapsed().as_secs_f32());
    let left_out: Vec<&str> = LEFT_OUT.iter().map(|(_, what)| *what).collect();
    eprintln!(
        "left out: fifteen in sixteen of the specs; {}; {TARGETS_LEFT_OUT}",
        left_out.join("; ")
    );
}

/// Makes a program find the same toolchain, from whatever folder it runs in.
///
/// The folder is named with a slash at its end, which `.cargo/config.toml` does without: build scripts that have run before
/// there was a toolkit run again.
pub fn use_toolchain(command: &mut Command, toolchain: &Toolchain) {
    if let Some(root) = toolchain.nvrtc.as_ref().and_then(|nvrtc| nvrtc.root.as_ref()) {
        command.env("SORTSMITH_CUDA", root.join(""));
    }
}

fn seed_of_environment() -> Option<u64> {
    env::var("SORTSMITH_SEED").ok()?.parse().ok()
}

/// The standard library seeds its hash maps from the system's randomness.
fn fresh_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}

fn has_gpu() -> bool {
    let listed = process::probe(process::command("nvidia-smi").arg("--list-gpus"));
    listed.is_some_and(|output| output.status.success() && output.stdout.starts_with(b"GPU"))
}
