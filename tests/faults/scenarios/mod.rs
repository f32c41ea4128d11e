//! The sorts that faults are injected into.

mod device;
mod host;
mod measured;
mod reserved;
mod runs;
mod sorters;

use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaStream};

use crate::inject::{self, Counts};
use device::{
    Binned, Device, InPlace, InPlaceCounted, InPlaceGathered, InPlaceLongRows, InPlaceOdd,
    InPlacePartition, InPlaceRadix, InPlaceRows, InPlaceSegments, InPlaceTiles, Into,
    LongRowsWithPositions, Positions, PositionsOfRows, PositionsOfSegments, RowsWithPositions,
    TopK, TopKOfRows, TopKPairs, WithPositions, WithPositionsDescending,
};
use host::{
    Argsort, Deferred, Gathered, HalfPinned, Host, Keys, Pairs, Staged, StagedArgsort, Tiles,
};
use measured::{FewPairs, FewPositions, Measured};
use reserved::{
    BinnedInto, Capture, FirstReserve, HostPairs, HostPositions, InPlaceCountedRows,
    PositionsOfCountedInto, PositionsOfCountedRowsInto, PositionsOfLongRowsInto,
    PositionsOfSegmentsInto, Reserve, TopKInto, WidePositions,
};
use runs::InRuns;
use sorters::{Cached, DefaultSorter, Drops, Embedded, Growing, NewSorter, Tuned, TwoThreads};

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
    let usual = usual.chain(of_captures()).chain(of_reserves());
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
        ("device_with_positions", inject::run::<Device<WithPositions, false>>),
        ("device_with_positions_by_options", inject::run::<Device<WithPositionsDescending, false>>),
        ("device_rows_with_positions", inject::run::<Device<RowsWithPositions, false>>),
        (
            "device_rows_with_positions_by_options",
            inject::run::<Device<LongRowsWithPositions, false>>,
        ),
    ]
}

/// Other calls, and sorts in a capture.
fn of_sorters() -> Vec<(&'static str, Run)> {
    vec![
        ("growing", inject::run::<Growing>),
        ("runs_merged_by_host", inject::run::<InRuns<false>>),
        ("runs_merged_by_sorter", inject::run::<InRuns<true>>),
        ("cached", inject::run::<Cached>),
        ("embedded", inject::run::<Embedded>),
        ("new_sorter", inject::run::<NewSorter>),
        ("default_sorter", inject::run::<DefaultSorter>),
        ("two_threads", inject::run::<TwoThreads>),
        ("drop", inject::run::<Drops<false>>),
        ("deferred_drop", inject::run::<Drops<true>>),
    ]
}

/// Calls in a capture: with what they need reserved, or with nothing.
fn of_captures() -> Vec<(&'static str, Run)> {
    vec![
        ("capture", inject::run::<Capture<InPlaceGathered, false>>),
        ("capture_with_events", inject::run::<Capture<InPlaceGathered, true>>),
        ("capture_partition", inject::run::<Capture<InPlacePartition, false>>),
        ("capture_rows", inject::run::<Capture<InPlaceRows, false>>),
        ("capture_argsort_rows", inject::run::<Capture<PositionsOfLongRowsInto, false>>),
        ("capture_segments", inject::run::<Capture<InPlaceSegments, false>>),
        ("capture_segments_with_events", inject::run::<Capture<InPlaceSegments, true>>),
        ("capture_counted", inject::run::<Capture<InPlaceCounted, false>>),
        ("capture_top_k", inject::run::<Capture<TopKInto, false>>),
        ("capture_top_k_pairs", inject::run::<Capture<TopKPairs, false>>),
        ("capture_binned", inject::run::<Capture<BinnedInto, false>>),
        ("capture_binned_with_events", inject::run::<Capture<BinnedInto, true>>),
    ]
}

/// What calls need, reserved.
fn of_reserves() -> Vec<(&'static str, Run)> {
    vec![
        ("reserve", inject::run::<FirstReserve<InPlaceGathered>>),
        ("reserve_argsort", inject::run::<FirstReserve<WidePositions>>),
        ("reserve_host_slices", inject::run::<FirstReserve<HostPairs>>),
        ("reserve_argsort_host_slices", inject::run::<FirstReserve<HostPositions>>),
        ("reserve_partition", inject::run::<Reserve<InPlacePartition, false>>),
        ("reserve_rows", inject::run::<Reserve<InPlaceRows, false>>),
        ("reserve_argsort_rows", inject::run::<Reserve<PositionsOfLongRowsInto, true>>),
        ("reserve_segments", inject::run::<Reserve<InPlaceSegments, false>>),
        ("reserve_argsort_segments", inject::run::<Reserve<PositionsOfSegmentsInto, false>>),
        ("reserve_counted", inject::run::<Reserve<InPlaceCounted, false>>),
        ("reserve_argsort_counted", inject::run::<Reserve<PositionsOfCountedInto, true>>),
        ("reserve_counted_rows", inject::run::<Reserve<InPlaceCountedRows, false>>),
        ("reserve_argsort_counted_rows", inject::run::<Reserve<PositionsOfCountedRowsInto, false>>),
        ("reserve_top_k", inject::run::<Reserve<TopKInto, true>>),
        ("reserve_top_k_pairs", inject::run::<Reserve<TopKPairs, true>>),
        ("reserve_argsort_binned", inject::run::<Reserve<BinnedInto, false>>),
    ]
}

pub fn keys(n: usize) -> Vec<u32> {
    (0..n as u32).map(|item| item.wrapping_mul(0x9e37_79b9)).collect()
}

pub fn values(n: usize) -> Vec<u64> {
    (0..n as u64).collect()
}

fn wide_values(n: usize) -> Vec<[u32; 3]> {
    (0..n as u32).map(|item| [item, !item, 5]).collect()
}

pub fn bytes_of<T: bytemuck::Pod>(items: &[T]) -> Vec<u8> {
    bytemuck::cast_slice(items).to_vec()
}

fn stream() -> Arc<CudaStream> {
    CudaContext::new(0).unwrap().new_stream().unwrap()
}
