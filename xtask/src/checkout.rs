//! What is under version control: as it is, or as a revision has it.

use std::fs;
use std::path::Path;

use crate::{error::Error, process};

/// The files of a checkout, or of a revision of it, by their paths in it.
pub fn files(root: &Path, revision: Option<&str>) -> Result<Vec<String>, Error> {
    let mut list = process::command("git");
    match revision {
        None => list.arg("ls-files"),
        Some(revision) => list.args(["ls-tree", "-r", "--name-only", revision]),
    };
    let listed = process::read(list.current_dir(root))?;
    Ok(listed.lines().map(str::to_owned).collect())
}

/// The text of one of them.
pub fn text(root: &Path, revision: Option<&str>, file: &str) -> Result<String, Error> {
    match revision {
        None => fs::read_to_string(root.join(file)).map_err(Error::file("read", file)),
        Some(revision) => {
            let object = format!("{revision}:{file}");
            process::read(process::command("git").args(["show", &object]).current_dir(root))
        }
    }
}
