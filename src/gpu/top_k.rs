//! Top-k of the rows of a device array: by launches for all rows where a warp's registers have room for a row or a block's tile for k keys, else by
//! the sort of one row after the other.

use std::sync::Arc;

use cudarc::driver::{CudaStream, result};
use sortsmith_codegen::gather::GatherSpec;
use sortsmith_codegen::top_k::{AnyTopK, FoundArguments, TopKRows, TopKSpec, TopKTask, TopKValue};
use sortsmith_codegen::{KeyType, Order, ValueType};

use super::block_top_k::{self, Found, TopK, TopKArrays};
use super::device_sort;
use super::gather::{self, Gathered};
use super::module::Module;
use super::scratch::{Scratch, SortMemory};
use super::sorts::Sorts;
use super::status::checked;
use super::task::{Arrays, Task};
use crate::algorithm::ArrayAlgorithm;
use crate::error::Error;
use crate::lists::{Lists as _, RowLists};
use crate::value::Carried;

/// Which keys of each row are found.
#[derive(Clone, Copy, Debug)]
pub struct TopKOfRows {
    /// The type of the keys, what is found beside them, their order, and NaNs.
    pub task: TopKTask,
    /// What is found beside keys where the task's values are not at multiples of what these are aligned to.
    pub odd_value: TopKValue,
    /// Whether they are wanted in that order, and not in that of their positions.
    pub is_sorted: bool,
    /// Keys of a row.
    pub columns: usize,
    /// Found keys of a row: one at least, and at most the columns.
    pub k: usize,
}

/// Addresses of device arrays.
#[derive(Clone, Copy, Debug)]
pub struct TopKSlices {
    /// The rows' keys.
    pub keys: u64,
    /// The rows' values, if such are found.
    pub values: u64,
    /// Where the found keys go, k for each row.
    pub keys_out: u64,
    /// Where it goes what is found beside them; null for nothing.
    pub values_out: u64,
}

impl TopKSlices {
    /// Where kernels write it that find this.
    fn found(&self, value: TopKValue) -> Found {
        let (keys, out) = (self.keys_out, self.values_out);
        match value {
            TopKValue::Index => Found { keys, positions: out, values: 0 },
            _ => Found { keys, positions: 0, values: out },
        }
    }
}

impl TopKOfRows {
    /// The same for slices at these addresses.
    pub fn at(self, slices: &TopKSlices) -> Self {
        let align = u64::from(self.task.value.align());
        let are_aligned =
            [slices.values, slices.values_out].iter().all(|at| at.is_multiple_of(align));
        if are_aligned { self } else { self.of_odd() }
    }

    /// The same for slices at other addresses than the values are aligned to.
    fn of_odd(self) -> Self {
        Self { task: TopKTask { value: self.odd_value, ..self.task }, ..self }
    }

    /// The kernels for such rows, if k is not too large for them.
    fn spec(&self, sorts: &Sorts) -> Option<AnyTopK> {
        let shared_bytes = sorts.context().device().shared_bytes_per_block;
        self.task.spec(self.columns as u64, self.k as u64, shared_bytes)
    }

    /// The argsort of a row.
    fn argsort(&self) -> Task {
        let TopKTask { key, order, nan_last, .. } = self.task;
        Task { nan_last, ..sort_of(key, ValueType::Index, order, self.columns) }
    }

    /// The sort of a row's found positions.
    fn sort_of_positions(&self) -> Task {
        sort_of(KeyType::U32, ValueType::None, Order::Ascending, self.k)
    }

    /// The gather of a row's found keys.
    fn gather(&self) -> Result<GatherSpec, Error> {
        let bytes = self.task.key.bytes();
        GatherSpec::new(bytes, bytes)
            .map_err(|error| Error::Driver { doing: "gather keys", reason: error.to_string() })
    }
}

fn sort_of(key: KeyType, value: ValueType, order: Order, n: usize) -> Task {
    Task {
        key,
        value: Carried::As(value),
        order,
        bits: 0..key.bits(),
        nan_last: false,
        algorithm: ArrayAlgorithm::Fastest,
        stable: true,
        counted: false,
        n,
    }
}

/// Prepares everything that [`run`] needs: kernels and scratch. After that `run` neither allocates nor compiles, for any number of
/// rows, and for the same k of rows of fewer columns.
pub fn prepare(sorts: &Sorts, top_k: &TopKOfRows, memory: &mut SortMemory) -> Result<(), Error> {
    prepare_one(sorts, top_k, memory)?;
    let has_odd = top_k.odd_value != top_k.task.value;
    if has_odd { prepare_one(sorts, &top_k.of_odd(), memory) } else { Ok(()) }
}

/// The same, for one kind of values.
fn prepare_one(sorts: &Sorts, top_k: &TopKOfRows, memory: &mut SortMemory) -> Result<(), Error> {
    let context = sorts.context();
    if top_k.spec(sorts).is_none() {
        device_sort::prepare(sorts, &top_k.argsort(), false, memory)?;
        device_sort::prepare(sorts, &top_k.sort_of_positions(), true, memory)?;
        match top_k.task.spec_of_sorted() {
            Some(spec) => drop(sorts.load_top_k(spec.into())?),
            None => drop(gather::prepare(context, top_k.gather()?)?),
        }
        return memory.candidates.reserve(Scratch::bytes_of([positions_bytes(top_k.columns)]));
    }
    let (columns, k) = (top_k.columns as u64, top_k.k as u32);
    let device = context.device();
    for spec in top_k.task.specs_of_rows(columns, k.into(), device.shared_bytes_per_block) {
        sorts.load_top_k(spec)?;
        let most = spec.max_scratch_words(columns, k, device.multiprocessors);
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        memory.candidates.reserve(Scratch::bytes_of([positions_bytes(most)]))?;
    }
    Ok(())
}

/// Enqueues the top-k of each row and does not wait for it.
///
/// # Safety
///
/// - The stream's context is bound to this thread, and is that of the sorts.
/// - The slices are memory of that context: keys of these rows, which have the columns of the top-k, and room for k keys and positions
///   of each row. They are aligned for their types and do not overlap.
/// - They are valid until the stream has done this work, and nothing outside of the stream's order accesses them.
/// - The memory is of this stream.
pub unsafe fn run(
    sorts: &Sorts,
    stream: &CudaStream,
    (top_k, lists): (&TopKOfRows, &RowLists),
    slices: &TopKSlices,
    memory: &mut SortMemory,
) -> Result<(), Error> {
    let Some(spec) = top_k.spec(sorts) else {
        // SAFETY: the caller vouches for all of it.
        return unsafe { sort_rows(sorts, stream, (top_k, lists), slices, memory) };
    };
    let (rows, columns) = (lists.count() as u64, top_k.columns as u64);
    let shape = TopKRows { rows, columns, k: top_k.k as u32 };
    let multiprocessors = sorts.context().device().multiprocessors;
    let Some(plan) = spec.plan(shape, top_k.is_sorted, multiprocessors) else {
        return Ok(());
    };
    let module = sorts.load_top_k(spec)?;
    let words = usize::try_from(plan.scratch_words).unwrap_or(usize::MAX);
    let [shared] = memory.candidates.take([positions_bytes(words)])?;
    let TopKSlices { keys, values, .. } = *slices;
    let (stride, found) = (lists.stride(), slices.found(top_k.task.value));
    let arrays = TopKArrays { keys, stride, values, found, shared };
    let (module, plan, is_sorted) = (&*module, &plan, top_k.is_sorted);
    // SAFETY: the plan is the spec's for this shape, the scratch has its words, and the caller vouches for the rest.
    unsafe { block_top_k::run(stream, &TopK { spec, module, shape, plan, is_sorted }, &arrays) }
}

/// Sorts the positions of one row after the other, and takes the first k.
///
/// # Safety
///
/// As for [`run`].
unsafe fn sort_rows(
    sorts: &Sorts,
    stream: &CudaStream,
    (top_k, lists): (&TopKOfRows, &RowLists),
    slices: &TopKSlices,
    memory: &mut SortMemory,
) -> Result<(), Error> {
    let (argsort, sort_of_positions) = (top_k.argsort(), top_k.sort_of_positions());
    let writer = Writer::of(sorts, top_k)?;
    let [order] = memory.candidates.take([positions_bytes(top_k.columns)])?;
    let (key_bytes, value_bytes) = (top_k.task.key.bytes() as usize, top_k.task.value.bytes());
    let k = top_k.k;
    let at = |array: u64, item: usize, bytes: usize| {
        if array == 0 { 0 } else { array + (item * bytes) as u64 }
    };
    (0..lists.count()).try_for_each(|row| {
        let first = lists.range(row).start;
        let of_row = TopKSlices {
            keys: at(slices.keys, first, key_bytes),
            values: at(slices.values, first, value_bytes as usize),
            keys_out: at(slices.keys_out, row * k, key_bytes),
            values_out: at(slices.values_out, row * k, value_bytes as usize),
        };
        let arrays = Arrays::argsort(of_row.keys, order);
        if top_k.columns > 1 {
            // SAFETY: the keys are this row's, and the scratch has a position for each. The caller vouches for the rest.
            unsafe { device_sort::run(sorts, stream, &argsort, &arrays, memory) }?;
        }
        if !top_k.is_sorted && k > 1 {
            let arrays = Arrays::in_place(order, 0);
            // SAFETY: the scratch has k positions at least.
            unsafe { device_sort::run(sorts, stream, &sort_of_positions, &arrays, memory) }?;
        }
        // SAFETY: the positions are below the columns, and the outputs have room for k results and overlap no input.
        unsafe { writer.write(stream, (order, k), &of_row) }
    })
}

/// Writes what is at the positions that the sort of a row has made.
enum Writer {
    /// They are wanted themselves, beside the keys.
    Gather(GatherSpec, Arc<Module>),
    /// More is wanted.
    Found(TopKSpec, Arc<Module>),
}

impl Writer {
    fn of(sorts: &Sorts, top_k: &TopKOfRows) -> Result<Self, Error> {
        if let Some(spec) = top_k.task.spec_of_sorted() {
            return Ok(Self::Found(spec, sorts.load_top_k(spec.into())?));
        }
        let gather = top_k.gather()?;
        Ok(Self::Gather(gather, gather::prepare(sorts.context(), gather)?))
    }

    /// # Safety
    ///
    /// As for [`run`], of slices of one row, and k positions in it.
    unsafe fn write(
        &self,
        stream: &CudaStream,
        (order, k): (u64, usize),
        &TopKSlices { keys, values, keys_out, values_out }: &TopKSlices,
    ) -> Result<(), Error> {
        match self {
            Self::Gather(gather, module) => {
                let (positions, bytes) = (values_out, positions_bytes(k));
                // SAFETY: both have k positions at least.
                let copied = unsafe {
                    result::memcpy_dtod_async(positions, order, bytes, stream.cu_stream())
                };
                checked("enqueue a copy", copied)?;
                let gathered =
                    Gathered { items_in: keys, items_out: keys_out, positions, copy: None };
                // SAFETY: the caller vouches for the positions and the keys.
                unsafe { gather::run(stream, (*gather, module), k, &gathered) }
            }
            Self::Found(spec, module) => {
                let n = k as u64;
                let positions = order;
                let arguments = FoundArguments { keys, positions, keys_out, n, values_out, values };
                // SAFETY: the caller vouches for the positions and what is at them.
                unsafe { block_top_k::run_found(stream, module, *spec, &arguments) }
            }
        }
    }
}

fn positions_bytes(count: usize) -> usize {
    count.saturating_mul(size_of::<u32>())
}
