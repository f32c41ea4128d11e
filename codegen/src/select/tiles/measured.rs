//! How fast tile sorts were, shape by shape: the figures by which [`TileSort::choose`](super::TileSort::choose) goes.
//!
//! A table is data alone: to replace it, replace its lines by those that `benches/kit/tests/built_in_rows.rs` prints
//! where a record and its table differ. A method that a record has no figure of is `-`, and is not chosen.

use std::fmt;

use super::{MEASURED_METHODS, TileMethod, TileSort};
use crate::types::{Arch, KeyClass, KeyType, ValueType};

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

    /// How far its types and its shape are from the requested ones; the first difference decides.
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

/// The record of the GPU with the nearest architecture, and its nearest row.
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
    U32 None 128 x  4: 200.06      - 139.94, 56.296 48.721 37.812, 81.596 63.496,  58.03 46.035, 86.959;
    U32 None 128 x  8: 205.14      - 167.26, 78.006 71.643 60.968, 89.765   83.6, 65.007 57.593, 84.728;
    U32 None 128 x 16: 193.52      -  178.7, 94.974 93.489 86.073, 85.678 93.414, 68.042 68.712, 91.855;
    U32 None 256 x  4: 164.82      - 106.15, 56.534 48.142 37.556, 70.505 71.855, 57.654 49.175,   76.2;
    U32 None 256 x  8: 171.78      - 132.19, 75.825 70.424 59.389, 77.048 84.201,  63.49 64.851, 75.978;
    U32 None 256 x 16: 159.19      - 146.58, 87.646 88.289 77.389, 75.091 84.575, 65.981 70.721, 86.654;
    U32 None 512 x  4: 130.58      - 84.249, 52.882 44.474 35.796, 58.485 57.721, 52.013 51.314, 64.436;
    U32 None 512 x  8:  135.5      - 106.29, 69.457 65.696 48.262, 64.111   63.5, 60.784 61.409, 67.578;
    U32 None 512 x 16: 129.25      - 120.11, 69.494 71.095 69.134, 63.591 70.151, 60.257 66.142, 70.134;
    U64 None 128 x  4:  103.6      - 92.063, 23.836 22.654  18.81, 38.988 27.172, 28.101 20.338,  45.73;
    U64 None 128 x  8: 92.577      - 96.242, 31.085 32.061 28.217, 42.052 36.265, 30.993 26.207, 41.856;
    U64 None 128 x 16: 76.626      - 86.792, 35.053 37.603 37.582, 39.525 40.235, 32.289 30.853, 34.105;
    U64 None 256 x  4: 84.467      -   73.1, 24.009 22.695 18.435,  35.29 32.449, 28.034  22.77, 40.591;
    U64 None 256 x  8: 76.024      - 79.598, 30.414 31.437 26.398, 33.283 37.484, 30.539 28.875, 37.001;
    U64 None 256 x 16:   67.0      - 75.912, 31.789 35.659 35.744, 34.527 37.435, 31.645 31.687,  32.09;
    U64 None 512 x  4: 64.519      - 58.264, 21.948  20.99 15.654, 28.438  24.85, 26.103 22.791, 35.834;
    U64 None 512 x  8: 51.836      -  63.21, 28.265 29.705 23.696, 24.436 24.847, 26.192 27.741, 32.793;
    U64 None 512 x 16: 55.581      - 60.128, 29.228 32.676 33.002,  30.32 31.934,  29.21 30.126, 29.436;
    U16 None 128 x  4: 252.39      - 138.58, 110.42 84.481 73.738,  146.4  117.5, 122.24 90.813, 104.69;
    U16 None 128 x  8: 279.69      - 165.33, 143.75 122.08 116.55, 163.21 162.57, 137.19 113.39, 133.81;
    U16 None 128 x 16: 275.98      - 176.92, 172.98 150.66 158.54, 155.96 193.78,  143.3 134.53, 167.59;
    U16 None 256 x  4: 211.08      - 105.31, 106.08 83.247 72.426, 132.27 139.08,  120.2 96.731, 100.44;
    U16 None 256 x  8: 231.93      - 131.14, 138.74 116.41 111.07, 148.44 156.41,  132.2 126.89, 132.24;
    U16 None 256 x 16:  234.3      - 145.11, 154.25 142.36 138.99, 141.33 155.52, 135.63 135.26, 156.35;
    U16 None 512 x  4: 175.19      - 83.939, 99.893 74.892 68.417, 108.69 107.32, 104.97 98.924, 94.609;
    U16 None 512 x  8: 176.62      - 106.07, 128.76 108.93 88.836,  121.7 125.27, 125.46 117.77, 122.05;
    U16 None 512 x 16: 187.79      - 121.26, 123.14 111.74 123.33, 117.97 127.28,  117.4 122.36,  124.8;
    I8 None  128 x  4: 247.05      - 137.14, 208.73 158.26 107.31, 204.74 396.79,      -      -, 203.29;
    I8 None  128 x  8: 273.19      - 163.34, 263.97 218.59 165.51, 229.01 472.16,      -      -, 252.12;
    I8 None  128 x 16: 269.39      - 173.99, 285.98 247.31 220.74, 227.84  521.7,      -      -, 285.24;
    I8 None  256 x  4: 207.06      - 104.81,  200.2 151.83 105.43, 186.11 418.74,      -      -,  193.7;
    I8 None  256 x  8: 227.79      - 129.41,  243.5  215.4 160.43, 209.09 489.29,      -      -, 235.63;
    I8 None  256 x 16: 231.54      - 143.27, 247.85 227.72 200.38, 202.92 503.04,      -      -, 271.89;
    I8 None  512 x  4:  175.3      -  83.85, 176.66 137.57 97.874, 162.88 373.77,      -      -, 169.56;
    I8 None  512 x  8: 175.23      - 106.08, 227.02 196.77 124.19, 180.93 442.99,      -      -, 213.15;
    I8 None  512 x 16: 185.43      - 120.57, 212.52  198.7 172.69, 163.62 442.19,      -      -, 213.68;
    F16 None 128 x  4: 227.91      - 122.29, 110.46 84.259 73.837, 133.68 117.55, 122.23 90.942, 105.16;
    F16 None 128 x  8: 249.36      - 143.15, 143.15 121.97 116.69,  146.7  156.6,  137.2 113.63, 134.28;
    F16 None 128 x 16: 248.14      - 151.32, 165.25 145.45 155.76, 143.28 174.99,  142.0 134.44, 163.82;
    F16 None 256 x  4:  195.6      - 96.385, 106.15 82.995 72.562, 121.63 129.29, 119.64 96.768, 99.916;
    F16 None 256 x  8: 211.23      - 116.56, 133.39 115.41  108.4, 136.45 144.94, 129.92 126.98, 128.24;
    F16 None 256 x 16: 215.78      - 128.08, 146.81 135.03 131.99, 127.33 145.98, 132.47  133.7, 147.74;
    F16 None 512 x  4: 165.34      - 78.044, 98.418 72.681 67.875, 103.92 102.26, 102.26 98.902, 91.307;
    F16 None 512 x  8: 165.68      - 97.913, 118.18 105.16 82.681, 114.75 115.11, 122.08 114.68, 115.14;
    F16 None 512 x 16: 174.78      - 109.81,  111.7 102.86  113.7, 107.42 118.13,  112.1 117.66, 117.14;
    F32 U32  128 x  4:  98.96 133.52 82.115, 44.778 40.896 33.359, 69.374 54.015,   41.7 38.574, 61.922;
    F32 U32  128 x  8: 88.898 140.09  85.25, 57.938 55.545 50.184,  72.45 70.541, 45.196 49.148, 56.622;
    F32 U32  128 x 16: 73.985  125.4 76.187, 65.425   65.5 64.965, 69.655 76.497, 46.771 57.602, 63.963;
    F32 U32  256 x  4: 81.195 114.21 66.847, 44.855 39.987  32.57,  59.94 60.331,  41.63  43.13, 56.161;
    F32 U32  256 x  8: 73.835 114.31 71.922, 55.876 55.054 48.245, 59.513 67.878, 44.464 53.802,  53.81;
    F32 U32  256 x 16: 64.729 103.42 69.325,  57.17  60.18 60.161, 58.018 66.981,  45.08 57.627, 57.698;
    F32 U32  512 x  4: 63.601  91.97 53.765, 39.907 37.032 26.552, 46.807 44.742, 38.435 42.225,   49.8;
    F32 U32  512 x  8: 50.943 91.493 55.531, 50.494 50.319 41.535,  40.72 45.546,  37.62 52.927, 50.162;
    F32 U32  512 x 16: 54.505 87.346 46.228, 50.606 52.561 53.574,  48.91 55.205, 41.752 52.594, 49.763;
    U32 U32  128 x  4: 102.45 140.42 87.749,  43.57 40.261 32.979, 68.533 51.973, 48.595  39.51,  61.85;
    U32 U32  128 x  8: 91.577 145.65 91.277, 56.457  53.78 49.327, 73.772 69.315, 53.214  50.45, 56.642;
    U32 U32  128 x 16: 76.214 130.45 81.124, 64.202 63.145 62.531, 68.725 76.396, 54.887 59.293, 62.189;
    U32 U32  256 x  4: 83.369 118.99 70.051, 43.872 39.202 32.283, 60.715 60.977, 48.148 44.194, 56.144;
    U32 U32  256 x  8: 75.126 112.77 75.391, 55.459 53.775 47.931, 59.814 69.764, 51.816 52.813, 52.712;
    U32 U32  256 x 16: 66.201 103.23 72.414, 57.461  58.63 58.656, 58.725 67.967,  53.07 59.429, 57.117;
    U32 U32  512 x  4: 63.715 95.178 54.713, 39.588 36.726 26.481, 47.029 45.815, 43.831  43.65, 49.724;
    U32 U32  512 x  8: 51.464 94.707 57.457, 51.123 50.075 40.375, 41.447 46.165, 43.129 54.093,  48.96;
    U32 U32  512 x 16:  55.09 88.285 48.086, 52.164 53.676  54.03, 50.162 55.954,   48.5 54.619, 50.238;
};
