//! The records that are kept.

use std::fs;
use std::path::{Path, PathBuf};

use sortsmith_benchkit::Record;

/// Records of shapes of tiles in rows, which no report shows.
const ROW_TILES: &str = "row-tiles";

fn files() -> Vec<PathBuf> {
    fn of_folder(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path());
        let of_entry =
            |entry: PathBuf| if entry.is_dir() { of_folder(&entry) } else { vec![entry] };
        entries.flat_map(of_entry).collect()
    }
    of_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../record"))
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
        // PyTorch's have a process of their own, and so a file; classes of keys have a matrix and so a file.
        let own = format!("{}-{group}", record.head.date);
        let names = [format!("{own}-torch"), format!("{}-inputs", record.head.date), own];
        let is_of_row_tiles = file.parent().is_some_and(|folder| folder.ends_with(ROW_TILES));
        if is_of_row_tiles {
            assert_eq!(name, record.head.date.to_string());
        } else {
            assert!(names.contains(&name), "{name}");
        }
        let is_of_group = |row: &sortsmith_benchkit::Row| row.id.case.group == group;
        assert!(record.rows.iter().all(is_of_group), "{name}");
    }
}
