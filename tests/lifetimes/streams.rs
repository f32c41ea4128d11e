//! Sorters that go while their work runs.

use std::thread;
use std::time::{Duration, Instant};

use cudarc::driver::CudaContext;
use sortsmith::Sorter;

use crate::shim;
use crate::{MANY, keys, next_sorter, stream};

#[test]
fn work_that_is_enqueued_outlives_its_sorter() {
    let test = "streams::work_that_is_enqueued_outlives_its_sorter";
    let Some(shim) = shim::child(test, &[]) else { return };
    let stream = stream();
    let mut items = keys(&stream, MANY);
    shim.defer(true);
    let sorter = Sorter::on(&stream).unwrap();
    sorter.sort::<u32>(&mut items).unwrap();
    drop(sorter);
    assert!(shim.pending() > 0, "to drop a sorter does not wait");
    assert!(shim.live("modules") > 0, "its kernels are yet to run");
    stream.synchronize().unwrap();
    assert_eq!(shim.violations(), Vec::<String>::new());
    drop((items, stream));
    next_sorter();
    shim.defer(false);
    shim.expect_clean();
}

/// cudarc orders the uses of slices while it knows of a second stream. One that goes while its work runs is not counted.
#[test]
fn work_that_is_enqueued_is_waited_for_when_its_stream_is_gone_too() {
    let test = "streams::work_that_is_enqueued_is_waited_for_when_its_stream_is_gone_too";
    let Some(shim) = shim::child(test, &[]) else { return };
    let context = CudaContext::new(0).unwrap();
    let default = context.default_stream();
    let mut items = keys(&default, MANY);
    default.synchronize().unwrap();
    shim.defer(true);
    {
        let stream = context.new_stream().unwrap();
        Sorter::on(&stream).unwrap().sort::<u32>(&mut items).unwrap();
    }
    assert!(shim.pending() > 0);
    assert!(context.is_in_multi_stream_mode(), "other streams do not wait for the sort");
    shim.defer(false);
    next_sorter();
    assert!(!context.is_in_multi_stream_mode(), "the stream is gone when its work is done");
    assert_eq!(shim.violations(), Vec::<String>::new());
}

#[test]
fn scratch_can_be_given_back() {
    let test = "streams::scratch_can_be_given_back";
    let Some(shim) = shim::child(test, &[("SORTSMITH_BACKEND", "gpu")]) else { return };
    let stream = stream();
    let mut items = keys(&stream, MANY);
    let sorter = Sorter::on(&stream).unwrap();
    shim.defer(true);
    for _ in 0..2 {
        sorter.sort::<u32>(&mut items).unwrap();
        sorter.sort(&mut vec![7u32; MANY]).unwrap();
        stream.synchronize().unwrap();
        assert!(shim.live("bytes") > 3 * 4 * MANY as u64, "scratch and room for copies");
        sorter.sort::<u32>(&mut items).unwrap();
        sorter.release();
        assert!(shim.pending() > 0, "to release memory does not wait");
        stream.synchronize().unwrap();
        assert_eq!(shim.live("bytes"), 4 * MANY as u64);
    }
    // So can that of the functions: their sorter lasts as long as the process.
    let before = shim.live("bytes");
    sortsmith::release();
    sortsmith::sort(&mut vec![7u32; MANY]).unwrap();
    assert!(shim.live("bytes") > before);
    sortsmith::release();
    stream.context().synchronize().unwrap();
    assert_eq!(shim.live("bytes"), before);
    assert_eq!(shim.violations(), Vec::<String>::new());
}

#[test]
fn sorts_of_device_slices_do_not_wait_for_those_of_host_slices() {
    let test = "streams::sorts_of_device_slices_do_not_wait_for_those_of_host_slices";
    let Some(shim) = shim::child(test, &[]) else { return };
    let stream = stream();
    let mut items = keys(&stream, MANY);
    let sorter = Sorter::on(&stream).unwrap();
    sorter.sort::<u32>(&mut items).unwrap();
    shim.forget();
    let pause = Duration::from_secs(3);
    shim.sleep("cuEventSynchronize", 1, pause.as_micros() as u32);
    thread::scope(|scope| {
        let waiting = scope.spawn(|| sorter.sort(&mut vec![7u32; MANY]).unwrap());
        while shim.calls("cuEventSynchronize") == 0 {
            thread::yield_now();
        }
        let start = Instant::now();
        sorter.sort::<u32>(&mut items).unwrap();
        assert!(start.elapsed() < pause / 2, "it took {:?}", start.elapsed());
        waiting.join().unwrap();
    });
    assert_eq!(shim.violations(), Vec::<String>::new());
}
