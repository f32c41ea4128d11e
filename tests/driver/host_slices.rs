//! Which copies sorts of host slices make.

use cudarc::driver::sys::{self, CUresult};
use cudarc::driver::{CudaContext, CudaStream};
use sortsmith::{SortOptions, Sorter};
use sortsmith_codegen::tuning::crossover::{CrossoverFile, Times};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

use crate::shim::{self, Mode, Shim};

/// A number of `u32` that pass pinned memory.
const LONG: usize = 200_000;

fn stream() -> Arc<CudaStream> {
    CudaContext::new(0).unwrap().new_stream().unwrap()
}

/// The pieces of one array of this many bytes through a buffer of 2²⁰ bytes.
fn pieces(bytes: usize) -> u64 {
    bytes.div_ceil(1 << 17) as u64
}

fn expect_copies(shim: Shim, copies: u64, what: &str) {
    assert_eq!(shim.calls("cuMemcpyHtoDAsync_v2"), copies, "{what}, to the device");
    assert_eq!(shim.calls("cuMemcpyDtoHAsync_v2"), copies, "{what}, from the device");
}

#[test]
fn pageable_slices_pass_pinned_memory_in_pieces() {
    let test = "host_slices::pageable_slices_pass_pinned_memory_in_pieces";
    let Some(shim) = shim::child(test, &[]) else { return };
    {
        let sorter = Sorter::on(&stream()).unwrap();
        sorter.reserve_host_slices::<u32, ()>(LONG).unwrap();
        sorter.reserve_argsort_host_slices::<u32>(LONG).unwrap();
        assert_eq!(shim.live("host_allocations"), 1);
        let mut keys = vec![7u32; LONG];
        shim.forget();
        sorter.sort(&mut keys).unwrap();
        assert!(keys.iter().all(|key| *key != 7), "all has been written");
        expect_copies(shim, pieces(4 * LONG), "pageable keys");
        for call in ["cuMemHostAlloc", "cuMemAllocAsync", "cuEventCreate"] {
            assert_eq!(shim.calls(call), 0, "{call} after a reservation");
        }
        // A slice that the driver copies as fast.
        shim.forget();
        sorter.sort(&mut keys[..1000]).unwrap();
        expect_copies(shim, 1, "a short slice");
        assert_eq!(shim.calls("cuPointerGetAttributes"), 0);
        sorter.release();
        assert_eq!((shim.live("host_allocations"), shim.live("allocations")), (0, 0));
        sorter.sort(&mut keys).unwrap();
        sorter.set_staging_bytes(0);
        shim.forget();
        sorter.sort(&mut keys).unwrap();
        expect_copies(shim, 1, "no staging");
        assert_eq!(shim.live("host_allocations"), 0);
    }
    shim.expect_clean();
}

#[test]
fn a_sort_without_pinned_memory_copies_all_the_same() {
    let test = "host_slices::a_sort_without_pinned_memory_copies_all_the_same";
    let Some(shim) = shim::child(test, &[]) else { return };
    {
        let sorter = Sorter::on(&stream()).unwrap();
        let mut keys = vec![7u32; LONG];
        let out_of_memory = CUresult::CUDA_ERROR_OUT_OF_MEMORY as i32;
        shim.fail("cuMemHostAlloc", 1, out_of_memory, Mode::Forever);
        shim.forget();
        sorter.sort(&mut keys).unwrap();
        expect_copies(shim, 1, "no pinned memory");
        assert!(keys.iter().all(|key| *key != 7));
        shim.heal();
        shim.forget();
        sorter.sort(&mut keys).unwrap();
        expect_copies(shim, pieces(4 * LONG), "pinned memory again");
    }
    shim.expect_clean();
}

#[test]
fn pinned_and_registered_slices_are_copied_as_they_are() {
    let test = "host_slices::pinned_and_registered_slices_are_copied_as_they_are";
    let Some(shim) = shim::child(test, &[]) else { return };
    {
        let stream = stream();
        let sorter = Sorter::on(&stream).unwrap();
        // SAFETY: all of it is written below.
        let mut pinned = unsafe { stream.context().alloc_pinned::<u32>(LONG) }.unwrap();
        let pinned = pinned.as_mut_slice().unwrap();
        pinned.copy_from_slice(&vec![7; LONG]);
        let mut keys = vec![7u32; LONG];
        let address = keys.as_mut_ptr().cast();
        // SAFETY: the slice outlives the registration.
        unsafe { sys::cuMemHostRegister_v2(address, 4 * LONG, 0) }.result().unwrap();
        shim.forget();
        sorter.sort_pairs(pinned, &mut keys).unwrap();
        expect_copies(shim, 2, "both");
        assert!(pinned.iter().chain(&keys).all(|item| *item != 7));
        assert_eq!(shim.live("host_allocations"), 1, "the caller's");
        // A slice that leaves the registered range is not pinned.
        // SAFETY: as above, of half of it.
        unsafe {
            sys::cuMemHostUnregister(address).result().unwrap();
            sys::cuMemHostRegister_v2(address, 2 * LONG, 0).result().unwrap();
        }
        shim.forget();
        sorter.sort(&mut keys).unwrap();
        expect_copies(shim, pieces(4 * LONG), "half of it");
        shim.forget();
        sorter.sort(&mut keys[..LONG / 2]).unwrap();
        expect_copies(shim, 1, "the registered half");
        // A failed query counts as pageable.
        shim.fail("cuPointerGetAttributes", 1, 999, Mode::Forever);
        shim.forget();
        sorter.sort(pinned).unwrap();
        expect_copies(shim, pieces(4 * LONG), "a failed query");
        shim.heal();
        // SAFETY: the range is registered.
        unsafe { sys::cuMemHostUnregister(address) }.result().unwrap();
    }
    shim.expect_clean();
}

/// Many threads of a pool sort by one sorter: none waits for tasks of others while it holds the sorter's locks.
#[test]
fn tasks_of_a_pool_share_a_sorter() {
    let test = "host_slices::tasks_of_a_pool_share_a_sorter";
    let variables = [("RAYON_NUM_THREADS", "4")];
    let Some(shim) = shim::child(test, &variables) else { return };
    {
        let sorter = Sorter::on(&stream()).unwrap();
        sorter.set_staging_bytes(1 << 16);
        rayon::scope(|scope| {
            for _ in 0..40 {
                scope.spawn(|_| {
                    let mut keys = vec![7u32; 2 * LONG];
                    sorter.sort(&mut keys).unwrap();
                    assert!(keys.iter().all(|key| *key != 7));
                });
            }
        });
    }
    shim.expect_clean();
}

/// Says what a child of a test does.
const CHILD: &str = "SORTSMITH_TEST_CHILD";

/// A number of keys that is measured by itself.
pub const MEASURED: usize = 1 << 12;

/// The file of times in a cache folder.
pub fn times_in(folder: &Path) -> Option<PathBuf> {
    let mut entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_file =
        |path: &PathBuf| path.file_name().unwrap().to_string_lossy().contains("crossovers");
    entries.find(is_file)
}

fn launches(shim: Shim) -> u64 {
    shim.calls("cuLaunchKernel") + shim.calls("cuLaunchKernelEx")
}

/// Sorts as a sorter does that chooses, and returns the number of launches.
fn sort_chosen(shim: Shim, sorter: &Sorter, n: usize, options: SortOptions) -> u64 {
    shim.forget();
    let (mut keys, mut values) = ((0..n as u32).rev().collect::<Vec<_>>(), vec![7u32; n]);
    sorter.sort_pairs_with(&mut keys, &mut values, options).unwrap();
    let on_device = launches(shim);
    // The stand-in's kernels sort nothing.
    assert_eq!(keys.is_sorted(), on_device == 0 || n < 2, "{n}");
    on_device
}

/// The times on disk decide, whatever they are: of a host that takes for ever, and of a GPU that does.
#[test]
fn a_sorter_goes_by_the_times_of_an_earlier_process() {
    let test = "host_slices::a_sorter_goes_by_the_times_of_an_earlier_process";
    if shim::is_child() {
        let shim = Shim::loaded();
        let part = env::var(CHILD).unwrap();
        let sorter = Sorter::new().unwrap();
        let usual = SortOptions::new();
        if part == "measures" {
            sort_chosen(shim, &sorter, 100, usual);
            assert_eq!(shim.calls("any"), 0, "too little for a measurement");
            sort_chosen(shim, &sorter, MEASURED, usual);
            assert!(shim.calls("cuMemcpyHtoDAsync_v2") >= 4, "two sorts of two slices at least");
        } else {
            let on_device = part == "device";
            assert_eq!(sort_chosen(shim, &sorter, MEASURED, usual) > 0, on_device);
            assert_eq!(shim.calls("cuMemcpyHtoDAsync_v2"), 2 * u64::from(on_device), "{part}");
            let by_network = usual.algorithm(sortsmith::ArrayAlgorithm::Bitonic);
            assert_eq!(sort_chosen(shim, &sorter, MEASURED, by_network), 0, "by its length");
        }
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let child = |part| {
        let cache = folder.path().to_str().unwrap();
        let variables = [("SORTSMITH_TUNING", ""), ("SORTSMITH_CACHE_DIR", cache), (CHILD, part)];
        shim::expect_child(test, &variables);
    };
    child("measures");
    let path = times_in(folder.path()).expect("times are kept");
    for (part, [host, gpu]) in [("device", [u64::MAX >> 1, 1]), ("host", [1, u64::MAX >> 1])] {
        let mut file = CrossoverFile::read_any(&path).unwrap();
        assert_eq!(file.rows.len(), 1, "{file:?}");
        assert_eq!(file.rows[0].times.iter().map(|it| it.n).collect::<Vec<_>>(), [MEASURED as u64]);
        file.rows[0].set(Times { n: MEASURED as u64, host, gpu });
        file.write(&path).unwrap();
        child(part);
    }
}

/// With a backend that is set there is no choice, and nothing is measured or written; nor without a tuning.
#[test]
fn nothing_is_measured_where_there_is_no_choice() {
    let test = "host_slices::nothing_is_measured_where_there_is_no_choice";
    if shim::is_child() {
        let shim = Shim::loaded();
        let sorter = Sorter::new().unwrap();
        let is_gpu = env::var("SORTSMITH_BACKEND").is_ok_and(|it| it == "gpu");
        for n in [MEASURED, 1 << 16] {
            let copies = sort_chosen(shim, &sorter, n, SortOptions::new()) > 0;
            let is_long = n == 1 << 16 && env::var("SORTSMITH_BACKEND").is_err();
            assert_eq!(copies, is_gpu || is_long, "{n}");
        }
        return;
    }
    for variables in [
        [("SORTSMITH_BACKEND", "gpu"), ("SORTSMITH_TUNING", "")],
        [("SORTSMITH_BACKEND", "host"), ("SORTSMITH_TUNING", "")],
        [("SORTSMITH_TUNING", "none"), (CHILD, "")],
    ] {
        let folder = tempfile::tempdir().unwrap();
        let cache = ("SORTSMITH_CACHE_DIR", folder.path().to_str().unwrap());
        shim::expect_child(test, &[variables[0], variables[1], cache]);
        assert_eq!(times_in(folder.path()), None, "{variables:?}");
    }
}

/// Without a cache folder times are known to the process alone, and a sort in a capture is not timed.
#[test]
fn times_need_no_folder_and_wait_for_captures() {
    let test = "host_slices::times_need_no_folder_and_wait_for_captures";
    let variables = [("SORTSMITH_TUNING", ""), ("SORTSMITH_CACHE_DIR", "/proc/there/is/none")];
    let Some(shim) = shim::child(test, &variables) else { return };
    let sorter = Sorter::new().unwrap();
    // What the query of the stream's capture says.
    let implicit = CUresult::CUDA_ERROR_STREAM_CAPTURE_IMPLICIT as i32;
    shim.fail("cuStreamIsCapturing", 1, implicit, Mode::Forever);
    assert_eq!(sort_chosen(shim, &sorter, MEASURED, SortOptions::new()), 0, "by its length");
    shim.heal();
    sort_chosen(shim, &sorter, MEASURED, SortOptions::new());
    let copies = shim.calls("cuMemcpyHtoDAsync_v2");
    assert!(copies >= 4, "it is measured later: {copies}");
    sort_chosen(shim, &sorter, MEASURED, SortOptions::new());
    assert!(shim.calls("cuMemcpyHtoDAsync_v2") <= 2, "once");
    // Long values, which are measured for three sizes.
    let all = sorter.measure_host_slices::<u32, [u8; 4096]>().unwrap().unwrap();
    assert_eq!(all.iter().map(|times| times.n).collect::<Vec<_>>(), [1 << 11, 1 << 12, 1 << 13]);
    assert_eq!(Sorter::host().measure_host_slices::<u32, u8>().unwrap(), None);
    assert_eq!(Sorter::on(&stream()).unwrap().measure_argsort_host_slices::<u32>().unwrap(), None);
}
