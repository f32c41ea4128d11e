//! The records that are kept.

use std::fs;
use std::path::{Path, PathBuf};

use sortsmith_benchkit::Record;

fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../record");
    let folders = fs::read_dir(&root).expect("the records are there").flatten();
    let files = folders.flat_map(|folder| fs::read_dir(folder.path()).expect("a folder").flatten());
    files.map(|file| file.path()).collect()
}

#[test]
fn every_kept_record_is_legal_and_written_as_this_crate_writes() {
    let files = files();
    assert!(!files.is_empty());
    for file in files {
        let record = Record::read(&file).unwrap_or_else(|error| panic!("{error}"));
        let text = fs::read_to_string(&file).expect("it was read before");
        assert_eq!(record.text(), text, "{}", file.display());
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        let group = record.rows.first().expect("rows").id.case.group;
        // PyTorch's have a process of their own, and so a file.
        let own = format!("{}-{group}", record.head.date);
        assert!(name == own || name == format!("{own}-torch"), "{name}");
        let is_of_group = |row: &sortsmith_benchkit::Row| row.id.case.group == group;
        assert!(record.rows.iter().all(is_of_group), "{name}");
    }
}
