//! `list`, `explain`, `compile`, `env`, `completions`, help, and pipes that close early.

mod common;

use std::io::Read;
use std::process::Stdio;

use common::{command, error_of, good, sortsmith};
use serde_json::Value;
use sortsmith_codegen::{SortSpec, render};

const NAME: &str = "block_radix_sort_f32_u32_b256_i16_r6_desc";

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&good(sortsmith(arguments))).expect("JSON alone on stdout")
}

#[test]
fn the_default_matrix_is_a_choice_of_sorts_that_are_generated() {
    let list = good(sortsmith(["list"]));
    let specs: Vec<SortSpec> = list.lines().map(|name| name.parse().unwrap()).collect();
    assert!((60..=150).contains(&specs.len()), "{}", specs.len());
    for spec in &specs {
        render::header(spec, render::Options::default()).unwrap();
    }
    let entries = json(&["list", "--json"]);
    assert_eq!(entries.as_array().unwrap().len(), specs.len());
    assert_eq!(entries[0]["name"], list.lines().next().unwrap());
    assert_eq!(good(sortsmith(["list", "--algorithm", "block-radix"])), list);
    assert_eq!(good(sortsmith(["list", "--algorithm", "block-merge"])), "");
}

#[test]
fn an_explanation_agrees_with_the_header() {
    let output = command(["explain", NAME, "--arch", "sm_86", "--json"])
        .env("SORTSMITH_CUDA", "none")
        .output()
        .unwrap();
    let explanation: Value = serde_json::from_str(&good(output)).unwrap();
    let radix = &explanation["radix"];
    assert_eq!(explanation["name"], NAME);
    assert_eq!(radix["passes"], 6);
    assert_eq!(radix["on_arch"]["arch"], "sm_86");
    assert_eq!(radix["on_arch"]["max_shared_bytes"], 99 * 1024);
    assert_eq!(explanation["compiled"], Value::Null);
    assert!(explanation["not_compiled"].as_str().unwrap().contains("NVRTC"));
    let header = render::header(&NAME.parse().unwrap(), render::Options::default()).unwrap();
    assert!(header.contains(&format!("kSharedBytes = {};", radix["shared"]["bytes"])));
}

#[test]
fn a_family_without_a_template_is_explained_as_far_as_it_goes() {
    let name = "warp_bitonic_sort_u64_keys_w32_i4_asc";
    let text = good(sortsmith(["explain", name]));
    assert!(text.contains("128 items") && text.contains("not stable"), "{text}");
    assert!(text.contains("this version has no template for warp-bitonic"), "{text}");
    assert_eq!(json(&["explain", name, "--json"])["generated"], false);
}

#[test]
fn without_a_compiler_there_is_no_kernel() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("kernel");
    let out = out.to_str().unwrap();
    let mut compile =
        command(["compile", NAME, "--arch", "sm_90", "--format", "ptx", "--out", out]);
    let error = error_of(&compile.env("SORTSMITH_CUDA", "none").output().unwrap(), 2);
    assert!(error.contains("no NVRTC found"), "{error}");
    assert!(!std::path::Path::new(out).exists());
}

/// Does nothing where there is no compiler; says so.
#[test]
fn with_a_compiler_there_is_one() {
    if Value::is_null(&json(&["env", "--json"])["tools"][0]["version"]) {
        eprintln!("left out: 1 test needs NVRTC");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let name = "block_radix_sort_u32_keys_b32_i2_r4_asc";
    for (format, start) in [("ptx", &b"// Made by sortsmith"[..]), ("cubin", &b"\x7fELF"[..])] {
        let path = dir.path().join(format);
        let compile = || {
            sortsmith([
                "compile",
                name,
                "--arch",
                "sm_90",
                "--format",
                format,
                "--out",
                path.to_str().unwrap(),
            ])
        };
        good(compile());
        let image = std::fs::read(&path).unwrap();
        assert!(image.starts_with(start));
        std::fs::write(&path, [&image[..], b"\n"].concat()).unwrap();
        good(compile());
        assert_eq!(std::fs::read(&path).unwrap(), image);
        std::fs::write(&path, "mine").unwrap();
        assert!(error_of(&compile(), 2).contains("was not made by sortsmith"));
    }
    let kernel = &json(&["explain", name, "--json"])["compiled"];
    assert!(kernel["registers"].as_u64().unwrap() > 0);
    assert_eq!(kernel["spill_store_bytes"], 0);
}

#[test]
fn the_environment_is_reported_whatever_it_is() {
    let report = json(&["env", "--json"]);
    assert_eq!(report["sortsmith"], env!("CARGO_PKG_VERSION"));
    assert!(report["driver"].is_object() != report["no_driver"].is_string());
    let output = command(["env", "--json"])
        .env("SORTSMITH_CUDA", "none")
        .env("SORTSMITH_CACHE_DIR", "/some/where")
        .output()
        .unwrap();
    let report: Value = serde_json::from_str(&good(output)).unwrap();
    assert_eq!(report["cache"], "/some/where");
    assert!(report["tools"].as_array().unwrap().iter().all(|tool| tool["path"].is_null()));
    assert!(good(sortsmith(["env"])).contains("nvrtc"));
}

#[test]
fn completions_know_the_words_of_the_axes() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = good(sortsmith(["completions", shell]));
        assert!(script.contains("emit") && script.contains("radix-bits"), "{shell}");
        // clap's scripts for the others know flags alone.
        assert!(script.contains("bf16") || ["powershell", "elvish"].contains(&shell), "{shell}");
    }
}

#[test]
fn help_goes_to_stdout() {
    for arguments in [&["--help"][..], &["emit", "--help"], &["--version"]] {
        assert!(good(sortsmith(arguments)).contains("sortsmith"));
    }
    let bare = sortsmith::<&str>([]);
    assert_eq!(bare.status.code(), Some(2));
    assert!(bare.stdout.is_empty());
}

#[test]
fn a_pipe_that_closes_early_is_no_failure() {
    for arguments in [&["list", "--json"][..], &["emit", "--help"], &["completions", "bash"]] {
        let mut child =
            command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert!(child.wait().unwrap().success(), "{stderr}");
        assert_eq!(stderr, "");
    }
}
