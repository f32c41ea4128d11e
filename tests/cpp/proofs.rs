//! Tests of programs around generated headers draw nothing: what has held by the same sources and compilers does not run again.

use std::ffi::OsStr;
use std::path::Path;

use sortsmith_codegen::toolchain::{Nvcc, Toolchain};
use sortsmith_testkit::proven::{Inputs, is_source, nvcc_is_plain, prove};

/// What compiles and judges the programs, beside the compilers. Headers, and which launches are expected of them, come of the generator.
const SOURCES: [&str; 4] =
    ["codegen/src", "tests/kit/src/cores.rs", "tests/kit/src/emulator", "tests/kit/src/seed.rs"];

/// Runs a test of programs that the host's compiler or nvcc takes, unless it was right before.
pub(crate) fn of_programs(test: &str, proof: impl FnOnce()) {
    let toolchain = Toolchain::find();
    let nvcc = Nvcc::new(&toolchain).ok();
    if nvcc.is_some() && !nvcc_is_plain() {
        return proof();
    }
    prove(
        &format!("cpp {test}"),
        |inputs| {
            add_sources(inputs);
            match &nvcc {
                Some(nvcc) => inputs.add_nvcc(nvcc, &toolchain.include_dirs),
                None => inputs.add("nvcc", b"none"),
            }
        },
        proof,
    );
}

fn add_sources(inputs: &mut Inputs) {
    inputs.add_machine();
    inputs.add_version(&std::env::var("CXX").unwrap_or_else(|_| "g++".to_owned()));
    for path in SOURCES {
        inputs.add_sources(path, is_source);
    }
    for path in ["Cargo.lock", "templates", "tests/cpp"] {
        inputs.add_sources(path, |_| true);
    }
    // The emulator itself, and what families have of its drivers.
    inputs.add_sources("tests/emulator", |path| {
        is_source(path) && Path::new(path).extension() != Some(OsStr::new("rs"))
    });
}
