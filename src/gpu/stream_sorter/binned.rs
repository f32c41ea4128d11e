//! Binned argsorts of the rows of device slices.

use cudarc::driver::{DevicePtr, DevicePtrMut};
use sortsmith_codegen::binned_argsort::BinnedTask;

use super::StreamSorter;
use crate::bin_key::{BinKey, BinnedLists};
use crate::error::Error;
use crate::gpu::binned::{self, BinnedSlices};

impl StreamSorter {
    /// Prepares kernels and scratch for binned argsorts of rows of this many columns.
    pub fn prepare_argsort_binned<K: BinKey>(
        &self,
        columns: usize,
        bins: usize,
    ) -> Result<(), Error> {
        let task = BinnedTask { key: K::KEY_TYPE, bins: bins as u32 };
        binned::prepare(&self.sorts, &self.stream, task, columns, self.guard()?.memory())
    }

    /// Writes the positions of each row's keys by bins, and the bins' offsets.
    pub fn argsort_binned<K: BinKey>(
        &self,
        lists: BinnedLists,
        keys: &dyn DevicePtr<K>,
        positions: &mut dyn DevicePtrMut<u32>,
        offsets: &mut dyn DevicePtrMut<u32>,
    ) -> Result<(), Error> {
        self.require_own(keys, "keys")?;
        self.require_own(positions, "positions")?;
        self.require_own(offsets, "offsets")?;
        if lists.rows == 0 {
            return Ok(());
        }
        let mut guard = self.guard()?;
        // The slices' guards order other streams' uses behind this work, so they live until it is enqueued.
        let (keys, _keys_guard) = guard.read(keys)?;
        let (positions, _positions_guard) = guard.write(positions)?;
        let (offsets, _offsets_guard) = guard.write(offsets)?;
        let slices = BinnedSlices { keys, positions, offsets };
        let lists = (K::KEY_TYPE, lists);
        // SAFETY: the slices are of this context and of these types, and the caller has compared their lengths with the rows. Outputs are
        // borrowed for writing, so nothing overlaps, and are freed in a stream's order, which the guards put behind this work. The
        // caller keeps those that a graph uses, as cudarc requires of every capture.
        unsafe { binned::run(&self.sorts, &self.stream, lists, &slices, guard.memory()) }
    }
}
