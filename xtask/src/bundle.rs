//! `cargo xtask gpu-bundle`: the GPU tests, the benches, the examples and the command line with its tuner, for a machine with
//! CUDA but no Rust.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;
use sortsmith_benchkit::machine;
use sortsmith_codegen::toolchain::Toolchain;

use crate::{
    BundleArgs, candle,
    error::Error,
    process::{self, cargo},
    suite, toolkit, workspace,
};

/// The script in a bundle.
pub const SCRIPT: &str = "run.sh";

const SCRIPT_TEXT: &str = include_str!("run.sh");

/// The tools of compute-sanitizer that the script runs, with the options that they need here.
const SANITIZER_TOOLS: [&str; 4] =
    ["memcheck --leak-check no", "racecheck --racecheck-report all", "initcheck", "synccheck"];

/// The kind of a target, by cargo's name for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Test,
    Bench,
    Example,
    Program,
}

impl Kind {
    const fn cargo_name(self) -> &'static str {
        match self {
            Self::Test => "test",
            Self::Bench => "bench",
            Self::Example => "example",
            Self::Program => "bin",
        }
    }

    /// The folder of the bundle that the programs go to, which run.sh knows.
    const fn folder(self) -> &'static str {
        match self {
            Self::Test => "tests",
            Self::Bench => "benches",
            Self::Example => "examples",
            Self::Program => "bin",
        }
    }
}

/// What is bundled: targets of packages. No name stands for all of the kind.
const TARGETS: [(&str, Kind, Option<&str>); 6] = [
    ("sortsmith-tests", Kind::Test, Some("gpu_kernels")),
    ("sortsmith-tests", Kind::Test, Some("gpu_runtime")),
    ("sortsmith-benches", Kind::Bench, None),
    ("sortsmith", Kind::Example, None),
    ("sortsmith-codegen", Kind::Program, None),
    ("sortsmith-tune", Kind::Program, None),
];

/// What the programs read at run time, where the repository has it: the same path in the bundle.
const DATA: [&str; 2] = ["benches/peers", "tests/golden"];

pub fn run(args: &BundleArgs) -> Result<(), Error> {
    let dir = std::path::absolute(&args.dir).map_err(Error::file("resolve", &args.dir))?;
    clear(&dir)?;
    // Tests carry kernels, which are compiled as they are built.
    let compilers = toolkit::ensure()?;
    let mut programs = 0;
    for (package, kind, name) in TARGETS {
        for target in existing_targets(package, kind, name)? {
            let program = build(kind, &target, &compilers)?;
            bundle_program(&program, &dir.join(kind.folder()).join(&target))?;
            programs += 1;
        }
    }
    if programs == 0 {
        return Err(Error::Other("the workspace has no target to bundle".to_owned()));
    }
    for data in DATA {
        let from = workspace::root().join(data);
        if from.exists() {
            copy_all(&from, &dir.join(data))?;
        }
    }
    if args.with_candle {
        let messages = candle::build_tests(&compilers)?;
        for name in candle::TESTS {
            bundle_program(&program_of(&messages, name)?, &dir.join("candle").join(name))?;
            programs += 1;
        }
    }
    if args.with_nvrtc || args.toolchain_from.is_some() {
        let toolchain = match &args.toolchain_from {
            Some(root) => Toolchain::in_folder(root),
            None => compilers,
        };
        copy_nvrtc(&toolchain, &dir.join("cuda"))?;
    }
    write_script(&dir)?;
    eprintln!("{} programs in {}: run {SCRIPT} there", programs, dir.display());
    Ok(())
}

/// Removes an earlier bundle; any other folder with something in it is left alone.
fn clear(dir: &Path) -> Result<(), Error> {
    let is_empty = fs::read_dir(dir).map_or(true, |mut entries| entries.next().is_none());
    if !is_empty && !dir.join(SCRIPT).is_file() {
        let message = format!("{} is neither empty nor a bundle", dir.display());
        return Err(Error::Other(message));
    }
    if dir.exists() {
        fs::remove_dir_all(dir).map_err(Error::file("empty", dir))?;
    }
    fs::create_dir_all(dir).map_err(Error::file("create", dir))
}

/// The targets of this kind that a package has now.
fn existing_targets(package: &str, kind: Kind, name: Option<&str>) -> Result<Vec<String>, Error> {
    let text = process::read(cargo().args(["metadata", "--no-deps", "--format-version=1"]))?;
    let metadata: Value = serde_json::from_str(&text)
        .map_err(|error| Error::Other(format!("cannot read cargo's metadata: {error}")))?;
    let targets: Vec<String> = values(&metadata["packages"])
        .filter(|found| found["name"] == package)
        .flat_map(|found| values(&found["targets"]))
        .filter(|target| values(&target["kind"]).any(|it| it == kind.cargo_name()))
        .filter_map(|target| target["name"].as_str())
        .filter(|target| name.is_none_or(|name| name == *target))
        .map(str::to_owned)
        .collect();
    if targets.is_empty() {
        let which = name.unwrap_or("of any name");
        eprintln!("not bundled: {} {which}, for there is none", kind.cargo_name());
    }
    Ok(targets)
}

fn values(array: &Value) -> impl Iterator<Item = &Value> {
    array.as_array().into_iter().flatten()
}

/// Builds one target by the profile `dist`, and returns the program.
fn build(kind: Kind, target: &str, compilers: &Toolchain) -> Result<PathBuf, Error> {
    let mut build = cargo();
    suite::use_toolchain(&mut build, compilers);
    match kind {
        Kind::Test => build.args(["test", "--no-run", "--test", target]),
        Kind::Bench => build.args(["bench", "--no-run", "--bench", target]),
        Kind::Example => build.args(["build", "--example", target]),
        Kind::Program => build.args(["build", "--bin", target]),
    };
    build.args(["--profile", "dist"]);
    // The same packages and features for all targets, so that they share one build.
    for (package, ..) in TARGETS {
        build.args(["--package", package]);
    }
    build.args(["--features", workspace::GPU_TESTS, "--message-format=json-render-diagnostics"]);
    program_of(&process::read(&mut build)?, target)
}

/// The program that cargo's messages name for a target.
fn program_of(messages: &str, target: &str) -> Result<PathBuf, Error> {
    executable(messages, target)
        .ok_or_else(|| Error::Other(format!("cargo named no program for {target}")))
}

fn executable(messages: &str, target: &str) -> Option<PathBuf> {
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["target"]["name"] == target)
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
}

/// Copies a program. Symbols only make the file larger; a machine without `strip` sends it as it is.
fn bundle_program(program: &Path, to: &Path) -> Result<(), Error> {
    copy(program, to)?;
    if !process::succeeds(process::command("strip").arg(to)) {
        eprintln!("not stripped: {}", to.display());
    }
    eprintln!("bundled {}", to.display());
    Ok(())
}

/// NVRTC, its builtins and the headers, in the layout of a toolkit.
fn copy_nvrtc(toolchain: &Toolchain, to: &Path) -> Result<(), Error> {
    let libraries = toolchain
        .nvrtc
        .as_ref()
        .filter(|nvrtc| nvrtc.root.is_some())
        .and_then(|nvrtc| nvrtc.path.parent())
        .ok_or_else(|| Error::Other("that toolkit has no NVRTC to take along".to_owned()))?;
    for entry in fs::read_dir(libraries).map_err(Error::file("read", libraries))?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.contains("nvrtc") && !name.contains(".alt.") && !name.contains("static") {
            copy(&entry.path(), &to.join("lib").join(name))?;
        }
    }
    let include = to.join("include");
    for dir in &toolchain.include_dirs {
        copy_all(dir, &include)?;
    }
    match &toolchain.cccl_include {
        Some(dir) if Toolchain::in_folder(to).cccl_include.is_none() => {
            copy_all(dir, &include.join("cccl"))
        }
        _ => Ok(()),
    }
}

fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    let parent = to.parent().unwrap_or(to);
    fs::create_dir_all(parent).map_err(Error::file("create", parent))?;
    fs::copy(from, to).map(|_| ()).map_err(Error::file("write", to))
}

fn copy_all(from: &Path, to: &Path) -> Result<(), Error> {
    if !from.is_dir() {
        return copy(from, to);
    }
    for entry in fs::read_dir(from).map_err(Error::file("read", from))?.flatten() {
        copy_all(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

fn write_script(dir: &Path) -> Result<(), Error> {
    let tools = SANITIZER_TOOLS.map(|tool| format!("    \"{tool}\"")).join("\n");
    let script = dir.join(SCRIPT);
    let commit = machine::commit().unwrap_or_default();
    let text = SCRIPT_TEXT.replace("    @TOOLS@", &tools).replace("@COMMIT@", &commit);
    fs::write(&script, text).map_err(Error::file("write", &script))?;
    let mut chmod = Command::new("chmod");
    // Where there is no chmod, `bash run.sh` works as well.
    process::succeeds(chmod.arg("+x").arg(&script));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_of_the_right_target_is_taken() {
        let messages = r#"
{"reason":"compiler-artifact","target":{"name":"sortsmith"},"executable":null}
{"reason":"compiler-artifact","target":{"name":"other"},"executable":"/t/other-1"}
{"reason":"compiler-artifact","target":{"name":"gpu_kernels"},"executable":"/t/gpu_kernels-1"}
{"reason":"build-finished","success":true}"#;
        assert_eq!(executable(messages, "gpu_kernels"), Some(PathBuf::from("/t/gpu_kernels-1")));
        assert_eq!(executable(messages, "none"), None);
    }

    #[test]
    fn the_script_gets_the_tools_and_is_sound() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        write_script(dir.path()).expect("the script is written");
        let script = dir.path().join(SCRIPT);
        let text = fs::read_to_string(&script).expect("the script is there");
        assert!(SANITIZER_TOOLS.iter().all(|tool| text.contains(&format!("\"{tool}\""))));
        assert!(!text.contains('@') || text.contains("[@]"), "{text}");
        assert!(process::succeeds(process::command("bash").arg("-n").arg(script)));
    }

    #[test]
    fn a_folder_of_someone_else_is_left_alone() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        fs::write(dir.path().join("precious"), "").expect("a file is written");
        assert!(clear(dir.path()).is_err());
        assert!(dir.path().join("precious").exists());
        fs::write(dir.path().join(SCRIPT), "").expect("a file is written");
        assert!(clear(dir.path()).is_ok());
        assert!(!dir.path().join("precious").exists());
    }
}
