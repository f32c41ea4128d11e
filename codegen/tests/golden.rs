//! The headers under review are those that this version makes.

use std::fs;
use std::path::Path;

use sortsmith_codegen::emit::{self, Extras, File, Named, folder};
use sortsmith_codegen::matrix::file;

/// Fails where the folder's files are not those of its matrix.
fn assert_current(folder: &str, facade: bool) {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let matrix = fs::read_to_string(dir.join("golden.toml")).expect("a matrix");
    let headers = file::parse(&matrix).expect("a legal matrix");
    let files = emit::files(&headers, Extras { index: true, facade }, |_| {}).expect("headers");
    assert_files(&dir, &files);
}

fn assert_files(dir: &Path, files: &[File]) {
    let survey = folder::Survey::of(dir, files, folder::Scope::Folder).expect("the folder");
    let differing: Vec<_> =
        survey.states.iter().filter(|(_, state)| *state != folder::State::Current).collect();
    assert!(
        differing.is_empty(),
        "if the change is meant, run `cargo xtask golden` and review the diff: {differing:?}"
    );
}

#[test]
fn device_goldens_are_current() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden/device");
    let names = fs::read_to_string(dir.join("names.txt")).expect("a list of names");
    let all: Vec<Named> = names
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|name| name.parse().unwrap_or_else(|error| panic!("{error}")))
        .collect();
    assert!(!all.is_empty());
    assert_files(&dir, &emit::named_files(&all).expect("headers"));
}

#[test]
fn goldens_are_current() {
    assert_current("tests/golden", false);
}

#[test]
fn the_facade_is_current() {
    assert_current("tests/golden/facade", true);
}
