//! Sorts in order on one stream.

mod host_copies;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytemuck::Pod;
use cudarc::driver::{CudaSlice, CudaStream, DevicePtr, DevicePtrMut, DeviceSlice, result};
use sortsmith_codegen::SortSpec;
use sortsmith_codegen::tuning::Tuning;
use sortsmith_codegen::tuning::file::GpuId;

use super::Gpu;
use super::alignment;
use super::device_sort::{self, Arrays, Task};
use super::driver::{self, told};
use super::memory::{self, Block, Scratch};
use super::retired::{self, Retired};
use super::tile::{TileArrays, TileKernel};
use super::turn::{self, Lent, Memory, Turn};
use crate::{Backend, Error, SortKey};

/// A stream, what belongs to its context, and the memory that its sorts use again.
pub struct StreamSorter {
    gpu: Arc<Gpu>,
    stream: Arc<CudaStream>,
    memory: Mutex<Memory>,
    /// Keys and values of host slices, which the sort then has as any other device memory. Whoever sorts such slices holds
    /// it until they are back; sorts of what is on the device do not wait for that.
    copies: Mutex<Scratch>,
    /// Whether the stream reports an error for whatever is done.
    is_lost: AtomicBool,
}

impl fmt::Debug for StreamSorter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("StreamSorter").field(&self.backend().to_string()).finish()
    }
}

impl StreamSorter {
    /// On this stream.
    pub fn on(stream: &Arc<CudaStream>) -> Result<Self, Error> {
        is_one_stream(stream)?;
        let gpu = Gpu::of(stream.context())?;
        gpu.read_tuning()?;
        Ok(Self::of(gpu, stream))
    }

    /// On this stream, by these shapes.
    pub fn with_tuning(stream: &Arc<CudaStream>, tuning: Tuning) -> Result<Self, Error> {
        is_one_stream(stream)?;
        let gpu = Gpu::of(stream.context())?.with_tuning(tuning);
        Ok(Self::of(Arc::new(gpu), stream))
    }

    fn of(gpu: Arc<Gpu>, stream: &Arc<CudaStream>) -> Self {
        retired::drain();
        let (memory, copies) = (Mutex::new(Memory::new(stream)), Mutex::new(Scratch::new(stream)));
        Self { gpu, stream: Arc::clone(stream), memory, copies, is_lost: AtomicBool::new(false) }
    }

    /// On the default stream of the device of this number.
    pub fn on_device(ordinal: usize) -> Result<Self, Error> {
        Self::on(&driver::context(ordinal)?.default_stream())
    }

    /// The device.
    pub fn backend(&self) -> Backend {
        self.gpu.backend()
    }

    /// What tells the device from others.
    pub fn gpu_id(&self) -> GpuId {
        self.gpu.id()
    }

    /// The stream.
    pub fn stream(&self) -> &Arc<CudaStream> {
        &self.stream
    }

    /// Whether nothing can be sorted any more: the driver has reported an error that stays.
    pub fn is_lost(&self) -> bool {
        self.is_lost.load(Ordering::Relaxed)
    }

    /// Makes kernels and scratch for such a sort, of keys that are to be sorted themselves if `sorts_keys` says so.
    pub fn prepare(&self, task: &Task, sorts_keys: bool) -> Result<(), Error> {
        device_sort::prepare(&self.gpu, task, sorts_keys, self.turn()?.sorts())
    }

    /// Gives the memory back that sorts have used, in the stream's order. What graphs use stays with them.
    pub fn release(&self) {
        let memory = self.lock().sorts.release().collect();
        self.retire(memory);
        // Host slices that are being sorted keep theirs.
        if let Ok(mut copies) = self.copies.try_lock() {
            self.retire(copies.release().into_iter().collect());
        }
        retired::drain();
    }

    fn retire(&self, memory: Vec<Block>) {
        let (gpu, stream) = (Arc::clone(&self.gpu), Arc::clone(&self.stream));
        retired::add(Retired::Sorter { gpu, stream, memory });
    }

    /// A turn on the stream.
    fn turn(&self) -> Result<Turn<'_>, Error> {
        retired::drain();
        Turn::begin(&self.gpu, &self.stream, self.lock())
    }

    /// Sorts keys, and values with them if there are any.
    pub fn sort<K: SortKey, V: Pod>(
        &self,
        task: &Task,
        keys: &mut dyn DevicePtrMut<K>,
        values: Option<&mut dyn DevicePtrMut<V>>,
    ) -> Result<(), Error> {
        self.own(keys, "keys")?;
        values.as_deref().map_or(Ok(()), |values| self.own(values, "values"))?;
        if task.n < 2 {
            return Ok(());
        }
        let mut turn = self.turn()?;
        // The guards order other streams' uses of the slices after this sort, so they live until it is enqueued.
        let (keys, _keys_guard) = turn.write(keys)?;
        let (values, _values_guard) = lent(values, |values| turn.write(values))?;
        let arrays = Arrays::in_place(keys, values);
        // SAFETY: the slices are of this context, as long as the task says and of its types; they are borrowed for
        // writing, so they do not overlap, and are freed in a stream's order, which the guards put after this. Those that a
        // graph uses their owner keeps, as cudarc asks of whoever captures anything.
        unsafe { self.run(task, &arrays, &mut turn) }
    }

    /// Sorts keys, and values with them if there are any, to other slices, which are as long.
    pub fn sort_into<K: SortKey, V: Pod>(
        &self,
        task: &Task,
        (keys, sorted): (&dyn DevicePtr<K>, &mut dyn DevicePtrMut<K>),
        values: Option<(&dyn DevicePtr<V>, &mut dyn DevicePtrMut<V>)>,
    ) -> Result<(), Error> {
        self.own(keys, "keys")?;
        self.own(sorted, "sorted keys")?;
        if let Some((values, sorted)) = &values {
            self.own(*values, "values")?;
            self.own(*sorted, "sorted values")?;
        }
        if task.n == 0 {
            return Ok(());
        }
        let mut turn = self.turn()?;
        let (keys_in, _keys_guard) = turn.read(keys)?;
        let (keys_out, _sorted_guard) = turn.write(sorted)?;
        let (values, sorted_values) = values.unzip();
        let (values_in, _values_guard) = lent(values, |values| turn.read(values))?;
        let (values_out, _values_out_guard) = lent(sorted_values, |sorted| turn.write(sorted))?;
        if task.n == 1 {
            for (to, from, bytes) in
                [(keys_out, keys_in, size_of::<K>()), (values_out, values_in, size_of::<V>())]
            {
                if from != 0 && bytes > 0 {
                    // SAFETY: both are of this context and hold one item at least.
                    let copied = unsafe {
                        result::memcpy_dtod_async(to, from, bytes, self.stream.cu_stream())
                    };
                    told("enqueue a copy", copied)?;
                }
            }
            return Ok(());
        }
        let arrays = Arrays { keys_in, keys_out: Some(keys_out), values_in, values_out };
        // SAFETY: as in `sort`; what is only read is borrowed beside what is written, so they do not overlap.
        unsafe { self.run(task, &arrays, &mut turn) }
    }

    /// Writes the positions that the keys would be sorted from.
    pub fn argsort<K: SortKey>(
        &self,
        task: &Task,
        keys: &dyn DevicePtr<K>,
        positions: &mut dyn DevicePtrMut<u32>,
    ) -> Result<(), Error> {
        self.own(keys, "keys")?;
        self.own(positions, "indices")?;
        let mut turn = self.turn()?;
        let (positions, _positions_guard) = turn.write(positions)?;
        if task.n < 2 {
            if task.n == 1 {
                // SAFETY: the slice is of this context and holds one number at least.
                let zeroed = unsafe {
                    result::memset_d8_async(positions, 0, size_of::<u32>(), self.stream.cu_stream())
                };
                told("enqueue a memset", zeroed)?;
            }
            return Ok(());
        }
        let (keys, _keys_guard) = turn.read(keys)?;
        let arrays = Arrays::argsort(keys, positions);
        // SAFETY: as in `sort`; the keys are only read.
        unsafe { self.run(task, &arrays, &mut turn) }
    }

    /// Makes a call of this sorter's, and takes what cudarc has noted meanwhile: errors that it could not return, such as that
    /// of a guard, which it would report to whoever calls next.
    pub fn told<T>(&self, call: impl FnOnce(&Self) -> Result<T, Error>) -> Result<T, Error> {
        let done = call(self);
        match told(turn::ORDER, self.stream.context().check_err()) {
            Err(noted) if done.is_ok() => {
                // What was made goes as well, and may fail to.
                drop(done);
                let _ = self.stream.context().check_err();
                Err(noted)
            }
            _ => done,
        }
    }

    /// The same for a call that sorts host slices. Once it is done it is no error any more, and what was noted meanwhile is
    /// not its own: that stays for whoever calls next.
    pub fn told_of_copies<T>(
        &self,
        call: impl FnOnce(&Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let done = call(self);
        if done.is_err() {
            let _ = self.stream.context().check_err();
        }
        done
    }

    /// Device memory for so many indices, which hold nothing defined.
    pub fn indices(&self, n: usize) -> Result<CudaSlice<u32>, Error> {
        if n == 0 {
            // An allocation of nothing is an error of the driver's.
            return told("make an empty slice", self.stream.null());
        }
        self.turn()?.outside_of_captures(
            "what is allocated in a capture is not there before its graph runs: use argsort_into",
        )?;
        // SAFETY: the caller fills it, in the stream's order, before it gives it out.
        memory::allocated("indices", n.saturating_mul(size_of::<u32>()), unsafe {
            self.stream.alloc(n)
        })
    }

    /// Sorts each tile of a chosen spec, in place. The slices have the spec's types.
    pub fn sort_tiles<K: SortKey, V: Pod>(
        &self,
        spec: &SortSpec,
        keys: &mut dyn DevicePtrMut<K>,
        values: Option<&mut dyn DevicePtrMut<V>>,
    ) -> Result<(), Error> {
        self.own(keys, "keys")?;
        values.as_deref().map_or(Ok(()), |values| self.own(values, "values"))?;
        let n = keys.len();
        if n < 2 {
            return Ok(());
        }
        let kernel = TileKernel::prepare(&self.gpu, spec)?;
        let mut turn = self.turn()?;
        let (keys, _keys_guard) = turn.write(keys)?;
        let (values, _values_guard) = lent(values, |values| turn.write(values))?;
        // SAFETY: as in `sort`; each block reads its tile before it writes it.
        let sort =
            |[values, _]: [u64; 2]| unsafe { self.run_tiles(&kernel, spec, n, keys, values) };
        let (stream, copies) = (&self.stream, &mut turn.sorts().positions);
        // SAFETY: the same; tiles are sorted in place, so that there is one address of values.
        unsafe { alignment::with_aligned(stream, (spec.value, n), [values; 2], copies, sort) }
    }

    /// # Safety
    ///
    /// As [`TileKernel::sort`] says, of arrays that are sorted in place. The kernel is the spec's.
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
        // SAFETY: the caller answers for the context and the arrays.
        unsafe { kernel.sort(&self.stream, n, &(0..spec.key.bits()), &arrays) }
    }

    /// # Safety
    ///
    /// As [`device_sort::run`] says of its arrays.
    unsafe fn run(&self, task: &Task, arrays: &Arrays, turn: &mut Turn<'_>) -> Result<(), Error> {
        // SAFETY: the caller answers for the arrays; the context is bound, and the memory is this stream's.
        unsafe { device_sort::run(&self.gpu, &self.stream, task, arrays, turn.sorts()) }
    }

    /// Whether a slice is of this object of cudarc's, which orders its streams' uses of it.
    fn own<T, S: DeviceSlice<T> + ?Sized>(
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
    /// What was enqueued may still run, and use all of it.
    fn drop(&mut self) {
        let memory = self.memory.get_mut().unwrap_or_else(PoisonError::into_inner);
        let copies = self.copies.get_mut().unwrap_or_else(PoisonError::into_inner);
        let memory = memory.sorts.release().chain(copies.release()).collect();
        self.retire(memory);
        retired::drain();
    }
}

/// An error for the one handle that is of a stream for each thread.
fn is_one_stream(stream: &CudaStream) -> Result<(), Error> {
    // `CU_STREAM_PER_THREAD`, which the driver's header defines as this number.
    if stream.cu_stream().addr() == 2 { Err(Error::PerThreadStream) } else { Ok(()) }
}

/// The address of a slice that may not be there, or 0.
fn lent<'a, S>(
    slice: Option<S>,
    lend: impl FnOnce(S) -> Result<Lent<'a>, Error>,
) -> Result<Lent<'a>, Error> {
    slice.map_or(Ok((0, None)), lend)
}
