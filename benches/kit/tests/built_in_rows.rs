//! Where the built-in rows say that they come from is in the records.

#![allow(clippy::unwrap_used)] // a failed unwrap is a failed test

use std::fs;
use std::path::Path;

use sortsmith_benchkit::{Group, Input, Library, Record};
use sortsmith_codegen::device::{BUILT_IN, Provenance};

/// The record of a day and a GPU, of whole arrays.
fn record(gpu: &str, date: &str) -> Record {
    let folders = Path::new(env!("CARGO_MANIFEST_DIR")).join("../record");
    let files = fs::read_dir(folders).unwrap().flatten().map(|folder| folder.path());
    let records = files.map(|folder| folder.join(format!("{date}-device.csv")));
    let mut records = records.filter(|file| file.exists()).map(|file| Record::read(&file).unwrap());
    records.find(|record| record.head.gpu == gpu).unwrap()
}

#[test]
fn ratios_are_those_of_the_records() {
    let mut found = 0;
    for row in &BUILT_IN {
        let Some(Provenance { gpu, date, types, n, ratio }) = row.measured else { continue };
        let record = record(gpu, date);
        let rate = |library: Library| {
            let of_case = record.rows.iter().filter(|row| {
                let case = row.id.case;
                let kind = (case.group, case.input) == (Group::Device, Input::Random);
                kind && case.types.to_string() == types && case.n == n
            });
            let of_library = of_case.filter(|row| row.id.contender.library == library);
            of_library.map(|row| row.gkeys).reduce(f64::max).unwrap()
        };
        let recorded = rate(Library::Sortsmith) / rate(Library::Cub);
        assert!((recorded - ratio).abs() < 0.005, "{row:?}: {recorded}");
        assert!(n <= row.most_items, "{row:?}");
        found += 1;
    }
    assert!(found >= BUILT_IN.len() / 2, "{found} rows were measured");
}
