//! `sortsmith tune`, which runs another program.
#![cfg(unix)]
#![allow(clippy::unwrap_used)] // a failed unwrap is a failed test

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::{error_of, text};

/// The program alone in a folder, so that nothing is beside it.
fn alone() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("sortsmith");
    fs::copy(env!("CARGO_BIN_EXE_sortsmith"), &program).unwrap();
    (folder, program)
}

fn tuner(folder: &Path) {
    let script = folder.join("sortsmith-tune");
    fs::write(&script, "#!/bin/sh\necho \"tunes $*\"\nexit 7\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
}

fn run(program: &Path, arguments: &[&str], path: &Path) -> Output {
    Command::new(program).args(arguments).env("PATH", path).output().unwrap()
}

#[test]
fn the_tuner_beside_it_or_on_path_gets_all_arguments_and_says_how_it_ends() {
    let words = ["tune", "--types", "u32_keys", "--help", "-x"];
    let ((beside, program), (other, lonely)) = (alone(), alone());
    tuner(beside.path());
    for (program, path) in [(&program, other.path()), (&lonely, beside.path())] {
        let output = run(program, &words, path);
        assert_eq!(text(&output.stdout), "tunes --types u32_keys --help -x\n");
        assert_eq!(output.status.code(), Some(7));
    }
}

#[test]
fn without_the_tuner_it_says_where_to_get_it() {
    let (folder, program) = alone();
    let error = error_of(&run(&program, &["tune"], folder.path()), 2);
    assert!(error.contains("needs the program sortsmith-tune"), "{error}");
    assert!(error.contains("cargo install"), "{error}");
}
