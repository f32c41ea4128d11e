//! The crate for candle with its feature `cuda`: checked, and its tests built for a machine with a GPU.
//!
//! Both take a CUDA compiler, for candle has its kernels compiled, which is minutes of work the first time.

use std::{fs, num::NonZero, path::Path, process::Command, thread};

use sortsmith_codegen::toolchain::Toolchain;

use crate::{
    adapters,
    error::Error,
    process::{self, cargo},
    workspace,
};

/// The device that candle's kernels are compiled for: 9.0, an H100.
const COMPUTE_CAPABILITY: &str = "90";

/// The version of CUDA that the programs are for, as cudarc numbers it: 13.0.
const CUDA_VERSION: &str = "13000";

/// The programs of its tests.
pub const TESTS: [&str; 2] = ["cuda", "tensors"];

/// What these are built for: flags of the linker are then not those of build scripts.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Libraries of CUDA 13 that candle links with: what the linker calls them, and what a program asks for.
const LIBRARIES: [(&str, &str); 6] = [
    ("cuda", "libcuda.so.1"),
    ("nvrtc", "libnvrtc.so.13"),
    ("cublas", "libcublas.so.13"),
    ("cublasLt", "libcublasLt.so.13"),
    ("curand", "libcurand.so.10"),
    ("cudart", "libcudart.so.13"),
];

/// Checks the crate, tests included. Nothing is linked, so no library of CUDA's is needed.
pub fn check(toolchain: &Toolchain) -> Result<(), Error> {
    let mut clippy = of_crate("clippy", toolchain)?;
    process::run(clippy.args(["--all-targets", "--", "-D", "warnings"]))
}

/// Builds its tests, and returns what cargo says of them. The libraries need not be there: the programs ask for them where they run.
pub fn build_tests(toolchain: &Toolchain) -> Result<String, Error> {
    let stubs = workspace::target().join("candle-stubs");
    make_stubs(&stubs)?;
    let mut build = of_crate("test", toolchain)?;
    build.args(["--no-run", "--release", "--target", TARGET]);
    build.args(TESTS.iter().flat_map(|name| ["--test", name]));
    build.args(["--message-format=json-render-diagnostics", "--target-dir"]);
    build.arg(adapters::folder().join("target/bundle"));
    build.env("CUDARC_CUDA_VERSION", CUDA_VERSION).env("RUSTFLAGS", flags(&stubs));
    process::read(&mut build)
}

/// A command of cargo for the crate, with what candle's build script asks for.
fn of_crate(command: &str, toolchain: &Toolchain) -> Result<Command, Error> {
    let mut cargo = cargo();
    cargo.current_dir(adapters::folder());
    cargo.args([command, "--locked", "--package", "sortsmith-candle", "--features", "cuda"]);
    if std::env::var_os("NVCC").is_none() {
        let nvcc = toolchain.nvcc.as_ref();
        let nvcc = nvcc.ok_or_else(|| Error::Other("candle's kernels need nvcc".to_owned()))?;
        cargo.env("NVCC", &nvcc.path);
    }
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    // Otherwise it asks nvidia-smi for the device, and has half of the cores.
    cargo.env("CUDAFORGE_THREADS", threads.to_string());
    cargo.env("CUDA_COMPUTE_CAP", COMPUTE_CAPABILITY);
    Ok(cargo)
}

/// Makes a library without functions of each name.
fn make_stubs(folder: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder).map_err(Error::file("create", folder))?;
    let source = folder.join("empty.c");
    fs::write(&source, "").map_err(Error::file("write", &source))?;
    for (name, soname) in LIBRARIES {
        let mut compiler = process::command("cc");
        compiler.args(["-shared", "-nostdlib"]).arg(format!("-Wl,-soname,{soname}"));
        process::run(compiler.arg(&source).arg("-o").arg(folder.join(format!("lib{name}.so"))))?;
    }
    Ok(())
}

/// The compiler's flags with which a program asks for the libraries and leaves their functions to be found where it runs. LLD alone does so, which
/// Rust brings from 1.90 on: GNU's linker would make null pointers of them.
fn flags(stubs: &Path) -> String {
    let mut link = vec![
        "-fuse-ld=lld".to_owned(),
        "-Wl,--unresolved-symbols=ignore-all".to_owned(),
        "-Wl,--no-as-needed".to_owned(),
        format!("-L{}", stubs.display()),
    ];
    link.extend(LIBRARIES.map(|(name, _)| format!("-l{name}")));
    let flags = link.iter().map(|flag| format!("-Clink-arg={flag}"));
    let search = format!("-Lnative={}", stubs.display());
    std::iter::once(search).chain(flags).collect::<Vec<_>>().join(" ")
}
