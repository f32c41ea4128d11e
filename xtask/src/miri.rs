//! `cargo xtask miri`: what needs no driver, under Miri.

use crate::{error::Error, nightly, process};

/// The tests that Miri can run, by modules: all that is unsafe on the host, and of the GPU's backend what calls no driver.
const FILTERS: [&str; 15] = [
    "host::",
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

/// Miri's switches: rayon's threads last as long as the process, and its queues are right by tree borrows.
const FLAGS: &str = "-Zmiri-ignore-leaks -Zmiri-tree-borrows";

/// Runs the tests, or says what is missing.
pub fn run() -> Result<(), Error> {
    if !is_there() {
        return Err(Error::Other(
            "there is no Miri: rustup +nightly component add miri rust-src".to_owned(),
        ));
    }
    let mut tests = nightly::cargo();
    tests.args(["miri", "test", "--package", "sortsmith", "--lib", "--"]).args(FILTERS);
    // With a thread or two to spare, so that work is divided on every machine.
    process::run(tests.env("MIRIFLAGS", FLAGS).env("RAYON_NUM_THREADS", "3"))
}

/// Whether rustup has a nightly with Miri.
pub fn is_there() -> bool {
    process::succeeds(nightly::cargo().args(["miri", "--version"]))
}
