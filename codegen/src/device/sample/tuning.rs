//! Shapes of sample sorts: those that were measured to be the fastest, and those that a search tries.

use crate::contract::device::algorithm::DeviceAlgorithm;
use crate::contract::device::shape::{BuiltInRow, Grid, Provenance, RowSpeed, Shape, ShortRows};
use crate::contract::device::spec::DeviceSpec;

const fn row(
    most_items: u64,
    items: u32,
    bytes: [u32; 2],
    least_key_bits: u32,
    measured: Option<Provenance>,
) -> BuiltInRow {
    let shape = Shape { algorithm: DeviceAlgorithm::Sample { rows: false }, threads: 512, items };
    BuiltInRow { shape, least_items: 0, most_items, bytes, least_key_bits, measured }
}

/// The most items that are sorted by samples, of each shape.
pub const SMALL_N: [u64; 5] = [1 << 17, 1 << 18, 1 << 19, 1 << 20, 3 << 19];

/// The most columns of rows that are sorted by samples, and in which shape: [`row_bucket_items`](super::counts::row_bucket_items) has the
/// figures.
pub(crate) const MAX_COLUMNS: u64 = 1 << 20;
pub(super) const ROW_SHAPES: [Shape; 1] =
    [Shape { algorithm: DeviceAlgorithm::Sample { rows: true }, threads: 512, items: 8 }];

/// Billions of random keys a second of long rows, by the most bytes of a key and its value: of types that have as many, the slowest
/// (H200, 2026-11-24, 512 rows of 128,256).
const LONG_ROWS: [(u32, f64); 5] = [(2, 67.2), (4, 60.8), (8, 48.6), (12, 35.2), (16, 22.2)];

/// The figure for items of the spec's bytes, of more bytes than were measured a guess; less in proportion below two of its tiles.
pub(super) fn row_speed(spec: &DeviceSpec) -> RowSpeed {
    let bytes = spec.key.bytes() + spec.value.bytes();
    let measured = LONG_ROWS.iter().find(|(most, _)| *most >= bytes);
    RowSpeed {
        full: measured.map_or(10.0, |(_, gkeys)| *gkeys),
        of_short_rows: ShortRows::InProportionBelow(2 * spec.tile_items()),
    }
}

/// With fewer items there are more tiles, and their buckets take more of the workspace: 2 items a thread are 1.1 times as fast as 8 for 2¹⁶ keys,
/// and 0.7 times for 2¹⁹ (H200, 2026-11-21). Short keys have fewer tiles: else their workspace would be more than a
/// twentieth of their arrays; most buckets of more keys of 16 bits are of equal ones, and these are sorted by digits. Keys of
/// 8 bits alone are counted, which takes as long, with nothing beside the array but counters.
///
/// More than 2²⁰ items have twice as many buckets. Of fewer than 8 bytes, their offsets would be more than a twentieth of the arrays;
/// of more, 1,000 distinct keys are sorted 0.66 times as fast as by digits. Of 8 bytes they are at least 1.05 times as fast on average, and no class is
/// slower than CUB's; at 2²¹ two are, 0.93 times (H200, 2026-11-28).
pub(super) const ROWS: [BuiltInRow; 7] = [
    row(SMALL_N[0], 2, [1, 32], 17, Some(Provenance::h200("u32_keys", 1 << 16, 3.35))),
    row(SMALL_N[1], 4, [1, 32], 17, Some(Provenance::h200("u32_keys", 1 << 18, 2.89))),
    row(SMALL_N[3], 8, [1, 16], 17, Some(Provenance::h200("u32_keys", 1 << 20, 2.15))),
    row(SMALL_N[4], 8, [8, 8], 17, None),
    row(SMALL_N[0], 4, [2, 32], 1, Some(Provenance::h200("u16_keys", 1 << 16, 2.49))),
    row(SMALL_N[1], 8, [2, 16], 1, Some(Provenance::h200("u16_keys", 1 << 18, 1.74))),
    row(SMALL_N[1], 4, [17, 32], 1, None),
];

/// Powers of two.
pub(super) const GRID: Grid =
    Grid { threads: &[256, 512, 1024], items: &[1, 2, 4, 6, 8, 12], most_tiles: None };
