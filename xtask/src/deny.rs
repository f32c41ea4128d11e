//! `cargo xtask deny`: licences, sources, bans and advisories of the dependencies.

use std::{
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Instant,
};

use crate::{
    adapters,
    error::Error,
    process::{self, cargo},
    workspace,
};

const VERSION: &str = "0.20.2";

pub fn run() -> Result<(), Error> {
    begin()?.finish()
}

/// A check that goes on: the advisory database is being fetched, which takes no core and, without a network, a minute.
pub struct Advisories {
    program: PathBuf,
    fetch: Child,
}

/// Checks bans, licences and sources, and begins to fetch the advisory database.
pub fn begin() -> Result<Advisories, Error> {
    let program = installed()?;
    for folder in [workspace::root().to_path_buf(), adapters::folder()] {
        process::run(
            deny(&program).current_dir(folder).args(["check", "bans", "licenses", "sources"]),
        )?;
    }
    let fetch = deny(&program)
        .args(["fetch", "db"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(Error::file("start", &program))?;
    Ok(Advisories { program, fetch })
}

impl Advisories {
    /// Waits for the database, and checks the dependencies against it.
    pub fn finish(mut self) -> Result<(), Error> {
        let fetched = self.fetch.wait().map_err(Error::file("wait for", &self.program))?;
        if fetched.success() {
            process::run(deny(&self.program).args(["check", "--disable-fetch", "advisories"]))
        } else {
            eprintln!(
                "left out: advisories, for the advisory database cannot be fetched from here"
            );
            Ok(())
        }
    }
}

/// A check that is given up does not leave its fetch behind.
impl Drop for Advisories {
    fn drop(&mut self) {
        // One that has ended cannot be killed, which is no fault.
        let _ = self.fetch.kill();
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

/// It runs for a second and builds for minutes, so it is built to be built fast.
fn install(root: &Path) -> Command {
    let mut install = cargo();
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
