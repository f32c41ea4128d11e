//! Sorts of as many items, rows and segments of device slices as a count on the device says.

use cudarc::driver::CudaContext;
use cudarc::driver::sys::{CUgraphInstantiate_flags, CUstreamCaptureMode};
use sortsmith::{ArrayAlgorithm, Error, Rows, Segments, SortOptions, Sorter};

use super::{MANY, changed, shim};

/// Launches follow from the bound, or from the shape, alone, and after a reservation nothing is allocated.
#[test]
fn of_device_slices_are_sorted() {
    let Some(shim) = shim::child("counted::of_device_slices_are_sorted", &[]) else { return };
    {
        let context = CudaContext::new(0).unwrap();
        // SAFETY: one stream uses all slices.
        unsafe { context.disable_event_tracking() };
        let stream = context.new_stream().unwrap();
        let sorter = Sorter::on(&stream).unwrap();
        let filled = |n: usize| stream.clone_htod(&vec![0x0707_0707u32; n]).unwrap();
        let launches = || shim.calls("cuLaunchKernel") + shim.calls("cuLaunchKernelEx");
        let allocations = || shim.calls("cuMemAlloc_v2") + shim.calls("cuMemAllocAsync");
        let calls = || (launches(), allocations());
        let (narrow, wide) =
            (stream.clone_htod(&[3u32]).unwrap(), stream.clone_htod(&[3u64]).unwrap());
        // A tile has 2048 of these keys; more are sorted by samples.
        for (n, expected) in [(2, 1), (31, 1), (2048, 1), (4097, 2), (MANY, 2), (200_000, 3)] {
            let (mut keys, mut values) = (filled(n), filled(n));
            sorter.reserve_counted::<u32, u32>(n).unwrap();
            let before = calls();
            sorter.sort_pairs_counted::<u32, u32, _>(&mut keys, &mut values, &narrow).unwrap();
            assert_eq!((launches() - before.0, allocations() - before.1), (expected, 0), "{n}");
            assert!(!changed(&keys).contains(&false) && !changed(&values).contains(&false), "{n}");
            sorter.reserve_argsort_counted::<u32>(n).unwrap();
            let mut indices = filled(n);
            let before = allocations();
            sorter.argsort_counted_into::<u32, _>(&keys, &mut indices, &wide).unwrap();
            assert_eq!(allocations(), before, "{n}");
        }
        // A tile has a row, or all rows are sorted by samples. One of an item is sorted.
        for (columns, expected) in [(1, 0), (31, 1), (512, 1), (4097, 1), (20_000, 3)] {
            let (mut keys, options) = (filled(100 * columns), SortOptions::new());
            sorter.reserve_counted_rows::<u32, ()>(100, columns).unwrap();
            let before = calls();
            let rows = Rows::of(columns).counted(&wide);
            sorter.sort_rows_with::<u32>(&mut keys, rows, options).unwrap();
            let made = (launches() - before.0, allocations() - before.1);
            assert_eq!(made, (expected, 0), "{columns}");
        }
        // One item has its position, if it counts.
        let (mut indices, before) = (filled(1), launches());
        sorter.argsort_counted_into::<u32, _>(&filled(1), &mut indices, &wide).unwrap();
        assert_eq!(launches() - before, 1);
        // No kernel moves such values, so the kernels of segments sort positions.
        let mut values = stream.clone_htod(&vec![[7u32; 3]; 5000]).unwrap();
        sorter.reserve_counted::<u32, [u32; 3]>(5000).unwrap();
        let before = calls();
        sorter.sort_pairs_counted::<u32, _, _>(&mut filled(5000), &mut values, &narrow).unwrap();
        assert_eq!((launches() - before.0, allocations() - before.1), (6, 1));
        let mut keys = filled(10);
        let segments = Segments::from(&narrow).counted(&narrow);
        sorter.sort_segments::<u32, _>(&mut keys, segments).unwrap();
        let before = launches();
        sorter.sort_counted::<u32, _>(&mut filled(1).slice_mut(..0), &narrow).unwrap();
        assert_eq!(launches(), before, "there is nothing to sort");
    }
    shim.expect_clean();
}

#[test]
fn in_a_graph_are_sorted() {
    let Some(shim) = shim::child("counted::in_a_graph_are_sorted", &[]) else { return };
    {
        let context = CudaContext::new(0).unwrap();
        let stream = context.new_stream().unwrap();
        let sorter = Sorter::on(&stream).unwrap();
        let count = stream.clone_htod(&[70u64]).unwrap();
        let mut keys = stream.clone_htod(&vec![0x0707_0707u32; 20_000]).unwrap();
        sorter.reserve_counted::<u32, ()>(20_000).unwrap();
        stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL).unwrap();
        sorter.sort_counted::<u32, _>(&mut keys, &count).unwrap();
        let rows = Rows::of(100).counted(&count);
        sorter.sort_rows_with::<u32>(&mut keys, rows, SortOptions::new()).unwrap();
        let graph = stream.end_capture(CUgraphInstantiate_flags(0)).unwrap().unwrap();
        assert!(!changed(&keys).contains(&true), "a capture does no work");
        drop(sorter);
        graph.launch().unwrap();
        assert!(!changed(&keys).contains(&false), "a launch does");
        drop(graph);
        shim.settle();
    }
    // What the graph owned is freed by the next sorter that is made or dropped.
    drop(Sorter::on_device(0));
    shim.expect_clean();
}

#[test]
fn that_cannot_be_are_errors() {
    let Some(shim) = shim::child("counted::that_cannot_be_are_errors", &[]) else { return };
    {
        let stream = CudaContext::new(0).unwrap().default_stream();
        let sorter = Sorter::on(&stream).unwrap();
        let mut keys = stream.clone_htod(&[0x0707_0707u32; 10]).unwrap();
        let (one, two) =
            (stream.clone_htod(&[1u32]).unwrap(), stream.clone_htod(&[1u32, 2]).unwrap());
        let error = sorter.sort_counted::<u32, _>(&mut keys, &two);
        assert!(matches!(error, Err(Error::CountLength { items: 2 })), "{error:?}");
        let error = sorter.sort_counted::<u32, _>(&mut keys, &[1u32]);
        assert!(matches!(error, Err(Error::MixedMemory { .. })), "{error:?}");
        let error = sorter.sort_counted::<u32, _>(&mut [3u32, 2, 1], &one);
        assert!(matches!(error, Err(Error::MixedMemory { .. })), "{error:?}");
        let options = SortOptions::new();
        let rows = Rows::of(5).counted(&[1u32]);
        let error = sorter.sort_rows_with::<u32>(&mut keys, rows, options);
        assert!(matches!(error, Err(Error::MixedMemory { .. })), "{error:?}");
        let error = sorter.sort_rows_with::<u32>(&mut keys, Rows::of(5).counted(&two), options);
        assert!(matches!(error, Err(Error::CountLength { items: 2 })), "{error:?}");
        let segments = Segments::from(&two).counted(&[1u32]);
        let error = sorter.sort_segments::<u32, _>(&mut keys, segments);
        assert!(matches!(error, Err(Error::MixedMemory { .. })), "{error:?}");
        let error = Sorter::host().sort_counted::<u32, _>(&mut keys, &one);
        assert!(matches!(error, Err(Error::HostSorter { .. })), "{error:?}");
        let bitonic = options.algorithm(ArrayAlgorithm::Bitonic);
        let error = sorter.sort_counted_with::<u32, _>(&mut keys, &one, bitonic);
        assert!(matches!(error, Err(Error::NotOfAlgorithm { .. })), "{error:?}");
        assert!(!changed(&keys).contains(&true), "nothing is sorted");
        let other = CudaContext::new(0).unwrap().new_stream().unwrap();
        let foreign = other.clone_htod(&[1u32]).unwrap();
        let error = sorter.sort_counted::<u32, _>(&mut keys, &foreign);
        assert!(matches!(error, Err(Error::OtherContext { what: "count" })), "{error:?}");
    }
    shim.expect_clean();
}
