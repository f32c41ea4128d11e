//! Sorts of host slices that a device has no memory for: in runs, by the same device.

use std::ops::ControlFlow;

use super::task::task;
use crate::error::Error;
use crate::gpu::stream_sorter::StreamSorter;
use crate::host::merge::Piece;
use crate::key::SortKey;
use crate::memory::copy_of;
use crate::options::SortOptions;
use crate::runs::{Callback, InRuns, PieceSort, RunMerge, options_of_runs};
use crate::settings::Settings;
use crate::value::SortValue;

/// Runs that are sorted at the same time: one is copied in, one is sorted, and one is copied out.
const RUNS: usize = 3;

/// The device memory that a run takes, in tenths of its bytes: its copy, as much scratch, and a margin.
const TENTHS: usize = 22;

/// The fewest bytes of a run: where these have no room, something else has the device's memory.
const RUN_BYTES_MIN: usize = 16 << 20;

/// Sorts slices in runs, if `error` says that the device has no memory for all of them. Otherwise the error is returned, and the slices are
/// unchanged.
pub(super) fn sort_in_runs<K: SortKey, V: SortValue>(
    error: Error,
    sorter: &StreamSorter,
    piece: &mut Piece<'_, K, V>,
    options: &SortOptions,
) -> Result<(), Error> {
    if !matches!(error, Error::OutOfDeviceMemory { .. }) {
        return Err(error);
    }
    let run_bytes = sorter.free_bytes()? / RUNS / TENTHS * 10;
    let bytes = size_of_val(piece.keys) + size_of_val(piece.values);
    if run_bytes < RUN_BYTES_MIN || run_bytes >= bytes {
        return Err(error);
    }
    Settings::from_env().say(|| format!("sorting in runs of {run_bytes} bytes: {error}"));
    let options = options_of_runs(*options);
    piece.gather();
    let others = (1..RUNS).map(|_| sorter.beside()).collect::<Result<Vec<_>, _>>()?;
    let sorts = std::iter::once(sorter).chain(&others).map(|sorter| {
        let sort = move |piece: &mut Piece<'_, K, V>| {
            let task = task::<K>(V::CARRIED, piece.keys.len(), &options, true)?;
            sorter.checked_copies(|sorter| sorter.sort_copies(&task, piece))
        };
        Box::new(sort) as PieceSort<'_, K, V>
    });
    let sorts = sorts.collect();
    let run = run_bytes / (size_of::<K>() + size_of::<V>());
    let progress: &mut Callback<'_> = &mut (Box::new(|_| ControlFlow::Continue(())) as _);
    let merge = RunMerge::Sorters;
    InRuns { sorts, run, room: usize::MAX, merge, options, progress }.sort(piece.keys, piece.values)
}

/// As [`sort_in_runs`], the positions that keys would be sorted from.
pub(super) fn argsort_in_runs<K: SortKey>(
    error: Error,
    sorter: &StreamSorter,
    keys: &[K],
    positions: &mut [u32],
    options: &SortOptions,
) -> Result<(), Error> {
    if !matches!(error, Error::OutOfDeviceMemory { .. }) {
        return Err(error);
    }
    let mut keys = copy_of(keys)?;
    positions.iter_mut().zip(0..).for_each(|(to, position)| *to = position);
    let piece = &mut Piece::of(&mut keys, positions);
    sort_in_runs(error, sorter, piece, options)
}
