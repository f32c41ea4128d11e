//! `cache path`, `cache list` and `cache clear`.

mod common;

use std::fs;
use std::path::Path;

use common::{command, error_of, good, text};
use serde_json::Value;
use sortsmith_codegen::cache::{Cache, Kernel};
use sortsmith_codegen::toolchain::{CompileOptions, Format, Identity, Source};

fn keep(cache: &Cache, name: &str, arch: u32, format: Format) {
    let options = CompileOptions::new(arch, format);
    let compiler = Identity::Loaded { name: "libnvrtc.so.13".into(), version: (13, 0) };
    let source = Source::new(name, "text");
    cache
        .put(&Kernel { source, options: &options, compiler: &compiler }, b"image")
        .expect("a folder to write to");
}

fn cache_command(dir: &Path, arguments: &[&str]) -> std::process::Output {
    let mut command = command(["cache"]);
    command.args(arguments).env("SORTSMITH_CACHE_DIR", dir).output().expect("it runs")
}

#[test]
fn the_folder_is_the_one_that_env_shows() {
    let dir = Path::new("/nowhere/at all");
    assert_eq!(good(cache_command(dir, &["path"])), "/nowhere/at all\n");
    let env = command(["env", "--json"]).env("SORTSMITH_CACHE_DIR", dir).output().unwrap();
    let env: Value = serde_json::from_str(&good(env)).unwrap();
    assert_eq!(env["cache"], "/nowhere/at all");
    let platform = cache_command(Path::new(""), &["path"]);
    assert!(good(platform).trim_end().ends_with("sortsmith"));
}

#[test]
fn kernels_are_listed_and_cleared() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(good(cache_command(dir.path(), &["list"])), "");
    let cache = Cache::at(dir.path());
    keep(&cache, "block_radix_sort_u32_keys_b128_i8_r4_asc", 90, Format::Cubin);
    keep(&cache, "block_radix_sort_f32_u32_b128_i8_r4_asc", 120, Format::Ptx);
    // The same kernel by another compiler.
    let newer = Identity::Loaded { name: "libnvrtc.so.13".into(), version: (13, 1) };
    let options = CompileOptions::new(90, Format::Cubin);
    let source = Source::new("block_radix_sort_u32_keys_b128_i8_r4_asc", "text");
    cache.put(&Kernel { source, options: &options, compiler: &newer }, b"image").unwrap();
    let damaged = dir.path().join(format!("{}.kernel", "0a".repeat(32)));
    fs::write(&damaged, "cut").unwrap();

    let list = good(cache_command(dir.path(), &["list"]));
    let lines: Vec<&str> = list.lines().collect();
    assert!(
        lines[0].ends_with("sm_120   ptx    block_radix_sort_f32_u32_b128_i8_r4_asc"),
        "{list}"
    );
    assert!(
        lines[1].ends_with("sm_90    cubin  block_radix_sort_u32_keys_b128_i8_r4_asc"),
        "{list}"
    );
    assert!(lines[2].ends_with("block_radix_sort_u32_keys_b128_i8_r4_asc"), "{list}");
    assert_ne!(lines[1], lines[2], "two kernels of one name look alike");
    assert!(lines[3].contains("damaged: it is no entry"), "{list}");
    let json = good(cache_command(dir.path(), &["list", "--json"]));
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json[1]["arch"], 90);
    assert_eq!(json[1]["format"], "cubin");
    assert_eq!(json[1]["damage"], Value::Null);
    assert_eq!(json[3]["path"], damaged.to_str().unwrap());
    assert_eq!(json[3]["name"], Value::Null);

    let cleared = cache_command(dir.path(), &["clear"]);
    assert!(text(&cleared.stderr).starts_with("removed 4 files, "), "{cleared:?}");
    assert_eq!(good(cleared), "");
    assert_eq!(good(cache_command(dir.path(), &["list"])), "");
}

#[test]
fn a_folder_that_cannot_be_read_is_an_error_of_one_line() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "mine").unwrap();
    for action in ["list", "clear"] {
        let error = error_of(&cache_command(&file, &[action]), 2);
        assert!(error.starts_with(&format!("cannot read {}", file.display())), "{error}");
    }
    let error = error_of(&cache_command(&file, &["delete"]), 2);
    assert!(error.contains("delete"), "{error}");
}
