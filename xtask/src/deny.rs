//! `cargo xtask deny`: licences, sources, bans and advisories of the dependencies.

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

use crate::{
    adapters,
    error::Error,
    process::{self, cargo_at_leisure},
    workspace,
};

const VERSION: &str = "0.20.2";

/// Checks bans, licences and sources, then fetches the advisory database, if it is reached, and checks the dependencies against it.
pub fn run() -> Result<(), Error> {
    let program = installed()?;
    for folder in [workspace::root().to_path_buf(), adapters::folder()] {
        process::run(
            deny(&program).current_dir(folder).args(["check", "bans", "licenses", "sources"]),
        )?;
    }
    if process::succeeds(deny(&program).args(["fetch", "db"])) {
        process::run(deny(&program).args(["check", "--disable-fetch", "advisories"]))
    } else {
        eprintln!("left out: advisories, for the advisory database cannot be fetched from here");
        Ok(())
    }
}

fn deny(program: &Path) -> Command {
    let mut deny = process::command(program);
    deny.args(["--workspace", "--all-features"]);
    deny
}

/// The pinned cargo-deny: the one on `PATH`, or in the target folder, where it is put if need be.
fn installed() -> Result<PathBuf, Error> {
    let root = workspace::target().join("tools");
    let own = root.join("bin").join(format!("cargo-deny{}", std::env::consts::EXE_SUFFIX));
    if let Some(program) = [Path::new("cargo-deny"), &own].into_iter().find(|it| is_pinned(it)) {
        return Ok(program.to_path_buf());
    }
    eprintln!("installing cargo-deny {VERSION} into {}", root.display());
    let started = Instant::now();
    process::run(&mut install(&root))?;
    eprintln!("installed in {:.0} s", started.elapsed().as_secs_f32());
    Ok(own)
}

/// It runs for a second and builds for minutes, so it is built to be built fast, and by cores that have nothing else to do.
fn install(root: &Path) -> Command {
    let mut install = cargo_at_leisure();
    install
        .args(["install", "cargo-deny", "--version", VERSION, "--locked", "--quiet"])
        .args(["--no-default-features", "--force", "--root"])
        .arg(root)
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_PANIC", "abort")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
    install
}

fn is_pinned(program: &Path) -> bool {
    process::probe(process::command(program).arg("--version")).is_some_and(|output| {
        String::from_utf8_lossy(&output.stdout).trim() == format!("cargo-deny {VERSION}")
    })
}
