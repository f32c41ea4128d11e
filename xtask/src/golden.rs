//! `cargo xtask golden`: renders the headers under tests/golden, or checks them.

use std::fs;

use sortsmith_codegen::emit::{
    self, EmitError, Named,
    folder::{self, Scope, Survey},
};
use sortsmith_codegen::render::{self, RowsFacade};
use sortsmith_codegen::{Arch, KeyType, Order, ValueType};

use crate::{
    error::Error,
    process::{self, cargo},
    workspace,
};

/// The folders, each with the matrix that says what is in it and further words for `emit`.
const FOLDERS: [(&str, &[&str]); 2] =
    [("tests/golden", &[]), ("tests/golden/facade", &["--facade", "cub"])];

/// The folder of specs on arrays; their names are in its names.txt, one a line.
const DEVICE_FOLDER: &str = "tests/golden/device";

/// The folder of a facade of device-wide sorts, and what it is of: the smallest with a counting sort.
const DEVICE_FACADE_FOLDER: &str = "tests/golden/device_facade";
const DEVICE_FACADE: &[&str] =
    &["--facade", "cub-device", "--key", "u8", "--value", "keys", "--order", "desc"];

/// The folder of a facade of sorts of segments, and what it is of: keys that no network sorts.
const SEGMENTED_FACADE_FOLDER: &str = "tests/golden/segmented_facade";
const SEGMENTED_FACADE: &[&str] =
    &["--facade", "cub-segmented", "--key", "u64", "--value", "u32", "--order", "desc"];

/// The folder of the host's part of a facade of sorts of rows; its kernels are those of other goldens.
const ROWS_FACADE_FOLDER: &str = "tests/golden/rows_facade";

pub fn run(check: bool) -> Result<(), Error> {
    for (folder, words) in FOLDERS {
        let matrix = format!("{folder}/golden.toml");
        emit(folder, &[&["--matrix", &matrix], words].concat(), check)?;
    }
    emit(DEVICE_FACADE_FOLDER, DEVICE_FACADE, check)?;
    emit(SEGMENTED_FACADE_FOLDER, SEGMENTED_FACADE, check)?;
    emit_rows(check)?;
    emit_device(check)
}

fn emit(folder: &str, words: &[&str], check: bool) -> Result<(), Error> {
    let mut emit = cargo();
    emit.args(["run", "--quiet", "--profile", "test"])
        .args(["--package", "sortsmith-codegen", "--bin", "sortsmith", "--"])
        .args(["emit", "--out", folder])
        .args(words);
    if check {
        emit.arg("--check");
    }
    process::run(&mut emit).map_err(|error| match error {
        Error::Failed { .. } if check => stale(&error.to_string()),
        error => error,
    })
}

fn emit_device(check: bool) -> Result<(), Error> {
    let dir = workspace::root().join(DEVICE_FOLDER);
    let list = dir.join("names.txt");
    let names = fs::read_to_string(&list).map_err(Error::file("read", &list))?;
    let all: Vec<Named> = names
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(str::parse)
        .collect::<Result<_, _>>()
        .map_err(|error| Error::Other(format!("{}: {error}", list.display())))?;
    let failed = |error: EmitError| Error::Other(error.to_string());
    write(DEVICE_FOLDER, &emit::named_files(&all).map_err(failed)?, check)
}

/// Of keys that are counted in many rows, with all kinds of sorts.
fn emit_rows(check: bool) -> Result<(), Error> {
    let (key, value, orders) = (KeyType::F16, ValueType::None, vec![Order::Descending]);
    let facade = RowsFacade { key, value, orders, arch: Arch::SM_90 };
    let text = facade.host_part().map_err(|error| Error::Other(error.to_string()))?;
    let file = emit::File { name: render::ROWS_FACADE_FILE.to_owned(), text };
    write(ROWS_FACADE_FOLDER, &[file], check)
}

/// Writes the files of a folder, or compares them with those that are there.
fn write(name: &str, files: &[emit::File], check: bool) -> Result<(), Error> {
    let dir = workspace::root().join(name);
    let failed = |error: EmitError| Error::Other(error.to_string());
    let survey = Survey::of(&dir, files, Scope::Folder).map_err(failed)?;
    let differing =
        files.len() - survey.count(folder::State::Current) + survey.count(folder::State::LeftOver);
    if check && differing > 0 {
        return Err(stale(&format!("{name}: {differing} of {} differ", files.len())));
    }
    folder::write(&dir, files, &survey, false, |_| {}).map_err(failed)?;
    folder::prune(&dir, &survey).map_err(failed)?;
    Ok(())
}

fn stale(what: &str) -> Error {
    Error::Other(format!(
        "{what}: if the change is meant, run `cargo xtask golden` and review the diff"
    ))
}
