//! Processes that compile beforehand, without a GPU.

use std::process::Command;

use sortsmith_codegen::cache::Cache;
use sortsmith_codegen::device::DeviceSpec;
use sortsmith_codegen::toolchain::Toolchain;
use sortsmith_tune::compile::SHARE;

#[test]
fn a_share_comes_into_the_cache() {
    if Toolchain::find().nvrtc.is_none() {
        println!("left out: compiling beforehand needs NVRTC");
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let names =
        ["device_radix_sort_u16_keys_b256_i4_asc", "device_sample_sort_u32_keys_b256_i2_asc"];
    assert!(names.iter().all(|name| name.parse::<DeviceSpec>().is_ok()));
    let run = |share: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sortsmith-tune"));
        command.env(SHARE, share).env("SORTSMITH_CACHE_DIR", folder.path());
        command.output().expect("it runs")
    };
    let output = run(&format!("90 {}", names.join(" ")));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let entries = Cache::at(folder.path()).entries().expect("a folder");
    let found: Vec<(String, u32)> = entries
        .iter()
        .map(|entry| entry.content.as_ref().expect("complete"))
        .map(|kernel| (kernel.name.clone(), kernel.arch))
        .collect();
    assert_eq!(found, names.map(|name| (name.to_owned(), 90)));
    // What is there is left.
    let before = std::fs::metadata(&entries[0].path).and_then(|it| it.modified()).expect("a file");
    assert!(run(&format!("90 {}", names[0])).status.success());
    let after = std::fs::metadata(&entries[0].path).and_then(|it| it.modified()).expect("a file");
    assert_eq!(before, after);
}
