//! What a captured graph owns: the memory that its sorts use, their kernels, and the context.

use std::ffi::c_void;
use std::mem;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use cudarc::driver::{CudaStream, result};

use super::allocation::Allocation;
use super::capture::{self, BesideCaptures, Capture};
use super::context::Context;
use super::retired::{self, Retired};
use super::side_stream::SideStream;
use super::status::{allocated, checked};
use crate::error::Error;

/// Everything that the sorts of one sorter in one capture use. The graph owns it by a user object; its destructor hands it to
/// [`retired`], because no CUDA call is legal there.
#[derive(Debug)]
pub struct GraphHold {
    context: Arc<Context>,
    memory: Mutex<Vec<u64>>,
    streams: Mutex<Vec<SideStream>>,
    adopted: Mutex<Vec<Retired>>,
}

impl GraphHold {
    /// A hold that the graph of this capture owns.
    pub fn of(capture: &Capture, context: &Arc<Context>) -> Result<Weak<Self>, Error> {
        let hold = Arc::new(Self {
            context: Arc::clone(context),
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

    /// Allocates memory that lives as long as the graph and that no stream has used before.
    pub fn allocate(&self, bytes: usize) -> Result<u64, Error> {
        const WAIT: &str = "wait for memory of a captured graph";
        let cuda = self.context.cuda();
        capture::bind(cuda);
        let _beside = BesideCaptures::begin();
        let side = self.context.side_stream()?.handle();
        let is_async = cuda.has_async_alloc();
        // SAFETY: the memory is unset, and its users rely on no content.
        let address = unsafe {
            if is_async { result::malloc_async(side, bytes) } else { result::malloc_sync(bytes) }
        };
        let address = allocated("scratch of a captured graph", bytes, address)?;
        self.memory.lock().unwrap_or_else(PoisonError::into_inner).push(address);
        if is_async {
            // SAFETY: the stream is live, and carries only allocations. After this wait any stream may use the memory.
            checked(WAIT, unsafe { result::stream::synchronize(side) })?;
        }
        Ok(address)
    }

    /// Takes over memory that work on this stream outside of the capture uses too.
    pub fn adopt(&self, stream: &Arc<CudaStream>, memory: Vec<Allocation>) {
        let (context, stream) = (Arc::clone(&self.context), Arc::clone(stream));
        let mut adopted = self.adopted.lock().unwrap_or_else(PoisonError::into_inner);
        adopted.push(Retired::Sorter { context, stream, memory, staging: None });
    }

    /// Keeps a stream that has become part of the capture.
    pub fn keep(&self, stream: SideStream) {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner).push(stream);
    }
}

impl Drop for GraphHold {
    fn drop(&mut self) {
        let cuda = self.context.cuda();
        capture::bind(cuda);
        let _beside = BesideCaptures::begin();
        let memory = mem::take(self.memory.get_mut().unwrap_or_else(PoisonError::into_inner));
        for address in memory {
            // SAFETY: it was allocated here, only the graph used it, and the graph's launches have ended.
            let freed = unsafe {
                match self.context.side_stream() {
                    Ok(side) if cuda.has_async_alloc() => {
                        result::free_async(address, side.handle())
                    }
                    _ => result::free_sync(address),
                }
            };
            // An error here stems from earlier work and is reported to its owner.
            let _ = freed;
        }
        let adopted = self.adopted.get_mut().unwrap_or_else(PoisonError::into_inner);
        adopted.drain(..).for_each(retired::add);
    }
}

/// The destructor of the user object. It must make no CUDA call and must not unwind.
unsafe extern "C" fn release(pointer: *mut c_void) {
    // SAFETY: the pointer is the one that `GraphHold::of` made of a reference, and this is called once.
    let hold = unsafe { Arc::from_raw(pointer.cast_const().cast::<GraphHold>()) };
    retired::add(Retired::Graph(hold));
}
