//! `Sortsmith.cmake`: headers are made when a project is built, and again only where something has changed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::SystemTime;

const PROJECT: &str = "\
cmake_minimum_required(VERSION 3.19)
project(sorts LANGUAGES NONE)
include(CTest)
include(Sortsmith.cmake)
add_library(sorts INTERFACE)
sortsmith_headers(sorts FACADE cub-device KEY u8 ORDER asc FOLDER u8)
sortsmith_headers(sorts FACADE cub-segmented KEY u64 ORDER asc)
sortsmith_headers(sorts FACADE cub-rows KEY u64 VALUE index ORDER asc)
sortsmith_headers(sorts ALGORITHM block-radix KEY u32 BLOCK 128 ITEMS 4 TILE_KERNEL)
sortsmith_matrix(sorts FILE sorts.toml)
sortsmith_headers(sorts ALGORITHM block-radix KEY u16 BLOCK 64 ITEMS 4 CHECKED_IN kept)
add_custom_target(all_headers ALL)
add_dependencies(all_headers sorts)
";

const MATRIX: &str =
    "[[sorts]]\nalgorithm = \"block-radix\"\nkey = \"u32\"\nblock = 128\nitems = [8, 16]\n";

const KEPT: &[&str] =
    &["emit", "--algorithm", "block-radix", "--key", "u16", "--block", "64", "--items", "4"];

struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    fn new() -> Self {
        let project = Self { folder: tempfile::tempdir().expect("a folder") };
        project.write("CMakeLists.txt", PROJECT);
        project.write("sorts.toml", MATRIX);
        let module = sortsmith(project.path(), &["cmake"]);
        project.write("Sortsmith.cmake", &says(&module));
        let kept = [KEPT, &["--out", "kept"]].concat();
        assert!(sortsmith(project.path(), &kept).status.success());
        project
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path().join(name), text).expect("written");
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Output {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.path()).output().expect("it is on PATH")
    }

    fn build(&self) -> String {
        let output = self.run("cmake", &["--build", "build"]);
        assert!(output.status.success(), "{}", says(&output));
        says(&output)
    }

    /// When each header that is built was written.
    fn headers(&self) -> Vec<(PathBuf, SystemTime)> {
        let mut all = Vec::new();
        let mut folders = vec![self.path().join("build")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder").map(|it| it.expect("an entry")) {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|it| it == "cuh") {
                    let time = entry.metadata().and_then(|it| it.modified()).expect("a time");
                    all.push((path, time));
                }
            }
        }
        all.sort();
        all
    }
}

fn sortsmith(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sortsmith"));
    command.args(arguments).current_dir(folder).output().expect("it runs")
}

fn says(output: &Output) -> String {
    let [out, error] =
        [&output.stdout, &output.stderr].map(|it| String::from_utf8_lossy(it).into_owned());
    out + &error
}

fn has(program: &str) -> bool {
    let is_there = Command::new(program).arg("--version").output().is_ok();
    if !is_there {
        println!("left out: {program} is not on PATH");
    }
    is_there
}

fn headers_are_made_once(generator: &str) {
    let project = Project::new();
    let program = format!("-DSORTSMITH_EXECUTABLE={}", env!("CARGO_BIN_EXE_sortsmith"));
    let configured = project.run("cmake", &["-B", "build", "-G", generator, &program]);
    assert!(configured.status.success(), "{}", says(&configured));
    assert!(project.headers().is_empty(), "nothing is made before the build");

    project.build();
    let first = project.headers();
    let names: Vec<_> = first.iter().filter_map(|(path, _)| path.file_name()).collect();
    for name in [
        "device_radix_sort.cuh",
        "device_segmented_sort.cuh",
        "device_rows.cuh",
        "block_radix_sort_u32_keys_b128_i4_r4_asc.cuh",
        "block_radix_sort_u32_keys_b128_i16_r4_asc.cuh",
        "sortsmith.cuh",
    ] {
        assert!(names.contains(&name.as_ref()), "{name}: {names:?}");
    }
    let again = project.build();
    assert!(!again.contains("Making headers"), "{again}");
    assert_eq!(project.headers(), first);

    // A changed axis makes the headers of its request anew, of which the others are as before.
    project.write("sorts.toml", &MATRIX.replace("16]", "12]"));
    let changed = project.build();
    assert_eq!(changed.matches("Making headers").count(), 1, "{changed}");
    let second = project.headers();
    let kept = second.iter().filter(|header| first.contains(header)).count();
    // A header of the matrix and the one that includes all are new.
    assert_eq!((second.len(), kept), (first.len(), first.len() - 2), "{second:?}");
    project.write("CMakeLists.txt", &PROJECT.replace("ITEMS 4 TILE", "ITEMS 5 TILE"));
    let changed = project.build();
    assert_eq!(changed.matches("Making headers").count(), 1, "{changed}");

    // Headers that are checked in.
    let test = |arguments: &[&str]| project.run("ctest", arguments);
    assert!(test(&["--test-dir", "build"]).status.success());
    project.write("kept/block_radix_sort_u16_keys_b64_i4_r4_asc.cuh", "// Made by sortsmith\n");
    let failed = test(&["--test-dir", "build", "--output-on-failure"]);
    assert!(!failed.status.success());
    let error = says(&failed);
    let command = KEPT.join(" ");
    assert!(error.contains(&format!("run: sortsmith {command} --out ")), "{error}");
}

#[test]
fn make_makes_headers_once() {
    if has("cmake") && has("ctest") && has("make") {
        headers_are_made_once("Unix Makefiles");
    }
}

#[test]
fn ninja_makes_headers_once() {
    if has("cmake") && has("ctest") && has("ninja") {
        headers_are_made_once("Ninja");
    }
}

#[test]
fn headers_that_are_checked_in_need_no_program() {
    if !has("cmake") {
        return;
    }
    let project = Project::new();
    let kept = PROJECT
        .lines()
        .filter(|line| !line.starts_with("sortsmith") || line.contains("CHECKED_IN"));
    project.write("CMakeLists.txt", &kept.collect::<Vec<_>>().join("\n"));
    // Set, so that it is not looked for.
    let none = "-DSORTSMITH_EXECUTABLE=";
    let configured = project.run("cmake", &["-B", "build", none]);
    assert!(configured.status.success(), "{}", says(&configured));
    project.build();

    project.write("CMakeLists.txt", PROJECT);
    let refused = project.run("cmake", &["-B", "build", none]);
    assert!(!refused.status.success());
    assert!(says(&refused).contains("sortsmith is not on PATH"), "{}", says(&refused));
}
