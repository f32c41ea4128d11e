//! How fast sorts of rows were: of tiles, shape by shape, and device-wide. `benches/kit/tests/built_in_rows.rs` compares the tiles' figures with
//! the record.

use std::fmt;

use crate::types::{KeyType, ValueType};

/// How a tile that holds a row is sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowTile {
    /// By a logical warp's network.
    Warp,
    /// By a block's network.
    Network,
    /// By a block's merges.
    Merge,
}

/// The figures of one GPU and of one type of rows: where they come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowRecord {
    /// The GPU.
    pub gpu: &'static str,
    /// The day of the record.
    pub date: &'static str,
    /// The type of the keys.
    pub key: KeyType,
    /// The type of the values.
    pub value: ValueType,
    /// One for each shape.
    pub figures: &'static [RowFigure],
}

/// Billions of random keys a second, sorted ascending in rows of as many items as a tile has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowFigure {
    /// How the tile is sorted.
    pub tile: RowTile,
    /// Lanes of a logical warp, or threads of a block.
    pub threads: u32,
    /// Items of a lane or thread.
    pub items: u32,
    /// The figure.
    pub gkeys: f64,
}

/// As the table has it.
impl fmt::Display for RowFigure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tile, threads, items, gkeys } = self;
        let tile = format!("{tile:?}");
        write!(f, "{tile:<7} {threads:>4} x {items:>2}: {gkeys:?};")
    }
}

macro_rules! figures {
    ($($tile:ident $threads:literal x $items:literal: $gkeys:literal;)*) => {
        &[$(RowFigure { tile: RowTile::$tile, threads: $threads, items: $items, gkeys: $gkeys }),*]
    };
}

const fn record(key: KeyType, value: ValueType, figures: &'static [RowFigure]) -> RowRecord {
    RowRecord { gpu: "NVIDIA H200", date: "2026-11-25", key, value, figures }
}

/// The shapes of tiles that rows are sorted in, each of which is at least 8% faster than the others for some number of columns, or keeps
/// the time of a row from growing by more than a half with one column more.
pub const ROW_RECORDS: [RowRecord; 4] = [
    record(KeyType::U32, ValueType::None, ONE_REGISTER),
    record(KeyType::F32, ValueType::None, TWO_REGISTERS),
    record(KeyType::F32, ValueType::U32, TWO_REGISTERS_AND_A_VALUE),
    record(KeyType::U64, ValueType::U32, THREE_REGISTERS_AND_A_VALUE),
];

const ONE_REGISTER: &[RowFigure] = figures! {
    Warp       4 x  4: 518.2;
    Warp       4 x  5: 469.8;
    Warp       4 x  6: 477.4;
    Warp       4 x  8: 503.9;
    Warp       4 x  9: 413.9;
    Warp       4 x 12: 487.7;
    Warp       4 x 16: 476.6;
    Warp       4 x 18: 351.0;
    Warp       4 x 24: 437.4;
    Warp       4 x 32: 416.8;
    Warp       8 x 20: 369.5;
    Warp       8 x 24: 361.1;
    Warp       8 x 28: 347.2;
    Warp       8 x 32: 351.5;
    Merge     32 x 10: 284.3;
    Merge     32 x 12: 289.1;
    Network   32 x 16: 301.3;
    Network   32 x 20: 260.9;
    Merge     64 x 12: 223.5;
    Network   64 x 16: 242.1;
    Merge     64 x 18: 205.6;
    Network  128 x 12: 181.8;
    Merge    128 x 16: 187.2;
    Merge    128 x 18: 169.4;
    Merge    192 x 16: 163.1;
    Network  256 x 16: 167.7;
    Merge    384 x 16: 136.3;
    Network  512 x 16: 138.8;
    Merge    512 x 16: 123.0;
    Merge    544 x 16: 98.68;
    Network 1024 x 16: 101.2;
};

const TWO_REGISTERS: &[RowFigure] = figures! {
    Warp       4 x  4: 304.8;
    Warp       4 x  5: 240.9;
    Warp       4 x  6: 261.2;
    Warp       4 x  8: 246.5;
    Warp       4 x  9: 205.9;
    Warp       4 x 12: 212.0;
    Warp       4 x 14: 197.4;
    Warp       4 x 16: 204.2;
    Warp       4 x 18: 179.9;
    Warp       4 x 20: 178.4;
    Warp       4 x 24: 174.4;
    Warp       4 x 28: 161.4;
    Warp       8 x 16: 162.9;
    Warp       8 x 18: 141.4;
    Warp       8 x 20: 141.4;
    Merge     32 x  6: 133.3;
    Network   32 x  8: 134.7;
    Merge     32 x 10: 113.3;
    Network   32 x 12: 114.7;
    Network   32 x 16: 113.0;
    Merge     64 x 10: 96.31;
    Merge     64 x 12: 98.42;
    Merge     64 x 16: 97.12;
    Merge    160 x  8: 83.68;
    Merge    128 x 12: 82.0;
    Merge    128 x 16: 83.85;
    Merge    256 x 16: 76.66;
    Merge    384 x 16: 70.5;
    Merge    512 x 16: 61.18;
    Merge    544 x 16: 57.0;
    Merge   1024 x 16: 45.63;
};

const TWO_REGISTERS_AND_A_VALUE: &[RowFigure] = figures! {
    Warp       4 x  4: 239.8;
    Warp       4 x  5: 202.2;
    Warp       4 x  6: 206.3;
    Warp       8 x  4: 211.7;
    Warp       4 x  9: 179.1;
    Warp       4 x 12: 182.7;
    Warp       4 x 16: 175.6;
    Warp       4 x 20: 157.6;
    Network   32 x  4: 180.5;
    Network   32 x  6: 187.7;
    Network   32 x  8: 197.8;
    Network   32 x 10: 183.4;
    Network   32 x 12: 189.3;
    Network   32 x 14: 175.2;
    Network   32 x 16: 183.9;
    Network   32 x 20: 151.1;
    Network   64 x 12: 149.0;
    Network   64 x 16: 151.3;
    Network   64 x 18: 117.8;
    Network   64 x 20: 114.4;
    Network  128 x 12: 125.6;
    Network  128 x 16: 131.7;
    Network  128 x 18: 99.23;
    Network  160 x 16: 97.99;
    Network  192 x 16: 107.0;
    Network  256 x 16: 108.7;
    Network  320 x 16: 86.65;
    Network  384 x 16: 85.66;
    Network  512 x 16: 86.92;
    Network  544 x 16: 64.17;
    Network  640 x 16: 61.82;
    Network 1024 x 16: 63.82;
};

const THREE_REGISTERS_AND_A_VALUE: &[RowFigure] = figures! {
    Warp       4 x  4: 144.1;
    Warp       4 x  5: 146.9;
    Warp       4 x  6: 145.9;
    Warp       4 x  8: 142.5;
    Warp       4 x  9: 126.7;
    Warp       8 x  6: 119.1;
    Warp       4 x 14: 105.0;
    Warp       4 x 16: 117.5;
    Warp       8 x 10: 97.88;
    Warp       8 x 12: 97.71;
    Network   32 x  4: 91.52;
    Warp      16 x 10: 77.56;
    Merge     32 x  6: 78.28;
    Network   32 x  8: 78.27;
    Network   32 x 10: 62.39;
    Merge     64 x  6: 65.5;
    Merge     64 x  8: 67.19;
    Merge     64 x  9: 53.22;
    Merge    128 x  8: 56.55;
    Merge    128 x  9: 45.21;
    Merge    256 x  8: 48.37;
    Merge    256 x 12: 42.22;
    Merge    256 x 16: 41.09;
    Merge    320 x 16: 39.39;
    Merge    384 x 16: 30.18;
    Merge    512 x 16: 29.8;
    Merge    768 x 16: 27.7;
    Merge   1024 x 16: 24.19;
};

/// The figures for keys of which this number of registers is compared, with values that are read or without, and what they are
/// to be multiplied by for items of that many 4-byte words.
pub(super) fn tiles_of(
    registers: u32,
    reads_values: bool,
    words: u32,
) -> (&'static [RowFigure], f64) {
    let (figures, measured_words) = match (registers, reads_values) {
        (1, _) => (ONE_REGISTER, 1),
        (2, false) => (TWO_REGISTERS, 2),
        (2, true) => (TWO_REGISTERS_AND_A_VALUE, 2),
        _ => (THREE_REGISTERS_AND_A_VALUE, 3),
    };
    (figures, f64::from(measured_words) / f64::from(registers.max(words).max(measured_words)))
}

/// Billions of random keys a second of device-wide sorts of rows, by the most bytes of a key and its value. H200, 2026-11-24, 512 rows of
/// 128,256: `f16` 67.2, `f32` 60.8, `u64` 49.9, `f32,u32` 48.6, `u64,u32` 35.2, `u64,u64` 25.0, `u128` 22.2.
pub const LONG_ROWS: [(u32, f64); 5] = [(2, 67.2), (4, 60.8), (8, 48.6), (12, 35.2), (16, 22.2)];

/// The figure for items of that many bytes; of more bytes than were measured a guess.
pub(super) fn of_long_rows(bytes: u32) -> f64 {
    LONG_ROWS.iter().find(|(most, _)| *most >= bytes).map_or(10.0, |(_, gkeys)| *gkeys)
}

/// What blocks that merge and have warps without items are to those that have items in all warps. H200, 2026-11-25, `f32`: 0.86 (256
/// threads, 12 of 16 warps' items) to 1.0 (384 threads, two thirds).
pub(super) const OF_USED_WARPS: f64 = 0.9;

/// What blocks of 1024 threads were to those of 512, with 16 items a thread: a multiprocessor has room for one of them. H200, 2026-11-24,
/// full rows: `f32` by merges 45.3 and 61.2, `f32,u32` by networks 63.2 and 84.6, `u64` by merges 44.5 and 59.8.
pub(super) const OF_ONE_BLOCK: f64 = 0.74;
