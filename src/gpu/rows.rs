//! Sorts of the rows of a device array: by one launch where a tile holds a row, else one row after the other, as arrays.

use cudarc::driver::{CudaStream, result};
use sortsmith_codegen::rows::RowSort;

use super::alignment;
use super::device_sort;
use super::scratch::SortMemory;
use super::sorts::Sorts;
use super::status::checked;
use super::task::{Arrays, Task};
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
    if is_one_launch(task, lists, arrays) {
        let kernels = sorts.row_kernels(row_sort(sorts, task));
        if let Some(kernel) = kernels.iter().find(|it| it.max_columns >= task.n as u64) {
            let kernel = sorts.load_rows(kernel)?;
            let sort = |[values_in, values_out]: [u64; 2]| {
                let arrays = Arrays { values_in, values_out, ..*arrays };
                (0..lists.count()).step_by(kernel.max_rows()).try_for_each(|first| {
                    let rows = (lists.count() - first).min(kernel.max_rows());
                    let arrays = arrays.at_item(lists.range(first).start, task);
                    // SAFETY: the caller vouches for everything but the values' addresses, which are multiples of a value's size here.
                    // The kernel's tile holds a row, and only an argsort has no output for keys.
                    unsafe { kernel.sort_rows(stream, (rows, lists), &task.bits, &arrays) }
                })
            };
            let (values, copies) = ([arrays.values_in, arrays.values_out], &mut memory.positions);
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

/// Whether one launch sorts all rows, if a tile holds one: the kernels move such values, which lie where they can be moved, or a copy of
/// all of them can be; and NaNs come by their bits.
fn is_one_launch(task: &Task, lists: &RowLists, arrays: &Arrays) -> bool {
    let Carried::As(value) = task.value else { return false };
    let is_aligned = |address: u64| address.is_multiple_of(u64::from(value.bytes().max(1)));
    let in_place = arrays.values_in == arrays.values_out;
    // A copy of the output would overwrite what lies between rows there.
    let has_no_gap_to_keep = in_place || lists.have_no_gaps() || is_aligned(arrays.values_out);
    let is_by_bits = !task.nan_last || task.n == 1;
    is_by_bits && has_no_gap_to_keep
}

/// The sort of a task's rows.
fn row_sort(sorts: &Sorts, task: &Task) -> RowSort {
    RowSort {
        key: task.key,
        value: task.value.moved(),
        order: task.order,
        takes_bits: task.bits != (0..task.key.bits()),
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
