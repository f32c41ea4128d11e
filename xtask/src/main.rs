//! The chores of sortsmith, run as `cargo xtask <TASK>`.

// The documentation of the arguments is the help text, which is not Markdown.
#![allow(clippy::doc_markdown)]

use std::{path::PathBuf, process::ExitCode};

use clap::{Args, Parser, Subcommand};

mod adapters;
mod bundle;
mod candle;
mod checkout;
mod ci;
mod cubins;
mod deny;
mod error;
mod golden;
mod layers;
mod miri;
mod nightly;
#[cfg(test)]
mod pages;
mod process;
mod prove;
mod python;
mod report;
mod sanitize;
mod suite;
mod toolkit;
mod tsan;
mod words;
mod workspace;

use error::Error;

/// The chores of sortsmith.
#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask", version, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Find the CUDA compilers, and fetch them if there are none.
    ///
    /// Looks at SORTSMITH_CUDA, which .cargo/config.toml sets to what this task fetches unless it is set, then at CUDA_HOME,
    /// CUDA_PATH, nvcc on PATH, /usr/local/cuda and /opt/cuda. If NVRTC or nvcc is missing, fetches pinned wheels with
    /// Python's pip (190 MB, 500 MB unpacked) into target/cuda/VERSION. Needs no GPU.
    Toolkit(ToolkitArgs),
    /// Run the complete test suite, with the CUDA compilers.
    ///
    /// Runs `cargo test --workspace` after making sure that there are CUDA compilers: a test that
    /// finds none fails instead of being left out. What needs a GPU is left out where there is none.
    Test(SuiteArgs),
    /// Run the tests that draw nothing at random and have changed inputs, and record those that hold in tests/proven.txt.
    ///
    /// These are tests in the emulator of known specs (covering sets, tiles of every length, a family's cases of its own,
    /// mutants, sites, the corpus), the compilers' tests of fixed lists of texts, and the C++ programs around generated headers. The
    /// record has a hash of all that the outcome of each depends on: texts, requests, tables, oracle, emulator, compilers. A test with
    /// the hash of the record is skipped, here and in `test` and `ci`, which run all others and record nothing; so run this before a
    /// commit that changes a template, and commit the record with it. `test --deep` skips none. Takes three quarters of an hour on two
    /// cores where all have changed. Lines of tests that are gone are removed where all tests have held.
    Prove(ProveArgs),
    /// Render the goldens again, into tests/golden.
    Golden {
        /// Write nothing; fail if a golden is stale, missing or left over.
        #[arg(long)]
        check: bool,
    },
    /// Compile the goldens' kernels, and print the registers, spilled bytes, stack, shared memory and code of each.
    ///
    /// With --against, compiles those of another revision too, and says which kernels have the same machine code. Kernels are
    /// compared by the ends of their names, renamed ones in their order. Fetches CUDA compilers if there are none.
    Cubins(CubinArgs),
    /// Pack the GPU tests, the benches, the examples and the tuner for a machine with CUDA but no Rust.
    ///
    /// Builds them by the profile `dist`, strips them, and puts them into a folder with their data and a
    /// script, run.sh, that runs them there. Fetches CUDA compilers if there are none, for tests that
    /// carry kernels.
    GpuBundle(BundleArgs),
    /// Run the GPU tests under compute-sanitizer.
    ///
    /// Runs a reduced set of them (SORTSMITH_SANITIZE=1) under memcheck, racecheck, initcheck and
    /// synccheck; an error that one of them finds fails the task.
    Sanitize {
        /// A folder made by gpu-bundle. Without it, a bundle is made in the target folder.
        dir: Option<PathBuf>,
    },
    /// Count words of this project's past that the field has others for.
    ///
    /// Prints each with its number of uses and what to write. Text that is generated, recorded or quoted is left out.
    Words(WordsArgs),
    /// Make docs/performance.md and its charts of the newest records, or compare two records.
    ///
    /// Records are what the benches write; those under benches/record/GPU are kept. With --against, nothing is written:
    /// prints what became slower or faster, by the ratio to CUB where both records have its times, and exits with 1 if
    /// something became slower, with 2 if the records cannot be compared.
    Report(ReportArgs),
    /// Run the tests of the host's sorts, and of all else that needs no driver, under Miri, which sees undefined behaviour.
    ///
    /// Needs a nightly toolchain with Miri: `rustup +nightly component add miri rust-src`. `test --deep` runs it too, where there
    /// is one. Takes minutes.
    Miri,
    /// Run the tests of the host's sorts under the thread sanitizer, which sees races.
    ///
    /// Needs a nightly toolchain with the source of Rust's libraries: `rustup +nightly component add rust-src`. Linux on x86-64 or
    /// aarch64 alone. Takes minutes, of which the first time compiling is most.
    Tsan,
    /// Check that the modules of each crate know each other in the one direction that ARCHITECTURE.md names.
    ///
    /// Names files of one module that know each other in circles, files of more than 450 lines, functions of templates and of C++ of more
    /// than 60, and fragments of templates that leave access labels open, too.
    Layers,
    /// Check licences, sources and bans of the dependencies with cargo-deny, installed on demand.
    Deny,
    /// Build and test the adapters for Python and for candle.
    ///
    /// Makes a virtual environment in target/adapters, builds the wheel there with maturin, installs it and runs its tests, then those of
    /// the crate for candle. Takes minutes the first time. Fetches maturin, NumPy and pytest with Python's pip.
    Adapters,
    /// Run everything that continuous integration runs, and stop at the first failure.
    Ci,
}

#[derive(Debug, Args)]
struct ToolkitArgs {
    /// Fetch into this folder instead of target/cuda/VERSION. Set SORTSMITH_CUDA to it afterwards.
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
    /// Fetch even if there are compilers, replacing what was fetched before.
    #[arg(long)]
    force: bool,
    /// Print what was found as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct SuiteArgs {
    /// Less than four minutes: the libraries' tests, layers, words and goldens, and one in sixteen specs in the emulator and
    /// through NVRTC (SORTSMITH_QUICK=1).
    ///
    /// Which specs, the seed says. Prints what it leaves out.
    #[arg(long, conflicts_with_all = ["deep", "filter"])]
    quick: bool,
    /// More random specs and inputs, and larger ones (SORTSMITH_DEEP=1); and the crate for candle is checked with CUDA.
    #[arg(long)]
    deep: bool,
    /// The seed of everything random (SORTSMITH_SEED). Without it, a fresh one is drawn and printed.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Run only tests with this text in their name; may be given several times.
    #[arg(long, value_name = "TEXT")]
    filter: Vec<String>,
}

#[derive(Debug, Args)]
struct ProveArgs {
    /// Run all of them, whatever the record has.
    #[arg(long)]
    all: bool,
    /// Run only tests with this text in their name, such as a family's; may be given several times.
    #[arg(long, value_name = "TEXT")]
    filter: Vec<String>,
}

#[derive(Debug, Args)]
struct CubinArgs {
    /// Compare with the goldens of this revision, such as main or HEAD~1. Goldens with the same text in both are not compiled.
    #[arg(long, value_name = "REV")]
    against: Option<String>,
    /// Take the goldens of this revision, and not the files as they are.
    #[arg(long, value_name = "REV")]
    at: Option<String>,
    /// The compute capability without its dot.
    #[arg(long, value_name = "N", default_value_t = 90)]
    arch: u32,
    /// Compile only goldens with this text in their name.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
}

#[derive(Debug, Args)]
struct BundleArgs {
    /// The folder; what an earlier bundle left in it is replaced.
    dir: PathBuf,
    /// Take NVRTC and CUDA's headers along too (150 MB), for a machine that has a driver alone.
    /// They are found as `toolkit` finds them.
    #[arg(long)]
    with_nvrtc: bool,
    /// Take NVRTC and the headers from this toolkit; implies --with-nvrtc.
    #[arg(long, value_name = "FOLDER")]
    toolchain_from: Option<PathBuf>,
    /// Take the tests of the crate for candle along too, for CUDA 13 and Linux on x86-64. candle's kernels take minutes to compile; the environment
    /// variable NVCC names a compiler for them, which must be no newer than the driver of that machine.
    #[arg(long)]
    with_candle: bool,
}

#[derive(Debug, Args)]
struct WordsArgs {
    /// Fail if a word is there more often than xtask/words.toml allows.
    #[arg(long)]
    check: bool,
    /// Name the files that have it, too.
    #[arg(long)]
    files: bool,
    /// Print the number of uses in a revision of the checkout beside that of its files as they are.
    #[arg(long, value_name = "REVISION", conflicts_with = "files")]
    against: Option<String>,
    /// The checkout to count in. Without it, this one.
    #[arg(value_name = "FOLDER")]
    root: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct ReportArgs {
    /// Write nothing; fail if the page or a chart is not what the records say.
    #[arg(long, conflicts_with = "against")]
    check: bool,
    /// Compare with this record.
    #[arg(long, value_name = "OLD.csv")]
    against: Option<PathBuf>,
    /// What is compared with it. Without it, the newest record of the same kind in the same folder.
    #[arg(value_name = "NEW.csv", requires = "against")]
    new: Option<PathBuf>,
    /// Changes of at most this many percent do not count.
    #[arg(long, value_name = "PERCENT", default_value_t = 3.0, value_parser = percent, requires = "against")]
    threshold: f64,
}

fn percent(text: &str) -> Result<f64, String> {
    let legal = |percent: &f64| percent.is_finite() && *percent >= 0.0;
    let percent = text.parse().ok().filter(legal);
    percent.ok_or_else(|| "a number from 0 on is legal".to_owned())
}

fn main() -> ExitCode {
    match run(&Cli::parse().task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}

fn run(task: &Task) -> Result<(), Error> {
    match task {
        Task::Toolkit(args) => toolkit::run(args),
        Task::Test(args) => suite::run(args),
        Task::Prove(args) => prove::run(args),
        Task::Golden { check } => golden::run(*check),
        Task::Cubins(args) => cubins::run(args),
        Task::GpuBundle(args) => bundle::run(args),
        Task::Sanitize { dir } => sanitize::run(dir.as_deref()),
        Task::Words(args) => words::run(args),
        Task::Report(args) => report::run(args),
        Task::Miri => miri::run(),
        Task::Tsan => tsan::run(),
        Task::Layers => layers::run(),
        Task::Deny => deny::run(),
        Task::Adapters => adapters::run(),
        Task::Ci => ci::run(),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_consistent() {
        super::Cli::command().debug_assert();
    }
}
