//! `cargo xtask ci`: everything that continuous integration runs, one step after the other, with the check of the dependencies beside them.

use std::cell::Cell;
use std::path::Path;
use std::thread::ScopedJoinHandle;
use std::time::Instant;

use crate::{
    SuiteArgs, adapters, checkout, deny,
    error::Error,
    layers,
    process::{self, cargo},
    suite, workspace,
};

type Step<'a> = (&'static str, &'a dyn Fn() -> Result<(), Error>);

pub fn run() -> Result<(), Error> {
    let started = Instant::now();
    // It waits for the network, and where it has to compile it has what time the other steps leave. It ends before an error is reported.
    std::thread::scope(|scope| {
        let dependencies = Cell::new(Some(scope.spawn(deny::run)));
        run_steps(&|| join(dependencies.take()), started)
    })
}

/// The quick ones first.
fn run_steps(deny: &dyn Fn() -> Result<(), Error>, started: Instant) -> Result<(), Error> {
    let tests = SuiteArgs { quick: false, deep: false, seed: None, filter: Vec::new() };
    let steps: [Step; 7] = [
        ("format", &format),
        ("layers", &layers::run),
        ("clippy", &clippy),
        ("docs", &docs),
        ("tests", &|| suite::run(&tests)),
        ("adapters", &adapters::run),
        ("deny", deny),
    ];
    for (index, (name, step)) in steps.iter().enumerate() {
        let number = index + 1;
        eprintln!("== ci {number}/{}: {name}", steps.len());
        let step_started = Instant::now();
        step().map_err(|error| {
            eprintln!("== ci {number}/{}: {name} failed; deny is waited for", steps.len());
            Error::Other(format!("ci failed at {name}: {error}"))
        })?;
        eprintln!("== ci {number}/{}: {name} passed in {}", steps.len(), seconds(step_started));
    }
    eprintln!("== ci: all {} steps passed in {}", steps.len(), seconds(started));
    Ok(())
}

fn join(dependencies: Option<ScopedJoinHandle<'_, Result<(), Error>>>) -> Result<(), Error> {
    let ended = dependencies.map(ScopedJoinHandle::join);
    ended.unwrap_or(Ok(Ok(()))).unwrap_or_else(|_| Err(Error::Other("its thread panicked".into())))
}

fn seconds(since: Instant) -> String {
    format!("{:.0} s", since.elapsed().as_secs_f32())
}

/// Folders of Rust of which cargo does not know: modules that a table declares, and programs that a test compiles.
const UNKNOWN_TO_CARGO: [&str; 2] = ["tests/emulator/families", "tests/ui"];

fn format() -> Result<(), Error> {
    process::run(cargo().args(["fmt", "--all", "--check"]))?;
    let files = checkout::files(workspace::root(), None)?;
    let is_rust = |file: &str| Path::new(file).extension().is_some_and(|it| it == "rs");
    let is_unknown = |file: &str| UNKNOWN_TO_CARGO.iter().any(|folder| file.starts_with(folder));
    let unknown = files.iter().filter(|it| is_unknown(it) && is_rust(it));
    let mut rustfmt = process::command("rustfmt");
    process::run(rustfmt.args(["--check", "--edition", "2024"]).args(unknown))
}

fn clippy() -> Result<(), Error> {
    let args = ["clippy", "--workspace", "--all-targets", "--profile", "test"];
    // It is all that looks at the tests for GPUs where there is none, and at sorts over several of them.
    let features = ["--features", workspace::GPU_TESTS, "--features", workspace::MANY_GPUS];
    process::run(cargo().args(args).args(features).args(["--", "-D", "warnings"]))
}

/// As docs.rs makes them, which has nothing of CUDA's: nor is there anything yet, for the compilers come with the tests.
fn docs() -> Result<(), Error> {
    let args = ["doc", "--workspace", "--no-deps", "--profile", "test"];
    process::run(cargo().args(args).env("RUSTDOCFLAGS", "-D warnings").env("DOCS_RS", "1"))
}
