//! Sorters in the order of candle's streams.
//!
//! `Device::new_cuda` uses the per-thread default stream, which is another one in each thread, so a sorter cannot have it. Sorts for it run on
//! a stream of this module's, which waits for the calling thread's before a sort and which that one waits for behind it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use candle_core::cuda_backend::cudarc::driver::sys::CUevent_flags;
use candle_core::cuda_backend::cudarc::driver::{CudaEvent, CudaStream};
use candle_core::{CudaDevice, Error, Result};
use sortsmith::Sorter;

use crate::failed;

/// The most streams with sorters at one time. A sorter keeps its stream, the stream's context and its scratch.
const STREAMS_MAX: usize = 32;

/// `CU_STREAM_PER_THREAD`.
const PER_THREAD: usize = 2;

/// A sorter in the order of one of candle's streams.
#[derive(Debug)]
struct Ordered {
    /// Candle's stream.
    caller: Arc<CudaStream>,
    sorter: Sorter,
    /// The sorter's own stream, where it cannot have the caller's.
    own: Option<OwnStream>,
}

/// A stream that runs in the order of another one.
#[derive(Debug)]
struct OwnStream {
    stream: Arc<CudaStream>,
    /// Recorded on the caller's stream before a sort, and on the own one behind it. The lock keeps two threads' sorts apart.
    events: Mutex<[CudaEvent; 2]>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The sorters, the one used last at the end.
static SORTERS: Mutex<Vec<Arc<Ordered>>> = Mutex::new(Vec::new());

impl OwnStream {
    fn beside(caller: &CudaStream) -> Result<Self> {
        let context = caller.context();
        let event = || context.new_event(Some(CUevent_flags::CU_EVENT_DISABLE_TIMING));
        let events = [event().map_err(Error::wrap)?, event().map_err(Error::wrap)?];
        let stream = context.new_stream().map_err(Error::wrap)?;
        Ok(Self { stream, events: Mutex::new(events) })
    }
}

impl Ordered {
    fn new(caller: Arc<CudaStream>) -> Result<Self> {
        let is_per_thread = caller.cu_stream().addr() == PER_THREAD;
        let own = is_per_thread.then(|| OwnStream::beside(&caller)).transpose()?;
        let stream = own.as_ref().map_or(&caller, |own| &own.stream);
        let sorter = Sorter::on(stream).map_err(failed)?;
        Ok(Self { caller, sorter, own })
    }

    fn run(&self, enqueue: impl FnOnce(&Sorter) -> Result<()>) -> Result<()> {
        let Some(own) = &self.own else { return enqueue(&self.sorter) };
        let events = lock(&own.events);
        let [begin, end] = &*events;
        // The per-thread default stream is that of the thread that records and waits.
        begin.record(&self.caller).map_err(Error::wrap)?;
        own.stream.wait(begin).map_err(Error::wrap)?;
        let done = enqueue(&self.sorter);
        // A part of the work may have been enqueued before an error.
        let joined = end.record(&own.stream).and_then(|()| self.caller.wait(end));
        done?;
        joined.map_err(Error::wrap)
    }
}

/// The sorter in the order of a stream.
fn of(caller: Arc<CudaStream>) -> Result<Arc<Ordered>> {
    let mut sorters = lock(&SORTERS);
    let known = sorters.iter().position(|it| Arc::ptr_eq(&it.caller, &caller));
    let ordered = match known {
        Some(index) => sorters.remove(index),
        None => Arc::new(Ordered::new(caller)?),
    };
    if sorters.len() >= STREAMS_MAX {
        sorters.remove(0);
    }
    sorters.push(Arc::clone(&ordered));
    Ok(ordered)
}

/// Forgets all sorters. One in use by another thread lives until its sort is enqueued, and memory is freed in its stream's order.
pub fn release() {
    let sorters = std::mem::take(&mut *lock(&SORTERS));
    drop(sorters);
}

/// Runs `enqueue` with a sorter in the order of the device's stream.
pub fn in_order_of(device: &CudaDevice, enqueue: impl FnOnce(&Sorter) -> Result<()>) -> Result<()> {
    of(device.cuda_stream())?.run(enqueue)
}
