//! Sorts of arrays that are known by their addresses.

use std::sync::Arc;

use cudarc::driver::result;

use super::StreamSorter;
use crate::error::Error;
use crate::gpu::context::Context;
use crate::gpu::status::checked;
use crate::gpu::task::{Arrays, Task};

impl StreamSorter {
    /// The context and its kernels.
    pub fn context(&self) -> &Arc<Context> {
        self.sorts.context()
    }

    /// Enqueues a sort, of any number of items. The stream is not being captured.
    ///
    /// # Safety
    ///
    /// The arrays are memory of this sorter's context for `task.n` items, aligned for their types. They are valid until the stream has done this
    /// work, nothing outside of the stream's order accesses them, and they do not overlap, except that a sort in place names the
    /// same arrays as input and output.
    pub unsafe fn sort_at(&self, task: &Task, arrays: &Arrays) -> Result<(), Error> {
        let mut guard = self.guard()?;
        if task.n > 1 {
            // SAFETY: the caller vouches for the arrays.
            return unsafe { self.run(task, arrays, &mut guard) };
        }
        let keys = (arrays.keys_out.unwrap_or(arrays.keys_in), arrays.keys_in, task.key_bytes());
        let values = (arrays.values_out, arrays.values_in, task.n * task.value_bytes());
        for (to, from, bytes) in [keys, values] {
            if to != from && bytes > 0 {
                // SAFETY: the caller vouches for the arrays.
                let copied =
                    unsafe { result::memcpy_dtod_async(to, from, bytes, self.stream.cu_stream()) };
                checked("enqueue a copy", copied)?;
            }
        }
        Ok(())
    }
}
