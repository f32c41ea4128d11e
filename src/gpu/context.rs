//! A CUDA context, the facts about its device, and its kernels.

use std::sync::{Arc, OnceLock};

use cudarc::driver::CudaContext;
use cudarc::driver::sys::CUdevice_attribute as Attribute;
use sortsmith_codegen::Arch;
use sortsmith_codegen::device::Device;
use sortsmith_codegen::tuning::file::GpuId;

use super::compile::Compiler;
use super::driver;
use super::kernels::Kernels;
use super::shared::Shared;
use super::side_stream::SideStream;
use super::sort_counter::SortCounter;
use super::status::checked;
use crate::backend::Backend;
use crate::error::Error;

/// A CUDA context, the facts about its device, and its kernels, which live as long as it.
#[derive(Debug)]
pub struct Context {
    cuda: Arc<CudaContext>,
    name: String,
    arch: u32,
    device: Device,
    kernels: Kernels,
    /// A stream on which the memory of graphs is allocated and freed.
    side_stream: OnceLock<SideStream>,
    sort_counter: OnceLock<SortCounter>,
}

impl Context {
    /// The object for a context of cudarc's. Sorters on the same context share it, and with it the kernels.
    pub fn of(cuda: &Arc<CudaContext>) -> Result<Arc<Self>, Error> {
        static CONTEXTS: Shared<Context> = Shared::new();

        driver::open()?;
        CONTEXTS.find_or_make(|it| it.cuda == *cuda, || Self::new(Arc::clone(cuda)))
    }

    fn new(cuda: Arc<CudaContext>) -> Result<Self, Error> {
        const QUERY: &str = "query the device's attributes";
        let number = |attribute| checked(QUERY, cuda.attribute(attribute)).map(i32::cast_unsigned);
        let arch = 10 * number(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?
            + number(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
        let device = Device {
            multiprocessors: number(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
            shared_bytes_per_block: number(
                Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
            )?,
        };
        let name = checked(QUERY, cuda.name())?;
        let kernels = Kernels::new(Arc::clone(&cuda), arch, Compiler::shared());
        let (side_stream, sort_counter) = (OnceLock::new(), OnceLock::new());
        Ok(Self { cuda, name, arch, device, kernels, side_stream, sort_counter })
    }

    /// cudarc's context.
    pub fn cuda(&self) -> &Arc<CudaContext> {
        &self.cuda
    }

    /// The facts that identify the device in tuning files.
    pub fn gpu_id(&self) -> GpuId {
        let Device { multiprocessors, shared_bytes_per_block } = self.device;
        let (name, arch) = (self.name.clone(), self.arch);
        GpuId { name, arch, multiprocessors, shared_bytes_per_block }
    }

    /// A stream of the context that no caller sees.
    pub fn side_stream(&self) -> Result<&SideStream, Error> {
        if let Some(stream) = self.side_stream.get() {
            return Ok(stream);
        }
        let stream = SideStream::new(&self.cuda)?;
        Ok(self.side_stream.get_or_init(|| stream))
    }

    /// The counter of the context's sorts that sample keys, made at the first call.
    pub fn sort_counter(&self) -> Result<&SortCounter, Error> {
        if let Some(counter) = self.sort_counter.get() {
            return Ok(counter);
        }
        let counter = SortCounter::new(&self.cuda)?;
        Ok(self.sort_counter.get_or_init(|| counter))
    }

    /// The facts that launches depend on.
    pub fn device(&self) -> Device {
        self.device
    }

    /// The architecture that sorts are chosen for: the device's, or, where that is not known, the latest one with no more shared
    /// memory.
    pub fn arch(&self) -> Arch {
        let shared_bytes = self.device.shared_bytes_per_block;
        let fits = |arch: &Arch| arch.max_shared_bytes() <= shared_bytes;
        let own = Arch::new(self.arch).ok().filter(fits);
        own.or_else(|| Arch::all().filter(fits).last()).unwrap_or(Arch::SM_90)
    }

    /// The kernels of this context.
    pub fn kernels(&self) -> &Kernels {
        &self.kernels
    }

    /// The device, for display.
    pub fn backend(&self) -> Backend {
        let (ordinal, name) = (self.cuda.ordinal(), self.name.clone());
        Backend::Gpu { ordinal, name, arch: self.arch }
    }
}
