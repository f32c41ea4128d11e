//! `cargo xtask golden`: renders the headers under tests/golden, or checks them.

use crate::{
    error::Error,
    process::{self, cargo},
};

const MATRIX: &str = "tests/golden/golden.toml";
const FOLDER: &str = "tests/golden";

pub fn run(check: bool) -> Result<(), Error> {
    let mut emit = cargo();
    emit.args(["run", "--quiet", "--profile", "test"])
        .args(["--package", "sortsmith-codegen", "--bin", "sortsmith", "--"])
        .args(["emit", "--matrix", MATRIX, "--out", FOLDER]);
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
