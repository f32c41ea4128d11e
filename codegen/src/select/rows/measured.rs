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
pub const ROW_RECORDS: [RowRecord; 5] = [
    record(KeyType::F16, ValueType::None, TWO_KEYS_A_REGISTER),
    record(KeyType::U32, ValueType::None, ONE_REGISTER),
    record(KeyType::U64, ValueType::None, TWO_REGISTERS),
    record(KeyType::F32, ValueType::U32, TWO_REGISTERS_AND_A_VALUE),
    record(KeyType::U64, ValueType::U32, THREE_REGISTERS_AND_A_VALUE),
];

const TWO_KEYS_A_REGISTER: &[RowFigure] = figures! {
    Warp       4 x  4: 489.9;
    Warp       4 x  5: 424.0;
    Warp       4 x  6: 450.8;
    Warp       4 x  8: 509.9;
    Warp       4 x  9: 395.6;
    Warp       4 x 12: 400.3;
    Warp       4 x 16: 414.4;
    Warp       4 x 24: 389.0;
    Warp       4 x 32: 361.0;
    Warp       8 x 20: 287.6;
    Warp       8 x 24: 314.0;
    Network   32 x  8: 330.8;
    Network   32 x 12: 319.2;
    Network   32 x 16: 337.1;
    Network   32 x 20: 302.8;
    Network   32 x 24: 312.3;
    Network   32 x 32: 317.2;
    Network   32 x 36: 276.3;
    Network   32 x 40: 265.2;
    Network   64 x 24: 251.5;
    Network   64 x 32: 285.0;
    Network   64 x 36: 205.3;
    Network  128 x 24: 230.8;
    Network  128 x 32: 243.2;
    Network  128 x 36: 186.2;
    Network  128 x 40: 175.7;
    Network  256 x 24: 192.2;
    Network  256 x 32: 212.9;
    Network  256 x 36: 170.2;
    Network  256 x 40: 141.8;
    Network  512 x 24: 150.0;
    Network  512 x 28: 148.1;
    Network  512 x 32: 142.7;
    Network 1024 x 24: 108.3;
    Network 1024 x 32: 135.2;
    Network 1024 x 64: 87.74;
};

const ONE_REGISTER: &[RowFigure] = figures! {
    Warp       4 x  4: 507.2;
    Warp       4 x  5: 466.8;
    Warp       4 x  6: 476.4;
    Warp       4 x  8: 497.2;
    Warp       4 x  9: 409.8;
    Warp       4 x 12: 497.3;
    Warp       4 x 16: 476.5;
    Warp       4 x 18: 347.5;
    Warp       4 x 24: 436.7;
    Warp       4 x 32: 418.1;
    Warp       8 x 20: 368.0;
    Warp       8 x 24: 363.9;
    Warp       8 x 28: 347.4;
    Warp       8 x 32: 352.3;
    Merge     32 x 10: 285.1;
    Merge     32 x 12: 288.9;
    Network   32 x 16: 299.9;
    Network   32 x 20: 260.8;
    Merge     64 x 12: 223.4;
    Network   64 x 16: 243.0;
    Merge     64 x 18: 205.2;
    Network  128 x 12: 181.7;
    Merge    128 x 16: 187.3;
    Merge    128 x 18: 169.5;
    Merge    192 x 16: 163.1;
    Network  256 x 16: 167.8;
    Merge    384 x 16: 136.5;
    Network  512 x 16: 138.9;
    Merge    640 x 16: 107.9;
    Merge    768 x 16: 106.4;
    Network 1024 x 16: 101.1;
};

const TWO_REGISTERS: &[RowFigure] = figures! {
    Warp       4 x  4: 252.9;
    Warp       4 x  5: 243.4;
    Warp       4 x  6: 244.8;
    Warp       4 x  8: 236.6;
    Warp       8 x  5: 191.5;
    Warp       8 x  6: 209.6;
    Warp       4 x 14: 189.9;
    Warp       4 x 16: 201.8;
    Warp       4 x 18: 169.5;
    Warp       4 x 20: 145.8;
    Warp       4 x 24: 173.4;
    Warp       4 x 28: 154.1;
    Warp       8 x 16: 167.9;
    Warp       8 x 18: 144.9;
    Warp       8 x 20: 144.9;
    Merge     32 x  6: 143.8;
    Network   32 x  8: 146.5;
    Merge     32 x 10: 121.8;
    Network   32 x 12: 124.1;
    Network   32 x 16: 120.2;
    Merge     64 x 10: 101.5;
    Merge     64 x 12: 104.3;
    Merge     64 x 16: 102.9;
    Merge    160 x  8: 86.51;
    Merge    128 x 12: 84.13;
    Merge    128 x 16: 85.97;
    Merge    256 x 16: 78.0;
    Merge    384 x 16: 68.2;
    Merge    512 x 16: 58.74;
    Merge    544 x 16: 40.93;
    Merge   1024 x 16: 43.74;
};

const TWO_REGISTERS_AND_A_VALUE: &[RowFigure] = figures! {
    Warp       4 x  4: 240.0;
    Warp       4 x  5: 202.0;
    Warp       4 x  6: 206.5;
    Warp       8 x  4: 211.6;
    Warp       4 x  9: 178.6;
    Warp       4 x 12: 182.2;
    Warp       4 x 16: 175.9;
    Warp       4 x 20: 157.5;
    Network   32 x  4: 180.6;
    Network   32 x  6: 187.6;
    Network   32 x  8: 199.0;
    Network   32 x 10: 183.7;
    Network   32 x 12: 189.2;
    Network   32 x 14: 175.8;
    Network   32 x 16: 183.8;
    Network   32 x 20: 151.3;
    Network   64 x 12: 148.8;
    Network   64 x 16: 150.6;
    Network   64 x 18: 118.0;
    Network   64 x 20: 114.5;
    Network  128 x 12: 125.7;
    Network  128 x 16: 131.8;
    Network  128 x 18: 99.49;
    Network  160 x 16: 97.8;
    Network  192 x 16: 107.2;
    Network  256 x 16: 108.8;
    Network  320 x 16: 86.78;
    Network  384 x 16: 85.45;
    Network  512 x 16: 86.71;
    Network  544 x 16: 64.51;
    Network  640 x 16: 61.56;
    Network 1024 x 16: 64.03;
};

const THREE_REGISTERS_AND_A_VALUE: &[RowFigure] = figures! {
    Warp       4 x  4: 144.0;
    Warp       4 x  5: 145.8;
    Warp       4 x  6: 145.8;
    Warp       4 x  8: 143.1;
    Warp       4 x  9: 125.8;
    Warp       8 x  6: 118.8;
    Warp       4 x 14: 105.3;
    Warp       4 x 16: 117.6;
    Warp       8 x 10: 97.7;
    Warp       8 x 12: 97.53;
    Network   32 x  4: 91.21;
    Warp      16 x 10: 77.72;
    Merge     32 x  6: 78.26;
    Network   32 x  8: 78.25;
    Network   32 x 10: 62.36;
    Merge     64 x  6: 65.46;
    Merge     64 x  8: 67.17;
    Merge     64 x  9: 53.22;
    Merge    128 x  8: 56.58;
    Merge    128 x  9: 45.16;
    Merge    256 x  8: 48.35;
    Merge    256 x 12: 42.21;
    Merge    256 x 16: 41.06;
    Merge    320 x 16: 39.46;
    Merge    384 x 16: 30.16;
    Merge    512 x 16: 29.82;
    Merge    768 x 16: 27.69;
    Merge   1024 x 16: 24.29;
};

/// The figures for keys of this number of bytes, of which this number of registers is compared, with such values, and what they are to be
/// multiplied by for items of more words than were measured.
pub(super) fn tiles_of(
    key_bytes: u32,
    registers: u32,
    value: ValueType,
) -> (&'static [RowFigure], f64) {
    let words = (key_bytes + value.bytes()).div_ceil(4);
    let (figures, measured_words) = match (registers, value.is_read()) {
        (1, _) if key_bytes <= 2 && value == ValueType::None => (TWO_KEYS_A_REGISTER, 1),
        (1, _) => (ONE_REGISTER, 1),
        (2, false) => (TWO_REGISTERS, 2),
        (2, true) => (TWO_REGISTERS_AND_A_VALUE, 2),
        _ => (THREE_REGISTERS_AND_A_VALUE, 3),
    };
    (figures, f64::from(measured_words) / f64::from(registers.max(words).max(measured_words)))
}

/// What blocks that merge and have warps without items are to those that have items in all warps. H200, 2026-11-25, `f32`: 0.86 (256
/// threads, 12 of 16 warps' items) to 1.0 (384 threads, two thirds).
pub(super) const OF_USED_WARPS: f64 = 0.9;

/// What blocks of 1024 threads were to those of 512, with 16 items a thread: a multiprocessor has room for one of them. H200, 2026-11-24,
/// full rows: `f32` by merges 45.3 and 61.2, `f32,u32` by networks 63.2 and 84.6, `u64` by merges 44.5 and 59.8.
pub(super) const OF_ONE_BLOCK: f64 = 0.74;
