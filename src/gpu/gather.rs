//! Launches of generated gathers, which move the values that a sort's kernels do not: into the order of the sort's positions.

use std::sync::Arc;

use cudarc::driver::{CudaStream, LaunchConfig, result};
use sortsmith_codegen::gather::{self, GatherArguments, GatherSpec};

use super::context::Context;
use super::kernels::KernelRequest;
use super::launch::{Parameter, Start};
use super::module::{Module, Symbol};
use super::status::checked;
use crate::error::Error;

/// Addresses of device arrays.
#[derive(Clone, Copy, Debug)]
pub struct Gathered {
    /// The items.
    pub items_in: u64,
    /// Where the gathered items go; the same as `items_in` to gather in place.
    pub items_out: u64,
    /// For each output item the index of its input item, below `n`.
    pub positions: u64,
    /// Scratch of [`copy_bytes`] bytes, required for a gather in place.
    pub copy: Option<u64>,
}

/// Bytes of scratch for a gather of n items in place.
pub fn copy_bytes(spec: GatherSpec, n: usize) -> usize {
    n.saturating_mul(spec.item_bytes() as usize)
}

/// Loads the kernel of a spec.
pub fn prepare(context: &Context, spec: GatherSpec) -> Result<Arc<Module>, Error> {
    context.kernels().get(&KernelRequest {
        name: &spec.to_string(),
        source: &|| Ok(gather::header(&spec)?),
        symbols: &[Symbol { name: &spec.symbol(), dynamic_shared_bytes: 0 }],
    })
}

/// Enqueues the gather of n items and does not wait for it.
///
/// # Safety
///
/// - The stream's context is bound to this thread, and is the one that the module was loaded in; the module is the spec's.
/// - Input and output are memory of that context for `n` items, aligned to the spec's words. They are the same and there is a
///   copy, or they do not overlap. Positions and copy overlap neither of them, and are as long as [`Gathered`] says.
/// - All of it is valid until the stream has done this work, and nothing outside of the stream's order accesses it.
pub unsafe fn run(
    stream: &CudaStream,
    (spec, module): (GatherSpec, &Module),
    n: usize,
    at: &Gathered,
) -> Result<(), Error> {
    let Some(launch) = spec.launch(n as u64) else { return Ok(()) };
    if let Some(copy) = at.copy {
        // SAFETY: both are at least as long; the caller vouches for the rest.
        let copied = unsafe {
            result::memcpy_dtod_async(copy, at.items_in, copy_bytes(spec, n), stream.cu_stream())
        };
        checked("enqueue a copy", copied)?;
    }
    let config = LaunchConfig {
        grid_dim: (launch.blocks, 1, 1),
        block_dim: (launch.threads, 1, 1),
        shared_mem_bytes: 0,
    };
    let arguments = GatherArguments {
        items_in: at.copy.unwrap_or(at.items_in),
        positions: at.positions,
        items_out: at.items_out,
        n: n as u64,
    };
    // SAFETY: the header is made of the same table of arguments, and the caller vouches for what they point to.
    unsafe { module.kernel(0).launch(stream, Start::InOrder, config, &Parameter::each(&arguments)) }
}
