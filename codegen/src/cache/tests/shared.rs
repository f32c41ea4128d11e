//! One folder for many processes, on disks that are full, by clocks that are wrong, with things in it that others put there.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime};

use super::*;
use crate::files::trust::Distrust;

/// The folder that a test's child process is to use.
const DIR: &str = "SORTSMITH_TEST_SHARED_DIR";

/// How many processes use one folder at once.
const PROCESSES: u32 = 200;

fn part() -> Option<PathBuf> {
    std::env::var_os(DIR).map(PathBuf::from)
}

/// Runs a test of this file again, in a process of its own, behind these words of a command line.
fn start(words: &[&str], test: &str, dir: &Path) -> Child {
    let this = std::env::current_exe().unwrap();
    let this = this.to_str().unwrap();
    let name = format!("cache::tests::shared::{test}");
    let words: Vec<&str> = [words, &[this, "--exact", &name]].concat();
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).env(DIR, dir).env("SORTSMITH_CACHE_DIR", dir);
    command.stdout(Stdio::null()).spawn().unwrap()
}

fn names(dir: &Path) -> Vec<String> {
    let files = fs::read_dir(dir).unwrap();
    files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
}

#[cfg(feature = "tuning")]
fn tuning_file() -> (PathBuf, crate::select::tuning::file::TuningFile) {
    use crate::select::tuning::file::{GpuId, TuningFile, default_path};

    let (name, arch) = ("A GPU".to_owned(), 90);
    let gpu = GpuId { name, arch, multiprocessors: 1, shared_bytes_per_block: 1 };
    (default_path(&gpu).unwrap(), TuningFile::of(gpu))
}

#[test]
fn two_hundred_processes_see_complete_files() {
    let image = |number: u32| vec![number as u8; 50_000];
    if let Some(dir) = part() {
        let cache = Cache::at(dir);
        for round in 0..4 {
            with_kernel("a", 90, |kernel| {
                cache.put(kernel, &image(std::process::id() ^ round)).unwrap();
                let found = cache.get(kernel).unwrap().unwrap();
                assert_eq!(found, image(u32::from(found[0])));
            });
            #[cfg(feature = "tuning")]
            {
                let (path, file) = tuning_file();
                file.write(&path).unwrap();
                assert_eq!(
                    crate::select::tuning::file::TuningFile::read(&path, &file.gpu).unwrap(),
                    file
                );
            }
        }
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path().join("made/by/the/first");
    let processes: Vec<Child> = (0..PROCESSES)
        .map(|_| start(&[], "two_hundred_processes_see_complete_files", &dir))
        .collect();
    for mut process in processes {
        assert!(process.wait().unwrap().success());
    }
    assert_eq!(names(&dir).len(), 1 + usize::from(cfg!(feature = "tuning")), "{:?}", names(&dir));
}

/// No file may be longer than some kilobytes, which looks as a full disk does.
#[test]
fn a_full_disk_leaves_what_was_there() {
    let long = vec![1; 100_000];
    if let Some(dir) = part() {
        let cache = Cache::at(&dir);
        with_kernel("a", 90, |kernel| {
            let error = cache.put(kernel, &long).unwrap_err();
            assert!(matches!(error, CacheError::Write { .. }), "{error}");
            assert_eq!(cache.get(kernel).unwrap().unwrap(), b"short");
        });
        with_kernel("b", 90, |kernel| {
            assert!(cache.put(kernel, &long).is_err());
            assert_eq!(cache.get(kernel).unwrap(), None);
        });
        assert_eq!(names(&dir).len(), 1, "{:?}", names(&dir));
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::at(dir.path());
    with_kernel("a", 90, |kernel| cache.put(kernel, b"short").unwrap());
    // The signal of a file that has become too long would end the process.
    let limited = ["sh", "-c", "ulimit -f 16; trap '' XFSZ; exec \"$@\"", "sh"];
    let mut process = start(&limited, "a_full_disk_leaves_what_was_there", dir.path());
    assert!(process.wait().unwrap().success());
    with_kernel("a", 90, |kernel| {
        cache.put(kernel, &long).unwrap();
        assert_eq!(cache.get(kernel).unwrap().as_ref(), Some(&long));
    });
}

/// Which entry is right follows from what is in it, not from when it was written.
#[test]
fn clocks_that_go_back_change_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::at(dir.path());
    let library = dir.path().join("libnvrtc.so.13");
    fs::write(&library, "a library").unwrap();
    let set = |path: &Path, time| fs::File::open(path).unwrap().set_modified(time).unwrap();
    let component = crate::toolchain::Component {
        path: library.clone(),
        root: None,
        origin: crate::toolchain::Origin::Caller,
    };
    let year = Duration::from_secs(365 * 86_400);
    let now = SystemTime::now();
    let times = [
        now,
        now + 20 * year,
        now - 20 * year,
        SystemTime::UNIX_EPOCH,
        SystemTime::UNIX_EPOCH - year,
        SystemTime::UNIX_EPOCH - 2 * year,
    ];
    let options = CompileOptions::new(90, Format::Cubin);
    let source = Source::new("seven", "text");
    let mut entries = Vec::new();
    for (number, compiler_time) in times.into_iter().enumerate() {
        set(&library, compiler_time);
        let compiler = Identity::of(&component).unwrap();
        let kernel = Kernel { source, options: &options, compiler: &compiler };
        // Of another time is another compiler, also before 1970.
        assert_eq!(cache.get(&kernel).unwrap(), None);
        cache.put(&kernel, &[number as u8]).unwrap();
        entries.push(dir.path().join(file_name(&kernel.request_key(), &kernel.key())));
        for entry_time in times {
            for entry in &entries {
                set(entry, entry_time);
            }
            assert_eq!(cache.get(&kernel).unwrap().unwrap(), [number as u8]);
        }
    }
}

#[test]
fn what_others_could_have_written_is_reported_and_made_again() {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::at(dir.path().join("cache"));
    let cache_dir = cache.dir().unwrap().to_owned();
    let set_mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    with_kernel("a", 90, |kernel| {
        cache.check().unwrap();
        cache.put(kernel, b"image").unwrap();
        let path = only_file(&cache_dir);
        let refused = |error: CacheError| match error {
            CacheError::Untrusted { path, reason } => (path, reason),
            error => panic!("{error}"),
        };
        set_mode(&cache_dir, 0o777);
        let folder = (cache_dir.clone(), Distrust::Mode { mode: 0o777 });
        let any = cache.get_of_any_compiler(&kernel.source, kernel.options);
        assert_eq!(refused(cache.get(kernel).unwrap_err()), folder);
        assert_eq!(refused(any.unwrap_err()), folder);
        assert_eq!(refused(cache.put(kernel, b"image").unwrap_err()), folder);
        assert_eq!(refused(cache.check().unwrap_err()), folder);
        assert_eq!(refused(cache.entries().unwrap_err()), folder);
        assert_eq!(refused(cache.clear().unwrap_err()), folder);
        set_mode(&cache_dir, 0o700);
        let elsewhere = dir.path().join("elsewhere");
        let spoil: [(&dyn Fn(), Distrust); 3] = [
            (&|| set_mode(&path, 0o622), Distrust::Mode { mode: 0o622 }),
            (&|| fs::create_dir(&path).unwrap(), Distrust::Kind),
            (&|| symlink(&elsewhere, &path).unwrap(), Distrust::Link),
        ];
        for (number, (spoil, reason)) in spoil.into_iter().enumerate() {
            if number > 0 {
                fs::rename(&path, &elsewhere).unwrap();
            }
            spoil();
            assert_eq!(refused(cache.get(kernel).unwrap_err()), (path.clone(), reason));
            if reason == Distrust::Kind {
                fs::remove_dir(&path).unwrap();
            } else {
                let entries = cache.entries().unwrap();
                assert_eq!(entries[0].content, Err(Damage::Untrusted(reason)));
            }
            cache.put(kernel, b"again").unwrap();
            assert_eq!(cache.get(kernel).unwrap().unwrap(), b"again");
        }
    });
}
