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
    U32 None 128 x  4: 200.84      - 139.86, 56.287 48.795 37.849, 81.729 63.468, 57.968 46.046, 86.898;
    U32 None 128 x  8: 205.85      - 166.91, 77.861 71.668 61.072, 89.552 83.403,  64.97  57.63, 84.478;
    U32 None 128 x 16: 193.29      - 178.36, 94.892 93.363 86.168, 85.586 93.381, 68.039 68.658, 91.776;
    U32 None 256 x  4: 164.75      - 106.04, 56.461 47.985 37.537, 70.329 71.711, 57.616 49.199, 76.163;
    U32 None 256 x  8: 171.72      -  132.2,  75.88 70.471  59.34, 77.055 84.234, 63.463 64.873, 75.845;
    U32 None 256 x 16: 159.24      - 146.54, 87.635 88.282 77.403, 75.142 84.602, 66.056 70.666,   86.7;
    U32 None 512 x  4: 130.64      - 84.292, 52.895 44.491 35.817,  58.42 57.737, 52.034 51.276, 64.402;
    U32 None 512 x  8: 135.61      - 106.23, 69.441 65.673 48.317, 64.133 63.394, 60.746 61.356, 67.611;
    U32 None 512 x 16: 129.23      - 119.89, 69.729 71.307 69.215, 63.624 70.151, 60.245 66.117, 70.209;
    U64 None 128 x  4: 103.77      - 91.999, 23.809 22.619 18.799, 38.951 27.104, 27.977 20.342, 45.759;
    U64 None 128 x  8: 92.694      - 96.167, 31.033 32.017 28.289, 41.986 36.207, 30.937 26.202, 41.801;
    U64 None 128 x 16: 76.623      - 86.731, 35.022 37.564 37.601, 39.511 40.258, 32.336 30.865, 34.082;
    U64 None 256 x  4: 84.435      - 72.943, 23.964 22.674 18.439, 35.322 32.345, 28.013 22.751, 40.591;
    U64 None 256 x  8: 76.044      - 79.519, 30.364 31.391  26.36, 33.289 37.473, 30.509   28.9, 36.976;
    U64 None 256 x 16: 67.014      -  75.97, 31.794 35.659  35.74, 34.528  37.47, 31.674 31.699, 32.098;
    U64 None 512 x  4: 64.495      - 58.236, 21.952 21.003 15.657, 28.446 24.872, 26.107 22.765, 35.836;
    U64 None 512 x  8: 52.037      - 63.103, 28.231  29.72 23.757, 24.448 24.885, 26.224 27.751, 32.732;
    U64 None 512 x 16: 55.534      - 60.031, 29.204 32.669 32.977, 30.278 31.856, 29.186 30.091,      -;
    U16 None 128 x  4: 252.82      - 138.38,  110.1 84.399  73.69, 145.99 117.28, 122.11 90.739, 104.81;
    U16 None 128 x  8: 267.06      - 165.32, 143.48 121.76 116.52, 162.95 162.55, 137.01 113.44, 133.64;
    U16 None 128 x 16:  277.6      - 176.73, 172.39 150.56 158.29, 155.78 193.79, 143.07 134.31, 167.23;
    U16 None 256 x  4: 198.08      - 105.06, 105.88 82.926 72.483, 132.08 138.57, 120.22 96.641, 100.31;
    U16 None 256 x  8: 224.42      - 131.12, 138.65 116.49 110.91,  148.0  156.2,  132.2 126.73, 132.38;
    U16 None 256 x 16: 234.39      - 145.25, 154.53 142.32 139.18, 141.41  155.5, 135.99 135.29,  156.5;
    U16 None 512 x  4: 161.09      - 83.875, 100.01 74.901 68.392,  109.0 107.14, 104.95 98.808, 94.354;
    U16 None 512 x  8: 177.32      -  106.1, 129.06 109.05 89.134, 121.75 125.41, 125.48 117.74, 121.97;
    U16 None 512 x 16: 188.37      - 121.24, 123.42 112.16 123.87, 118.19 127.69, 117.52 122.61,  124.5;
    I8 None  128 x  4: 247.04      - 136.84, 208.81 157.86 107.21, 204.72 399.81,      -      -,  202.9;
    I8 None  128 x  8: 259.19      - 162.82,  264.4 218.01 165.32, 228.69 480.17,      -      -, 251.97;
    I8 None  128 x 16: 268.03      - 173.65, 286.55 247.14 221.33, 227.34 528.19,      -      -, 284.79;
    I8 None  256 x  4: 203.14      - 104.42, 199.88 151.13 105.34, 186.05 426.07,      -      -, 193.15;
    I8 None  256 x  8: 217.86      - 129.15, 243.83 214.79 160.46, 209.09 483.35,      -      -, 234.86;
    I8 None  256 x 16: 229.73      - 143.09, 248.18 228.01 200.48, 203.25 516.41,      -      -, 271.52;
    I8 None  512 x  4: 167.79      - 83.725, 176.75 137.59 97.797, 163.22 388.92,      -      -,  169.1;
    I8 None  512 x  8: 173.63      - 105.91, 227.14 196.71 124.71, 180.98 423.83,      -      -, 213.22;
    I8 None  512 x 16: 184.39      - 120.42, 212.78 199.29 173.26, 164.13 468.37,      -      -, 214.54;
    F16 None 128 x  4: 228.32      - 121.97, 110.39 84.376 73.659, 133.38  117.2, 121.87 90.765, 104.95;
    F16 None 128 x  8: 242.66      -  143.0, 142.95 121.39 116.38, 146.43 156.55,  136.8 113.58, 133.69;
    F16 None 128 x 16: 248.53      - 151.05, 164.89 145.13 155.23, 143.04 174.35, 141.31 134.45, 163.31;
    F16 None 256 x  4: 183.99      - 96.075, 106.01 82.653 72.674, 121.57 129.32, 119.27 96.834, 99.575;
    F16 None 256 x  8: 205.25      - 116.46, 133.48 115.44 108.19, 136.32 144.73, 130.17 126.98, 127.77;
    F16 None 256 x 16: 216.82      - 127.98, 146.87 134.72  131.9, 127.43 145.81, 131.92 133.56,  147.5;
    F16 None 512 x  4: 152.83      - 77.956, 98.257 72.547 67.959, 104.11 102.15,  102.4 98.774, 91.195;
    F16 None 512 x  8: 166.03      -  97.82, 118.16 105.14 82.994, 114.68 115.02, 122.17 114.55, 115.09;
    F16 None 512 x 16: 143.81      - 109.83, 111.79 103.07 113.75, 107.47 118.22, 112.12 117.72, 115.65;
    F32 U32  128 x  4: 99.007 133.33 81.962,  44.83 40.899 33.367, 69.435 54.018, 41.737 38.544, 61.773;
    F32 U32  128 x  8: 88.947 139.85 85.119,  57.87 55.507 50.242, 72.535 70.259, 44.972 49.044, 56.507;
    F32 U32  128 x 16: 74.001 125.53 76.134, 65.337  65.43 65.018, 69.539 76.359, 46.732 57.556, 63.953;
    F32 U32  256 x  4: 81.217 114.03 66.744,  44.81  39.97 32.553, 59.964 60.238, 41.504 43.133, 56.207;
    F32 U32  256 x  8: 73.774 114.23 71.812, 55.918 55.036 48.154, 59.434   67.9, 44.324 53.761, 53.845;
    F32 U32  256 x 16: 64.704 103.57 69.162, 57.217  60.08   60.1, 58.061 66.839, 44.986 57.502, 57.737;
    F32 U32  512 x  4: 63.634 91.971 53.706,  39.87 37.029  26.55, 46.816 44.693, 38.395 42.298, 49.783;
    F32 U32  512 x  8: 51.028 91.545 55.466, 50.507 50.342 41.622, 40.756 45.528, 37.635 52.965,  50.15;
    F32 U32  512 x 16: 54.537 87.464 46.268, 50.594 52.588 53.548, 48.865 55.152, 41.793 52.646, 50.201;
    U32 U32  128 x  4: 102.41  140.4 87.153, 43.559  40.27  32.99, 68.551 52.025, 48.523 39.513, 61.863;
    U32 U32  128 x  8: 91.499 145.52 91.255, 56.414  53.82 49.271, 73.854 69.145, 53.287 50.464, 56.685;
    U32 U32  128 x 16:  76.27 130.73 81.038, 64.188  63.23 62.676, 68.664 76.298, 54.949 59.346, 62.251;
    U32 U32  256 x  4: 83.456 118.87 69.987, 43.864 39.168 32.271, 60.578 60.831, 48.055 44.185, 56.189;
    U32 U32  256 x  8: 75.131 112.61 75.305, 55.381 53.775 47.949, 59.651 69.843, 51.802 52.784, 52.712;
    U32 U32  256 x 16: 66.154  103.1 72.423, 57.512 58.692 58.684, 58.792 68.051,  53.07 59.327, 57.138;
    U32 U32  512 x  4: 63.669 95.045 54.598, 39.655 36.728 26.491, 47.039 45.821, 43.872 43.589, 49.772;
    U32 U32  512 x  8: 51.378 94.558 57.313, 51.148 50.039 40.389, 41.487 46.218, 43.111 54.052, 48.985;
    U32 U32  512 x 16:   55.1 88.248  48.09, 52.189  53.75 54.089, 50.153 55.987, 48.481 54.591, 50.587;
};
