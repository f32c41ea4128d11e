//! Launches of generated binned argsorts of rows.

use std::sync::Arc;

use cudarc::driver::{CudaStream, LaunchConfig};
use sortsmith_codegen::binned_argsort::{
    self, BinnedKernel, BinnedLaunch, BinnedLaunches, BinnedRows, BinnedSpec,
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
    let BinnedArrays { keys, stride, positions, offsets, counts } = arrays;
    let stride = *stride as u64;
    let [keys, positions, offsets, counts] = [keys, positions, offsets, counts].map(Parameter::of);
    let [rows, columns, stride] = [&rows, &columns, &stride].map(Parameter::of);
    let bins = Parameter::of(&bins);
    let (chunks, count, rank) = match launches {
        BinnedLaunches::Rows(launch) => {
            let parameters = [keys, positions, offsets, rows, columns, stride, bins];
            // SAFETY: these are the kernel's parameters in their order, and the caller vouches for what they point to.
            return unsafe { enqueue(stream, module, launch, Start::InOrder, &parameters) };
        }
        BinnedLaunches::AtOnce { chunks, exchange, launch } => {
            let [capacity, group_bits, polls] =
                [&exchange.capacity, &exchange.group_bits, &exchange.polls].map(Parameter::of);
            let chunk_columns = Parameter::of(&chunks.columns);
            let parameters = [
                keys,
                counts,
                positions,
                offsets,
                columns,
                stride,
                chunk_columns,
                capacity,
                group_bits,
                polls,
                bins,
            ];
            // SAFETY: as above.
            return unsafe { enqueue(stream, module, launch, Start::InOrder, &parameters) };
        }
        BinnedLaunches::Chunks { chunks, count, rank } => (chunks, count, rank),
    };
    let count_bytes = chunks.count_bytes();
    let (chunk_columns, count_bytes) =
        (Parameter::of(&chunks.columns), Parameter::of(&count_bytes));
    let chunks = Parameter::of(&chunks.count);
    let parameters = [keys, counts, columns, stride, chunks, chunk_columns, count_bytes, bins];
    // SAFETY: as above.
    unsafe { enqueue(stream, module, count, Start::InOrder, &parameters) }?;
    let parameters = [
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
    ];
    // SAFETY: as above. The kernel waits for the one before it, which began in order, before it reads more than the keys.
    unsafe { enqueue(stream, module, rank, Start::Early, &parameters) }
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
