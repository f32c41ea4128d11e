//! Which compilers, folders and variables the command line trusts, by their owners.
#![cfg(unix)]

mod common;

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{command, good, text};

/// Variables that name toolkits and folders of kernels.
const VARIABLES: [&str; 4] = ["SORTSMITH_CUDA", "CUDA_HOME", "CUDA_PATH", "SORTSMITH_CACHE_DIR"];

/// A toolkit of files that are no libraries and programs, marked as one that `cargo xtask toolkit` fetched.
fn plant(root: &Path) {
    for file in ["lib/libnvrtc.so.13", "bin/nvcc", "bin/ptxas", ".sortsmith-toolkit"] {
        let path = root.join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it is made");
        fs::write(&path, "#!/bin/sh\n").expect("it is written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
    }
}

/// A user that may write above the current folder, or above the program, cannot choose the compilers.
#[test]
fn compilers_are_not_looked_for_around_the_current_folder() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let outer = dir.path().canonicalize().expect("it is there");
    let inner = outer.join("some/where");
    fs::create_dir_all(&inner).expect("it is made");
    for planted in ["cuda/99.0", "target/cuda/99.0", "some/cuda/99.0", "some/where"] {
        plant(&outer.join(planted));
    }
    let program = outer.join("some/sortsmith");
    // By another process: as long as a child of another test has a file open that this one writes to, no process can run it.
    let copy = Command::new("cp").arg(env!("CARGO_BIN_EXE_sortsmith")).arg(&program).status();
    assert!(copy.expect("cp runs").success());
    let mut env = Command::new(program);
    env.args(["env", "--json"]).current_dir(&inner);
    for name in VARIABLES {
        env.env_remove(name);
    }
    env.env("PATH", "bin:.::/usr/bin").env("LD_LIBRARY_PATH", "lib:");
    let report = good(env.output().expect("it runs"));
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    for tool in report["tools"].as_array().expect("a list") {
        let path = tool["path"].as_str().unwrap_or_default();
        assert!(path.is_empty() || path.starts_with('/') || !path.contains('/'), "{tool}");
        assert!(!Path::new(path).starts_with(&outer), "{tool}");
    }
    assert!(!report["tools"].to_string().contains("99.0"), "{report}");
}

#[test]
fn a_cache_folder_that_others_may_write_to_is_reported() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o777)).expect("it is ours");
    let run = |words: &[&str]| {
        command(words).env("SORTSMITH_CACHE_DIR", dir.path()).output().expect("it runs")
    };
    let said = "is not used: its mode 0777 lets others write to it; `chmod go-w` forbids it";
    let env = good(run(&["env"]));
    assert!(env.lines().any(|line| line.starts_with("cache") && line.ends_with(said)), "{env}");
    let listed = run(&["cache", "list"]);
    assert_eq!(listed.status.code(), Some(2));
    assert!(text(&listed.stderr).trim_end().ends_with(said), "{}", text(&listed.stderr));
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o700)).expect("it is ours");
    let env: serde_json::Value =
        serde_json::from_str(&good(run(&["env", "--json"]))).expect("JSON");
    assert!(env["cache_problem"].is_null() && env["cache"].is_string(), "{env}");
}

/// The variables that name toolkits, or folders of kernels, alone or with others: each with something that is planted in this folder.
fn variables(folder: &Path) -> Vec<(&'static str, PathBuf)> {
    let cuda = folder.join("cuda");
    plant(&cuda);
    let toolkits = ["SORTSMITH_CUDA", "CUDA_HOME", "CUDA_PATH"].map(|name| (name, cuda.clone()));
    let searched = [("PATH", cuda.join("bin")), ("LD_LIBRARY_PATH", cuda.join("lib"))];
    let caches = ["SORTSMITH_CACHE_DIR", "XDG_CACHE_HOME", "HOME"];
    let caches = caches.map(|name| (name, folder.join("cache")));
    toolkits.into_iter().chain(searched).chain(caches).collect()
}

/// A program that runs with the rights of its owner or its group takes no folder and no toolkit from its caller.
#[test]
fn a_program_with_more_rights_than_its_caller_ignores_variables() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).expect("it is ours");
    let program = dir.path().join("sortsmith");
    let all = variables(dir.path());
    // By another process: as long as a child of another test has a file open that this one writes to, no process can run it.
    let copy = Command::new("cp").arg(env!("CARGO_BIN_EXE_sortsmith")).arg(&program).status();
    assert!(copy.expect("cp runs").success());
    let folder = dir.path().to_str().expect("UTF-8");
    let takes = |variables: &[(&str, PathBuf)]| {
        let mut env = Command::new(&program);
        env.env_clear().args(["env", "--json"]).envs(variables.iter().cloned());
        let report = good(env.output().expect("it runs"));
        serde_json::from_str::<serde_json::Value>(&report).expect("JSON");
        report.contains(folder)
    };
    for variable in all.chunks(1) {
        assert!(takes(variable), "{variable:?}");
    }
    for (user, group, mode) in [(Some(65_534), None, 0o4755), (None, Some(65_534), 0o2755)] {
        if chown(&program, user, group).is_err() {
            println!("left out: programs of another user, which only root can make");
            return;
        }
        fs::set_permissions(&program, fs::Permissions::from_mode(mode)).expect("it is ours");
        assert_eq!(fs::metadata(&program).expect("it is there").mode() & 0o7777, mode);
        for variables in all.chunks(1).chain([&all[..]]) {
            assert!(!takes(variables), "{mode:o}: {variables:?}");
        }
        chown(&program, Some(0), Some(0)).expect("root");
    }
}
