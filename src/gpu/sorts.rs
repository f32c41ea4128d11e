//! The kernels of each sort of arrays: found once, loaded at their first use. To find them takes longer than to launch them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use sortsmith_codegen::device::Device;
use sortsmith_codegen::dispatch::{ArraySort, Choice, KernelSpec};
use sortsmith_codegen::tuning::Tuning;

use super::Gpu;
use super::compile::Settings;
use super::tile::TileKernel;
use super::whole::WholeKernels;
use crate::Error;

/// The kernels of a sort, the ones for the fewest items first.
pub type SortKernels = Arc<[SortKernel]>;

/// Kernels, and the most items that they are used for.
#[derive(Debug)]
pub struct SortKernel {
    /// The most items.
    pub most: u64,
    /// Which kernels.
    pub choice: Choice,
    loaded: OnceLock<SortCode>,
}

/// Kernels with the spec that they are of.
#[derive(Debug)]
pub struct SortCode {
    /// Their spec, which their scratch follows from.
    pub spec: KernelSpec,
    /// The kernels.
    pub kernels: LoadedKernels,
}

/// Kernels that are ready for launches.
#[derive(Debug)]
pub enum LoadedKernels {
    /// Of one block's sort.
    Tile(TileKernel),
    /// Of a device-wide sort.
    Whole(WholeKernels),
}

impl SortKernel {
    /// The kernels, ready for launches: those that were chosen, or the built-in ones where these cannot be had and the tuning
    /// is no order.
    pub fn loaded(&self, gpu: &Gpu) -> Result<&SortCode, Error> {
        if let Some(loaded) = self.loaded.get() {
            return Ok(loaded);
        }
        let Choice { kernel, built_in } = self.choice;
        let loaded = match SortCode::prepare(gpu, kernel) {
            Err(error) if kernel != built_in && !gpu.tuning().is_order && is_of_code(&error) => {
                Settings::from_env()
                    .say(|| format!("warning: {built_in} in place of the tuned one: {error}"));
                SortCode::prepare(gpu, built_in)?
            }
            loaded => loaded?,
        };
        // Whoever else has made them meanwhile has made the same, or others that sort as well.
        Ok(self.loaded.get_or_init(|| loaded))
    }
}

impl SortCode {
    fn prepare(gpu: &Gpu, spec: KernelSpec) -> Result<Self, Error> {
        let kernels = match &spec {
            KernelSpec::Tile(spec) => LoadedKernels::Tile(TileKernel::prepare(gpu, spec)?),
            KernelSpec::Whole(spec) => LoadedKernels::Whole(WholeKernels::prepare(gpu, spec)?),
        };
        Ok(Self { spec, kernels })
    }
}

/// Whether an error is of one kernel's code, so that another kernel may do.
fn is_of_code(error: &Error) -> bool {
    matches!(
        error,
        Error::NoCompiler { .. }
            | Error::JitDisabled { .. }
            | Error::Compile { .. }
            | Error::KernelRejected { .. }
    )
}

/// The sorts that were asked for on one device.
#[derive(Debug, Default)]
pub struct Sorts(Mutex<HashMap<ArraySort, SortKernels>>);

impl Sorts {
    /// The kernels of a sort on this device with this tuning, those whose sorts these are.
    pub fn kernels(&self, sort: ArraySort, device: Device, tuning: &Tuning) -> SortKernels {
        let mut sorts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = || {
            let choices = sort.choices(device, tuning).into_iter();
            choices
                .map(|(most, choice)| SortKernel { most, choice, loaded: OnceLock::new() })
                .collect()
        };
        Arc::clone(sorts.entry(sort).or_insert_with(found))
    }
}
