//! The objects that a capture uses live as long as its graph.

use std::thread;

use cudarc::driver::sys::CUstreamCaptureMode;
use cudarc::driver::{CudaContext, CudaSlice, CudaStream};
use sortsmith::tuning::Tuning;
use sortsmith::{BlockRadixSort, Sorter};

use crate::shim::{self, Mode};
use crate::{MANY, begin, captured, end, keys, next_sorter, replay, stream};

#[test]
fn a_graph_has_memory_that_later_sorts_do_not_use_or_free() {
    let test = "graphs::a_graph_has_memory_that_later_sorts_do_not_use_or_free";
    let Some(shim) = shim::child(test, &[]) else { return };
    for defer in [false, true] {
        shim.defer(defer);
        let stream = stream();
        let (sorter, mut items) = (Sorter::on(&stream).unwrap(), keys(&stream, MANY));
        let graph = captured(&stream, || sorter.sort::<u32>(&mut items));
        replay(shim, &graph, &stream);
        // The sorter's own memory grows, and goes.
        sorter.sort::<u32>(&mut keys(&stream, 4 * MANY)).unwrap();
        replay(shim, &graph, &stream);
        sorter.release();
        replay(shim, &graph, &stream);
        let of_graph = shim.live("bytes") - 4 * MANY as u64;
        assert!(of_graph > 0, "the graph has scratch");
        drop(sorter);
        next_sorter();
        replay(shim, &graph, &stream);
        // It goes with the graph, and nothing else does.
        drop(graph);
        stream.synchronize().unwrap();
        shim.settle();
        next_sorter();
        stream.context().synchronize().unwrap();
        assert_eq!(shim.live("bytes"), 4 * MANY as u64);
        drop((items, stream));
        next_sorter();
        shim.defer(false);
        shim.expect_clean();
    }
}

#[test]
fn kernels_and_context_last_as_long_as_the_graph() {
    let test = "graphs::kernels_and_context_last_as_long_as_the_graph";
    let Some(shim) = shim::child(test, &[]) else { return };
    for is_tuned in [false, true] {
        let stream = stream();
        let sorter = if is_tuned {
            Sorter::with_tuning(&stream, Tuning::default()).unwrap()
        } else {
            Sorter::on(&stream).unwrap()
        };
        let mut items = keys(&stream, MANY);
        let graph = captured(&stream, || sorter.sort::<u32>(&mut items));
        drop(sorter);
        assert!(shim.live("modules") > 0);
        // cudarc's graph and slices keep their stream, and that its context: safe code ends no context before its graphs.
        replay(shim, &graph, &stream);
        drop((graph, stream));
        shim.settle();
        drop(items);
        next_sorter();
        shim.expect_clean();
    }
}

#[test]
fn sorters_and_sorts_of_one_capture_each_have_what_they_need() {
    let test = "graphs::sorters_and_sorts_of_one_capture_each_have_what_they_need";
    let Some(shim) = shim::child(test, &[]) else { return };
    let stream = stream();
    let forked = stream.context().new_stream().unwrap();
    {
        let [one, two] = [(); 2].map(|()| Sorter::on(&stream).unwrap());
        let beside = Sorter::on(&forked).unwrap();
        let mut slices = [2, 1, 4].map(|times| keys(&stream, times * MANY));
        let mut other = keys(&forked, MANY);
        shim.forget();
        begin(&stream);
        for slice in &mut slices {
            one.sort::<u32>(slice).unwrap();
        }
        let of_one = shim.calls("cuMemAllocAsync");
        assert_eq!(of_one, 2, "a shorter sort of a capture reuses the memory of the longer one");
        two.sort::<u32>(&mut slices[0]).unwrap();
        forked.join(&stream).unwrap();
        beside.sort::<u32>(&mut other).unwrap();
        stream.join(&forked).unwrap();
        let graph = end(&stream).unwrap();
        assert_eq!(shim.calls("cuMemAllocAsync"), of_one + 2);
        drop((one, two, beside));
        replay(shim, &graph, &stream);
        // Another capture has memory of its own: both graphs may run at once.
        let sorter = Sorter::on(&stream).unwrap();
        shim.forget();
        let second = captured(&stream, || sorter.sort::<u32>(&mut slices[0]));
        assert_eq!(shim.calls("cuMemAllocAsync"), 1);
        replay(shim, &second, &stream);
    }
    drop((stream, forked));
    shim.settle();
    next_sorter();
    shim.expect_clean();
}

#[test]
fn whatever_is_captured_is_kept() {
    let test = "graphs::whatever_is_captured_is_kept";
    let Some(shim) = shim::child(test, &[]) else { return };
    let stream = stream();
    {
        let sorter = Sorter::on(&stream).unwrap();
        let (mut first, second) = (keys(&stream, MANY), keys(&stream, MANY));
        let mut positions = keys(&stream, MANY);
        let mut rows: CudaSlice<[u32; 3]> = stream.clone_htod(&vec![[7; 3]; MANY]).unwrap();
        let mut one = keys(&stream, 1);
        let graphs = [
            captured(&stream, || sorter.sort_pairs::<u32, [u32; 3]>(&mut first, &mut rows)),
            captured(&stream, || sorter.argsort_into::<u32>(&second, &mut positions)),
            captured(&stream, || sorter.sort_into::<u32>(&second, &mut positions)),
            captured(&stream, || sorter.sort_into::<u32>(&second.slice(..1), &mut one)),
            captured(&stream, || {
                sorter.sort_with_positions_into::<u32>(&second, &mut first, &mut positions)
            }),
            captured(&stream, || {
                let position = &mut positions.slice_mut(..1);
                sorter.sort_with_positions_into::<u32>(&second.slice(..1), &mut one, position)
            }),
            // Rows of a tile each, and rows that are too long for one.
            captured(&stream, || {
                let (keys, of_rows) = (&mut first, &mut positions);
                sorter.sort_rows_with_positions_into::<u32>(&second, keys, of_rows, 1000)
            }),
            captured(&stream, || {
                let (keys, of_rows) = (&mut first, &mut positions);
                sorter.sort_rows_with_positions_into::<u32>(&second, keys, of_rows, MANY / 5)
            }),
            captured(&stream, || BlockRadixSort::<u32>::tiles(128, 4).sort(&sorter, &mut first)),
            captured(&stream, || {
                sorter.sort_pairs_unstable::<u32, u32>(&mut first, &mut positions)
            }),
        ];
        drop(sorter);
        next_sorter();
        for graph in &graphs {
            replay(shim, graph, &stream);
        }
    }
    drop(stream);
    shim.settle();
    next_sorter();
    shim.expect_clean();
}

#[test]
fn a_sorter_that_is_released_or_dropped_in_a_capture_leaves_it_intact() {
    let test = "graphs::a_sorter_that_is_released_or_dropped_in_a_capture_leaves_it_intact";
    let Some(shim) = shim::child(test, &[]) else { return };
    let stream = stream();
    let mut items = keys(&stream, MANY);
    let sorter = Sorter::on(&stream).unwrap();
    // It has memory in the stream's order, too.
    sorter.sort::<u32>(&mut items).unwrap();
    begin(&stream);
    sorter.sort::<u32>(&mut items).unwrap();
    sorter.release();
    sorter.reserve::<u32, u32>(2 * MANY).unwrap();
    sorter.sort::<u32>(&mut items).unwrap();
    drop(sorter);
    let graph = end(&stream).unwrap();
    replay(shim, &graph, &stream);
    drop((graph, items, stream));
    shim.settle();
    next_sorter();
    shim.expect_clean();
}

#[test]
fn a_capture_that_fails_leaves_nothing_behind() {
    let test = "graphs::a_capture_that_fails_leaves_nothing_behind";
    let Some(shim) = shim::child(test, &[]) else { return };
    let stream = stream();
    let mut items = keys(&stream, MANY);
    let sorter = Sorter::on(&stream).unwrap();
    begin(&stream);
    sorter.sort::<u32>(&mut items).unwrap();
    stream.synchronize().unwrap_err();
    let error = sorter.sort::<u32>(&mut items).unwrap_err();
    assert!(error.to_string().contains("end it and begin again"), "{error}");
    assert!(end(&stream).is_err());
    sorter.sort::<u32>(&mut items).unwrap();
    // So does one with a graph that cannot keep anything.
    for (call, code) in
        [("cuUserObjectCreate", 2), ("cuGraphRetainUserObject", 1), ("cuMemAllocAsync", 2)]
    {
        shim.fail(call, 1, code, Mode::Once);
        begin(&stream);
        sorter.sort::<u32>(&mut items).unwrap_err();
        sorter.sort::<u32>(&mut items).unwrap();
        let graph = end(&stream).unwrap();
        replay(shim, &graph, &stream);
        shim.heal();
    }
    drop((sorter, items, stream));
    shim.settle();
    next_sorter();
    shim.expect_clean();
}

/// cudarc's events are for work that is done once.
#[test]
fn captures_leave_the_events_of_slices_alone() {
    let test = "graphs::captures_leave_the_events_of_slices_alone";
    let Some(shim) = shim::child(test, &[]) else { return };
    let stream = stream();
    let other = stream.context().new_stream().unwrap();
    {
        let sorter = Sorter::on(&stream).unwrap();
        let mut items = keys(&other, MANY);
        let graph = captured(&stream, || sorter.sort::<u32>(&mut items));
        // Another stream uses it, and is ordered behind what was there before; so does the sorter.
        other.memset_zeros(&mut items).unwrap();
        sorter.sort::<u32>(&mut items).unwrap();
        stream.context().check_err().unwrap();
        replay(shim, &graph, &stream);

        // Of a slice that was used in the capture the uses are in order within it.
        // SAFETY: it is set before it is read.
        let mut fresh = unsafe { stream.alloc::<u32>(MANY) }.unwrap();
        begin(&stream);
        other.join(&stream).unwrap();
        other.context().bind_to_thread().unwrap();
        write_all(&other, &mut fresh);
        sorter.sort::<u32>(&mut fresh).unwrap();
        // The sort has made its stream wait for the other one.
        let graph = end(&stream).unwrap();
        replay(shim, &graph, &stream);
    }
    drop((stream, other));
    shim.settle();
    next_sorter();
    shim.expect_clean();
}

/// Sets a slice on a stream, and records that in the slice's event, as cudarc does where nothing has used the slice before.
fn write_all(stream: &CudaStream, slice: &mut CudaSlice<u32>) {
    use cudarc::driver::{DevicePtrMut, result};

    let bytes = slice.num_bytes();
    // The stand-in is stricter than the driver may be of events that were never recorded, so no stream of the capture waits.
    let idle = stream.context().new_stream().unwrap();
    let (address, guard) = slice.device_ptr_mut(&idle);
    std::mem::forget(guard);
    // SAFETY: the slice has as many bytes.
    unsafe { result::memset_d8_async(address, 0, bytes, stream.cu_stream()) }.unwrap();
    let (_, guard) = slice.device_ptr_mut(&idle);
    let cudarc::driver::SyncOnDrop::Record(Some((event, _))) = &guard else { panic!("no event") };
    event.record(stream).unwrap();
    std::mem::forget(guard);
}

#[test]
fn threads_capture_and_sort_at_once() {
    let test = "graphs::threads_capture_and_sort_at_once";
    let Some(shim) = shim::child(test, &[]) else { return };
    let context = CudaContext::new(0).unwrap();
    thread::scope(|scope| {
        for thread in 0..4 {
            let context = &context;
            scope.spawn(move || {
                let stream = context.new_stream().unwrap();
                let sorter = Sorter::on(&stream).unwrap();
                for round in 1..6 {
                    let mut items = keys(&stream, MANY + round * 1000);
                    if thread == 0 {
                        sorter.sort::<u32>(&mut items).unwrap();
                        continue;
                    }
                    // Other threads may load, allocate and free meanwhile without invalidating the capture.
                    let mode = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED;
                    stream.begin_capture(mode).unwrap();
                    sorter.sort::<u32>(&mut items).unwrap();
                    let graph = end(&stream).unwrap();
                    graph.launch().unwrap();
                    stream.synchronize().unwrap();
                }
            });
        }
    });
    drop(context);
    shim.settle();
    next_sorter();
    shim.expect_clean();
}

/// The first launch takes so long that another thread begins a capture meanwhile: the others are captured, with the memory
/// that the sorter had outside of it.
#[test]
fn a_capture_that_begins_amid_a_sort_gets_its_memory() {
    let test = "graphs::a_capture_that_begins_amid_a_sort_gets_its_memory";
    let Some(shim) = shim::child(test, &[]) else { return };
    let stream = stream();
    let mut items = keys(&stream, MANY);
    let sorter = Sorter::on(&stream).unwrap();
    sorter.sort::<u32>(&mut items).unwrap();
    shim.forget();
    shim.sleep("cuLaunchKernel", 1, 500_000);
    thread::scope(|scope| {
        let sorting = scope.spawn(|| sorter.sort::<u32>(&mut items).unwrap());
        while shim.calls("cuLaunchKernel") == 0 {
            thread::yield_now();
        }
        let mode = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED;
        stream.begin_capture(mode).unwrap();
        sorting.join().unwrap();
    });
    let graph = end(&stream).unwrap();
    // cudarc has recorded the slice's event in the capture, and another stream that waits for it gets an error.
    sorter.sort::<u32>(&mut items).unwrap_err();
    sorter.sort::<u32>(&mut keys(&stream, MANY)).unwrap();
    drop(sorter);
    next_sorter();
    replay(shim, &graph, &stream);
    drop((graph, items, stream));
    shim.settle();
    next_sorter();
    next_sorter();
    shim.expect_clean();
}
