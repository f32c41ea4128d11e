//! Launches of generated merges of shards.

use std::sync::Arc;

use cudarc::driver::{CudaStream, DeviceRepr, LaunchConfig};
use sortsmith_codegen::shard_merge::{self, ShardKernel, ShardSpec};

use super::context::Context;
use super::kernels::KernelRequest;
use super::launch::{Parameter, Start};
use super::module::{Module, Symbol};
use crate::error::Error;

/// The generated header's `Arguments`.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
struct Arguments(shard_merge::Arguments);

// SAFETY: plain integers, laid out as C lays out the header's structure of the same name.
unsafe impl DeviceRepr for Arguments {}

/// The kernels of a spec, ready for launches.
#[derive(Clone, Debug)]
pub struct ShardKernels {
    spec: ShardSpec,
    module: Arc<Module>,
}

impl ShardKernels {
    /// Loads the kernels.
    pub fn prepare(context: &Context, spec: ShardSpec) -> Result<Self, Error> {
        let names = ShardKernel::ALL.map(|kernel| format!("{spec}{}", kernel.suffix()));
        let symbol =
            |(name, kernel)| Symbol { name, dynamic_shared_bytes: spec.shared_bytes_of(kernel) };
        let names_of = names.iter().map(String::as_str).zip(ShardKernel::ALL);
        let symbols: Vec<Symbol<'_>> = names_of.map(symbol).collect();
        let module = context.kernels().get(&KernelRequest {
            name: &spec.to_string(),
            source: &|| Ok(shard_merge::header(&spec)?),
            symbols: &symbols,
        })?;
        Ok(Self { spec, module })
    }

    /// The spec.
    pub fn spec(&self) -> &ShardSpec {
        &self.spec
    }

    /// Enqueues a kernel; nothing if it has nothing to do.
    ///
    /// # Safety
    ///
    /// - The stream's context is bound to this thread, and is the one that the kernels were loaded in.
    /// - What the arguments point to is as the spec's header requires, memory of that context, valid until the stream has done this work,
    ///   and nothing outside of the stream's order accesses it.
    pub unsafe fn launch(
        &self,
        stream: &CudaStream,
        kernel: ShardKernel,
        arguments: &shard_merge::Arguments,
    ) -> Result<(), Error> {
        let launch = self.spec.launch(kernel, arguments);
        if launch.blocks == 0 {
            return Ok(());
        }
        let config = LaunchConfig {
            grid_dim: (launch.blocks, 1, 1),
            block_dim: (launch.threads, 1, 1),
            shared_mem_bytes: launch.shared_bytes,
        };
        let arguments = Arguments(*arguments);
        let function = self.module.kernel(kernel as usize);
        // SAFETY: the struct is the kernel's only parameter; the caller vouches for what it points to. Symbols were looked up in the kernels'
        // order.
        unsafe { function.launch(stream, Start::InOrder, config, &[Parameter::of(&arguments)]) }
    }
}
