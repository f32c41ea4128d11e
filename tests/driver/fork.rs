//! Forks after sorts on a GPU. No driver works in such a child: its calls fail, as the stand-in's do.

use std::panic::{self, AssertUnwindSafe};

use cudarc::driver::CudaContext;
use sortsmith::Sorter;

use super::{MANY, shim};

/// Runs a check in a forked process, which is to come to its end.
fn in_a_fork(check: impl Fn()) {
    // SAFETY: fork has no preconditions. The child allocates, which the C library makes safe, sorts, and prints nothing.
    let child = unsafe { libc::fork() };
    assert!(child >= 0);
    if child == 0 {
        // SAFETY: alarm and _exit have no preconditions. The alarm ends a child that waits for ever.
        unsafe {
            libc::alarm(60);
            let is_right = panic::catch_unwind(AssertUnwindSafe(check)).is_ok();
            libc::_exit(i32::from(!is_right));
        }
    }
    let mut status = 0;
    // SAFETY: the pointer is to a live integer.
    let ended = unsafe { libc::waitpid(child, &raw mut status, 0) };
    assert_eq!((ended, status), (child, 0), "the child's status, 14 where it waited for ever");
}

#[test]
fn a_child_of_a_process_that_sorted_on_a_gpu_sorts_on_the_host() {
    let test = "fork::a_child_of_a_process_that_sorted_on_a_gpu_sorts_on_the_host";
    let variables = [("RAYON_NUM_THREADS", "3")];
    let Some(shim) = shim::child(test, &variables) else { return };
    let input: Vec<u32> = (0..=Sorter::HOST_BELOW as u32).rev().collect();
    let launches = || shim.calls("cuLaunchKernel") + shim.calls("cuLaunchKernelEx");
    // By the sorter of the process, and by one of its own, on slices of both memories.
    sortsmith::sort(&mut input.clone()).unwrap();
    let stream = CudaContext::new(0).unwrap().new_stream().unwrap();
    let sorter = Sorter::on(&stream).unwrap();
    let mut keys = stream.clone_htod(&vec![7u32; MANY]).unwrap();
    sorter.sort::<u32>(&mut keys).unwrap();
    sorter.sort(&mut input.clone()).unwrap();
    assert!(launches() > 0);
    let keys = std::sync::Mutex::new(keys);
    in_a_fork(|| {
        let mut host = input.clone();
        sortsmith::sort(&mut host).unwrap();
        assert!(host.is_sorted());
        let positions = sortsmith::argsort(&input).unwrap();
        assert!(positions.iter().rev().copied().eq(0..input.len() as u32));
        // One that is to sort on the device does not, and leaves what it was given.
        host.clone_from(&input);
        sorter.sort(&mut host).unwrap_err();
        assert!(host == input);
        sorter.sort::<u32>(&mut *keys.lock().unwrap()).unwrap_err();
        sorter.reserve::<u64, ()>(MANY).unwrap_err();
        Sorter::on_device(0).unwrap_err();
    });
    // The parent goes on.
    let mut keys = keys.into_inner().unwrap();
    sorter.sort::<u32>(&mut keys).unwrap();
    sortsmith::sort(&mut input.clone()).unwrap();
    assert_eq!(shim.violations(), Vec::<String>::new());
}
