//! Memory that passes over a bucket go by way of: one for each thread.

use std::sync::{Mutex, PoisonError};

use super::items::{Pairs, Source};

/// Memory for buckets of up to as many items as each has.
pub(super) struct Spares<B, V> {
    free: Mutex<Vec<(Pairs<B, V>, usize)>>,
    /// The number of items of each.
    pub(super) items: usize,
}

impl<B: Copy + Send + Sync, V: Copy + Send + Sync> Spares<B, V> {
    /// Ranges of this memory, for each of this number of threads one.
    pub(super) fn new(memory: Pairs<B, V>, threads: usize) -> Self {
        let items = memory.length() / threads;
        let threads = if items == 0 { 0 } else { threads };
        // SAFETY: the ranges are disjoint and lie within the memory.
        let of_thread = |thread: usize| unsafe { (memory.range(thread * items, items), thread) };
        Self { free: Mutex::new((0..threads).map(of_thread).collect()), items }
    }

    /// Runs this with memory that nothing else uses meanwhile, for this number of items, and with the memory's number. `None` if there
    /// is none.
    pub(super) fn with<R>(
        &self,
        items: usize,
        run: impl FnOnce(Pairs<B, V>, usize) -> R,
    ) -> Option<R> {
        let free = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let (spare, number) = if items <= self.items { free().pop() } else { None }?;
        // SAFETY: the caller gets no more items than there are.
        let result = run(unsafe { spare.range(0, items) }, number);
        free().push((spare, number));
        Some(result)
    }
}
