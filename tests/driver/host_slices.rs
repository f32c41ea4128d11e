//! Which copies sorts of host slices make.

use cudarc::driver::sys::{self, CUresult};
use cudarc::driver::{CudaContext, CudaStream};
use sortsmith::Sorter;
use std::sync::Arc;

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
