//! Launches of generated binned argsorts of rows.

use std::sync::Arc;

use cudarc::driver::{CudaStream, LaunchConfig};
use sortsmith_codegen::binned_argsort::{
    self, BinnedKernel, BinnedLaunch, BinnedLaunches, BinnedRows, BinnedSpec, ChunksArguments,
    CountArguments, Exchange, RankArguments, RowsArguments,
};

use super::context::Context;
use super::kernels::KernelRequest;
use super::launch::{Parameter, Start};
use super::module::{Module, Symbol};
use crate::error::Error;

/// Addresses of device arrays.
#[derive(Clone, Copy, Debug)]
pub struct BinnedArrays {
    /// The rows' keys.
    pub keys: u64,
    /// From the first key of a row to that of the next.
    pub stride: usize,
    /// Where the positions go, row after row.
    pub positions: u64,
    /// Where the offsets go, bins + 1 of each row.
    pub offsets: u64,
    /// Scratch for [`BinnedLaunches::count_bytes`], or the exchange of [`BinnedLaunches::AtOnce`].
    pub counts: u64,
}

/// Loads the kernels of a spec.
pub fn prepare(context: &Context, spec: BinnedSpec) -> Result<Arc<Module>, Error> {
    let names = BinnedKernel::ALL.map(|kernel| format!("{spec}{}", kernel.suffix()));
    let dynamic_shared_bytes = spec.shared_bytes();
    context.kernels().get(&KernelRequest {
        name: &spec.to_string(),
        source: &|| Ok(binned_argsort::header(&spec)?),
        symbols: &names.each_ref().map(|name| Symbol { name, dynamic_shared_bytes }),
    })
}

/// Enqueues a binned argsort of rows and does not wait for it.
///
/// # Safety
///
/// - The stream's context is bound to this thread, and is the one that the module was loaded in; the module is the spec's.
/// - The launches are the spec's for this shape, which has less than 2³² columns, and the spec has room for the bins.
/// - An exchange is as long as it says, and is changed by nothing but such launches, which are in the stream's order.
/// - The arrays are memory of that context, as long as [`BinnedArrays`] says and aligned, the counts to 32 bytes; only these may be
///   missing, where there is one launch.
/// - They are valid until the stream has done this work, nothing outside of the stream's order accesses them, and they do not overlap.
pub unsafe fn run(
    stream: &CudaStream,
    module: &Module,
    (shape, launches): (BinnedRows, BinnedLaunches),
    bins: u32,
    arrays: &BinnedArrays,
) -> Result<(), Error> {
    let BinnedRows { rows, columns } = shape;
    let BinnedArrays { keys, stride, positions, offsets, counts } = *arrays;
    let stride = stride as u64;
    let (chunks, count, rank) = match launches {
        BinnedLaunches::Rows(launch) => {
            let arguments = RowsArguments { keys, positions, offsets, rows, columns, stride, bins };
            let parameters = Parameter::each(&arguments);
            // SAFETY: the header is made of the same table of arguments, and the caller vouches for what they point to.
            return unsafe { enqueue(stream, module, launch, Start::InOrder, &parameters) };
        }
        BinnedLaunches::AtOnce { chunks, exchange, launch } => {
            let Exchange { capacity, group_bits, polls } = exchange;
            let arguments = ChunksArguments {
                keys,
                exchange: counts,
                positions,
                offsets,
                columns,
                stride,
                chunk_columns: chunks.columns,
                capacity,
                group_bits,
                polls,
                bins,
            };
            let parameters = Parameter::each(&arguments);
            // SAFETY: as above.
            return unsafe { enqueue(stream, module, launch, Start::InOrder, &parameters) };
        }
        BinnedLaunches::Chunks { chunks, count, rank } => (chunks, count, rank),
    };
    let (count_bytes, chunk_columns, chunks) = (chunks.count_bytes(), chunks.columns, chunks.count);
    let arguments =
        CountArguments { keys, counts, columns, stride, chunks, chunk_columns, count_bytes, bins };
    // SAFETY: as above.
    unsafe { enqueue(stream, module, count, Start::InOrder, &Parameter::each(&arguments)) }?;
    let arguments = RankArguments {
        keys,
        counts,
        positions,
        offsets,
        columns,
        stride,
        chunks,
        chunk_columns,
        count_bytes,
        bins,
    };
    // SAFETY: as above. The kernel waits for the one before it, which began in order, before it reads more than the keys.
    unsafe { enqueue(stream, module, rank, Start::Early, &Parameter::each(&arguments)) }
}

/// # Safety
///
/// The parameters are those of the kernel, what they point to is as [`run`] says, and so is when the kernel may start.
unsafe fn enqueue(
    stream: &CudaStream,
    module: &Module,
    BinnedLaunch { kernel, blocks, rows, threads, shared_bytes }: BinnedLaunch,
    start: Start,
    parameters: &[Parameter<'_>],
) -> Result<(), Error> {
    let config = LaunchConfig {
        grid_dim: (blocks, rows, 1),
        block_dim: (threads, 1, 1),
        shared_mem_bytes: shared_bytes,
    };
    // SAFETY: the caller vouches for all of it. Symbols were looked up in the kernels' order.
    unsafe { module.kernel(kernel as usize).launch(stream, start, config, parameters) }
}
