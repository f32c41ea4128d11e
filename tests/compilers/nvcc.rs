//! Headers through the offline compiler, with every warning an error.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use sortsmith_codegen::SortSpec;
use sortsmith_codegen::toolchain::Nvcc;
use sortsmith_testkit::seed::{self, Seed};

use super::{Effort, for_all, found, fresh_specs, header, toolchain};

pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("compilers-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    folder
}

pub fn write(path: &Path, text: &str) {
    fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// Compiles a file of the folder; an error if the compilers say anything at all about it. What optimisers and the assembler say, NVRTC's
/// do: the object holds PTX.
pub fn compile(nvcc: &Nvcc, folder: &Path, file: &str, arch: u32) -> Result<(), String> {
    let version = nvcc.version().map_err(|error| error.to_string())?;
    let words = ["-std=c++17", "-c", "-Werror", "all-warnings", "-Xcompiler"];
    let mut arguments: Vec<OsString> = words.map(OsString::from).to_vec();
    arguments.push("-Wall,-Wextra,-Werror".into());
    arguments.push(format!("-gencode=arch=compute_{arch},code=compute_{arch}").into());
    arguments.extend(Effort::Little.options(version).into_iter().map(OsString::from));
    arguments.push("-o".into());
    arguments.push(folder.join(file).with_extension("o").into());
    arguments.push(folder.join(file).into());
    let output = nvcc.compile(&arguments).map_err(|error| error.to_string())?;
    let said = format!("{}{}", output.stdout, output.stderr);
    if said.trim().is_empty() { Ok(()) } else { Err(format!("{}\n{said}", output.command)) }
}

/// What a host needs of a header.
fn host_code(specs: &[SortSpec]) -> String {
    let checks = specs.iter().map(|spec| {
        format!(
            "static_assert(sizeof(sortsmith::{spec}::TempStorage) == sortsmith::{spec}::kSharedBytes, \"\");\n\
             void launch_{spec}() {{ (void){spec}_tile; }}\n"
        )
    });
    checks.collect()
}

#[test]
fn fresh_headers_are_quiet() {
    let count = if seed::is_deep() { 80 } else { 24 };
    let Some(nvcc) = found(Nvcc::new(toolchain()), &format!("{count} fresh specs through nvcc"))
    else {
        return;
    };
    let seed = Seed::from_env();
    eprintln!("fresh_headers_are_quiet: {}={}", seed::SEED_VARIABLE, seed.0);
    let specs = fresh_specs(seed, "fresh_headers_are_quiet", count);
    let folder = folder("fresh");
    // Several headers in a file, each of them twice.
    let groups: Vec<&[SortSpec]> = specs.chunks(4).collect();
    for_all("fresh_headers_are_quiet", &groups, |group| {
        let mut text = String::new();
        for spec in *group {
            write(&folder.join(format!("{spec}.cuh")), &header(spec));
            text += &["#include \"", &spec.to_string(), ".cuh\"\n"].concat().repeat(2);
        }
        let file = format!("{}.cu", group[0]);
        write(&folder.join(&file), &(text + &host_code(group)));
        let names: Vec<String> = group.iter().map(ToString::to_string).collect();
        compile(&nvcc, &folder, &file, 90).map_err(|error| {
            format!(
                "{error}\n  again: {}",
                seed.replay(
                    "compilers",
                    "fresh_headers_are_quiet",
                    &format!("'{}'", names.join(" "))
                )
            )
        })
    });
    // A left-over folder is in the target folder.
    let _ = fs::remove_dir_all(folder);
}
