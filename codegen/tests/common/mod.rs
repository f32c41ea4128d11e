//! What the tests of the generator share. Not every test uses all of it.
#![allow(dead_code, unused_imports)]

mod specs;

use std::path::Path;
use std::process::{Command, Output};

pub use specs::{any_spec, specs_of};

/// Runs the command line.
pub fn sortsmith<A: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = A>) -> Output {
    command(arguments).output().expect("the program runs")
}

/// The command line, to be changed before it is run.
pub fn command<A: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = A>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sortsmith"));
    command.args(arguments);
    command
}

/// Runs words that hold no spaces, with `DIR` in place of the folder.
pub fn run_in(dir: &Path, words: &str) -> Output {
    let dir = dir.to_str().expect("a path of plain letters");
    sortsmith(words.split_whitespace().map(|word| word.replace("DIR", dir)))
}

/// What a run that must succeed wrote to stdout.
#[allow(clippy::needless_pass_by_value)] // of a temporary, at every call
pub fn good(output: Output) -> String {
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

/// The one line of a run that must fail with this code, without `error: `.
pub fn error_of(output: &Output, code: i32) -> String {
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "more than one line: {stderr}");
    assert!(stderr.ends_with('\n'), "{stderr:?}");
    stderr
        .trim_end()
        .strip_prefix("error: ")
        .unwrap_or_else(|| panic!("no error: {stderr}"))
        .to_owned()
}

/// Bytes that must be text.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}
