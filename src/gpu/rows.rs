//! Sorts of the rows of a device array: by one launch where a tile holds a row, by launches of all rows device-wide where such a sort
//! does, else one row after the other, as arrays.

use cudarc::driver::{CudaStream, result};
use sortsmith_codegen::rows::{self, RowSort};

use super::alignment;
use super::device_sort;
use super::row_tiles::RowShape;
use super::scratch::{Scratch, SortMemory};
use super::sorts::{LoadedRows, RowKernel, Sorts};
use super::status::checked;
use super::task::{Arrays, Task};
use crate::algorithm::ArrayAlgorithm;
use crate::error::Error;
use crate::lists::{Lists as _, RowLists};
use crate::value::Carried;

/// Enqueues the sort of each row and does not wait for it. The task is that of one row.
///
/// # Safety
///
/// As for [`device_sort::run`], with arrays of all rows, and scratch that other rows use too.
pub unsafe fn run(
    sorts: &Sorts,
    stream: &CudaStream,
    (task, lists): (&Task, &RowLists),
    arrays: &Arrays,
    memory: &mut SortMemory,
) -> Result<(), Error> {
    let is_in_place = arrays.keys_out == Some(arrays.keys_in);
    if lists.count() == 0 || task.n == 1 && is_in_place {
        return Ok(());
    }
    debug_assert!(!task.counted || reads_count(sorts, task, lists.count()));
    if gaps_stay(task, lists, arrays) && may_be_batched(task) {
        let kernels = sorts.row_kernels(row_sort(sorts, task));
        if let Some(kernel) = kernel_of_all(&kernels, task, lists.count()) {
            let kernel = sorts.load_rows(kernel)?;
            let SortMemory { scratch, positions: copies, .. } = memory;
            let sort = |[values_in, values_out]: [u64; 2]| {
                let arrays = Arrays { values_in, values_out, ..*arrays };
                // SAFETY: the caller vouches for everything but the values' addresses, which are multiples of a value's size here. The
                // kernels are of the task's rows, and only an argsort has no output for keys.
                unsafe { sort_all(sorts, stream, (kernel, task, lists), &arrays, scratch) }
            };
            let values = [arrays.values_in, arrays.values_out];
            let items = (task.value.moved(), items(lists));
            // SAFETY: the caller vouches for the context, the arrays and the memory. No copy writes between rows what was not there.
            return unsafe { alignment::with_aligned(stream, items, values, copies, sort) };
        }
    }
    (0..lists.count()).try_for_each(|row| {
        let arrays = arrays.at_item(lists.range(row).start, task);
        if task.n > 1 {
            // SAFETY: the caller vouches for the arrays, of which this row is a part, and for the rest.
            return unsafe { device_sort::run(sorts, stream, task, &arrays, memory) };
        }
        // SAFETY: as above.
        unsafe { copy_item(stream, task, &arrays) }
    })
}

/// Prepares everything that [`run`] needs for as many rows of the task's items, and for fewer: kernels and scratch. `writes_keys` is false
/// for an argsort.
pub fn prepare(
    sorts: &Sorts,
    (task, rows): (&Task, usize),
    writes_keys: bool,
    memory: &mut SortMemory,
) -> Result<(), Error> {
    if may_be_batched(task) {
        let kernels = sorts.row_kernels(row_sort(sorts, task));
        if let Some(kernel) = kernel_of_all(&kernels, task, rows.max(2)) {
            match sorts.load_rows(kernel)? {
                LoadedRows::Tiles(_) => return Ok(()),
                LoadedRows::DeviceWide(kernel) => {
                    let device = sorts.context().device();
                    let bytes = kernel.rows_scratch_bytes(task, rows, writes_keys, device);
                    memory.scratch.reserve(bytes)?;
                }
            }
        }
    }
    if task.counted {
        return Ok(());
    }
    // One row alone is an array.
    device_sort::prepare(sorts, task, writes_keys, memory)
}

/// Sorts all rows by the same launches.
///
/// # Safety
///
/// As for [`run`], with kernels of the task's rows, and values at multiples of their size, of the type that moves with the keys.
unsafe fn sort_all(
    sorts: &Sorts,
    stream: &CudaStream,
    (kernel, task, lists): (&LoadedRows, &Task, &RowLists),
    arrays: &Arrays,
    scratch: &mut Scratch,
) -> Result<(), Error> {
    let kernel = match kernel {
        LoadedRows::Tiles(kernel) => kernel,
        LoadedRows::DeviceWide(kernel) => {
            let device = sorts.context().device();
            // SAFETY: the caller vouches for the arrays and the scratch.
            return unsafe { kernel.sort_rows(device, stream, (task, lists), arrays, scratch) };
        }
    };
    (0..lists.count()).step_by(kernel.max_rows()).try_for_each(|first| {
        let rows = (lists.count() - first).min(kernel.max_rows());
        let arrays = arrays.at_item(lists.range(first).start, task);
        let (columns, stride) = (lists.columns(), lists.stride());
        let shape = RowShape { rows, columns, stride, counts_columns: false };
        // SAFETY: the caller vouches for the arrays. The kernel's tile holds a row.
        unsafe { kernel.sort_rows(stream, shape, &task.bits, &arrays) }
    })
}

/// Whether there are kernels that sort many rows at once, if they hold one: they move such values, and NaNs come by their bits.
fn may_be_batched(task: &Task) -> bool {
    let is_by_bits = !task.nan_last || task.n == 1;
    is_by_bits && matches!(task.value, Carried::As(_))
}

/// Whether there are kernels that read from memory how many rows of the task's items there are, of up to as many.
pub fn reads_count(sorts: &Sorts, task: &Task, rows: usize) -> bool {
    let kernels = sorts.row_kernels(row_sort(sorts, task));
    // A launch has room for as many, and each of several would read the count as that of its own rows.
    let is_one_launch = i32::try_from(rows).is_ok();
    may_be_batched(task) && is_one_launch && kernel_of_all(&kernels, task, rows).is_some()
}

/// The kernels that sort all rows at once, if they are faster than one row after the other: a row alone is an array, unless a count says
/// whether it is sorted, and an algorithm that is named is one of arrays.
fn kernel_of_all<'a>(kernels: &'a [RowKernel], task: &Task, rows: usize) -> Option<&'a RowKernel> {
    let kernel = kernels.iter().find(|it| it.max_columns >= task.n as u64)?;
    let are_together = task.counted || rows::are_sorted_together(&kernel.spec, rows as u64);
    let is_named = kernel.is_device_wide() && task.algorithm != ArrayAlgorithm::Fastest;
    (are_together && !is_named).then_some(kernel)
}

/// Whether what lies between rows stays, where values at unsupported addresses are copied with their gaps: a copy of the output would
/// overwrite it.
fn gaps_stay(task: &Task, lists: &RowLists, arrays: &Arrays) -> bool {
    let bytes = u64::from(task.value.moved().bytes().max(1));
    let in_place = arrays.values_in == arrays.values_out;
    in_place || lists.have_no_gaps() || arrays.values_out.is_multiple_of(bytes)
}

/// The sort of a task's rows.
fn row_sort(sorts: &Sorts, task: &Task) -> RowSort {
    RowSort {
        key: task.key,
        value: task.value.moved(),
        order: task.order,
        takes_bits: task.bits != (0..task.key.bits()),
        counted: task.counted,
        arch: sorts.context().arch(),
    }
}

/// Items from the first row to the end of the last one.
fn items(lists: &RowLists) -> usize {
    lists.range(lists.count() - 1).end
}

/// Copies the only item of a row, if it is to go elsewhere.
///
/// # Safety
///
/// As for [`run`].
unsafe fn copy_item(stream: &CudaStream, task: &Task, arrays: &Arrays) -> Result<(), Error> {
    let keys_out = arrays.keys_out.unwrap_or(arrays.keys_in);
    let keys = (keys_out, arrays.keys_in, task.key.bytes() as usize);
    let values = (arrays.values_out, arrays.values_in, task.value_bytes());
    [keys, values].into_iter().filter(|(to, from, _)| to != from).try_for_each(
        |(to, from, bytes)| {
            // SAFETY: the caller vouches for the arrays, which have an item each and do not overlap.
            let copied = unsafe { result::memcpy_dtod_async(to, from, bytes, stream.cu_stream()) };
            checked("enqueue a copy", copied)
        },
    )
}
