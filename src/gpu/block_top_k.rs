//! Launches of generated top-ks of rows.

use std::sync::Arc;

use cudarc::driver::{CudaStream, LaunchConfig};
use sortsmith_codegen::top_k::{
    AnyTopK, RankedLaunches, RankedScratch, TopKKernel, TopKLaunch, TopKLaunches, TopKRows,
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
    /// Where the found keys go, k for each row.
    pub keys_out: u64,
    /// Where their positions go.
    pub positions_out: u64,
    /// Scratch for [`TopKLaunches::candidates`] positions, or for what [`RankedScratch`] says.
    pub shared: u64,
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
    let TopKArrays { keys, stride, keys_out, positions_out, shared } = *arrays;
    let (stride, no_keys, unsorted) = (stride as u64, 0u64, false);
    // Of several chunks a later launch makes the results.
    let is_last = candidates.is_none();
    let found = if is_last { [&keys_out, &positions_out] } else { [&no_keys, &shared] };
    let is_sorted_first = if is_last { is_sorted } else { unsorted };
    let mut parameters = vec![
        Parameter::of(&keys),
        Parameter::of(found[0]),
        Parameter::of(found[1]),
        Parameter::of(&rows),
        Parameter::of(&columns),
        Parameter::of(&stride),
    ];
    // A warp takes rows without chunks.
    if let AnyTopK::Block(_) = spec {
        parameters.push(Parameter::of(&chunks));
    }
    parameters.extend([Parameter::of(&k), Parameter::of(&is_sorted_first)]);
    // SAFETY: these are the kernel's parameters in their order, and the caller vouches for what they point to.
    unsafe { launch(stream, module, (0, Start::InOrder), first, &parameters) }?;
    let Some(last) = candidates else { return Ok(()) };
    let search =
        |launch_of, list: u64, lists: u32, groups: u32, out: [&u64; 2], is_sorted: bool| {
            let count = u64::from(lists) * u64::from(k);
            let parameters = [
                Parameter::of(&keys),
                Parameter::of(&list),
                Parameter::of(out[0]),
                Parameter::of(out[1]),
                Parameter::of(&rows),
                Parameter::of(&count),
                Parameter::of(&stride),
                Parameter::of(&groups),
                Parameter::of(&k),
                Parameter::of(&is_sorted),
            ];
            // SAFETY: as above. The launch before it writes the list, and this kernel waits for it; that one waits for those before, or is
            // in order.
            unsafe { launch(stream, module, (1, Start::Early), launch_of, &parameters) }
        };
    let found = [&keys_out, &positions_out];
    let Some(second) = of_groups else { return search(last, shared, chunks, 1, found, is_sorted) };
    let list_of_groups = shared + launches.start_of_groups(shape) * size_of::<u32>() as u64;
    search(second, shared, chunks, groups, [&no_keys, &list_of_groups], unsorted)?;
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
    let TopKArrays { keys, stride, keys_out, positions_out, shared } = *arrays;
    let (stride, last_groups, is_sorted) = (stride as u64, 1u32, true);
    let at = |word: u64| shared + word * size_of::<u32>() as u64;
    let [positions, counts, of_groups] =
        [scratch.positions, scratch.counts, scratch.of_groups].map(at);
    let lists = [Parameter::of(&shared), Parameter::of(&positions), Parameter::of(&counts)];
    let of_rows = [Parameter::of(&rows), Parameter::of(&columns), Parameter::of(&stride)];
    let mut parameters = vec![Parameter::of(&keys)];
    parameters.extend(lists);
    parameters.extend(of_rows);
    parameters.extend([Parameter::of(&chunks), Parameter::of(&k)]);
    // SAFETY: these are the kernel's parameters in their order, and the caller vouches for what they point to.
    unsafe { launch(stream, module, (2, Start::InOrder), survivors, &parameters) }?;
    let mut parameters = vec![Parameter::of(&keys)];
    parameters.extend(lists);
    parameters.extend([&keys_out, &positions_out, &of_groups].map(Parameter::of));
    parameters.extend(of_rows);
    parameters.extend([&chunks, &rankers, &groups, &k].map(Parameter::of));
    // SAFETY: as above. The launch before it writes the lists, and this kernel waits for it.
    unsafe { launch(stream, module, (3, Start::Early), ranked, &parameters) }?;
    let count = u64::from(groups) * u64::from(k);
    let parameters = [
        Parameter::of(&keys),
        Parameter::of(&of_groups),
        Parameter::of(&keys_out),
        Parameter::of(&positions_out),
        Parameter::of(&rows),
        Parameter::of(&count),
        Parameter::of(&stride),
        Parameter::of(&last_groups),
        Parameter::of(&k),
        Parameter::of(&is_sorted),
    ];
    // SAFETY: as above. This kernel waits for the launch before it, which waits for the first.
    unsafe { launch(stream, module, (1, Start::Early), candidates, &parameters) }
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
