//! Answers to arguments that are no command: help, version, and errors of one line.

use clap::CommandFactory;
use clap::error::{Error, ErrorKind};

use super::args::Cli;
use super::failure::{Failure, one_line};

/// Prints help or version, or makes the error one line.
pub fn answer(error: &Error) -> Result<(), Failure> {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Ok(error.print()?),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            error.print()?;
            Err(Failure::Usage)
        }
        kind => Err(Failure::Request(message(&error.render().to_string()) + &legal(kind))),
    }
}

/// What is wrong and what is legal, without the usage that follows.
fn message(rendered: &str) -> String {
    let end = ["\n\nUsage:", "\n\nFor more information"]
        .iter()
        .filter_map(|mark| rendered.find(mark))
        .min();
    let said = &rendered[..end.unwrap_or(rendered.len())];
    one_line(said.strip_prefix("error: ").unwrap_or(said))
}

/// What is legal, where the error itself does not say it.
fn legal(kind: ErrorKind) -> String {
    match kind {
        ErrorKind::InvalidSubcommand => {
            let command = Cli::command();
            let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
            format!("; legal: {}", names.join(", "))
        }
        ErrorKind::UnknownArgument => "; --help lists what is legal".to_owned(),
        _ => String::new(),
    }
}
