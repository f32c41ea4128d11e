//! The examples, run as a user would: each succeeds and prints its results, with a GPU and without.

#![allow(clippy::unwrap_used)] // a failed unwrap is a failed test

use std::path::PathBuf;
use std::process::Command;

/// The profile that tests are built in, by the name of its folder and for cargo.
const PROFILE: (&str, &str) =
    if cfg!(debug_assertions) { ("debug", "test") } else { ("release", "release") };

/// The program of an example, which a test of the workspace builds too. Where a package or a test was selected, it is built here.
fn program(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let folder = test.ancestors().find(|it| it.ends_with(PROFILE.0)).unwrap();
    let program = folder.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    if !program.is_file() {
        let built = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--package", "sortsmith"])
            .args(["--profile", PROFILE.1, "--example", name])
            .arg("--target-dir")
            .arg(folder.parent().unwrap())
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status()
            .unwrap();
        assert!(built.success(), "{name} is not built");
    }
    program
}

/// The output of an example.
fn run(name: &str, arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let mut command = Command::new(program(name));
    command.args(arguments).env_remove("SORTSMITH_BACKEND").envs(variables.iter().copied());
    let output = command.output().unwrap();
    let [stdout, stderr] = [output.stdout, output.stderr].map(|it| String::from_utf8(it).unwrap());
    assert!(output.status.success(), "{name} ended with {}: {stderr}\n{stdout}", output.status);
    stdout
}

/// Runs an example where no device is visible, and as it is.
fn runs_anywhere(name: &str, arguments: &[&str], expected: &[&str]) {
    let host: &[(&str, &str)] = &[("CUDA_VISIBLE_DEVICES", "")];
    for variables in [host, &[]] {
        let stdout = run(name, arguments, variables);
        for words in expected {
            assert!(stdout.contains(words), "{name} does not say `{words}`: {stdout}");
        }
        assert!(variables.is_empty() || stdout.contains("on the host backend"), "{name}: {stdout}");
    }
}

#[test]
fn pairs() {
    let expected = ["sorted 200000 f32,u32 pairs on the ", "the result is in order and stable"];
    runs_anywhere("sort_pairs", &["200000"], &expected);
}

#[test]
fn positions() {
    runs_anywhere("argsort", &[], &["1. Lagos ", "2. Pune ", "6. Quito "]);
}

#[test]
fn splats() {
    let expected = ["100000 splats in 8160 tiles by 45 bits, on the "];
    runs_anywhere("splatting", &["100000"], &expected);
}

#[test]
fn arrays_larger_than_memory() {
    let expected = ["sorted 200000 f32,u32 pairs in runs of 300000 bytes on the ", "Merge done"];
    runs_anywhere("larger_than_memory", &["200000", "300000", "500000"], &expected);
}

#[test]
fn nearest_points() {
    let expected = ["200 queries have their 8 nearest of 2000 points, ties by position, on the "];
    runs_anywhere("nearest_neighbours", &[], &expected);
}

#[test]
fn positions_along_the_last_dimension() {
    let expected =
        ["the largest of the first list: [7, 4000, ", "sorted along the last dimension on the "];
    runs_anywhere("arg_sort_last_dim", &[], &expected);
}

#[test]
fn nucleus_sampling() {
    runs_anywhere("top_p", &[], &["of 128256 tokens have a probability of 0.9: [42, 4711, "]);
}

/// It sorts on a GPU alone, and says so where there is none.
#[cfg(feature = "cuda")]
#[test]
fn a_kernel_of_ones_own() {
    let stdout = run("fused_kernel", &[], &[("CUDA_VISIBLE_DEVICES", "")]);
    assert!(stdout.starts_with("left out, for it needs a GPU: "), "{stdout}");
    let stdout = run("fused_kernel", &[], &[]);
    assert!(
        stdout.starts_with("left out, for it needs ") || stdout.contains("medians"),
        "{stdout}"
    );
}

/// Likewise.
#[cfg(feature = "cuda")]
#[test]
fn a_graph_that_outlives_its_sorter() {
    let stdout = run("graph", &[], &[("CUDA_VISIBLE_DEVICES", "")]);
    assert!(stdout.starts_with("left out, for it needs a GPU: "), "{stdout}");
    let stdout = run("graph", &[], &[]);
    assert!(
        stdout.starts_with("left out, for it needs ") || stdout.contains("is gone"),
        "{stdout}"
    );
}

#[test]
fn a_wrong_argument_is_an_error() {
    for name in ["sort_pairs", "splatting"] {
        let output = Command::new(program(name)).arg("many").output().unwrap();
        assert!(!output.status.success(), "{name}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains("`many` is not a number of"), "{stderr}");
    }
}
