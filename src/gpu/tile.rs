//! The launch of a generated tile kernel: each block sorts its own tile of an array.

use std::ops::Range;
use std::sync::Arc;

use cudarc::driver::{CudaStream, LaunchConfig, PushKernelArg};
use sortsmith_codegen::dispatch::KernelSpec;
use sortsmith_codegen::{Algorithm, BitRange, SortSpec, ValueType};

use super::Gpu;
use super::driver::told;
use super::kernels::{KernelRequest, Module, Symbol};
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

/// Makes the kernel of a spec ready for launches.
pub fn prepare(gpu: &Gpu, spec: &SortSpec) -> Result<Arc<Module>, Error> {
    let (needed, limit) = (shared_bytes(spec), gpu.max_shared_bytes());
    if needed > limit {
        return Err(Error::SharedMemory { spec: *spec, needed, limit });
    }
    let name = spec.to_string();
    gpu.kernels().get(&KernelRequest {
        name: &name,
        source: &|| Ok(KernelSpec::Tile(*spec).source()?),
        symbols: &[Symbol { name: &symbol(spec), dynamic_shared_bytes: needed }],
    })
}

/// Sorts each tile of `n` items, in order on the stream.
///
/// # Safety
///
/// - The addresses are of memory of the stream's context, aligned for the spec's types, with at least `n` items of them.
/// - The memory stays until the kernel has run, and nothing out of the stream's order touches it.
/// - Arrays overlap only where they are the same.
/// - The module is the spec's.
pub unsafe fn sort(
    stream: &CudaStream,
    (spec, module): (&SortSpec, &Module),
    n: usize,
    bits: &Range<u32>,
    arrays: &TileArrays,
) -> Result<(), Error> {
    let tile = spec.tile_items() as usize;
    let blocks = i32::try_from(n.div_ceil(tile)).map_err(|_| Error::DeviceSize {
        items: n,
        limit: tile.saturating_mul(i32::MAX as usize),
    })?;
    let block = spec.algorithm.block();
    let config = LaunchConfig {
        grid_dim: (blocks.cast_unsigned(), 1, 1),
        block_dim: (block.x, block.y, block.z),
        shared_mem_bytes: shared_bytes(spec),
    };
    let (n, begin, end) = (n as u64, bits.start.cast_signed(), bits.end.cast_signed());
    let mut arguments = stream.launch_builder(module.kernel(&symbol(spec))?);
    arguments.arg(&arrays.keys_in).arg(&arrays.keys_out);
    if spec.value.is_read() {
        arguments.arg(&arrays.values_in);
    }
    if spec.value != ValueType::None {
        arguments.arg(&arrays.values_out);
    }
    arguments.arg(&n);
    if !has_constant_bits(spec) {
        arguments.arg(&begin).arg(&end);
    }
    // SAFETY: these are the tile kernel's parameters in their order, the block and its shared memory are as the spec's
    // plan says, and the caller answers for the arrays.
    told("launch a kernel", unsafe { arguments.launch(config) })?;
    Ok(())
}

fn symbol(spec: &SortSpec) -> String {
    format!("{spec}_tile")
}

fn shared_bytes(spec: &SortSpec) -> u32 {
    KernelSpec::Tile(*spec).shared_bytes()
}

fn has_constant_bits(spec: &SortSpec) -> bool {
    matches!(spec.algorithm, Algorithm::BlockRadix { bits: BitRange::Static { .. }, .. })
}
