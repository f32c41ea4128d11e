//! What the types of the public API forbid: programs that must not compile, and one that must.
//!
//! A line that is an error ends with its code and with a part of what the compiler says, as in `//~ E0277 Mine: SortKey`, or the next
//! line does, as in `//~^ E0004`. The programs are given to the compiler beside the library that this test is linked with, so nothing
//! else is built for them.
#![cfg(feature = "cuda")]
#![allow(clippy::unwrap_used)] // a failed unwrap is a failed test

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

/// The program that compiles.
const ACCEPTED: &str = "accepted";

/// An error: its line, counted from one, its code, and what is said of it.
type Failure = (usize, String, String);

/// What the compiler says of a program, a line for each error.
fn compile(program: &Path, library: &Path, out: &Path) -> (bool, String) {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(rustc);
    command.args(["--edition=2024", "--crate-type=bin", "--emit=metadata", "--cap-lints=allow"]);
    command.args(["--error-format=short", "--color=never"]);
    command.arg("-L").arg(format!("dependency={}", library.parent().unwrap().display()));
    command.arg("--extern").arg(format!("sortsmith={}", library.display()));
    let output = command.arg("--out-dir").arg(out).arg(program).output().expect("a compiler");
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The errors in the compiler's words: `ui/sealed.rs:9:5: error[E0277]: ...`.
fn found(said: &str, program: &Path) -> Vec<Failure> {
    let of_line = |line: &str| {
        let line = line.strip_prefix(program.to_str().unwrap())?.strip_prefix(':')?;
        let (position, failure) = line.split_once(": error[")?;
        let ((number, _), (code, words)) = (position.split_once(':')?, failure.split_once(']')?);
        Some((number.parse().unwrap(), code.to_owned(), words.to_owned()))
    };
    said.lines().filter_map(of_line).collect()
}

fn expected(program: &Path) -> Vec<Failure> {
    let text = fs::read_to_string(program).unwrap();
    let of_line = |(number, line): (usize, &str)| {
        let (_, failure) = line.split_once("//~")?;
        let (number, failure) =
            failure.strip_prefix('^').map_or((number + 1, failure), |it| (number, it));
        let failure = failure.trim();
        let (code, words) = failure.split_once(' ').unwrap_or((failure, ""));
        Some((number, code.to_owned(), words.to_owned()))
    };
    text.lines().enumerate().filter_map(of_line).collect()
}

/// Whether each line that is an error was expected, and each that was expected is one, in these words.
fn is_as_expected(found: &[Failure], expected: &[Failure]) -> bool {
    let lines = |failures: &[Failure]| failures.iter().map(|it| it.0).collect::<BTreeSet<_>>();
    let is_found = |(line, code, words): &Failure| {
        found.iter().any(|it| it.0 == *line && it.1 == *code && it.2.contains(words.as_str()))
    };
    lines(found) == lines(expected) && expected.iter().all(is_found)
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("ui")
}

/// The library that this test is linked with: the newest of those that the accepted program compiles with. Cargo has built it since
/// its source has last changed; older ones, and those of other features, may be there too.
fn library(out: &Path) -> PathBuf {
    let this = std::env::current_exe().unwrap();
    let files = fs::read_dir(this.parent().unwrap()).unwrap().map(|file| file.unwrap().path());
    let is_library = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.starts_with("libsortsmith-") && name.ends_with(".rlib")
    };
    let mut libraries: Vec<PathBuf> = files.filter(is_library).collect();
    libraries.sort_by_key(|path| Reverse(fs::metadata(path).unwrap().modified().unwrap()));
    let accepted = folder().join(format!("{ACCEPTED}.rs"));
    let mut said = String::new();
    for library in libraries {
        let (is_accepted, of_this) = compile(&accepted, &library, out);
        if is_accepted {
            return library;
        }
        said += &of_this;
    }
    panic!("{} does not compile:\n{said}", accepted.display());
}

#[test]
fn programs_that_the_types_forbid_do_not_compile() {
    let out = tempfile::tempdir().unwrap();
    let library = library(out.path());
    let programs = fs::read_dir(folder()).unwrap().map(|file| file.unwrap().path());
    let programs: Vec<PathBuf> =
        programs.filter(|it| it.file_stem().unwrap() != ACCEPTED).collect();
    assert!(programs.len() >= 5, "{programs:?}");
    thread::scope(|scope| {
        let check = |program: PathBuf| {
            let (library, out) = (&library, out.path());
            move || {
                let expected = expected(&program);
                assert!(!expected.is_empty(), "{} expects no error", program.display());
                let (_, said) = compile(&program, library, out);
                assert!(is_as_expected(&found(&said, &program), &expected), "{said}");
            }
        };
        let threads: Vec<_> = programs.into_iter().map(|it| scope.spawn(check(it))).collect();
        let failed = threads.into_iter().filter_map(|thread| thread.join().err()).count();
        assert_eq!(failed, 0, "programs are not refused as they say");
    });
}
