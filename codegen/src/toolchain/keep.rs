//! Sources that did not compile, kept for people who look into it.

use std::path::PathBuf;
use std::{fs, io};

/// Writes a source and its compiler's log into a fresh temporary folder, which stays.
pub fn keep_source(name: &str, text: &str, log: &str) -> io::Result<PathBuf> {
    let folder = tempfile::Builder::new().prefix("sortsmith-").tempdir()?.keep();
    fs::write(folder.join(name), text)?;
    fs::write(folder.join("log.txt"), log)?;
    Ok(folder)
}
