//! What is under version control.

use std::path::Path;

use crate::{error::Error, process};

/// The files under version control of a checkout, by their paths in it.
pub fn files(root: &Path) -> Result<Vec<String>, Error> {
    let listed = process::read(process::command("git").arg("ls-files").current_dir(root))?;
    Ok(listed.lines().map(str::to_owned).collect())
}
