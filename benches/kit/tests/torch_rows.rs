//! PyTorch's script writes records as this crate does. A stub stands for PyTorch, and Python 3 must be there.

#![allow(clippy::unwrap_used)] // a failed unwrap is a failed test

use std::path::Path;
use std::process::{Command, Output};

use sortsmith_benchkit::{Group, Library, Record};

fn run(path: &Path, out: &Path, more: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new("python3");
    command.arg(root.join("../peers/torch_rows.py")).arg("--out").arg(out).args(more);
    command.env("PYTHONPATH", path).env("PYTHONDONTWRITEBYTECODE", "1").output().unwrap()
}

#[test]
fn its_records_are_legal_and_written_as_this_crate_writes() {
    let out = tempfile::tempdir().unwrap();
    let stub = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stub");
    let output = run(&stub, out.path(), &[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut groups = Vec::new();
    for entry in std::fs::read_dir(out.path()).unwrap() {
        let file = entry.unwrap().path();
        let record = Record::read(&file).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(record.text(), std::fs::read_to_string(&file).unwrap());
        assert_eq!(record.head.gpu, "NVIDIA STUB");
        let group = record.rows[0].id.case.group;
        let is_torch = |row: &sortsmith_benchkit::Row| row.id.contender.library == Library::Torch;
        assert!(record.rows.iter().all(|row| row.id.case.group == group && is_torch(row)));
        assert!(record.rows.len() >= 8, "{group}: {}", record.rows.len());
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        assert_eq!(name, format!("{}-{group}-torch", record.head.date));
        // A copy takes a millisecond in the stub, and so does a sort: the limit follows from the bytes.
        let copy = record.head.copy_gbytes_per_second.unwrap();
        for row in &record.rows {
            let limit = 100.0 * row.id.case.traffic() / (copy * 1e9) / (row.milliseconds / 1e3);
            let written = row.limit_percent.unwrap();
            assert!((written / limit - 1.0).abs() < 1e-3, "{}: {written} for {limit}", row.id);
        }
        groups.push(group);
    }
    groups.sort();
    assert_eq!(groups, [Group::Device, Group::Rows, Group::TopK]);
}

#[test]
fn without_pytorch_it_says_so() {
    let out = tempfile::tempdir().unwrap();
    std::fs::write(out.path().join("torch.py"), "raise ImportError('none here')").unwrap();
    let output = run(out.path(), &out.path().join("records"), &[]);
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(said.trim_end(), "left out: no PyTorch: none here");
    assert!(!out.path().join("records").exists());
    let output = run(out.path(), out.path(), &["--groups", "tiles"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(said.trim_end(), "--groups is `tiles`; legal: rows, topk, device");
}
