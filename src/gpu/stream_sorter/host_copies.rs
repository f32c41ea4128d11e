//! Sorts of host slices, by way of copies on the device.
//!
//! Kernels and memory are prepared before the first copy, and the sort is known to have succeeded before anything is copied
//! back: until then the host slices are unchanged.
//!
//! Pinned slices, which the device copies by itself, and short ones are copied as they are. Others go through pinned memory of the
//! sorter's, if there is some.

use std::sync::{Arc, MutexGuard, PoisonError, atomic::Ordering};

use bytemuck::Pod;
use cudarc::driver::sys::{CUresult, CUstream};
use cudarc::driver::{CudaStream, DriverError, result};
use sortsmith_codegen::SortSpec;

use super::StreamSorter;
use crate::error::Error;
use crate::gpu::capture::{self, BesideCaptures};
use crate::gpu::device_sort;
use crate::gpu::pinned;
use crate::gpu::scratch::Scratch;
use crate::gpu::staging::{Download, Parts, Shape, Staging};
use crate::gpu::status::{checked, describe};
use crate::gpu::stream_guard::StreamGuard;
use crate::gpu::task::{Arrays, Task};
use crate::gpu::tile::TileKernel;
use crate::host::merge::Piece;
use crate::key::SortKey;
use crate::settings::Settings;

/// Slices of fewer bytes are copied by the driver alone.
const STAGED_MIN: usize = 1 << 16;

/// What host slices are copied to and through.
#[derive(Debug)]
pub struct CopyMemory {
    /// Device copies of the slices.
    pub arrays: Scratch,
    /// Pinned memory.
    pub staging: Staging,
}

impl CopyMemory {
    /// No memory yet.
    pub fn new(stream: &Arc<CudaStream>) -> Self {
        Self { arrays: Scratch::new(stream), staging: Staging::new(stream.context()) }
    }
}

impl StreamSorter {
    /// Sets the largest size of the pinned memory.
    pub fn set_staging_bytes(&self, bytes: usize) {
        self.staging_bytes.store(bytes, Ordering::Relaxed);
    }

    /// Prepares kernels and all memory for such a sort of host slices of these lengths in bytes. `writes_keys` is false for an
    /// argsort.
    pub fn prepare_copies(
        &self,
        task: &Task,
        writes_keys: bool,
        bytes: [usize; 2],
    ) -> Result<(), Error> {
        let mut copies = Copies::of(self)?;
        device_sort::prepare(&self.sorts, task, writes_keys, copies.guard()?.memory())?;
        copies.take(bytes)?;
        copies.reserve_staging(bytes.into_iter().fold(0, usize::saturating_add));
        Ok(())
    }

    /// Sorts what a piece's runs have, one behind the other, to its slots; without runs, what the slots have.
    pub fn sort_copies<K: SortKey, V: Pod + Send + Sync>(
        &self,
        task: &Task,
        piece: &mut Piece<'_, K, V>,
    ) -> Result<(), Error> {
        assert_eq!(task.n, piece.keys.len(), "a task for other slices");
        if task.n < 2 {
            piece.gather();
            return Ok(());
        }
        let Piece { runs, keys, values } = piece;
        let (keys, values) = (key_bytes_mut(keys), value_bytes_mut(values));
        let of_runs: [Parts<'_>; 2] = [
            runs.iter().map(|run| key_bytes(run.keys)).collect(),
            runs.iter().map(|run| value_bytes(run.values)).collect(),
        ];
        debug_assert!(
            runs.is_empty() || of_runs.each_ref().map(Parts::bytes) == [keys.len(), values.len()]
        );
        let mut copies = Copies::of(self)?;
        device_sort::prepare(&self.sorts, task, true, copies.guard()?.memory())?;
        let [d_keys, d_values] = copies.take([keys.len(), values.len()])?;
        let arrays = Arrays::in_place(d_keys, d_values);
        let from = if runs.is_empty() { [whole(keys), whole(values)] } else { of_runs };
        let [there, back] = copies.stage(&from, [keys, values]);
        copies.copy_in(from, [d_keys, d_values], there)?;
        // SAFETY: the copies are of this context, aligned and as long as the slices. They overlap neither each other nor the
        // scratch, and are used in this stream's order.
        unsafe { self.run(task, &arrays, &mut copies.guard()?) }?;
        copies.copy_out([d_keys, d_values], [keys, values], back)
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
        let from = [whole(keys), Parts::default()];
        let [there, back] = copies.stage(&from, [&[], positions]);
        copies.copy_in(from, [d_keys, 0], there)?;
        // SAFETY: as in `sort_copies`.
        unsafe { self.run(task, &arrays, &mut copies.guard()?) }?;
        copies.copy_out([0, d_positions], [&mut [], positions], back)
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
        let from = [whole(keys), whole(values)];
        let [there, back] = copies.stage(&from, [keys, values]);
        copies.copy_in(from, [d_keys, d_values], there)?;
        {
            let _guard = copies.guard()?;
            // SAFETY: as in `sort_copies`; each block reads its tile before it writes it.
            unsafe { self.run_tiles(&kernel, spec, n, d_keys, d_values) }?;
        }
        copies.copy_out([d_keys, d_values], [keys, values], back)
    }
}

/// Which of two arrays go through pinned memory, and how.
#[derive(Clone, Copy)]
struct Staged {
    arrays: [bool; 2],
    shape: Shape,
}

/// The slices that are copied as they are, and those that go through pinned memory; an empty one in place of each other.
fn split<S: Default>(slices: [S; 2], staged: Option<Staged>) -> [[S; 2]; 2] {
    let arrays = staged.map_or([false; 2], |staged| staged.arrays);
    let [first, second] = slices;
    let split =
        |slice, is_staged| if is_staged { [S::default(), slice] } else { [slice, S::default()] };
    let [[first, staged_first], [second, staged_second]] =
        [split(first, arrays[0]), split(second, arrays[1])];
    [[first, second], [staged_first, staged_second]]
}

/// Device copies of host slices, locked for one sort. After it is dropped, no copy reads or writes host memory.
struct Copies<'a> {
    sorter: &'a StreamSorter,
    memory: MutexGuard<'a, CopyMemory>,
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
        self.memory.arrays.take(bytes)
    }

    /// Pinned memory for slices of this many bytes together. Where there is none, the driver copies pageable memory.
    fn reserve_staging(&mut self, bytes: usize) -> Option<Shape> {
        if bytes < STAGED_MIN {
            return None;
        }
        let most = self.sorter.staging_bytes.load(Ordering::Relaxed);
        let reserved = self.memory.staging.reserve(bytes, most);
        reserved.unwrap_or_else(|error| {
            let reason = || format!("no pinned memory for copies: {}", describe(error));
            Settings::from_env().say(reason);
            None
        })
    }

    /// Decides which arrays go through pinned memory on their way to the device and back, and allocates it. They are pageable and not short.
    fn stage(&mut self, from: &[Parts<'_>; 2], to: [&[u8]; 2]) -> [Option<Staged>; 2] {
        let sum = |lengths: [usize; 2]| lengths.iter().sum::<usize>();
        let lengths = [from.each_ref().map(Parts::bytes), to.map(<[u8]>::len)];
        if lengths.map(sum).into_iter().max() < Some(STAGED_MIN) {
            return [None; 2];
        }
        let is_pageable = |slice: &&[u8]| !slice.is_empty() && !pinned::is_pinned(slice);
        let back = to.each_ref().map(is_pageable);
        let there = [0, 1].map(|array| match from[array].slices() {
            // The driver is asked once.
            [slice] if std::ptr::eq(*slice, to[array]) => back[array],
            slices => slices.iter().any(is_pageable),
        });
        let staged = |(lengths, arrays): ([usize; 2], [bool; 2])| -> usize {
            lengths
                .iter()
                .zip(arrays)
                .filter(|(_, is_staged)| *is_staged)
                .map(|(length, _)| length)
                .sum()
        };
        let [bytes_there, bytes_back] = [(lengths[0], there), (lengths[1], back)].map(staged);
        let shape = self.reserve_staging(bytes_there.max(bytes_back));
        [there, back].map(|arrays| shape.map(|shape| Staged { arrays, shape }))
    }

    fn stream(&self) -> CUstream {
        self.sorter.stream.cu_stream()
    }

    /// Copies arrays to these addresses.
    fn copy_in(
        &mut self,
        arrays: [Parts<'_>; 2],
        to: [u64; 2],
        staged: Option<Staged>,
    ) -> Result<(), Error> {
        const COPY: &str = "copy to the device";
        self.is_copying = true;
        let stream = self.stream();
        let [direct, through] = split(arrays, staged);
        for (array, mut to) in direct.iter().zip(to) {
            for from in array.slices() {
                // SAFETY: there is device memory for the array, and the copy is waited for while the slice is borrowed.
                checked(COPY, unsafe { result::memcpy_htod_async(to, from, stream) })?;
                to += from.len() as u64;
            }
        }
        let Some(Staged { shape, .. }) = staged else { return Ok(()) };
        // SAFETY: as above. The buffer is locked, and what uses it is waited for before the lock is released.
        checked(COPY, unsafe { self.memory.staging.upload(shape, &through, to, stream) })
    }

    /// Waits for all enqueued work.
    fn wait(&mut self) -> Result<(), Error> {
        checked("wait for a sort", self.synchronize())
    }

    /// Copies the sorted items back from these addresses. The slices are written when the sort is known to have succeeded.
    fn copy_out(
        mut self,
        from: [u64; 2],
        slices: [&mut [u8]; 2],
        staged: Option<Staged>,
    ) -> Result<(), Error> {
        let stream = self.stream();
        let [direct, through] = split(slices, staged);
        let has_direct = direct.iter().any(|to| !to.is_empty());
        if has_direct {
            self.wait()?;
        }
        self.is_copying = true;
        let mut direct = direct.into_iter().zip(from).filter(|(to, _)| !to.is_empty());
        let copied = direct.try_for_each(|(to, from)| {
            // SAFETY: `from` is device memory of at least that length, and the copy is waited for while the slice is borrowed.
            unsafe { result::memcpy_dtoh_async(to, from, stream) }
        });
        let begun = copied.and_then(|()| match staged {
            // SAFETY: as above. The buffer is locked, and what uses it is waited for before the lock is released.
            Some(Staged { shape, .. }) => unsafe {
                self.memory.staging.download(shape, from, through, stream).map(Some)
            },
            None => Ok(None),
        });
        let copied = match begun {
            Err(error) if !has_direct => return checked("wait for a sort", Err(error)),
            begun => begun.and_then(|download| download.map_or(Ok(()), Download::finish)),
        };
        if copied.is_ok() && !has_direct {
            // Each piece has been waited for.
            self.is_copying = false;
            return Ok(());
        }
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
fn value_bytes<V: Pod>(values: &[V]) -> &[u8] {
    if size_of::<V>() == 0 { &[] } else { bytemuck::cast_slice(values) }
}

/// An array that is one slice.
fn whole(slice: &[u8]) -> Parts<'_> {
    std::iter::once(slice).collect()
}

/// The bytes of values; an empty slice for zero-sized values.
fn value_bytes_mut<V: Pod>(values: &mut [V]) -> &mut [u8] {
    if size_of::<V>() == 0 { &mut [] } else { bytemuck::cast_slice_mut(values) }
}
