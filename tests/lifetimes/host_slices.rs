//! Host slices: unchanged until they are sorted, and not accessed after the call.

use sortsmith::{Backend, BlockRadixSort, Error, Sorter};

use crate::MANY;
use crate::shim::{self, Mode, Shim};

const UNKNOWN: i32 = 999;
const ILLEGAL_ADDRESS: i32 = 700;

fn unsorted() -> (Vec<u32>, Vec<u32>) {
    ((0..MANY as u32).rev().collect(), (0..MANY as u32).collect())
}

/// Kernels are made and memory is allocated before anything is copied: whatever fails or panics there leaves no copy behind.
#[test]
fn everything_is_ready_before_the_first_copy() {
    let test = "host_slices::everything_is_ready_before_the_first_copy";
    let Some(shim) = shim::child(test, &[]) else { return };
    for staging_bytes in [0, Sorter::STAGING_BYTES] {
        let sorter = Sorter::on_device(0).unwrap();
        sorter.set_staging_bytes(staging_bytes);
        check_order(shim, &sorter, staging_bytes > 0);
    }
}

fn check_order(shim: Shim, sorter: &Sorter, is_staged: bool) {
    let (mut keys, mut values) = unsorted();
    let wide: Vec<[u32; 3]> = vec![[7; 3]; MANY];
    let sorts: [(&str, &mut dyn FnMut()); 4] = [
        ("pairs", &mut || sorter.sort_pairs(&mut keys, &mut values).unwrap()),
        ("gathered", &mut || sorter.sort_pairs(&mut unsorted().0, &mut wide.clone()).unwrap()),
        ("positions", &mut || sorter.argsort_into(&unsorted().0, &mut unsorted().1).unwrap()),
        ("tiles", &mut || {
            BlockRadixSort::<u32>::tiles(128, 4).sort(sorter, &mut unsorted().0).unwrap();
        }),
    ];
    for (name, sort) in sorts {
        sorter.release();
        shim.forget();
        sort();
        let calls = shim.trace();
        let at = |call: &str| calls.iter().position(|it| it.starts_with(call));
        let copying = at("cuMemcpyHtoD").unwrap();
        let last = |call: &str| calls.iter().rposition(|it| it.starts_with(call));
        for call in ["cuModuleLoad", "cuMemAlloc", "cuMemHostAlloc", "cuModuleGetFunction"] {
            assert!(last(call) < Some(copying), "{name}: {call} after a copy has begun");
        }
        // And nothing comes back to the slices before the sort is known to have been done; what passes pinned memory is waited for
        // there.
        if is_staged {
            assert!(at("cuMemHostAlloc").is_some() && at("cuEventSynchronize").is_some(), "{name}");
        } else {
            assert!(at("cuStreamSynchronize").unwrap() < at("cuMemcpyDtoH").unwrap(), "{name}");
        }
    }
}

#[test]
fn until_they_are_copied_back_host_slices_are_intact() {
    let test = "host_slices::until_they_are_copied_back_host_slices_are_intact";
    let Some(shim) = shim::child(test, &[]) else { return };
    let sorter = Sorter::on_device(0).unwrap();
    sorter.set_staging_bytes(0);
    let sort = |(keys, values): &mut (Vec<u32>, Vec<u32>)| sorter.sort_pairs(keys, values);
    sort(&mut unsorted()).unwrap();
    shim.defer(true);
    for call in ["cuMemcpyHtoDAsync_v2", "cuLaunchKernel", "cuStreamSynchronize"] {
        for number in 1..3 {
            let mut items = unsorted();
            shim.forget();
            shim.fail(call, number, UNKNOWN, Mode::Once);
            let outcome = sort(&mut items);
            if shim.fired() == 0 {
                assert_eq!((call, number), ("cuLaunchKernel", 2), "later ones are launched early");
                outcome.unwrap();
                shim.heal();
                continue;
            }
            let error = outcome.unwrap_err();
            let is_lost = matches!(error, Error::HostDataLost { .. });
            assert!(is_lost || items == unsorted(), "{call} {number}: {error}");
            // Only a failure after the first wait may have written to them.
            assert!(!is_lost || (call, number) == ("cuStreamSynchronize", 2), "{error}");
            assert_eq!(shim.pending(), 0, "{call} {number}: nothing reads or writes them any more");
            shim.heal();
        }
    }
    for number in 1..3 {
        shim.forget();
        shim.fail("cuMemcpyDtoHAsync_v2", number, UNKNOWN, Mode::Once);
        let error = sort(&mut unsorted()).unwrap_err();
        assert!(matches!(error, Error::HostDataLost { .. }), "{error}");
        assert_eq!(shim.pending(), 0);
        shim.heal();
    }
    sort(&mut unsorted()).unwrap();
    assert_eq!(shim.violations(), Vec::<String>::new());
}

/// The first pieces come back to pinned memory, and the wait for the first one says that the sort has succeeded.
#[test]
fn until_the_first_piece_is_back_host_slices_are_intact() {
    let test = "host_slices::until_the_first_piece_is_back_host_slices_are_intact";
    let Some(shim) = shim::child(test, &[]) else { return };
    let sorter = Sorter::on_device(0).unwrap();
    let sort = |(keys, values): &mut (Vec<u32>, Vec<u32>)| sorter.sort_pairs(keys, values);
    sort(&mut unsorted()).unwrap();
    shim.defer(true);
    let failures = [
        ("cuMemcpyHtoDAsync_v2", 1, false),
        ("cuMemcpyHtoDAsync_v2", 2, false),
        ("cuLaunchKernel", 1, false),
        ("cuMemcpyDtoHAsync_v2", 1, false),
        ("cuMemcpyDtoHAsync_v2", 2, false),
        ("cuEventSynchronize", 1, false),
        ("cuMemcpyDtoHAsync_v2", 3, true),
        ("cuEventSynchronize", 2, true),
    ];
    for (call, number, may_be_lost) in failures {
        let mut items = unsorted();
        shim.forget();
        shim.fail(call, number, UNKNOWN, Mode::Once);
        let error = sort(&mut items).unwrap_err();
        let is_lost = matches!(error, Error::HostDataLost { .. });
        assert_eq!(is_lost, may_be_lost, "{call} {number}: {error}");
        assert!(is_lost || items == unsorted(), "{call} {number}: {error}");
        assert_eq!(shim.pending(), 0, "{call} {number}: nothing reads or writes them any more");
        shim.heal();
    }
    shim.forget();
    let mut items = unsorted();
    sort(&mut items).unwrap();
    assert!(items != unsorted() && shim.pending() == 0);
    assert_eq!(shim.calls("cuStreamSynchronize"), 0, "each piece is waited for");
    assert_eq!(shim.violations(), Vec::<String>::new());
}

/// A sorter that may choose sorts on the host after each failure.
#[test]
fn a_device_that_is_lost_is_left_alone() {
    let test = "host_slices::a_device_that_is_lost_is_left_alone";
    let Some(shim) = shim::child(test, &[]) else { return };
    let sorts_well = || {
        let (mut keys, mut values) = unsorted();
        sortsmith::sort_pairs(&mut keys, &mut values).unwrap();
        keys.is_sorted() && values.iter().rev().is_sorted()
    };
    assert!(!sorts_well(), "the stand-in sorts nothing");
    assert!(matches!(sortsmith::backend().unwrap(), Backend::Gpu { .. }));
    // One failure is of one sort.
    shim.fail("cuLaunchKernel", 1, UNKNOWN, Mode::Once);
    assert!(sorts_well());
    shim.heal();
    assert!(!sorts_well() && matches!(sortsmith::backend().unwrap(), Backend::Gpu { .. }));
    // One that stays is of all.
    shim.fail("cuLaunchKernel", 1, ILLEGAL_ADDRESS, Mode::Sticky);
    assert!(sorts_well());
    assert_eq!(sortsmith::backend().unwrap(), Backend::Host);
    shim.forget();
    assert!(sorts_well());
    assert_eq!(shim.calls("any"), 0, "the driver is not called again");
    // A sorter that must use the device returns the error.
    let error = Sorter::on_device(0).and_then(|it| it.sort(&mut unsorted().0)).unwrap_err();
    assert!(matches!(error, Error::Driver { .. } | Error::NoDevice { .. }), "{error}");
}
