//! What others could have written is not loaded, and the verbose mode says so.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use cudarc::driver::CudaContext;
use sortsmith::Sorter;
use sortsmith::tuning::{Case, TuningFile};
use sortsmith_codegen::tuning::crossover::{CrossoverFile, Times};
use sortsmith_codegen::tuning::file::{Row, default_path};
use sortsmith_codegen::{KeyType, ValueType};

use super::host_slices::{MEASURED, times_in};
use super::{MANY, shim};

const TEST: &str = "trust::files_that_others_could_have_written_are_not_loaded";

/// Set in a child that is to write the tuning file.
const TUNES: &str = "SORTSMITH_TEST_TUNES";

/// What the child writes before the number of its compilations.
const COMPILED: &str = "compiled: ";

/// Sorts, by a tuned shape if there is a file of them.
fn sort() {
    let shim = shim::Shim::loaded();
    let stream = CudaContext::new(0).unwrap().new_stream().unwrap();
    if std::env::var_os(TUNES).is_some() {
        let gpu = Sorter::on(&stream).unwrap().gpu_id().unwrap();
        let case = Case::of(KeyType::U32, ValueType::None, MANY as u64).unwrap();
        let candidates = case.candidates(gpu.device());
        let (kernel, built_in) = (*candidates.last().unwrap(), candidates[0]);
        let path = default_path(&gpu).unwrap();
        let mut file = TuningFile::of(gpu);
        file.set(Row { case, kernel, built_in, ratio: 1.5, date: "2026-11-25".to_owned() });
        file.write(&path).unwrap();
    }
    let sorter = Sorter::on(&stream).unwrap();
    sorter.sort::<u32>(&mut stream.clone_htod(&vec![7u32; MANY]).unwrap()).unwrap();
    println!("{COMPILED}{}", shim.calls("nvrtcCompileProgram"));
}

/// How many sources a child compiled that has this folder of kernels, and its messages.
fn child(folder: &Path, more: &[(&str, &str)]) -> (u32, String) {
    let usual = [
        ("SORTSMITH_CACHE_DIR", folder.to_str().unwrap()),
        ("SORTSMITH_VERBOSE", "1"),
        // The file in the folder.
        ("SORTSMITH_TUNING", ""),
    ];
    let output = shim::run_child(TEST, &[&usual, more].concat());
    let (stdout, stderr) =
        [&output.stdout, &output.stderr].map(|it| String::from_utf8_lossy(it).into_owned()).into();
    assert!(output.status.success(), "{stdout}\n{stderr}");
    let count = stdout.lines().find_map(|line| line.split_once(COMPILED)).expect(&stdout).1;
    (count.parse().unwrap(), stderr)
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// The files of a folder: kernels, or the tuning.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let all = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files: Vec<PathBuf> = all.filter(|it| it.extension().unwrap() == extension).collect();
    assert!(!files.is_empty());
    files
}

fn into_links(files: Vec<PathBuf>, outside: &Path) {
    for file in files {
        let moved = outside.join(file.file_name().unwrap());
        fs::rename(&file, &moved).unwrap();
        symlink(moved, file).unwrap();
    }
}

/// What is changed, what is said then, and whether the tuned row still counts.
type Change<'a> = (&'a dyn Fn(&Path, &Path), String, bool);

#[test]
fn files_that_others_could_have_written_are_not_loaded() {
    if shim::is_child() {
        return sort();
    }
    let made = tempfile::tempdir().unwrap();
    let (compiled, said) = child(made.path(), &[(TUNES, "1")]);
    assert!(compiled > 0 && said.contains("1 tuned rows of "), "{said}");
    // The same files, in a folder of their own for each case.
    let planted = |change: &dyn Fn(&Path, &Path)| {
        let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for file in fs::read_dir(made.path()).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
        }
        change(folder.path(), outside.path());
        child(folder.path(), &[])
    };
    let (compiled, said) = planted(&|_, _| {});
    assert!(compiled == 0 && said.contains(" from the cache (cubin)"), "{said}");
    let is_tuned = said.contains("1 tuned rows of ") && !said.contains("warning");
    assert!(is_tuned, "{said}");

    let (writable, link) = ("lets others write to it", "it is a symbolic link");
    let kernel = |words: &str| format!(".kernel is not used: {words}");
    let entries_written =
        |folder: &Path, _: &Path| files(folder, "kernel").iter().for_each(|it| set_mode(it, 0o666));
    let tuning_written =
        |folder: &Path, _: &Path| files(folder, "toml").iter().for_each(|it| set_mode(it, 0o666));
    let entries_linked = |folder: &Path, out: &Path| into_links(files(folder, "kernel"), out);
    let tuning_linked = |folder: &Path, out: &Path| into_links(files(folder, "toml"), out);
    let cases: [Change<'_>; 5] = [
        (
            &|folder, _| set_mode(folder, 0o777),
            format!(" is not used: its mode 0777 {writable}"),
            false,
        ),
        (&entries_written, kernel(&format!("its mode 0666 {writable}")), true),
        (&entries_linked, kernel(link), true),
        (&tuning_written, format!(".toml is not used: its mode 0666 {writable}"), false),
        (&tuning_linked, format!(".toml is not used: {link}"), false),
    ];
    for (change, words, is_tuned) in cases {
        let (compiled, said) = planted(change);
        assert!(compiled > 0, "{words}: loaded\n{said}");
        assert!(said.contains(&words), "{words}:\n{said}");
        assert_eq!(said.contains("1 tuned rows of "), is_tuned, "{words}:\n{said}");
    }
}

const TIMES_TEST: &str = "trust::times_that_others_could_have_written_are_measured_again";

/// What the child writes before the number of copies to the device.
const COPIES: &str = "copies: ";

/// How many arrays a child copied to the device that sorts by the times in this folder, and its messages.
fn copies(folder: &Path) -> (u32, String) {
    let variables = [
        ("SORTSMITH_CACHE_DIR", folder.to_str().unwrap()),
        ("SORTSMITH_VERBOSE", "1"),
        ("SORTSMITH_TUNING", ""),
    ];
    let output = shim::run_child(TIMES_TEST, &variables);
    let (stdout, stderr) =
        [&output.stdout, &output.stderr].map(|it| String::from_utf8_lossy(it).into_owned()).into();
    assert!(output.status.success(), "{stdout}\n{stderr}");
    let count = stdout.lines().find_map(|line| line.split_once(COPIES)).expect(&stdout).1;
    (count.parse().unwrap(), stderr)
}

#[test]
fn times_that_others_could_have_written_are_measured_again() {
    if shim::is_child() {
        let shim = shim::Shim::loaded();
        let sorter = Sorter::new().unwrap();
        shim.forget();
        sorter.sort(&mut vec![7u32; MEASURED]).unwrap();
        println!("{COPIES}{}", shim.calls("cuMemcpyHtoDAsync_v2"));
        return;
    }
    let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (copied, said) = copies(folder.path());
    assert!(copied >= 2 && !said.contains("warning"), "{copied}: {said}");
    let path = times_in(folder.path()).expect("times are kept");
    // Times of a GPU that takes for ever, so that a sorter that believes them sorts on the host.
    let planted = Times { n: MEASURED as u64, host: 1, gpu: u64::MAX >> 1 };
    let mut file = CrossoverFile::read_any(&path).unwrap();
    file.rows[0].set(planted);
    let changes: [(&dyn Fn(), &str); 2] = [
        (&|| set_mode(&path, 0o666), "its mode 0666 lets others write to it"),
        (&|| into_links(vec![path.clone()], outside.path()), "it is a symbolic link"),
    ];
    for (change, words) in changes {
        file.write(&path).unwrap();
        let (copied, said) = copies(folder.path());
        assert_eq!((copied, said.contains("warning")), (0, false), "{said}");
        change();
        let (copied, said) = copies(folder.path());
        assert!(copied >= 2, "{words}: believed\n{said}");
        let warning = format!("warning: sorts are timed again: the tuning file {}", path.display());
        assert!(said.contains(&format!("{warning} is not used: {words}")), "{words}:\n{said}");
        // The new times are in a file that others cannot write to.
        assert_ne!(CrossoverFile::read_any(&path).unwrap().rows[0].times, [planted], "{words}");
    }
}
