//! `cargo xtask report`: records of measurements as a page with charts, and compared with each other.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use sortsmith_benchkit::{Cache, Group, Record};

use crate::{ReportArgs, error::Error, workspace};

mod against;
mod cases;
mod chapter;
mod charts;
mod cold;
mod contenders;
mod device;
mod heat;
mod input_chart;
mod inputs;
mod machine;
mod page;
mod readme;
mod row_chart;
mod summary;
mod svg;
mod throughput;
mod tiles;
mod words;

use against::Comparison;
use chapter::{Chapter, Section, Subject};

/// Where the records are: a folder for each GPU.
const RECORDS: &str = "benches/record";
const PAGE: &str = "docs/performance.md";
const IMAGES: &str = "docs/img";
/// Its figures stand between two comments.
const README: &str = "README.md";

pub fn run(args: &ReportArgs) -> Result<(), Error> {
    if let Some(old) = &args.against {
        return compare(old, args.new.as_deref(), args.threshold);
    }
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

fn compare(old: &Path, new: Option<&Path>, threshold_percent: f64) -> Result<(), Error> {
    let old_record = Record::read(old)?;
    let new = match new {
        Some(new) => new.to_owned(),
        None => newest_beside(old, &old_record)?,
    };
    let comparison = Comparison::of(&old_record, &Record::read(&new)?, threshold_percent);
    if comparison.is_empty() {
        let words = format!("{} and {} have no row in common", old.display(), new.display());
        return Err(Error::Request(words));
    }
    print!("{}", comparison.text([old, &new]));
    match comparison.slower() {
        0 => Ok(()),
        slower => Err(Error::Other(format!("slower by more than {threshold_percent}%: {slower}"))),
    }
}

/// The newest record of the same kind in the same folder.
fn newest_beside(old: &Path, old_record: &Record) -> Result<PathBuf, Error> {
    let folder = old.parent().filter(|folder| !folder.as_os_str().is_empty());
    let newest = newest(folder.unwrap_or(Path::new(".")))?;
    let subject = Subject::of(old_record);
    let found = subject.and_then(|subject| newest.into_iter().find(|(it, ..)| *it == subject));
    let is_newer = |record: &Record| record.head.date > old_record.head.date;
    found.filter(|(.., record)| is_newer(record)).map(|(_, file, _)| file).ok_or_else(|| {
        let words =
            "is the newest record of its kind in its folder; name the one to compare with it";
        Error::Request(format!("{} {words}", old.display()))
    })
}

fn holds(file: &Path, text: &str) -> bool {
    fs::read_to_string(file).is_ok_and(|found| found == text)
}

/// The page, the charts and the README, with what they must hold.
fn files(root: &Path) -> Result<Vec<(PathBuf, String)>, Error> {
    let chapters = chapters(&root.join(RECORDS))?;
    let readme = root.join(README);
    let text = fs::read_to_string(&readme).map_err(Error::file("read", &readme))?;
    let mut files = vec![
        (root.join(PAGE), page::text(&chapters)),
        (readme, readme::with_figures(&text, &chapters)?),
    ];
    for Chapter { folder, sections } in chapters {
        for chart in sections.into_iter().flat_map(|section| section.charts) {
            files.push((root.join(IMAGES).join(chapter::image(&folder, &chart)), chart.text));
        }
    }
    Ok(files)
}

/// The newest record of each kind, GPU by GPU.
fn chapters(records: &Path) -> Result<Vec<Chapter>, Error> {
    let mut chapters = Vec::new();
    for dir in sorted_entries(records)?.into_iter().filter(|entry| entry.is_dir()) {
        let sections = newest(&dir)?
            .into_iter()
            .map(|(subject, file, record)| section(subject, &file, record));
        chapters.push(Chapter { folder: file_name(&dir), sections: sections.collect() });
    }
    Ok(chapters)
}

/// The newest record of each subject in a folder.
fn newest(dir: &Path) -> Result<Vec<(Subject, PathBuf, Record)>, Error> {
    let mut newest = BTreeMap::new();
    let is_record = |file: &PathBuf| file.extension().is_some_and(|it| it == "csv");
    for file in sorted_entries(dir)?.into_iter().filter(is_record) {
        let record = Record::read(&file)?;
        let Some(subject) = Subject::of(&record) else { continue };
        let is_newer = |old: &(PathBuf, Record)| old.1.head.date <= record.head.date;
        if newest.get(&subject).is_none_or(is_newer) {
            newest.insert(subject, (file, record));
        }
    }
    Ok(newest.into_iter().map(|(subject, (file, record))| (subject, file, record)).collect())
}

fn section(subject: Subject, file: &Path, record: Record) -> Section {
    let cases = cases::groups(&record, Cache::Warm);
    let head = &record.head;
    let charts = match subject {
        // They are shown as tables, PyTorch's rows beside ours.
        Subject::Sorts { by_torch: true, .. }
        | Subject::Sorts { kind: Group::TopK | Group::Binned | Group::Segments, .. } => Vec::new(),
        Subject::Sorts { kind: Group::Device, .. } => vec![
            throughput::chart(head, &cases),
            charts::ratio_by_length(head, &cases),
            input_chart::chart(head, &cases),
        ],
        Subject::Sorts { kind: Group::Tiles, .. } => vec![charts::tiles(head, &cases)],
        Subject::Sorts { kind: Group::Rows, .. } => vec![row_chart::chart(head, &cases)],
        Subject::Inputs => vec![inputs::chart(head, &cases)],
    };
    let charts = charts.into_iter().flatten().collect();
    Section { file: file_name(file), charts, record }
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
            peers_are_columns(&text);
        }
    }

    /// Each ratio's peer has a figure in a column of the same table.
    fn peers_are_columns(page: &str) {
        let lines: Vec<Vec<&str>> =
            page.lines().map(|line| line.split('|').map(str::trim).collect()).collect();
        for table in lines.split(|line| line.len() < 3) {
            let Some((heads, rows)) = table.split_first() else { continue };
            let column_of = |name: &str| heads.iter().position(|head| *head == name);
            let Some(ratios) = column_of("ratio to the best peer") else { continue };
            for row in rows {
                let Some((_, peer)) = row[ratios].split_once(": ") else { continue };
                let figure = column_of(peer).map(|column| row[column]);
                assert!(figure.is_some_and(|it| it != "–"), "{row:?} in {heads:?}");
            }
        }
    }

    fn newest_of_arrays() -> PathBuf {
        let files = fs::read_dir(workspace::root().join(RECORDS).join("h200")).expect("a folder");
        let files = files.map(|file| file.expect("a file").path());
        files
            .filter(|file| file.to_string_lossy().ends_with("-device.csv"))
            .max()
            .expect("a record")
    }

    #[test]
    fn a_slow_sort_fails_the_comparison_and_a_malformed_record_is_another_failure() {
        let kept = newest_of_arrays();
        assert!(compare(&kept, Some(&kept), 3.0).is_ok());
        let text = fs::read_to_string(&kept).expect("a record");
        let row = text
            .lines()
            .find(|line| {
                line.starts_with("device,u32_keys,random,268435456,,,,,asc,warm,into,,sortsmith,")
            })
            .expect("the row");
        let [ms, gkeys] = [13, 14].map(|column| row.split(',').nth(column).expect("a field"));
        let figure = |text: &str| text.parse::<f64>().expect("a number");
        let times = [(ms, figure(ms) * 1.2), (gkeys, figure(gkeys) / 1.2)];
        let slow = times.iter().fold(row.to_owned(), |row, (from, to)| {
            row.replacen(&format!(",{from},"), &format!(",{to},"), 1)
        });
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [slow_file, malformed] = ["slow.csv", "malformed.csv"].map(|it| folder.path().join(it));
        fs::write(&slow_file, text.replace(row, &slow)).expect("it is written");
        fs::write(&malformed, text.replace(row, &row.replace("random", "chaos"))).expect("it is");
        let code = |new: &Path| compare(&kept, Some(new), 3.0).map_err(|error| error.exit_code());
        assert_eq!(code(&slow_file), Err(1));
        assert_eq!(code(&malformed), Err(2));
        let error = compare(&kept, None, 3.0).expect_err("it is the newest");
        assert!(error.to_string().contains("is the newest record of its kind"), "{error}");
        assert_eq!(error.exit_code(), 2);
    }

    #[test]
    fn rows_of_arrays_by_several_sorts_are_shown_side_by_side() {
        let root = tempfile::tempdir().expect("a temporary folder");
        let dir = root.path().join(RECORDS).join("gpu");
        fs::create_dir_all(&dir).expect("a folder");
        let text = fs::read_to_string(newest_of_arrays()).expect("a record");
        let (head, _) = text.split_once("\ngroup,").expect("a head");
        let head = head.replace("record: 3", "record: 2");
        let columns = "group,types,input,n,threads,items,columns,k,order,method,radix_bits,library,milliseconds,\
                       gkeys,spread_percent,limit_percent,temp_bytes,registers,local_bytes,shared_bytes,mark";
        for (name, row) in [
            ("rows", "rows,f32_u32,random,1048576,,,128,,asc,segmented,,cub,1,1.048576,,,,,,,"),
            (
                "rows-torch",
                "rows,f32_u32,random,1048576,,,128,,asc,positions,,torch,0.5,2.097152,,,,,,,",
            ),
            (
                "topk",
                "topk,f32_u32,random,1048576,,,1048576,50,desc,unordered,,cub,0.1,10.48576,,,,,,,",
            ),
        ] {
            let file = dir.join(format!("2026-11-22-{name}.csv"));
            fs::write(file, format!("{head}\n{columns}\n{row}\n")).expect("it is written");
        }
        let of_device = |library: &str, ms: &str| {
            let gkeys = 1.048_576 / ms.parse::<f64>().expect("a number");
            let head = head.replace("record: 2", "record: 1");
            let columns = columns.replace("columns,k,", "");
            format!(
                "{head}\n{columns}\ndevice,f32_index,random,1048576,,,asc,positions,,{library},{ms},{gkeys},,,,,,,\n"
            )
        };
        let ours = "device,f32_index,random,1048576,,,asc,into,,sortsmith,0.25,4.194304,,,,,,,\n";
        let with_ours = of_device("cub", "0.5") + ours;
        for (name, text) in [("device", with_ours), ("device-torch", of_device("torch", "2"))] {
            let file = dir.join(format!("2026-11-22-{name}.csv"));
            fs::write(file, text).expect("it is written");
        }
        let page = page::text(&chapters(&root.path().join(RECORDS)).expect("they are legal"));
        for line in [
            "| rows × columns | | CUB, segmented | PyTorch, positions |",
            "| 8192 × 128 | f32,u32 pairs | 1.05 | 2.10 |",
            "| 2²⁰ | positions of f32 keys | 2.10 | 4.19 | 0.524 | 2.00: CUB, positions |",
            "| 1 × 2²⁰ | top 50 | f32,u32 pairs | 100.0 |",
        ] {
            assert!(page.contains(line), "{line}: {page}");
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
        let [Chapter { folder, sections }] = chapters.as_slice() else { panic!("one GPU") };
        assert_eq!(folder, "gpu");
        let shown: Vec<&str> = sections.iter().map(|section| section.file.as_str()).collect();
        assert_eq!(shown, ["2027-01-05-tiles.csv"]);
    }
}
