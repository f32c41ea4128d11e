//! Which shapes a search tries.

use super::{Case, SizeClass};
use crate::device::{Device, DeviceAlgorithm, DeviceSpec, Shape};

/// As [`Case::candidates`] says.
pub(super) fn of(case: &Case, device: Device) -> Vec<DeviceSpec> {
    let built_in = case.built_in(device);
    let is_tried = |spec: &DeviceSpec| {
        *spec != built_in && spec.shared_bytes() <= device.shared_bytes_per_block
    };
    let mut specs: Vec<DeviceSpec> = DeviceAlgorithm::ALL
        .into_iter()
        .flat_map(|algorithm| of_algorithm(algorithm, case, device))
        .filter(is_tried)
        .collect();
    specs.sort_by(|a, b| {
        distance(a.shape(), built_in.shape()).total_cmp(&distance(b.shape(), built_in.shape()))
    });
    specs.insert(0, built_in);
    specs
}

/// The legal specs of an algorithm's grid.
fn of_algorithm(algorithm: DeviceAlgorithm, case: &Case, device: Device) -> Vec<DeviceSpec> {
    let Some(grid) = algorithm.grid() else { return Vec::new() };
    let least = grid.most_tiles.map_or(0, |most| tile_for_most_items(case, device).div_ceil(most));
    let shapes = grid.threads.iter().flat_map(|threads| {
        grid.items.iter().map(|items| Shape { algorithm, threads: *threads, items: *items })
    });
    let specs = shapes.filter_map(|shape| case.spec(shape).ok());
    specs.filter(|spec| spec.tile_items() >= least).collect()
}

/// The tile that the built-in rows have for as many items as there may be.
fn tile_for_most_items(case: &Case, device: Device) -> u32 {
    let most = SizeClass::ALL[SizeClass::ALL.len() - 1].most();
    let of_most = Case::of(case.key, case.value, most).unwrap_or(*case);
    of_most.built_in(device).tile_items()
}

/// How far a shape is from another: by factors of threads and of items, and another algorithm is far.
fn distance(one: Shape, other: Shape) -> f64 {
    let factor = |a: u32, b: u32| (f64::from(a) / f64::from(b)).ln().abs();
    let of_tiles = factor(one.threads, other.threads) + factor(one.items, other.items);
    of_tiles + if one.algorithm == other.algorithm { 0.0 } else { 1.0 }
}
