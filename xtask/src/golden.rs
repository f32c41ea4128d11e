//! `cargo xtask golden`: renders the headers under tests/golden, or checks them.

use crate::{
    error::Error,
    process::{self, cargo},
};

/// The folders, each with the matrix that says what is in it and further words for `emit`.
const FOLDERS: [(&str, &[&str]); 2] =
    [("tests/golden", &[]), ("tests/golden/facade", &["--facade", "cub"])];

pub fn run(check: bool) -> Result<(), Error> {
    FOLDERS.iter().try_for_each(|(folder, words)| emit(folder, words, check))
}

fn emit(folder: &str, words: &[&str], check: bool) -> Result<(), Error> {
    let mut emit = cargo();
    emit.args(["run", "--quiet", "--profile", "test"])
        .args(["--package", "sortsmith-codegen", "--bin", "sortsmith", "--"])
        .args(["emit", "--matrix", &format!("{folder}/golden.toml"), "--out", folder])
        .args(words);
    if check {
        emit.arg("--check");
    }
    process::run(&mut emit).map_err(|error| match error {
        Error::Failed { .. } if check => Error::Other(format!(
            "{error}: if the change is meant, run `cargo xtask golden` and review the diff"
        )),
        error => error,
    })
}
