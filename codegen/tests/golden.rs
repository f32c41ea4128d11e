//! The headers under review are those that this version makes.

use std::fs;
use std::path::Path;

use sortsmith_codegen::emit::{self, Extras, folder};
use sortsmith_codegen::matrix::file;

/// Fails where the folder's files are not those of its matrix.
fn assert_current(folder: &str, facade: bool) {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let matrix = fs::read_to_string(dir.join("golden.toml")).expect("a matrix");
    let headers = file::parse(&matrix).expect("a legal matrix");
    let files = emit::files(&headers, Extras { index: true, facade }, |_| {}).expect("headers");
    let survey = folder::Survey::of(&dir, &files, folder::Scope::Folder).expect("the folder");
    let differing: Vec<_> =
        survey.states.iter().filter(|(_, state)| *state != folder::State::Current).collect();
    assert!(
        differing.is_empty(),
        "if the change is meant, run `cargo xtask golden` and review the diff: {differing:?}"
    );
}

#[test]
fn goldens_are_current() {
    assert_current("tests/golden", false);
}

#[test]
fn the_facade_is_current() {
    assert_current("tests/golden/facade", true);
}
