//! Sorts of device slices of which a number on the device says how many keys, or rows, there are.
//!
//! The kernels of arrays and of rows read the number. What those do not sort, the kernels of segments do, which read it too: keys with values
//! that no kernel moves, and rows that no kernel sorts with others.

use bytemuck::Pod;
use cudarc::driver::{DevicePtr, DevicePtrMut};
use sortsmith_codegen::ValueType;

use super::{StreamSorter, address_or_null};
use crate::count::DeviceCount;
use crate::device_lists::DeviceLists;
use crate::error::Error;
use crate::gpu::segment_kernels::SegmentSizes;
use crate::gpu::stream_guard::{SliceAddress, StreamGuard};
use crate::gpu::task::{Arrays, CountAddress, Task};
use crate::gpu::{device_sort, rows};
use crate::key::SortKey;
use crate::lists::{Lists as _, RowLists};
use crate::value::Carried;

/// Rows of an array, and a number of them on a device.
pub type RowsAndCount<'a> = (&'a RowLists, DeviceCount<'a>);

/// Calls `with` for the slice of a count, whatever its type.
macro_rules! with_slice {
    ($count:expr, |$slice:ident| $with:expr) => {
        match $count {
            DeviceCount::U32($slice) => $with,
            DeviceCount::U64($slice) => $with,
        }
    };
}

/// Arrays, of which the first keys are counted.
impl StreamSorter {
    /// Prepares kernels and scratch for such sorts. `writes_keys` is false for an argsort.
    pub fn prepare_counted(&self, task: &Task, writes_keys: bool) -> Result<(), Error> {
        if sorts_by_segments(task) {
            let sizes = SegmentSizes { count: 1, longest: task.n };
            return self.prepare_segments((task, sizes), writes_keys);
        }
        device_sort::prepare(&self.sorts, &counted(task), writes_keys, self.guard()?.memory())
    }

    /// Sorts the first keys, and of values with them if there are any. The task is that of all of them.
    pub fn sort_counted<K: SortKey, V: Pod>(
        &self,
        task: &Task,
        count: DeviceCount<'_>,
        keys: &mut dyn DevicePtrMut<K>,
        values: Option<&mut dyn DevicePtrMut<V>>,
    ) -> Result<(), Error> {
        if sorts_by_segments(task) {
            return with_slice!(count, |slice| {
                let lists = DeviceLists::first_items(slice);
                self.sort_segments::<K, V, _>((task, &lists), keys, values)
            });
        }
        self.require_own(keys, "keys")?;
        values.as_deref().map_or(Ok(()), |values| self.require_own(values, "values"))?;
        self.require_own_count(count)?;
        if task.n < 2 {
            return Ok(());
        }
        let mut guard = self.guard()?;
        // The slices' guards order other streams' uses behind this sort, so they live until it is enqueued.
        let (keys, _keys_guard) = guard.write(keys)?;
        let (values, _values_guard) = address_or_null(values, |values| guard.write(values))?;
        let (count, _count_guard) = count_address(&guard, count)?;
        let arrays = Arrays::in_place(keys, values).counted(count);
        // SAFETY: the slices are of this context, of the task's length and types, and one count. Written slices are borrowed for
        // that, so they do not overlap, and all are freed in a stream's order, which the guards put behind this sort. The caller keeps those
        // that a graph uses, as cudarc requires of every capture.
        unsafe { self.run(&counted(task), &arrays, &mut guard) }
    }

    /// Writes the positions that the first keys would be sorted from.
    pub fn argsort_counted<K: SortKey>(
        &self,
        task: &Task,
        count: DeviceCount<'_>,
        keys: &dyn DevicePtr<K>,
        positions: &mut dyn DevicePtrMut<u32>,
    ) -> Result<(), Error> {
        self.require_own(keys, "keys")?;
        self.require_own(positions, "indices")?;
        self.require_own_count(count)?;
        if task.n == 0 {
            return Ok(());
        }
        let mut guard = self.guard()?;
        let (positions, _positions_guard) = guard.write(positions)?;
        let (keys, _keys_guard) = guard.read(keys)?;
        let (count, _count_guard) = count_address(&guard, count)?;
        let arrays = Arrays::argsort(keys, positions).counted(count);
        // SAFETY: as in `sort_counted`; the keys are only read.
        unsafe { self.run(&counted(task), &arrays, &mut guard) }
    }

    pub(super) fn require_own_count(&self, count: DeviceCount<'_>) -> Result<(), Error> {
        with_slice!(count, |slice| self.require_own(slice, "count"))
    }
}

/// Matrices, of which the first rows are counted. The task is that of one row.
impl StreamSorter {
    /// Prepares kernels and scratch for sorts of up to `count` such rows, of which an array has `items`. `writes_keys` is false for an
    /// argsort.
    pub fn prepare_counted_rows(
        &self,
        task: &Task,
        (count, items): (usize, usize),
        writes_keys: bool,
    ) -> Result<(), Error> {
        let of_row = counted(task);
        if !rows::reads_count(&self.sorts, &of_row, count) {
            let sizes = SegmentSizes { count, longest: task.n };
            return self.prepare_segments((&all_items(task, items)?, sizes), writes_keys);
        }
        rows::prepare(&self.sorts, (&of_row, count), writes_keys, self.guard()?.memory())
    }

    /// Sorts each of the first rows of keys, and of values with them if there are any.
    pub fn sort_counted_rows<K: SortKey, V: Pod>(
        &self,
        task: &Task,
        (lists, count): RowsAndCount<'_>,
        keys: &mut dyn DevicePtrMut<K>,
        values: Option<&mut dyn DevicePtrMut<V>>,
    ) -> Result<(), Error> {
        let of_row = counted(task);
        if !rows::reads_count(&self.sorts, &of_row, lists.count()) {
            let (task, lists) = (all_items(task, keys.len())?, DeviceLists::rows(lists, count));
            return self.sort_segments::<K, V, u32>((&task, &lists), keys, values);
        }
        self.require_own(keys, "keys")?;
        values.as_deref().map_or(Ok(()), |values| self.require_own(values, "values"))?;
        self.require_own_count(count)?;
        if lists.count() == 0 {
            return Ok(());
        }
        let mut guard = self.guard()?;
        let (keys, _keys_guard) = guard.write(keys)?;
        let (values, _values_guard) = address_or_null(values, |values| guard.write(values))?;
        let (count, _count_guard) = count_address(&guard, count)?;
        let arrays = Arrays::in_place(keys, values).counted(count);
        // SAFETY: as in `sort_counted`, with slices that consist of these rows.
        unsafe { self.run_rows((&of_row, lists), &arrays, &mut guard) }
    }

    /// Writes the columns that the keys of each of the first rows would be sorted from.
    pub fn argsort_counted_rows<K: SortKey>(
        &self,
        task: &Task,
        (lists, count): RowsAndCount<'_>,
        keys: &dyn DevicePtr<K>,
        positions: &mut dyn DevicePtrMut<u32>,
    ) -> Result<(), Error> {
        let of_row = counted(task);
        if !rows::reads_count(&self.sorts, &of_row, lists.count()) {
            let (task, lists) = (all_items(task, keys.len())?, DeviceLists::rows(lists, count));
            return self.argsort_segments::<K, u32>((&task, &lists), keys, positions);
        }
        self.require_own(keys, "keys")?;
        self.require_own(positions, "indices")?;
        self.require_own_count(count)?;
        if lists.count() == 0 {
            return Ok(());
        }
        let mut guard = self.guard()?;
        let (positions, _positions_guard) = guard.write(positions)?;
        let (keys, _keys_guard) = guard.read(keys)?;
        let (count, _count_guard) = count_address(&guard, count)?;
        let arrays = Arrays::argsort(keys, positions).counted(count);
        // SAFETY: as in `sort_counted`; the keys are only read.
        unsafe { self.run_rows((&of_row, lists), &arrays, &mut guard) }
    }
}

/// Whether the values are gathered by positions, of which those kernels write all that there are.
fn sorts_by_segments(task: &Task) -> bool {
    matches!(task.value, Carried::ByPosition(_))
}

fn counted(task: &Task) -> Task {
    Task { counted: true, ..task.clone() }
}

/// The task of all items of a matrix, by that of a row; an error if these are more than there are positions.
fn all_items(task: &Task, n: usize) -> Result<Task, Error> {
    const LIMIT: u64 = 1 << 32;
    if task.value.moved() == ValueType::Index && n as u64 > LIMIT {
        return Err(Error::TooManyItems { items: n, limit: LIMIT });
    }
    Ok(Task { n, ..task.clone() })
}

/// The address of a count, and its guard.
pub(super) fn count_address<'s, 'a: 's>(
    guard: &StreamGuard<'a>,
    count: DeviceCount<'s>,
) -> Result<(CountAddress, SliceAddress<'s>), Error> {
    let (read, bytes) = match count {
        DeviceCount::U32(count) => (guard.read(count)?, 4),
        DeviceCount::U64(count) => (guard.read(count)?, 8),
    };
    Ok((CountAddress { address: read.0, bytes }, read))
}
