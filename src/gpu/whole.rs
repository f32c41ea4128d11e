//! The launches of a device-wide sort.

use std::mem::discriminant;
use std::sync::Arc;

use cudarc::driver::{CudaStream, DeviceRepr, LaunchConfig, result};
use sortsmith_codegen::device::{self, Device, DeviceSpec, Kernel, Launch};
use sortsmith_codegen::dispatch::KernelSpec;
use sortsmith_codegen::scratch::Scratch as DeviceScratch;

use super::Gpu;
use super::device_sort::{Arrays, Task};
use super::driver::told;
use super::kernels::KernelRequest;
use super::launch::{Function, Parameter, Start};
use super::memory::Scratch;
use super::module::{Module, Symbol};
use crate::Error;

/// The generated header's `Arguments`.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
struct Arguments(device::Arguments);

// SAFETY: plain words, laid out as C lays out the header's structure of the same name.
unsafe impl DeviceRepr for Arguments {}

/// Bytes of the workspace, of the alternate arrays, and of a place for sorted keys that nobody asked for.
pub fn scratch_bytes(
    spec: &DeviceSpec,
    task: &Task,
    sorts_keys: bool,
    launches: &[Launch],
) -> [usize; 3] {
    let n = task.n as u64;
    let DeviceScratch { workspace, alternate, .. } = DeviceScratch::of(spec, n, launches);
    let bytes =
        [workspace, alternate, if sorts_keys { 0 } else { n * u64::from(task.key.bytes()) }];
    bytes.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX))
}

/// Bytes of scratch that sorts of the task's items take, and of fewer.
pub fn most_scratch_bytes(
    spec: &DeviceSpec,
    task: &Task,
    sorts_keys: bool,
    device: Device,
) -> usize {
    let of = |n: usize| {
        let task = Task { n, ..task.clone() };
        let launches = spec.launches(n as u64, task.bits.clone(), device);
        let is_filled = launches.iter().any(|launch| launch.kernel == Kernel::Fill);
        (is_filled, Scratch::bytes_of(scratch_bytes(spec, &task, sorts_keys, &launches)))
    };
    let (is_filled, bytes) = of(task.n);
    if !is_filled {
        return bytes;
    }
    // Fewer keys may be sorted by passes, which take more. Where that ends is found by halves.
    let (mut by_passes, mut filled) = (1, task.n);
    while filled - by_passes > 1 {
        let between = by_passes.midpoint(filled);
        *(if of(between).0 { &mut filled } else { &mut by_passes }) = between;
    }
    bytes.max(of(by_passes).1)
}

/// The kernels of a spec, ready for launches.
#[derive(Debug)]
pub struct WholeKernels {
    spec: DeviceSpec,
    module: Arc<Module>,
    /// The module's kernels, in its order; a pass of any number is the kernel of all.
    kernels: Vec<Kernel>,
}

impl WholeKernels {
    /// Makes them.
    pub fn prepare(gpu: &Gpu, spec: &DeviceSpec) -> Result<Self, Error> {
        // Sorts by all bits and by one less have each kernel among their launches, which say what it needs.
        let bits = [spec.key.bits(), spec.key.bits() - 1];
        let launches = bits.iter().flat_map(|end| {
            let filling = spec.filling_launches(1, &(0..*end), gpu.device()).unwrap_or_default();
            filling.into_iter().chain(spec.launches(spec.max_items(), 0..*end, gpu.device()))
        });
        let mut each: Vec<Launch> = Vec::new();
        for launch in launches {
            if each.iter().all(|other| !is_same_kernel(other.kernel, launch.kernel)) {
                each.push(launch);
            }
        }
        let name = spec.to_string();
        let names: Vec<String> =
            each.iter().map(|launch| format!("{name}{}", launch.kernel.suffix())).collect();
        let symbols: Vec<Symbol<'_>> = names
            .iter()
            .zip(&each)
            .map(|(name, launch)| Symbol { name, dynamic_shared_bytes: launch.shared_bytes })
            .collect();
        let module = gpu.kernels().get(&KernelRequest {
            name: &name,
            source: &|| Ok(KernelSpec::Whole(*spec).source()?),
            symbols: &symbols,
        })?;
        let kernels = each.iter().map(|launch| launch.kernel).collect();
        Ok(Self { spec: *spec, module, kernels })
    }

    /// Sorts, in order on the stream and without waiting for it.
    ///
    /// # Safety
    ///
    /// As for [`super::device_sort::run`]. The spec is of the task's types, and takes as many items.
    pub unsafe fn sort(
        &self,
        gpu: &Gpu,
        stream: &CudaStream,
        task: &Task,
        arrays: &Arrays,
        scratch: &mut Scratch,
    ) -> Result<(), Error> {
        let spec = &self.spec;
        let n = task.n as u64;
        let launches = spec.launches(n, task.bits.clone(), gpu.device());
        let [workspace, alternate, sorted_keys] =
            scratch.take(scratch_bytes(spec, task, arrays.keys_out.is_some(), &launches))?;
        let keys_out = arrays.keys_out.unwrap_or(sorted_keys);
        let item_bytes = u64::from(task.key.bytes() + task.value.moved().bytes());
        let is_aligned =
            (keys_out | arrays.values_out).is_multiple_of(item_bytes.next_power_of_two());
        let arguments = Arguments(device::Arguments {
            keys_in: arrays.keys_in,
            keys_out,
            keys_alternate: alternate,
            values_in: arrays.values_in,
            values_out: arrays.values_out,
            values_alternate: alternate + spec.scratch_bytes(n).0,
            workspace,
            n,
            begin_bit: task.bits.start.cast_signed(),
            end_bit: task.bits.end.cast_signed(),
            writes_keys: i32::from(arrays.keys_out.is_some()),
            interleaves: i32::from(spec.interleaves() && is_aligned),
            count_columns_log2: spec.count_columns_log2(gpu.device()).cast_signed(),
            sorts_parts: i32::from(spec.launches_parts(n, &task.bits, gpu.device())),
        });
        let zeroed = DeviceScratch::of(spec, n, &launches).zeroed;
        let zeroed = usize::try_from(zeroed).unwrap_or(usize::MAX);
        if zeroed > 0 {
            // SAFETY: the workspace is at least as long, and its earlier uses are in this stream's order.
            let zeroed =
                unsafe { result::memset_d8_async(workspace, 0, zeroed, stream.cu_stream()) };
            told("enqueue a memset", zeroed)?;
        }
        let mut start = Start::InTurn;
        for launch in launches {
            // SAFETY: the arguments are what the header asks for: arrays of n items that the caller answers for, and
            // scratch of this stream as long as the spec says. The launches are the spec's, in their order, of which the
            // first starts in turn.
            unsafe { self.enqueue(stream, start, launch, &arguments) }?;
            start = Start::Early;
        }
        Ok(())
    }

    /// # Safety
    ///
    /// The launch is one of the spec's, in turn or behind another of this sort, and what the arguments point to is as the
    /// spec's header says.
    unsafe fn enqueue(
        &self,
        stream: &CudaStream,
        start: Start,
        launch: Launch,
        arguments: &Arguments,
    ) -> Result<(), Error> {
        let config = LaunchConfig {
            grid_dim: (launch.blocks, 1, 1),
            block_dim: (launch.threads, 1, 1),
            shared_mem_bytes: launch.shared_bytes,
        };
        let pass = launch.kernel.pass().unwrap_or_default().cast_signed();
        let parameters = [Parameter::of(arguments), Parameter::of(&pass)];
        // SAFETY: these are the parameters of a pass, and the first is that of all other kernels, each of which waits for
        // the one before it; the caller answers for the rest.
        unsafe { self.function(launch.kernel)?.launch(stream, start, config, &parameters) }
    }

    fn function(&self, kernel: Kernel) -> Result<&Function, Error> {
        let place = self.kernels.iter().position(|other| is_same_kernel(*other, kernel));
        place.map(|place| self.module.kernel(place)).ok_or_else(|| Error::Driver {
            doing: "find a kernel in its module",
            reason: format!("{}{} was not asked for", self.spec, kernel.suffix()),
        })
    }
}

/// Whether two launches are of one kernel, of whatever pass.
fn is_same_kernel(one: Kernel, other: Kernel) -> bool {
    discriminant(&one) == discriminant(&other)
}
