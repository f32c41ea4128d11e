//! What the loaded kernels of every family do.

use std::fmt;

use cudarc::driver::CudaStream;
use sortsmith_codegen::device::Device;

use super::scratch::Scratch;
use super::task::{Arrays, Task};
use crate::error::Error;

/// Loaded kernels that sort one array, of whichever family.
pub trait ArrayKernels: fmt::Debug + Send + Sync {
    /// Enqueues the sort and does not wait for it.
    ///
    /// # Safety
    ///
    /// - The stream's context is bound to this thread, and is the one that the kernels were loaded in.
    /// - The kernels are of the task's types, and the task has no more items than they sort.
    /// - The arrays are memory of that context for `task.n` items, each at a multiple of its item's size. They are valid until
    ///   the stream has done this work, nothing outside of the stream's order accesses them, and they do not overlap, except
    ///   that a sort in place names the same arrays as input and output.
    /// - The scratch is of this stream.
    unsafe fn sort(
        &self,
        device: Device,
        stream: &CudaStream,
        task: &Task,
        arrays: &Arrays,
        scratch: &mut Scratch,
    ) -> Result<(), Error>;
}
