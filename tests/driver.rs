//! The crate's calls of the driver, without a GPU: a stand-in counts and checks them.
#![cfg(all(feature = "cuda", target_os = "linux"))]
#![allow(clippy::unwrap_used)] // a failed unwrap is a failed test

#[path = "driver/counted.rs"]
mod counted;
#[path = "driver/fork.rs"]
mod fork;
#[path = "driver/host_slices.rs"]
mod host_slices;
#[path = "driver/long_rows.rs"]
mod long_rows;
#[path = "driver/segments.rs"]
mod segments;
mod shim;
#[path = "driver/trust.rs"]
mod trust;

use cudarc::driver::sys::{CUgraphInstantiate_flags, CUresult, CUstreamCaptureMode};
use cudarc::driver::{CudaContext, CudaSlice, CudaViewMut, DriverError};
use sortsmith::{ArrayAlgorithm, Error, Rows, SortOptions, Sorter};

use shim::Mode;

/// A number of items that a device-wide sort sorts.
const MANY: usize = 100_000;

#[test]
fn a_sort_of_device_slices_leaves_nothing_behind() {
    let test = "a_sort_of_device_slices_leaves_nothing_behind";
    let Some(shim) = shim::child(test, &[]) else { return };
    {
        let stream = CudaContext::new(0).unwrap().default_stream();
        let sorter = Sorter::on(&stream).unwrap();
        for n in [2, 1000, 20_000, MANY] {
            let mut keys = stream.clone_htod(&vec![7u32; n]).unwrap();
            let mut values = stream.clone_htod(&vec![7u64; n]).unwrap();
            sorter.sort_pairs::<u32, u64>(&mut keys, &mut values).unwrap();
            let order = sorter.argsort::<u32>(&keys).unwrap();
            // The kernels have written all of their output.
            assert!(stream.clone_dtoh(&keys).unwrap().iter().all(|key| *key != 7), "{n}");
            assert!(stream.clone_dtoh(&values).unwrap().iter().all(|value| *value != 7), "{n}");
            assert_eq!(order.len(), n);
        }
        assert!(shim.live("modules") >= 6, "{}", shim.live("modules"));
    }
    shim.expect_clean();
}

/// Each sort that samples keys has a seed of its own, or a number of its own where a graph repeats the seed.
#[test]
fn no_two_sorts_sample_the_same_positions() {
    let Some(shim) = shim::child("no_two_sorts_sample_the_same_positions", &[]) else { return };
    {
        let context = CudaContext::new(0).unwrap();
        // SAFETY: one stream uses each slice.
        unsafe { context.disable_event_tracking() };
        let stream = context.new_stream().unwrap();
        let sorter = Sorter::on(&stream).unwrap();
        let options = SortOptions::new().algorithm(ArrayAlgorithm::Partition);
        let mut keys = stream.clone_htod(&vec![7u64; MANY]).unwrap();
        sorter.reserve_with::<u64, ()>(MANY, options).unwrap();
        shim.forget();
        stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL).unwrap();
        sorter.sort_with::<u64>(&mut keys, options).unwrap();
        let graph = stream.end_capture(CUgraphInstantiate_flags(0)).unwrap().unwrap();
        assert_eq!(shim.samples(), []);
        graph.launch().unwrap();
        graph.launch().unwrap();
        sorter.sort_with::<u64>(&mut keys, options.descending()).unwrap();
        // Of another sorter, which shares the context.
        let other = context.new_stream().unwrap();
        let mut others = other.clone_htod(&vec![7u64; 2]).unwrap();
        Sorter::on(&other).unwrap().sort_with::<u64>(&mut others, options).unwrap();
        // These are by other algorithms.
        sorter.sort_with::<u64>(&mut keys, options.bits(3..64)).unwrap();
        sorter.sort::<u64>(&mut keys).unwrap();
        drop(sorter);
        graph.launch().unwrap();
        stream.synchronize().unwrap();
        let samples = shim.samples();
        assert_eq!(samples.iter().map(|it| it.1).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        let [first, second, third, fourth, last] =
            [0, 1, 2, 3, 4].map(|sort: usize| samples[sort].0);
        assert!(first == second && second == last, "the seed is the graph's: {samples:?}");
        assert!(first != third && third != fourth && first != fourth, "{samples:?}");
        assert!(stream.clone_dtoh(&keys).unwrap().iter().all(|key| *key != 7));
        drop(graph);
        shim.settle();
    }
    // What the graph owned is freed by the next sorter that is made or dropped.
    drop(Sorter::on_device(0));
    shim.expect_clean();
}

#[test]
fn a_context_is_of_a_device_that_the_driver_has() {
    let test = "a_context_is_of_a_device_that_the_driver_has";
    let Some(shim) = shim::child(test, &[]) else { return };
    {
        let context = sortsmith::cuda_context(0).unwrap();
        assert_eq!(context.ordinal(), 0);
        drop(Sorter::on(&context.default_stream()).unwrap());
        let error = sortsmith::cuda_context(1000).unwrap_err();
        assert!(matches!(error, Error::InvalidDevice { ordinal: 1000, devices: 1.. }), "{error}");
    }
    shim.expect_clean();
}

/// Of the stand-in itself: it detects what the tests rely on.
#[test]
fn the_stand_in_sees_freed_memory_and_unloaded_code() {
    let test = "the_stand_in_sees_freed_memory_and_unloaded_code";
    let Some(shim) = shim::child(test, &[]) else { return };
    let context = CudaContext::new(0).unwrap();
    // SAFETY: one stream uses each slice.
    unsafe { context.disable_event_tracking() };
    let stream = context.new_stream().unwrap();
    let mut kept = stream.clone_htod(&vec![7u32; MANY]).unwrap();
    let mut freed = stream.clone_htod(&vec![7u32; MANY]).unwrap();
    let sorter = Sorter::on(&stream).unwrap();
    sorter.reserve::<u32, ()>(MANY).unwrap();
    stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL).unwrap();
    sorter.sort::<u32>(&mut kept).unwrap();
    sorter.sort::<u32>(&mut freed).unwrap();
    let graph = stream.end_capture(CUgraphInstantiate_flags(0)).unwrap().unwrap();
    let is_untouched =
        |keys: &CudaSlice<u32>| stream.clone_dtoh(keys).unwrap().iter().all(|key| *key == 7);
    assert!(is_untouched(&kept), "a capture does no work");
    graph.launch().unwrap();
    assert!(!is_untouched(&kept), "a launch does");
    assert_eq!(shim.violations(), Vec::<String>::new());
    drop(freed);
    graph.launch().unwrap();
    let violations = shim.violations();
    assert!(!violations.is_empty() && violations.iter().all(|it| it.contains("has been freed")));
}

#[test]
fn the_stand_in_defers_work_until_a_wait() {
    let test = "the_stand_in_defers_work_until_a_wait";
    let Some(shim) = shim::child(test, &[]) else { return };
    {
        let stream = CudaContext::new(0).unwrap().new_stream().unwrap();
        shim.defer(true);
        let first = [1u8, 2, 3];
        let there = stream.clone_htod(&first).unwrap();
        let mut back = [0u8; 3];
        // SAFETY: both live until the stream is waited for.
        unsafe {
            cudarc::driver::result::memcpy_dtoh_async(
                &mut back,
                cudarc::driver::DevicePtr::device_ptr(&there, &stream).0,
                stream.cu_stream(),
            )
            .unwrap();
        }
        assert!(shim.pending() > 0 && back == [0; 3]);
        stream.synchronize().unwrap();
        assert!(shim.pending() == 0 && back == first);
        // Freed memory goes in the stream's order too.
        drop(there);
        assert_eq!(shim.live("allocations"), 1);
        stream.synchronize().unwrap();
    }
    shim.expect_clean();
}

#[test]
fn the_stand_in_refuses_illegal_calls_in_a_capture() {
    let test = "the_stand_in_refuses_illegal_calls_in_a_capture";
    let Some(shim) = shim::child(test, &[]) else { return };
    let context = CudaContext::new(0).unwrap();
    let stream = context.new_stream().unwrap();
    let other = context.new_stream().unwrap();
    let outside = other.record_event(None).unwrap();
    let mode = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_GLOBAL;
    let ends = |expected: CUresult| {
        let error = stream.end_capture(CUgraphInstantiate_flags(0)).map(|_| ()).unwrap_err();
        assert_eq!(error, DriverError(expected));
    };
    let refused = |result: Result<(), DriverError>, expected: CUresult| {
        assert_eq!(result.unwrap_err(), DriverError(expected));
    };
    stream.begin_capture(mode).unwrap();
    refused(stream.wait(&outside), CUresult::CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
    ends(CUresult::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    stream.begin_capture(mode).unwrap();
    refused(stream.synchronize(), CUresult::CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    ends(CUresult::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    stream.begin_capture(mode).unwrap();
    let allocate = || {
        context.bind_to_thread()?;
        // SAFETY: nothing is read of it.
        unsafe { cudarc::driver::result::malloc_sync(4) }
    };
    let elsewhere = std::thread::scope(|scope| scope.spawn(allocate).join().unwrap());
    refused(elsewhere.map(|_| ()), CUresult::CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    ends(CUresult::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    stream.begin_capture(mode).unwrap();
    let forked = stream.fork().unwrap();
    // SAFETY: nothing is set.
    unsafe { cudarc::driver::result::memset_d8_async(0, 0, 0, forked.cu_stream()) }.unwrap();
    ends(CUresult::CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
    assert_eq!(shim.violations(), Vec::<String>::new());
}

#[test]
fn the_stand_in_injects_failures() {
    let Some(shim) = shim::child("the_stand_in_injects_failures", &[]) else { return };
    let context = CudaContext::new(0).unwrap();
    let stream = context.default_stream();
    drop(Sorter::on(&stream).unwrap());
    shim.forget();
    shim.fail("cuMemAllocAsync", 2, 2, Mode::Once);
    let first = stream.alloc_zeros::<u8>(3).unwrap();
    let refused = stream.alloc_zeros::<u8>(3).map(|_| ()).unwrap_err();
    assert_eq!(refused, DriverError(CUresult::CUDA_ERROR_OUT_OF_MEMORY));
    drop(stream.alloc_zeros::<u8>(3).unwrap());
    assert_eq!((shim.calls("cuMemAllocAsync"), shim.fired()), (3, 1));
    assert!(shim.trace().iter().any(|call| call == "cuMemsetD8Async"));
    shim.heal();
    shim.fail("any", 1, 700, Mode::Sticky);
    for _ in 0..2 {
        let error = Sorter::on(&stream).unwrap_err();
        assert!(matches!(&error, Error::Driver { .. }), "{error}");
    }
    shim.heal();
    drop(first);
    Sorter::on(&stream).unwrap();
}

fn values_of<'a>(bytes: &'a mut CudaViewMut<'_, u8>, n: usize) -> CudaViewMut<'a, [u8; 4]> {
    // SAFETY: any bytes are such values, and their type has alignment 1.
    unsafe { bytes.transmute_mut(n) }.unwrap()
}

/// Values of a type that may lie anywhere, where kernels move four bytes at once.
#[test]
fn values_at_odd_addresses_are_moved_by_no_kernel() {
    let test = "values_at_odd_addresses_are_moved_by_no_kernel";
    let Some(shim) = shim::child(test, &[]) else { return };
    {
        let stream = CudaContext::new(0).unwrap().default_stream();
        let sorter = Sorter::on(&stream).unwrap();
        let tiles = sortsmith::BlockSort::<u32, [u8; 4]>::tiles(128, 4);
        for n in [2, 1000, 20_000, MANY] {
            let mut keys = stream.clone_htod(&vec![7u32; n]).unwrap();
            let mut keys_out = stream.clone_htod(&vec![7u32; n]).unwrap();
            let mut even = stream.clone_htod(&vec![[7u8; 4]; n]).unwrap();
            let mut odd = stream.clone_htod(&vec![7u8; 4 * n + 3]).unwrap();
            let mut other = stream.clone_htod(&vec![7u8; 4 * n + 3]).unwrap();
            let bytes_of = |slice: &CudaSlice<u8>, from: usize| {
                let mut bytes = stream.clone_dtoh(slice).unwrap();
                let values = bytes.drain(from..from + 4 * n).collect::<Vec<u8>>();
                assert_eq!(bytes, [7; 3], "{n}: bytes outside of the view");
                values
            };
            {
                let mut bytes = odd.slice_mut(1..);
                let mut values = values_of(&mut bytes, n);
                sorter.sort_pairs::<u32, [u8; 4]>(&mut keys, &mut values).unwrap();
            }
            // The stand-in's kernels add one to each byte of a result, each of them.
            let before = bytes_of(&odd, 1);
            assert!(before.iter().all(|byte| *byte != 7), "{n}");
            {
                let mut bytes = odd.slice_mut(1..);
                let mut values = values_of(&mut bytes, n);
                tiles.sort_pairs(&sorter, &mut keys, &mut values).unwrap();
            }
            let by_tiles = bytes_of(&odd, 1);
            assert!(by_tiles.iter().zip(&before).all(|(new, old)| *new == old + 1), "{n}");
            // From either kind of address to either.
            let from = stream.clone_htod(&vec![[9u8; 4]; n]).unwrap();
            let from_odd = stream.clone_htod(&vec![9u8; 4 * n + 3]).unwrap();
            // SAFETY: as in `values_of`.
            let from_odd = unsafe { from_odd.slice(3..).transmute::<[u8; 4]>(n) }.unwrap();
            {
                let mut bytes = other.slice_mut(2..);
                let mut to = values_of(&mut bytes, n);
                sorter.sort_pairs_into(&keys, &from_odd, &mut keys_out, &mut to).unwrap();
                sorter.sort_pairs_into(&keys, &from, &mut keys_out, &mut to).unwrap();
            }
            assert!(bytes_of(&other, 2).iter().all(|byte| *byte != 7), "{n}");
            sorter.sort_pairs_into(&keys, &from_odd, &mut keys_out, &mut even).unwrap();
            let even = stream.clone_dtoh(&even).unwrap();
            assert!(even.iter().flatten().all(|byte| *byte != 7), "{n}");
        }
    }
    shim.expect_clean();
}

/// Which items of rows the stand-in's kernels have changed: it adds one to each byte.
fn changed(slice: &CudaSlice<u32>) -> Vec<bool> {
    slice.stream().clone_dtoh(slice).unwrap().iter().map(|item| *item != 0x0707_0707).collect()
}

fn is_of_row(rows: usize, columns: usize, stride: usize) -> Vec<bool> {
    let items = (rows - 1) * stride + columns;
    (0..items).map(|item| item % stride < columns).collect()
}

/// By one launch up to the largest tile, by three behind it, and one row after the other where no sort of rows holds one; items between
/// rows are not touched.
#[test]
fn rows_of_device_slices_are_sorted_and_gaps_stay() {
    let test = "rows_of_device_slices_are_sorted_and_gaps_stay";
    let Some(shim) = shim::child(test, &[]) else { return };
    {
        let stream = CudaContext::new(0).unwrap().default_stream();
        let sorter = Sorter::on(&stream).unwrap();
        let filled = |n: usize| stream.clone_htod(&vec![0x0707_0707u32; n]).unwrap();
        let options = SortOptions::new();
        for (rows, columns, stride) in
            [(1000, 2, 2), (70_000, 7, 9), (5, 1000, 1003), (3, 5000, 5000), (3, 20_000, 20_001)]
        {
            let of_row = is_of_row(rows, columns, stride);
            let lists = Rows::of(columns).stride(stride);
            let (mut keys, mut values) = (filled(of_row.len()), filled(of_row.len()));
            let launches = shim.calls("cuLaunchKernel") + shim.calls("cuLaunchKernelEx");
            sorter
                .sort_pairs_rows_with::<u32, u32>(&mut keys, &mut values, lists, options)
                .unwrap();
            let launches = shim.calls("cuLaunchKernel") + shim.calls("cuLaunchKernelEx") - launches;
            let expected = if columns <= 5000 { 1 } else { 3 };
            assert_eq!(launches, expected, "{columns} columns");
            assert!(changed(&keys) == of_row && changed(&values) == of_row, "{columns}");
            let (keys, mut into) = (filled(of_row.len()), filled(of_row.len()));
            sorter.sort_rows_into_with::<u32>(&keys, &mut into, lists, options).unwrap();
            assert!(changed(&into) == of_row && !changed(&keys).contains(&true), "{columns}");
            // Positions are written, and no keys.
            let order = sorter.argsort_rows_with::<u32>(&keys, lists, options).unwrap();
            let order = stream.clone_dtoh(&order).unwrap();
            let is_written = order.iter().map(|item| *item != 0).collect::<Vec<_>>();
            assert!(is_written == of_row && !changed(&keys).contains(&true), "{columns}");
        }
    }
    shim.expect_clean();
}

/// One column, none, no rows; values that no kernel moves; NaNs last; a range of bits.
#[test]
fn rows_of_all_kinds_are_sorted() {
    let Some(shim) = shim::child("rows_of_all_kinds_are_sorted", &[]) else { return };
    {
        let context = CudaContext::new(0).unwrap();
        // SAFETY: one stream uses all slices.
        unsafe { context.disable_event_tracking() };
        let stream = context.new_stream().unwrap();
        let sorter = Sorter::on(&stream).unwrap();
        let filled = |n: usize| stream.clone_htod(&vec![0x0707_0707u32; n]).unwrap();
        let options = SortOptions::new();
        let mut keys = filled(12);
        sorter.sort_rows::<u32>(&mut keys, 1).unwrap();
        assert!(!changed(&keys).contains(&true), "a row of one column is sorted");
        sorter.sort_rows::<u32>(&mut stream.null::<u32>().unwrap(), 0).unwrap();
        let error = sorter.sort_rows::<u32>(&mut keys, 5).unwrap_err();
        assert!(matches!(error, Error::RowShape { items: 12, columns: 5, stride: 5 }), "{error}");
        let mut wide = stream.clone_htod(&[[7u32; 3]; 12]).unwrap();
        sorter.sort_pairs_rows::<u32, [u32; 3]>(&mut keys, &mut wide, 3).unwrap();
        assert!(!changed(&keys).contains(&false), "values of 12 bytes go with their keys");
        let wide_in = stream.clone_htod(&[[9u32; 3]; 12]).unwrap();
        let mut into = filled(12);
        let rows = Rows::of(1).stride(11);
        sorter
            .sort_pairs_rows_into_with::<u32, [u32; 3]>(
                &keys, &wide_in, &mut into, &mut wide, rows, options,
            )
            .unwrap();
        let copied = stream.clone_dtoh(&wide).unwrap();
        assert!([0, 11].iter().all(|item| copied[*item] == [9; 3]) && copied[1] != [9; 3]);

        let mut floats = stream.clone_htod(&[0.5f32; 12]).unwrap();
        sorter.sort_rows_with::<f32>(&mut floats, 4, options.nan_last()).unwrap();
        assert!(
            stream.clone_dtoh(&floats).unwrap().iter().all(|key| key.to_bits() != 0.5f32.to_bits())
        );
        let mut keys = filled(12);
        sorter.sort_rows_with::<u32>(&mut keys, 4, options.bits(3..9)).unwrap();
        assert!(!changed(&keys).contains(&false), "a range of bits");
    }
    shim.expect_clean();
}

/// Values at an odd address, and a capture.
#[test]
fn rows_at_odd_addresses_and_in_a_graph_are_sorted() {
    let Some(shim) = shim::child("rows_at_odd_addresses_and_in_a_graph_are_sorted", &[]) else {
        return;
    };
    {
        let context = CudaContext::new(0).unwrap();
        // SAFETY: one stream uses all slices.
        unsafe { context.disable_event_tracking() };
        let stream = context.new_stream().unwrap();
        let sorter = Sorter::on(&stream).unwrap();
        let filled = |n: usize| stream.clone_htod(&vec![0x0707_0707u32; n]).unwrap();
        let options = SortOptions::new();
        // Values where no kernel reads them, beside items that nothing may touch.
        let (mut keys, mut odd) = (filled(8), stream.clone_htod(&[7u8; 4 * 8 + 3]).unwrap());
        {
            let mut bytes = odd.slice_mut(1..);
            let mut values = values_of(&mut bytes, 8);
            let rows = Rows::of(3).stride(5);
            sorter
                .sort_pairs_rows_with::<u32, [u8; 4]>(&mut keys, &mut values, rows, options)
                .unwrap();
        }
        let expected = is_of_row(2, 3, 5);
        let bytes = stream.clone_dtoh(&odd).unwrap();
        let values = bytes[1..33].chunks(4).map(|value| value != [7; 4]).collect::<Vec<_>>();
        assert!(changed(&keys) == expected && values == expected);

        let mut keys = filled(3 * 50);
        stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL).unwrap();
        sorter.sort_rows::<u32>(&mut keys, 50).unwrap();
        let graph = stream.end_capture(CUgraphInstantiate_flags(0)).unwrap().unwrap();
        assert!(!changed(&keys).contains(&true), "a capture does no work");
        graph.launch().unwrap();
        assert!(!changed(&keys).contains(&false), "a launch does");
        drop(graph);
        // What the graph owned is freed when the sorter is dropped.
        shim.settle();
    }
    shim.expect_clean();
}
