//! The launch of a generated gather: values that a sort's kernels do not carry, put where its positions say.

use std::sync::Arc;

use cudarc::driver::{CudaStream, LaunchConfig, result};
use sortsmith_codegen::gather::{self, GatherSpec};

use super::Gpu;
use super::driver::told;
use super::kernels::KernelRequest;
use super::launch::{Parameter, Start};
use super::module::{Module, Symbol};
use crate::Error;

/// Device memory by its addresses.
#[derive(Clone, Copy, Debug)]
pub struct Gathered {
    /// The items.
    pub items_in: u64,
    /// Where they go, in order; the same to put them in order where they are.
    pub items_out: u64,
    /// For each place the position of the item that it gets, each below `n`.
    pub positions: u64,
    /// [`copy_bytes`] of scratch, needed where the items are put in order where they are.
    pub copy: Option<u64>,
}

/// Bytes of the scratch that n items are gathered from.
pub fn copy_bytes(spec: GatherSpec, n: usize) -> usize {
    n.saturating_mul(spec.item_bytes() as usize)
}

/// Makes the kernel of a spec ready for launches.
pub fn prepare(gpu: &Gpu, spec: GatherSpec) -> Result<Arc<Module>, Error> {
    gpu.kernels().get(&KernelRequest {
        name: &spec.to_string(),
        source: &|| Ok(gather::header(&spec)?),
        symbols: &[Symbol { name: &spec.symbol(), dynamic_shared_bytes: 0 }],
    })
}

/// Puts n items into the order of their positions, in order on the stream and without waiting for it.
///
/// # Safety
///
/// - The stream's context is bound to this thread, and the one that the module was made for, which is the spec's.
/// - The items are memory of that context, aligned to the spec's words, with at least `n` of them, and so is where they go,
///   apart from them or the same with a copy; the positions and the copy are apart from all that, as long as
///   [`Gathered`] says.
/// - All of it stays until the stream has done this work, and nothing out of the stream's order touches it.
pub unsafe fn run(
    stream: &CudaStream,
    (spec, module): (GatherSpec, &Module),
    n: usize,
    at: &Gathered,
) -> Result<(), Error> {
    let Some(launch) = spec.launch(n as u64) else { return Ok(()) };
    if let Some(copy) = at.copy {
        // SAFETY: both are at least as long; the caller answers for the rest.
        let copied = unsafe {
            result::memcpy_dtod_async(copy, at.items_in, copy_bytes(spec, n), stream.cu_stream())
        };
        told("enqueue a copy", copied)?;
    }
    let config = LaunchConfig {
        grid_dim: (launch.blocks, 1, 1),
        block_dim: (launch.threads, 1, 1),
        shared_mem_bytes: 0,
    };
    let n = n as u64;
    let from = at.copy.unwrap_or(at.items_in);
    let parameters = [
        Parameter::of(&from),
        Parameter::of(&at.positions),
        Parameter::of(&at.items_out),
        Parameter::of(&n),
    ];
    // SAFETY: these are the kernel's parameters in their order, and the caller answers for what they point to.
    unsafe { module.kernel(0).launch(stream, Start::InTurn, config, &parameters) }
}
