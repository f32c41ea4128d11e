//! `sortsmith tune`, which is a program of its own: it sorts on a GPU, and nothing else here does.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::Command;

use super::failure::Failure;

/// The program.
const PROGRAM: &str = "sortsmith-tune";

/// Runs it with these arguments; it ends this process with its own exit code.
pub fn run(arguments: &[OsString]) -> Result<(), Failure> {
    let program = beside_this().unwrap_or_else(|| PathBuf::from(PROGRAM));
    let mut command = Command::new(&program);
    command.args(arguments);
    let error = become_it(&mut command);
    Err(match error.kind() {
        io::ErrorKind::NotFound => Failure::request(format!(
            "`sortsmith tune` needs the program {PROGRAM}, which is neither beside this one nor on PATH; \
             `cargo install {PROGRAM}`, or in a checkout `cargo install --profile dist --path tune`, has it"
        )),
        _ => Failure::request(format!("cannot run {}: {error}", program.display())),
    })
}

/// The program beside this one, where both were installed or built together.
fn beside_this() -> Option<PathBuf> {
    let this = std::env::current_exe().ok()?;
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    Some(this.with_file_name(name)).filter(|program| program.is_file())
}

/// Replaces this program by another one, so that signals are its own. Returns only where that fails.
#[cfg(unix)]
fn become_it(command: &mut Command) -> io::Error {
    use std::os::unix::process::CommandExt;
    command.exec()
}

/// Runs a program and ends as it does. Returns only where it does not start.
#[cfg(not(unix))]
fn become_it(command: &mut Command) -> io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(2)),
        Err(error) => error,
    }
}
