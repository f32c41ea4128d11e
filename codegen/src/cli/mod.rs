//! The command line: arguments, one module for each subcommand, and what they share.

mod args;
mod cache;
mod compile;
mod driver;
mod emit;
mod env;
mod explain;
mod failure;
mod list;
mod output;
mod progress;
mod tune;
mod usage;

use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use args::{Cli, Command};
use failure::Failure;

/// Runs the command that the arguments say.
pub fn run() -> ExitCode {
    let outcome = match Cli::try_parse() {
        Ok(cli) => dispatch(cli.command),
        Err(error) => usage::answer(&error),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn dispatch(command: Command) -> Result<(), Failure> {
    match command {
        Command::Emit(args) => emit::run(&args),
        Command::List(args) => list::run(args),
        Command::Explain(args) => explain::run(&args),
        Command::Compile(args) => compile::run(&args),
        Command::Cache { command } => cache::run(&command),
        Command::Env(args) => env::run(&args),
        Command::Tune { arguments } => tune::run(&arguments),
        Command::Cmake => output::print(include_str!("../../cmake/Sortsmith.cmake")),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "sortsmith", &mut script);
            output::print_bytes(&script)
        }
        Command::Man { out } => man_pages(&out),
    }
}

/// Writes a manual page for each command.
fn man_pages(folder: &Path) -> Result<(), Failure> {
    let failed = |error| Failure::request(format!("cannot write to {}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(failed)?;
    clap_mangen::generate_to(Cli::command(), folder).map_err(failed)
}
