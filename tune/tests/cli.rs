//! The program, where there is no GPU.

mod fake;

use std::path::Path;
use std::process::{Command, Output};

use fake::{Fake, Looker, h200};
use sortsmith_codegen::tuning::Case;
use sortsmith_codegen::tuning::file::TuningFile;
use sortsmith_codegen::{KeyType, ValueType};
use sortsmith_tune::run::{Request, tune};

/// Runs words that hold no spaces, without visible devices.
fn run(words: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sortsmith-tune"));
    command.args(words.split_whitespace()).env("CUDA_VISIBLE_DEVICES", "");
    command.env_remove("SORTSMITH_TUNING").output().expect("it runs")
}

/// The one line of a run that must fail with this code.
fn error_of(words: &str, code: i32) -> String {
    let output = run(words);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{words}: {stderr}");
    assert_eq!(stderr.lines().count(), 1, "{words}: {stderr}");
    assert!(output.stdout.is_empty(), "{words}");
    stderr
}

#[test]
fn without_a_gpu_it_says_so_in_one_line() {
    for words in ["", "--verify", "--show", "--types f32_u32 --budget 60s"] {
        let said = error_of(words, 2);
        assert!(said.starts_with("error: no GPU to tune for: "), "{said}");
    }
}

#[test]
fn a_wrong_request_says_what_is_legal() {
    for (words, said) in [
        ("--types u33_keys", "legal: KEY_VALUE, KEY one of u8, u16, "),
        ("--length 0", "legal: a whole number, 2^20 or 1e6"),
        ("--length 2^30", "--length 1073741824 is not tuned; legal: 1 to 1073741823"),
        ("--budget soon", "legal: 90s, 10m or 2h"),
        ("--algorithm device-bitonic", "legal: device-radix, device-sample, device-partition"),
        ("--verify --again", "cannot be used with"),
        ("--show --file no/such.toml", "cannot read the tuning file no/such.toml: "),
    ] {
        let error = error_of(words, 2);
        assert!(error.starts_with("error: ") && error.contains(said), "{words}: {error}");
    }
}

#[test]
fn help_is_worth_reading() {
    let output = run("--help");
    assert!(output.status.success());
    let help = String::from_utf8_lossy(&output.stdout).into_owned();
    for words in ["--types", "--budget", "SORTSMITH_TUNING", "Exit codes", "2% faster", "Ctrl-C"] {
        assert!(help.contains(words), "{words}: {help}");
    }
}

#[test]
fn a_file_is_shown_without_a_gpu() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("tuning.toml");
    let case = Case::of(KeyType::U64, ValueType::Index, 1 << 25).expect("a class");
    let request = Request {
        cases: vec![case],
        budget: std::time::Duration::from_secs(600),
        only: None,
        again: false,
        force: false,
        path: path.clone(),
        date: "2026-11-22".to_owned(),
    };
    let mut bench = Fake::new(1, |candidate, _| if candidate == 2 { 0.8 } else { 1.0 });
    tune(&mut bench, &request, &mut Looker::default()).expect("it ends");
    let show = |path: &Path| run(&format!("--show --file {}", path.display()));
    let text = String::from_utf8_lossy(&show(&path).stdout).into_owned();
    let shape = TuningFile::read(&path, &h200()).expect("a legal file").rows[0].kernel.shape();
    assert!(text.starts_with("FAKE H200, sm_90\n"), "{text}");
    assert!(text.contains(&shape.to_string()) && text.contains(", 2026-11-22"), "{text}");
    let mut bytes = std::fs::read(&path).expect("it is there");
    bytes.truncate(bytes.len() - 1);
    std::fs::write(&path, bytes).expect("it is written");
    let damaged = show(&path);
    assert_eq!(damaged.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&damaged.stderr).contains("is damaged"));
}
