//! The runtime's differences between kinds of kernels, of tiles and device-wide, all in this module.

use sortsmith_codegen::device::Device;
use sortsmith_codegen::dispatch::KernelSpec;

use super::array_kernels::ArrayKernels;
use super::context::Context;
use super::device_wide::{self, DeviceWideKernels};
use super::row_tiles::RowsKernel;
use super::task::Task;
use super::tile::{self, TileKernel};
use crate::error::Error;

/// Loads the kernels of a spec, or those that read from memory how many items there are.
pub fn prepare(
    context: &Context,
    spec: &KernelSpec,
    counted: bool,
) -> Result<Box<dyn ArrayKernels>, Error> {
    Ok(match spec {
        KernelSpec::Tile(spec) if counted => Box::new(RowsKernel::prepare(context, spec, true)?),
        KernelSpec::Tile(spec) => Box::new(TileKernel::prepare(context, spec)?),
        KernelSpec::DeviceWide(spec) => Box::new(DeviceWideKernels::prepare(context, spec)?),
    })
}

/// Bytes of scratch that suffice for sorts by these kernels of the task's items and of fewer. `writes_keys` is false for an
/// argsort.
pub fn scratch_bytes(spec: &KernelSpec, task: &Task, writes_keys: bool, device: Device) -> usize {
    match spec {
        KernelSpec::Tile(_) => tile::scratch_bytes(task, writes_keys),
        KernelSpec::DeviceWide(spec) => {
            device_wide::max_scratch_bytes(spec, task, writes_keys, device)
        }
    }
}

/// The largest number of items that the kernels sort, if it is less than the dispatch uses them for.
pub fn max_items(spec: &KernelSpec) -> Option<u64> {
    match spec {
        KernelSpec::Tile(_) => None,
        KernelSpec::DeviceWide(spec) => Some(spec.max_items()),
    }
}

#[cfg(test)]
mod tests;
