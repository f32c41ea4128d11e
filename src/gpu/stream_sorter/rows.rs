//! Sorts of the rows of device slices.

use bytemuck::Pod;
use cudarc::driver::{CudaSlice, DevicePtr, DevicePtrMut, result};

use super::{StreamSorter, address_or_null};
use crate::error::Error;
use crate::gpu::rows;
use crate::gpu::status::checked;
use crate::gpu::stream_guard::StreamGuard;
use crate::gpu::task::{Arrays, Task};
use crate::key::SortKey;
use crate::lists::{Lists as _, RowLists};

impl StreamSorter {
    /// Prepares kernels and scratch for sorts of such rows. `writes_keys` is false for an argsort.
    pub fn prepare_rows(&self, of_rows: (&Task, usize), writes_keys: bool) -> Result<(), Error> {
        rows::prepare(&self.sorts, of_rows, writes_keys, self.guard()?.memory())
    }

    /// Sorts each row of keys, and of values with them if there are any. The task is that of one row.
    pub fn sort_rows<K: SortKey, V: Pod>(
        &self,
        of_rows: (&Task, &RowLists),
        keys: &mut dyn DevicePtrMut<K>,
        values: Option<&mut dyn DevicePtrMut<V>>,
    ) -> Result<(), Error> {
        self.require_own(keys, "keys")?;
        values.as_deref().map_or(Ok(()), |values| self.require_own(values, "values"))?;
        if of_rows.1.count() == 0 {
            return Ok(());
        }
        let mut guard = self.guard()?;
        // The slices' guards order other streams' uses behind this sort, so they live until it is enqueued.
        let (keys, _keys_guard) = guard.write(keys)?;
        let (values, _values_guard) = address_or_null(values, |values| guard.write(values))?;
        let arrays = Arrays::in_place(keys, values);
        // SAFETY: the slices are of this context and of the task's types, and consist of these rows. They are borrowed for writing, so
        // they do not overlap, and are freed in a stream's order, which the guards put behind this sort. The caller keeps those that a
        // graph uses, as cudarc requires of every capture.
        unsafe { self.run_rows(of_rows, &arrays, &mut guard) }
    }

    /// Sorts each row of keys, and of values with them if there are any, to other slices of the same length.
    pub fn sort_rows_into<K: SortKey, V: Pod>(
        &self,
        of_rows: (&Task, &RowLists),
        (keys, sorted): (&dyn DevicePtr<K>, &mut dyn DevicePtrMut<K>),
        values: Option<(&dyn DevicePtr<V>, &mut dyn DevicePtrMut<V>)>,
    ) -> Result<(), Error> {
        self.require_own(keys, "keys")?;
        self.require_own(sorted, "sorted keys")?;
        if let Some((values, sorted)) = &values {
            self.require_own(*values, "values")?;
            self.require_own(*sorted, "sorted values")?;
        }
        if of_rows.1.count() == 0 {
            return Ok(());
        }
        let mut guard = self.guard()?;
        let (keys_in, _keys_guard) = guard.read(keys)?;
        let (keys_out, _sorted_guard) = guard.write(sorted)?;
        let (values, sorted_values) = values.unzip();
        let (values_in, _values_guard) = address_or_null(values, |values| guard.read(values))?;
        let (values_out, _values_out_guard) =
            address_or_null(sorted_values, |sorted| guard.write(sorted))?;
        let arrays = Arrays::between((keys_in, values_in), (keys_out, values_out));
        // SAFETY: as in `sort_rows`; inputs and outputs are borrowed at the same time, so they do not overlap.
        unsafe { self.run_rows(of_rows, &arrays, &mut guard) }
    }

    /// Writes the columns that the keys of each row would be sorted from, and the sorted keys if there is room for them.
    pub fn argsort_rows<K: SortKey>(
        &self,
        of_rows: (&Task, &RowLists),
        keys: &dyn DevicePtr<K>,
        sorted: Option<&mut dyn DevicePtrMut<K>>,
        positions: &mut dyn DevicePtrMut<u32>,
    ) -> Result<(), Error> {
        self.require_own(keys, "keys")?;
        sorted.as_deref().map_or(Ok(()), |sorted| self.require_own(sorted, "sorted keys"))?;
        self.require_own(positions, "indices")?;
        if of_rows.1.count() == 0 {
            return Ok(());
        }
        let mut guard = self.guard()?;
        let (positions, _positions_guard) = guard.write(positions)?;
        let (keys, _keys_guard) = guard.read(keys)?;
        let (sorted, _sorted_guard) = address_or_null(sorted, |sorted| guard.write(sorted))?;
        let arrays = Arrays::argsort(keys, positions).with_keys(sorted);
        // SAFETY: as in `sort_rows`; the keys are only read, and outputs are borrowed at the same time.
        unsafe { self.run_rows(of_rows, &arrays, &mut guard) }
    }

    /// Allocates `n` indices of zero.
    pub fn zero_indices(&self, n: usize) -> Result<CudaSlice<u32>, Error> {
        let mut indices = self.indices(n)?;
        if n > 0 {
            let guard = self.guard()?;
            let (address, _indices_guard) = guard.write(&mut indices)?;
            let bytes = n * size_of::<u32>();
            // SAFETY: the slice is of this context and as long.
            let zeroed =
                unsafe { result::memset_d8_async(address, 0, bytes, self.stream.cu_stream()) };
            checked("enqueue a memset", zeroed)?;
        }
        Ok(indices)
    }

    /// # Safety
    ///
    /// As for the arrays of [`rows::run`].
    pub(super) unsafe fn run_rows(
        &self,
        of_rows: (&Task, &RowLists),
        arrays: &Arrays,
        guard: &mut StreamGuard<'_>,
    ) -> Result<(), Error> {
        // SAFETY: the caller vouches for the arrays; the context is bound, and the memory is this stream's.
        unsafe { rows::run(&self.sorts, &self.stream, of_rows, arrays, guard.memory()) }
    }
}
