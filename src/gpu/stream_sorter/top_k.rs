//! Top-k of the rows of device slices.

use cudarc::driver::{CudaSlice, DevicePtr, DevicePtrMut, DeviceRepr};

use super::StreamSorter;
use crate::error::Error;
use crate::gpu::status::{allocated, checked};
use crate::gpu::top_k::{self, TopKOfRows, TopKSlices};
use crate::key::SortKey;
use crate::lists::{Lists as _, RowLists};

impl StreamSorter {
    /// Prepares kernels and scratch for such a top-k.
    pub fn prepare_top_k(&self, of_rows: &TopKOfRows) -> Result<(), Error> {
        top_k::prepare(&self.sorts, of_rows, self.guard()?.memory())
    }

    /// Writes the first keys of each row, and what the top-k finds beside them: positions where there are no values.
    pub fn top_k_rows<K: SortKey, V>(
        &self,
        (of_rows, lists): (&TopKOfRows, &RowLists),
        (keys, values): (&dyn DevicePtr<K>, Option<&dyn DevicePtr<V>>),
        found: &mut dyn DevicePtrMut<K>,
        values_out: &mut dyn DevicePtrMut<V>,
    ) -> Result<(), Error> {
        self.require_own(keys, "keys")?;
        self.require_own(found, "found keys")?;
        if let Some(values) = values {
            self.require_own(values, "values")?;
        }
        let what = if values.is_some() { "found values" } else { "positions" };
        self.require_own(values_out, what)?;
        if lists.count() == 0 || of_rows.k == 0 {
            return Ok(());
        }
        let mut guard = self.guard()?;
        // The slices' guards order other streams' uses behind this work, so they live until it is enqueued.
        let (keys, _keys_guard) = guard.read(keys)?;
        let (keys_out, _found_guard) = guard.write(found)?;
        // Values of no bytes are nowhere.
        let has_bytes = size_of::<V>() > 0;
        let values = values.filter(|_| has_bytes).map(|it| guard.read(it)).transpose()?;
        let (values, _values_guard) = values.unzip();
        let written = if has_bytes { Some(guard.write(values_out)?) } else { None };
        let (values_out, _output_guard) = written.unzip();
        let [values, values_out] = [values, values_out].map(Option::unwrap_or_default);
        let slices = TopKSlices { keys, values, keys_out, values_out };
        let of_rows = (&of_rows.at(&slices), lists);
        // SAFETY: the slices are of this context and of the top-k's types, and the caller has compared their lengths with the rows. Outputs
        // are borrowed for writing, so nothing overlaps, and are freed in a stream's order, which the guards put behind this work. The
        // caller keeps those that a graph uses, as cudarc requires of every capture.
        unsafe { top_k::run(&self.sorts, &self.stream, of_rows, &slices, guard.memory()) }
    }

    /// Allocates `n` keys of unspecified content.
    pub fn found_keys<K: SortKey + DeviceRepr>(&self, n: usize) -> Result<CudaSlice<K>, Error> {
        if n == 0 {
            // The driver refuses an allocation of no bytes.
            return checked("make an empty slice", self.stream.null());
        }
        self.guard()?.require_no_capture(
            "memory that is allocated in a capture does not exist before its graph runs: use top_k_into",
        )?;
        let bytes = n.saturating_mul(size_of::<K>());
        // SAFETY: the caller writes all of it, in the stream's order, before it returns it.
        allocated("found keys", bytes, unsafe { self.stream.alloc(n) })
    }
}
