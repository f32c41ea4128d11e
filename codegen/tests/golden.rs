//! The headers under review are those that this version makes.

use std::fs;
use std::path::Path;

use sortsmith_codegen::emit::{self, Extras, File, Named, folder};
use sortsmith_codegen::matrix::file;
use sortsmith_codegen::render::{self, DeviceFacade, RowsFacade, SegmentedFacade};
use sortsmith_codegen::{Arch, KeyType, Order, ValueType};

/// Fails where the folder's files are not those of its matrix.
fn assert_current(folder: &str, facade: bool) {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let matrix = fs::read_to_string(dir.join("golden.toml")).expect("a matrix");
    let headers = file::parse(&matrix).expect("a legal matrix");
    let files = emit::files(&headers, Extras { index: true, facade }, |_| {}).expect("headers");
    assert_files(&dir, &files);
}

fn assert_files(dir: &Path, files: &[File]) {
    let survey = folder::Survey::of(dir, files, folder::Scope::Folder).expect("the folder");
    let differing: Vec<_> =
        survey.states.iter().filter(|(_, state)| *state != folder::State::Current).collect();
    assert!(
        differing.is_empty(),
        "if the change is meant, run `cargo xtask golden` and review the diff: {differing:?}"
    );
}

#[test]
fn device_goldens_are_current() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden/device");
    let names = fs::read_to_string(dir.join("names.txt")).expect("a list of names");
    let all: Vec<Named> = names
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|name| name.parse().unwrap_or_else(|error| panic!("{error}")))
        .collect();
    assert!(!all.is_empty());
    assert_files(&dir, &emit::named_files(&all).expect("headers"));
}

#[test]
fn goldens_are_current() {
    assert_current("tests/golden", false);
}

#[test]
fn the_facade_is_current() {
    assert_current("tests/golden/facade", true);
}

#[test]
fn the_facade_of_device_wide_sorts_is_current() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden/device_facade");
    let facade = DeviceFacade {
        key: KeyType::U8,
        value: ValueType::None,
        orders: vec![Order::Descending],
        arch: Arch::SM_90,
    };
    let text = facade.header().expect("a header");
    assert_files(&dir, &[File { name: render::DEVICE_FACADE_FILE.to_owned(), text }]);
}

#[test]
fn the_facade_of_sorts_of_segments_is_current() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden/segmented_facade");
    let (key, value, orders) = (KeyType::U64, ValueType::U32, vec![Order::Descending]);
    let text = SegmentedFacade { key, value, orders }.header().expect("a header");
    assert_files(&dir, &[File { name: render::SEGMENTED_FACADE_FILE.to_owned(), text }]);
}

#[test]
fn the_facade_of_sorts_of_rows_is_current() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden/rows_facade");
    let (key, value, orders) = (KeyType::F16, ValueType::None, vec![Order::Descending]);
    let facade = RowsFacade { key, value, orders, arch: Arch::SM_90 };
    let text = facade.host_part().expect("a header");
    assert_files(&dir, &[File { name: render::ROWS_FACADE_FILE.to_owned(), text }]);
}

/// All macros that headers define carry the version, so that a file may include headers of two versions.
#[test]
fn macros_carry_the_version() {
    let prefix = format!("SORTSMITH_{}_", render::version_namespace().to_uppercase());
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden");
    let mut headers = 0;
    let folders = ["device", "facade", "device_facade", "rows_facade", "segmented_facade"];
    let folders = folders.map(|folder| golden.join(folder));
    for folder in [golden].into_iter().chain(folders) {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_none_or(|extension| extension != "cuh") {
                continue;
            }
            let text = fs::read_to_string(&path).expect("a header");
            for line in text.lines() {
                // A directive may have spaces on either side of its hash.
                let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
                let Some(name) = directive.and_then(|it| it.strip_prefix("define")) else {
                    continue;
                };
                assert!(name.trim_start().starts_with(&prefix), "{}: {line}", path.display());
            }
            headers += 1;
        }
    }
    assert!(headers > 40, "{headers} headers");
}
