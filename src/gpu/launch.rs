//! Launches by the driver's own calls. cudarc's launch builder has no attributes, and allocates lists for each launch.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr;

use cudarc::driver::sys::{self, CUfunction, CUresult, CUstream};
use cudarc::driver::{CudaStream, DeviceRepr, LaunchConfig};
use libloading::Library;
use sortsmith_codegen::{ArgumentField, KernelArguments};

use super::status::checked;
use crate::error::Error;

/// A kernel of a loaded module, valid as long as the module.
#[derive(Debug)]
pub struct Function {
    handle: CUfunction,
    /// The driver's call for programmatic launches, if the driver has it and the code was compiled to wait.
    early: Option<LaunchEx>,
}

// SAFETY: the handle is not tied to a thread.
unsafe impl Send for Function {}
// SAFETY: as above; launches change nothing of it.
unsafe impl Sync for Function {}

/// When a kernel may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// When all work before it in the stream is done.
    InOrder,
    /// When the kernel before it permits; the kernel waits on the device for that kernel's end (programmatic dependent launch).
    /// Same as [`Self::InOrder`] where the code or the driver does not support it.
    Early,
}

/// The address of a kernel's parameter.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Parameter<'a>(*const c_void, PhantomData<&'a ()>);

impl<'a> Parameter<'a> {
    /// The address of `parameter`.
    pub fn of<T: DeviceRepr>(parameter: &'a T) -> Self {
        Self(ptr::from_ref(parameter).cast(), PhantomData)
    }

    /// The addresses of a kernel's arguments, in their order.
    pub fn each<A: KernelArguments<N>, const N: usize>(arguments: &'a A) -> [Self; N] {
        A::FIELDS.map(|field| Self::of_field(arguments, &field))
    }

    /// The same of a kernel that takes these of the arguments.
    pub fn some<A: KernelArguments<N>, const N: usize>(
        arguments: &'a A,
        taken: &[ArgumentField],
    ) -> Vec<Self> {
        taken.iter().map(|field| Self::of_field(arguments, field)).collect()
    }

    fn of_field<A: KernelArguments<N>, const N: usize>(
        arguments: &'a A,
        field: &ArgumentField,
    ) -> Self {
        let start = ptr::from_ref(arguments).cast::<u8>();
        Self(start.wrapping_add(field.offset).cast(), PhantomData)
    }
}

impl Function {
    /// A kernel by the driver's handle. `early` is for code that waits for the kernel before it, and `None` for other code.
    pub fn new(handle: CUfunction, early: Option<LaunchEx>) -> Self {
        Self { handle, early }
    }

    /// Launches the kernel on a stream. The stream's context is bound to this thread.
    ///
    /// # Safety
    ///
    /// - The kernel is of the stream's context.
    /// - The first parameters are the kernel's, in their order and of their types.
    /// - What they point to is as the kernel expects, and so are its threads and its shared memory.
    /// - [`Start::Early`] is for a kernel that waits for the one before it, and enqueued behind one that does so or begins in order.
    pub unsafe fn launch(
        &self,
        stream: &CudaStream,
        start: Start,
        config: LaunchConfig,
        parameters: &[Parameter<'_>],
    ) -> Result<(), Error> {
        let LaunchConfig { grid_dim: grid, block_dim: block, shared_mem_bytes } = config;
        // The driver reads the list and the parameters before it returns.
        let parameters = parameters.as_ptr().cast_mut().cast();
        let launched = match self.early.filter(|_| start == Start::Early) {
            None => {
                // SAFETY: the caller vouches for the kernel and its parameters.
                unsafe {
                    sys::cuLaunchKernel(
                        self.handle,
                        grid.0,
                        grid.1,
                        grid.2,
                        block.0,
                        block.1,
                        block.2,
                        shared_mem_bytes,
                        stream.cu_stream(),
                        parameters,
                        ptr::null_mut(),
                    )
                }
            }
            Some(LaunchEx(launch_ex)) => {
                let config = LaunchExConfig {
                    grid: [grid.0, grid.1, grid.2],
                    block: [block.0, block.1, block.2],
                    shared_bytes: shared_mem_bytes,
                    stream: stream.cu_stream(),
                    attributes: &raw const MAY_BEGIN_EARLY,
                    attribute_count: 1,
                };
                // SAFETY: as above. The configuration is as the driver's header lays it out, and has one attribute.
                unsafe { launch_ex(&raw const config, self.handle, parameters, ptr::null_mut()) }
            }
        };
        checked("launch a kernel", launched.result())
    }
}

/// The driver's `cuLaunchKernelEx`. cudarc has it only where it is built beside CUDA 11.8 or later.
#[derive(Clone, Copy, Debug)]
pub struct LaunchEx(
    unsafe extern "C" fn(
        *const LaunchExConfig,
        CUfunction,
        *mut *mut c_void,
        *mut *mut c_void,
    ) -> CUresult,
);

impl LaunchEx {
    /// Looks the call up in the driver's library.
    ///
    /// # Safety
    ///
    /// The library is NVIDIA's driver, and stays loaded.
    pub unsafe fn of(library: &Library) -> Option<Self> {
        // SAFETY: the type is cuLaunchKernelEx's.
        unsafe { library.get(b"cuLaunchKernelEx\0") }.ok().map(|symbol| Self(*symbol))
    }
}

/// `CUlaunchConfig`.
#[repr(C)]
struct LaunchExConfig {
    grid: [u32; 3],
    block: [u32; 3],
    shared_bytes: u32,
    stream: CUstream,
    attributes: *const LaunchAttribute,
    attribute_count: u32,
}

/// `CUlaunchAttribute`, with a value that is a number.
#[repr(C, align(8))]
struct LaunchAttribute {
    id: u32,
    padding: u32,
    value: i32,
    rest: [i32; 15],
}
const _: () = assert!(size_of::<LaunchAttribute>() == 8 + 64, "the driver's union has 64 bytes");

/// `CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION`, set.
static MAY_BEGIN_EARLY: LaunchAttribute =
    LaunchAttribute { id: 6, padding: 0, value: 1, rest: [0; 15] };
