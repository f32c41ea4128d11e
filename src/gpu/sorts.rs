//! The kernels of each sort of arrays and of rows on a context: chosen once, because choosing takes longer than a launch, and loaded
//! at their first use.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use cudarc::driver::CudaContext;
use sortsmith_codegen::binned_argsort::BinnedSpec;
use sortsmith_codegen::dispatch::{ArraySort, Choice, KernelSpec};
use sortsmith_codegen::rows::RowSort;
use sortsmith_codegen::segments::SegmentSpec;
use sortsmith_codegen::top_k::AnyTopK;
use sortsmith_codegen::tuning::Tuning;

use super::array_kernels::ArrayKernels;
use super::binned_kernels;
use super::block_top_k;
use super::context::Context;
use super::device_wide::DeviceWideKernels;
use super::families;
use super::module::Module;
use super::row_tiles::RowsKernel;
use super::segment_kernels::SegmentKernels;
use super::shared::Shared;
use super::tuning::InUse;
use crate::error::Error;
use crate::settings::Settings;

/// The kernels of a sort, ascending by the number of items that they are used for.
pub type SortKernels = Arc<[SortKernel]>;

/// One choice of kernels, and the largest number of items that it is used for.
#[derive(Debug)]
pub struct SortKernel {
    /// The largest number of items.
    pub max_items: u64,
    /// The specs of the kernels.
    pub choice: Choice,
    /// Whether they read from memory how many items there are.
    counted: bool,
    loaded: OnceLock<LoadedSort>,
}

/// The kernels of a sort of rows, ascending by the columns that they are used for.
pub type RowKernels = Arc<[RowKernel]>;

/// The kernels of rows of a spec, and the most columns that they are used for.
#[derive(Debug)]
pub struct RowKernel {
    /// The most columns.
    pub max_columns: u64,
    /// The spec.
    pub spec: KernelSpec,
    counted: bool,
    loaded: OnceLock<LoadedRows>,
}

impl RowKernel {
    /// Whether they sort all rows device-wide, and not each as a tile.
    pub fn is_device_wide(&self) -> bool {
        matches!(self.spec, KernelSpec::DeviceWide(_))
    }
}

/// Kernels of rows that are ready for launches.
#[derive(Debug)]
pub enum LoadedRows {
    /// A tile holds a row: one kernel.
    Tiles(RowsKernel),
    /// All rows are sorted device-wide, in the same launches.
    DeviceWide(DeviceWideKernels),
}

/// Kernels that are ready for launches.
#[derive(Debug)]
pub struct LoadedSort {
    /// Their spec, which determines the scratch.
    pub spec: KernelSpec,
    /// The kernels.
    pub kernels: Box<dyn ArrayKernels>,
}

/// The sorts of one context by one tuning.
#[derive(Debug)]
pub struct Sorts {
    context: Arc<Context>,
    tuning: OnceLock<InUse>,
    table: Mutex<HashMap<ArraySort, SortKernels>>,
    rows: Mutex<HashMap<RowSort, RowKernels>>,
    segments: Mutex<HashMap<SegmentSpec, Arc<SegmentKernels>>>,
    top_ks: Mutex<HashMap<AnyTopK, Arc<Module>>>,
    binned: Mutex<HashMap<BinnedSpec, Arc<Module>>>,
}

impl Sorts {
    /// The sorts that sorters on this context share, by the process's tuning.
    pub fn of(cuda: &Arc<CudaContext>) -> Result<Arc<Self>, Error> {
        static SORTS: Shared<Sorts> = Shared::new();

        let context = Context::of(cuda)?;
        let is_wanted = |sorts: &Self| Arc::ptr_eq(&sorts.context, &context);
        let make =
            || -> Result<Self, Error> { Ok(Self::new(Arc::clone(&context), OnceLock::new())) };
        let sorts = SORTS.find_or_make(is_wanted, make)?;
        sorts.read_tuning()?;
        Ok(sorts)
    }

    /// The sorts by a tuning of the caller's, with the kernels of the context. If a tuned kernel cannot be loaded, that is an
    /// error.
    pub fn with_tuning(cuda: &Arc<CudaContext>, tuning: Tuning) -> Result<Arc<Self>, Error> {
        let context = Context::of(cuda)?;
        let tuning = OnceLock::from(InUse { tuning, is_required: true });
        Ok(Arc::new(Self::new(context, tuning)))
    }

    fn new(context: Arc<Context>, tuning: OnceLock<InUse>) -> Self {
        let (table, rows) = (Mutex::default(), Mutex::default());
        let (segments, top_ks, binned) = (Mutex::default(), Mutex::default(), Mutex::default());
        Self { context, tuning, table, rows, segments, top_ks, binned }
    }

    /// Reads the process's tuning, unless an earlier call has done so. If it fails, the next call tries again.
    fn read_tuning(&self) -> Result<(), Error> {
        if self.tuning.get().is_none() {
            let read = InUse::of_this_process(&self.context.gpu_id())?;
            self.tuning.get_or_init(|| read);
        }
        Ok(())
    }

    /// The context.
    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }

    /// The tuning; before it has been read, an empty one.
    fn tuning(&self) -> &InUse {
        self.tuning.get_or_init(InUse::default)
    }

    /// The kernels of a sort.
    pub fn kernels(&self, sort: ArraySort) -> SortKernels {
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        let choose = || {
            let choices = sort.choices(self.context.device(), &self.tuning().tuning).into_iter();
            choices
                .map(|(max_items, choice)| SortKernel {
                    max_items,
                    choice,
                    counted: sort.counted,
                    loaded: OnceLock::new(),
                })
                .collect()
        };
        Arc::clone(table.entry(sort).or_insert_with(choose))
    }

    /// The loaded kernels: the chosen ones, or the built-in ones if those cannot be loaded and the tuning is not required.
    pub fn load<'a>(&self, kernel: &'a SortKernel) -> Result<&'a LoadedSort, Error> {
        if let Some(loaded) = kernel.loaded.get() {
            return Ok(loaded);
        }
        let Choice { kernel: chosen, built_in } = kernel.choice;
        let loaded = match self.prepare(chosen, kernel.counted) {
            Err(error)
                if chosen != built_in && !self.tuning().is_required && is_of_code(&error) =>
            {
                Settings::from_env()
                    .say(|| format!("warning: {built_in} in place of the tuned one: {error}"));
                self.prepare(built_in, kernel.counted)?
            }
            loaded => loaded?,
        };
        // If another thread has loaded kernels meanwhile, those are kept: they sort the same.
        Ok(kernel.loaded.get_or_init(|| loaded))
    }

    /// The kernels of a sort of rows.
    pub fn row_kernels(&self, sort: RowSort) -> RowKernels {
        let mut table = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        let choose = || {
            let choices = sort.table().into_iter();
            choices
                .map(|(max_columns, spec)| RowKernel {
                    max_columns,
                    spec,
                    counted: sort.counted,
                    loaded: OnceLock::new(),
                })
                .collect()
        };
        Arc::clone(table.entry(sort).or_insert_with(choose))
    }

    /// The loaded kernels of rows.
    pub fn load_rows<'a>(&self, kernel: &'a RowKernel) -> Result<&'a LoadedRows, Error> {
        if let Some(loaded) = kernel.loaded.get() {
            return Ok(loaded);
        }
        let loaded = match &kernel.spec {
            KernelSpec::Tile(spec) => {
                LoadedRows::Tiles(RowsKernel::prepare(&self.context, spec, kernel.counted)?)
            }
            KernelSpec::DeviceWide(spec) => {
                LoadedRows::DeviceWide(DeviceWideKernels::prepare(&self.context, spec)?)
            }
        };
        Ok(kernel.loaded.get_or_init(|| loaded))
    }

    /// The loaded kernels of a sort of segments.
    pub fn load_segments(&self, spec: SegmentSpec) -> Result<Arc<SegmentKernels>, Error> {
        let load = || SegmentKernels::prepare(&self.context, &spec).map(Arc::new);
        loaded(&self.segments, spec, load)
    }

    /// The loaded kernels of a top-k.
    pub fn load_top_k(&self, spec: AnyTopK) -> Result<Arc<Module>, Error> {
        loaded(&self.top_ks, spec, || block_top_k::prepare(&self.context, spec))
    }

    /// The loaded kernels of a binned argsort.
    pub fn load_binned(&self, spec: BinnedSpec) -> Result<Arc<Module>, Error> {
        loaded(&self.binned, spec, || binned_kernels::prepare(&self.context, spec))
    }

    fn prepare(&self, spec: KernelSpec, counted: bool) -> Result<LoadedSort, Error> {
        Ok(LoadedSort { spec, kernels: families::prepare(&self.context, &spec, counted)? })
    }
}

/// What is loaded for a spec. A table by specs spares each call the names of its kernels.
fn loaded<S: Copy + Eq + Hash, K>(
    table: &Mutex<HashMap<S, Arc<K>>>,
    spec: S,
    load: impl FnOnce() -> Result<Arc<K>, Error>,
) -> Result<Arc<K>, Error> {
    let lock = || table.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(loaded) = lock().get(&spec) {
        return Ok(Arc::clone(loaded));
    }
    // Other sorts need not wait while a compiler works.
    let loaded = load()?;
    Ok(Arc::clone(lock().entry(spec).or_insert(loaded)))
}

/// Whether an error concerns the code of one kernel, so that another kernel may work.
fn is_of_code(error: &Error) -> bool {
    matches!(
        error,
        Error::NoCompiler { .. }
            | Error::JitDisabled { .. }
            | Error::Compile { .. }
            | Error::KernelRejected { .. }
    )
}
