//! Code in the driver's hands.
//!
//! cudarc's modules do not give out their functions' handles, which launches by the driver's own calls take.

use std::ffi::CString;
use std::fmt;
use std::sync::Arc;

use cudarc::driver::sys::{CUfunction_attribute as Attribute, CUmodule};
use cudarc::driver::{CudaContext, DriverError, result};
use sortsmith_codegen::device::FIRST_WAITING_ARCH;
use sortsmith_codegen::plan::STATIC_SHARED_BYTES;

use super::capture::{self, BesideCaptures};
use super::driver::{self, told};
use super::launch::Function;
use crate::Error;

/// A kernel of a source.
#[derive(Clone, Copy, Debug)]
pub struct Symbol<'a> {
    /// Its `extern "C"` name.
    pub name: &'a str,
    /// The most dynamic shared memory that it will be launched with.
    pub dynamic_shared_bytes: u32,
}

/// Loaded code and those of its kernels that were asked for.
#[derive(Debug)]
pub struct Module {
    functions: Vec<Function>,
    #[expect(dead_code)] // keeps the functions
    code: Code,
}

impl Module {
    /// Loaded code and these kernels in it.
    pub fn of(code: Code, symbols: &[Symbol<'_>]) -> Result<Self, Error> {
        let functions =
            symbols.iter().map(|symbol| code.function(symbol)).collect::<Result<_, _>>()?;
        Ok(Self { functions, code })
    }

    /// The kernel of the symbol of this number.
    pub fn kernel(&self, symbol: usize) -> &Function {
        &self.functions[symbol]
    }
}

/// Code that the driver has loaded; unloaded when it is dropped.
pub struct Code {
    context: Arc<CudaContext>,
    module: CUmodule,
}

// SAFETY: the handle is not tied to a thread.
unsafe impl Send for Code {}
// SAFETY: as above; what is done with it while it is shared is to look for functions, which the driver lets all threads do.
unsafe impl Sync for Code {}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Code").field(&self.module).finish()
    }
}

impl Code {
    /// Loads a cubin, or PTX.
    pub fn load(context: &Arc<CudaContext>, image: &[u8]) -> Result<Self, DriverError> {
        context.bind_to_thread()?;
        let _beside = BesideCaptures::begin();
        // Embedded images lie anywhere; an allocation is aligned for what the driver may read at once. The driver reads PTX up
        // to a NUL, and there is one whoever kept it.
        let mut image = image.to_vec();
        image.push(0);
        // SAFETY: compilers made the image, and where it was kept a checksum says that it is whole.
        let module = unsafe { result::module::load_data(image.as_ptr().cast()) }?;
        Ok(Self { context: Arc::clone(context), module })
    }

    /// Finds a kernel, and raises its shared memory to what it will be launched with.
    fn function(&self, symbol: &Symbol<'_>) -> Result<Function, Error> {
        const FIND: &str = "find a kernel in its module";
        const RAISE: &str = "raise a kernel's shared memory";
        let name = CString::new(symbol.name).map_err(|_| Error::Driver {
            doing: FIND,
            reason: "its name holds a NUL".to_owned(),
        })?;
        told(FIND, self.context.bind_to_thread())?;
        // SAFETY: the module is loaded as long as `self` is there.
        let function = told(FIND, unsafe { result::module::get_function(self.module, name) })?;
        let set = |attribute, value| {
            // SAFETY: the function was found just now.
            let set =
                unsafe { result::function::set_function_attribute(function, attribute, value) };
            told(RAISE, set)
        };
        if symbol.dynamic_shared_bytes > STATIC_SHARED_BYTES {
            let bytes = symbol.dynamic_shared_bytes.cast_signed();
            set(Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes)?;
            // Left to itself the driver may keep so much of it as cache that fewer blocks fit than could.
            set(Attribute::CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 100)?;
        }
        // The architecture that the code was compiled for: PTX of an early one runs on later devices, and does not wait.
        let arch = Attribute::CU_FUNC_ATTRIBUTE_PTX_VERSION;
        // SAFETY: as above.
        let arch = unsafe { result::function::get_function_attribute(function, arch) };
        let waits = told(FIND, arch)?.cast_unsigned() >= FIRST_WAITING_ARCH;
        Ok(Function::new(function, driver::open()?.early_launches.filter(|_| waits)))
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        capture::bind(&self.context);
        let _beside = BesideCaptures::begin();
        // SAFETY: it was loaded, and nobody has it any more: sorters and graphs keep it as long as their work may run. An error
        // is of earlier work, which others are told of.
        let _ = unsafe { result::module::unload(self.module) };
    }
}
