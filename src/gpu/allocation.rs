//! Allocations in a stream's order.

use std::sync::Arc;

use cudarc::driver::{CudaStream, result};

use super::capture::{self, BesideCaptures};
use super::status::allocated;
use crate::error::Error;

/// Device memory that is used in one stream's order. It is freed in that order when it is dropped.
///
/// It is not one of cudarc's slices: those carry two events, which nothing waits for here, and cudarc leaks the memory where
/// it cannot make one of them.
#[derive(Debug)]
pub struct Allocation {
    stream: Arc<CudaStream>,
    address: u64,
}

impl Allocation {
    /// Allocates `bytes` bytes of unspecified content. The stream's context is bound to the thread.
    pub fn new(stream: &Arc<CudaStream>, bytes: usize) -> Result<Self, Error> {
        let _beside = BesideCaptures::begin();
        // SAFETY: the memory is unset, and its users rely on no content.
        let address = unsafe {
            if stream.context().has_async_alloc() {
                result::malloc_async(stream.cu_stream(), bytes)
            } else {
                result::malloc_sync(bytes)
            }
        };
        let address = allocated("scratch", bytes, address)?;
        Ok(Self { stream: Arc::clone(stream), address })
    }

    /// Its address on the device.
    pub fn address(&self) -> u64 {
        self.address
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        capture::bind(self.stream.context());
        let _beside = BesideCaptures::begin();
        let stream = self.stream.cu_stream();
        // SAFETY: it was allocated here and has no other owner; the work that uses it precedes this in the stream's order, or
        // is waited for.
        let freed = unsafe {
            if self.stream.context().has_async_alloc() {
                result::free_async(self.address, stream)
            } else {
                let waited = result::stream::synchronize(stream);
                result::free_sync(self.address).and(waited)
            }
        };
        // An error here stems from earlier work and is reported to its owner, or from a context that is already unusable.
        let _ = freed;
    }
}
