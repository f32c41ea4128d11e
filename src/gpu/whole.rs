//! The launches of a device-wide sort.

use std::sync::Arc;

use cudarc::driver::{CudaStream, DeviceRepr, LaunchConfig, PushKernelArg, result};
use sortsmith_codegen::device::{self, DeviceSpec, Kernel, Launch};
use sortsmith_codegen::dispatch::KernelSpec;

use super::Gpu;
use super::device_sort::{Arrays, Task};
use super::driver::told;
use super::kernels::{KernelRequest, Module, Symbol};
use super::memory::Scratch;
use crate::Error;

/// The generated header's `Arguments`.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
struct Arguments(device::Arguments);

// SAFETY: plain words, laid out as C lays out the header's structure of the same name.
unsafe impl DeviceRepr for Arguments {}

/// Bytes of the workspace, of the alternate arrays, and of a place for sorted keys that nobody asked for.
pub fn scratch_bytes(spec: &DeviceSpec, task: &Task, sorts_keys: bool) -> [usize; 3] {
    let n = task.n as u64;
    let bytes = [
        spec.workspace_bytes(n),
        spec.scratch_bytes(n).1,
        if sorts_keys { 0 } else { n * u64::from(task.key.bytes()) },
    ];
    bytes.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX))
}

/// Makes the kernels of a spec ready for launches.
pub fn prepare(gpu: &Gpu, spec: &DeviceSpec) -> Result<Arc<Module>, Error> {
    let name = spec.to_string();
    // Sorts by all bits and by one less have each kernel among their launches, which say what it needs.
    let bits = [spec.key.bits(), spec.key.bits() - 1];
    let launches = bits.iter().flat_map(|end| {
        let filling = spec.filling_launches(1, &(0..*end), gpu.device()).unwrap_or_default();
        filling.into_iter().chain(spec.launches(1, 0..*end, gpu.device()))
    });
    let launches: Vec<Launch> = launches.collect();
    let names: Vec<String> = launches.iter().map(|it| symbol(spec, it.kernel)).collect();
    let mut symbols: Vec<Symbol<'_>> = names
        .iter()
        .zip(&launches)
        .map(|(name, launch)| Symbol { name, dynamic_shared_bytes: launch.shared_bytes })
        .collect();
    symbols.sort_by_key(|symbol| symbol.name);
    symbols.dedup_by_key(|symbol| symbol.name);
    gpu.kernels().get(&KernelRequest {
        name: &name,
        source: &|| Ok(KernelSpec::Whole(*spec).source()?),
        symbols: &symbols,
    })
}

/// Sorts, in order on the stream and without waiting for it.
///
/// # Safety
///
/// As for [`super::device_sort::run`]. The spec is of the task's types, and takes as many items; the module is its own.
pub unsafe fn sort(
    gpu: &Gpu,
    stream: &CudaStream,
    (spec, module): (&DeviceSpec, &Module),
    task: &Task,
    arrays: &Arrays,
    scratch: &mut Scratch,
) -> Result<(), Error> {
    let n = task.n as u64;
    let [workspace, alternate, sorted_keys] =
        scratch.take(scratch_bytes(spec, task, arrays.sorts_keys))?;
    let keys_out = if arrays.sorts_keys { arrays.keys } else { sorted_keys };
    let item_bytes = u64::from(task.key.bytes() + task.value.moved().bytes());
    let is_aligned = (keys_out | arrays.values).is_multiple_of(item_bytes.next_power_of_two());
    let arguments = Arguments(device::Arguments {
        keys_in: arrays.keys,
        keys_out,
        keys_alternate: alternate,
        values_in: arrays.values,
        values_out: arrays.values,
        values_alternate: alternate + spec.scratch_bytes(n).0,
        workspace,
        n,
        begin_bit: task.bits.start.cast_signed(),
        end_bit: task.bits.end.cast_signed(),
        writes_keys: i32::from(arrays.sorts_keys),
        interleaves: i32::from(spec.interleaves() && is_aligned),
        count_columns_log2: spec.count_columns_log2(gpu.device()).cast_signed(),
        padding: 0,
    });
    told("enqueue a memset", stream.context().bind_to_thread())?;
    let zeroed = usize::try_from(spec.zeroed_bytes(n)).unwrap_or(usize::MAX);
    if zeroed > 0 {
        // SAFETY: the workspace is at least as long, and its earlier uses are in this stream's order.
        let zeroed = unsafe { result::memset_d8_async(workspace, 0, zeroed, stream.cu_stream()) };
        told("enqueue a memset", zeroed)?;
    }
    for launch in spec.launches(n, task.bits.clone(), gpu.device()) {
        // SAFETY: the arguments are what the header asks for: arrays of n items that the caller answers for, and
        // scratch of this stream as long as the spec says. The launches are the spec's, in their order.
        unsafe { enqueue(stream, module, spec, &launch, &arguments) }?;
    }
    Ok(())
}

/// # Safety
///
/// The launch is one of the spec's, and what the arguments point to is as the spec's header says.
unsafe fn enqueue(
    stream: &CudaStream,
    module: &Module,
    spec: &DeviceSpec,
    launch: &Launch,
    arguments: &Arguments,
) -> Result<(), Error> {
    let config = LaunchConfig {
        grid_dim: (launch.blocks, 1, 1),
        block_dim: (launch.threads, 1, 1),
        shared_mem_bytes: launch.shared_bytes,
    };
    let pass = launch.kernel.pass().map(u32::cast_signed);
    let mut builder = stream.launch_builder(module.kernel(&symbol(spec, launch.kernel))?);
    builder.arg(arguments);
    if let Some(pass) = &pass {
        builder.arg(pass);
    }
    // SAFETY: these are the kernel's parameters in their order; the caller answers for the rest.
    told("launch a kernel", unsafe { builder.launch(config) })?;
    Ok(())
}

fn symbol(spec: &DeviceSpec, kernel: Kernel) -> String {
    format!("{spec}{}", kernel.suffix())
}
