//! Several threads, streams and contexts; graphs.

use std::sync::Arc;
use std::thread;

use cudarc::driver::sys::{CUcontext, CUdevice, CUgraphInstantiate_flags, CUstreamCaptureMode};
use cudarc::driver::{CudaContext, CudaStream};
use libloading::Library;
use rand::RngExt;
use sortsmith::{Error, Sorter};
use sortsmith_codegen::toolchain::DRIVER_LIBRARY;

use crate::{Setting, Test};

pub fn tests() -> Vec<Test> {
    vec![
        ("sharing::another_context_is_refused".to_owned(), another_context_is_refused),
        ("sharing::threads_share_a_sorter".to_owned(), threads_share_a_sorter),
        ("sharing::streams_are_on_their_own".to_owned(), streams_are_on_their_own),
        ("sharing::graphs".to_owned(), graphs),
    ]
}

/// A context of its own on the first device.
fn another_context() -> Arc<CudaContext> {
    type Create = unsafe extern "C" fn(*mut CUcontext, u32, CUdevice) -> i32;

    let device = CudaContext::new(0).unwrap().cu_device();
    let mut context = std::ptr::null_mut();
    // SAFETY: the type is cuCtxCreate's, which every driver has; the pointer is to a live handle.
    let code = unsafe {
        let driver = Library::new(DRIVER_LIBRARY).unwrap();
        driver.get::<Create>(b"cuCtxCreate_v2\0").unwrap()(&raw mut context, 0, device)
    };
    assert_eq!(code, 0);
    // SAFETY: the context was made on this device a moment ago, and nobody else has it.
    unsafe { CudaContext::from_raw_context(0, device, context) }.unwrap()
}

fn another_context_is_refused(setting: &Setting) {
    let other = another_context().default_stream();
    let sorter = Sorter::on(&setting.context.default_stream()).unwrap();
    let mut keys = other.clone_htod(&[2u32, 1]).unwrap();
    let error = sorter.sort(&mut keys).unwrap_err();
    assert!(matches!(error, Error::OtherContext { what: "keys" }), "{error}");
    let error = sorter.argsort(&keys).unwrap_err();
    assert!(matches!(error, Error::OtherContext { what: "keys" }), "{error}");
    // A sorter of that context loads kernels of its own.
    Sorter::on(&other).unwrap().sort(&mut keys).unwrap();
    assert_eq!(other.clone_dtoh(&keys).unwrap(), [1, 2]);
}

fn sorts_well(sorter: &Sorter, stream: &Arc<CudaStream>, seed: u64, rounds: usize) {
    let mut rng = sortsmith_testkit::seed::Seed(seed).rng("threads");
    for _ in 0..rounds {
        let n = rng.random_range(2..4000);
        let keys: Vec<u32> = (0..n).map(|_| rng.random_range(0..500)).collect();
        let expected = sortsmith::argsort(&keys).unwrap();
        let d_keys = stream.clone_htod(&keys).unwrap();
        let order = sorter.argsort(&d_keys).unwrap();
        assert_eq!(stream.clone_dtoh(&order).unwrap(), expected);
    }
}

fn threads_share_a_sorter(setting: &Setting) {
    let stream = setting.context.new_stream().unwrap();
    let sorter = Sorter::on(&stream).unwrap();
    thread::scope(|scope| {
        for thread in 0..6 {
            let (sorter, stream) = (&sorter, &stream);
            scope.spawn(move || sorts_well(sorter, stream, setting.seed.0 ^ thread, 20));
        }
    });
}

fn streams_are_on_their_own(setting: &Setting) {
    thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || {
                let stream = setting.context.new_stream().unwrap();
                let sorter = Sorter::on(&stream).unwrap();
                sorts_well(&sorter, &stream, setting.seed.0 ^ thread, 10);
            });
        }
    });
}

fn graphs(_: &Setting) {
    const MODE: CUstreamCaptureMode = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;

    // Its own handle of the context: a capture may not wait for the events that cudarc would record.
    let context = CudaContext::new(0).unwrap();
    // SAFETY: all of this test's memory is used on one stream.
    unsafe { context.disable_event_tracking() };
    let stream = context.new_stream().unwrap();
    let sorter = Sorter::on(&stream).unwrap();
    let descending: Vec<u32> = (0..5000).rev().collect();
    let (mut keys, mut values) =
        (stream.clone_htod(&descending).unwrap(), stream.clone_htod(&descending).unwrap());
    sorter.reserve::<u32, u32>(5000).unwrap();
    stream.synchronize().unwrap();
    stream.begin_capture(MODE).unwrap();
    let enqueued = sorter.sort_pairs::<u32, u32>(&mut keys, &mut values);
    let flags = CUgraphInstantiate_flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
    let graph = stream.end_capture(flags).unwrap().unwrap();
    enqueued.unwrap();
    assert_eq!(stream.clone_dtoh(&keys).unwrap(), descending);
    for _ in 0..2 {
        stream.memcpy_htod(&descending, &mut keys).unwrap();
        graph.launch().unwrap();
        assert!(stream.clone_dtoh(&keys).unwrap().is_sorted());
    }
}
