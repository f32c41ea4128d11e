//! The first sorts of a process: by kernels that another process compiled, and where there is no compiler.

use std::fs;
use std::thread;
use std::time::Instant;

use cudarc::driver::CudaContext;
use sortsmith::{Backend, Error, Sorter};

use crate::processes::{Child, has_loaded_nvrtc, path_of};
use crate::{Setting, Test};

pub fn tests() -> Vec<Test> {
    vec![
        ("alone::a_cold_start_compiles_nothing".to_owned(), a_cold_start_compiles_nothing),
        ("alone::without_a_compiler".to_owned(), without_a_compiler),
    ]
}

/// One tile, small n, and large n.
const LENGTHS: [usize; 3] = [1500, 50_000, 2_000_000];

/// Processes that write one cache at the same time do not disturb each other. A later process sorts without NVRTC: loading it alone
/// takes longer. A damaged entry is compiled again.
fn a_cold_start_compiles_nothing(_: &Setting) {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("is/not/there");
    let sorts = |child: Child, disabled: &str| {
        child.run(&[
            ("SORTSMITH_CACHE_DIR", path_of(&cache)),
            ("SORTSMITH_DISABLE_JIT", disabled),
            ("SORTSMITH_VERBOSE", "1"),
        ])
    };
    let compiled = |stderr: &str| {
        let says =
            |line: &&str| line.starts_with("sortsmith: compiled ") && line.contains(" with NVRTC ");
        stderr.lines().filter(says).count()
    };
    thread::scope(|scope| {
        let racers = [(); 3].map(|()| scope.spawn(|| sorts(Child::FirstSorts, "0")));
        let stderr = racers.map(|racer| racer.join().unwrap());
        // A later process finds the entries of the others.
        let all: usize = stderr.iter().map(|stderr| compiled(stderr)).sum();
        assert!(all >= LENGTHS.len(), "{stderr:?}");
        assert!(!stderr.iter().any(|stderr| stderr.contains("warning")), "{stderr:?}");
    });
    let entries = || fs::read_dir(&cache).unwrap().map(|entry| entry.unwrap().path());
    let count = entries().count();
    assert!(count >= LENGTHS.len(), "{count} entries");
    for disabled in ["0", "1"] {
        let stderr = sorts(Child::ColdStart, disabled);
        assert_eq!(compiled(&stderr), 0, "{stderr}");
        assert_eq!(stderr.matches(" from the cache (").count(), count, "{stderr}");
    }
    let damaged = entries().next().unwrap();
    fs::write(&damaged, "cut").unwrap();
    let stderr = sorts(Child::FirstSorts, "0");
    assert_eq!(compiled(&stderr), 1, "{stderr}");
    assert!(stderr.contains("warning"), "{stderr}");
    assert_eq!(compiled(&sorts(Child::ColdStart, "1")), 0);
}

/// Sorts, and says how long the first result took.
pub fn sort_first() {
    let start = Instant::now();
    let stream = CudaContext::new(0).unwrap().default_stream();
    stream.synchronize().unwrap();
    let context = start.elapsed();
    let sorter = Sorter::on(&stream).unwrap();
    for n in LENGTHS {
        let start = Instant::now();
        let keys: Vec<f32> = (0..n as u32).rev().map(|item| item as f32).collect();
        let rows: Vec<u32> = (0..n as u32).collect();
        let mut keys = stream.clone_htod(&keys).unwrap();
        let mut rows = stream.clone_htod(&rows).unwrap();
        stream.synchronize().unwrap();
        let sorting = Instant::now();
        sorter.sort_pairs::<f32, u32>(&mut keys, &mut rows).unwrap();
        stream.synchronize().unwrap();
        println!(
            "the first sort of {n} pairs: {:.1?} (arrays {:.1?}, context {context:.1?})",
            sorting.elapsed(),
            sorting - start
        );
        assert!(stream.clone_dtoh(&rows).unwrap().into_iter().rev().eq(0..n as u32));
    }
    if Child::of_this_process() == Some(Child::ColdStart) {
        assert!(!has_loaded_nvrtc(), "NVRTC was loaded");
    }
}

/// Without NVRTC and with an empty cache there are no kernels: an error, or the host.
fn without_a_compiler(_: &Setting) {
    let cache = tempfile::tempdir().unwrap();
    let variables = [
        ("SORTSMITH_CACHE_DIR", path_of(cache.path())),
        ("SORTSMITH_CUDA", "none"),
        ("SORTSMITH_VERBOSE", "1"),
    ];
    let stderr = Child::NoCompiler.run(&variables);
    assert!(stderr.contains("sorting on the host: cannot compile "), "{stderr}");
    assert_eq!(fs::read_dir(cache.path()).unwrap().count(), 0, "the cache was written");
}

/// What the child process does.
pub fn no_compiler() {
    let stream = CudaContext::new(0).unwrap().default_stream();
    let sorter = Sorter::on(&stream).unwrap();
    let mut keys = stream.clone_htod(&[2u32, 1]).unwrap();
    for error in [
        sorter.sort(&mut keys),
        sorter.reserve::<u32, [u8; 3]>(100),
        sorter.argsort(&keys).map(drop),
    ] {
        let error = error.unwrap_err();
        assert!(matches!(&error, Error::NoCompiler { .. }), "{error}");
        assert!(error.to_string().contains("SORTSMITH_CUDA"), "{error}");
    }
    assert_eq!(stream.clone_dtoh(&keys).unwrap(), [2, 1], "an error changes nothing");

    // A sorter that may choose sorts on the host.
    let chooses = Sorter::new().unwrap();
    assert!(matches!(chooses.backend(), Backend::Gpu { .. }));
    let mut long: Vec<u32> = (0..2 * Sorter::HOST_BELOW as u32).rev().collect();
    chooses.sort(&mut long).unwrap();
    assert!(long.is_sorted());
}
