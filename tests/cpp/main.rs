//! The generated headers in C++ projects: the port from CUB, a plain .cu, NVRTC with no include path.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use sortsmith_codegen::{Block, InnerScan, KeyType, Order, Rank, SortSpec, SpecFields, ValueType, render};

/// What `sortsmith emit … --order both --facade cub` was asked for in the project that the test ports.
fn ported_specs() -> Vec<SortSpec> {
    let pairs = SpecFields::block_radix(KeyType::F32, ValueType::U32, Block::linear(128), 9, 4);
    let longs = SpecFields::block_radix(KeyType::I64, ValueType::None, Block::linear(64), 4, 5);
    let particles = SpecFields::block_radix(KeyType::U16, ValueType::U64, Block { x: 16, y: 4, z: 1 }, 3, 6);
    let rank = Rank::Packed { memoize_outer_scan: false, inner_scan: InnerScan::Raking };
    let mut particles = particles;
    if let sortsmith_codegen::Algorithm::BlockRadix { rank: of_particles, .. } = &mut particles.algorithm {
        *of_particles = rank;
    }
    [pairs, longs, particles]
        .iter()
        .flat_map(|fields| {
            [Order::Ascending, Order::Descending]
                .map(|order| SpecFields { order, ..*fields }.validate().expect("a legal spec"))
        })
        .collect()
}

/// A fresh folder below the target folder.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cpp").join(name);
    fs::remove_dir_all(&path).ok();
    fs::create_dir_all(&path).expect("a folder below the target folder");
    path
}

fn emit(folder: &Path, specs: &[SortSpec]) {
    for spec in specs {
        let header = render::header(spec, render::Options::default()).expect("a header");
        fs::write(folder.join(format!("{spec}.cuh")), header).expect("written");
    }
}

fn emit_facade(folder: &Path, specs: &[SortSpec]) {
    emit(folder, specs);
    fs::write(folder.join(render::FACADE_FILE), render::facade(specs).expect("a facade")).expect("written");
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cpp").join(name)
}

fn emulator() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/emulator")
}

/// The host compiler with what the emulator needs.
fn host_compiler(folder: &Path) -> Command {
    let mut command = Command::new(std::env::var("CXX").unwrap_or_else(|_| "g++".to_owned()));
    command.args(["-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-fno-strict-aliasing"]);
    command.arg("-I").arg(emulator()).arg("-I").arg(emulator().join("include")).arg("-I").arg(folder);
    command
}

fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

fn assert_success(output: &Output) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}\n{}", text(&output.stdout), text(&output.stderr));
}

#[test]
fn changing_the_namespace_is_the_whole_port() {
    let folder = folder("port");
    emit_facade(&folder, &ported_specs());
    let kernels = fs::read_to_string(source("cub_kernels.cuh")).expect("the kernels");
    fs::write(folder.join("ported_kernels.cuh"), kernels.replace("cub::", "sortsmith::")).expect("written");
    let program = folder.join("port_check");
    assert_success(&run(host_compiler(&folder)
        .arg(source("port_check.cpp"))
        .arg(emulator().join("emulator.cpp"))
        .args(["-lpthread", "-o"])
        .arg(&program)));
    assert_success(&run(&mut Command::new(&program)));
}

#[test]
fn what_was_not_emitted_says_the_command() {
    let folder = folder("unemitted");
    emit_facade(&folder, &ported_specs());
    let output = run(host_compiler(&folder)
        .args(["-fsyntax-only", "-x", "c++", "-include", "emulator.hpp"])
        .arg(source("unemitted.cu")));
    assert!(!output.status.success());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("run: sortsmith emit --algorithm block-radix --key <KeyT>"), "{errors}");
    assert!(errors.contains("unsigned int, 96, 5"), "the error shows the template arguments: {errors}");
}
