//! The launch of a generated tile kernel: each block sorts its own tile of an array.

use std::ops::Range;
use std::sync::Arc;

use cudarc::driver::{CudaStream, LaunchConfig};
use sortsmith_codegen::dispatch::KernelSpec;
use sortsmith_codegen::{Algorithm, BitRange, SortSpec, ValueType};

use super::Gpu;
use super::kernels::KernelRequest;
use super::launch::{Parameter, Start};
use super::module::{Module, Symbol};
use crate::Error;

/// Device arrays by their addresses. In place is to name an array twice.
#[derive(Clone, Copy, Debug)]
pub struct TileArrays {
    /// The keys.
    pub keys_in: u64,
    /// Where sorted keys go.
    pub keys_out: u64,
    /// The values, of specs that read any.
    pub values_in: u64,
    /// Where values or positions go, of specs that have them.
    pub values_out: u64,
}

/// The kernel of a spec, ready for launches.
#[derive(Debug)]
pub struct TileKernel {
    spec: SortSpec,
    shared_bytes: u32,
    module: Arc<Module>,
}

impl TileKernel {
    /// Makes it.
    pub fn prepare(gpu: &Gpu, spec: &SortSpec) -> Result<Self, Error> {
        let shared_bytes = KernelSpec::Tile(*spec).shared_bytes();
        let limit = gpu.max_shared_bytes();
        if shared_bytes > limit {
            return Err(Error::SharedMemory { spec: *spec, needed: shared_bytes, limit });
        }
        let name = spec.to_string();
        let symbol = format!("{spec}_tile");
        let module = gpu.kernels().get(&KernelRequest {
            name: &name,
            source: &|| Ok(KernelSpec::Tile(*spec).source()?),
            symbols: &[Symbol { name: &symbol, dynamic_shared_bytes: shared_bytes }],
        })?;
        Ok(Self { spec: *spec, shared_bytes, module })
    }

    /// Sorts each tile of `n` items, in order on the stream.
    ///
    /// # Safety
    ///
    /// - The stream's context is bound to this thread, and the one that the kernel was made for.
    /// - The addresses are of memory of that context, multiples of the sizes of the spec's types, with at least `n` items of
    ///   them.
    /// - The memory stays until the kernel has run, and nothing out of the stream's order touches it.
    /// - Arrays overlap only where they are the same.
    pub unsafe fn sort(
        &self,
        stream: &CudaStream,
        n: usize,
        bits: &Range<u32>,
        arrays: &TileArrays,
    ) -> Result<(), Error> {
        let Self { spec, shared_bytes, module } = self;
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
        let (n, begin, end) = (n as u64, bits.start.cast_signed(), bits.end.cast_signed());
        let mut parameters = vec![Parameter::of(&arrays.keys_in), Parameter::of(&arrays.keys_out)];
        if spec.value.is_read() {
            parameters.push(Parameter::of(&arrays.values_in));
        }
        if spec.value != ValueType::None {
            parameters.push(Parameter::of(&arrays.values_out));
        }
        parameters.push(Parameter::of(&n));
        if !has_constant_bits(spec) {
            parameters.extend([Parameter::of(&begin), Parameter::of(&end)]);
        }
        // SAFETY: these are the tile kernel's parameters in their order, the block and its shared memory are as the spec's
        // plan says, and the caller answers for the arrays.
        unsafe { module.kernel(0).launch(stream, Start::InTurn, config, &parameters) }
    }
}

fn has_constant_bits(spec: &SortSpec) -> bool {
    matches!(spec.algorithm, Algorithm::BlockRadix { bits: BitRange::Static { .. }, .. })
}
