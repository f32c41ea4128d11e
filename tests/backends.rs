//! The choice of a backend without a GPU, and where a GPU is required: each test in a process of its own, because a process chooses
//! once.

#![allow(clippy::unwrap_used)] // a failed unwrap is a failed test

#[cfg(all(unix, feature = "cuda"))]
#[path = "backends/rights.rs"]
mod rights;

use std::process::Command;

use sortsmith::device::Arch;
use sortsmith::{Backend, BlockRadixSort, BlockSort, Error, SortOptions, Sorter};

/// The variable of a test's child process.
const CHILD: &str = "SORTSMITH_TEST_CHILD";

/// A test, to be run again in another process.
fn child(test: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]).env(CHILD, "1");
    command.env_remove("SORTSMITH_BACKEND").env_remove("CUDA_VISIBLE_DEVICES");
    command
}

/// Runs a test again in another process, with these variables.
fn in_another_process(test: &str, variables: &[(&str, &str)]) {
    let mut command = child(test);
    command.envs(variables.iter().copied());
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}\n{}", String::from_utf8_lossy(&output.stdout));
}

fn is_child() -> bool {
    std::env::var_os(CHILD).is_some()
}

/// Sorts enough keys for a GPU.
fn sort_many() -> Result<(), Error> {
    let n = 2 * Sorter::HOST_BELOW as u32;
    let input: Vec<u32> = (0..n).map(|item| item.wrapping_mul(0x9e37_79b9) >> 8).collect();
    let mut keys = input.clone();
    let mut rows: Vec<u32> = (0..n).collect();
    sortsmith::sort_pairs(&mut keys, &mut rows)?;
    assert!(keys.is_sorted());
    assert!(rows.iter().zip(&keys).all(|(row, key)| input[*row as usize] == *key));
    assert_eq!(sortsmith::argsort(&input)?, rows);
    // Values that a GPU would gather.
    let (mut keys, mut values) = (input, (0..n).map(|row| [row, !row, 5]).collect::<Vec<_>>());
    sortsmith::sort_pairs(&mut keys, &mut values)?;
    assert!(values.iter().zip(&rows).all(|(value, row)| *value == [*row, !row, 5]));
    Ok(())
}

#[test]
fn without_a_device_the_host_sorts() {
    if is_child() {
        assert_eq!(sortsmith::backend().unwrap(), Backend::Host);
        assert_eq!(sortsmith::backend().unwrap().to_string(), "host");
        sort_many().unwrap();
        return;
    }
    // No device is visible where there is a driver, and none at all where there is not.
    let invisible = [("CUDA_VISIBLE_DEVICES", "")];
    in_another_process("without_a_device_the_host_sorts", &invisible);
}

#[cfg(feature = "cuda")]
#[test]
fn a_required_gpu_that_is_missing_is_an_error() {
    if is_child() {
        let on_device = Sorter::on_device(0).unwrap_err();
        let context = sortsmith::cuda_context(0).unwrap_err();
        let errors = [Sorter::new().unwrap_err(), on_device, context, sort_many().unwrap_err()];
        for error in errors {
            let is_typed = matches!(
                error,
                Error::NoDriver { .. } | Error::NoDevice { .. } | Error::DriverTooOld { .. }
            );
            assert!(is_typed, "{error}");
            assert!(error.to_string().contains("sort on the host"), "{error}");
        }
        let error = sortsmith::sort(&mut [2, 1]).unwrap_err();
        let of_backend = sortsmith::backend().unwrap_err();
        assert_eq!(of_backend.to_string(), error.to_string());
        return;
    }
    let variables = [("CUDA_VISIBLE_DEVICES", ""), ("SORTSMITH_BACKEND", "gpu")];
    in_another_process("a_required_gpu_that_is_missing_is_an_error", &variables);
}

#[test]
fn the_host_can_be_requested() {
    if is_child() {
        assert_eq!(Sorter::new().unwrap().backend(), Backend::Host);
        sort_many().unwrap();
        return;
    }
    in_another_process("the_host_can_be_requested", &[("SORTSMITH_BACKEND", "host")]);
}

#[test]
fn an_unknown_backend_is_an_error() {
    if is_child() {
        let error = sortsmith::sort(&mut [2, 1]).unwrap_err();
        assert_eq!(sortsmith::backend().unwrap_err().to_string(), error.to_string());
        assert!(matches!(&error, Error::UnknownBackend { value } if value == "tpu"), "{error}");
        assert!(error.to_string().contains("legal: host, gpu"), "{error}");
        return;
    }
    in_another_process("an_unknown_backend_is_an_error", &[("SORTSMITH_BACKEND", "tpu")]);
}

/// stderr is a pipe that is closed at the other end.
#[cfg(feature = "cuda")]
#[test]
fn a_closed_stderr_does_not_disturb_sorts() {
    if is_child() {
        sort_many().unwrap();
        return;
    }
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = child("a_closed_stderr_does_not_disturb_sorts");
    command.envs([("SORTSMITH_VERBOSE", "1"), ("CUDA_VISIBLE_DEVICES", "")]).stderr(writer);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// Forks; the child sorts and must come to its end.
#[cfg(unix)]
fn sort_in_a_fork() {
    // SAFETY: fork has no preconditions. The child calls nothing that other threads of the parent may have held a lock of:
    // allocation, which the C library makes safe, and the sorts that are tested.
    let child = unsafe { libc::fork() };
    assert!(child >= 0);
    if child == 0 {
        // SAFETY: alarm and _exit have no preconditions. The alarm ends a child that waits for ever.
        unsafe {
            libc::alarm(60);
            let is_sorted = std::panic::catch_unwind(|| sort_many().unwrap()).is_ok();
            libc::_exit(i32::from(!is_sorted));
        }
    }
    let mut status = 0;
    // SAFETY: the pointer is to a live integer.
    let ended = unsafe { libc::waitpid(child, &raw mut status, 0) };
    assert_eq!((ended, status), (child, 0), "the child's status, 14 where it waited for ever");
}

#[cfg(unix)]
#[test]
fn a_forked_process_sorts() {
    if is_child() {
        // The program's own use of rayon, before the first sort.
        assert!(rayon::current_num_threads() > 1);
        rayon::join(|| 1, || 2);
        sort_in_a_fork();
        sort_many().unwrap();
        sort_in_a_fork();
        // By a thread of rayon's.
        rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap().install(sort_in_a_fork);
        sort_many().unwrap();
        return;
    }
    let variables = [("SORTSMITH_BACKEND", "host"), ("RAYON_NUM_THREADS", "3")];
    in_another_process("a_forked_process_sorts", &variables);
}

#[test]
fn a_sorter_of_the_host_sorts_as_the_functions_do() {
    let sorter = Sorter::host();
    let keys = [3i16, -1, 3, 2];
    let options = SortOptions::new().descending();
    let (mut stable, mut values) = (keys, [0u8, 1, 2, 3]);
    sorter.sort_pairs_with(&mut stable, &mut values, options).unwrap();
    assert_eq!((stable, values), ([3, 3, 2, -1], [0, 2, 3, 1]));
    let (mut unstable, mut with) = (keys, [0u8, 1, 2, 3]);
    sorter.sort_pairs_unstable(&mut unstable, &mut with).unwrap();
    assert_eq!(unstable, [-1, 2, 3, 3]);
    let mut order = vec![0; 4];
    sorter.argsort_into_with(&keys[..], &mut order, options).unwrap();
    assert_eq!(order, [0, 2, 3, 1]);
    let error = sorter.argsort_into(&keys, &mut order[..3]).unwrap_err();
    assert!(matches!(error, Error::LengthMismatch { keys: 4, values: 3 }), "{error}");
    sorter.reserve::<i16, ()>(100).unwrap();
    let error = sorter.reserve_with::<i16, u8>(100, SortOptions::new().bits(0..17)).unwrap_err();
    assert!(matches!(error, Error::BitRange { .. }), "{error}");
    sorter.reserve_argsort::<i16>(100).unwrap();
    let error = sorter.reserve_argsort_with::<i8>(100, SortOptions::new().bits(0..9)).unwrap_err();
    assert!(matches!(error, Error::BitRange { begin: 0, end: 9, .. }), "{error}");
}

#[test]
fn values_of_any_size_go_with_their_keys_but_not_through_tile_kernels() {
    let sorter = Sorter::host();
    let names = [*b"one", *b"two", *b"six"];
    let (mut keys, mut values) = ([3u8, 1, 2], names);
    sorter.reserve::<u8, [u8; 3]>(3).unwrap();
    sorter.sort_pairs_unstable(&mut keys, &mut values).unwrap();
    assert_eq!((keys, values), ([1, 2, 3], [*b"two", *b"six", *b"one"]));

    let tiles = BlockRadixSort::<u8, [u8; 3]>::tiles(32, 2);
    let error = tiles.sort_pairs(&sorter, &mut keys, &mut values).unwrap_err();
    assert!(matches!(error, Error::TileValue { bytes: 3 }), "{error}");
    let text = "a tile kernel does not move values of 3 bytes; legal: 0, 1, 2, 4, 8 or 16 bytes";
    assert!(error.to_string().starts_with(text), "{error}");
}

#[test]
fn tiles_of_no_named_algorithm_are_sorted_as_the_chosen_spec_says() {
    let sorter = Sorter::host();
    let tiles = BlockSort::<u8, u16>::tiles(2, 2).bits(1..8).descending();
    assert!(tiles.spec().unwrap().to_string().ends_with("_desc_bits1to8"));
    let (mut keys, mut values) = ([1u8, 3, 2, 5, 9, 8, 7], [0u16, 1, 2, 3, 4, 5, 6]);
    tiles.sort_pairs(&sorter, &mut keys, &mut values).unwrap();
    assert_eq!((keys, values), ([5, 3, 2, 1, 9, 8, 7], [3, 1, 2, 0, 4, 5, 6]));

    let few = Arch::new(75).unwrap();
    let large = BlockSort::<f32>::tiles(1024, 16);
    let error = large.arch(few).sort(&sorter, &mut [1.0, 0.0]).unwrap_err();
    let text = "is not legal; legal: at most 65536 bytes on sm_75: fewer items or threads";
    assert!(error.to_string().ends_with(text), "{error}");
    assert!(large.spec().unwrap().algorithm.is_stable());
    let error = BlockSort::<u8, [u8; 3]>::tiles(32, 2).spec().unwrap_err();
    assert!(matches!(error, Error::TileValue { bytes: 3 }), "{error}");
    let error = BlockSort::<u8>::tiles(32, 2).bits(4..9).spec().unwrap_err();
    assert!(error.to_string().starts_with("bits = 4..9 is not legal"), "{error}");
}

/// A driver of this version that offers no device, as a library in a folder for the dynamic loader.
#[cfg(all(feature = "cuda", target_os = "linux"))]
fn driver_without_devices(version: u32) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let source = format!(
        "extern \"C\" int cuDriverGetVersion(int* version) {{ *version = {version}; return 0; }}
         extern \"C\" int cuInit(unsigned) {{ return 100; }}
         extern \"C\" int cuGetErrorString(int, const char** text) {{ *text = \"none\"; return 0; }}"
    );
    std::fs::write(dir.path().join("driver.cpp"), source).unwrap();
    let built = Command::new(std::env::var("CXX").unwrap_or_else(|_| "g++".to_owned()))
        .args(["-shared", "-fPIC", "-o", "libcuda.so.1", "driver.cpp"])
        .current_dir(dir.path())
        .status()
        .unwrap();
    assert!(built.success());
    dir
}

#[cfg(all(feature = "cuda", target_os = "linux"))]
#[test]
fn a_driver_without_devices_is_an_error_that_says_so() {
    if is_child() {
        let error = Sorter::on_device(0).unwrap_err();
        assert!(matches!(error, Error::NoDevice { .. }), "{error}");
        assert_eq!(sortsmith::backend().unwrap(), Backend::Host);
        sort_many().unwrap();
        return;
    }
    let dir = driver_without_devices(12_040);
    let path = [("LD_LIBRARY_PATH", dir.path().to_str().unwrap())];
    in_another_process("a_driver_without_devices_is_an_error_that_says_so", &path);
}

#[cfg(all(feature = "cuda", target_os = "linux"))]
#[test]
fn a_driver_that_is_too_old_is_an_error_that_says_so() {
    if is_child() {
        let error = Sorter::on_device(0).unwrap_err();
        assert!(matches!(error, Error::DriverTooOld { found: (10, 2), .. }), "{error}");
        assert_eq!(sortsmith::backend().unwrap(), Backend::Host);
        return;
    }
    let dir = driver_without_devices(10_020);
    let path = [("LD_LIBRARY_PATH", dir.path().to_str().unwrap())];
    in_another_process("a_driver_that_is_too_old_is_an_error_that_says_so", &path);
}

/// A refused sort changes nothing.
#[test]
fn outputs_are_as_they_were_where_an_argument_is_refused() {
    let it = Sorter::host();
    let (keys, values) = ([3i16, -1, 3, 2], [7u8, 8, 9, 6]);
    let (mut there, mut moved, mut order) = ([5i16; 4], [5u8; 4], [5u32; 4]);
    let (a, b, c) = (&mut there, &mut moved, &mut order);
    let by_network = SortOptions::new().algorithm(sortsmith::ArrayAlgorithm::Bitonic);
    for options in [SortOptions::new().bits(3..17), by_network.bits(0..8)] {
        for (call, result) in [
            it.sort_into_with(&keys, a, options),
            it.argsort_into_with(&keys, c, options),
            it.sort_pairs_into_with(&keys, &values, a, b, options),
            it.sort_with_positions_into_with(&keys, a, c, options),
            it.sort_rows_into_with(&keys, a, 2, options),
            it.argsort_rows_into_with(&keys, c, 2, options),
            it.sort_pairs_rows_into_with(&keys, &values, a, b, 2, options),
            it.sort_rows_with_positions_into_with(&keys, a, c, 2, options),
            it.argsort_segments_into_with(&keys, c, &[0u32, 1, 4], options),
            it.argsort_counted_into_with(&keys, c, &[3u32], options),
        ]
        .into_iter()
        .enumerate()
        {
            assert!(result.is_err(), "call {call}");
        }
    }
    let (wide, mut wide_moved) = ([[1u8; 3]; 4], [[5u8; 3]; 4]);
    it.sort_pairs_into_with(&keys, &wide, a, &mut wide_moved, by_network).unwrap_err();
    // No option of a top-k is illegal: an output lacks room, or rows end amid the keys.
    let usual = sortsmith::TopKOptions::new();
    for (call, result) in [
        it.top_k_into_with(&keys, &mut a[..1], &mut c[..2], usual),
        it.top_k_rows_into_with(&keys, &mut a[..1], &mut c[..2], 2, 1, usual),
        it.top_k_rows_into_with(&keys, a, c, 3, 1, usual),
        it.top_k_pairs_into_with(&keys, &values, &mut a[..2], &mut b[..1], usual),
        it.top_k_pairs_rows_into_with(&keys, &values, &mut a[..2], &mut b[..1], 2, 1, usual),
        it.top_k_pairs_rows_into_with(&keys, &values, a, b, 3, 1, usual),
    ]
    .into_iter()
    .enumerate()
    {
        assert!(result.is_err(), "top-k {call}");
    }
    assert_eq!((there, moved, order, wide_moved), ([5; 4], [5; 4], [5; 4], [[5; 3]; 4]));
}

/// cudarc's build script panics at an nvcc that is newer than it supports, unless a version is set: `.cargo/config.toml` sets it.
#[cfg(all(feature = "cuda", target_os = "linux"))]
#[test]
fn no_nvcc_on_path_stops_the_build() {
    use std::os::unix::fs::PermissionsExt;

    const VERSION: &str = "CUDARC_CUDA_VERSION";
    let Some(version) = std::env::var_os(VERSION) else {
        println!("left out: cargo does not run this");
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let nvcc = dir.path().join("nvcc");
    let says =
        "nvcc: NVIDIA (R) Cuda compiler driver\n\n\nCuda compilation tools, release 99.9, V99.9.1";
    std::fs::write(&nvcc, format!("#!/bin/sh\necho '{says}'\n")).unwrap();
    std::fs::set_permissions(nvcc, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", dir.path().display());
    let this = std::env::current_exe().unwrap();
    let builds = std::fs::read_dir(this.parent().unwrap().with_file_name("build")).unwrap();
    let scripts = builds
        .map(|build| build.unwrap().path())
        .filter(|build| build.file_name().unwrap().to_string_lossy().starts_with("cudarc-"));
    let scripts: Vec<_> =
        scripts.map(|it| it.join("build-script-build")).filter(|it| it.is_file()).collect();
    assert!(!scripts.is_empty());
    for script in scripts {
        let mut command = Command::new(&script);
        command.env("PATH", &path).env("OUT_DIR", dir.path()).env_remove(VERSION);
        assert!(!command.output().unwrap().status.success(), "the variable is not needed any more");
        let output = command.env(VERSION, &version).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}
