//! Sorts of segments of device slices.

use cudarc::driver::CudaContext;
use cudarc::driver::sys::{CUgraphInstantiate_flags, CUstreamCaptureMode};
use sortsmith::{Error, Segments, SortOptions, Sorter};

use super::{MANY, changed, shim, values_of};

/// Launches follow from lengths alone, and a second sort of as many keys allocates nothing.
#[test]
fn of_device_slices_are_sorted() {
    let Some(shim) = shim::child("segments::of_device_slices_are_sorted", &[]) else { return };
    {
        let context = CudaContext::new(0).unwrap();
        // SAFETY: one stream uses all slices.
        unsafe { context.disable_event_tracking() };
        let stream = context.new_stream().unwrap();
        let sorter = Sorter::on(&stream).unwrap();
        let filled = |n: usize| stream.clone_htod(&vec![0x0707_0707u32; n]).unwrap();
        let launches = || shim.calls("cuLaunchKernel") + shim.calls("cuLaunchKernelEx");
        let allocations = || shim.calls("cuMemAlloc_v2") + shim.calls("cuMemAllocAsync");
        let offsets = stream.clone_htod(&[0i64, 5, 3, 80_000_000]).unwrap();
        // A tile has 4096 of these keys, and a warp 512.
        for (n, expected) in [(1, 1), (31, 2), (512, 3), (4096, 4), (4097, 5), (MANY, 4 + 5)] {
            let (mut keys, mut values) = (filled(n), filled(n));
            sorter.reserve_segments::<u32, u32>(n, 3).unwrap();
            let before = (launches(), allocations());
            sorter.sort_pairs_segments::<u32, u32, _>(&mut keys, &mut values, &offsets).unwrap();
            assert_eq!((launches() - before.0, allocations() - before.1), (expected, 0), "{n}");
            assert!(!changed(&keys).contains(&false) && !changed(&values).contains(&false), "{n}");
            sorter.reserve_argsort_segments::<u32>(n, 3).unwrap();
            let mut indices = filled(n);
            let before = allocations();
            sorter.argsort_segments_into::<u32, _>(&keys, &mut indices, &offsets).unwrap();
            assert_eq!(allocations(), before, "{n}");
        }
        let (mut keys, begins) = (filled(10), stream.clone_htod(&[0u32, 4]).unwrap());
        let segments = || Segments::between(&begins, &begins);
        sorter.sort_segments::<u32, _>(&mut keys, segments()).unwrap();
        let order = sorter.argsort_segments::<u32, _>(&keys, segments()).unwrap();
        assert_eq!(order.len(), 10);
        let mut wide = stream.clone_htod(&[[7u32; 3]; 10]).unwrap();
        sorter.sort_pairs_segments::<u32, [u32; 3], _>(&mut keys, &mut wide, segments()).unwrap();
        let before = launches();
        sorter.sort_segments::<u32, _>(&mut keys, &begins.slice(..1)).unwrap();
        sorter.sort_segments::<u32, _>(&mut filled(1).slice_mut(..0), &begins).unwrap();
        assert_eq!(launches(), before, "there is nothing to sort");
        // Values where no kernel reads them.
        let mut odd = stream.clone_htod(&[7u8; 4 * 10 + 3]).unwrap();
        let mut bytes = odd.slice_mut(1..);
        let mut values = values_of(&mut bytes, 10);
        sorter.sort_pairs_segments::<u32, [u8; 4], _>(&mut keys, &mut values, &begins).unwrap();
    }
    shim.expect_clean();
}

#[test]
fn in_a_graph_are_sorted() {
    let Some(shim) = shim::child("segments::in_a_graph_are_sorted", &[]) else { return };
    {
        let context = CudaContext::new(0).unwrap();
        // SAFETY: one stream uses all slices.
        unsafe { context.disable_event_tracking() };
        let stream = context.new_stream().unwrap();
        let sorter = Sorter::on(&stream).unwrap();
        let offsets = stream.clone_htod(&[0u64, 70, 20_000]).unwrap();
        let mut keys = stream.clone_htod(&vec![0x0707_0707u32; 20_000]).unwrap();
        stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL).unwrap();
        sorter.sort_segments::<u32, _>(&mut keys, &offsets).unwrap();
        let error = sorter.argsort_segments::<u32, _>(&keys, &offsets).unwrap_err();
        assert!(matches!(error, Error::Capture { .. }), "{error}");
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
    let Some(shim) = shim::child("segments::that_cannot_be_are_errors", &[]) else { return };
    {
        let stream = CudaContext::new(0).unwrap().default_stream();
        let sorter = Sorter::on(&stream).unwrap();
        let mut keys = stream.clone_htod(&[7u32; 10]).unwrap();
        let (one, two) = (stream.null::<u32>().unwrap(), stream.clone_htod(&[1u32, 2]).unwrap());
        let error = sorter.sort_segments::<u32, _>(&mut keys, Segments::between(&one, &two));
        assert!(matches!(error, Err(Error::SegmentEnds { begins: 0, ends: 2 })), "{error:?}");
        let error = sorter.sort_segments::<u32, _>(&mut keys, &[0u32, 10]);
        assert!(matches!(error, Err(Error::MixedMemory { .. })), "{error:?}");
        let error = sorter.sort_segments::<u32, _>(&mut [3u32, 2, 1], &two);
        assert!(matches!(error, Err(Error::MixedMemory { .. })), "{error:?}");
        let error = Sorter::host().sort_segments::<u32, _>(&mut keys, &two);
        assert!(matches!(error, Err(Error::HostSorter { .. })), "{error:?}");
        let bits = SortOptions::new().bits(3..40);
        let error = sorter.sort_segments_with::<u32, _>(&mut keys, &two, bits);
        assert!(matches!(error, Err(Error::BitRange { .. })), "{error:?}");
    }
    shim.expect_clean();
}
