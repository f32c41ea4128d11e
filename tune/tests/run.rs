//! All cases into a file, where the costs are known; and processes that are killed while they do it.

mod fake;

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs};

use fake::{Fake, Looker, h200};
use rand::RngExt;
use sortsmith_codegen::tuning::file::{GpuId, TuningError, TuningFile};
use sortsmith_codegen::tuning::{Case, SizeClass};
use sortsmith_codegen::{KeyType, ValueType};
use sortsmith_tune::run::{Done, Request, RunError, TOLERANCE, tune, verify};
use sortsmith_tune::search::Ended;

/// For a child process of a test: the file that it tunes into.
const PART: &str = "SORTSMITH_TEST_TUNING_FILE";

fn cases() -> Vec<Case> {
    let types = [(KeyType::F32, ValueType::U32), (KeyType::U64, ValueType::None)];
    let of_types = |(key, value)| {
        SizeClass::ALL.into_iter().filter_map(move |class| Case::of(key, value, class.most()))
    };
    types.into_iter().flat_map(of_types).collect()
}

fn request(path: &Path, seconds: u64) -> Request {
    Request {
        cases: cases(),
        budget: Duration::from_secs(seconds),
        only: None,
        again: false,
        force: false,
        path: path.to_owned(),
        date: "2026-11-22".to_owned(),
    }
}

/// The third candidate of every case is faster by a tenth.
fn bench() -> Fake {
    Fake::new(1, |candidate, _| if candidate == 3 { 0.9 } else { 1.0 })
}

fn new_file() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("tuning.toml");
    (folder, path)
}

fn read(path: &Path) -> TuningFile {
    TuningFile::read(path, &h200()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_case_comes_into_the_file_and_none_twice() {
    let (_folder, path) = new_file();
    let mut looker = Looker::default();
    let done = tune(&mut bench(), &request(&path, 6000), &mut looker).expect("it ends");
    assert_eq!((done.found.len(), done.known, done.left.len()), (16, 0, 0));
    let file = read(&path);
    for (case, row) in cases().iter().zip(&file.rows) {
        assert_eq!(row.case, *case);
        assert_eq!(row.kernel, case.candidates(h200().device())[3]);
        assert!((row.ratio - 1.0 / 0.9).abs() < 0.01);
    }
    // A second run finds all done; one that is to search again does.
    let mut second = bench();
    let done = tune(&mut second, &request(&path, 6000), &mut looker).expect("it ends");
    assert_eq!((done.found.len(), done.known, second.measured), (0, 16, 0));
    let again = Request { again: true, ..request(&path, 6000) };
    let done = tune(&mut second, &again, &mut looker).expect("it ends");
    assert_eq!((done.found.len(), done.known), (16, 0));
    assert_eq!(read(&path), file);
}

#[test]
fn the_budget_is_shared_and_what_is_left_is_reported() {
    let (_folder, path) = new_file();
    let mut bench = bench();
    let done = tune(&mut bench, &request(&path, 60), &mut Looker::default()).expect("it ends");
    assert!(bench.clock < Duration::from_secs(75), "{:?}", bench.clock);
    assert_eq!(done.found.len() + done.left.len(), 16);
    assert!(done.found.len() > 10, "{}", done.found.len());
    let Done { found, left, .. } =
        tune(&mut bench, &request(&path, 60), &mut Looker::default()).expect("it ends");
    assert_eq!((found.len(), left.len()), (16 - done.found.len(), 0));
}

#[test]
fn a_file_that_is_no_use_is_made_anew_and_that_of_others_is_left() {
    let (_folder, path) = new_file();
    let mut looker = Looker::default();
    tune(&mut bench(), &request(&path, 6000), &mut looker).expect("it ends");
    let intact = fs::read(&path).expect("it is there");
    fs::write(&path, &intact[..intact.len() / 2]).expect("it is written");
    let done = tune(&mut bench(), &request(&path, 6000), &mut looker).expect("it ends");
    assert_eq!(done.found.len(), 16);
    assert!(looker.notes[0].contains("searched anew: the tuning file"), "{:?}", looker.notes);

    let mut other = bench();
    other.gpu = GpuId { name: "OTHER".to_owned(), ..h200() };
    fs::write(path.with_extension("mine"), "my notes").expect("it is written");
    for file in [path.clone(), path.with_extension("mine")] {
        let before = fs::read(&file).expect("it is there");
        let error = tune(&mut other, &request(&file, 6000), &mut looker).expect_err("not ours");
        let is_reported = matches!(
            error,
            RunError::File(TuningError::Foreign { .. } | TuningError::NoTuning { .. })
        );
        assert!(is_reported, "{error}");
        assert_eq!(fs::read(&file).expect("it is there"), before);
        let forced = Request { force: true, ..request(&file, 6000) };
        let done = tune(&mut other, &forced, &mut looker).expect("it ends");
        assert_eq!(done.found.len(), 16);
    }
    // A file that cannot be written is an error before anything is measured.
    let mut bench = bench();
    let below = request(&path.join("below.toml"), 60);
    assert!(tune(&mut bench, &below, &mut looker).is_err());
    assert_eq!(bench.measured, 0);
}

#[test]
fn cases_without_memory_are_left_out_and_what_ends_early_stays() {
    let (_folder, path) = new_file();
    let mut small = bench();
    small.most = 1 << 20;
    let mut looker = Looker::default();
    let done = tune(&mut small, &request(&path, 6000), &mut looker).expect("it ends");
    assert_eq!((done.found.len(), looker.notes.len()), (8, 8));
    assert!(looker.notes[0].starts_with("left out: no memory for the fewest items"));
    let before = read(&path);
    let mut looker = Looker { stop_after: Some(40), ..Looker::default() };
    let error = tune(&mut bench(), &request(&path, 6000), &mut looker).expect_err("stopped");
    assert!(matches!(error, RunError::Ended(Ended::Stopped)), "{error}");
    assert_eq!(read(&path).rows[..8], before.rows[..]);
}

#[test]
fn two_tuners_of_one_file_keep_the_rows_of_both() {
    let (_folder, path) = new_file();
    let all = cases();
    let [first, second] = [&all[..7], &all[5..]]
        .map(|cases| Request { cases: cases.to_vec(), ..request(&path, 6000) });
    // The other one begins and ends in the first measurement of this one.
    let has_run = Cell::new(false);
    let mut interrupted = Fake::new(1, move |candidate, _| {
        if !has_run.replace(true) {
            tune(&mut bench(), &second, &mut Looker::default()).expect("it ends");
        }
        if candidate == 3 { 0.8 } else { 1.0 }
    });
    let done = tune(&mut interrupted, &first, &mut Looker::default()).expect("it ends");
    assert_eq!(done.found.len(), 7);
    let file = read(&path);
    assert_eq!(file.rows.len(), 16);
    for (number, case) in all.iter().enumerate() {
        // Of a case that both have found, the later row is kept.
        let cost = if number < 7 { 0.8 } else { 0.9 };
        let ratio = file.row(case).expect("a row of each case").ratio;
        assert!((ratio - 1.0 / cost).abs() < 0.02, "{case}: {ratio}");
    }
}

#[test]
fn rows_that_became_slower_are_found() {
    let (_folder, path) = new_file();
    tune(&mut bench(), &request(&path, 6000), &mut Looker::default()).expect("it ends");
    let rows = read(&path).rows;
    let slow = |bench: &mut Fake| {
        let all = verify(bench, &rows, &mut Looker::default()).expect("it ends");
        assert_eq!(all.len(), rows.len());
        all.iter().filter(|row| row.is_slow()).count()
    };
    assert_eq!(slow(&mut bench()), 0);
    let costs =
        |cost: f64| Fake::new(2, move |candidate, _| if candidate == 3 { cost } else { 1.0 });
    assert_eq!(slow(&mut costs(1.0 + TOLERANCE / 2.0)), 0);
    assert_eq!(slow(&mut costs(1.05)), rows.len());
    // Slower at one point of all.
    let at_a_point = |candidate: usize, point: sortsmith_tune::bench::Point| {
        if candidate == 3 && point.n == 1 << 18 { 1.1 } else { 1.0 }
    };
    assert_eq!(slow(&mut Fake::new(2, at_a_point)), 2);
}

/// Tunes in this process, so slowly that it can be killed meanwhile. The file is all that it leaves.
fn tune_slowly(path: &Path) {
    let mut bench = bench();
    (bench.sleep, bench.noise) = (Duration::from_micros(300), 0.0);
    tune(&mut bench, &request(path, 100_000), &mut Looker::default()).expect("it ends");
}

fn started(path: &Path) -> Child {
    let mut command = Command::new(env::current_exe().expect("a program"));
    command.args(["--exact", "a_file_is_complete_whenever_its_process_is_killed"]);
    command.env(PART, path).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("it runs")
}

#[test]
fn a_file_is_complete_whenever_its_process_is_killed() {
    if let Some(path) = env::var_os(PART) {
        return tune_slowly(Path::new(&path));
    }
    // How long it takes undisturbed.
    let (_first_folder, undisturbed) = new_file();
    let before = Instant::now();
    assert!(started(&undisturbed).wait().expect("it ends").success());
    let all = before.elapsed();
    let complete = read(&undisturbed);
    assert_eq!(complete.rows.len(), 16);

    let (folder, path) = new_file();
    let mut rows = 0;
    let mut killed = 0;
    let mut seen = Vec::new();
    for _ in 0..10 {
        let mut child = started(&path);
        std::thread::sleep(all.mul_f64(rand::rng().random_range(0.0..0.3)));
        killed += usize::from(child.try_wait().expect("its status").is_none());
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        if path.exists() {
            let file = read(&path);
            assert!(file.rows.len() >= rows, "{} rows after {rows}", file.rows.len());
            assert_eq!(file.rows, complete.rows[..file.rows.len()]);
            rows = file.rows.len();
        }
        seen.push(rows);
    }
    assert!(killed > 0, "no process was killed");
    println!("rows after each of ten kills: {seen:?}");
    // It goes on where it was, and no half file is taken for one.
    assert!(started(&path).wait().expect("it ends").success());
    assert_eq!(read(&path), complete);
    let strangers = fs::read_dir(folder.path()).expect("a folder").flatten();
    let names = strangers.map(|entry| entry.file_name().to_string_lossy().into_owned());
    assert!(names.into_iter().all(|it| it == "tuning.toml" || it.starts_with(".sortsmith-")));
}
