//! Binned argsorts of the rows of a device array.

use cudarc::driver::CudaStream;
use sortsmith_codegen::KeyType;
use sortsmith_codegen::binned_argsort::{BinnedLaunches, BinnedRows, BinnedTask, Exchange};

use super::binned_kernels::{self, BinnedArrays};
use super::scratch::{Scratch, SortMemory};
use super::sorts::Sorts;
use crate::bin_key::BinnedLists;
use crate::error::Error;

/// Addresses of device arrays.
#[derive(Clone, Copy, Debug)]
pub struct BinnedSlices {
    /// The rows' keys.
    pub keys: u64,
    /// Where the positions go, row after row.
    pub positions: u64,
    /// Where the offsets go, bins + 1 of each row.
    pub offsets: u64,
}

/// Prepares everything that [`run`] needs: kernels and scratch. After that `run` neither allocates nor compiles, for any number of
/// rows, of this number of columns or of fewer.
pub fn prepare(
    sorts: &Sorts,
    stream: &CudaStream,
    task: BinnedTask,
    columns: usize,
    memory: &mut SortMemory,
) -> Result<(), Error> {
    let device = sorts.context().device();
    exchange_of(Exchange::of(device.multiprocessors), stream, memory)?;
    let mut bytes = 0;
    for spec in task.specs(device.shared_bytes_per_block) {
        sorts.load_binned(spec)?;
        bytes = bytes.max(spec.max_count_bytes(columns as u64, device.multiprocessors));
    }
    memory.scratch.reserve(Scratch::bytes_of([usize::try_from(bytes).unwrap_or(usize::MAX)]))
}

/// The memory by which the blocks of one launch publish their counts.
fn exchange_of(
    exchange: Exchange,
    stream: &CudaStream,
    memory: &mut SortMemory,
) -> Result<u64, Error> {
    let bytes = usize::try_from(exchange.bytes()).unwrap_or(usize::MAX);
    memory.exchange.take_zeroed(bytes, stream)
}

/// Enqueues the binned argsort of each row and does not wait for it.
///
/// # Safety
///
/// - The stream's context is bound to this thread, and is that of the sorts.
/// - The slices are memory of that context: keys of this type, and outputs, of these rows, which have less than 2³² columns and at most
///   [`MAX_BINS`](crate::bin_key::MAX_BINS) bins. They are aligned for their types and do not overlap.
/// - They are valid until the stream has done this work, and nothing outside of the stream's order accesses them.
/// - The memory is of this stream.
pub unsafe fn run(
    sorts: &Sorts,
    stream: &CudaStream,
    (key, lists): (KeyType, BinnedLists),
    slices: &BinnedSlices,
    memory: &mut SortMemory,
) -> Result<(), Error> {
    let device = sorts.context().device();
    // At most 512.
    let task = BinnedTask { key, bins: lists.bins as u32 };
    let shape = BinnedRows { rows: lists.rows as u64, columns: lists.columns as u64 };
    let shared_bytes = device.shared_bytes_per_block;
    let spec = task.spec(shape.rows, shape.columns, device.multiprocessors, shared_bytes);
    let Some(spec) = spec else {
        let reason = format!("{task:?} takes more than {shared_bytes} bytes of shared memory");
        return Err(Error::Driver { doing: "choose a binned argsort", reason });
    };
    let Some(launches) = spec.launches(shape, device.multiprocessors) else { return Ok(()) };
    let module = sorts.load_binned(spec)?;
    let bytes = launches.count_bytes(&spec, shape.rows);
    let counts = match launches {
        BinnedLaunches::AtOnce { exchange, .. } => exchange_of(exchange, stream, memory)?,
        _ => memory.scratch.take([usize::try_from(bytes).unwrap_or(usize::MAX)])?[0],
    };
    let BinnedSlices { keys, positions, offsets } = *slices;
    let arrays = BinnedArrays { keys, stride: lists.stride, positions, offsets, counts };
    // SAFETY: the launches are the spec's for this shape, the counts are as many as these have and aligned as scratch is, or
    // the exchange, which all launches on this stream leave as the next one needs it, and the caller vouches for the rest.
    unsafe { binned_kernels::run(stream, &module, (shape, launches), task.bins, &arrays) }
}
