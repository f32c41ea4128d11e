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
    U32 None 128 x  4: 200.39      - 139.73, 56.342 48.779 37.737, 84.371 64.219, 57.989 45.958, 86.801;
    U32 None 128 x  8: 205.76      - 167.16, 77.845  71.56   60.9, 86.308 82.552, 64.812 57.578, 84.381;
    U32 None 128 x 16: 193.18      - 178.13, 94.233 93.065 85.843, 83.856 89.897, 68.429 68.594, 91.603;
    U32 None 256 x  4: 164.85      - 106.15, 56.529 48.012 37.469, 70.469 68.942, 57.603  51.91, 75.953;
    U32 None 256 x  8: 171.23      - 131.94, 75.523 70.145 58.823, 75.055 79.217, 63.693 64.319, 75.926;
    U32 None 256 x 16: 159.29      - 146.28, 86.577 87.479 75.866, 73.226 78.973, 66.069 70.438, 86.456;
    U32 None 512 x  4: 130.61      - 84.296, 52.921 44.171 35.698, 57.853 52.343, 52.003 48.265, 64.267;
    U32 None 512 x  8: 135.43      - 106.15, 68.085 64.867 48.029,  61.97  62.21, 60.607 61.927, 67.527;
    U32 None 512 x 16:  129.1      - 119.84, 68.768 69.559 67.809, 62.071 68.035, 59.109 64.435, 70.081;
    U64 None 128 x  4: 103.47      - 91.916, 23.788 22.605 18.773,  38.91 26.921, 28.046 20.249, 45.653;
    U64 None 128 x  8: 92.371      - 95.936,   31.0 32.022 28.149, 41.749 36.277, 30.891 26.162, 41.768;
    U64 None 128 x 16: 76.484      - 86.696, 35.207 37.709 37.681, 39.834 40.286, 32.489 30.982, 34.039;
    U64 None 256 x  4: 84.415      - 73.015, 23.958 22.645 18.409, 34.665 30.517, 27.871 23.904, 40.526;
    U64 None 256 x  8: 75.893      - 79.392, 30.448  31.49 26.206, 34.128 36.644, 30.611 28.844, 36.894;
    U64 None 256 x 16: 66.845      -  75.94, 31.376 35.227 35.433, 34.097 37.451,   31.5 31.593, 32.081;
    U64 None 512 x  4: 64.393      -  58.25, 21.896 20.911 15.592, 28.626 24.725, 25.997 22.818, 35.763;
    U64 None 512 x  8: 52.064      - 63.177, 27.849 29.456 22.301, 23.068 24.666, 24.654 24.775, 32.797;
    U64 None 512 x 16: 55.558      - 60.088,   28.2 30.809 31.258, 29.889 31.315,  29.29 29.575,      -;
    U16 None 128 x  4: 199.47      - 138.83, 110.46 84.399 73.747, 147.22 125.99, 122.49 90.823, 104.88;
    U16 None 128 x  8: 204.77      - 165.33, 142.96 121.97 116.06, 155.17 161.04, 137.39 113.17, 133.84;
    U16 None 128 x 16: 191.01      - 176.85, 170.67 149.27  156.7, 151.53 178.72, 146.26 135.04, 167.17;
    U16 None 256 x  4: 163.49      - 105.08, 105.78 83.015   72.4, 128.93 131.82,  119.9 101.61, 100.06;
    U16 None 256 x  8: 170.86      - 131.19, 138.01 116.12 110.36, 140.86  150.2, 131.85 126.31, 132.42;
    U16 None 256 x 16: 158.35      - 145.21, 152.93 141.33 133.34, 135.89 149.62, 134.33  134.4, 156.39;
    U16 None 512 x  4: 130.06      - 83.655, 99.758  73.95 68.349, 107.87 101.34, 104.79 93.407, 94.241;
    U16 None 512 x  8: 134.32      - 105.98,  126.3 107.79 86.199, 117.44 121.05, 125.36 117.29, 122.06;
    U16 None 512 x 16: 130.65      - 121.14, 115.73 106.61 116.84, 109.57 120.12, 111.52 119.96, 124.37;
    I8 None  128 x  4: 196.36      - 136.77, 209.23 158.29 106.98, 193.67 224.29, 161.61 166.94, 202.55;
    I8 None  128 x  8:  200.0      - 162.95, 263.71 218.15  165.0, 212.97 274.62, 183.41  218.3, 251.42;
    I8 None  128 x 16: 186.83      - 173.87, 273.87  243.8 219.91, 217.55 297.13, 190.21 258.99, 284.57;
    I8 None  256 x  4: 159.15      - 104.69, 195.28 148.15 102.76, 179.97 230.55, 160.61 186.25, 193.29;
    I8 None  256 x  8: 167.92      - 129.21, 239.89 203.31 145.54, 199.76 264.42, 175.84 240.64, 235.53;
    I8 None  256 x 16: 156.17      - 143.13, 244.14 225.98 199.03, 197.64 254.15, 180.79 251.72, 271.43;
    I8 None  512 x  4: 132.89      - 83.886, 158.15  135.4 76.242, 151.98 182.99, 142.53 165.84, 169.54;
    I8 None  512 x  8: 133.63      -  106.0, 223.83 148.12 124.22, 167.62 219.66, 128.54 216.64, 213.35;
    I8 None  512 x 16: 129.57      - 120.51, 206.75 193.95 170.87, 162.04 213.31, 150.12 208.77, 214.37;
    F16 None 128 x  4: 183.55      - 122.25, 110.44 84.335 73.754, 132.07 123.79, 122.47 90.733, 104.92;
    F16 None 128 x  8:  188.5      - 143.04,  141.8 121.07  115.6, 137.42 149.08, 137.24 113.35, 133.89;
    F16 None 128 x 16: 176.53      - 151.28, 159.45 143.63 154.04, 137.25 159.25,  144.7 135.16,  163.7;
    F16 None 256 x  4:  153.7      - 96.371, 105.65 82.923 72.674, 117.04 118.18,  119.6 101.79, 99.752;
    F16 None 256 x  8: 159.36      - 116.48, 134.35 113.95 107.82, 126.21  139.2, 131.13 126.67, 128.07;
    F16 None 256 x 16: 148.67      - 127.81, 136.99 132.71 128.89, 123.47  136.1, 126.26  130.5, 147.47;
    F16 None 512 x  4: 124.55      - 77.817, 98.275 72.983 67.713, 101.61 96.682, 102.11 92.924,  91.01;
    F16 None 512 x  8: 128.23      - 97.664, 118.29 104.78 82.333, 106.81 111.57,  83.38 115.42, 114.99;
    F16 None 512 x 16: 124.67      - 109.53, 108.82 100.28 110.71, 99.541 116.92, 113.04 116.29, 115.46;
    F32 U32  128 x  4: 99.156 133.63 81.897, 44.667 40.724 33.331, 68.576 54.236, 41.853 38.501, 61.691;
    F32 U32  128 x  8: 88.793 139.87 85.159, 57.736 55.423 50.168, 71.258 70.958,  45.13 49.004, 56.431;
    F32 U32  128 x 16:  73.89 125.43 76.137, 64.437 65.522 64.893, 69.986 72.889, 46.777   57.5, 63.976;
    F32 U32  256 x  4:  81.11 113.88  66.65, 44.795 39.897 32.499, 60.884 60.194, 41.571 43.085, 55.954;
    F32 U32  256 x  8: 73.688 114.09 71.797, 55.881 54.906  48.33, 59.118 67.373, 44.467 52.351, 53.719;
    F32 U32  256 x 16: 64.776 103.46 69.218, 57.348 60.123 60.372, 58.489 65.545, 45.717   58.2, 57.757;
    F32 U32  512 x  4: 63.652 92.047 53.784, 40.145 36.988 26.589, 46.876 44.833, 38.501 41.823, 49.742;
    F32 U32  512 x  8:  51.09 91.405 55.579, 50.037  50.04 41.451, 38.858 44.961, 35.694 45.368, 50.215;
    F32 U32  512 x 16: 54.549 87.459 46.303, 50.298 52.263 53.256, 48.761 53.691, 41.435 52.717, 50.271;
    U32 U32  128 x  4:  102.4 140.43 87.674, 43.485 40.196 32.921, 67.441 52.175, 48.505 39.397, 61.759;
    U32 U32  128 x  8: 91.416 145.32 91.123,  56.22 53.602 49.103, 72.281 71.011, 53.088 50.313, 56.498;
    U32 U32  128 x 16: 76.061  130.5 81.054, 63.122 62.462 61.878, 67.688 76.239, 54.631 58.956, 62.262;
    U32 U32  256 x  4: 83.255 118.83 69.908, 43.867 39.096 32.151, 61.112 60.908, 48.058 44.127, 56.039;
    U32 U32  256 x  8: 74.997 112.67 75.273, 55.011 53.474 47.755, 59.246 68.811, 51.367 55.106, 52.661;
    U32 U32  256 x 16: 66.147 103.15 72.229, 56.596 57.949 58.234, 56.933 64.949, 52.946 59.313, 57.035;
    U32 U32  512 x  4: 63.757   95.2 54.656, 39.621 36.592 26.225, 47.252 44.633, 43.843 42.939, 49.731;
    U32 U32  512 x  8: 51.404 94.608 57.291, 50.601 49.663 39.983,  39.76 45.132, 40.338 46.385, 48.964;
    U32 U32  512 x 16: 55.049 88.229 48.095,  50.94 52.881 53.178, 49.951 52.256, 47.785 52.213, 50.765;
};
