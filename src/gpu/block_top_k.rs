//! Launches of generated top-ks of rows.

use std::sync::Arc;

use cudarc::driver::{CudaStream, LaunchConfig};
use sortsmith_codegen::top_k::{
    AnyTopK, CandidatesArguments, FilteredArguments, FoundArguments, ListedArguments,
    RankedArguments, RowsArguments, SamplesArguments, SurvivorsArguments, TopKKernel, TopKLaunch,
    TopKLists, TopKPlan, TopKRows, TopKSpec, TopKStep,
};

use super::context::Context;
use super::kernels::KernelRequest;
use super::launch::{Parameter, Start};
use super::module::{Module, Symbol};
use crate::error::Error;

/// Addresses of device arrays.
#[derive(Clone, Copy, Debug)]
pub struct TopKArrays {
    /// The rows' keys.
    pub keys: u64,
    /// From the first key of a row to that of the next.
    pub stride: usize,
    /// The rows' values, if such are found.
    pub values: u64,
    /// Where results go, k for each row.
    pub found: Found,
    /// Scratch for the words of a [`TopKPlan`].
    pub shared: u64,
}

/// Where results go; null for those that are not wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Found {
    /// The found keys.
    pub keys: u64,
    /// Their positions, of 32 bits.
    pub positions: u64,
    /// Their values, or positions of 64 bits, of specs that find such.
    pub values: u64,
}

impl Found {
    fn positions(positions: u64) -> Self {
        Self { positions, ..Self::default() }
    }
}

/// Loads the kernels of a spec.
pub fn prepare(context: &Context, spec: AnyTopK) -> Result<Arc<Module>, Error> {
    let name = |kernel: &TopKKernel| format!("{spec}{}", kernel.suffix());
    let names: Vec<String> = spec.kernels().iter().map(name).collect();
    let dynamic_shared_bytes = spec.shared_bytes();
    let symbol = |name| Symbol { name, dynamic_shared_bytes };
    let symbols: Vec<Symbol<'_>> = names.iter().map(String::as_str).map(symbol).collect();
    context.kernels().get(&KernelRequest {
        name: &spec.to_string(),
        source: &|| Ok(spec.header()?),
        symbols: &symbols,
    })
}

/// A top-k of rows: its kernels, its shape and the launches for it, and whether results are wanted in order.
#[derive(Clone, Copy, Debug)]
pub struct TopK<'a> {
    /// The kernels' spec.
    pub spec: AnyTopK,
    /// Its module.
    pub module: &'a Module,
    /// Rows, their columns and k.
    pub shape: TopKRows,
    /// What is launched.
    pub plan: &'a TopKPlan,
    /// Whether results are in order.
    pub is_sorted: bool,
}

/// Enqueues a top-k of rows and does not wait for it.
///
/// # Safety
///
/// - The stream's context is bound to this thread, and is the one that the module was loaded in; the module is the spec's.
/// - The plan is the spec's for this shape, which has a k of at most the spec's, and rows of k keys or more.
/// - The arrays are memory of that context, as long as [`TopKArrays`] says and aligned; only what launches share may be missing, where
///   the plan has no words of it.
/// - They are valid until the stream has done this work, nothing outside of the stream's order accesses them, and they do not overlap.
pub unsafe fn run(stream: &CudaStream, top_k: &TopK<'_>, arrays: &TopKArrays) -> Result<(), Error> {
    let mut start = Start::InOrder;
    for (step, launch) in top_k.plan.steps() {
        // SAFETY: the steps are the plan's in their order, and the caller vouches for the rest. The first launch is in order, and each other one waits for
        // the one before it.
        unsafe { run_step(stream, top_k, arrays, (step, launch, start)) }?;
        start = Start::Early;
    }
    Ok(())
}

/// Enqueues one launch of a top-k.
///
/// # Safety
///
/// As for [`run`], behind the plan's launches before it.
unsafe fn run_step(
    stream: &CudaStream,
    top_k: &TopK<'_>,
    arrays: &TopKArrays,
    (step, of_step, start): (TopKStep, TopKLaunch, Start),
) -> Result<(), Error> {
    let is_other = |it: &&TopKKernel| **it != step.kernel();
    let kernel = top_k.spec.kernels().iter().take_while(is_other).count();
    let enqueue = |parameters: &[Parameter<'_>]| {
        // SAFETY: the header is made of the same tables of arguments, and the caller vouches for what these point to.
        unsafe { launch(stream, top_k.module, (kernel, start), of_step, parameters) }
    };
    match (step, top_k.spec) {
        (TopKStep::Rows { to }, AnyTopK::Block(_)) => {
            enqueue(&Parameter::each(&top_k.of_rows(arrays, to)))
        }
        (TopKStep::Rows { to }, AnyTopK::Warp(_)) => {
            enqueue(&Parameter::each(&top_k.of_rows(arrays, to).of_warps()))
        }
        (TopKStep::Candidates { from, to }, _) => {
            enqueue(&Parameter::each(&top_k.of_candidates(arrays, from, to)))
        }
        (TopKStep::Survivors, _) => enqueue(&Parameter::each(&top_k.of_survivors(arrays))),
        (TopKStep::Ranked, _) => enqueue(&Parameter::each(&top_k.of_ranked(arrays))),
        (TopKStep::Samples, _) => enqueue(&Parameter::each(&top_k.of_samples(arrays))),
        (TopKStep::Filtered, _) => enqueue(&Parameter::each(&top_k.of_filtered(arrays))),
        (TopKStep::Listed, _) => enqueue(&Parameter::each(&top_k.of_listed(arrays))),
    }
}

impl TopKArrays {
    /// Where a word of what launches share is.
    fn at(&self, word: u64) -> u64 {
        self.shared + word * size_of::<u32>() as u64
    }
}

impl TopK<'_> {
    /// Where lists of candidates are; those of the chunks are at the beginning.
    fn candidates(&self, arrays: &TopKArrays, lists: TopKLists) -> u64 {
        arrays.at(if lists == TopKLists::Groups { self.plan.of_groups } else { 0 })
    }

    /// Where a launch writes, and whether in order: candidates are positions alone, in the order of these.
    fn writes(&self, arrays: &TopKArrays, to: TopKLists) -> (Found, bool) {
        match to {
            TopKLists::Results => (arrays.found, self.is_sorted),
            lists => (Found::positions(self.candidates(arrays, lists)), false),
        }
    }

    fn of_rows(&self, arrays: &TopKArrays, to: TopKLists) -> RowsArguments {
        let (found, sorted) = self.writes(arrays, to);
        RowsArguments {
            keys: arrays.keys,
            keys_out: found.keys,
            positions_out: found.positions,
            rows: self.shape.rows,
            columns: self.shape.columns,
            stride: arrays.stride as u64,
            chunks: self.plan.chunks,
            k: self.shape.k,
            sorted,
            values_out: found.values,
            values: arrays.values,
        }
    }

    fn of_candidates(
        &self,
        arrays: &TopKArrays,
        from: TopKLists,
        to: TopKLists,
    ) -> CandidatesArguments {
        let (found, sorted) = self.writes(arrays, to);
        CandidatesArguments {
            keys: arrays.keys,
            candidates: self.candidates(arrays, from),
            keys_out: found.keys,
            positions_out: found.positions,
            rows: self.shape.rows,
            count: u64::from(self.plan.lists(from)) * u64::from(self.shape.k),
            stride: arrays.stride as u64,
            groups: self.plan.lists(to),
            k: self.shape.k,
            sorted,
            values_out: found.values,
            values: arrays.values,
        }
    }

    fn of_survivors(&self, arrays: &TopKArrays) -> SurvivorsArguments {
        SurvivorsArguments {
            keys: arrays.keys,
            bits_out: arrays.at(self.plan.bits),
            positions_out: arrays.at(self.plan.positions),
            counts_out: arrays.at(self.plan.counts),
            rows: self.shape.rows,
            columns: self.shape.columns,
            stride: arrays.stride as u64,
            chunks: self.plan.chunks,
            k: self.shape.k,
            rank: self.plan.rank,
        }
    }

    fn of_ranked(&self, arrays: &TopKArrays) -> RankedArguments {
        RankedArguments {
            keys: arrays.keys,
            bits: arrays.at(self.plan.bits),
            survivors: arrays.at(self.plan.positions),
            counts: arrays.at(self.plan.counts),
            keys_out: arrays.found.keys,
            positions_out: arrays.found.positions,
            of_groups: self.candidates(arrays, TopKLists::Groups),
            rows: self.shape.rows,
            columns: self.shape.columns,
            stride: arrays.stride as u64,
            lists: self.plan.chunks,
            rankers: self.plan.rankers,
            groups: self.plan.groups,
            k: self.shape.k,
            sorted: self.is_sorted,
            values_out: arrays.found.values,
            values: arrays.values,
        }
    }

    fn of_samples(&self, arrays: &TopKArrays) -> SamplesArguments {
        SamplesArguments {
            keys: arrays.keys,
            sample_bits: arrays.shared,
            sample_positions: arrays.at(self.plan.sample_positions),
            counts: arrays.at(self.plan.counts),
            rows: self.shape.rows,
            columns: self.shape.columns,
            stride: arrays.stride as u64,
            blocks: self.plan.sample.blocks,
            kept: self.plan.sample.kept,
        }
    }

    fn of_filtered(&self, arrays: &TopKArrays) -> FilteredArguments {
        FilteredArguments {
            keys: arrays.keys,
            sample_bits: arrays.shared,
            sample_positions: arrays.at(self.plan.sample_positions),
            bits: arrays.at(self.plan.bits),
            survivors: arrays.at(self.plan.positions),
            counts: arrays.at(self.plan.counts),
            rows: self.shape.rows,
            columns: self.shape.columns,
            stride: arrays.stride as u64,
            chunks: self.plan.chunks,
            samples: self.plan.sample.items(),
            rank: self.plan.sample.rank,
            room: self.plan.room,
        }
    }

    fn of_listed(&self, arrays: &TopKArrays) -> ListedArguments {
        ListedArguments {
            keys: arrays.keys,
            bits: arrays.at(self.plan.bits),
            survivors: arrays.at(self.plan.positions),
            counts: arrays.at(self.plan.counts),
            keys_out: arrays.found.keys,
            positions_out: arrays.found.positions,
            of_groups: self.candidates(arrays, TopKLists::Groups),
            rows: self.shape.rows,
            columns: self.shape.columns,
            stride: arrays.stride as u64,
            room: self.plan.room,
            groups: self.plan.groups,
            k: self.shape.k,
            sorted: self.is_sorted,
            values_out: arrays.found.values,
            values: arrays.values,
        }
    }
}

/// Enqueues that what is at positions of a row is written, and does not wait for it.
///
/// # Safety
///
/// - As for [`run`], of a spec that finds more than positions of 32 bits.
/// - There are `n` positions, below the row's columns, and outputs have room for as many results.
pub unsafe fn run_found(
    stream: &CudaStream,
    module: &Module,
    spec: TopKSpec,
    arguments: &FoundArguments,
) -> Result<(), Error> {
    let Some(of_found) = spec.launch_of_found(arguments.n) else { return Ok(()) };
    let how = (7, Start::InOrder);
    // SAFETY: the header is made of the same table of arguments, and the caller vouches for what they point to.
    unsafe { launch(stream, module, how, of_found, &Parameter::each(arguments)) }
}

/// # Safety
///
/// The parameters are those of the kernel, and what they point to is as [`run`] says.
unsafe fn launch(
    stream: &CudaStream,
    module: &Module,
    (kernel, start): (usize, Start),
    TopKLaunch { blocks, threads, shared_bytes }: TopKLaunch,
    parameters: &[Parameter<'_>],
) -> Result<(), Error> {
    let config = LaunchConfig {
        grid_dim: (blocks, 1, 1),
        block_dim: (threads, 1, 1),
        shared_mem_bytes: shared_bytes,
    };
    // SAFETY: the caller vouches for the parameters.
    unsafe { module.kernel(kernel).launch(stream, start, config, parameters) }
}
