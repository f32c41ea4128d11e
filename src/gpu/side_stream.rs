//! Streams that no caller sees.

use std::mem;
use std::ptr;
use std::sync::Arc;

use cudarc::driver::result::{self, stream::StreamKind};
use cudarc::driver::sys::CUstream;
use cudarc::driver::{CudaContext, CudaStream};

use super::capture::{self, BesideCaptures};
use super::status::checked;
use crate::error::Error;

/// A stream that no caller sees, destroyed when it is dropped.
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
    /// Makes a stream. cudarc does not count it; its count of streams decides whether it tracks the uses of slices.
    pub fn new(context: &Arc<CudaContext>) -> Result<Self, Error> {
        capture::bind(context);
        let _beside = BesideCaptures::begin();
        let handle = checked("make a stream", result::stream::create(StreamKind::NonBlocking))?;
        Ok(Self { context: Arc::clone(context), handle })
    }

    /// Makes a stream of the highest priority: its kernels begin before those of other streams that have not begun.
    #[cfg(feature = "nccl")]
    pub fn urgent(context: &Arc<CudaContext>) -> Result<Self, Error> {
        capture::bind(context);
        let _beside = BesideCaptures::begin();
        // The driver takes the highest priority that there is.
        let made =
            result::stream::create_with_priority(StreamKind::NonBlocking, i32::from(i8::MIN));
        Ok(Self { context: Arc::clone(context), handle: checked("make a stream", made)? })
    }

    /// The driver's handle, valid as long as this lives.
    pub fn handle(&self) -> CUstream {
        self.handle
    }

    /// The stream as cudarc represents streams. The caller keeps this object longer than the result.
    pub fn wrapped(&self) -> Arc<CudaStream> {
        // SAFETY: the stream is of this context, and outlives what is returned.
        unsafe { self.context.wrap_borrowed_stream(self.handle) }
    }
}

impl Drop for SideStream {
    fn drop(&mut self) {
        capture::bind(&self.context);
        let _beside = BesideCaptures::begin();
        let handle = mem::replace(&mut self.handle, ptr::null_mut());
        // SAFETY: it was made here and has no other owner. An error here stems from earlier work and is reported to its owner.
        let _ = unsafe { result::stream::destroy(handle) };
    }
}
