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
    &[TileRecord { gpu: "NVIDIA H200", arch: Arch::SM_90, date: "2026-11-22", rows: H200 }];

/// Columns: the network, the network that is stable, merges; packed ranks of 4, 5 and 6 bits; ballots of 6 and 8; masks
/// of 6 and 8; CUB's best, by digits or by merges.
const H200: &[TileRow] = rows! {
    U32 None 128 x  4: 197.45      - 138.36, 55.914 48.517 37.562, 83.729 63.885, 57.679  45.75, 86.274;
    U32 None 128 x  8: 202.96      - 165.01, 77.463 71.235 60.706,  85.65 82.087, 64.312 57.157, 84.091;
    U32 None 128 x 16: 190.68      - 176.78, 93.748 92.733 85.167, 83.286 89.278, 68.178 68.309, 91.097;
    U32 None 256 x  4: 162.75      - 104.81, 56.144 47.829 37.342, 70.085 68.671, 57.407 51.627, 75.614;
    U32 None 256 x  8: 169.43      - 130.73, 75.038 69.518 58.578,  74.68  78.53, 63.169 64.051, 75.318;
    U32 None 256 x 16: 157.31      - 144.94, 86.086 86.893 75.543, 72.702 78.153, 65.587 69.903, 85.784;
    U32 None 512 x  4: 129.25      - 83.722, 52.631 44.049 35.551, 57.665 52.174, 51.812  48.04, 63.979;
    U32 None 512 x  8: 134.41      - 105.54, 67.799 64.597 47.868, 61.801 61.883, 60.329 61.692, 67.126;
    U32 None 512 x 16: 127.28      - 118.93, 68.478   69.3 67.511, 61.815 67.665, 58.892 64.094, 69.661;
    F32 U32  128 x  4: 98.195      - 81.165, 44.604 40.665 33.266, 68.198 53.918, 41.601 38.376, 61.412;
    F32 U32  128 x  8: 88.156      - 84.634, 57.571 55.219  50.01, 70.881 70.542, 44.911 48.754, 56.107;
    F32 U32  128 x 16: 73.435      - 75.359, 64.078 65.265 64.643, 69.728 72.609, 46.603 57.249, 63.701;
    F32 U32  256 x  4: 80.363      - 66.267, 44.681 39.802 32.443, 60.592 59.898,  41.33 42.904, 55.876;
    F32 U32  256 x  8: 73.407      - 71.497,  55.67 54.713 48.147, 58.891 67.042, 44.319 52.112, 53.476;
    F32 U32  256 x 16: 64.411      - 68.802,  57.12  59.85 60.039, 58.206 65.145, 45.435 57.942, 57.252;
    F32 U32  512 x  4: 63.268      - 53.537, 39.971 36.879 26.583, 46.642 44.632, 38.313 41.585, 49.536;
    F32 U32  512 x  8: 50.894      - 55.305, 49.853 49.847 41.329, 38.698 44.721,  35.57 45.152, 49.962;
    F32 U32  512 x 16: 54.208      - 46.137, 50.006 51.849 52.814, 48.511 53.352, 41.247 52.413, 49.831;
    U64 None 128 x  4: 103.23      - 91.667, 23.975 22.796 18.801, 38.917 26.966, 28.069 20.267,  45.73;
    U64 None 128 x  8: 92.312      - 95.787, 31.076 32.052  28.18, 41.753 36.287, 30.889 26.156, 41.787;
    U64 None 128 x 16: 76.366      -  86.53, 35.223 37.627 37.692,  39.82 40.174, 32.483 30.954, 34.066;
    U64 None 256 x  4: 84.125      - 72.825, 23.988  22.69 18.432, 34.657 30.513,  27.85 23.865, 40.526;
    U64 None 256 x  8: 75.827      -  79.35, 30.412 31.442 26.172, 34.079   36.6, 30.577  28.81, 36.915;
    U64 None 256 x 16: 66.805      - 75.737, 31.413 35.202 35.538, 34.056 37.446, 31.464 31.586, 32.045;
    U64 None 512 x  4: 64.316      - 58.088, 21.912 20.926 15.598, 28.641 24.742, 26.007 22.826, 35.785;
    U64 None 512 x  8: 52.024      - 63.101, 27.843  29.46 22.306, 23.037 24.616, 24.659 24.785, 32.761;
    U64 None 512 x 16: 55.514      -  60.02, 28.321 31.338 31.721, 29.884 31.349, 29.305 29.605,      -;
    U32 U32  128 x  4: 101.43      - 87.167, 43.503 40.179 32.958, 67.303 52.159, 48.386  39.33, 61.668;
    U32 U32  128 x  8: 91.161      - 90.947, 56.116 53.547  49.08, 72.231 71.015, 53.064 50.314, 56.497;
    U32 U32  128 x 16: 75.877      - 80.793, 62.961 62.269 61.786, 67.587 76.138, 54.616 58.889, 62.097;
    U32 U32  256 x  4: 83.237      - 69.749, 43.784 39.047 32.069, 60.652 60.667, 47.914 44.015, 56.003;
    U32 U32  256 x  8: 74.797      - 75.054, 54.873 53.287 47.674, 59.101 68.665, 51.285 54.996, 52.588;
    U32 U32  256 x 16: 65.971      - 72.211, 56.494 57.868 58.046, 56.974 64.841, 52.873  59.17, 57.033;
    U32 U32  512 x  4: 63.614      - 54.566, 39.585 36.587 26.299, 47.197 44.605,  43.84 42.959, 49.658;
    U32 U32  512 x  8:  51.57      -  57.31, 50.506 49.569 39.887, 39.741 45.043, 40.345 46.321, 48.918;
    U32 U32  512 x 16: 55.013      - 48.067, 50.892 52.849 53.202, 49.856 52.185, 47.742 52.149, 50.381;
    U16 None 128 x  4: 198.31      -  138.0, 110.05 84.138 73.569, 146.49 125.26, 122.15 90.453,      -;
    U16 None 128 x  8: 203.21      - 164.48, 142.36 121.59 115.76,  154.5 160.05, 136.66 112.74,      -;
    U16 None 128 x 16:  189.6      - 175.67, 168.91 148.38 155.79,  150.7  177.2, 145.21 134.08,      -;
    U16 None 256 x  4: 162.63      - 104.85, 105.43  82.81 72.246, 128.41 131.36,  119.4  101.3,      -;
    U16 None 256 x  8: 169.45      - 130.39, 137.57  115.9 109.81, 140.32 149.45, 131.34 125.77,      -;
    U16 None 256 x 16: 157.31      - 144.63, 152.06 140.68 132.55, 135.06 148.79, 133.47  133.5,      -;
    U16 None 512 x  4: 129.63      - 83.589, 99.264 73.742 68.116, 107.21 100.72, 104.23 93.066,      -;
    U16 None 512 x  8: 133.41      - 105.63, 125.94 107.59 86.246, 117.19 120.73, 124.66 116.65,      -;
    U16 None 512 x 16: 129.87      - 120.72, 115.41 106.38  116.6, 109.08 119.26, 111.18 119.58,      -;
    I8 None  128 x  4: 195.23      - 136.13, 207.19 157.24  106.6, 192.15 222.16, 160.32 165.66,      -;
    I8 None  128 x  8: 198.84      - 161.87, 261.26 216.34  164.1, 211.62 272.46, 182.49 216.89,      -;
    I8 None  128 x 16: 185.67      -  172.8, 271.37 241.83 218.48, 215.91 293.39,  189.1 256.66,      -;
    I8 None  256 x  4: 158.43      - 104.39, 194.13 147.51 102.47,  179.2 228.15, 159.62 184.11,      -;
    I8 None  256 x  8: 166.44      - 128.54, 237.88 201.51 144.68, 197.71 261.23, 174.15 237.66,      -;
    I8 None  256 x 16: 155.09      - 142.52, 241.72 223.98 197.64, 196.11 251.82, 179.27 248.74,      -;
    I8 None  512 x  4: 131.85      - 83.549, 157.56 134.91 76.141, 151.08 181.82, 141.96 164.28,      -;
    I8 None  512 x  8: 132.97      - 105.54, 221.57 147.17  123.3, 166.63 217.64, 127.91 214.56,      -;
    I8 None  512 x 16: 128.85      - 119.89,  205.2 192.29 169.41, 160.96 210.79, 149.02 207.02,      -;
    F16 None 128 x  4: 182.33      - 121.66, 109.97 84.051  73.62, 131.54 123.27, 121.98 90.648,      -;
    F16 None 128 x  8: 187.82      - 142.34, 141.24 120.75 115.39, 137.02 148.24, 136.69 113.13,      -;
    F16 None 128 x 16: 175.42      - 150.26, 158.46 142.74 153.13, 136.42 158.22, 143.87 134.15,      -;
    F16 None 256 x  4: 152.65      - 95.944, 105.33 82.607 72.351, 116.44 117.53, 119.12  101.7,      -;
    F16 None 256 x  8: 158.26      - 116.13, 133.75 113.38 107.45, 125.63 138.44, 130.39 125.99,      -;
    F16 None 256 x 16: 148.01      - 127.38, 136.48 132.14 128.52, 123.05 135.48, 125.71 129.89,      -;
    F16 None 512 x  4: 124.07      - 77.759, 97.833  72.83 67.532, 101.19 96.315,  101.8 92.712,      -;
    F16 None 512 x  8: 127.99      - 97.574, 117.66 104.29 82.093,  106.7 111.32, 83.224 115.14,      -;
    F16 None 512 x 16: 124.48      - 109.26, 108.54 100.08 110.34, 98.969 116.68, 112.59 115.83,      -;
};
