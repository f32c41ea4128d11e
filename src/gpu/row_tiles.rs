//! Launches of generated kernels of rows: each block, or each logical warp, sorts its own row as its tile.

use std::ops::Range;
use std::sync::Arc;

use cudarc::driver::{CudaStream, LaunchConfig};
use sortsmith_codegen::{Block, SortSpec, ValueType, registry};

use super::context::Context;
use super::kernels::KernelRequest;
use super::launch::{Parameter, Start};
use super::module::{Module, Symbol};
use super::task::Arrays;
use super::tile::has_constant_bits;
use crate::error::Error;
use crate::lists::RowLists;

/// The kernel of rows of a spec, ready for launches.
#[derive(Debug)]
pub struct RowsKernel {
    spec: SortSpec,
    block: Block,
    shared_bytes: u32,
    module: Arc<Module>,
}

impl RowsKernel {
    /// Loads the kernel. The device has the shared memory for it.
    pub fn prepare(context: &Context, spec: &SortSpec) -> Result<Self, Error> {
        let summary = registry::summary(spec);
        let block = summary.map_or(spec.algorithm.block(), |summary| summary.block);
        let shared_bytes = summary.map_or(0, |summary| summary.shared_bytes);
        let name = format!("{spec}_rows");
        let module = context.kernels().get(&KernelRequest {
            name: &name,
            source: &|| Ok(registry::rows_source(spec)?),
            symbols: &[Symbol { name: &name, dynamic_shared_bytes: shared_bytes }],
        })?;
        Ok(Self { spec: *spec, block, shared_bytes, module })
    }

    /// The most rows that one launch sorts.
    pub fn max_rows(&self) -> usize {
        self.rows_of_block().saturating_mul(i32::MAX as usize)
    }

    /// The rows of a block, each of which the threads of a tile sort.
    fn rows_of_block(&self) -> usize {
        (self.block.threads() / self.spec.algorithm.block().threads()) as usize
    }

    /// Enqueues the sort of each of the first rows of an array.
    ///
    /// # Safety
    ///
    /// - The stream's context is bound to this thread, and is the one that the kernel was loaded in.
    /// - A row has no more columns than the tile has items, and there are no more rows than [`Self::max_rows`].
    /// - The arrays are memory of that context for these rows, each at a multiple of its item's size. Only a sort of positions is
    ///   without an output for keys.
    /// - They are valid until the kernel has run, and nothing outside of the stream's order accesses them.
    /// - Two arrays are the same or do not overlap.
    pub unsafe fn sort_rows(
        &self,
        stream: &CudaStream,
        (rows, lists): (usize, &RowLists),
        bits: &Range<u32>,
        arrays: &Arrays,
    ) -> Result<(), Error> {
        let Self { spec, block, shared_bytes, module } = self;
        let config = LaunchConfig {
            grid_dim: (rows.div_ceil(self.rows_of_block()) as u32, 1, 1),
            block_dim: (block.x, block.y, block.z),
            shared_mem_bytes: *shared_bytes,
        };
        let (rows, columns, stride) = (rows as u64, lists.columns() as u32, lists.stride() as u64);
        let (begin, end) = (bits.start.cast_signed(), bits.end.cast_signed());
        let keys_out = arrays.keys_out.unwrap_or(0);
        let mut parameters = vec![Parameter::of(&arrays.keys_in), Parameter::of(&keys_out)];
        if spec.value.is_read() {
            parameters.push(Parameter::of(&arrays.values_in));
        }
        if spec.value != ValueType::None {
            parameters.push(Parameter::of(&arrays.values_out));
        }
        parameters.extend([Parameter::of(&rows), Parameter::of(&columns), Parameter::of(&stride)]);
        if !has_constant_bits(spec) {
            parameters.extend([Parameter::of(&begin), Parameter::of(&end)]);
        }
        // SAFETY: these are the kernel's parameters in their order, the block and its shared memory are those of the spec's plan, and
        // the caller vouches for the arrays.
        unsafe { module.kernel(0).launch(stream, Start::InOrder, config, &parameters) }
    }
}
