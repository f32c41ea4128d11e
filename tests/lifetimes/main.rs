//! Lifetimes of the objects of sorters, on a stand-in for the driver: graphs that outlive the objects their sorts used, sorters that
//! are dropped while their work runs, host memory that copies read and write, and errors in between.
#![cfg(all(feature = "cuda", target_os = "linux"))]
#![allow(clippy::unwrap_used)] // a failed unwrap is a failed test

mod binned;
mod graphs;
mod host_slices;
mod refused;
#[path = "../shim/mod.rs"]
mod shim;
mod streams;
mod top_k;
mod walk;

use std::sync::Arc;

use cudarc::driver::sys::{CUgraphInstantiate_flags, CUstreamCaptureMode};
use cudarc::driver::{CudaContext, CudaGraph, CudaSlice, CudaStream, DeviceRepr, DriverError};
use sortsmith::Error;

/// A number of items that a device-wide sort sorts, with scratch.
const MANY: usize = 100_000;

/// A stream of a context in which cudarc tracks slices by events.
fn stream() -> Arc<CudaStream> {
    let stream = CudaContext::new(0).unwrap().new_stream().unwrap();
    assert!(stream.context().is_managing_stream_synchronization());
    stream
}

/// `n` times this item.
fn repeated<T: DeviceRepr + Copy>(stream: &Arc<CudaStream>, item: T, n: usize) -> CudaSlice<T> {
    let from = vec![item; n];
    let items = stream.clone_htod(&from).unwrap();
    // Where the stand-in defers work, the copy is yet to read the vector, which lives until then.
    stream.synchronize().unwrap();
    drop(from);
    items
}

fn keys(stream: &Arc<CudaStream>, n: usize) -> CudaSlice<u32> {
    repeated(stream, 7, n)
}

fn begin(stream: &CudaStream) {
    stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL).unwrap();
}

fn end(stream: &Arc<CudaStream>) -> Result<CudaGraph, DriverError> {
    // Without the flag that frees a graph's allocations: a graph that allocates cannot be launched twice.
    Ok(stream.end_capture(CUgraphInstantiate_flags(0))?.unwrap())
}

/// A graph of the work that `enqueue` enqueues.
fn captured(stream: &Arc<CudaStream>, enqueue: impl FnOnce() -> Result<(), Error>) -> CudaGraph {
    begin(stream);
    let enqueued = enqueue();
    let graph = end(stream);
    enqueued.unwrap();
    graph.unwrap()
}

/// Launches it twice, each time with all that it used.
fn replay(shim: shim::Shim, graph: &CudaGraph, stream: &CudaStream) {
    for _ in 0..2 {
        graph.launch().unwrap();
        stream.synchronize().unwrap();
    }
    assert_eq!(shim.violations(), Vec::<String>::new());
}

/// Frees the objects of ended graphs, as the next sorter does.
fn next_sorter() {
    drop(sortsmith::Sorter::on(&CudaContext::new(0).unwrap().default_stream()).unwrap());
}
