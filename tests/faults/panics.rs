//! A panic in the middle of a sort, while it holds every lock that is held there: cudarc's own, where the driver lacks a function. It is as
//! a module is loaded, as a host slice is copied, before a sort's kernels, and before a gather behind them.

use std::panic::{self, AssertUnwindSafe};

use cudarc::driver::CudaContext;
use libtest_mimic::Trial;
use sortsmith::Sorter;

use crate::shim::{self, Shim};

/// A call that only a sort with gathered values makes.
const OF_GATHERS: &str = "cuMemcpyDtoDAsync_v2";

/// A call that only copies by way of pinned memory make, between their pieces.
const OF_PIECES: &str = "cuEventSynchronize";

/// A call that loads a module: its kernels are locked, too.
const OF_MODULES: &str = "cuModuleLoadData";

/// A call that copies host slices to the device.
const OF_HOST_SLICES: &str = "cuMemcpyHtoDAsync_v2";

/// A call before the kernels of long sorts, which have their scratch then.
const OF_WORKSPACES: &str = "cuMemsetD8Async";

pub fn trials() -> [Trial; 5] {
    [
        trial("a_panic_leaves_no_lock_poisoned", OF_GATHERS, check),
        trial("a_panic_between_pieces_waits_for_all_threads", OF_PIECES, check_pieces),
        trial("a_panic_while_kernels_are_loaded_leaves_them_to_others", OF_MODULES, check_modules),
        trial("a_panic_in_a_copy_leaves_device_slices_to_others", OF_HOST_SLICES, check_copies),
        trial("a_panic_with_scratch_leaves_it_to_others", OF_WORKSPACES, check_workspaces),
    ]
}

/// Runs a sort here, in another thread, and here again: each time it panics because the driver lacks this call, and not because a lock is poisoned.
fn expect_panics(missing: &str, sort: impl Fn() + Sync) {
    let panics = || {
        let payload = panic::catch_unwind(AssertUnwindSafe(&sort)).expect_err("a panic");
        let message = payload.downcast_ref::<String>().expect("cudarc's message");
        assert!(message.contains(missing), "{message}");
    };
    panics();
    std::thread::scope(|scope| {
        scope.spawn(panics);
    });
    panics();
}

/// The same of a sort of a host slice, which has its keys as they were.
fn expect_panics_of_a_host_slice(missing: &str, sorter: &Sorter, keys: &[u32]) {
    expect_panics(missing, || {
        let mut host = keys.to_vec();
        let sorts = AssertUnwindSafe(|| sorter.sort(&mut host).unwrap());
        let panicked = panic::catch_unwind(sorts).expect_err("a panic");
        assert!(host == keys, "host slices have changed");
        panic::resume_unwind(panicked);
    });
}

fn check_modules() {
    let shim = Shim::loaded();
    let keys: Vec<u32> = (0..1000).rev().collect();
    {
        let sorter = Sorter::on(&CudaContext::new(0).unwrap().new_stream().unwrap()).unwrap();
        // By other sorters of the context too, which share its kernels.
        for sorter in [sorter.clone(), Sorter::on_device(0).unwrap()] {
            expect_panics_of_a_host_slice(OF_MODULES, &sorter, &keys);
        }
    }
    drop(Sorter::on_device(0).unwrap());
    shim.expect_clean();
}

fn check_copies() {
    let shim = Shim::loaded();
    let keys: Vec<u32> = (0..20_000).rev().collect();
    {
        let stream = CudaContext::new(0).unwrap().new_stream().unwrap();
        let sorter = Sorter::on(&stream).unwrap();
        for staging_bytes in [1 << 14, 0] {
            sorter.set_staging_bytes(staging_bytes);
            expect_panics_of_a_host_slice(OF_HOST_SLICES, &sorter, &keys);
        }
        let mut device = stream.alloc_zeros::<u32>(keys.len()).unwrap();
        sorter.sort::<u32>(&mut device).unwrap();
        Sorter::on(&stream).unwrap().sort::<u32>(&mut device).unwrap();
    }
    drop(Sorter::on_device(0).unwrap());
    shim.expect_clean();
}

fn check_workspaces() {
    let shim = Shim::loaded();
    let keys: Vec<u32> = (0..3 << 20).rev().collect();
    {
        let stream = CudaContext::new(0).unwrap().new_stream().unwrap();
        let sorter = Sorter::on(&stream).unwrap();
        expect_panics(OF_WORKSPACES, || {
            let mut device = stream.clone_htod(&keys).unwrap();
            sorter.sort::<u32>(&mut device).unwrap();
        });
        // Short sorts have nothing to zero.
        for sorter in [sorter.clone(), Sorter::on(&stream).unwrap()] {
            let mut host = keys[..1000].to_vec();
            sorter.sort(&mut host).unwrap();
            assert!(host != keys[..1000]);
        }
        sorter.reserve_argsort::<u64>(1000).unwrap();
    }
    drop(Sorter::on_device(0).unwrap());
    shim.expect_clean();
}

/// Runs the check in a child that has a driver without this call.
fn trial(name: &'static str, missing: &'static str, check: fn()) -> Trial {
    crate::trial(name, move || {
        if shim::is_child() {
            return check();
        }
        let driver = shim::driver_without(missing);
        let path = driver.path().to_str().unwrap();
        shim::expect_child(name, &[("LD_LIBRARY_PATH", path), ("RAYON_NUM_THREADS", "4")]);
    })
}

fn check_pieces() {
    let shim = Shim::loaded();
    let keys: Vec<u32> = (0..400_000).rev().collect();
    {
        let sorter = Sorter::on(&CudaContext::new(0).unwrap().new_stream().unwrap()).unwrap();
        sorter.set_staging_bytes(1 << 16);
        for _ in 0..20 {
            let mut host = keys.clone();
            let sorts = || sorter.sort(&mut host).unwrap();
            assert!(panic::catch_unwind(AssertUnwindSafe(sorts)).is_err());
            assert!(host == keys, "host slices have changed");
        }
        let mut short = keys[..1000].to_vec();
        sorter.sort(&mut short).unwrap();
        sorter.set_staging_bytes(0);
        let mut host = keys.clone();
        sorter.sort(&mut host).unwrap();
        assert!(short != keys[..1000] && host != keys);
    }
    drop(Sorter::on_device(0).unwrap());
    shim.expect_clean();
}

fn check() {
    let shim = Shim::loaded();
    let keys: Vec<u32> = (0..20_000).rev().collect();
    let values: Vec<[u32; 3]> = keys.iter().map(|key| [*key; 3]).collect();
    {
        let stream = CudaContext::new(0).unwrap().new_stream().unwrap();
        let sorter = Sorter::on(&stream).unwrap();
        let mut device = (stream.clone_htod(&keys).unwrap(), stream.clone_htod(&values).unwrap());
        let mut host = (keys.clone(), values.clone());
        for _ in 0..2 {
            let sorts =
                || sorter.sort_pairs::<u32, [u32; 3]>(&mut device.0, &mut device.1).unwrap();
            assert!(panic::catch_unwind(AssertUnwindSafe(sorts)).is_err());
            let sorts = || sorter.sort_pairs(&mut host.0, &mut host.1).unwrap();
            assert!(panic::catch_unwind(AssertUnwindSafe(sorts)).is_err());
            assert!(host == (keys.clone(), values.clone()), "host slices have changed");
        }
        // Sorts that do not need it, by the same sorter, in another thread, and by another sorter.
        sorter.sort::<u32>(&mut device.0).unwrap();
        let mut host = keys[..1000].to_vec();
        std::thread::scope(|scope| {
            scope.spawn(|| sorter.clone().sort(&mut host).unwrap());
        });
        assert!(host != keys[..1000]);
        Sorter::on(&stream).unwrap().sort::<u32>(&mut device.0).unwrap();
        sorter.reserve_argsort::<u64>(1000).unwrap();
    }
    drop(Sorter::on_device(0).unwrap());
    shim.expect_clean();
}
