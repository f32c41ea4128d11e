//! Launches of generated sorts of segments.

use std::sync::Arc;

use cudarc::driver::{CudaStream, DeviceRepr, LaunchConfig, result};
use sortsmith_codegen::device::Device;
use sortsmith_codegen::segments::{
    self, CountArguments, Problem, Scratch as SegmentScratch, SegmentKernel, SegmentLaunch,
    SegmentSpec,
};

use super::context::Context;
use super::kernels::KernelRequest;
use super::launch::{Parameter, Start};
use super::module::{Module, Symbol};
use super::scratch::Scratch;
use super::status::checked;
use super::task::{Arrays, Task};
use crate::error::Error;

/// The generated header's `Arguments`.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
struct Arguments(segments::Arguments);

// SAFETY: plain integers, laid out as C lays out the header's structure of the same name.
unsafe impl DeviceRepr for Arguments {}

/// The bounds of segments, and the number of those that are sorted: addresses of numbers on a device, or 0.
#[derive(Clone, Copy, Debug)]
pub struct SegmentBounds {
    /// Segments, and the most items of one.
    pub sizes: SegmentSizes,
    /// Where they begin, or 0: segment i begins at i * `stride`.
    pub begins: u64,
    /// Where they end, or 0: `columns` items further on.
    pub ends: u64,
    /// Bytes of an offset: 4 or 8.
    pub offset_bytes: u32,
    /// Whether offsets are signed.
    pub signed_offsets: bool,
    /// Items of each segment, where there are no ends.
    pub columns: usize,
    /// From where a segment begins to where the next one does, where there are no begins.
    pub stride: usize,
    /// How many of the segments are sorted, or 0: all.
    pub count: u64,
    /// Bytes of the count: 4 or 8.
    pub count_bytes: u32,
}

/// What launches and scratch of segments follow from, beside the array's length.
#[derive(Clone, Copy, Debug)]
pub struct SegmentSizes {
    /// Segments, at most.
    pub count: usize,
    /// The most items of one: those of the array, where the device alone knows.
    pub longest: usize,
}

/// The kernels of a spec, ready for launches.
#[derive(Debug)]
pub struct SegmentKernels {
    spec: SegmentSpec,
    module: Arc<Module>,
}

impl SegmentKernels {
    /// Loads the kernels.
    pub fn prepare(context: &Context, spec: &SegmentSpec) -> Result<Self, Error> {
        let names = SegmentKernel::ALL.map(|kernel| format!("{spec}{}", kernel.suffix()));
        let symbol =
            |(name, kernel)| Symbol { name, dynamic_shared_bytes: spec.shared_bytes_of(kernel) };
        let names_of = names.iter().zip(SegmentKernel::ALL);
        let symbols: Vec<Symbol<'_>> =
            names_of.map(|(name, kernel)| symbol((name.as_str(), kernel))).collect();
        let module = context.kernels().get(&KernelRequest {
            name: &spec.to_string(),
            source: &|| Ok(segments::header(spec)?),
            symbols: &symbols,
        })?;
        Ok(Self { spec: *spec, module })
    }

    /// Bytes of scratch that suffice for a task, and for fewer items and segments. `writes_keys` is false for an argsort.
    pub fn scratch_bytes(&self, problem: Problem, task: &Task, writes_keys: bool) -> usize {
        Scratch::bytes_of(self.arrays_of_scratch(problem, task, writes_keys))
    }

    /// Bytes of the workspace, of the alternate arrays, and of the sorted keys that an argsort does not return.
    fn arrays_of_scratch(&self, problem: Problem, task: &Task, writes_keys: bool) -> [usize; 4] {
        let SegmentScratch { workspace, keys, values, .. } = self.spec.scratch(problem);
        let [workspace, keys, values] =
            [workspace, keys, values].map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
        [workspace, keys, values, if writes_keys { 0 } else { task.key_bytes() }]
    }

    /// Enqueues the sort and does not wait for it.
    ///
    /// # Safety
    ///
    /// - The stream's context is bound to this thread, and is the one that the kernels were loaded in.
    /// - The kernels are of the task's types, and the problem is that of the task and the bounds.
    /// - The arrays are memory of that context for `task.n` items, each at a multiple of its item's size, and begins and ends for as
    ///   many numbers as there are segments, the count for one; without ends no segment has more items than the problem says. They are valid until the stream has done this work, nothing outside of the stream's order
    ///   accesses them, and they do not overlap, except that a sort in place names the same arrays as input and output.
    /// - The scratch is of this stream.
    pub unsafe fn sort(
        &self,
        (device, stream): (Device, &CudaStream),
        (task, problem): (&Task, Problem),
        bounds: &SegmentBounds,
        arrays: &Arrays,
        scratch: &mut Scratch,
    ) -> Result<(), Error> {
        let bytes = self.arrays_of_scratch(problem, task, arrays.keys_out.is_some());
        let [workspace, keys_alternate, values_alternate, sorted_keys] = scratch.take(bytes)?;
        // Without rounds of merges there are no alternate arrays.
        let [_, keys_bytes, values_bytes, _] = bytes;
        let keys_alternate = if keys_bytes == 0 { 0 } else { keys_alternate };
        let values_alternate = if values_bytes == 0 { 0 } else { values_alternate };
        let arguments = Arguments(segments::Arguments {
            keys_in: arrays.keys_in,
            keys_out: arrays.keys_out.unwrap_or(sorted_keys),
            keys_alternate,
            values_in: arrays.values_in,
            values_out: arrays.values_out,
            values_alternate,
            begins: bounds.begins,
            ends: bounds.ends,
            workspace,
            segments: problem.segments,
            n: problem.n,
            offset_bytes: bounds.offset_bytes,
            begin_bit: task.bits.start.cast_signed(),
            end_bit: task.bits.end.cast_signed(),
            absolute_positions: i32::from(problem.absolute_positions),
        });
        let count = CountArguments {
            count: bounds.count,
            segment_items: bounds.columns as u64,
            segment_stride: bounds.stride as u64,
            count_bytes: bounds.count_bytes,
            signed_offsets: i32::from(bounds.signed_offsets),
        };
        let zeroed = usize::try_from(self.spec.scratch(problem).zeroed).unwrap_or(usize::MAX);
        // SAFETY: the workspace is at least as long, and its earlier uses are in this stream's order.
        let zeroed = unsafe { result::memset_d8_async(workspace, 0, zeroed, stream.cu_stream()) };
        checked("enqueue a memset", zeroed)?;
        let mut start = Start::InOrder;
        self.spec.launches(problem, device).into_iter().try_for_each(|launch| {
            // SAFETY: the arguments are what the header requires: arrays that the caller vouches for, and scratch of this stream as long as
            // the spec says. The launches are the spec's, in their order.
            unsafe { self.enqueue(stream, (launch, start), (&arguments, &count)) }?;
            start = Start::Early;
            Ok(())
        })
    }

    /// # Safety
    ///
    /// The launch is one of the spec's, in order, the first of them to begin in order, and what the arguments point to is as the spec's header requires.
    unsafe fn enqueue(
        &self,
        stream: &CudaStream,
        (launch, start): (SegmentLaunch, Start),
        (arguments, count): (&Arguments, &CountArguments),
    ) -> Result<(), Error> {
        let SegmentLaunch { kernel, round, blocks, threads, shared_bytes } = launch;
        let config = LaunchConfig {
            grid_dim: (blocks, 1, 1),
            block_dim: (threads, 1, 1),
            shared_mem_bytes: shared_bytes,
        };
        let round = round.unwrap_or(0).cast_signed();
        let mut parameters = vec![Parameter::of(arguments)];
        match kernel {
            SegmentKernel::Classify => parameters.extend(Parameter::each(count)),
            _ => parameters.push(Parameter::of(&round)),
        }
        let function = self.module.kernel(kernel as usize);
        // SAFETY: the first is the parameter of all kernels, those behind it the others of the kernels that have more; the caller vouches
        // for the rest. Symbols were looked up in the kernels' order.
        unsafe { function.launch(stream, start, config, &parameters) }
    }
}
