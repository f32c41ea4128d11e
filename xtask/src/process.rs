//! Running other programs.

use std::{
    env,
    ffi::{OsStr, OsString},
    process::{Command, Output, Stdio},
};

use crate::{error::Error, workspace};

/// A program that runs in the workspace's root, with nothing on stdin.
pub fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(workspace::root()).stdin(Stdio::null());
    command
}

/// The cargo that runs this task.
pub fn cargo() -> Command {
    command(cargo_path())
}

/// The same, which leaves the cores to whatever else runs, where the system can say so.
pub fn cargo_at_leisure() -> Command {
    if !succeeds(command("nice").args(["-n", "19", "true"])) {
        return cargo();
    }
    let mut nice = command("nice");
    nice.args(["-n", "19"]).arg(cargo_path());
    nice
}

fn cargo_path() -> OsString {
    env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"))
}

/// Runs a program and shows its output.
pub fn run(command: &mut Command) -> Result<(), Error> {
    let status = command.status().map_err(|source| spawn_error(command, source))?;
    if status.success() {
        Ok(())
    } else {
        Err(Error::Failed { command: describe(command), status })
    }
}

/// Runs a program as a part of a task that prints to stdout: the program's output goes to stderr.
pub fn run_aside(command: &mut Command) -> Result<(), Error> {
    run(command.stdout(std::io::stderr()))
}

/// Runs a program for its stdout; its stderr is shown.
pub fn read(command: &mut Command) -> Result<String, Error> {
    let output =
        command.stderr(Stdio::inherit()).output().map_err(|source| spawn_error(command, source))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(Error::Failed { command: describe(command), status: output.status })
    }
}

/// Runs a program and shows nothing; none if it cannot be started.
pub fn probe(command: &mut Command) -> Option<Output> {
    command.output().ok()
}

/// Whether a program can be started and ends well, showing nothing.
pub fn succeeds(command: &mut Command) -> bool {
    probe(command).is_some_and(|output| output.status.success())
}

fn spawn_error(command: &Command, source: std::io::Error) -> Error {
    Error::Spawn { command: describe(command), source }
}

fn describe(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
}
