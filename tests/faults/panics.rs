//! A panic in the middle of a sort, while it holds every lock that a sort holds: cudarc's own, where the driver lacks a function.

use std::panic::{self, AssertUnwindSafe};

use cudarc::driver::CudaContext;
use libtest_mimic::Trial;
use sortsmith::Sorter;

use crate::shim::{self, Shim};

/// A call that only a sort with gathered values makes.
const OF_GATHERS: &str = "cuMemcpyDtoDAsync_v2";

/// A call that only copies by way of pinned memory make, between their pieces.
const OF_PIECES: &str = "cuEventSynchronize";

pub fn trials() -> [Trial; 2] {
    [
        trial("a_panic_leaves_no_lock_poisoned", OF_GATHERS, check),
        trial("a_panic_between_pieces_waits_for_all_threads", OF_PIECES, check_pieces),
    ]
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
