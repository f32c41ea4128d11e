//! Devices, and sorters in the order of streams that other libraries own.
//!
//! The legacy default stream lives as long as the process: its sorter enqueues there. Any other stream may be destroyed by its owner while
//! a sorter still has memory in its order. So the sorts for it run on a stream of this module's, which waits for the caller's before a sort
//! and which the caller's waits for behind it: the order, and in a capture the graph, are the same, and nothing of the caller's is
//! used after the call.

use std::collections::BTreeMap;
use std::ptr;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use pyo3::prelude::*;
use sortsmith::cudarc::driver::sys::{
    CUevent_flags, CUstreamCaptureStatus, cuCtxSetCurrent, is_culib_present,
};
use sortsmith::cudarc::driver::{CudaContext, CudaEvent, CudaStream, DriverError, result};
use sortsmith::{Error, Sorter};

use crate::errors::{SortsmithError, exception};
use crate::memory::Device as DeviceMemory;

/// The most streams of other libraries for which a device has sorters at one time.
const STREAMS_MAX: usize = 32;

/// `CU_STREAM_LEGACY`; the null stream is the same here.
const LEGACY: usize = 1;

/// A device, with its primary context, which other libraries use too.
#[derive(Debug)]
struct Device {
    context: Arc<CudaContext>,
    default: OnceLock<Sorter>,
    joined: Mutex<Joined>,
}

/// The sorters for streams by their handles, and when each was used last.
#[derive(Debug, Default)]
struct Joined {
    calls: u64,
    sorters: BTreeMap<usize, (u64, Arc<JoinedSorter>)>,
}

/// A sorter on a stream of its own, which runs in the order of another one.
#[derive(Debug)]
struct JoinedSorter {
    sorter: Sorter,
    stream: Arc<CudaStream>,
    /// Recorded on the caller's stream before a sort, and on the own stream behind it. The lock keeps two threads' sorts apart.
    events: Mutex<[CudaEvent; 2]>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The devices that have sorted. None is dropped: other threads may sort when the process ends.
static DEVICES: Mutex<BTreeMap<usize, Arc<Device>>> = Mutex::new(BTreeMap::new());

/// The device with this ordinal.
fn device(ordinal: usize) -> Result<Arc<Device>, Error> {
    let mut devices = lock(&DEVICES);
    if let Some(device) = devices.get(&ordinal) {
        return Ok(Arc::clone(device));
    }
    let context = sortsmith::cuda_context(ordinal)?;
    // SAFETY: this module makes all slices and streams of this object of cudarc's, and orders them itself.
    unsafe { context.disable_event_tracking() };
    let device = Device { context, default: OnceLock::new(), joined: Mutex::default() };
    let device = Arc::new(device);
    devices.insert(ordinal, Arc::clone(&device));
    Ok(device)
}

/// Makes a thread's current CUDA context what it was, when it is dropped: other libraries take it for the current device.
///
/// A null context is none; without a driver there is nothing to restore.
struct CurrentContext(Option<*mut std::ffi::c_void>);

impl CurrentContext {
    /// Remembers it. Without a driver there is none.
    fn remember() -> Self {
        // SAFETY: it only looks for the library, which cudarc loads here and keeps.
        if !unsafe { is_culib_present() } {
            return Self(None);
        }
        let current = result::ctx::get_current().ok();
        Self(current.map(|context| context.map_or(ptr::null_mut(), <*mut _>::cast)))
    }
}

impl Drop for CurrentContext {
    fn drop(&mut self) {
        let Some(context) = self.0 else { return };
        // SAFETY: the context was current before, and is its owner's; none is legal too. A failure would show in the next call.
        let _ = unsafe { cuCtxSetCurrent(context.cast()) };
    }
}

fn driver(doing: &str, error: DriverError) -> PyErr {
    SortsmithError::new_err(format!("cannot {doing}: {error}"))
}

impl Device {
    fn default_sorter(&self) -> Result<&Sorter, Error> {
        if let Some(sorter) = self.default.get() {
            return Ok(sorter);
        }
        let sorter = Sorter::on(&self.context.default_stream())?;
        Ok(self.default.get_or_init(|| sorter))
    }

    fn joined(&self, handle: usize) -> PyResult<Arc<JoinedSorter>> {
        let mut joined = lock(&self.joined);
        joined.calls += 1;
        let now = joined.calls;
        if let Some((used, sorter)) = joined.sorters.get_mut(&handle) {
            *used = now;
            return Ok(Arc::clone(sorter));
        }
        let sorter = Arc::new(JoinedSorter::new(&self.context)?);
        if joined.sorters.len() >= STREAMS_MAX {
            let oldest = joined.sorters.iter().min_by_key(|(_, (used, _))| *used);
            if let Some(oldest) = oldest.map(|(handle, _)| *handle) {
                joined.sorters.remove(&oldest);
            }
        }
        joined.sorters.insert(handle, (now, Arc::clone(&sorter)));
        Ok(sorter)
    }
}

impl JoinedSorter {
    fn new(context: &Arc<CudaContext>) -> PyResult<Self> {
        let stream = context.new_stream().map_err(|error| driver("make a stream", error))?;
        let event = || {
            let event = context.new_event(Some(CUevent_flags::CU_EVENT_DISABLE_TIMING));
            event.map_err(|error| driver("make an event", error))
        };
        let events = Mutex::new([event()?, event()?]);
        let sorter = Sorter::on(&stream).map_err(|error| exception(&error))?;
        Ok(Self { sorter, stream, events })
    }

    /// Runs `enqueue` in the order of the caller's stream.
    fn run(
        &self,
        caller: &CudaStream,
        enqueue: impl FnOnce(&DeviceMemory<'_>) -> Result<(), Error>,
    ) -> PyResult<()> {
        const ORDER: &str = "order a sort behind the stream's work";
        let events = lock(&self.events);
        let [begin, end] = &*events;
        begin.record(caller).map_err(|error| driver(ORDER, error))?;
        self.stream.wait(begin).map_err(|error| driver(ORDER, error))?;
        let done = enqueue(&DeviceMemory { sorter: &self.sorter, stream: &self.stream });
        // A part of the work may have been enqueued before an error.
        let joined = end.record(&self.stream).and_then(|()| caller.wait(end));
        done.map_err(|error| exception(&error))?;
        joined.map_err(|error| driver("order the stream's work behind a sort", error))
    }
}

/// Runs `enqueue` on a device, in the order of a stream that the caller keeps alive meanwhile. The GIL is not needed.
pub fn in_order_of(
    ordinal: usize,
    handle: usize,
    enqueue: impl FnOnce(&DeviceMemory<'_>) -> Result<(), Error>,
) -> PyResult<()> {
    let _current = CurrentContext::remember();
    let device = device(ordinal).map_err(|error| exception(&error))?;
    if handle <= LEGACY {
        let sorter = device.default_sorter().map_err(|error| exception(&error))?;
        let Some(stream) = sorter.stream() else { return Ok(()) };
        return enqueue(&DeviceMemory { sorter, stream }).map_err(|error| exception(&error));
    }
    device.context.bind_to_thread().map_err(|error| driver("use the device", error))?;
    let joined = device.joined(handle)?;
    // SAFETY: the caller says that the handle is a stream's, and keeps it until this function returns.
    let caller = unsafe { device.context.wrap_borrowed_stream(handle as *mut _) };
    joined.run(&caller, enqueue)
}

/// An event behind the work of a stream, or nothing if the work is being captured: then it is the graph's, and runs when its owner says.
pub fn event_behind(ordinal: usize, handle: usize) -> PyResult<Option<CudaEvent>> {
    const HOLD: &str = "find the end of the stream's work";
    let _current = CurrentContext::remember();
    let device = device(ordinal).map_err(|error| exception(&error))?;
    device.context.bind_to_thread().map_err(|error| driver("use the device", error))?;
    let handle = if handle <= LEGACY { 0 } else { handle };
    // SAFETY: as in `in_order_of`.
    let stream = unsafe { device.context.wrap_borrowed_stream(handle as *mut _) };
    // SAFETY: the stream is live.
    let status = unsafe { result::stream::is_capturing(stream.cu_stream()) };
    if status != Ok(CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE) {
        return Ok(None);
    }
    stream.record_event(None).map(Some).map_err(|error| driver(HOLD, error))
}

/// Frees the memory that sorts on devices keep for the next ones.
pub fn release() {
    let devices: Vec<_> = lock(&DEVICES).values().cloned().collect();
    for device in devices {
        let _current = CurrentContext::remember();
        if let Some(sorter) = device.default.get() {
            sorter.release();
        }
        let joined = std::mem::take(&mut lock(&device.joined).sorters);
        drop(joined);
    }
}
