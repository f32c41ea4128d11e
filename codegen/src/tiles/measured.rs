//! How fast tile sorts were, shape by shape: the figures by which [`TileSort::choose`](super::TileSort::choose) goes.
//!
//! A table is data alone: to replace it, replace its lines by those that `benches/kit/tests/built_in_rows.rs` prints
//! where a record and its table differ. A method that a record has no figure of is `-`, and is not chosen.

use std::fmt;

use super::{MEASURED_METHODS, TileMethod, TileSort};
use crate::spec::{Arch, KeyClass, KeyType, ValueType};

/// Figures of one GPU: where they come from, and the rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TileRecord {
    /// The GPU.
    pub gpu: &'static str,
    /// Its architecture.
    pub arch: Arch,
    /// The day of the record.
    pub date: &'static str,
    /// A row for each types and shape.
    pub rows: &'static [TileRow],
}

/// What was measured of tiles of one shape: billions of random keys a second, sorted ascending, blocked in and out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TileRow {
    /// The type of the keys.
    pub key: KeyType,
    /// What went with each key.
    pub value: ValueType,
    /// Threads of a block.
    pub threads: u32,
    /// Items of a thread.
    pub items: u32,
    /// The figure of each of [`MEASURED_METHODS`], where there is one.
    pub gkeys: [Option<f64>; MEASURED_METHODS.len()],
    /// CUB's best block sort, where it was measured beside these.
    pub cub: Option<f64>,
}

impl TileRow {
    /// The methods, each with its figure.
    pub fn figures(&self) -> impl Iterator<Item = (TileMethod, Option<f64>)> {
        MEASURED_METHODS.into_iter().zip(self.gkeys)
    }

    /// The figure of a method.
    pub fn figure(&self, method: TileMethod) -> Option<f64> {
        self.figures().find(|(own, _)| *own == method).and_then(|(_, gkeys)| gkeys)
    }

    /// How far its types and its shape are from those asked for; what comes first decides.
    fn distance(&self, sort: &TileSort) -> (u32, bool, u32, bool, f64) {
        let doublings = |a: u32, b: u32| a.max(1).ilog2().abs_diff(b.max(1).ilog2());
        let is_float = |key: KeyType| key.info().class == KeyClass::Float;
        let times = |a: u32, b: u32| (f64::from(a) / f64::from(b)).log2().abs();
        (
            doublings(self.key.bytes(), sort.key.bytes()),
            (self.value == ValueType::None) != (sort.value == ValueType::None),
            doublings(self.value.bytes(), sort.value.bytes()),
            is_float(self.key) != is_float(sort.key),
            times(self.threads, sort.block.threads()) + times(self.items, sort.items),
        )
    }
}

/// As the table has it.
impl fmt::Display for TileRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, value, threads, items, gkeys, cub } = self;
        let types = format!("{key:?} {value:?}");
        write!(f, "{types:<8} {threads} x {items:>2}:")?;
        for (method, figure) in gkeys.iter().chain([cub]).enumerate() {
            // Networks and merges, packed ranks, ballots, masks, and CUB's best.
            let mark = if [3, 6, 8, 10].contains(&method) { "," } else { "" };
            let figure = figure.map_or("-".to_owned(), |it| format!("{it:?}"));
            write!(f, "{mark} {figure:>6}")?;
        }
        f.write_str(";")
    }
}

/// The record whose GPU's architecture is the nearest, and its row that is.
///
/// The nearest types: by the key's bytes first, then whether there are values, then by their bytes, then whether keys
/// are floats. Then the nearest shape: by how many times as many threads it has, or as few, and as many items a thread.
pub(super) fn nearest(sort: &TileSort) -> Option<(&'static TileRecord, &'static TileRow)> {
    let far = |record: &&TileRecord| record.arch.capability().abs_diff(sort.arch.capability());
    let record = RECORDS.iter().min_by_key(far)?;
    let by_distance = |a: &&TileRow, b: &&TileRow| {
        let order = a.distance(sort).partial_cmp(&b.distance(sort));
        order.unwrap_or(std::cmp::Ordering::Equal)
    };
    Some((record, record.rows.iter().min_by(by_distance)?))
}

macro_rules! figure {
    (-) => {
        None
    };
    ($gkeys:literal) => {
        Some($gkeys)
    };
}

/// Figures in the order of [`MEASURED_METHODS`], then CUB's best.
macro_rules! rows {
    ($($key:ident $value:ident $threads:literal x $items:literal:
       $network:tt $stable:tt $merge:tt, $packed4:tt $packed5:tt $packed6:tt, $ballots6:tt $ballots8:tt,
       $masks6:tt $masks8:tt, $cub:tt;)*) => {
        &[$(TileRow {
            key: KeyType::$key,
            value: ValueType::$value,
            threads: $threads,
            items: $items,
            gkeys: [
                figure!($network), figure!($stable), figure!($merge),
                figure!($packed4), figure!($packed5), figure!($packed6),
                figure!($ballots6), figure!($ballots8), figure!($masks6), figure!($masks8),
            ],
            cub: figure!($cub),
        }),*]
    };
}

/// All records that there are rows of, one for each GPU.
pub const RECORDS: &[TileRecord] =
    &[TileRecord { gpu: "NVIDIA H200", arch: Arch::SM_90, date: "2026-11-23", rows: H200 }];

/// Columns: the network, the network that is stable, merges; packed ranks of 4, 5 and 6 bits; ballots of 6 and 8; masks
/// of 6 and 8; CUB's best, by digits or by merges.
const H200: &[TileRow] = rows! {
    U32 None 128 x  4: 200.69      - 140.03, 56.239 48.817 37.817, 81.636 63.617, 58.031 46.032, 86.931;
    U32 None 128 x  8: 205.93      -  167.0,   78.0 71.665 61.098, 89.738 83.476,  65.01  57.63, 84.719;
    U32 None 128 x 16: 193.47      - 178.75, 95.045 93.553  86.19, 85.625 93.453,  68.06 68.718,  91.81;
    U32 None 256 x  4:  165.0      - 106.05, 56.418  48.13 37.543,  70.56 71.825, 57.641 49.192, 76.222;
    U32 None 256 x  8: 171.78      - 132.27,  75.88 70.513 59.435, 77.078 84.263, 63.477 64.871,  75.95;
    U32 None 256 x 16: 159.27      - 146.47, 87.664 88.366 77.484,  75.21 84.678, 66.005 70.657, 86.566;
    U32 None 512 x  4: 130.75      - 84.309,   52.9 44.458 35.782, 58.375 57.734, 52.071 51.318, 64.418;
    U32 None 512 x  8:  135.8      - 106.36, 69.523 65.715 48.486, 64.195 63.533, 60.839 61.485, 67.704;
    U32 None 512 x 16: 129.35      - 120.04,  69.83 71.372 69.303, 63.716 70.262, 60.348 66.205, 70.244;
    U64 None 128 x  4: 103.79      - 92.096, 23.794  22.65 18.803, 38.937 27.161, 28.079 20.328, 45.761;
    U64 None 128 x  8: 92.568      - 96.252, 31.086  32.06 28.282, 42.028 36.256, 30.977 26.203, 41.771;
    U64 None 128 x 16:  76.68      - 86.817, 35.061 37.619 37.613, 39.494 40.352, 32.353 30.861, 34.132;
    U64 None 256 x  4: 84.403      - 73.011, 24.008 22.642 18.437, 35.361 32.429, 28.008 22.757, 40.594;
    U64 None 256 x  8: 76.031      -  79.56, 30.421 31.414 26.399,  33.29 37.481, 30.517   28.9, 37.001;
    U64 None 256 x 16: 66.963      - 75.928, 31.779 35.676 35.755, 34.554 37.436, 31.688 31.691,  32.06;
    U64 None 512 x  4: 64.545      - 58.256, 21.932 20.998 15.668, 28.357   24.9, 26.122 22.794,  35.81;
    U64 None 512 x  8: 52.105      - 63.275, 28.268 29.707 23.778, 24.451 24.882, 26.222 27.747, 32.804;
    U64 None 512 x 16: 55.664      - 60.156, 29.231 32.672 32.996, 30.303 31.932, 29.223 30.143,      -;
    U16 None 128 x  4:  252.8      - 138.73, 110.41 84.469 73.754, 146.34 117.24, 122.49  90.78, 104.78;
    U16 None 128 x  8: 279.79      - 165.31, 143.77 121.87 116.59, 163.32 162.66, 137.31 113.48, 134.25;
    U16 None 128 x 16: 276.17      - 177.02, 173.04 150.68 158.54, 155.83 194.25, 143.27 134.49, 167.56;
    U16 None 256 x  4: 211.17      - 105.28, 106.13 83.265 72.579, 132.32 139.07, 120.22 96.714, 100.46;
    U16 None 256 x  8: 231.81      - 131.14, 138.86 116.59 110.92, 148.49 156.25, 132.19 126.81, 132.37;
    U16 None 256 x 16: 234.41      - 145.17, 154.45  142.3 139.25, 141.54  155.8, 136.22 135.42, 156.41;
    U16 None 512 x  4: 175.23      - 83.905, 99.858 74.863 68.435, 109.15 107.36,  105.2 98.926, 94.605;
    U16 None 512 x  8: 177.16      - 106.05, 128.97 109.08 89.161, 121.82 125.35, 125.41 117.85, 122.35;
    U16 None 512 x 16: 188.02      - 121.19, 123.32 112.19 123.82, 118.24 127.67, 117.68 122.71, 124.81;
    I8 None  128 x  4: 247.09      - 137.11, 209.18 158.08  107.3, 205.01 396.91,      -      -, 203.29;
    I8 None  128 x  8: 273.51      -  163.2,  264.9 218.26 165.61, 228.92 472.25,      -      -, 252.16;
    I8 None  128 x 16:  269.4      - 174.19, 287.15 248.27 221.93, 227.89 522.54,      -      -, 285.54;
    I8 None  256 x  4: 207.22      - 104.64, 199.95 151.71 105.52, 186.56 418.77,      -      -, 193.71;
    I8 None  256 x  8: 227.92      - 129.42,  244.1 215.46 161.08, 209.62 489.58,      -      -, 235.35;
    I8 None  256 x 16: 231.54      - 143.39, 248.55 228.28 200.84, 203.39 504.72,      -      -, 272.34;
    I8 None  512 x  4: 175.37      - 83.886, 176.41 137.63 97.953, 163.35 373.26,      -      -, 169.56;
    I8 None  512 x  8: 175.81      - 106.07, 226.92 196.75 124.89, 181.19 442.54,      -      -,  213.0;
    I8 None  512 x 16: 185.74      - 120.56, 212.96 199.52  173.4, 164.22 444.53,      -      -, 214.81;
    F16 None 128 x  4: 227.84      - 122.34, 110.44 84.408 73.847, 133.76 117.51, 122.21 90.916, 105.17;
    F16 None 128 x  8:  249.6      - 143.09, 143.08 121.96 116.59, 146.71 156.83, 136.93 113.55, 134.24;
    F16 None 128 x 16: 248.19      - 151.34, 165.31 145.35 155.88, 143.22 174.79, 141.92 134.44, 163.62;
    F16 None 256 x  4: 195.97      - 96.289, 106.14 82.937 72.783, 121.92 129.61, 119.78 96.621,  99.88;
    F16 None 256 x  8: 211.41      - 116.66, 133.72 115.39 108.47, 136.61 144.88, 130.25 126.96, 128.16;
    F16 None 256 x 16: 215.98      - 128.11,  147.0 135.11 131.95,  127.6 145.95, 132.62 133.69, 147.64;
    F16 None 512 x  4:  165.7      - 78.052, 98.319 72.696 68.037, 104.16 102.32,  102.5 98.928, 91.371;
    F16 None 512 x  8: 166.08      -  97.89,  118.2 105.18 83.068,  114.9 115.14, 122.23 114.67, 115.24;
    F16 None 512 x 16: 174.77      - 109.83,  112.0 103.23 113.96, 107.67 118.29, 112.28  117.8, 115.82;
    F32 U32  128 x  4: 99.148 133.42 82.144,  44.84 40.883 33.348, 69.413 53.994,   41.6 38.559, 61.907;
    F32 U32  128 x  8: 88.877 140.16 85.308, 57.934 55.504 50.272, 72.458 70.542, 45.188 49.125, 56.585;
    F32 U32  128 x 16: 74.103 125.79 76.202, 65.401 65.579 65.165, 69.673 76.446, 46.769 57.608, 64.158;
    F32 U32  256 x  4: 81.313 114.09 66.849, 44.882 40.012 32.575, 60.116 60.286, 41.619 43.113,  56.21;
    F32 U32  256 x  8: 73.877 114.38 71.975, 55.844 55.015 48.257, 59.546 67.935, 44.473 53.798, 53.803;
    F32 U32  256 x 16:  64.79 103.64 69.348, 57.269 60.069 60.167, 58.147 66.951, 45.063 57.563, 57.803;
    F32 U32  512 x  4: 63.649 91.958  53.79, 39.875 37.025  26.69, 46.802 44.719, 38.446 42.269, 49.789;
    F32 U32  512 x  8: 51.056 91.463  55.55, 50.561 50.356 41.676, 40.836 45.651, 37.764 52.976, 50.187;
    F32 U32  512 x 16: 54.503 87.385 46.258, 50.569 52.612  53.54, 48.934 55.213, 41.781  52.63, 50.174;
    U32 U32  128 x  4: 102.41 140.41 87.795, 43.473 40.227 32.949, 68.474 52.051, 48.601 39.497, 61.789;
    U32 U32  128 x  8: 91.509 145.69 91.378,  56.42 53.733 49.291, 73.781 69.208, 53.298 50.472, 56.612;
    U32 U32  128 x 16:  76.13 130.75 81.252, 64.248 63.222 62.697, 68.715 76.259, 54.991 59.341, 62.291;
    U32 U32  256 x  4: 83.513 118.78 70.028, 43.882 39.117 32.286, 60.594 60.998, 48.149 44.195, 56.215;
    U32 U32  256 x  8: 75.161 112.78 75.259, 55.403 53.781 48.008, 59.782 69.799, 51.821  52.81, 52.648;
    U32 U32  256 x 16: 66.134 103.29 72.422, 57.515 58.621 58.736, 58.814 67.992,  53.07 59.408, 57.115;
    U32 U32  512 x  4: 63.814 95.145 54.724, 39.613 36.753 26.544,  47.04  45.83, 43.895 43.672, 49.779;
    U32 U32  512 x  8: 51.578 94.697 57.399, 51.166 50.208 40.461,  41.54 46.293, 43.167 54.101,  49.03;
    U32 U32  512 x 16: 55.152 88.274  48.16, 52.225 53.748 54.068,   50.2 56.056, 48.548 54.709, 50.447;
};
