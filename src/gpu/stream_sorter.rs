//! Sorts in one stream's order.

#[cfg(feature = "nccl")]
mod at_addresses;
mod binned;
mod counted;
mod host_copies;
mod rows;
mod segments;
mod top_k;

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytemuck::Pod;
use cudarc::driver::{CudaSlice, CudaStream, DevicePtr, DevicePtrMut, DeviceSlice, result};
use sortsmith_codegen::SortSpec;
use sortsmith_codegen::tuning::Tuning;
use sortsmith_codegen::tuning::file::GpuId;

use super::alignment;
use super::allocation::Allocation;
use super::capture::{self, BesideCaptures};
use super::device_sort;
use super::driver;
use super::retired::{self, Retired};
use super::sorts::Sorts;
use super::staging::Staging;
use super::status::{allocated, checked};
use super::stream_guard::{self, Memory, SliceAddress, StreamGuard};
use super::task::{Arrays, Task};
use super::tile::{TileArrays, TileKernel};
use crate::backend::Backend;
use crate::error::Error;
use crate::key::SortKey;
use crate::options::STAGING_BYTES;
use host_copies::CopyMemory;

/// A stream, the sorts of its context, and the memory that its sorts reuse.
pub struct StreamSorter {
    sorts: Arc<Sorts>,
    stream: Arc<CudaStream>,
    memory: Mutex<Memory>,
    /// What host slices are copied to and through. A thread that sorts host slices holds the lock until they are copied back; sorts
    /// of device slices do not take it.
    copies: Mutex<CopyMemory>,
    /// The largest size of the pinned memory.
    staging_bytes: AtomicUsize,
    /// Whether every call on the stream fails.
    is_lost: AtomicBool,
}

impl fmt::Debug for StreamSorter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("StreamSorter").field(&self.backend().to_string()).finish()
    }
}

impl StreamSorter {
    /// A sorter on this stream.
    pub fn on(stream: &Arc<CudaStream>) -> Result<Self, Error> {
        require_one_stream(stream)?;
        Ok(Self::of(Sorts::of(stream.context())?, stream))
    }

    /// A sorter on this stream, by this tuning.
    pub fn with_tuning(stream: &Arc<CudaStream>, tuning: Tuning) -> Result<Self, Error> {
        require_one_stream(stream)?;
        Ok(Self::of(Sorts::with_tuning(stream.context(), tuning)?, stream))
    }

    fn of(sorts: Arc<Sorts>, stream: &Arc<CudaStream>) -> Self {
        retired::drain();
        let (memory, copies) = (Memory::new(stream), CopyMemory::new(stream));
        Self {
            sorts,
            stream: Arc::clone(stream),
            memory: Mutex::new(memory),
            copies: Mutex::new(copies),
            staging_bytes: AtomicUsize::new(STAGING_BYTES),
            is_lost: AtomicBool::new(false),
        }
    }

    /// A sorter on the default stream of the device with this ordinal.
    pub fn on_device(ordinal: usize) -> Result<Self, Error> {
        Self::on(&driver::context(ordinal)?.default_stream())
    }

    /// Another sorter of the same context, tuning and size of pinned memory, on a stream of its own.
    pub fn beside(&self) -> Result<Self, Error> {
        capture::bind(self.stream.context());
        let stream = {
            let _beside = BesideCaptures::begin();
            checked("make a stream", self.stream.context().new_stream())?
        };
        let sorter = Self::of(Arc::clone(&self.sorts), &stream);
        sorter.set_staging_bytes(self.staging_bytes.load(Ordering::Relaxed));
        Ok(sorter)
    }

    /// Frees the memory that sorts have used, waits for that, and returns the number of bytes that the device has then.
    pub fn free_bytes(&self) -> Result<usize, Error> {
        self.release();
        capture::bind(self.stream.context());
        let _beside = BesideCaptures::begin();
        // The driver's own call: cudarc's returns an error that it has recorded earlier in place of waiting.
        // SAFETY: the stream is live.
        let waited = unsafe { result::stream::synchronize(self.stream.cu_stream()) };
        checked("wait for a stream", waited)?;
        checked("read the free memory", result::mem_get_info()).map(|(free, _)| free)
    }

    /// The device.
    pub fn backend(&self) -> Backend {
        self.sorts.context().backend()
    }

    /// The facts that identify the device in tuning files.
    pub fn gpu_id(&self) -> GpuId {
        self.sorts.context().gpu_id()
    }

    /// The stream.
    pub fn stream(&self) -> &Arc<CudaStream> {
        &self.stream
    }

    /// Whether every further sort fails: the driver has reported an error that persists.
    pub fn is_lost(&self) -> bool {
        self.is_lost.load(Ordering::Relaxed)
    }

    /// Whether the stream is being captured, or a capture of another one keeps it from working.
    pub fn may_be_captured(&self) -> bool {
        capture::bind(self.stream.context());
        capture::may_capture(&self.stream)
    }

    /// Prepares kernels and scratch for such a sort. `writes_keys` is false for an argsort.
    pub fn prepare(&self, task: &Task, writes_keys: bool) -> Result<(), Error> {
        device_sort::prepare(&self.sorts, task, writes_keys, self.guard()?.memory())
    }

    /// Frees the memory that sorts have used, in the stream's order. Graphs keep theirs.
    pub fn release(&self) {
        let memory = self.lock().sorts.release().collect();
        self.retire(memory, None);
        // A sort of host slices in progress keeps its copies.
        if let Ok(mut copies) = self.copies.try_lock() {
            self.retire(copies.arrays.release().into_iter().collect(), copies.staging.release());
        }
        retired::drain();
    }

    fn retire(&self, memory: Vec<Allocation>, staging: Option<Staging>) {
        let (context, stream) = (Arc::clone(self.sorts.context()), Arc::clone(&self.stream));
        retired::add(Retired::Sorter { context, stream, memory, staging });
    }

    /// Exclusive use of the stream.
    fn guard(&self) -> Result<StreamGuard<'_>, Error> {
        retired::drain();
        StreamGuard::new(self.sorts.context(), &self.stream, self.lock())
    }

    /// Sorts keys, and values with them if there are any.
    pub fn sort<K: SortKey, V: Pod>(
        &self,
        task: &Task,
        keys: &mut dyn DevicePtrMut<K>,
        values: Option<&mut dyn DevicePtrMut<V>>,
    ) -> Result<(), Error> {
        self.require_own(keys, "keys")?;
        values.as_deref().map_or(Ok(()), |values| self.require_own(values, "values"))?;
        if task.n < 2 {
            return Ok(());
        }
        let mut guard = self.guard()?;
        // The slices' guards order other streams' uses behind this sort, so they live until it is enqueued.
        let (keys, _keys_guard) = guard.write(keys)?;
        let (values, _values_guard) = address_or_null(values, |values| guard.write(values))?;
        let arrays = Arrays::in_place(keys, values);
        // SAFETY: the slices are of this context, of the task's length and types. They are borrowed for writing, so they do not
        // overlap, and are freed in a stream's order, which the guards put behind this sort. The caller keeps those that a graph
        // uses, as cudarc requires of every capture.
        unsafe { self.run(task, &arrays, &mut guard) }
    }

    /// Sorts keys, and values with them if there are any, to other slices of the same length.
    pub fn sort_into<K: SortKey, V: Pod>(
        &self,
        task: &Task,
        (keys, sorted): (&dyn DevicePtr<K>, &mut dyn DevicePtrMut<K>),
        values: Option<(&dyn DevicePtr<V>, &mut dyn DevicePtrMut<V>)>,
    ) -> Result<(), Error> {
        self.require_own(keys, "keys")?;
        self.require_own(sorted, "sorted keys")?;
        if let Some((values, sorted)) = &values {
            self.require_own(*values, "values")?;
            self.require_own(*sorted, "sorted values")?;
        }
        if task.n == 0 {
            return Ok(());
        }
        let mut guard = self.guard()?;
        let (keys_in, _keys_guard) = guard.read(keys)?;
        let (keys_out, _sorted_guard) = guard.write(sorted)?;
        let (values, sorted_values) = values.unzip();
        let (values_in, _values_guard) = address_or_null(values, |values| guard.read(values))?;
        let (values_out, _values_out_guard) =
            address_or_null(sorted_values, |sorted| guard.write(sorted))?;
        if task.n == 1 {
            for (to, from, bytes) in
                [(keys_out, keys_in, size_of::<K>()), (values_out, values_in, size_of::<V>())]
            {
                if from != 0 && bytes > 0 {
                    // SAFETY: both are of this context and hold one item at least.
                    let copied = unsafe {
                        result::memcpy_dtod_async(to, from, bytes, self.stream.cu_stream())
                    };
                    checked("enqueue a copy", copied)?;
                }
            }
            return Ok(());
        }
        let arrays = Arrays::between((keys_in, values_in), (keys_out, values_out));
        // SAFETY: as in `sort`; inputs and outputs are borrowed at the same time, so they do not overlap.
        unsafe { self.run(task, &arrays, &mut guard) }
    }

    /// Writes the positions that the keys would be sorted from, and the sorted keys if there is room for them.
    pub fn argsort<K: SortKey>(
        &self,
        task: &Task,
        keys: &dyn DevicePtr<K>,
        sorted: Option<&mut dyn DevicePtrMut<K>>,
        positions: &mut dyn DevicePtrMut<u32>,
    ) -> Result<(), Error> {
        self.require_own(keys, "keys")?;
        sorted.as_deref().map_or(Ok(()), |sorted| self.require_own(sorted, "sorted keys"))?;
        self.require_own(positions, "indices")?;
        if task.n == 0 {
            return Ok(());
        }
        let mut guard = self.guard()?;
        let (positions, _positions_guard) = guard.write(positions)?;
        let (keys, _keys_guard) = guard.read(keys)?;
        let (sorted, _sorted_guard) = address_or_null(sorted, |sorted| guard.write(sorted))?;
        if task.n == 1 {
            let stream = self.stream.cu_stream();
            // SAFETY: the slice is of this context and holds one number at least.
            let zeroed = unsafe { result::memset_d8_async(positions, 0, size_of::<u32>(), stream) };
            checked("enqueue a memset", zeroed)?;
            if sorted != 0 {
                // SAFETY: both are of this context and hold one key at least.
                let copied =
                    unsafe { result::memcpy_dtod_async(sorted, keys, size_of::<K>(), stream) };
                checked("enqueue a copy", copied)?;
            }
            return Ok(());
        }
        let arrays = Arrays::argsort(keys, positions).with_keys(sorted);
        // SAFETY: as in `sort`; the keys are only read, and outputs are borrowed at the same time.
        unsafe { self.run(task, &arrays, &mut guard) }
    }

    /// Runs `call`, and returns the error that cudarc has recorded meanwhile, if there is one: cudarc records errors that it
    /// cannot return, such as that of a slice's guard, and would return them from its next call.
    pub fn checked<T>(&self, call: impl FnOnce(&Self) -> Result<T, Error>) -> Result<T, Error> {
        let done = call(self);
        match checked(stream_guard::ORDER, self.stream.context().check_err()) {
            Err(recorded) if done.is_ok() => {
                // The result is dropped too, which may record another error.
                drop(done);
                let _ = self.stream.context().check_err();
                Err(recorded)
            }
            _ => done,
        }
    }

    /// As [`Self::checked`], for a call that sorts host slices. Such a call has waited for its own work: if it succeeds, an error
    /// that cudarc has recorded belongs to another caller, and is kept.
    pub fn checked_copies<T>(
        &self,
        call: impl FnOnce(&Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let done = call(self);
        if done.is_err() {
            let _ = self.stream.context().check_err();
        }
        done
    }

    /// Allocates `n` indices of unspecified content.
    pub fn indices(&self, n: usize) -> Result<CudaSlice<u32>, Error> {
        if n == 0 {
            // The driver refuses an allocation of no bytes.
            return checked("make an empty slice", self.stream.null());
        }
        self.guard()?.require_no_capture(
            "memory that is allocated in a capture does not exist before its graph runs: use argsort_into",
        )?;
        // SAFETY: the caller writes all of it, in the stream's order, before it returns it.
        allocated("indices", n.saturating_mul(size_of::<u32>()), unsafe { self.stream.alloc(n) })
    }

    /// Sorts each tile by the kernel of a spec, in place. The slices have the spec's types.
    pub fn sort_tiles<K: SortKey, V: Pod>(
        &self,
        spec: &SortSpec,
        keys: &mut dyn DevicePtrMut<K>,
        values: Option<&mut dyn DevicePtrMut<V>>,
    ) -> Result<(), Error> {
        self.require_own(keys, "keys")?;
        values.as_deref().map_or(Ok(()), |values| self.require_own(values, "values"))?;
        let n = keys.len();
        if n < 2 {
            return Ok(());
        }
        let kernel = TileKernel::prepare(self.sorts.context(), spec)?;
        let mut guard = self.guard()?;
        let (keys, _keys_guard) = guard.write(keys)?;
        let (values, _values_guard) = address_or_null(values, |values| guard.write(values))?;
        // SAFETY: as in `sort`; each block reads its tile before it writes it.
        let sort =
            |[values, _]: [u64; 2]| unsafe { self.run_tiles(&kernel, spec, n, keys, values) };
        let (stream, copies) = (&self.stream, &mut guard.memory().positions);
        // SAFETY: the same; tiles are sorted in place, so there is one address of values.
        unsafe { alignment::with_aligned(stream, (spec.value, n), [values; 2], copies, sort) }
    }

    /// # Safety
    ///
    /// As for [`TileKernel::sort_tiles`], with arrays that are sorted in place. The kernel is the spec's.
    unsafe fn run_tiles(
        &self,
        kernel: &TileKernel,
        spec: &SortSpec,
        n: usize,
        keys: u64,
        values: u64,
    ) -> Result<(), Error> {
        let arrays =
            TileArrays { keys_in: keys, keys_out: keys, values_in: values, values_out: values };
        // SAFETY: the caller vouches for the context and the arrays.
        unsafe { kernel.sort_tiles(&self.stream, n, &(0..spec.key.bits()), &arrays) }
    }

    /// # Safety
    ///
    /// As for the arrays of [`device_sort::run`].
    unsafe fn run(
        &self,
        task: &Task,
        arrays: &Arrays,
        guard: &mut StreamGuard<'_>,
    ) -> Result<(), Error> {
        // SAFETY: the caller vouches for the arrays; the context is bound, and the memory is this stream's.
        unsafe { device_sort::run(&self.sorts, &self.stream, task, arrays, guard.memory()) }
    }

    /// An error unless a slice is of this sorter's `CudaContext` object: cudarc orders uses of a slice within one object only.
    fn require_own<T, S: DeviceSlice<T> + ?Sized>(
        &self,
        slice: &S,
        what: &'static str,
    ) -> Result<(), Error> {
        if Arc::ptr_eq(slice.stream().context(), self.stream.context()) {
            Ok(())
        } else {
            Err(Error::OtherContext { what })
        }
    }

    fn lock(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for StreamSorter {
    /// Enqueued sorts may still run and use the memory and the kernels.
    fn drop(&mut self) {
        let memory = self.memory.get_mut().unwrap_or_else(PoisonError::into_inner);
        let copies = self.copies.get_mut().unwrap_or_else(PoisonError::into_inner);
        let memory = memory.sorts.release().chain(copies.arrays.release()).collect();
        let staging = copies.staging.release();
        self.retire(memory, staging);
        retired::drain();
    }
}

/// An error for the per-thread default stream.
fn require_one_stream(stream: &CudaStream) -> Result<(), Error> {
    // `CU_STREAM_PER_THREAD`, which the driver's header defines as this number.
    if stream.cu_stream().addr() == 2 { Err(Error::PerThreadStream) } else { Ok(()) }
}

/// The address of an optional slice, or 0.
fn address_or_null<'a, S>(
    slice: Option<S>,
    address: impl FnOnce(S) -> Result<SliceAddress<'a>, Error>,
) -> Result<SliceAddress<'a>, Error> {
    slice.map_or(Ok((0, None)), address)
}
