//! The kernels of each sort of arrays: found once, loaded at their first use. To find them takes longer than to launch them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use sortsmith_codegen::device::Device;
use sortsmith_codegen::dispatch::{ArraySort, KernelSpec};

use super::kernels::Module;
use super::{Gpu, tile, whole};
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
    module: OnceLock<Arc<Module>>,
}

impl SortKernel {
    /// The kernels, ready for launches.
    pub fn module(&self, gpu: &Gpu) -> Result<Arc<Module>, Error> {
        if let Some(module) = self.module.get() {
            return Ok(Arc::clone(module));
        }
        let module = match &self.spec {
            KernelSpec::Tile(spec) => tile::prepare(gpu, spec)?,
            KernelSpec::Whole(spec) => whole::prepare(gpu, spec)?,
        };
        // Whoever else has made it meanwhile has made the same.
        Ok(Arc::clone(self.module.get_or_init(|| module)))
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
            table.map(|(most, spec)| SortKernel { most, spec, module: OnceLock::new() }).collect()
        };
        Arc::clone(sorts.entry(sort).or_insert_with(found))
    }
}
