//! `cargo xtask sanitize`: the GPU tests under compute-sanitizer.
//!
//! The bundle's run.sh does the work, so that it is the same on a machine without Rust.

use std::path::{Path, PathBuf};

use crate::{BundleArgs, bundle, error::Error, process, suite, toolkit, workspace};

pub fn run(dir: Option<&Path>) -> Result<(), Error> {
    let dir = match dir {
        Some(dir) => std::path::absolute(dir).map_err(Error::file("resolve", dir))?,
        None => fresh_bundle()?,
    };
    let script = dir.join(bundle::SCRIPT);
    if !script.is_file() {
        let message = format!("{} was not made by `cargo xtask gpu-bundle`", dir.display());
        return Err(Error::Other(message));
    }
    let toolchain = toolkit::ensure()?;
    let mut sanitize = process::command("bash");
    sanitize.arg(script).arg("sanitize");
    if let Some(sanitizer) = &toolchain.compute_sanitizer {
        sanitize.env("COMPUTE_SANITIZER", &sanitizer.path);
    }
    suite::use_toolchain(&mut sanitize, &toolchain);
    process::run(&mut sanitize)
}

fn fresh_bundle() -> Result<PathBuf, Error> {
    let dir = workspace::target().join("gpu-bundle");
    let args = BundleArgs {
        dir: dir.clone(),
        with_nvrtc: false,
        toolchain_from: None,
        with_candle: false,
    };
    bundle::run(&args)?;
    Ok(dir)
}
