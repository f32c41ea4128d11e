//! `cargo xtask tsan`: the host's sorts under the thread sanitizer.

use std::path::Path;
use std::process::Command;

use crate::{
    error::Error,
    nightly,
    process::{self, succeeds},
    workspace,
};

/// The tests of the library that have threads, by modules.
const FILTERS: [&str; 5] = ["host::", "lists::", "runs::", "gpu::staging::", "gpu::shared::"];

/// Tests of sorts by many threads.
const TARGETS: [&str; 4] = ["--test", "host", "--test", "runs"];

/// Runs the tests, or says what is missing.
pub fn run() -> Result<(), Error> {
    if !is_there() {
        return Err(Error::Other(
            "there is no source of Rust's own libraries, which the sanitizer has to see: rustup +nightly component add rust-src"
                .to_owned(),
        ));
    }
    let target = nightly::printed("host-tuple")?;
    let test = |package| {
        let mut tests = sanitized(&target);
        tests.args(["--package", package]);
        tests
    };
    process::run(test("sortsmith").args(["--lib", "--"]).args(FILTERS))?;
    process::run(test("sortsmith-tests").args(TARGETS))
}

/// Whether rustup has a nightly with the source of the standard library.
fn is_there() -> bool {
    let has_nightly = succeeds(nightly::cargo().arg("--version"));
    let source = |sysroot: String| Path::new(&sysroot).join("lib/rustlib/src/rust/library");
    has_nightly && nightly::printed("sysroot").is_ok_and(|it| source(it).is_dir())
}

/// Tests of which all code is watched, that of the standard library too. More threads than cores show more orders, and one
/// distribution of many keys is enough.
fn sanitized(target: &str) -> Command {
    let mut tests = nightly::cargo();
    tests.args(["test", "-Zbuild-std", "--target", target, "--target-dir"]);
    tests.arg(workspace::root().join("target").join("tsan"));
    tests.env("RUSTFLAGS", "-Zsanitizer=thread").env("RAYON_NUM_THREADS", "4");
    // A test asks for more memory than there is.
    tests.env("TSAN_OPTIONS", "allocator_may_return_null=1 halt_on_error=1");
    tests.env("SORTSMITH_QUICK", "1");
    tests
}
