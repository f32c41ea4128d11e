//! Sorts of host slices, by way of copies on the device.
//!
//! Kernels and memory are prepared before the first copy, and the sort is known to have succeeded before anything is copied
//! back: until then the host slices are unchanged.

use std::sync::{MutexGuard, PoisonError, atomic::Ordering};

use bytemuck::Pod;
use cudarc::driver::sys::CUresult;
use cudarc::driver::{DriverError, result};
use sortsmith_codegen::SortSpec;

use super::StreamSorter;
use crate::error::Error;
use crate::gpu::capture::{self, BesideCaptures};
use crate::gpu::device_sort;
use crate::gpu::scratch::Scratch;
use crate::gpu::status::{checked, describe};
use crate::gpu::stream_guard::StreamGuard;
use crate::gpu::task::{Arrays, Task};
use crate::gpu::tile::TileKernel;
use crate::key::SortKey;

impl StreamSorter {
    /// Sorts host slices.
    pub fn sort_copies<K: SortKey, V: Pod>(
        &self,
        task: &Task,
        keys: &mut [K],
        values: &mut [V],
    ) -> Result<(), Error> {
        if task.n < 2 {
            return Ok(());
        }
        let (keys, values) = (key_bytes_mut(keys), value_bytes_mut(values));
        let mut copies = Copies::of(self)?;
        device_sort::prepare(&self.sorts, task, true, copies.guard()?.memory())?;
        let [d_keys, d_values] = copies.take([keys.len(), values.len()])?;
        let arrays = Arrays::in_place(d_keys, d_values);
        copies.copy_in(keys, d_keys)?;
        copies.copy_in(values, d_values)?;
        // SAFETY: the copies are of this context, aligned and as long as the slices. They overlap neither each other nor the
        // scratch, and are used in this stream's order.
        unsafe { self.run(task, &arrays, &mut copies.guard()?) }?;
        copies.wait()?;
        copies.copy_out([(d_keys, keys), (d_values, values)])
    }

    /// The positions that host keys would be sorted from.
    pub fn argsort_copy<K: SortKey>(
        &self,
        task: &Task,
        keys: &[K],
        positions: &mut [u32],
    ) -> Result<(), Error> {
        if task.n < 2 {
            positions.fill(0);
            return Ok(());
        }
        let keys = key_bytes(keys);
        let positions: &mut [u8] = bytemuck::cast_slice_mut(positions);
        let mut copies = Copies::of(self)?;
        device_sort::prepare(&self.sorts, task, false, copies.guard()?.memory())?;
        let [d_keys, d_positions] = copies.take([keys.len(), positions.len()])?;
        let arrays = Arrays::argsort(d_keys, d_positions);
        copies.copy_in(keys, d_keys)?;
        // SAFETY: as in `sort_copies`.
        unsafe { self.run(task, &arrays, &mut copies.guard()?) }?;
        copies.wait()?;
        copies.copy_out([(d_positions, positions)])
    }

    /// Sorts each tile of host slices.
    pub fn sort_tile_copies<K: SortKey, V: Pod>(
        &self,
        spec: &SortSpec,
        keys: &mut [K],
        values: &mut [V],
    ) -> Result<(), Error> {
        let n = keys.len();
        if n < 2 {
            return Ok(());
        }
        let (keys, values) = (key_bytes_mut(keys), value_bytes_mut(values));
        let mut copies = Copies::of(self)?;
        let kernel = TileKernel::prepare(self.sorts.context(), spec)?;
        let [d_keys, d_values] = copies.take([keys.len(), values.len()])?;
        copies.copy_in(keys, d_keys)?;
        copies.copy_in(values, d_values)?;
        {
            let _guard = copies.guard()?;
            // SAFETY: as in `sort_copies`; each block reads its tile before it writes it.
            unsafe { self.run_tiles(&kernel, spec, n, d_keys, d_values) }?;
        }
        copies.wait()?;
        copies.copy_out([(d_keys, keys), (d_values, values)])
    }
}

/// Device copies of host slices, locked for one sort. After it is dropped, no copy reads or writes host memory.
struct Copies<'a> {
    sorter: &'a StreamSorter,
    memory: MutexGuard<'a, Scratch>,
    /// Whether copies may be in progress.
    is_copying: bool,
}

impl<'a> Copies<'a> {
    fn of(sorter: &'a StreamSorter) -> Result<Self, Error> {
        let memory = sorter.copies.lock().unwrap_or_else(PoisonError::into_inner);
        let copies = Self { sorter, memory, is_copying: false };
        copies.guard()?;
        Ok(copies)
    }

    /// Exclusive use of the stream, which must not be captured.
    fn guard(&self) -> Result<StreamGuard<'a>, Error> {
        let guard = self.sorter.guard()?;
        guard.require_no_capture(
            "host slices are copied and waited for: sort them outside of the capture, or by another sorter",
        )?;
        Ok(guard)
    }

    fn take<const N: usize>(&mut self, bytes: [usize; N]) -> Result<[u64; N], Error> {
        self.memory.take(bytes)
    }

    fn copy_in(&mut self, from: &[u8], to: u64) -> Result<(), Error> {
        if from.is_empty() {
            return Ok(());
        }
        self.is_copying = true;
        let stream = self.sorter.stream.cu_stream();
        // SAFETY: `to` is device memory of at least that length, and the copy is waited for while the slice is borrowed.
        checked("copy to the device", unsafe { result::memcpy_htod_async(to, from, stream) })
    }

    /// Waits for all enqueued work.
    fn wait(&mut self) -> Result<(), Error> {
        checked("wait for a sort", self.synchronize())
    }

    /// Copies the sorted items back from these addresses.
    fn copy_out<const N: usize>(mut self, items: [(u64, &mut [u8]); N]) -> Result<(), Error> {
        let stream = self.sorter.stream.cu_stream();
        self.is_copying = true;
        let copied =
            items.into_iter().filter(|(_, to)| !to.is_empty()).try_for_each(|(from, to)| {
                // SAFETY: `from` is device memory of at least that length, and the copy is waited for while the slice is
                // borrowed.
                unsafe { result::memcpy_dtoh_async(to, from, stream) }
            });
        let waited = self.synchronize();
        copied.and(waited).map_err(|error| Error::HostDataLost { reason: describe(error) })
    }

    fn synchronize(&mut self) -> Result<(), DriverError> {
        let sorter = self.sorter;
        capture::bind(sorter.stream.context());
        let _beside = BesideCaptures::begin();
        // The driver's own call: cudarc's returns an error that it has recorded earlier in place of waiting.
        // SAFETY: the stream is live.
        let wait = || unsafe { result::stream::synchronize(sorter.stream.cu_stream()) };
        self.is_copying = false;
        let waited = wait();
        // An error that persists is returned again.
        if waited.is_err() {
            sorter.is_lost.fetch_or(wait().is_err_and(is_of_the_device), Ordering::Relaxed);
        }
        waited
    }
}

/// Whether an error is not one of those that a capture causes.
fn is_of_the_device(DriverError(error): DriverError) -> bool {
    !matches!(
        error,
        CUresult::CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED
            | CUresult::CUDA_ERROR_STREAM_CAPTURE_IMPLICIT
    )
}

impl Drop for Copies<'_> {
    fn drop(&mut self) {
        if self.is_copying {
            // The call has failed or panicked already, and reports that.
            let _ = self.synchronize();
        }
    }
}

fn key_bytes<K: SortKey>(keys: &[K]) -> &[u8] {
    // SAFETY: keys are numbers or `bool`s, the trait being sealed: they have no padding.
    unsafe { std::slice::from_raw_parts(keys.as_ptr().cast(), size_of_val(keys)) }
}

fn key_bytes_mut<K: SortKey>(keys: &mut [K]) -> &mut [u8] {
    // SAFETY: as in `key_bytes`. The bytes written are those of keys that were read, which are valid for `bool` too.
    unsafe { std::slice::from_raw_parts_mut(keys.as_mut_ptr().cast(), size_of_val(keys)) }
}

/// The bytes of values; an empty slice for zero-sized values.
fn value_bytes_mut<V: Pod>(values: &mut [V]) -> &mut [u8] {
    if size_of::<V>() == 0 { &mut [] } else { bytemuck::cast_slice_mut(values) }
}
