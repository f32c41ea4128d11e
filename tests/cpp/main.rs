//! The generated headers in C++ projects: the port from CUB, a plain .cu, NVRTC with no include path.

mod device_facade;
mod device_facade_calls;
mod proofs;
mod rows_facade;
mod rows_facade_calls;
mod segmented_facade;
mod top_k_facade;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use sortsmith_codegen::toolchain::{CompileOptions, Format, Nvcc, Nvrtc, Source, Toolchain};
use sortsmith_codegen::{
    Block, InnerScan, KeyType, Order, Rank, SortSpec, SpecFields, ValueType, render,
};

/// The specs of `sortsmith emit … --order both --facade cub` in the project that the test ports.
fn ported_specs() -> Vec<SortSpec> {
    let pairs = SpecFields::block_radix(KeyType::F32, ValueType::U32, Block::linear(128), 9, 4);
    let longs = SpecFields::block_radix(KeyType::I64, ValueType::None, Block::linear(64), 4, 5);
    let particles =
        SpecFields::block_radix(KeyType::U16, ValueType::U64, Block { x: 16, y: 4, z: 1 }, 3, 6);
    let flags = SpecFields::block_radix(KeyType::Bool, ValueType::None, Block::linear(32), 4, 4);
    let rank = Rank::Packed { memoize_outer_scan: false, inner_scan: InnerScan::Raking };
    let mut particles = particles;
    if let sortsmith_codegen::Algorithm::BlockRadix { rank: of_particles, .. } =
        &mut particles.algorithm
    {
        *of_particles = rank;
    }
    let hits = SpecFields::block_radix(key("u32+f32+u8"), ValueType::U32, Block::linear(64), 3, 4);
    [pairs, longs, particles, flags, hits]
        .iter()
        .flat_map(|fields| {
            [Order::Ascending, Order::Descending]
                .map(|order| SpecFields { order, ..*fields }.validate().expect("a legal spec"))
        })
        .collect()
}

fn key(text: &str) -> KeyType {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
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
    fs::write(folder.join(render::FACADE_FILE), render::facade(specs).expect("a facade"))
        .expect("written");
}

/// What decomposers return in the port.
const FIELD_TUPLE: &str = "#define FIELD_TUPLE sortsmith::tuple\n";

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cpp").join(name)
}

fn emulator() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("emulator")
}

/// The host compiler with what the emulator needs.
fn host_compiler(folder: &Path) -> Command {
    let mut command = Command::new(std::env::var("CXX").unwrap_or_else(|_| "g++".to_owned()));
    command.args([
        "-std=c++17",
        "-O1",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-Wno-unknown-pragmas",
        "-fno-strict-aliasing",
    ]);
    command
        .arg("-I")
        .arg(emulator())
        .arg("-I")
        .arg(emulator().join("include"))
        .arg("-I")
        .arg(source(""))
        .arg("-I")
        .arg(folder);
    command
}

/// Looks at a text behind the start of a facade's program on the host, which has a stub of the runtime and the header, for mistakes alone.
fn compiled_call(folder: &Path, program: &str, text: &str) -> Output {
    let host = fs::read_to_string(source(program)).expect("the program");
    let start = host.split_once("#include \"facade_keys.hpp\"").expect("the header's users").0;
    fs::write(folder.join("call.cpp"), format!("{start}{text}\n")).expect("written");
    let words = ["-fsyntax-only", "-Wno-unused-function", "-Wno-unused-parameter"];
    // Programs want to know where arguments are, which no call depends on.
    let offsets = ["ARGUMENTS", "ROW_STRIDE", "WRITES_KEYS"].map(|it| format!("-D{it}_OFFSET=0"));
    run(host_compiler(folder).args(words).args(offsets).arg(folder.join("call.cpp")))
}

fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

fn assert_success(output: &Output) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}\n{}", text(&output.stdout), text(&output.stderr));
}

#[test]
fn changing_the_namespace_is_all_of_the_port() {
    proofs::of_programs("changing_the_namespace_is_all_of_the_port", || {
        let folder = folder("port");
        emit_facade(&folder, &ported_specs());
        let kernels = fs::read_to_string(source("cub_kernels.cuh")).expect("the kernels");
        fs::write(folder.join("ported_kernels.cuh"), kernels.replace("cub::", "sortsmith::"))
            .expect("written");
        let program = folder.join("port_check");
        assert_success(&run(host_compiler(&folder)
            .arg(source("port_check.cpp"))
            .arg(emulator().join("emulator.cpp"))
            .args(["-lpthread", "-o"])
            .arg(&program)));
        assert_success(&run(&mut Command::new(&program)));
    });
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
    assert!(
        errors.contains(
            "run: sortsmith emit --facade cub --algorithm block-radix --key u32 --value keys"
        ),
        "{errors}"
    );
    assert!(
        errors.contains("unsigned int, 96, 5"),
        "the error shows the template arguments: {errors}"
    );
}

#[test]
fn decomposers_that_no_sort_fits_are_refused() {
    proofs::of_programs("decomposers_that_no_sort_fits_are_refused", || {
        let folder = folder("decomposers");
        emit_facade(&folder, &ported_specs());
        let text = |members: &str, fields: &str, references: &str| {
            format!(
                "#include \"block_radix_sort.cuh\"\n\
             struct Key {{ {members} }};\n\
             struct Fields {{\n  sortsmith::tuple<{fields}> operator()(Key& key) const {{ return {{{references}}}; }}\n}};\n\
             void sort(Key (&keys)[3], int (&values)[3]) {{\n\
               sortsmith::BlockRadixSort<Key, 64, 3, int>().Sort(keys, values, Fields{{}});\n}}\n"
            )
        };
        let members = "unsigned int a; float b; unsigned char c; short other;";
        for (text, reason) in [
            (
                text(members, "unsigned&, float&, unsigned char&", "key.a, key.b, key.c"),
                "a decomposer gives each member of its key once",
            ),
            (
                text("float b; unsigned a;", "float&, unsigned&", "key.b, key.a"),
                "no sort of these fields in this order has been emitted; run: sortsmith emit",
            ),
            (text("float b;", "float&", "key.b"), "a tuple of references to two fields"),
        ] {
            fs::write(folder.join("refused.cpp"), text).expect("written");
            let output = run(host_compiler(&folder)
                .args(["-fsyntax-only", "-include", "emulator.hpp"])
                .arg(folder.join("refused.cpp")));
            assert!(!output.status.success(), "{reason}");
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(errors.contains(reason), "{reason}: {errors}");
        }
    });
}

/// Folders that were emitted apart may hold the same sorts, and one file may include both.
#[test]
fn folders_emitted_apart_share_a_file() {
    let folder = folder("apart");
    let specs = ported_specs();
    for (name, specs) in [("a", &specs[..4]), ("b", &specs[2..])] {
        fs::create_dir(folder.join(name)).expect("a folder");
        emit_facade(&folder.join(name), specs);
    }
    let kernels = fs::read_to_string(source("cub_kernels.cuh")).expect("the kernels");
    let includes = "#include \"emulator.hpp\"\n\
                    enum { cudaSharedMemBankSizeFourByte = 1 };\n\
                    #include \"a/block_radix_sort.cuh\"\n#include \"b/block_radix_sort.cuh\"\n";
    let text = includes.to_owned()
        + FIELD_TUPLE
        + &kernels.replace("cub::", "sortsmith::").replace("#pragma once", "");
    fs::write(folder.join("apart.cpp"), text).expect("written");
    assert_success(&run(host_compiler(&folder)
        .arg("-c")
        .arg(folder.join("apart.cpp"))
        .arg("-o")
        .arg(folder.join("apart.o"))));
}

/// Two versions of a library in one program may each bring their headers.
#[test]
fn headers_of_two_versions_share_a_file() {
    let folder = folder("versions");
    let spec = plain_specs()[0].fields();
    let spec = SpecFields { value: ValueType::U64, ..spec }.validate().expect("a legal spec");
    let ours = render::header(&spec, render::Options::default()).expect("a header");
    let version = render::version_namespace();
    let other =
        ours.replace(&version, "v9_9_9").replace(&version.to_uppercase(), &"v9_9_9".to_uppercase());
    fs::write(folder.join("ours.cuh"), ours).expect("written");
    fs::write(folder.join("other.cuh"), other).expect("written");
    let kernel = |version: &str| {
        format!(
            "void sort_{version}(sortsmith::{version}::{spec}::TempStorage& storage) {{\n\
               using Sort = sortsmith::{version}::{spec};\n\
               Sort::Keys keys = {{}};\n  Sort::Values values = {{}};\n\
               Sort(storage).Sort(keys, values);\n}}\n"
        )
    };
    let includes = "#include \"emulator.hpp\"\n#include \"ours.cuh\"\n#include \"other.cuh\"\n";
    let text = format!("{includes}{}{}", kernel(&version), kernel("v9_9_9"));
    fs::write(folder.join("versions.cpp"), text).expect("written");
    assert_success(&run(host_compiler(&folder)
        .arg("-c")
        .arg(folder.join("versions.cpp"))
        .arg("-o")
        .arg(folder.join("versions.o"))));
}

/// The offline compiler, or a word on what is left out for want of it.
fn nvcc(left_out: &str) -> Option<(Toolchain, Nvcc)> {
    let toolchain = Toolchain::find();
    match Nvcc::new(&toolchain) {
        Ok(nvcc) => Some((toolchain, nvcc)),
        Err(error) if std::env::var("SORTSMITH_REQUIRE_CUDA").is_ok_and(|value| value == "1") => {
            panic!("{left_out}: {error}")
        }
        Err(error) => {
            eprintln!("left out: {left_out}: {error}");
            None
        }
    }
}

/// Compiles a file in the folder, warnings as errors, with more folders of headers.
fn compile_quietly(nvcc: &Nvcc, folder: &Path, file: &Path, include: &[PathBuf]) {
    let words = ["-std=c++17", "-arch=sm_90", "-c", "-Werror", "all-warnings", "-Xcompiler"];
    let mut arguments: Vec<OsString> = words.map(OsString::from).to_vec();
    arguments.extend(["-Wall,-Wextra,-Werror".into(), "-I".into(), folder.into()]);
    for folder in include {
        arguments.extend(["-isystem".into(), folder.into()]);
    }
    arguments.extend([file.into(), "-o".into(), folder.join("compiled.o").into()]);
    let output = nvcc.compile(&arguments).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(format!("{}{}", output.stdout, output.stderr).trim(), "", "{}", output.command);
}

/// Links `one.cu` and `other.cu` of a folder to a program, warnings as errors, for each of these ways to link kernels: `-rdc=true` and not.
fn link_two_files(nvcc: &Nvcc, folder: &Path, relocatable: &[bool], options: &[&str]) {
    for relocatable in relocatable {
        let words = ["-std=c++17", "-arch=sm_90", "-Werror", "all-warnings", "-Xcompiler"];
        let mut arguments: Vec<OsString> = words.map(OsString::from).to_vec();
        arguments.push("-Wall,-Wextra,-Werror".into());
        arguments.push(format!("-rdc={relocatable}").into());
        arguments.extend(options.iter().map(OsString::from));
        arguments.extend([folder.join("one.cu").into(), folder.join("other.cu").into()]);
        arguments.extend(["-o".into(), folder.join("program").into()]);
        let output = nvcc.compile(&arguments).unwrap_or_else(|error| panic!("{error}"));
        // The names of the files that are compiled.
        let said = format!("{}{}", output.stdout, output.stderr);
        assert!(!said.contains("warning") && !said.contains("error"), "{said}");
    }
}

#[test]
fn the_kernels_are_written_for_cub() {
    let Some((toolchain, nvcc)) = nvcc("the kernels of tests/cpp with CUB itself") else { return };
    let Some(cub) = toolchain.cccl_include.clone() else {
        eprintln!("left out: the kernels of tests/cpp with CUB itself: no CUB headers found");
        return;
    };
    let folder = folder("cub");
    let text = "#include <cub/block/block_radix_sort.cuh>\n#include <cuda/std/tuple>\n#include \"cub_kernels.cuh\"\n";
    fs::write(folder.join("with_cub.cu"), text).expect("written");
    let sources = source("cub_kernels.cuh").parent().expect("a folder").to_path_buf();
    compile_quietly(&nvcc, &folder, &folder.join("with_cub.cu"), &[cub, sources]);
}

#[test]
fn nvcc_takes_the_port_and_a_plain_kernel() {
    proofs::of_programs("nvcc_takes_the_port_and_a_plain_kernel", || {
        let Some((_, nvcc)) = nvcc("the port and a plain kernel through nvcc") else { return };
        let folder = folder("nvcc");
        emit_facade(&folder, &ported_specs());
        let kernels = fs::read_to_string(source("cub_kernels.cuh")).expect("the kernels");
        let ported = format!(
            "#include \"{}\"\n{FIELD_TUPLE}{}",
            render::FACADE_FILE,
            kernels.replace("cub::", "sortsmith::").replace("#pragma once", "")
        );
        fs::write(folder.join("ported.cu"), ported).expect("written");
        compile_quietly(&nvcc, &folder, &folder.join("ported.cu"), &[]);
        emit(&folder, &plain_specs());
        compile_quietly(&nvcc, &folder, &source("plain.cu"), &[]);
    });
}

fn plain_specs() -> Vec<SortSpec> {
    ["block_radix_sort_f32_u32_b128_i8_r6_desc", "block_radix_sort_u64_index_b64_i4_r8_asc_match"]
        .map(|name| name.parse().expect("a name"))
        .to_vec()
}

#[test]
fn nvrtc_takes_a_plain_kernel_without_any_folder() {
    let left_out = "a plain kernel through NVRTC";
    let Some((toolchain, _)) = nvcc(left_out) else { return };
    let nvrtc = Nvrtc::load(&toolchain).unwrap_or_else(|error| panic!("{left_out}: {error}"));
    let headers: Vec<(String, String)> = plain_specs()
        .iter()
        .map(|spec| {
            let header = render::header(spec, render::Options::default()).expect("a header");
            (format!("{spec}.cuh"), header)
        })
        .collect();
    let by_name: Vec<(&str, &str)> =
        headers.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let text = fs::read_to_string(source("plain.cu")).expect("the kernel");
    let program = Source { name: "plain.cu", text: &text, headers: &by_name };
    let compiled = nvrtc
        .compile(&program, &CompileOptions::new(75, Format::Cubin))
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(compiled.log, "");
}

#[test]
fn nvrtc_takes_the_port() {
    let left_out = "the port through NVRTC";
    let Some((toolchain, _)) = nvcc(left_out) else { return };
    let nvrtc = Nvrtc::load(&toolchain).unwrap_or_else(|error| panic!("{left_out}: {error}"));
    let halves = SpecFields::block_radix(KeyType::F16, ValueType::U16, Block::linear(64), 8, 4);
    let mut specs = ported_specs();
    specs.push(halves.validate().expect("a legal spec"));
    let mut headers: Vec<(String, String)> = specs
        .iter()
        .map(|spec| {
            let header = render::header(spec, render::Options::default()).expect("a header");
            (format!("{spec}.cuh"), header)
        })
        .collect();
    headers.push((render::FACADE_FILE.to_owned(), render::facade(&specs).expect("a facade")));
    let by_name: Vec<(&str, &str)> =
        headers.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let kernels = fs::read_to_string(source("cub_kernels.cuh")).expect("the kernels");
    let text = "#include \"block_radix_sort.cuh\"\n#define FIELD_TUPLE sortsmith::tuple\n\
                __global__ void sort_halves(__half* keys, short* values) {\n\
                  using Sort = cub::BlockRadixSort<__half, 64, 8, short>;\n\
                  __shared__ Sort::TempStorage storage;\n\
                  __half k[8];\n  short v[8];\n\
                  for (int i = 0; i < 8; ++i) {\n    k[i] = keys[threadIdx.x * 8 + i];\n\
                    v[i] = values[threadIdx.x * 8 + i];\n  }\n\
                  Sort(storage).Sort(k, v);\n\
                  for (int i = 0; i < 8; ++i) {\n    keys[threadIdx.x * 8 + i] = k[i];\n\
                    values[threadIdx.x * 8 + i] = v[i];\n  }\n}\n"
        .to_owned()
        + &kernels.replace("#pragma once", "");
    let text = text.replace("cub::", "sortsmith::");
    let mut options = CompileOptions::new(90, Format::Cubin);
    options.include_dirs.clone_from(&toolchain.include_dirs);
    let program = Source { name: "port.cu", text: &text, headers: &by_name };
    let compiled = nvrtc.compile(&program, &options).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(compiled.log, "");
}
