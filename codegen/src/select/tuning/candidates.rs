//! Which shapes a search tries.

use super::Case;
use crate::device::{Device, DeviceAlgorithm, DeviceSpec, Shape};

/// Of digits: whole warps, from the fewest that are legal on.
const RADIX_THREADS: [u32; 6] = [256, 320, 384, 512, 640, 768];
const RADIX_ITEMS: [u32; 15] = [4, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 22, 24, 28, 32];

/// Of samples: powers of two.
const SAMPLE_THREADS: [u32; 3] = [256, 512, 1024];
const SAMPLE_ITEMS: [u32; 6] = [1, 2, 4, 6, 8, 12];

/// Tiles of digits are no smaller than the built-in one by more: each tile takes counters in the workspace.
const MOST_TILES: u32 = 4;

/// As [`Case::candidates`] says.
pub(super) fn of(case: &Case, device: Device) -> Vec<DeviceSpec> {
    let built_in = case.built_in(device);
    let radix = grid(DeviceAlgorithm::Radix, &RADIX_THREADS, &RADIX_ITEMS);
    let sample = grid(DeviceAlgorithm::Sample, &SAMPLE_THREADS, &SAMPLE_ITEMS);
    let specs = radix.chain(sample).filter_map(|shape| case.spec(shape).ok());
    let is_tried = |spec: &DeviceSpec| {
        *spec != built_in
            && spec.shared_bytes() <= device.shared_bytes_per_block
            && (spec.algorithm == DeviceAlgorithm::Sample
                || spec.tile_items() * MOST_TILES >= least_tile(case, device))
    };
    let mut specs: Vec<DeviceSpec> = specs.filter(is_tried).collect();
    specs.sort_by(|a, b| {
        distance(a.shape(), built_in.shape()).total_cmp(&distance(b.shape(), built_in.shape()))
    });
    specs.insert(0, built_in);
    specs
}

/// The tile that the built-in rows have for sorts by digits.
fn least_tile(case: &Case, device: Device) -> u32 {
    let most = super::SizeClass::ALL[super::SizeClass::ALL.len() - 1].most();
    let of_most = Case::of(case.key, case.value, most).unwrap_or(*case);
    of_most.built_in(device).tile_items()
}

fn grid(
    algorithm: DeviceAlgorithm,
    threads: &'static [u32],
    items: &'static [u32],
) -> impl Iterator<Item = Shape> {
    threads.iter().flat_map(move |threads| {
        items.iter().map(move |items| Shape { algorithm, threads: *threads, items: *items })
    })
}

/// How far a shape is from another: by factors of threads and of items, and another algorithm is far.
fn distance(one: Shape, other: Shape) -> f64 {
    let factor = |a: u32, b: u32| (f64::from(a) / f64::from(b)).ln().abs();
    let of_tiles = factor(one.threads, other.threads) + factor(one.items, other.items);
    of_tiles + if one.algorithm == other.algorithm { 0.0 } else { 1.0 }
}
