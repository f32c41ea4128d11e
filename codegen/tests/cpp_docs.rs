//! docs/cpp.md, taken literally: its commands run, and its files compile, in the order of the page.
#![allow(clippy::unwrap_used)] // in the helpers, too

mod common;

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use common::text;
use sortsmith_codegen::toolchain::{Nvcc, Toolchain};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/cpp.md");

/// The offline compiler, or a line on what is left out for want of it.
fn nvcc() -> Option<Nvcc> {
    let found = Nvcc::new(&Toolchain::find());
    let is_needed = std::env::var("SORTSMITH_REQUIRE_CUDA").is_ok_and(|value| value == "1");
    assert!(found.is_ok() || !is_needed, "{}", found.unwrap_err());
    found.inspect_err(|error| eprintln!("left out: files of docs/cpp.md: {error}")).ok()
}

/// The blocks of code of a page, each with its language.
fn blocks(page: &str) -> Vec<(String, String)> {
    let fenced = page.split("\n```").skip(1).step_by(2);
    let of_language = fenced.filter_map(|it| it.split_once('\n'));
    of_language.map(|(language, code)| (language.to_owned(), code.to_owned())).collect()
}

/// The commands of a block that are sortsmith's.
fn run_commands(dir: &Path, code: &str) {
    let code = code.replace("\\\n", " ");
    let program = Path::new(env!("CARGO_BIN_EXE_sortsmith")).parent().unwrap().to_owned();
    for line in code.lines().filter(|line| line.starts_with("sortsmith ")) {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(program.clone()).chain(std::env::split_paths(&path));
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).current_dir(dir);
        shell.env("PATH", std::env::join_paths(folders).unwrap());
        let output = shell.output().unwrap();
        assert!(output.status.success(), "{line}\n{}", text(&output.stderr));
    }
}

fn host_compiler(dir: &Path, standard: &str, file: &str) -> Output {
    let mut compiler = Command::new(std::env::var("CXX").unwrap_or_else(|_| "g++".to_owned()));
    compiler.args([standard, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-Iinclude", file]);
    compiler.current_dir(dir).output().unwrap()
}

/// What nvcc says of files in the folder, with warnings as errors; `Err` if it refuses them.
fn compile(nvcc: &Nvcc, dir: &Path, words: &[&str], files: &[String]) -> Result<String, String> {
    let all = ["-std=c++17", "-arch=sm_90", "-Werror", "all-warnings", "-Xcompiler"];
    let mut arguments: Vec<OsString> = all.map(OsString::from).to_vec();
    arguments.extend(["-Wall,-Wextra,-Werror".into(), "-I".into(), dir.join("include").into()]);
    arguments.extend(words.iter().map(OsString::from));
    arguments.extend(files.iter().map(|file| dir.join(file).into()));
    arguments.extend(["-o".into(), dir.join("out").with_extension(&files[0]).into()]);
    match nvcc.compile(&arguments) {
        Ok(output) => Ok(format!("{}{}", output.stdout, output.stderr)),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn files_of_the_page_compile_in_its_order() {
    let dir = tempfile::tempdir().unwrap();
    let mut cuda = Vec::new();
    for (index, (language, code)) in blocks(&fs::read_to_string(PAGE).unwrap()).iter().enumerate() {
        match language.as_str() {
            "sh" => run_commands(dir.path(), code),
            "cuda" => {
                let file = format!("block_{index}.cu");
                fs::write(dir.path().join(&file), code).unwrap();
                cuda.push(file);
            }
            "cpp" => {
                let file = format!("block_{index}.cpp");
                fs::write(dir.path().join(&file), code).unwrap();
                let output = host_compiler(dir.path(), "-std=c++17", &file);
                assert!(output.status.success(), "{code}\n{}", text(&output.stderr));
            }
            _ => {}
        }
    }
    assert!(cuda.len() >= 8, "{cuda:?}");
    let Some(nvcc) = nvcc() else { return };
    std::thread::scope(|scope| {
        for file in &cuda {
            let (nvcc, dir) = (&nvcc, dir.path());
            scope.spawn(move || {
                let said = compile(nvcc, dir, &["-c"], std::slice::from_ref(file));
                assert_eq!(said.as_deref().map(str::trim), Ok(""), "{file}");
            });
        }
    });
}

/// A header with kernels, which several files of a program include: one defines them.
#[test]
fn kernels_are_declared_in_all_files_and_defined_in_one() {
    let dir = tempfile::tempdir().unwrap();
    let names =
        ["block_radix_sort_u32_u32_b64_i4_r4_asc", "warp_bitonic_sort_f16_index_w8_i4_desc"];
    let emit = format!(
        "sortsmith emit --name {} --name {} --tile-kernel --rows-kernel --out include",
        names[0], names[1]
    );
    run_commands(dir.path(), &emit);
    let launch = |file: &str, first: &str| {
        let includes: String = names.map(|it| format!("#include \"{it}.cuh\"\n")).concat();
        format!(
            "{first}{includes}{includes}\
             void {file}(unsigned int* d) {{\n\
             \x20 {0}_tile<<<1, 64, sortsmith::{0}::kSharedBytes>>>(d, d, d, d, 1, 0, 32);\n\
             \x20 {1}_rows<<<1, 128>>>(nullptr, nullptr, d, 1, 1, 1);\n}}\n",
            names[0], names[1]
        )
    };
    let declares = "#define SORTSMITH_DECLARE_KERNELS\n";
    fs::write(dir.path().join("one.cu"), launch("one", "")).unwrap();
    fs::write(dir.path().join("other.cu"), launch("other", declares)).unwrap();
    fs::write(dir.path().join("main.cu"), launch("third", declares) + "int main() {}\n").unwrap();
    let host =
        names.map(|it| format!("#include \"{it}.cuh\"\nint {it}[sortsmith::{it}::kTileItems];\n"));
    fs::write(dir.path().join("host.cpp"), host.concat()).unwrap();
    let output = host_compiler(dir.path(), "-std=c++17", "host.cpp");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let Some(nvcc) = nvcc() else { return };
    let files = ["one.cu", "other.cu", "main.cu"].map(str::to_owned);
    for relocatable in ["-rdc=true", "-rdc=false"] {
        // It says the names of the files that it compiles.
        let said = compile(&nvcc, dir.path(), &[relocatable], &files).unwrap();
        assert!(!said.contains("warning"), "{said}");
    }
}

#[test]
fn an_earlier_standard_is_refused_by_the_header() {
    let dir = tempfile::tempdir().unwrap();
    run_commands(
        dir.path(),
        "sortsmith emit --name block_radix_sort_u32_keys_b64_i4_r4_asc --out include",
    );
    run_commands(
        dir.path(),
        "sortsmith emit --name device_radix_sort_u32_keys_b256_i8_asc --out include",
    );
    for name in
        ["block_radix_sort_u32_keys_b64_i4_r4_asc", "device_radix_sort_u32_keys_b256_i8_asc"]
    {
        fs::write(dir.path().join("old.cpp"), format!("#include \"{name}.cuh\"\n")).unwrap();
        let output = host_compiler(dir.path(), "-std=c++14", "old.cpp");
        let said = text(&output.stderr);
        assert!(said.contains("this header needs C++17: nvcc -std=c++17"), "{said}");
    }
}
