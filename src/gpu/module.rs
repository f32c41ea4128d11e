//! Code in the driver's hands.
//!
//! cudarc's modules do not expose the functions' handles, which launches by the driver's own calls need.

use std::ffi::CString;
use std::fmt;
use std::sync::Arc;

use cudarc::driver::sys::{CUfunction_attribute as Attribute, CUmodule};
use cudarc::driver::{CudaContext, DriverError, result};
use sortsmith_codegen::device::FIRST_WAITING_ARCH;
use sortsmith_codegen::plan::STATIC_SHARED_BYTES;

use super::capture::{self, BesideCaptures};
use super::driver;
use super::launch::Function;
use super::status::checked;
use crate::error::Error;

/// A kernel of a source.
#[derive(Clone, Copy, Debug)]
pub struct Symbol<'a> {
    /// Its `extern "C"` name.
    pub name: &'a str,
    /// The most dynamic shared memory that it will be launched with.
    pub dynamic_shared_bytes: u32,
}

/// Loaded code and the kernels looked up in it.
#[derive(Debug)]
pub struct Module {
    functions: Vec<Function>,
    #[expect(dead_code)] // keeps the functions
    code: Code,
}

impl Module {
    /// Looks the kernels up in loaded code.
    pub fn of(code: Code, symbols: &[Symbol<'_>]) -> Result<Self, Error> {
        let functions =
            symbols.iter().map(|symbol| code.function(symbol)).collect::<Result<_, _>>()?;
        Ok(Self { functions, code })
    }

    /// The kernel of the symbol with this index.
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
// SAFETY: as above; shared uses only look functions up, which the driver allows from any thread.
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
        // Embedded images have any alignment; an allocation is aligned for whatever the driver reads at once. The driver reads
        // PTX up to a NUL, which is appended here.
        let mut image = image.to_vec();
        image.push(0);
        // SAFETY: a compiler made the image, and a checksum has verified any image that was stored.
        let module = unsafe { result::module::load_data(image.as_ptr().cast()) }?;
        Ok(Self { context: Arc::clone(context), module })
    }

    /// Looks a kernel up, and raises its shared memory limit to what it will be launched with.
    fn function(&self, symbol: &Symbol<'_>) -> Result<Function, Error> {
        const FIND: &str = "find a kernel in its module";
        const RAISE: &str = "raise a kernel's shared memory";
        let name = CString::new(symbol.name).map_err(|_| Error::Driver {
            doing: FIND,
            reason: "its name holds a NUL".to_owned(),
        })?;
        checked(FIND, self.context.bind_to_thread())?;
        // SAFETY: the module stays loaded as long as `self` lives.
        let function = checked(FIND, unsafe { result::module::get_function(self.module, name) })?;
        let set = |attribute, value| {
            // SAFETY: the function was looked up above.
            let set =
                unsafe { result::function::set_function_attribute(function, attribute, value) };
            checked(RAISE, set)
        };
        // The architecture that the code was compiled for: PTX of an old one runs on new devices.
        let arch = Attribute::CU_FUNC_ATTRIBUTE_PTX_VERSION;
        // SAFETY: as above.
        let arch = unsafe { result::function::get_function_attribute(function, arch) };
        let is_hopper_or_later = checked(FIND, arch)?.cast_unsigned() >= FIRST_WAITING_ARCH;
        if symbol.dynamic_shared_bytes > STATIC_SHARED_BYTES {
            let bytes = symbol.dynamic_shared_bytes.cast_signed();
            set(Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes)?;
            // By default the driver may reserve so much of the memory as cache that fewer blocks fit. On Hopper the default was measured to
            // be as fast or faster, since it leaves more cache.
            if !is_hopper_or_later {
                set(Attribute::CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 100)?;
            }
        }
        Ok(Function::new(function, driver::open()?.early_launches.filter(|_| is_hopper_or_later)))
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        capture::bind(&self.context);
        let _beside = BesideCaptures::begin();
        // SAFETY: it was loaded and has no other owner: sorters and graphs keep it as long as their work may run. An error here
        // stems from earlier work and is reported to its owner.
        let _ = unsafe { result::module::unload(self.module) };
    }
}
