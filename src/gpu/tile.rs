//! Launches of generated tile kernels: each block sorts its own tile of an array.

use std::ops::Range;
use std::sync::Arc;

use cudarc::driver::{CudaStream, LaunchConfig};
use sortsmith_codegen::device::Device;
use sortsmith_codegen::dispatch::KernelSpec;
use sortsmith_codegen::{ArgumentField, SortSpec, TileArguments, TileKernelKind};

use super::array_kernels::ArrayKernels;
use super::context::Context;
use super::kernels::KernelRequest;
use super::launch::{Parameter, Start};
use super::module::{Module, Symbol};
use super::scratch::Scratch;
use super::task::{Arrays, Task};
use crate::error::Error;

/// Addresses of device arrays. A sort in place names the same array as input and output.
#[derive(Clone, Copy, Debug)]
pub struct TileArrays {
    /// The keys.
    pub keys_in: u64,
    /// Where sorted keys go.
    pub keys_out: u64,
    /// The values, if the spec reads any.
    pub values_in: u64,
    /// Where values or positions go, if the spec has them.
    pub values_out: u64,
}

/// The tile kernel of a spec, ready for launches.
#[derive(Debug)]
pub struct TileKernel {
    spec: SortSpec,
    shared_bytes: u32,
    /// The arguments that it takes.
    taken: Vec<ArgumentField>,
    module: Arc<Module>,
}
impl TileKernel {
    /// Loads the kernel.
    pub fn prepare(context: &Context, spec: &SortSpec) -> Result<Self, Error> {
        let shared_bytes = KernelSpec::Tile(*spec).shared_bytes();
        let limit = context.device().shared_bytes_per_block;
        if shared_bytes > limit {
            return Err(Error::SharedMemory { spec: *spec, needed: shared_bytes, limit });
        }
        let name = spec.to_string();
        let symbol = format!("{spec}{}", TileKernelKind::Tile.suffix());
        let module = context.kernels().get(&KernelRequest {
            name: &name,
            source: &|| Ok(KernelSpec::Tile(*spec).source()?),
            symbols: &[Symbol { name: &symbol, dynamic_shared_bytes: shared_bytes }],
        })?;
        let taken = TileArguments::taken(spec, TileKernelKind::Tile);
        Ok(Self { spec: *spec, shared_bytes, taken, module })
    }

    /// Enqueues the sort of each tile of `n` items.
    ///
    /// # Safety
    ///
    /// - The stream's context is bound to this thread, and is the one that the kernel was loaded in.
    /// - The arrays are memory of that context for `n` items, each at a multiple of its item's size.
    /// - They are valid until the kernel has run, and nothing outside of the stream's order accesses them.
    /// - Two arrays are the same or do not overlap.
    pub unsafe fn sort_tiles(
        &self,
        stream: &CudaStream,
        n: usize,
        bits: &Range<u32>,
        arrays: &TileArrays,
    ) -> Result<(), Error> {
        let Self { spec, shared_bytes, taken, module } = self;
        let tile = spec.tile_items() as usize;
        let blocks = i32::try_from(n.div_ceil(tile)).map_err(|_| Error::DeviceSize {
            items: n,
            limit: tile.saturating_mul(i32::MAX as usize),
        })?;
        let block = spec.algorithm.block();
        let config = LaunchConfig {
            grid_dim: (blocks.cast_unsigned(), 1, 1),
            block_dim: (block.x, block.y, block.z),
            shared_mem_bytes: *shared_bytes,
        };
        let TileArrays { keys_in, keys_out, values_in, values_out } = *arrays;
        let arguments = TileArguments {
            keys_in,
            keys_out,
            values_in,
            values_out,
            positions_out: values_out,
            n: n as u64,
            begin_bit: bits.start.cast_signed(),
            end_bit: bits.end.cast_signed(),
            ..TileArguments::default()
        };
        let parameters = Parameter::some(&arguments, taken);
        // SAFETY: these are the tile kernel's parameters in their order, the block and its shared memory are those of the
        // spec's plan, and the caller vouches for the arrays.
        unsafe { module.kernel(0).launch(stream, Start::InOrder, config, &parameters) }
    }
}

impl ArrayKernels for TileKernel {
    unsafe fn sort(
        &self,
        _: Device,
        stream: &CudaStream,
        task: &Task,
        arrays: &Arrays,
        scratch: &mut Scratch,
    ) -> Result<(), Error> {
        let keys_out = if let Some(keys_out) = arrays.keys_out {
            keys_out
        } else {
            let [keys_out] = scratch.take([task.key_bytes()])?;
            keys_out
        };
        let Arrays { keys_in, values_in, values_out, .. } = *arrays;
        let arrays = TileArrays { keys_in, keys_out, values_in, values_out };
        // SAFETY: the caller vouches for the arrays. The scratch is as long as the keys and aligned, its uses are in the order
        // of this stream, and the array is one tile, which its block reads before it writes.
        unsafe { self.sort_tiles(stream, task.n, &task.bits, &arrays) }
    }
}

/// Bytes of scratch for a sort by one tile.
pub fn scratch_bytes(task: &Task, writes_keys: bool) -> usize {
    if writes_keys { 0 } else { Scratch::bytes_of([task.key_bytes()]) }
}
