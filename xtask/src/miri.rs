//! `cargo xtask miri`: what needs no driver, under Miri.

use std::process::Command;

use crate::{error::Error, nightly, process};

/// The library's own tests that Miri can run, by modules: all that is unsafe on the host, and of the GPU's backend what calls no driver.
const FILTERS: [&str; 16] = [
    "host::",
    "crossover::",
    "embedded::",
    "lists::",
    "memory::",
    "count::",
    "key::",
    "value::",
    "sorter::",
    "distributed::",
    "gpu::staging::",
    "gpu::alignment::",
    "gpu::scratch::",
    "gpu::shared::",
    "gpu::sort_counter::",
    "gpu::status::",
];

/// The generator's tests of its unsafe code, which calls NVRTC: by functions of Rust in place of it. Miri can load no library, and has no
/// `getauxval`, which is the rest of that code; safe code is left out.
const OF_GENERATOR: [&str; 7] = [
    "--package",
    "sortsmith-codegen",
    "--no-default-features",
    "--features=toolchain",
    "--lib",
    "--",
    "toolchain::nvrtc::",
];

/// Tests of the public API that sort on the host, of fewer and smaller inputs than elsewhere. Without the GPU backend: functions that sort
/// where it is best would look for a driver.
const TARGETS: [&str; 2] = ["host", "runs"];

/// Miri's switches: rayon's threads last as long as the process, its queues are right by tree borrows, and the tests look at the clock, at
/// variables and at the processor's name.
const FLAGS: &str = "-Zmiri-ignore-leaks -Zmiri-tree-borrows -Zmiri-disable-isolation";

/// Runs the tests, or says what is missing.
pub fn run() -> Result<(), Error> {
    if !is_there() {
        return Err(Error::Other(
            "there is no Miri: rustup +nightly component add miri rust-src".to_owned(),
        ));
    }
    let mut unit = tests();
    process::run(unit.args(["--package", "sortsmith", "--lib", "--"]).args(FILTERS))?;
    process::run(tests().args(OF_GENERATOR))?;
    let mut of_api = tests();
    of_api.args(["--package", "sortsmith-tests", "--no-default-features"]);
    process::run(of_api.args(TARGETS.iter().flat_map(|target| ["--test", target])))
}

/// Tests under Miri.
fn tests() -> Command {
    let mut tests = nightly::cargo();
    tests.args(["miri", "test"]);
    // With a thread or two to spare, so that work is divided on every machine.
    tests.env("MIRIFLAGS", FLAGS).env("RAYON_NUM_THREADS", "3");
    tests
}

/// Whether rustup has a nightly with Miri.
pub fn is_there() -> bool {
    process::succeeds(nightly::cargo().args(["miri", "--version"]))
}
