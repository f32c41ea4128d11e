//! The counter that sorts advance which sample keys.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::Arc;

use cudarc::driver::{CudaContext, result};

use super::capture::{self, BesideCaptures};
use super::side_stream::SideStream;
use super::status::{allocated, checked};
use crate::error::Error;

/// A number in device memory: how many sorts that sample keys have begun in a context. A captured graph's sorts advance it at each launch,
/// so they have another seed each time. It is freed when it is dropped.
#[derive(Debug)]
pub struct SortCounter {
    context: Arc<CudaContext>,
    side: SideStream,
    address: u64,
}

impl SortCounter {
    /// A counter of no sorts yet, which any stream of the context may use.
    pub fn new(context: &Arc<CudaContext>) -> Result<Self, Error> {
        const BYTES: usize = size_of::<u32>();
        const ZERO: &str = "zero the counter of sorts";
        let side = SideStream::new(context)?;
        let _beside = BesideCaptures::begin();
        // SAFETY: the memory is written below, before its first use.
        let address = unsafe {
            if context.has_async_alloc() {
                result::malloc_async(side.handle(), BYTES)
            } else {
                result::malloc_sync(BYTES)
            }
        };
        let address = allocated("a counter of sorts", BYTES, address)?;
        let counter = Self { context: Arc::clone(context), side, address };
        let stream = counter.side.handle();
        // SAFETY: the stream is live, and the memory is as long and has no other users yet.
        checked(ZERO, unsafe { result::memset_d8_async(address, 0, BYTES, stream) })?;
        // SAFETY: the stream is live, and carries nothing else.
        checked(ZERO, unsafe { result::stream::synchronize(stream) })?;
        Ok(counter)
    }

    /// Its address on the device.
    pub fn address(&self) -> u64 {
        self.address
    }
}

impl Drop for SortCounter {
    fn drop(&mut self) {
        capture::bind(&self.context);
        let _beside = BesideCaptures::begin();
        // SAFETY: it was allocated here; the sorts that use it have ended when their context ends. An error here stems from earlier work
        // and is reported to its owner.
        let _ = unsafe {
            if self.context.has_async_alloc() {
                result::free_async(self.address, self.side.handle())
            } else {
                result::free_sync(self.address)
            }
        };
    }
}

/// A number that does not follow from anything that keys could be made by, another one at each call.
pub fn random_seed() -> u32 {
    RandomState::new().build_hasher().finish() as u32
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn seeds_differ() {
        let seeds: HashSet<u32> = (0..100).map(|_| random_seed()).collect();
        assert!(seeds.len() > 95, "{}", seeds.len());
    }
}
