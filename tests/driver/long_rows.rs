//! Sorts of rows of device slices that no tile holds.

use cudarc::driver::CudaContext;
use cudarc::driver::sys::{CUgraphInstantiate_flags, CUstreamCaptureMode};
use sortsmith::{Rows, SortOptions, Sorter};

use super::{changed, is_of_row, shim};

const COLUMNS: usize = 20_000;

/// After a call that reserves it, a sort allocates nothing: of as many rows, of fewer, of one; in a graph as well. Launches do not depend on
/// how many rows there are.
#[test]
fn of_device_slices_are_sorted() {
    let Some(shim) = shim::child("long_rows::of_device_slices_are_sorted", &[]) else { return };
    {
        let context = CudaContext::new(0).unwrap();
        // SAFETY: one stream uses all slices.
        unsafe { context.disable_event_tracking() };
        let stream = context.new_stream().unwrap();
        let sorter = Sorter::on(&stream).unwrap();
        let filled = |n: usize| stream.clone_htod(&vec![0x0707_0707u32; n]).unwrap();
        let launches = || shim.calls("cuLaunchKernel") + shim.calls("cuLaunchKernelEx");
        let allocations = || shim.calls("cuMemAlloc_v2") + shim.calls("cuMemAllocAsync");
        sorter.reserve_rows::<u32, u32>(5, COLUMNS).unwrap();
        for rows in [5, 2, 1] {
            let (mut keys, mut values) = (filled(rows * COLUMNS), filled(rows * COLUMNS));
            let before = (launches(), allocations());
            sorter.sort_pairs_rows::<u32, u32>(&mut keys, &mut values, COLUMNS).unwrap();
            let expected = if rows == 1 { 2 } else { 3 };
            assert_eq!((launches() - before.0, allocations() - before.1), (expected, 0), "{rows}");
            assert!(!changed(&keys).contains(&false) && !changed(&values).contains(&false));
        }
        sorter.reserve_argsort_rows::<u32>(3, COLUMNS).unwrap();
        let (rows, options) = (Rows::of(COLUMNS).stride(COLUMNS + 7), SortOptions::new());
        let of_row = is_of_row(3, COLUMNS, COLUMNS + 7);
        let (keys, mut indices) = (filled(of_row.len()), filled(of_row.len()));
        let before = allocations();
        sorter.argsort_rows_into_with::<u32>(&keys, &mut indices, rows, options).unwrap();
        assert_eq!(allocations(), before);
        assert!(changed(&indices) == of_row && !changed(&keys).contains(&true));

        let mut keys = filled(of_row.len());
        stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL).unwrap();
        sorter.sort_rows_with::<u32>(&mut keys, rows, options).unwrap();
        let graph = stream.end_capture(CUgraphInstantiate_flags(0)).unwrap().unwrap();
        graph.launch().unwrap();
        assert!(changed(&keys) == of_row);
        drop(graph);
        shim.settle();
    }
    shim.expect_clean();
}

/// What no sort of rows has is sorted one row after the other: NaNs last, more columns, and a partition sort by name.
#[test]
fn of_other_kinds_are_sorted_one_by_one() {
    let test = "long_rows::of_other_kinds_are_sorted_one_by_one";
    let Some(shim) = shim::child(test, &[]) else { return };
    {
        let stream = CudaContext::new(0).unwrap().default_stream();
        let sorter = Sorter::on(&stream).unwrap();
        let launches = || shim.calls("cuLaunchKernel") + shim.calls("cuLaunchKernelEx");
        let of = |columns: usize, options: SortOptions| {
            let mut keys = stream.clone_htod(&vec![0.5f32; 2 * columns]).unwrap();
            let before = launches();
            sorter.sort_rows_with::<f32>(&mut keys, columns, options).unwrap();
            launches() - before
        };
        let options = SortOptions::new();
        assert_eq!(of(COLUMNS, options), 3);
        assert_eq!(of(COLUMNS, options.bits(3..17)), 3);
        assert!(of(COLUMNS, options.nan_last()) > 3);
        assert!(of((1 << 20) + 1, options) > 3);
        assert_eq!(of(COLUMNS, options.algorithm(sortsmith::ArrayAlgorithm::Partition)), 4);
    }
    shim.expect_clean();
}
