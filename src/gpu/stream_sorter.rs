//! Sorts in order on one stream.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytemuck::Pod;
use cudarc::driver::{CudaSlice, CudaStream, DevicePtr, DevicePtrMut, DeviceSlice, result};
use sortsmith_codegen::SortSpec;
use sortsmith_codegen::tuning::Tuning;
use sortsmith_codegen::tuning::file::GpuId;

use super::Gpu;
use super::device_sort::{self, Arrays, Task};
use super::driver::{self, told};
use super::memory::{self, Scratch, SortMemory};
use super::tile::{TileArrays, TileKernel};
use crate::{Backend, Error, SortKey};

/// A stream, what belongs to its context, and the memory that its sorts use again.
pub struct StreamSorter {
    gpu: Arc<Gpu>,
    stream: Arc<CudaStream>,
    memory: Mutex<Memory>,
}

/// The memory of a stream's sorts. Whoever enqueues a sort holds it, so that two threads' sorts are one after the other
/// in the stream.
struct Memory {
    sorts: SortMemory,
    /// Keys and values of host slices, which the sort then has as any other device memory.
    copies: Scratch,
}

impl fmt::Debug for StreamSorter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("StreamSorter").field(&self.backend().to_string()).finish()
    }
}

impl StreamSorter {
    /// On this stream.
    pub fn on(stream: &Arc<CudaStream>) -> Result<Self, Error> {
        let gpu = Gpu::of(stream.context())?;
        gpu.read_tuning()?;
        Ok(Self::of(gpu, stream))
    }

    /// On this stream, by these shapes.
    pub fn with_tuning(stream: &Arc<CudaStream>, tuning: Tuning) -> Result<Self, Error> {
        let gpu = Gpu::of(stream.context())?.with_tuning(tuning);
        Ok(Self::of(Arc::new(gpu), stream))
    }

    fn of(gpu: Arc<Gpu>, stream: &Arc<CudaStream>) -> Self {
        let copies = Scratch::new(Arc::clone(stream));
        let memory = Mutex::new(Memory { sorts: SortMemory::new(stream), copies });
        Self { gpu, stream: Arc::clone(stream), memory }
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

    /// Makes kernels and scratch for such a sort, of keys that are to be sorted themselves if `sorts_keys` says so.
    pub fn prepare(&self, task: &Task, sorts_keys: bool) -> Result<(), Error> {
        device_sort::prepare(&self.gpu, task, sorts_keys, &mut self.lock().sorts)
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
        // The guards order other streams' uses of the slices after this sort, so they live until it is enqueued.
        let (keys, _keys_guard) = keys.device_ptr_mut(&self.stream);
        let (values, _values_guard) =
            values.map(|values| values.device_ptr_mut(&self.stream)).unzip();
        let arrays = Arrays::in_place(keys, values.unwrap_or(0));
        // SAFETY: the slices are of this context, as long as the task says and of its types; they are borrowed for
        // writing, so they do not overlap, and are freed in a stream's order, which the guards put after this.
        unsafe { self.run(task, &arrays) }
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
        let (keys_in, _keys_guard) = keys.device_ptr(&self.stream);
        let (keys_out, _sorted_guard) = sorted.device_ptr_mut(&self.stream);
        let (values, _values_guards) = values
            .map(|(values, sorted)| {
                let (values_in, in_guard) = values.device_ptr(&self.stream);
                let (values_out, out_guard) = sorted.device_ptr_mut(&self.stream);
                ((values_in, values_out), (in_guard, out_guard))
            })
            .unzip();
        let (values_in, values_out) = values.unwrap_or((0, 0));
        if task.n == 1 {
            self.bind()?;
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
        unsafe { self.run(task, &arrays) }
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
        let (positions, _positions_guard) = positions.device_ptr_mut(&self.stream);
        if task.n < 2 {
            if task.n == 1 {
                self.bind()?;
                // SAFETY: the slice is of this context and holds one number at least.
                let zeroed = unsafe {
                    result::memset_d8_async(positions, 0, size_of::<u32>(), self.stream.cu_stream())
                };
                told("enqueue a memset", zeroed)?;
            }
            return Ok(());
        }
        let (keys, _keys_guard) = keys.device_ptr(&self.stream);
        let arrays = Arrays::argsort(keys, positions);
        // SAFETY: as in `sort`; the keys are only read.
        unsafe { self.run(task, &arrays) }
    }

    /// Device memory for so many indices, which hold nothing defined.
    pub fn indices(&self, n: usize) -> Result<CudaSlice<u32>, Error> {
        if n == 0 {
            // An allocation of nothing is an error of the driver's.
            return told("make an empty slice", self.stream.null());
        }
        // SAFETY: the caller fills it, in the stream's order, before it gives it out.
        memory::allocated("indices", n.saturating_mul(size_of::<u32>()), unsafe {
            self.stream.alloc(n)
        })
    }

    /// Sorts host slices by way of copies on the device.
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
        let mut memory = self.lock();
        let Memory { sorts, copies } = &mut *memory;
        let [d_keys, d_values] = copies.take([keys.len(), values.len()])?;
        let arrays = Arrays::in_place(d_keys, d_values);
        self.copying(|| {
            self.copy_in(keys, d_keys)?;
            self.copy_in(values, d_values)?;
            // SAFETY: the copies are of this context, aligned, as long as the slices, apart from each other and from
            // the scratch, and in this stream's order.
            unsafe { device_sort::run(&self.gpu, &self.stream, task, &arrays, sorts) }?;
            self.copy_out(d_keys, keys)?;
            self.copy_out(d_values, values)
        })
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
        let mut memory = self.lock();
        let Memory { sorts, copies } = &mut *memory;
        let [d_keys, d_positions] = copies.take([keys.len(), positions.len()])?;
        let arrays = Arrays::argsort(d_keys, d_positions);
        self.copying(|| {
            self.copy_in(keys, d_keys)?;
            // SAFETY: as in `sort_copies`.
            unsafe { device_sort::run(&self.gpu, &self.stream, task, &arrays, sorts) }?;
            self.copy_out(d_positions, positions)
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
        let _in_order = self.lock();
        let (keys, _keys_guard) = keys.device_ptr_mut(&self.stream);
        let (values, _values_guard) =
            values.map(|values| values.device_ptr_mut(&self.stream)).unzip();
        self.bind()?;
        // SAFETY: as in `sort`; each block reads its tile before it writes it.
        unsafe { self.run_tiles(spec, n, keys, values.unwrap_or(0)) }
    }

    /// Sorts each tile of host slices by way of copies on the device.
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
        let mut memory = self.lock();
        let [d_keys, d_values] = memory.copies.take([keys.len(), values.len()])?;
        self.copying(|| {
            self.copy_in(keys, d_keys)?;
            self.copy_in(values, d_values)?;
            // SAFETY: as in `sort_copies`; each block reads its tile before it writes it.
            unsafe { self.run_tiles(spec, n, d_keys, d_values) }?;
            self.copy_out(d_keys, keys)?;
            self.copy_out(d_values, values)
        })
    }

    /// # Safety
    ///
    /// As [`TileKernel::sort`] says, of arrays that are sorted in place.
    unsafe fn run_tiles(
        &self,
        spec: &SortSpec,
        n: usize,
        keys: u64,
        values: u64,
    ) -> Result<(), Error> {
        let arrays =
            TileArrays { keys_in: keys, keys_out: keys, values_in: values, values_out: values };
        let bits = 0..spec.key.bits();
        let kernel = TileKernel::prepare(&self.gpu, spec)?;
        // SAFETY: the caller answers for the context and the arrays.
        unsafe { kernel.sort(&self.stream, n, &bits, &arrays) }
    }

    /// # Safety
    ///
    /// As [`device_sort::run`] says of its arrays.
    unsafe fn run(&self, task: &Task, arrays: &Arrays) -> Result<(), Error> {
        self.bind()?;
        // SAFETY: the caller answers for the arrays; the context is bound, and the memory is this stream's.
        unsafe { device_sort::run(&self.gpu, &self.stream, task, arrays, &mut self.lock().sorts) }
    }

    /// Whether a slice is of this context.
    fn own<T, S: DeviceSlice<T> + ?Sized>(
        &self,
        slice: &S,
        what: &'static str,
    ) -> Result<(), Error> {
        if slice.stream().context() == self.gpu.context() {
            Ok(())
        } else {
            Err(Error::OtherContext { what })
        }
    }

    /// Binds the context to this thread, once for all that a sort enqueues.
    fn bind(&self) -> Result<(), Error> {
        told("bind the context to a thread", self.stream.context().bind_to_thread())
    }

    /// Copies host memory there and back, and waits: also for what was enqueued before a failure, for it reads from or
    /// writes to memory that is the caller's again afterwards.
    fn copying(&self, work: impl FnOnce() -> Result<(), Error>) -> Result<(), Error> {
        self.bind()?;
        let done = work();
        let waited = told("wait for a sort", self.stream.synchronize());
        done.and(waited)
    }

    fn copy_in(&self, from: &[u8], to: u64) -> Result<(), Error> {
        if from.is_empty() {
            return Ok(());
        }
        // SAFETY: `to` is device memory of at least that length, and `copying` waits before the slice is given back.
        let copied = unsafe { result::memcpy_htod_async(to, from, self.stream.cu_stream()) };
        told("copy to the device", copied)
    }

    fn copy_out(&self, from: u64, to: &mut [u8]) -> Result<(), Error> {
        if to.is_empty() {
            return Ok(());
        }
        // SAFETY: `from` is device memory of at least that length, and `copying` waits before the slice is given back.
        let copied = unsafe { result::memcpy_dtoh_async(to, from, self.stream.cu_stream()) };
        told("copy from the device", copied)
    }

    fn lock(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn key_bytes<K: SortKey>(keys: &[K]) -> &[u8] {
    // SAFETY: keys are numbers or `bool`s, the trait being sealed: they have no padding.
    unsafe { std::slice::from_raw_parts(keys.as_ptr().cast(), size_of_val(keys)) }
}

fn key_bytes_mut<K: SortKey>(keys: &mut [K]) -> &mut [u8] {
    // SAFETY: as in `key_bytes`. What is written there are keys that were read there, which are valid for `bool` too.
    unsafe { std::slice::from_raw_parts_mut(keys.as_mut_ptr().cast(), size_of_val(keys)) }
}

/// The bytes of values; none of values without bytes.
fn value_bytes_mut<V: Pod>(values: &mut [V]) -> &mut [u8] {
    if size_of::<V>() == 0 { &mut [] } else { bytemuck::cast_slice_mut(values) }
}
