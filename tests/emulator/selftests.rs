//! The emulator's own tests: toy kernels, right ones and broken ones.

use std::path::Path;
use std::process::Command;

use sortsmith_testkit::emulator::source_dir;

/// Compiles a program that has the emulator in it, and runs it.
fn passes(name: &str) {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let cxx = std::env::var_os("CXX").unwrap_or_else(|| "g++".into());
    let output = Command::new(cxx)
        .args(["-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&program)
        .arg(source_dir().join(name).with_extension("cpp"))
        .arg("-lpthread")
        .output()
        .expect("there is a compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = Command::new(&program).output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout);
    eprintln!("{text}");
    assert!(output.status.success(), "{name} fails:\n{text}");
}

#[test]
fn scheduler_and_rendezvous() {
    passes("selftest");
}

#[test]
fn what_comes_late() {
    passes("models_selftest");
}
