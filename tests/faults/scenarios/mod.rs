//! The sorts that faults are injected into.

mod device;
mod host;
mod measured;
mod runs;
mod sorters;

use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaStream};

use crate::inject::{self, Counts};
use device::{
    Binned, Capture, Device, InPlace, InPlaceCounted, InPlaceGathered, InPlaceLongRows, InPlaceOdd,
    InPlacePartition, InPlaceRadix, InPlaceRows, InPlaceSegments, InPlaceTiles, Into, Positions,
    PositionsOfRows, PositionsOfSegments, TopK, TopKOfRows, TopKPairs,
};
use host::{
    Argsort, Deferred, Gathered, HalfPinned, Host, Keys, Pairs, Staged, StagedArgsort, Tiles,
};
use measured::{FewPairs, FewPositions, Measured};
use runs::InRuns;
use sorters::{
    Cached, DefaultSorter, Drops, Embedded, Growing, NewSorter, Reserve, Tuned, TwoThreads,
};

/// Sorted by one tile, and by a device-wide sort.
const FEW: usize = 600;
const MANY: usize = 20_000;

/// A run of a scenario with all faults.
type Run = fn() -> Counts;

/// A scenario by its name, its run, and variables that it runs with.
type Named = (&'static str, Run, &'static [(&'static str, &'static str)]);

/// All scenarios.
pub fn all() -> Vec<Named> {
    let with_variables: [Named; 5] = [
        // The default file, which is in the cache folder.
        ("tuned", inject::run::<Tuned>, &[("SORTSMITH_TUNING", "")]),
        ("measured", inject::run::<Measured<FewPairs>>, &[("SORTSMITH_TUNING", "")]),
        ("measured_argsort", inject::run::<Measured<FewPositions>>, &[("SORTSMITH_TUNING", "")]),
        (
            "first_host_pairs_without_pools",
            inject::run::<Host<Pairs, true>>,
            &[("SHIM_POOLS", "0")],
        ),
        ("growing_without_pools", inject::run::<Growing>, &[("SHIM_POOLS", "0")]),
    ];
    let usual = of_host_slices().into_iter().chain(of_device_slices()).chain(of_sorters());
    let usual = usual.map(|(name, run)| (name, run, &[][..]));
    usual.chain(with_variables).collect()
}

/// Sorts of slices of the host.
fn of_host_slices() -> Vec<(&'static str, Run)> {
    vec![
        ("host_keys", inject::run::<Host<Keys, false>>),
        ("host_pairs", inject::run::<Host<Pairs, false>>),
        ("host_gathered", inject::run::<Host<Gathered, false>>),
        ("host_argsort", inject::run::<Host<Argsort, false>>),
        ("host_tiles", inject::run::<Host<Tiles, false>>),
        ("host_staged", inject::run::<Host<Staged, false>>),
        ("host_staged_argsort", inject::run::<Host<StagedArgsort, false>>),
        ("host_half_pinned", inject::run::<Host<HalfPinned, false>>),
        ("first_host_staged", inject::run::<Host<Staged, true>>),
        ("deferred_host_staged", inject::run::<Deferred<Host<Staged, false>>>),
        ("deferred_host_staged_argsort", inject::run::<Deferred<Host<StagedArgsort, false>>>),
        ("deferred_host_half_pinned", inject::run::<Deferred<Host<HalfPinned, false>>>),
        ("deferred_host_pairs", inject::run::<Deferred<Host<Pairs, false>>>),
        ("deferred_host_gathered", inject::run::<Deferred<Host<Gathered, false>>>),
        ("deferred_host_argsort", inject::run::<Deferred<Host<Argsort, false>>>),
        ("deferred_host_tiles", inject::run::<Deferred<Host<Tiles, false>>>),
        ("first_host_pairs", inject::run::<Host<Pairs, true>>),
        ("first_host_gathered", inject::run::<Host<Gathered, true>>),
    ]
}

/// Sorts of slices of the device.
fn of_device_slices() -> Vec<(&'static str, Run)> {
    vec![
        ("device_pairs", inject::run::<Device<InPlace, false>>),
        ("device_into", inject::run::<Device<Into, false>>),
        ("device_argsort", inject::run::<Device<Positions, false>>),
        ("device_gathered", inject::run::<Device<InPlaceGathered, false>>),
        ("device_radix", inject::run::<Device<InPlaceRadix, false>>),
        ("device_partition", inject::run::<Device<InPlacePartition, false>>),
        ("first_device_partition", inject::run::<Device<InPlacePartition, true>>),
        ("device_odd", inject::run::<Device<InPlaceOdd, false>>),
        ("first_device_odd", inject::run::<Device<InPlaceOdd, true>>),
        ("device_rows", inject::run::<Device<InPlaceRows, false>>),
        ("first_device_rows", inject::run::<Device<InPlaceRows, true>>),
        ("device_top_k", inject::run::<Device<TopK, false>>),
        ("first_device_top_k", inject::run::<Device<TopK, true>>),
        ("device_top_k_pairs", inject::run::<Device<TopKPairs, false>>),
        ("device_counted", inject::run::<Device<InPlaceCounted, false>>),
        ("first_device_counted", inject::run::<Device<InPlaceCounted, true>>),
        ("device_binned", inject::run::<Device<Binned, false>>),
        ("first_device_binned", inject::run::<Device<Binned, true>>),
        ("device_segments", inject::run::<Device<InPlaceSegments, false>>),
        ("first_device_segments", inject::run::<Device<InPlaceSegments, true>>),
        ("device_tiles", inject::run::<Device<InPlaceTiles, false>>),
        ("first_device_pairs", inject::run::<Device<InPlace, true>>),
        ("first_device_radix", inject::run::<Device<InPlaceRadix, true>>),
        ("first_device_gathered", inject::run::<Device<InPlaceGathered, true>>),
        ("first_device_long_rows", inject::run::<Device<InPlaceLongRows, true>>),
        ("first_device_argsort_rows", inject::run::<Device<PositionsOfRows, true>>),
        ("first_device_argsort_segments", inject::run::<Device<PositionsOfSegments, true>>),
        ("first_device_top_k_rows", inject::run::<Device<TopKOfRows, true>>),
    ]
}

/// Other calls, and sorts in a capture.
fn of_sorters() -> Vec<(&'static str, Run)> {
    vec![
        ("growing", inject::run::<Growing>),
        ("runs_merged_by_host", inject::run::<InRuns<false>>),
        ("runs_merged_by_sorter", inject::run::<InRuns<true>>),
        ("reserve", inject::run::<Reserve>),
        ("cached", inject::run::<Cached>),
        ("embedded", inject::run::<Embedded>),
        ("capture", inject::run::<Capture<false>>),
        ("capture_with_events", inject::run::<Capture<true>>),
        ("new_sorter", inject::run::<NewSorter>),
        ("default_sorter", inject::run::<DefaultSorter>),
        ("two_threads", inject::run::<TwoThreads>),
        ("drop", inject::run::<Drops<false>>),
        ("deferred_drop", inject::run::<Drops<true>>),
    ]
}

fn keys(n: usize) -> Vec<u32> {
    (0..n as u32).map(|item| item.wrapping_mul(0x9e37_79b9)).collect()
}

fn values(n: usize) -> Vec<u64> {
    (0..n as u64).collect()
}

fn wide_values(n: usize) -> Vec<[u32; 3]> {
    (0..n as u32).map(|item| [item, !item, 5]).collect()
}

fn bytes_of<T: bytemuck::Pod>(items: &[T]) -> Vec<u8> {
    bytemuck::cast_slice(items).to_vec()
}

fn stream() -> Arc<CudaStream> {
    CudaContext::new(0).unwrap().new_stream().unwrap()
}
