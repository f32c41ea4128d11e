//! The kernels of one context, each rendered, compiled and loaded once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::CudaContext;
use cudarc::driver::sys::CUresult;

use super::compile::{Compiler, Refusal};
use super::module::{Code, Module, Symbol};
use super::status::describe;
use crate::error::Error;

/// A module to find, or to make at the first request.
pub struct KernelRequest<'a> {
    /// The name, which determines the source and the list of symbols.
    pub name: &'a str,
    /// Renders the CUDA source; called once per context.
    pub source: &'a dyn Fn() -> Result<String, Error>,
    /// The `extern "C"` kernels in it that will be launched.
    pub symbols: &'a [Symbol<'a>],
}

/// The slot of one module. The thread that makes the module holds the lock, and others that request it wait.
type Slot = Arc<Mutex<Option<Arc<Module>>>>;

/// All kernels of a context.
#[derive(Debug)]
pub struct Kernels {
    context: Arc<CudaContext>,
    arch: u32,
    compiler: &'static Compiler,
    slots: Mutex<HashMap<String, Slot>>,
}

impl Kernels {
    /// No kernels yet, for a context on a device of this architecture.
    pub fn new(context: Arc<CudaContext>, arch: u32, compiler: &'static Compiler) -> Self {
        Self { context, arch, compiler, slots: Mutex::default() }
    }

    /// The module, made at the first request. If several threads request it, one makes it. A failure is returned to that thread
    /// alone, and the next request tries again.
    pub fn get(&self, request: &KernelRequest<'_>) -> Result<Arc<Module>, Error> {
        let slot = {
            let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
            match slots.get(request.name) {
                Some(slot) => Arc::clone(slot),
                None => Arc::clone(slots.entry(request.name.to_owned()).or_default()),
            }
        };
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(module) = &*slot {
            return Ok(Arc::clone(module));
        }
        let module = Arc::new(self.load(request)?);
        Ok(Arc::clone(slot.insert(module)))
    }

    fn load(&self, request: &KernelRequest<'_>) -> Result<Module, Error> {
        let text = (request.source)()?;
        let load = |image: &[u8]| {
            Code::load(&self.context, image).map_err(|error| match error.0 {
                CUresult::CUDA_ERROR_OUT_OF_MEMORY => Refusal::Memory,
                _ => Refusal::Code(describe(error)),
            })
        };
        let code = self.compiler.load(request.name, &text, self.arch, load)?;
        Module::of(code, request.symbols)
    }
}
