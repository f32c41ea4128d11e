//! The race detector itself; what it says of generated code, the other tests ask it.

use std::process::Command;

use super::compiler;

/// Planted races of each kind are found under each of a hundred seeds, and the same code without the flaw is quiet.
#[test]
fn planted_races_are_found() {
    // Its folder goes when it goes.
    let compiler = compiler();
    let batch = compiler.build_test("races").unwrap_or_else(|error| panic!("{error}"));
    let output = Command::new(&batch.program).output().expect("it starts");
    let report = String::from_utf8_lossy(&output.stdout);
    println!("{report}");
    assert!(output.status.success(), "{report}");
}
