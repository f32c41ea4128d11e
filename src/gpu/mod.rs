//! The GPU backend.
//!
//! A call goes down this list, and each module knows those below it alone:
//!
//! | module | what |
//! |---|---|
//! | [`stream_sorter`] | sorts in order on one stream: checks slices, holds their guards, owns the scratch |
//! | [`device_sort`] | the launches that sort so many items |
//! | [`alignment`] | values at addresses that no kernel takes |
//! | [`sorts`] | the kernels of each sort, found and loaded once |
//! | [`whole`] | the launches of a generated device-wide sort |
//! | [`tile`] | the launch of a generated tile kernel |
//! | [`gather`] | the launch of a generated gather |
//! | [`kernels`] | the kernels of a context: rendered, compiled and loaded once |
//! | [`module`] | code in the driver's hands |
//! | [`launch`] | launches by the driver's own calls |
//! | [`compile`] | source to code: what the program carries, the cache on disk, NVRTC |
//! | [`embedded`] | what the program carries |
//! | [`memory`] | scratch |
//! | [`turn`] | a sorter's turn on its stream: its memory, in a capture or not, and the addresses of slices |
//! | [`graph`] | what a captured graph keeps: memory, kernels, context |
//! | [`capture`] | captures, as the driver tells of them |
//! | [`retired`] | what only the device may still use |
//! | [`tuning`] | which shapes come before the built-in ones |
//! | [`driver`] | the driver, whose absence is an error |

pub mod alignment;
pub mod capture;
pub mod compile;
pub mod device_sort;
pub mod driver;
pub mod embedded;
pub mod gather;
pub mod graph;
pub mod kernels;
pub mod launch;
pub mod memory;
pub mod module;
pub mod retired;
pub mod sorts;
pub mod stream_sorter;
pub mod tile;
pub mod tuning;
pub mod turn;
pub mod whole;

use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use cudarc::driver::CudaContext;
use cudarc::driver::sys::CUdevice_attribute as Attribute;
use sortsmith_codegen::device::Device;
use sortsmith_codegen::dispatch::ArraySort;
use sortsmith_codegen::tuning::Tuning;
use sortsmith_codegen::tuning::file::GpuId;

use crate::{Backend, Error};
use compile::Compiler;
use driver::told;
use graph::SideStream;
use kernels::Kernels;
use sorts::{SortKernels, Sorts};
use tuning::InUse;

/// A context, the facts about its device, and its kernels.
#[derive(Debug)]
pub struct Gpu {
    context: Arc<CudaContext>,
    name: String,
    arch: u32,
    device: Device,
    kernels: Kernels,
    /// For a GPU with a tuning of its own: the one that all share, whose kernels it uses.
    shared: Option<Arc<Gpu>>,
    tuning: OnceLock<InUse>,
    sorts: Sorts,
    /// Where memory of graphs is allocated and freed, in no caller's order.
    side_stream: OnceLock<SideStream>,
}

impl Gpu {
    /// What belongs to this context. Sorters on the same context share it, and with it the kernels.
    pub fn of(context: &Arc<CudaContext>) -> Result<Arc<Self>, Error> {
        static GPUS: Mutex<Vec<Weak<Gpu>>> = Mutex::new(Vec::new());

        driver::open()?;
        let mut gpus = GPUS.lock().unwrap_or_else(PoisonError::into_inner);
        gpus.retain(|gpu| gpu.strong_count() > 0);
        if let Some(gpu) = gpus.iter().filter_map(Weak::upgrade).find(|it| it.context == *context) {
            return Ok(gpu);
        }
        let gpu = Arc::new(Self::new(Arc::clone(context))?);
        gpus.push(Arc::downgrade(&gpu));
        Ok(gpu)
    }

    fn new(context: Arc<CudaContext>) -> Result<Self, Error> {
        const ASK: &str = "ask the device what it is";
        let number = |attribute| told(ASK, context.attribute(attribute)).map(i32::cast_unsigned);
        let arch = 10 * number(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?
            + number(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
        let device = Device {
            multiprocessors: number(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
            shared_bytes_per_block: number(
                Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
            )?,
        };
        let name = told(ASK, context.name())?;
        let kernels = Kernels::new(Arc::clone(&context), arch, Compiler::shared());
        let (tuning, sorts, side_stream) = (OnceLock::new(), Sorts::default(), OnceLock::new());
        let shared = None;
        Ok(Self { context, name, arch, device, kernels, shared, tuning, sorts, side_stream })
    }

    /// The same context with these shapes before the built-in ones, and with the kernels that it has. A kernel of theirs that
    /// cannot be had is an error then.
    pub fn with_tuning(self: &Arc<Self>, tuning: Tuning) -> Self {
        Self {
            context: Arc::clone(&self.context),
            name: self.name.clone(),
            arch: self.arch,
            device: self.device,
            kernels: Kernels::new(Arc::clone(&self.context), self.arch, Compiler::shared()),
            shared: Some(Arc::clone(self)),
            tuning: OnceLock::from(InUse { tuning, is_order: true }),
            sorts: Sorts::default(),
            side_stream: OnceLock::new(),
        }
    }

    /// Reads the shapes that come before the built-in ones, unless they are known: those that the environment says. Before
    /// that, and where it fails, there are none.
    pub fn read_tuning(&self) -> Result<(), Error> {
        if self.tuning.get().is_none() {
            let read = InUse::of_this_process(&self.id())?;
            self.tuning.get_or_init(|| read);
        }
        Ok(())
    }

    /// What tells the device from others.
    pub fn id(&self) -> GpuId {
        tuning::id_of(&self.name, self.arch, self.device)
    }

    /// The shapes that come before the built-in ones.
    pub fn tuning(&self) -> &InUse {
        self.tuning.get_or_init(InUse::default)
    }

    /// The context.
    pub fn context(&self) -> &Arc<CudaContext> {
        &self.context
    }

    /// A stream of the context that no caller has.
    pub fn side_stream(&self) -> Result<&SideStream, Error> {
        if let Some(shared) = &self.shared {
            return shared.side_stream();
        }
        if let Some(stream) = self.side_stream.get() {
            return Ok(stream);
        }
        let stream = SideStream::new(&self.context)?;
        Ok(self.side_stream.get_or_init(|| stream))
    }

    /// Bytes of shared memory that a block may have on this device.
    pub fn max_shared_bytes(&self) -> u32 {
        self.device.shared_bytes_per_block
    }

    /// What launches depend on of the device.
    pub fn device(&self) -> Device {
        self.device
    }

    /// The kernels of this context.
    pub fn kernels(&self) -> &Kernels {
        self.shared.as_ref().map_or(&self.kernels, |shared| &shared.kernels)
    }

    /// The kernels of a sort of arrays, the ones for the fewest items first.
    pub fn sort_kernels(&self, sort: ArraySort) -> SortKernels {
        self.sorts.kernels(sort, self.device, &self.tuning().tuning)
    }

    /// The device, for people.
    pub fn backend(&self) -> Backend {
        let (ordinal, name) = (self.context.ordinal(), self.name.clone());
        Backend::Gpu { ordinal, name, arch: self.arch }
    }
}
