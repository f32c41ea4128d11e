//! The kernels of one context: each is rendered, compiled and loaded once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::sys::CUfunction_attribute;
use cudarc::driver::{CudaContext, CudaFunction, CudaModule};
use cudarc::nvrtc::Ptx;
use sortsmith_codegen::plan::STATIC_SHARED_BYTES;

use super::compile::Compiler;
use super::driver::{told, words};
use crate::Error;

/// What to make, if it is not there yet.
pub struct KernelRequest<'a> {
    /// The name, which stands for the source: one name, one source, the same symbols.
    pub name: &'a str,
    /// The CUDA; asked for once a context.
    pub source: &'a dyn Fn() -> Result<String, Error>,
    /// The `extern "C"` kernels in it that will be launched.
    pub symbols: &'a [Symbol<'a>],
}

/// A kernel of a source.
#[derive(Clone, Copy, Debug)]
pub struct Symbol<'a> {
    /// Its `extern "C"` name.
    pub name: &'a str,
    /// The most dynamic shared memory that it will be launched with.
    pub dynamic_shared_bytes: u32,
}

/// Loaded code.
#[derive(Debug)]
pub struct Module {
    functions: HashMap<String, CudaFunction>,
}

impl Module {
    /// The kernel of this symbol, which must be one of the request's.
    pub fn kernel(&self, symbol: &str) -> Result<&CudaFunction, Error> {
        self.functions.get(symbol).ok_or_else(|| Error::Driver {
            doing: "find a kernel in its module",
            reason: format!("{symbol} was not asked for"),
        })
    }
}

/// A place for one module. Whoever makes it holds the lock; others that want it wait.
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

    /// The module, made if this is the first time. Of several threads that ask for it one makes it; a failure is the
    /// asker's alone, and the next one tries again.
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
        let load = |image: &[u8]| self.load_image(image);
        let module = self.compiler.load(request.name, &text, self.arch, load)?;
        let functions = request
            .symbols
            .iter()
            .map(|symbol| Ok((symbol.name.to_owned(), function(&module, symbol)?)));
        Ok(Module { functions: functions.collect::<Result<_, Error>>()? })
    }

    fn load_image(&self, image: &[u8]) -> Result<Arc<CudaModule>, String> {
        // PTX goes as bytes too, with its NUL: cudarc would panic at a NUL within a text.
        self.context.load_module(Ptx::from_binary(image.to_vec())).map_err(words)
    }
}

fn function(module: &Arc<CudaModule>, symbol: &Symbol<'_>) -> Result<CudaFunction, Error> {
    const DOING: &str = "find a kernel in its module";
    if symbol.name.contains('\0') {
        return Err(Error::Driver { doing: DOING, reason: "its name holds a NUL".to_owned() });
    }
    let function = told(DOING, module.load_function(symbol.name))?;
    if symbol.dynamic_shared_bytes > STATIC_SHARED_BYTES {
        let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        let bytes = symbol.dynamic_shared_bytes.cast_signed();
        told("raise a kernel's shared memory", function.set_attribute(attribute, bytes))?;
        // Left to itself the driver may keep so much of it as cache that fewer blocks fit than could.
        let share = CUfunction_attribute::CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT;
        told("raise a kernel's shared memory", function.set_attribute(share, 100))?;
    }
    Ok(function)
}
