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

/// As many bytes as let two blocks share a multiprocessor of 227 KB.
///
/// H200, 2026-11-21, one pass over 2²⁸ items in a probe: u32 keys 384×32 298 Gkeys/s, 512×24 289, 256×32 287, 384×24 270; pairs of
/// 4 bytes 384×24 186, 256×32 186, 256×24 178, 512×16 177. Complete sorts of 2²⁸: u64 keys 384×24 20.2 Gkeys/s, 384×18 18.7, 384×14
/// 17.2; u64 keys with 4-byte values 384×18 12.5, 384×12 11.2.
pub(super) const ROWS: [BuiltInRow; 6] = [
    row(4, 384, 32, Some(Provenance::h200("u32_keys", 1 << 28, 1.91))),
    row(8, 384, 24, Some(Provenance::h200("f32_u32", 1 << 28, 1.27))),
    row(12, 384, 18, Some(Provenance::h200("u64_u32", 1 << 28, 1.49))),
    row(16, 384, 14, None),
    row(24, 384, 9, None),
    row(32, 384, 7, None),
];

/// Full warps, from the fewest that are legal on. Each tile takes counters in the workspace, so none is much smaller than the
/// built-in one.
pub(super) const GRID: Grid = Grid {
    threads: &[256, 320, 384, 512, 640, 768],
    items: &[4, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 22, 24, 28, 32],
    most_tiles: Some(4),
};
