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
    U32 None 128 x  4: 199.03      - 139.26, 56.158  48.67 37.706, 84.064 64.043, 57.881 45.869, 86.505;
    U32 None 128 x  8: 204.18      - 166.01, 77.575 71.405 60.513, 85.861 82.361, 64.647 57.132, 84.352;
    U32 None 128 x 16: 192.13      - 177.47, 94.098 93.062 85.661, 83.649 89.783, 68.371 68.416, 91.343;
    U32 None 256 x  4: 163.42      - 105.69, 56.371 47.994 37.447, 70.256 68.804, 57.503 51.719, 75.844;
    U32 None 256 x  8: 170.43      - 131.61, 75.361 69.984  58.76, 74.837 78.879, 63.646 64.304, 75.622;
    U32 None 256 x 16: 158.08      - 145.45, 86.271 87.301 75.838, 72.937 78.598, 65.729 70.306, 86.416;
    U32 None 512 x  4: 130.02      - 84.014, 52.828 44.163 35.643, 57.821 52.286, 51.977  48.24,   64.2;
    U32 None 512 x  8: 134.88      - 105.92, 68.025 64.799 48.098, 61.976 62.018, 60.527 61.834,  67.43;
    U32 None 512 x 16: 128.38      - 119.36, 68.626  69.47 67.422, 61.973 67.904, 59.178 64.395, 69.968;
    F32 U32  128 x  4: 98.177 132.54 81.671, 44.735 40.741   33.3, 68.414 54.092, 41.719 38.408, 61.701;
    F32 U32  128 x  8:  88.72 140.46  84.96, 57.712 55.411 50.117, 71.223  70.97, 45.133 49.015, 56.448;
    F32 U32  128 x 16: 73.825 124.87 75.866, 64.373 65.432 64.771, 70.031 72.972, 46.837 57.543, 64.004;
    F32 U32  256 x  4: 80.927 114.37 66.701, 44.794 39.918 32.476, 60.877 60.075, 41.523 43.079,  55.99;
    F32 U32  256 x  8: 73.528 113.75 71.678, 55.857 54.866 48.317, 58.816 67.062, 44.312 52.151,  53.67;
    F32 U32  256 x 16: 64.566 103.15 69.106, 57.241 60.099 60.275, 58.306 65.297, 45.577  58.14, 57.616;
    F32 U32  512 x  4: 63.234  91.26 53.515, 39.967 36.927 26.562, 46.788 44.724, 38.444 41.735,  49.69;
    F32 U32  512 x  8: 51.033 91.097 55.449, 49.987 49.966 41.335, 38.813 44.844, 35.696 45.143, 50.075;
    F32 U32  512 x 16: 54.405 87.124 46.189, 50.161 52.101 53.218,  48.65 53.537, 41.394   52.6, 49.736;
    U64 None 128 x  4:  103.3      - 91.767, 23.988 22.783 18.785, 38.915 26.972, 28.043  20.25, 45.702;
    U64 None 128 x  8: 92.288      - 95.682, 31.059 32.049 28.175,   41.8 36.322, 30.925 26.185, 41.795;
    U64 None 128 x 16: 76.538      - 86.552,  35.22 37.656 37.689, 39.831 40.163, 32.503 30.985, 34.085;
    U64 None 256 x  4:  84.23      - 72.805, 23.992  22.69  18.43, 34.647 30.519, 27.867 23.896, 40.504;
    U64 None 256 x  8: 75.792      -  79.35, 30.387  31.44 26.171, 34.081 36.596,  30.58 28.801, 36.924;
    U64 None 256 x 16: 66.733      - 75.835,  31.38 35.223 35.508, 34.082 37.456, 31.468 31.596, 32.031;
    U64 None 512 x  4:   64.1      - 57.908, 21.884 20.919 15.595, 28.586 24.702, 25.966 22.831, 35.736;
    U64 None 512 x  8:  52.01      - 63.108, 27.828 29.447 22.282, 23.051 24.691, 24.655 24.775, 32.724;
    U64 None 512 x 16: 55.464      - 59.999, 28.331 31.111 31.557, 29.879 31.284, 29.299 29.583,      -;
    U32 U32  128 x  4: 102.04 139.88 87.465,  43.43 40.169 32.959, 67.288 52.185,  48.41 39.357, 61.628;
    U32 U32  128 x  8: 91.284  144.9 90.947, 56.222  53.63 49.106, 72.191  70.97, 53.025 50.275, 56.512;
    U32 U32  128 x 16: 75.792 129.95 80.753, 62.881 62.267 61.783,  67.42 76.108, 54.608 58.889, 62.048;
    U32 U32  256 x  4: 82.725 117.71 69.567, 43.784 39.087 32.113, 60.962 60.715, 47.971 44.027, 55.985;
    U32 U32  256 x  8: 74.781 112.14 75.038, 54.879 53.323 47.687, 59.141 68.602,  51.28 54.951, 52.496;
    U32 U32  256 x 16: 66.037 102.67 72.179, 56.439 57.846 57.979, 56.856 64.629, 52.881 59.063, 56.992;
    U32 U32  512 x  4: 63.525 94.705  54.52, 39.601  36.58 26.287, 47.141 44.568, 43.814 42.889,  49.64;
    U32 U32  512 x  8: 51.473 94.475 57.248, 50.518 49.494 39.878, 39.732 45.083, 40.394 46.265, 48.927;
    U32 U32  512 x 16: 54.961 88.053 48.057, 50.896 52.853  53.22, 49.847 52.173, 47.786 52.189, 50.479;
    U16 None 128 x  4: 198.41      - 137.96, 110.08 84.074 73.404, 146.37 125.05, 121.92 90.134, 104.12;
    U16 None 128 x  8:  202.7      - 164.16, 142.05 121.52 115.54, 154.42 159.15, 136.44 112.64,  133.4;
    U16 None 128 x 16: 188.52      - 175.63, 169.13 148.65 155.24, 150.36 177.08, 145.13 134.02, 165.05;
    U16 None 256 x  4: 162.76      - 104.67,  105.0 82.731 72.089, 128.49 131.26, 119.57 101.36, 99.883;
    U16 None 256 x  8:  169.7      - 130.58, 137.67 115.73 109.76,  140.4 149.17, 131.14 125.51, 131.37;
    U16 None 256 x 16: 157.48      - 144.46, 151.64 140.66 132.76, 135.16  148.7, 134.14 133.51,  155.2;
    U16 None 512 x  4: 129.61      - 83.522, 99.349 73.794  68.12, 107.31 100.85, 104.42 93.169, 94.013;
    U16 None 512 x  8: 133.34      - 105.64, 125.98 107.61 86.118, 117.13 120.62, 124.85 116.82, 121.38;
    U16 None 512 x 16: 129.89      - 120.56, 115.23 106.24 116.45, 108.87 120.17, 111.34 119.52, 123.75;
    I8 None  128 x  4: 194.83      - 136.33, 208.24  157.2 106.73, 192.19 222.77, 160.38 165.74, 201.24;
    I8 None  128 x  8: 198.65      - 161.93, 260.97 216.11 164.06, 211.66  271.3, 182.41 216.56, 247.98;
    I8 None  128 x 16: 185.28      - 172.86, 270.81  242.0 218.25, 214.43 292.53, 189.14 256.66, 282.18;
    I8 None  256 x  4: 158.11      - 104.39, 194.16 147.57 102.33, 178.94  228.7, 159.53 184.74, 191.14;
    I8 None  256 x  8:  166.6      - 128.36, 237.02 201.42 144.61, 198.03 260.29, 174.02  237.8, 232.78;
    I8 None  256 x 16: 155.34      - 142.57, 242.03 223.94 197.86, 196.56 252.61, 179.47 249.25,  268.9;
    I8 None  512 x  4: 132.18      - 83.569, 157.47 134.72 76.061, 150.43 181.63, 141.48  163.5, 167.56;
    I8 None  512 x  8: 133.05      - 105.63, 221.92 147.54 123.51, 166.69 217.57, 128.02 215.18, 211.13;
    I8 None  512 x 16:  129.0      -  119.9, 205.58 192.72 169.88, 161.21 212.03, 149.24 207.02, 212.78;
    F16 None 128 x  4: 182.38      - 121.76, 110.03 84.024 73.335, 131.59  123.3, 122.08 90.204, 104.34;
    F16 None 128 x  8:  187.8      - 142.43, 141.06 120.69 115.29, 137.02 148.34, 136.75 113.07, 133.12;
    F16 None 128 x 16: 175.35      - 150.55, 158.72 142.59 153.19,  136.4 157.57, 143.86 134.44, 162.63;
    F16 None 256 x  4: 152.89      - 95.839, 104.88 82.248 72.129, 115.42 116.87, 118.63 101.21, 98.741;
    F16 None 256 x  8: 157.76      - 115.81, 132.99 112.99 107.13,  125.2 137.96, 129.97 124.98, 126.62;
    F16 None 256 x 16: 146.56      - 127.18, 136.32 131.87 128.42, 122.85  135.2, 125.34 129.61, 146.26;
    F16 None 512 x  4: 124.03      - 77.747, 97.911 72.755  67.48, 101.29 96.341, 101.86 92.807, 90.278;
    F16 None 512 x  8: 126.88      - 96.799, 117.09  103.9 82.032, 106.72 111.25, 83.227 115.12, 114.68;
    F16 None 512 x 16: 123.87      - 108.97, 108.13 99.822 110.05,  98.89 115.72, 112.59 115.93, 114.01;
};
