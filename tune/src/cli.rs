//! The program: arguments, a bar, Ctrl-C, exit codes.
//!
//! What the comments of the arguments say here is printed as it is: no Markdown.
#![allow(clippy::doc_markdown, clippy::struct_excessive_bools)] // help texts, flags

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::Parser;
use clap::error::ErrorKind;
use indicatif::{ProgressBar, ProgressStyle};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use sortsmith::Sorter;
use sortsmith_codegen::device::DeviceAlgorithm;
use sortsmith_codegen::tuning::Case;
use sortsmith_codegen::tuning::file::TuningFile;

use crate::bench::Bench;
use crate::compile;
use crate::gpu::{self, GpuBench};
use crate::report;
use crate::request::{self, Types, USUAL_TYPES};
use crate::run::{Audience, Request, RunError, tune, verify};
use crate::search::{Ended, Found, Step, Watch};

const AFTER_HELP: &str = "\
Examples:
  sortsmith tune --types f32_u32 --budget 2m
      all lengths of f32 keys with values of 4 bytes
  sortsmith tune --types u64_u32,u32_keys --length 3000000,2^27 --budget 60s
      the classes of lengths that these are in
  sortsmith tune --verify
      measures the file's rows once more, beside the built-in ones
  sortsmith tune --types f32_u32,u32_keys --host-slices
      from how many keys on slices are sorted on the GPU
  SORTSMITH_VERBOSE=1 my-program
      says which tuning file it uses, or why none

A case is a type of keys, what goes with them, and a class of lengths. It is tried in many
shapes, the best of which is kept only if it is at least 2% faster than the built-in one over
short and long arrays of two kinds of keys, and on none of them slower by more than 1%. Results
are the same bit for bit, whatever shape sorts.

Then sorts of host slices of these types are timed on the GPU and on the host, and sorters go
by the times, which are kept in the cache folder.

Ctrl-C ends it; what was found so far is in the file, and the same command goes on from there.

The file: --file, else what SORTSMITH_TUNING names, else one for this GPU in the cache folder.
Sorters look for it at the last two paths.

Exit codes: 0 good, 1 a row is slower (--verify), 2 the request was wrong or could not be done,
such as on a machine without a GPU, 130 interrupted.";

/// Finds the fastest shapes of sorts on this machine's GPU, and keeps them where sorters look for them.
#[derive(Debug, Parser)]
#[command(name = "sortsmith-tune", bin_name = "sortsmith tune", version, after_help = AFTER_HELP)]
struct Cli {
    /// Types of keys and of what goes with them: keys (nothing), u8 to u128, or index (their positions).
    #[arg(long, value_name = "TYPES", value_delimiter = ',', default_value = USUAL_TYPES)]
    types: Vec<Types>,
    /// The classes that arrays of these lengths are in. Default: all.
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = request::count)]
    length: Vec<u64>,
    /// Try shapes of this algorithm alone, beside the built-in ones: device-radix, device-sample or device-partition.
    #[arg(long, value_name = "ALGORITHM", value_parser = request::algorithm)]
    algorithm: Option<DeviceAlgorithm>,
    /// Time for all cases together, such as 90s, 10m or 2h; the last case may take some seconds more.
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = request::duration)]
    budget: Duration,
    /// The GPU, as CUDA counts.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    device: usize,
    /// The tuning file.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Search cases again that the file has.
    #[arg(long)]
    again: bool,
    /// Overwrite a file of another GPU, or one that is no tuning file.
    #[arg(long)]
    force: bool,
    /// Search nothing: measure all rows of the file once more, beside the built-in ones.
    #[arg(long, conflicts_with_all = ["again", "force"])]
    verify: bool,
    /// Search nothing: print the file. With --file it needs no GPU.
    #[arg(long, conflicts_with_all = ["verify", "again", "force"])]
    show: bool,
    /// Search nothing: measure from how many keys on host slices of these types are sorted faster on the first GPU than on the host.
    #[arg(long, conflicts_with_all = ["verify", "again", "force", "show", "file"])]
    host_slices: bool,
}

/// How it ends, if not well.
enum Failure {
    /// A check found something.
    Check,
    /// The request was wrong, or could not be carried out.
    Request(String),
    /// It was interrupted.
    Interrupted(String),
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Request(error.to_string())
    }
}

/// Runs what the arguments say.
pub fn run() -> ExitCode {
    if let Some(made) = compile::share_of_this_process() {
        return if made.is_ok() { ExitCode::SUCCESS } else { ExitCode::from(2) };
    }
    let outcome = match Cli::try_parse() {
        Ok(cli) => carry_out(&cli),
        Err(error)
            if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) =>
        {
            error.print().map_err(Failure::from)
        }
        Err(error) => Err(Failure::Request(first_paragraph(&error.render().to_string()))),
    };
    let (code, message) = match outcome {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::Check) => return ExitCode::from(1),
        Err(Failure::Request(message)) => (2, format!("error: {message}")),
        Err(Failure::Interrupted(message)) => (130, message),
    };
    // Where stderr is closed, the exit code says it alone.
    let _ = writeln!(io::stderr(), "{}", one_line(&message));
    ExitCode::from(code)
}

fn one_line(message: &str) -> String {
    let lines = message.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

/// What is wrong and what is legal, without the usage that follows.
fn first_paragraph(rendered: &str) -> String {
    let said = rendered.split("\n\n").next().unwrap_or(rendered);
    one_line(said.strip_prefix("error: ").unwrap_or(said))
}

fn carry_out(cli: &Cli) -> Result<(), Failure> {
    if let (true, Some(path)) = (cli.show, &cli.file) {
        return print(&report::file(&TuningFile::read_any(path)?));
    }
    if cli.host_slices {
        return host_slices(cli, &AtomicBool::new(false));
    }
    let cases = request::cases(&cli.types, &cli.length).map_err(Failure::Request)?;
    let mut bench = GpuBench::on(cli.device)?;
    let path = request::path(cli.file.clone(), bench.gpu()).map_err(Failure::Request)?;
    if cli.show {
        return print(&report::file(&TuningFile::read(&path, bench.gpu())?));
    }
    let audience = &mut Terminal::new(cli.budget)?;
    if cli.verify {
        let rows = TuningFile::read(&path, bench.gpu())?.rows;
        let all = verify(&mut bench, &rows, audience);
        audience.bar.finish_and_clear();
        let all = all.map_err(|error| ended(error, "nothing was changed"))?;
        print(&report::verified(&all))?;
        return if all.iter().any(crate::run::Verified::is_slow) {
            Err(Failure::Check)
        } else {
            Ok(())
        };
    }
    let request = Request {
        cases,
        budget: cli.budget,
        only: cli.algorithm,
        again: cli.again,
        force: cli.force,
        path,
        date: Timestamp::now().to_zoned(TimeZone::UTC).date().to_string(),
    };
    let done = tune(&mut bench, &request, audience);
    audience.bar.finish_and_clear();
    let file = request.path.display();
    let done = done.map_err(|error| match error {
        RunError::Ended(error) => {
            ended(error, &format!("what was found is in {file}, and the same command goes on"))
        }
        error @ RunError::File(_) => Failure::Request(error.to_string()),
    })?;
    print(&format!("{}written: {file}\n", report::done(&done)))?;
    // Sorters that choose have the first GPU.
    if cli.device == 0 { host_slices(cli, &audience.is_over) } else { Ok(()) }
}

/// Measures sorts of host slices of all types, and prints their times.
fn host_slices(cli: &Cli, is_over: &AtomicBool) -> Result<(), Failure> {
    let sorter = Sorter::new()?;
    print(&report::host_slices_head())?;
    for (key, value) in request::host_slices(&cli.types) {
        if is_over.load(Ordering::Relaxed) {
            return Err(Failure::Interrupted("interrupted; what was measured is kept".to_owned()));
        }
        if let Some(times) = gpu::host_slices::measure(&sorter, key, value)? {
            print(&report::host_slices(key, value, &times))?;
        } else {
            let why = "no GPU is chosen for them: there is none, or SORTSMITH_BACKEND is set";
            print(&format!("{key}_{value}: left out, for {why}\n"))?;
        }
    }
    Ok(())
}

fn ended(error: Ended, what_is_left: &str) -> Failure {
    match error {
        Ended::Stopped => Failure::Interrupted(format!("interrupted; {what_is_left}")),
        error => Failure::Request(error.to_string()),
    }
}

fn print(text: &str) -> Result<(), Failure> {
    match io::stdout().write_all(text.as_bytes()) {
        // The reader of stderr is gone.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}

/// A bar on a terminal's stderr, and whether Ctrl-C was pressed.
struct Terminal {
    bar: ProgressBar,
    is_over: Arc<AtomicBool>,
    case: String,
}

impl Terminal {
    fn new(budget: Duration) -> Result<Self, Failure> {
        let is_over = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&is_over);
        // The second time, nothing is waited for. The file is complete at any moment.
        ctrlc::set_handler(move || {
            if flag.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        })?;
        let bar = ProgressBar::new(budget.as_secs().max(1));
        let style = ProgressStyle::with_template("[{bar:30}] {pos}/{len} s  {msg}")?;
        bar.set_style(style.progress_chars("=> "));
        Ok(Self { bar, is_over, case: String::new() })
    }
}

impl Watch for Terminal {
    fn step(&mut self, elapsed: Duration, step: Step) {
        let words = match step {
            Step::Compiling { done, all } => format!("{done} of {all} shapes compiled"),
            Step::Halving { round, left } => format!("round {round}, {left} left"),
            Step::Final { point, all } => format!("final, {point} of {all}"),
        };
        self.bar.set_position(elapsed.as_secs());
        self.bar.set_message(format!("{}: {words}", self.case));
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}

impl Audience for Terminal {
    fn begin(&mut self, number: usize, all: usize, case: &Case) {
        self.case = format!("{number}/{all} {case}");
        self.bar.set_message(self.case.clone());
    }

    fn found(&mut self, case: &Case, found: &Found) {
        let line = report::found(case, found);
        self.bar.println(line.trim_end());
    }

    fn note(&mut self, words: &str) {
        self.bar.suspend(|| {
            let _ = writeln!(io::stderr(), "note: {}", one_line(words));
        });
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
