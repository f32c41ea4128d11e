//! Where things are.

use std::{
    env,
    path::{Path, PathBuf},
};

use crate::{error::Error, process};

/// The feature with which the tests that need a GPU are built.
pub const GPU_TESTS: &str = "sortsmith-tests/gpu-tests";

/// The workspace's root folder.
pub fn root() -> &'static Path {
    let manifest_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest_dir.parent().unwrap_or(manifest_dir)
}

/// Cargo's target folder.
pub fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// The files under version control of a checkout, by their paths in it.
pub fn files(root: &Path) -> Result<Vec<String>, Error> {
    let listed = process::read(process::command("git").arg("ls-files").current_dir(root))?;
    Ok(listed.lines().map(str::to_owned).collect())
}
