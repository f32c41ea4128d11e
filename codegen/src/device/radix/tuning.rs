//! Shapes of radix sorts: those that were measured to be the fastest, and those that a search tries.

use crate::contract::device::algorithm::DeviceAlgorithm;
use crate::contract::device::shape::{BuiltInRow, Grid, Provenance, Shape};

const fn row(
    most_bytes: u32,
    threads: u32,
    items: u32,
    measured: Option<Provenance>,
) -> BuiltInRow {
    let shape = Shape { algorithm: DeviceAlgorithm::Radix, threads, items };
    let (least_items, most_items) = (0, BuiltInRow::ANY_ITEMS);
    let (bytes, least_key_bits) = ([1, most_bytes], 1);
    BuiltInRow { shape, least_items, most_items, bytes, least_key_bits, measured }
}

/// As many bytes as let two blocks share a multiprocessor of 227 KB: other shapes are 0.85 to 1.00 times as fast (H200,
/// 2026-11-21).
pub(super) const ROWS: [BuiltInRow; 7] = [
    row(4, 384, 32, Some(Provenance::h200("u32_keys", 1 << 28, 1.91))),
    row(8, 384, 24, Some(Provenance::h200("f32_u32", 1 << 28, 1.27))),
    row(12, 384, 18, Some(Provenance::h200("u64_u32", 1 << 28, 1.49))),
    row(16, 384, 14, None),
    row(24, 384, 9, None),
    row(32, 384, 7, None),
    row(48, 384, 4, None),
];

/// Full warps, from the fewest that are legal on. Each tile takes counters in the workspace, so none is much smaller than the
/// built-in one.
pub(super) const GRID: Grid = Grid {
    threads: &[256, 320, 384, 512, 640, 768],
    items: &[4, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 22, 24, 28, 32],
    most_tiles: Some(4),
};
