//! `cargo xtask report`: records of measurements as a page with charts, and compared with each other.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use sortsmith_benchkit::{Group, Record};

use crate::{ReportArgs, error::Error, workspace};

mod cases;
mod charts;
mod heat;
mod page;
mod svg;
mod words;

use page::{Chapter, Part};

/// Where the records are: a folder for each GPU.
const RECORDS: &str = "benches/record";
const PAGE: &str = "docs/performance.md";
const IMAGES: &str = "docs/img";

pub fn run(args: &ReportArgs) -> Result<(), Error> {
    let files = files(workspace::root())?;
    let stale: Vec<&(PathBuf, String)> =
        files.iter().filter(|(file, text)| !holds(file, text)).collect();
    if args.check {
        return match stale.as_slice() {
            [] => Ok(()),
            [(first, _), others @ ..] => Err(Error::Other(format!(
                "{} and {} others are not what the records say: run `cargo xtask report`",
                first.display(),
                others.len()
            ))),
        };
    }
    for (file, text) in stale {
        fs::write(file, text).map_err(Error::file("write", file))?;
        eprintln!("written: {}", file.display());
    }
    Ok(())
}

fn holds(file: &Path, text: &str) -> bool {
    fs::read_to_string(file).is_ok_and(|found| found == text)
}

/// The page and the charts, with what they must hold.
fn files(root: &Path) -> Result<Vec<(PathBuf, String)>, Error> {
    let chapters = chapters(&root.join(RECORDS))?;
    let mut files = vec![(root.join(PAGE), page::text(&chapters))];
    for Chapter { folder, parts } in chapters {
        for chart in parts.into_iter().flat_map(|part| part.charts) {
            files.push((root.join(IMAGES).join(page::image(&folder, &chart)), chart.text));
        }
    }
    Ok(files)
}

/// The newest record of each kind, GPU by GPU.
fn chapters(records: &Path) -> Result<Vec<Chapter>, Error> {
    let mut chapters = Vec::new();
    for dir in sorted_entries(records)?.into_iter().filter(|entry| entry.is_dir()) {
        // A later one takes the place of an earlier one.
        let mut newest = BTreeMap::new();
        for file in sorted_entries(&dir)? {
            let record = Record::read(&file)?;
            let Some(group) = record.rows.first().map(|row| row.id.case.group) else { continue };
            let is_newer = |old: &(PathBuf, Record)| old.1.head.date <= record.head.date;
            if newest.get(&group).is_none_or(is_newer) {
                newest.insert(group, (file, record));
            }
        }
        let parts = newest.into_iter().map(|(group, (file, record))| part(group, &file, record));
        chapters.push(Chapter { folder: file_name(&dir), parts: parts.collect() });
    }
    Ok(chapters)
}

fn part(group: Group, file: &Path, record: Record) -> Part {
    let cases = cases::groups(&record);
    let head = &record.head;
    let charts = match group {
        Group::Device => vec![
            charts::throughput(head, &cases),
            charts::ratio_by_length(head, &cases),
            charts::inputs(head, &cases),
        ],
        Group::Tiles => vec![charts::tiles(head, &cases)],
    };
    let charts = charts.into_iter().flatten().collect();
    Part { file: file_name(file), charts, record }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn sorted_entries(dir: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = fs::read_dir(dir).map_err(Error::file("read", dir))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_and_its_charts_are_what_the_records_say() {
        for (file, text) in files(workspace::root()).expect("the records are legal") {
            assert!(holds(&file, &text), "{}: run `cargo xtask report`", file.display());
        }
    }

    #[test]
    fn the_newest_record_of_each_kind_is_shown() {
        let root = tempfile::tempdir().expect("a temporary folder");
        let dir = root.path().join(RECORDS).join("gpu");
        fs::create_dir_all(&dir).expect("a folder");
        let kept = workspace::root().join(RECORDS).join("h200/2026-11-21-tiles.csv");
        let text = fs::read_to_string(kept).expect("a record");
        for day in ["2026-11-21", "2027-01-05", "2026-12-31"] {
            let text = text.replace("2026-11-21", day);
            fs::write(dir.join(format!("{day}-tiles.csv")), text).expect("it is written");
        }
        let chapters = chapters(&root.path().join(RECORDS)).expect("the records are legal");
        let [Chapter { folder, parts }] = chapters.as_slice() else { panic!("one GPU") };
        assert_eq!(folder, "gpu");
        let shown: Vec<&str> = parts.iter().map(|part| part.file.as_str()).collect();
        assert_eq!(shown, ["2027-01-05-tiles.csv"]);
    }
}
