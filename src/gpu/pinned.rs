//! Pinned host memory, which a device copies from and to by itself, at the speed of the bus.

use std::ffi::c_void;
use std::mem;
use std::ptr::{self, NonNull};
use std::sync::Arc;

use cudarc::driver::sys::{
    self, CUevent, CUevent_flags, CUpointer_attribute as Attribute, CUstream,
};
use cudarc::driver::{CudaContext, DriverError, result};

use super::capture::{self, BesideCaptures};

/// Pinned memory, for all contexts. Nothing is in progress that uses it when it is dropped.
#[derive(Debug)]
pub struct PinnedBuffer {
    context: Arc<CudaContext>,
    memory: NonNull<u8>,
    bytes: usize,
}

// SAFETY: the memory is not tied to a thread, and is accessed through raw pointers alone.
unsafe impl Send for PinnedBuffer {}
// SAFETY: as above.
unsafe impl Sync for PinnedBuffer {}

impl PinnedBuffer {
    /// Allocates `bytes` bytes, at least one, of unspecified content. The context is bound to the thread.
    pub fn new(context: &Arc<CudaContext>, bytes: usize) -> Result<Self, DriverError> {
        let _beside = BesideCaptures::begin();
        // SAFETY: the memory is unset, and its users rely on no content.
        let memory = unsafe { result::malloc_host(bytes, sys::CU_MEMHOSTALLOC_PORTABLE) }?;
        let memory = NonNull::new(memory.cast());
        let memory = memory.ok_or(DriverError(sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY))?;
        Ok(Self { context: Arc::clone(context), memory, bytes })
    }

    /// Its first byte.
    pub fn as_ptr(&self) -> *mut u8 {
        self.memory.as_ptr()
    }

    /// Its length in bytes.
    pub fn len(&self) -> usize {
        self.bytes
    }
}

impl Drop for PinnedBuffer {
    fn drop(&mut self) {
        capture::bind(&self.context);
        let _beside = BesideCaptures::begin();
        // SAFETY: it was allocated here and has no other owner. An error here stems from earlier work and is reported to its owner.
        let _ = unsafe { result::free_host(self.memory.as_ptr().cast()) };
    }
}

/// An event without a time.
#[derive(Debug)]
pub struct Event {
    context: Arc<CudaContext>,
    handle: CUevent,
}

// SAFETY: an event's handle is not tied to a thread.
unsafe impl Send for Event {}
// SAFETY: as above; the driver lets all threads use an event.
unsafe impl Sync for Event {}

impl Event {
    /// Makes an event. The context is bound to the thread.
    pub fn new(context: &Arc<CudaContext>) -> Result<Self, DriverError> {
        let handle = result::event::create(CUevent_flags::CU_EVENT_DISABLE_TIMING)?;
        Ok(Self { context: Arc::clone(context), handle })
    }

    /// Records what has been enqueued on a live stream of the context.
    pub fn record(&self, stream: CUstream) -> Result<(), DriverError> {
        // SAFETY: the event is live.
        unsafe { result::event::record(self.handle, stream) }
    }

    /// Whether what was recorded is done.
    #[cfg(feature = "nccl")]
    pub fn has_occurred(&self) -> Result<bool, DriverError> {
        // SAFETY: the event is live.
        match unsafe { result::event::query(self.handle) } {
            Ok(()) => Ok(true),
            Err(DriverError(sys::CUresult::CUDA_ERROR_NOT_READY)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Lets a live stream of the context wait for what was recorded.
    #[cfg(feature = "nccl")]
    pub fn delay(&self, stream: CUstream) -> Result<(), DriverError> {
        let flags = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
        // SAFETY: the event is live.
        unsafe { result::stream::wait_event(stream, self.handle, flags) }
    }

    /// Waits for what was recorded.
    pub fn synchronize(&self) -> Result<(), DriverError> {
        // SAFETY: the event is live.
        unsafe { result::event::synchronize(self.handle) }
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        capture::bind(&self.context);
        let handle = mem::replace(&mut self.handle, ptr::null_mut());
        // SAFETY: it was made here and has no other owner. An error here stems from earlier work.
        let _ = unsafe { result::event::destroy(handle) };
    }
}

/// Whether a slice lies within one allocation of pinned memory, or within one range that was registered. Its first and last byte say
/// so: the driver numbers these ranges.
pub fn is_pinned(slice: &[u8]) -> bool {
    let [Some(first), Some(last)] = [slice.first(), slice.last()] else { return false };
    match pinned_range_of(first) {
        Some(range) => pinned_range_of(last) == Some(range),
        None => false,
    }
}

/// The driver's number of the range of pinned memory that a byte lies in. A failed query counts as none.
fn pinned_range_of(byte: &u8) -> Option<u64> {
    const HOST: u64 = sys::CUmemorytype::CU_MEMORYTYPE_HOST as u64;
    let mut attributes = [
        Attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
        Attribute::CU_POINTER_ATTRIBUTE_BUFFER_ID,
        Attribute::CU_POINTER_ATTRIBUTE_IS_MANAGED,
    ];
    // The longest of these is 8 bytes long, and all are written at the front.
    let mut found = [0u64; 3];
    let mut pointers = found.each_mut().map(|it| ptr::from_mut(it).cast::<c_void>());
    let address = ptr::from_ref(byte).addr() as u64;
    // SAFETY: there are as many attributes as pointers, each to a live variable with room for its attribute. The address may be any.
    let queried = unsafe {
        let count = attributes.len() as u32;
        sys::cuPointerGetAttributes(count, attributes.as_mut_ptr(), pointers.as_mut_ptr(), address)
    };
    let [memory_type, range, is_managed] = found;
    (queried.result().is_ok() && memory_type == HOST && is_managed == 0).then_some(range)
}
