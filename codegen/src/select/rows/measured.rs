//! How fast sorts of rows were: the tile kernels of logical warps, shape by shape, and device-wide sorts of rows. `benches/kit/tests/built_in_rows.rs` compares them with the record.

use std::fmt;

use crate::types::{KeyClass, KeyType, ValueType};

/// Figures of one GPU: where they come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WarpRecord {
    /// The GPU.
    pub gpu: &'static str,
    /// The day of the record.
    pub date: &'static str,
    /// One for each type and shape.
    pub figures: &'static [WarpFigure],
}

/// Billions of random keys a second, sorted ascending and not stably, in full tiles of logical warps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WarpFigure {
    /// The type of the keys, without values.
    pub key: KeyType,
    /// Lanes of a logical warp.
    pub lanes: u32,
    /// Items of a lane.
    pub items: u32,
    /// The figure.
    pub gkeys: f64,
}

/// As the table has it.
impl fmt::Display for WarpFigure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, lanes, items, gkeys } = self;
        write!(f, "{key:?} {lanes} x {items:>2}: {gkeys:?};")
    }
}

macro_rules! figures {
    ($($key:ident $lanes:literal x $items:literal: $gkeys:literal;)*) => {
        &[$(WarpFigure { key: KeyType::$key, lanes: $lanes, items: $items, gkeys: $gkeys }),*]
    };
}

/// The record of each GPU.
pub const WARP_RECORDS: &[WarpRecord] =
    &[WarpRecord { gpu: "NVIDIA H200", date: "2026-11-23", figures: H200 }];

const H200: &[WarpFigure] = figures! {
    U32 4 x  4: 521.93;
    U32 4 x  8: 521.35;
    U32 4 x 16: 499.3;
    U32 4 x 32: 446.77;
    U32 8 x  4: 472.49;
    U32 8 x  8: 371.8;
    U32 8 x 16: 387.3;
    U32 8 x 32: 374.56;
    F32 4 x  4: 491.98;
    F32 4 x  8: 489.88;
    F32 4 x 16: 460.42;
    F32 4 x 32: 406.23;
    F32 8 x  4: 433.45;
    F32 8 x  8: 352.31;
    F32 8 x 16: 365.93;
    F32 8 x 32: 338.78;
};

/// Lanes and items of tiles between those that were measured. Their network has as many steps across lanes as that of the next larger
/// tile, so its figure is taken for theirs.
const BETWEEN: [(u32, u32); 4] = [(4, 12), (4, 24), (8, 12), (8, 24)];

/// The figures for keys of this type: of floats for floats, of integers for others.
pub(super) fn warps_of(key: KeyType) -> impl Iterator<Item = WarpFigure> {
    let is_float = |key: KeyType| key.info().class == KeyClass::Float;
    let figures = WARP_RECORDS.first().map_or(&[][..], |record| record.figures);
    let of_key =
        move || figures.iter().copied().filter(move |it| is_float(it.key) == is_float(key));
    let between = BETWEEN.into_iter().filter_map(move |(lanes, items)| {
        let larger = of_key().filter(|it| it.lanes == lanes && it.items > items);
        larger.min_by_key(|it| it.items).map(|it| WarpFigure { items, ..it })
    });
    of_key().chain(between)
}

/// Billions of random keys a second of device-wide sorts of rows, by the most bytes of a key and its value. H200, 2026-11-24, 512 rows of
/// 128,256: `f16` 67.2, `f32` 60.8, `u64` 49.9, `f32,u32` 48.6, `u64,u32` 35.2, `u64,u64` 25.0, `u128` 22.2.
pub const LONG_ROWS: [(u32, f64); 5] = [(2, 67.2), (4, 60.8), (8, 48.6), (12, 35.2), (16, 22.2)];

/// The figure for items of that many bytes; of more bytes than were measured a guess.
pub(super) fn of_long_rows(bytes: u32) -> f64 {
    LONG_ROWS.iter().find(|(most, _)| *most >= bytes).map_or(10.0, |(_, gkeys)| *gkeys)
}

/// What blocks of 1024 threads were to those of 512, with 16 items a thread: a multiprocessor has room for one of them. H200, 2026-11-24,
/// full rows: `f32` by merges 45.3 and 61.2, `f32,u32` by networks 63.2 and 84.6, `u64` by merges 44.5 and 59.8.
pub(super) const OF_ONE_BLOCK: f64 = 0.74;

/// Billions of random keys a second in full rows, by the keys' and values' types: what blocks of 512 threads and 16 items did where that is
/// far from the figure of tiles. H200, 2026-11-24.
const ROWS_OF_BLOCKS: [(KeyType, ValueType, f64); 2] =
    [(KeyType::F32, ValueType::None, 61.2), (KeyType::U64, ValueType::U32, 29.9)];

/// The figure of a block's sort in rows, by its figure in tiles.
pub(super) fn of_block(
    key: KeyType,
    value: ValueType,
    [threads, items]: [u32; 2],
    tiles: f64,
) -> f64 {
    if items < 16 || threads < 512 {
        return tiles;
    }
    let own = ROWS_OF_BLOCKS
        .iter()
        .find(|(its_key, its_value, _)| (*its_key, *its_value) == (key, value));
    let of_512 = own.map_or(tiles, |(_, _, gkeys)| *gkeys);
    if threads > 512 { OF_ONE_BLOCK * of_512 } else { of_512 }
}
