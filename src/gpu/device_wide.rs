//! Launches of generated device-wide sorts.

use std::mem::discriminant;
use std::sync::Arc;

use cudarc::driver::{CudaStream, DeviceRepr, LaunchConfig, result};
use sortsmith_codegen::device::{self, Device, DeviceSpec, Kernel, Launch};
use sortsmith_codegen::dispatch::KernelSpec;
use sortsmith_codegen::scratch::Scratch as DeviceScratch;

use super::array_kernels::ArrayKernels;
use super::context::Context;
use super::kernels::KernelRequest;
use super::launch::{Function, Parameter, Start};
use super::module::{Module, Symbol};
use super::scratch::Scratch;
use super::status::checked;
use super::task::{Arrays, Task};
use crate::error::Error;

/// The generated header's `Arguments`.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
struct Arguments(device::Arguments);

// SAFETY: plain integers, laid out as C lays out the header's structure of the same name.
unsafe impl DeviceRepr for Arguments {}

/// Bytes of the workspace, of the alternate arrays, and of the sorted keys that an argsort does not return.
pub fn scratch_bytes(
    spec: &DeviceSpec,
    task: &Task,
    writes_keys: bool,
    launches: &[Launch],
) -> [usize; 3] {
    let n = task.n as u64;
    let DeviceScratch { workspace, alternate, .. } = DeviceScratch::of(spec, n, launches);
    let bytes =
        [workspace, alternate, if writes_keys { 0 } else { n * u64::from(task.key.bytes()) }];
    bytes.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX))
}

/// Bytes of scratch that suffice for sorts of the task's items and of fewer.
pub fn max_scratch_bytes(
    spec: &DeviceSpec,
    task: &Task,
    writes_keys: bool,
    device: Device,
) -> usize {
    let of = |n: usize| {
        let task = Task { n, ..task.clone() };
        let launches = spec.launches(n as u64, task.bits.clone(), device);
        let is_filled = launches.iter().any(|launch| launch.kernel == Kernel::Expand);
        (is_filled, Scratch::bytes_of(scratch_bytes(spec, &task, writes_keys, &launches)))
    };
    let (is_filled, bytes) = of(task.n);
    if !is_filled {
        return bytes;
    }
    // Fewer keys may be sorted by passes, which take more. Bisection finds the largest such number.
    let (mut by_passes, mut filled) = (1, task.n);
    while filled - by_passes > 1 {
        let between = by_passes.midpoint(filled);
        *(if of(between).0 { &mut filled } else { &mut by_passes }) = between;
    }
    bytes.max(of(by_passes).1)
}

/// The kernels of a spec, ready for launches.
#[derive(Debug)]
pub struct DeviceWideKernels {
    spec: DeviceSpec,
    module: Arc<Module>,
    /// The module's kernels, in its order; all passes share one kernel.
    kernels: Vec<Kernel>,
}

impl DeviceWideKernels {
    /// Loads the kernels.
    pub fn prepare(context: &Context, spec: &DeviceSpec) -> Result<Self, Error> {
        // The launches of sorts by all bits and by one bit fewer include every kernel, with the shared memory that it needs.
        let bits = [spec.key.bits(), spec.key.bits() - 1];
        let launches = bits.iter().flat_map(|end| {
            let counting =
                spec.counting_launches(1, &(0..*end), context.device()).unwrap_or_default();
            counting.into_iter().chain(spec.launches(spec.max_items(), 0..*end, context.device()))
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
        let module = context.kernels().get(&KernelRequest {
            name: &name,
            source: &|| Ok(KernelSpec::DeviceWide(*spec).source()?),
            symbols: &symbols,
        })?;
        let kernels = each.iter().map(|launch| launch.kernel).collect();
        Ok(Self { spec: *spec, module, kernels })
    }

    /// # Safety
    ///
    /// The launch is one of the spec's, in order or behind another of this sort, and what the arguments point to is as the
    /// spec's header requires.
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
        // SAFETY: these are the parameters of a pass, and the first is the only one of all other kernels. Each kernel waits for
        // the one before it, and the caller vouches for the rest.
        unsafe { self.function(launch.kernel)?.launch(stream, start, config, &parameters) }
    }

    fn function(&self, kernel: Kernel) -> Result<&Function, Error> {
        let index = self.kernels.iter().position(|other| is_same_kernel(*other, kernel));
        index.map(|index| self.module.kernel(index)).ok_or_else(|| Error::Driver {
            doing: "find a kernel in its module",
            reason: format!("{}{} was not looked up", self.spec, kernel.suffix()),
        })
    }
}

impl ArrayKernels for DeviceWideKernels {
    unsafe fn sort(
        &self,
        device: Device,
        stream: &CudaStream,
        task: &Task,
        arrays: &Arrays,
        scratch: &mut Scratch,
    ) -> Result<(), Error> {
        let spec = &self.spec;
        let n = task.n as u64;
        let launches = spec.launches(n, task.bits.clone(), device);
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
            count_columns_log2: spec.count_columns_log2(device).cast_signed(),
            sorts_msd_buckets: i32::from(spec.launches_msd_buckets(n, &task.bits, device)),
        });
        let zeroed = DeviceScratch::of(spec, n, &launches).zeroed;
        let zeroed = usize::try_from(zeroed).unwrap_or(usize::MAX);
        if zeroed > 0 {
            // SAFETY: the workspace is at least as long, and its earlier uses are in this stream's order.
            let zeroed =
                unsafe { result::memset_d8_async(workspace, 0, zeroed, stream.cu_stream()) };
            checked("enqueue a memset", zeroed)?;
        }
        let mut start = Start::InOrder;
        for launch in launches {
            // SAFETY: the arguments are what the header requires: arrays of n items that the caller vouches for, and scratch
            // of this stream as long as the spec says. The launches are the spec's, in their order, and the first starts in
            // order.
            unsafe { self.enqueue(stream, start, launch, &arguments) }?;
            start = Start::Early;
        }
        Ok(())
    }
}

/// Whether two launches are of one kernel: all passes are.
fn is_same_kernel(one: Kernel, other: Kernel) -> bool {
    discriminant(&one) == discriminant(&other)
}
