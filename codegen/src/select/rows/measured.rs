//! How fast sorts of rows were: the tile kernels of logical warps, shape by shape, and device-wide sorts of rows. `benches/kit/tests/built_in_rows.rs` compares them with the record.

use std::fmt;

use crate::types::{KeyClass, KeyType};

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

/// Billions of random keys a second of device-wide sorts of rows, by the most bytes of a key and its value.
pub const LONG_ROWS: [(u32, f64); 4] = [(4, 58.0), (8, 46.0), (12, 30.0), (16, 20.0)];

/// The figure for items of that many bytes.
pub(super) fn of_long_rows(bytes: u32) -> f64 {
    LONG_ROWS.iter().find(|(most, _)| *most >= bytes).map_or(10.0, |(_, gkeys)| *gkeys)
}
