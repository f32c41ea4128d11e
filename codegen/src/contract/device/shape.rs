//! Shapes of device-wide sorts: which were measured to be the fastest for which types, and which a search tries.

use std::fmt;

use super::algorithm::DeviceAlgorithm;
use super::spec::{DeviceFields, DeviceSpec};
use crate::types::{KeyType, ValueType};

/// How a device-wide sort is laid out, whatever its types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// How the array is sorted.
    pub algorithm: DeviceAlgorithm,
    /// Threads of a block.
    pub threads: u32,
    /// Items per thread.
    pub items: u32,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = self.algorithm.word();
        f.pad(&format!("{word} {}x{}", self.threads, self.items))
    }
}

impl DeviceSpec {
    /// How it is laid out.
    pub fn shape(&self) -> Shape {
        let DeviceFields { algorithm, threads, items, .. } = self.fields();
        Shape { algorithm, threads, items }
    }
}

/// Where a built-in row comes from: a record of these benches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Provenance {
    /// The GPU.
    pub gpu: &'static str,
    /// The day of the record.
    pub date: &'static str,
    /// Types of what was sorted, as records write them.
    pub types: &'static str,
    /// How many random keys.
    pub n: u64,
    /// How many times as fast as CUB's best.
    pub ratio: f64,
}

impl Provenance {
    /// A row of the newest record of an H200.
    pub(crate) const fn h200(types: &'static str, n: u64, ratio: f64) -> Self {
        Self { gpu: "NVIDIA H200", date: "2026-11-23", types, n, ratio }
    }
}

/// A built-in row: a shape, and what it is for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BuiltInRow {
    /// The shape.
    pub shape: Shape,
    /// The fewest items that it is for.
    pub least_items: u64,
    /// The most items that it is for; [`Self::ANY_ITEMS`] where there is no such number.
    pub most_items: u64,
    /// The fewest bytes of a key and its value, and the most.
    pub bytes: [u32; 2],
    /// The fewest bits of a key.
    pub least_key_bits: u32,
    /// What was measured; nothing where the row follows its neighbours' rule.
    pub measured: Option<Provenance>,
}

impl BuiltInRow {
    /// Of a row for any number of items.
    pub const ANY_ITEMS: u64 = u64::MAX;

    /// Whether the row is for n items of these types.
    pub(crate) fn is_for(&self, key: KeyType, value: ValueType, n: u64) -> bool {
        let [least, most] = self.bytes;
        (self.least_items..=self.most_items).contains(&n)
            && (least..=most).contains(&(key.bytes() + value.bytes()))
            && key.bits() >= self.least_key_bits
    }
}

/// How many billions of keys a second a sort of many rows sorts, as the columns grow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RowSpeed {
    /// Of long rows.
    pub full: f64,
    /// What it is of shorter ones.
    pub of_short_rows: ShortRows,
}

/// How a sort of many rows loses speed with shorter ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ShortRows {
    /// In proportion to the columns, below this number of them.
    InProportionBelow(u32),
    /// A row takes as long as if it had this number of keys more.
    AsWithMore(f64),
}

impl RowSpeed {
    /// The figure for rows of a number of columns.
    pub fn at(self, columns: u32) -> f64 {
        match self.of_short_rows {
            ShortRows::InProportionBelow(least) => {
                self.full * f64::from(columns.min(least)) / f64::from(least)
            }
            ShortRows::AsWithMore(keys) => {
                let columns = f64::from(columns);
                self.full * columns / (columns + keys)
            }
        }
    }
}

/// The shapes of a family that a search tries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    /// Threads of a block.
    pub threads: &'static [u32],
    /// Items per thread, of each of these.
    pub items: &'static [u32],
    /// How many times as small as the tile for the most items a tile may be, if each tile costs workspace.
    pub most_tiles: Option<u32>,
}
