//! The kernels of each sort of arrays: found once, loaded at their first use. To find them takes longer than to launch them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use sortsmith_codegen::device::Device;
use sortsmith_codegen::dispatch::{ArraySort, KernelSpec};

use super::Gpu;
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
    pub spec: KernelSpec,
    loaded: OnceLock<LoadedKernels>,
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
    /// The kernels, ready for launches.
    pub fn loaded(&self, gpu: &Gpu) -> Result<&LoadedKernels, Error> {
        if let Some(loaded) = self.loaded.get() {
            return Ok(loaded);
        }
        let loaded = match &self.spec {
            KernelSpec::Tile(spec) => LoadedKernels::Tile(TileKernel::prepare(gpu, spec)?),
            KernelSpec::Whole(spec) => LoadedKernels::Whole(WholeKernels::prepare(gpu, spec)?),
        };
        // Whoever else has made them meanwhile has made the same.
        Ok(self.loaded.get_or_init(|| loaded))
    }
}

/// The sorts that were asked for on one device.
#[derive(Debug, Default)]
pub struct Sorts(Mutex<HashMap<ArraySort, SortKernels>>);

impl Sorts {
    /// The kernels of a sort on this device, the one whose sorts these are.
    pub fn kernels(&self, sort: ArraySort, device: Device) -> SortKernels {
        let mut sorts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = || {
            let table = sort.table(device).into_iter();
            table.map(|(most, spec)| SortKernel { most, spec, loaded: OnceLock::new() }).collect()
        };
        Arc::clone(sorts.entry(sort).or_insert_with(found))
    }
}
