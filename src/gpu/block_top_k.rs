//! Launches of generated top-ks of rows.

use std::sync::Arc;

use cudarc::driver::{CudaStream, LaunchConfig};
use sortsmith_codegen::top_k::{
    AnyTopK, CandidatesArguments, FilteredArguments, FoundArguments, ListedArguments,
    ListedLaunches, ListedScratch, RankedArguments, RankedLaunches, RankedScratch, RowsArguments,
    SamplesArguments, SurvivorsArguments, TopKKernel, TopKLaunch, TopKLaunches, TopKRows, TopKSpec,
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
    /// Scratch for [`TopKLaunches::candidates`] positions, or for what [`RankedScratch`] or [`ListedScratch`] says.
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

/// Enqueues a top-k of rows and does not wait for it.
///
/// # Safety
///
/// - The stream's context is bound to this thread, and is the one that the module was loaded in; the module is the spec's.
/// - The launches are the spec's for this shape, which has a k of at most the spec's, and rows of k keys or more.
/// - The arrays are memory of that context, as long as [`TopKArrays`] says and aligned; only the candidates may be missing, where
///   there is one launch.
/// - They are valid until the stream has done this work, nothing outside of the stream's order accesses them, and they do not overlap.
pub unsafe fn run(
    stream: &CudaStream,
    module: &Module,
    (spec, shape, launches): (AnyTopK, TopKRows, TopKLaunches),
    is_sorted: bool,
    arrays: &TopKArrays,
) -> Result<(), Error> {
    let TopKRows { rows, columns, k } = shape;
    let TopKLaunches { chunks, rows: first, groups, of_groups, candidates } = launches;
    let TopKArrays { keys, stride, values, found, shared } = *arrays;
    let stride = stride as u64;
    // Of several chunks a later launch makes the results.
    let is_last = candidates.is_none();
    let Found { keys: keys_out, positions: positions_out, values: values_out } =
        if is_last { found } else { Found::positions(shared) };
    let sorted = is_last && is_sorted;
    let arguments = RowsArguments {
        keys,
        keys_out,
        positions_out,
        rows,
        columns,
        stride,
        chunks,
        k,
        sorted,
        values_out,
        values,
    };
    let how = (0, Start::InOrder);
    // SAFETY: the header is made of the same table of arguments, and the caller vouches for what they point to.
    unsafe {
        match spec {
            AnyTopK::Block(_) => launch(stream, module, how, first, &Parameter::each(&arguments)),
            AnyTopK::Warp(_) => {
                launch(stream, module, how, first, &Parameter::each(&arguments.of_warps()))
            }
        }
    }?;
    let Some(last) = candidates else { return Ok(()) };
    let search = |launch_of, candidates, lists: u32, groups, out: Found, sorted| {
        let Found { keys: keys_out, positions: positions_out, values: values_out } = out;
        let count = u64::from(lists) * u64::from(k);
        let arguments = CandidatesArguments {
            keys,
            candidates,
            keys_out,
            positions_out,
            rows,
            count,
            stride,
            groups,
            k,
            sorted,
            values_out,
            values,
        };
        // SAFETY: as above. The launch before it writes the list, and this kernel waits for it; that one waits for those before, or is
        // in order.
        unsafe {
            launch(stream, module, (1, Start::Early), launch_of, &Parameter::each(&arguments))
        }
    };
    let Some(second) = of_groups else { return search(last, shared, chunks, 1, found, is_sorted) };
    let list_of_groups = shared + launches.start_of_groups(shape) * size_of::<u32>() as u64;
    search(second, shared, chunks, groups, Found::positions(list_of_groups), false)?;
    search(last, list_of_groups, groups, 1, found, is_sorted)
}

/// Enqueues a sorted top-k of rows that ranks survivors, and does not wait for it.
///
/// # Safety
///
/// - As for [`run`].
/// - The scratch is [`RankedScratch::words`] words.
pub unsafe fn run_ranked(
    stream: &CudaStream,
    module: &Module,
    TopKRows { rows, columns, k }: TopKRows,
    (launches, scratch): (RankedLaunches, RankedScratch),
    arrays: &TopKArrays,
) -> Result<(), Error> {
    let RankedLaunches { chunks, rankers, groups, survivors, ranked, candidates } = launches;
    let TopKArrays { keys, stride, values, found, shared: bits } = *arrays;
    let Found { keys: keys_out, positions: positions_out, values: values_out } = found;
    let stride = stride as u64;
    let at = |word: u64| bits + word * size_of::<u32>() as u64;
    let [positions, counts, of_groups] =
        [scratch.positions, scratch.counts, scratch.of_groups].map(at);
    let of_chunks = SurvivorsArguments {
        keys,
        bits_out: bits,
        positions_out: positions,
        counts_out: counts,
        rows,
        columns,
        stride,
        chunks,
        k,
    };
    // SAFETY: the header is made of the same table of arguments, and the caller vouches for what they point to.
    unsafe {
        launch(stream, module, (2, Start::InOrder), survivors, &Parameter::each(&of_chunks))
    }?;
    let of_lists = RankedArguments {
        keys,
        bits,
        survivors: positions,
        counts,
        keys_out,
        positions_out,
        of_groups,
        rows,
        columns,
        stride,
        lists: chunks,
        rankers,
        groups,
        k,
        values_out,
        values,
    };
    // SAFETY: as above. The launch before it writes the lists, and this kernel waits for it.
    unsafe { launch(stream, module, (3, Start::Early), ranked, &Parameter::each(&of_lists)) }?;
    let last = CandidatesArguments {
        keys,
        candidates: of_groups,
        keys_out,
        positions_out,
        rows,
        count: u64::from(groups) * u64::from(k),
        stride,
        groups: 1,
        k,
        sorted: true,
        values_out,
        values,
    };
    // SAFETY: as above. This kernel waits for the launch before it, which waits for the first.
    unsafe { launch(stream, module, (1, Start::Early), candidates, &Parameter::each(&last)) }
}

/// Enqueues a top-k of rows that has a list for each row, and does not wait for it.
///
/// # Safety
///
/// - As for [`run`].
/// - The scratch is [`ListedScratch::words`] words.
pub unsafe fn run_listed(
    stream: &CudaStream,
    module: &Module,
    how: (TopKRows, bool),
    listed: (ListedLaunches, ListedScratch),
    arrays: &TopKArrays,
) -> Result<(), Error> {
    // SAFETY: the caller vouches for all of it.
    unsafe {
        append_to_lists(stream, module, how.0, listed, arrays)?;
        find_in_lists(stream, module, how, listed, arrays)
    }
}

/// Enqueues that the survivors of each row are appended to its list.
///
/// # Safety
///
/// As for [`run_listed`].
unsafe fn append_to_lists(
    stream: &CudaStream,
    module: &Module,
    TopKRows { rows, columns, .. }: TopKRows,
    (launches, scratch): (ListedLaunches, ListedScratch),
    &TopKArrays { keys, stride, shared, .. }: &TopKArrays,
) -> Result<(), Error> {
    let ListedLaunches { sample, room, chunks, samples, filtered, .. } = launches;
    let stride = stride as u64;
    let at = |word: u64| shared + word * size_of::<u32>() as u64;
    let (counts, sample_positions) = (at(scratch.counts), at(scratch.sample_positions));
    let of_samples = SamplesArguments {
        keys,
        sample_bits: shared,
        sample_positions,
        counts,
        rows,
        columns,
        stride,
        blocks: sample.blocks,
        kept: sample.kept,
    };
    let of_chunks = FilteredArguments {
        keys,
        sample_bits: shared,
        sample_positions,
        bits: at(scratch.bits),
        survivors: at(scratch.positions),
        counts,
        rows,
        columns,
        stride,
        chunks,
        samples: sample.items(),
        rank: sample.rank,
        room,
    };
    // SAFETY: the header is made of the same tables of arguments, and the caller vouches for what they point to. The first launch is in order, and
    // the second one waits for it.
    unsafe {
        launch(stream, module, (4, Start::InOrder), samples, &Parameter::each(&of_samples))?;
        launch(stream, module, (5, Start::Early), filtered, &Parameter::each(&of_chunks))
    }
}

/// Enqueues that the first keys of each row are found in its list, or by a search of its columns.
///
/// # Safety
///
/// As for [`run_listed`], behind [`append_to_lists`].
unsafe fn find_in_lists(
    stream: &CudaStream,
    module: &Module,
    (TopKRows { rows, columns, k }, sorted): (TopKRows, bool),
    (launches, scratch): (ListedLaunches, ListedScratch),
    &TopKArrays { keys, stride, values, found, shared }: &TopKArrays,
) -> Result<(), Error> {
    let ListedLaunches { room, groups, listed, candidates, .. } = launches;
    let Found { keys: keys_out, positions: positions_out, values: values_out } = found;
    let stride = stride as u64;
    let at = |word: u64| shared + word * size_of::<u32>() as u64;
    let of_groups = at(scratch.of_groups);
    let of_lists = ListedArguments {
        keys,
        bits: at(scratch.bits),
        survivors: at(scratch.positions),
        counts: at(scratch.counts),
        keys_out,
        positions_out,
        of_groups,
        rows,
        columns,
        stride,
        room,
        groups,
        k,
        sorted,
        values_out,
        values,
    };
    let last = CandidatesArguments {
        keys,
        candidates: of_groups,
        keys_out,
        positions_out,
        rows,
        count: u64::from(groups) * u64::from(k),
        stride,
        groups: 1,
        k,
        sorted,
        values_out,
        values,
    };
    // SAFETY: the header is made of the same tables of arguments, and the caller vouches for what they point to. Each kernel waits for the launch
    // before it, which waits for those before.
    unsafe {
        launch(stream, module, (6, Start::Early), listed, &Parameter::each(&of_lists))?;
        launch(stream, module, (1, Start::Early), candidates, &Parameter::each(&last))
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
