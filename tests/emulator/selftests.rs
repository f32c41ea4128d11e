//! The emulator's own tests: toy kernels, right ones and broken ones.

use std::path::Path;
use std::process::Command;

use sortsmith_testkit::emulator::source_dir;

use super::compiler;

/// The scheduler, which is part of this program.
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

/// Planted races of each kind, and flaws of copies, early grids and relaxed words, are found under each of a hundred seeds; the
/// same code without the flaw is quiet.
#[test]
fn races_and_what_comes_late() {
    // One, for the emulator's own objects are made once; its folder goes when it goes.
    let compiler = compiler();
    for source in ["races", "models_selftest"] {
        let batch = compiler.build_test(source).unwrap_or_else(|error| panic!("{error}"));
        passes(&batch.program);
    }
}

fn passes(program: &Path) {
    let output = Command::new(program).output().expect("it runs");
    let report = String::from_utf8_lossy(&output.stdout);
    println!("{report}");
    assert!(output.status.success(), "{report}");
}
