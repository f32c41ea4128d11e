//! Where things are.

use std::{
    env,
    path::{Path, PathBuf},
};

/// The feature with which the tests that need a GPU are built.
pub const GPU_TESTS: &str = "sortsmith-tests/gpu-tests";

/// The feature with which those that need several are built too.
pub const MANY_GPUS: &str = "sortsmith-tests/nccl";

/// The workspace's root folder.
pub fn root() -> &'static Path {
    let manifest_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest_dir.parent().unwrap_or(manifest_dir)
}

/// Cargo's target folder.
pub fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir))
}
