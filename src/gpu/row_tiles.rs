//! Launches of generated kernels of rows: each block, or each logical warp, sorts its own row as its tile. A kernel that reads from memory
//! how many rows there are reads the number of items, too, of an array that is one row.

use std::ops::Range;
use std::sync::Arc;

use cudarc::driver::{CudaStream, LaunchConfig};
use sortsmith_codegen::device::Device;
use sortsmith_codegen::{
    ArgumentField, Block, SortSpec, TileArguments, TileKernelKind, registry, rows,
};

use super::array_kernels::ArrayKernels;
use super::context::Context;
use super::kernels::KernelRequest;
use super::launch::{Parameter, Start};
use super::module::{Module, Symbol};
use super::scratch::Scratch;
use super::task::{Arrays, Task};
use crate::error::Error;

/// The kernel of rows of a spec, ready for launches.
#[derive(Debug)]
pub struct RowsKernel {
    block: Block,
    shared_bytes: u32,
    /// The rows that a block sorts, and the most that a launch does.
    rows_of_block: u64,
    max_rows: usize,
    /// The arguments that it takes.
    taken: Vec<ArgumentField>,
    module: Arc<Module>,
}

/// The rows of an array.
#[derive(Clone, Copy, Debug)]
pub struct RowShape {
    /// How many there are, or the most.
    pub rows: usize,
    /// Items of each, or the most.
    pub columns: usize,
    /// From the first item of a row to that of the next.
    pub stride: usize,
    /// Whether a count is of columns, and not of rows.
    pub counts_columns: bool,
}

impl RowsKernel {
    /// Loads the kernel, or the one that reads a count. The device has the shared memory for it.
    pub fn prepare(context: &Context, spec: &SortSpec, counted: bool) -> Result<Self, Error> {
        let summary = registry::summary(spec);
        let block = summary.map_or(spec.algorithm.block(), |summary| summary.block);
        let shared_bytes = summary.map_or(0, |summary| summary.shared_bytes);
        let (kernel, source): (_, fn(&SortSpec) -> _) = if counted {
            (TileKernelKind::CountedRows, registry::counted_rows_source)
        } else {
            (TileKernelKind::Rows, registry::rows_source)
        };
        let name = format!("{spec}{}", kernel.suffix());
        let module = context.kernels().get(&KernelRequest {
            name: &name,
            source: &|| Ok(source(spec)?),
            symbols: &[Symbol { name: &name, dynamic_shared_bytes: shared_bytes }],
        })?;
        let taken = TileArguments::taken(spec, kernel);
        let max_rows = usize::try_from(rows::max_rows_of_tiles(spec)).unwrap_or(usize::MAX);
        let rows_of_block = rows::rows_of_block(spec);
        Ok(Self { block, shared_bytes, rows_of_block, max_rows, taken, module })
    }

    /// The most rows that one launch sorts.
    pub fn max_rows(&self) -> usize {
        self.max_rows
    }

    /// Enqueues the sort of each of the first rows of an array.
    ///
    /// # Safety
    ///
    /// - The stream's context is bound to this thread, and is the one that the kernel was loaded in.
    /// - A row has no more columns than the tile has items, and there are no more rows than [`Self::max_rows`].
    /// - The arrays are memory of that context for these rows, each at a multiple of its item's size. Only a sort of positions is
    ///   without an output for keys.
    /// - Of a kernel that reads a count the arrays name one, memory of that context of 4 or 8 bytes.
    /// - They are valid until the kernel has run, and nothing outside of the stream's order accesses them.
    /// - Two arrays are the same or do not overlap.
    pub unsafe fn sort_rows(
        &self,
        stream: &CudaStream,
        RowShape { rows, columns, stride, counts_columns }: RowShape,
        bits: &Range<u32>,
        arrays: &Arrays,
    ) -> Result<(), Error> {
        let Self { block, shared_bytes, rows_of_block, taken, module, .. } = self;
        let config = LaunchConfig {
            grid_dim: ((rows as u64).div_ceil(*rows_of_block) as u32, 1, 1),
            block_dim: (block.x, block.y, block.z),
            shared_mem_bytes: *shared_bytes,
        };
        let Arrays { keys_in, keys_out, values_in, values_out, count } = *arrays;
        let arguments = TileArguments {
            keys_in,
            keys_out: keys_out.unwrap_or(0),
            values_in,
            values_out,
            positions_out: values_out,
            rows: rows as u64,
            columns: columns as u32,
            stride: stride as u64,
            begin_bit: bits.start.cast_signed(),
            end_bit: bits.end.cast_signed(),
            count: count.address,
            count_bytes: count.bytes,
            counts_columns: i32::from(counts_columns),
            ..TileArguments::default()
        };
        let parameters = Parameter::some(&arguments, taken);
        // SAFETY: these are the kernel's parameters in their order, the block and its shared memory are those of the spec's plan, and
        // the caller vouches for the arrays.
        unsafe { module.kernel(0).launch(stream, Start::InOrder, config, &parameters) }
    }
}

/// Sorts of an array that is one row, by a kernel that reads how many items there are.
impl ArrayKernels for RowsKernel {
    unsafe fn sort(
        &self,
        _: Device,
        stream: &CudaStream,
        task: &Task,
        arrays: &Arrays,
        _: &mut Scratch,
    ) -> Result<(), Error> {
        let shape = RowShape { rows: 1, columns: task.n, stride: task.n, counts_columns: true };
        // SAFETY: the caller vouches for the arrays, of which the kernel's tile has room for all items. Only an argsort has no output for
        // keys.
        unsafe { self.sort_rows(stream, shape, &task.bits, arrays) }
    }
}
