//! The headers under review are those that this version makes.

use std::fs;
use std::path::Path;

use sortsmith_codegen::emit::{self, Extras, folder};
use sortsmith_codegen::matrix::file;

#[test]
fn goldens_are_current() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden");
    let headers = file::parse(&fs::read_to_string(dir.join("golden.toml")).unwrap()).unwrap();
    let extras = Extras { index: true, facade: false };
    let files = emit::files(&headers, extras, |_| {}).unwrap();
    let survey = folder::Survey::of(&dir, &files, folder::Scope::Folder).unwrap();
    let differing: Vec<_> =
        survey.states.iter().filter(|(_, state)| *state != folder::State::Current).collect();
    assert!(
        differing.is_empty(),
        "if the change is meant, run `cargo xtask golden` and review the diff: {differing:?}"
    );
}
