//! The nightly toolchain, which some chores need.

use std::process::Command;

use crate::{
    error::Error,
    process::{self, command},
};

/// Its cargo.
pub fn cargo() -> Command {
    by_rustup("cargo")
}

/// What it prints of itself.
pub fn printed(what: &str) -> Result<String, Error> {
    Ok(process::read(by_rustup("rustc").args(["--print", what]))?.trim().to_owned())
}

fn by_rustup(program: &str) -> Command {
    let mut rustup = command("rustup");
    rustup.args(["run", "nightly", program]);
    rustup
}
