//! The emulator's own tests: toy kernels, right ones and broken ones.

use std::path::Path;
use std::process::Command;

use sortsmith_testkit::emulator::source_dir;

use super::compiler;

/// The emulator without the models of what comes late; it is part of the program.
#[test]
fn scheduler_and_rendezvous() {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("selftest");
    let cxx = std::env::var_os("CXX").unwrap_or_else(|| "g++".into());
    let output = Command::new(cxx)
        .args(["-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&program)
        .arg(source_dir().join("selftest.cpp"))
        .arg("-lpthread")
        .output()
        .expect("there is a compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    passes(&program);
}

/// Copies, early grids and relaxed words: each flaw is caught under each of a hundred seeds.
#[test]
fn what_comes_late() {
    // Its folder goes when it goes.
    let compiler = compiler();
    let batch = compiler.build_test("models_selftest").unwrap_or_else(|error| panic!("{error}"));
    passes(&batch.program);
}

fn passes(program: &Path) {
    let output = Command::new(program).output().expect("it starts");
    let report = String::from_utf8_lossy(&output.stdout);
    println!("{report}");
    assert!(output.status.success(), "{report}");
}
