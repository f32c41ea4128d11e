//! What a captured graph keeps: the memory that its sorts use, their kernels, and the context.

use std::ffi::c_void;
use std::mem;
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use cudarc::driver::result::{self, stream::StreamKind};
use cudarc::driver::sys::CUstream;
use cudarc::driver::{CudaContext, CudaStream};

use super::Gpu;
use super::capture::{self, BesideCaptures, Capture};
use super::driver::told;
use super::memory::{Block, allocated};
use super::retired::{self, Retired};
use crate::Error;

/// What the sorts of one sorter in one capture use. The graph owns it: by a user object, whose end puts it among what has
/// [`Retired`], because no call of CUDA's is legal there.
#[derive(Debug)]
pub struct GraphHold {
    gpu: Arc<Gpu>,
    memory: Mutex<Vec<u64>>,
    streams: Mutex<Vec<SideStream>>,
    adopted: Mutex<Vec<Retired>>,
}

impl GraphHold {
    /// Something to hold, which the graph of this capture owns.
    pub fn of(capture: &Capture, gpu: &Arc<Gpu>) -> Result<Weak<Self>, Error> {
        let hold = Arc::new(Self {
            gpu: Arc::clone(gpu),
            memory: Mutex::default(),
            streams: Mutex::default(),
            adopted: Mutex::default(),
        });
        let weak = Arc::downgrade(&hold);
        let pointer = Arc::into_raw(hold).cast_mut().cast();
        // SAFETY: `release` takes back the reference that the pointer stands for.
        unsafe { capture.keep(pointer, release) }?;
        Ok(weak)
    }

    /// Memory that lasts as long as the graph, which no stream's work has used before.
    pub fn allocate(&self, bytes: usize) -> Result<u64, Error> {
        const WAIT: &str = "wait for memory of a captured graph";
        let context = self.gpu.context();
        capture::bind(context);
        let _beside = BesideCaptures::begin();
        let side = self.gpu.side_stream()?.handle;
        let is_async = context.has_async_alloc();
        // SAFETY: the memory is unset, and is only given out as memory that holds nothing defined.
        let address = unsafe {
            if is_async { result::malloc_async(side, bytes) } else { result::malloc_sync(bytes) }
        };
        let address = allocated("scratch of a captured graph", bytes, address)?;
        self.memory.lock().unwrap_or_else(PoisonError::into_inner).push(address);
        if is_async {
            // SAFETY: the stream is live, and nothing else is on it. From here on the memory is every stream's.
            told(WAIT, unsafe { result::stream::synchronize(side) })?;
        }
        Ok(address)
    }

    /// Keeps memory that work outside of the capture uses too, on this stream.
    pub fn adopt(&self, stream: &Arc<CudaStream>, memory: Vec<Block>) {
        let (gpu, stream) = (Arc::clone(&self.gpu), Arc::clone(stream));
        let mut adopted = self.adopted.lock().unwrap_or_else(PoisonError::into_inner);
        adopted.push(Retired::Sorter { gpu, stream, memory });
    }

    /// Keeps a stream that has become part of the capture.
    pub fn keep(&self, stream: SideStream) {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner).push(stream);
    }
}

impl Drop for GraphHold {
    fn drop(&mut self) {
        let context = self.gpu.context();
        capture::bind(context);
        let _beside = BesideCaptures::begin();
        let memory = mem::take(self.memory.get_mut().unwrap_or_else(PoisonError::into_inner));
        for address in memory {
            // SAFETY: it was allocated here, and what has used it was of the graph, whose launches have ended.
            let freed = unsafe {
                match self.gpu.side_stream() {
                    Ok(side) if context.has_async_alloc() => {
                        result::free_async(address, side.handle)
                    }
                    _ => result::free_sync(address),
                }
            };
            // An error is of earlier work, which others are told of.
            let _ = freed;
        }
        let adopted = self.adopted.get_mut().unwrap_or_else(PoisonError::into_inner);
        adopted.drain(..).for_each(retired::add);
    }
}

/// The end of a user object. No call of CUDA's is legal here, nor may it unwind.
unsafe extern "C" fn release(pointer: *mut c_void) {
    // SAFETY: the pointer is the one that `GraphHold::of` made of a reference, and this is called once.
    let hold = unsafe { Arc::from_raw(pointer.cast_const().cast::<GraphHold>()) };
    retired::add(Retired::Graph(hold));
}

/// A stream that no caller knows of.
#[derive(Debug)]
pub struct SideStream {
    context: Arc<CudaContext>,
    handle: CUstream,
}

// SAFETY: a stream's handle is not tied to a thread.
unsafe impl Send for SideStream {}
// SAFETY: as above; the driver lets all threads use a stream.
unsafe impl Sync for SideStream {}

impl SideStream {
    /// A stream. cudarc's count of streams, by which it decides whether uses of slices are tracked, does not change.
    pub fn new(context: &Arc<CudaContext>) -> Result<Self, Error> {
        capture::bind(context);
        let _beside = BesideCaptures::begin();
        let handle = told("make a stream", result::stream::create(StreamKind::NonBlocking))?;
        Ok(Self { context: Arc::clone(context), handle })
    }

    /// As cudarc has streams.
    pub fn wrapped(&self) -> Arc<CudaStream> {
        // SAFETY: the stream is of this context. Whoever calls keeps it longer than what is returned.
        unsafe { self.context.wrap_borrowed_stream(self.handle) }
    }
}

impl Drop for SideStream {
    fn drop(&mut self) {
        capture::bind(&self.context);
        let _beside = BesideCaptures::begin();
        let handle = mem::replace(&mut self.handle, ptr::null_mut());
        // SAFETY: it was made here, and nobody has it any more. An error is of earlier work, which others are told of.
        let _ = unsafe { result::stream::destroy(handle) };
    }
}
