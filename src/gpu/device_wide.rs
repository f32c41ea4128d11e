//! Launches of generated device-wide sorts.

use std::sync::Arc;

use cudarc::driver::{CudaStream, DeviceRepr, LaunchConfig, result};
use sortsmith_codegen::device::{
    self, Device, DeviceSpec, Kernel, Launch, LaunchArgument, Scratch as DeviceScratch,
};
use sortsmith_codegen::dispatch::KernelSpec;
use sortsmith_codegen::rows;

use super::array_kernels::ArrayKernels;
use super::context::Context;
use super::kernels::KernelRequest;
use super::launch::{Function, Parameter, Start};
use super::module::{Module, Symbol};
use super::scratch::Scratch;
use super::sort_counter::random_seed;
use super::status::checked;
use super::task::{Arrays, Task};
use crate::error::Error;
use crate::lists::{Lists as _, RowLists};

/// The rows that are sorted at once.
fn rows_of_group(columns: usize) -> usize {
    usize::try_from(rows::rows_of_group(columns as u64)).unwrap_or(usize::MAX)
}

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
    let DeviceScratch { workspace, alternate, .. } = spec.scratch(n, launches);
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
    let n = task.n as u64;
    let of = |n: u64| {
        let task = Task { n: usize::try_from(n).unwrap_or(task.n), ..task.clone() };
        let launches = spec.launches(n, task.bits.clone(), device);
        Scratch::bytes_of(scratch_bytes(spec, &task, writes_keys, &launches))
    };
    let peaks = spec.scratch_peaks(n, task.bits.clone(), device);
    peaks.into_iter().map(of).fold(0, usize::max)
}

/// The arguments that say what is sorted, without scratch but for the keys.
fn arguments_of(task: &Task, arrays: &Arrays, keys_out: u64) -> device::Arguments {
    device::Arguments {
        keys_in: arrays.keys_in,
        keys_out,
        values_in: arrays.values_in,
        values_out: arrays.values_out,
        n: task.n as u64,
        count: arrays.count.address,
        most_items: task.n as u64,
        count_bytes: arrays.count.bytes,
        begin_bit: task.bits.start.cast_signed(),
        end_bit: task.bits.end.cast_signed(),
        writes_keys: i32::from(arrays.keys_out.is_some()),
        ..device::Arguments::default()
    }
}

/// The kernels of a spec, ready for launches.
#[derive(Debug)]
pub struct DeviceWideKernels {
    spec: DeviceSpec,
    module: Arc<Module>,
    /// The module's kernels, in its order.
    kernels: Vec<Kernel>,
    /// The address of the context's counter of sorts, or null if they take no seed.
    sort_counter: u64,
}

impl DeviceWideKernels {
    /// Loads the kernels.
    pub fn prepare(context: &Context, spec: &DeviceSpec) -> Result<Self, Error> {
        let name = spec.to_string();
        // What the device has no room for is not launched on it.
        let most = context.device().shared_bytes_per_block;
        let mut blocks = spec.kernels(context.device());
        blocks.retain(|block| block.shared_bytes <= most);
        let names: Vec<String> =
            blocks.iter().map(|block| format!("{name}{}", block.kernel.suffix())).collect();
        let symbols: Vec<Symbol<'_>> = names
            .iter()
            .zip(&blocks)
            .map(|(name, block)| Symbol { name, dynamic_shared_bytes: block.shared_bytes })
            .collect();
        let module = context.kernels().get(&KernelRequest {
            name: &name,
            source: &|| Ok(KernelSpec::DeviceWide(*spec).source()?),
            symbols: &symbols,
        })?;
        let kernels = blocks.iter().map(|block| block.kernel).collect();
        let sort_counter = if spec.takes_seed() { context.sort_counter()?.address() } else { 0 };
        Ok(Self { spec: *spec, module, kernels, sort_counter })
    }

    /// # Safety
    ///
    /// The launch is one of the spec's, for as many rows as the sort is of, or one; in order or behind another of this sort. What the
    /// arguments point to is as the spec's header requires.
    unsafe fn enqueue(
        &self,
        stream: &CudaStream,
        start: Start,
        (launch, rows): (Launch, u32),
        arguments: &Arguments,
    ) -> Result<(), Error> {
        let config = LaunchConfig {
            grid_dim: (launch.blocks, rows, 1),
            block_dim: (launch.threads, 1, 1),
            shared_mem_bytes: launch.shared_bytes,
        };
        let argument = launch.argument.map_or(0, LaunchArgument::number).cast_signed();
        let parameters = [Parameter::of(arguments), Parameter::of(&argument)];
        // SAFETY: the first is the parameter of all kernels, the second the other one of those that have two. Each kernel waits
        // for the one before it, and the caller vouches for the rest.
        unsafe { self.function(launch.kernel)?.launch(stream, start, config, &parameters) }
    }

    fn function(&self, kernel: Kernel) -> Result<&Function, Error> {
        let index = self.kernels.iter().position(|other| *other == kernel);
        index.map(|index| self.module.kernel(index)).ok_or_else(|| Error::Driver {
            doing: "find a kernel in its module",
            reason: format!("{}{} was not looked up", self.spec, kernel.suffix()),
        })
    }
}

/// Sorts of rows, of a spec that sorts rows. Groups of them are sorted one after the other, so that scratch is bounded.
impl DeviceWideKernels {
    /// Bytes of the workspace, of the alternate arrays, and of the sorted keys that an argsort does not return, of one group.
    fn group_bytes(
        &self,
        task: &Task,
        rows: usize,
        writes_keys: bool,
        launches: &[Launch],
    ) -> [usize; 3] {
        let (rows, n) = (rows as u64, task.n as u64);
        let of_rows = self.spec.scratch_of_rows(rows, n, launches);
        let sorted_keys = if writes_keys { 0 } else { rows * n * u64::from(task.key.bytes()) };
        let bytes = [of_rows.workspace, of_rows.alternate, sorted_keys];
        bytes.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX))
    }

    /// Bytes of scratch that suffice for sorts of these rows and of fewer, of as many columns as the task has items.
    pub fn rows_scratch_bytes(
        &self,
        task: &Task,
        rows: usize,
        writes_keys: bool,
        device: Device,
    ) -> usize {
        let launches = self.spec.launches(task.n as u64, task.bits.clone(), device);
        let rows = rows.min(rows_of_group(task.n));
        Scratch::bytes_of(self.group_bytes(task, rows, writes_keys, &launches))
    }

    /// Enqueues the sort of each row and does not wait for it. The task is that of one row.
    ///
    /// # Safety
    ///
    /// As for [`ArrayKernels::sort`], with arrays of these rows.
    pub unsafe fn sort_rows(
        &self,
        device: Device,
        stream: &CudaStream,
        (task, lists): (&Task, &RowLists),
        arrays: &Arrays,
        scratch: &mut Scratch,
    ) -> Result<(), Error> {
        let launches = self.spec.launches(task.n as u64, task.bits.clone(), device);
        let group = rows_of_group(task.n).min(lists.count());
        let bytes = self.group_bytes(task, group, arrays.keys_out.is_some(), &launches);
        let [workspace, alternate, sorted_keys] = scratch.take(bytes)?;
        let of_group = self.spec.scratch_of_rows(group as u64, task.n as u64, &launches);
        let mut start = Start::InOrder;
        for first in (0..lists.count()).step_by(group) {
            let rows = (lists.count() - first).min(group);
            let arrays = arrays.at_item(lists.range(first).start, task);
            let arguments = device::Arguments {
                keys_alternate: alternate,
                values_alternate: alternate + of_group.alternate_keys,
                workspace,
                row_stride: lists.stride() as u64,
                rows_before: first as u32,
                ..arguments_of(task, &arrays, arrays.keys_out.unwrap_or(sorted_keys))
            };
            let arguments = Arguments(self.spec.complete(device, random_seed(), arguments));
            for launch in &launches {
                // SAFETY: the arguments are what the header requires: arrays of these rows that the caller vouches for, and scratch
                // of this stream for as many. The launches are the spec's, in their order. The first one begins in order, and each
                // kernel waits for the one before it, so that a group finds the scratch as the one before it leaves it.
                unsafe { self.enqueue(stream, start, (*launch, rows as u32), &arguments) }?;
                start = Start::Early;
            }
        }
        Ok(())
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
        let DeviceScratch { zeroed, alternate_keys, .. } = spec.scratch(n, &launches);
        let zeroed = usize::try_from(zeroed).unwrap_or(usize::MAX);
        let [workspace, alternate, sorted_keys] =
            scratch.take(scratch_bytes(spec, task, arrays.keys_out.is_some(), &launches))?;
        let keys_out = arrays.keys_out.unwrap_or(sorted_keys);
        let arguments = device::Arguments {
            keys_alternate: alternate,
            values_alternate: alternate + alternate_keys,
            workspace,
            sort_counter: self.sort_counter,
            ..arguments_of(task, arrays, keys_out)
        };
        let seed = random_seed();
        let arguments = Arguments(spec.complete(device, seed, arguments));
        if zeroed > 0 {
            // SAFETY: the workspace is at least as long, and its earlier uses are in this stream's order.
            let zeroed =
                unsafe { result::memset_d8_async(workspace, 0, zeroed, stream.cu_stream()) };
            checked("enqueue a memset", zeroed)?;
        }
        let mut start = Start::InOrder;
        for launch in launches.into_iter().map(|launch| launch.seeded(seed)) {
            // SAFETY: the arguments are what the header requires: arrays of n items that the caller vouches for, and scratch
            // of this stream as long as the spec says. The launches are the spec's, in their order, and the first begins in
            // order.
            unsafe { self.enqueue(stream, start, (launch, 1), &arguments) }?;
            start = Start::Early;
        }
        Ok(())
    }
}
