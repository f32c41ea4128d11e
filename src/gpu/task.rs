//! What a device is to sort.

use std::ops::Range;

use sortsmith_codegen::dispatch::{ArraySort, Method};
use sortsmith_codegen::{KeyType, Order, ValueType};

use crate::algorithm::ArrayAlgorithm;
use crate::value::Carried;

/// What to sort and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Type of the keys.
    pub key: KeyType,
    /// The values: none, values that the kernels move or that are gathered, or `u32` positions that the sort makes.
    pub value: Carried,
    /// Ascending or descending.
    pub order: Order,
    /// The ordered bits that take part, a range of the key's.
    pub bits: Range<u32>,
    /// All NaNs last.
    pub nan_last: bool,
    /// The algorithm that sorts them.
    pub algorithm: ArrayAlgorithm,
    /// Equal keys keep their input order; else they need not.
    pub stable: bool,
    /// A number in the device's memory says how many keys, or rows, there are.
    pub counted: bool,
    /// Number of keys, at least 2 unless they are counted, and then the most; at most 2³² where the sort makes positions.
    pub n: usize,
}

impl Task {
    /// The sort, whatever its length.
    pub fn array_sort(&self) -> ArraySort {
        let Self { key, value, order, ref bits, nan_last, algorithm, stable, counted, .. } = *self;
        let method = match algorithm {
            ArrayAlgorithm::Fastest => Method::Fastest,
            ArrayAlgorithm::Bitonic => Method::Network { stable },
            ArrayAlgorithm::Partition => Method::Partition,
        };
        let takes_bits = *bits != (0..key.bits());
        let value = value.moved();
        ArraySort { key, value, order, nan_last, takes_bits, counted, method }
    }

    /// Bytes of one value that comes out.
    pub fn value_bytes(&self) -> usize {
        match self.value {
            Carried::As(ValueType::Index) => size_of::<u32>(),
            Carried::As(value) => value.bytes() as usize,
            Carried::ByPosition(spec) => spec.item_bytes() as usize,
        }
    }

    /// Bytes of all keys.
    pub fn key_bytes(&self) -> usize {
        self.n.saturating_mul(self.key.bytes() as usize)
    }

    /// Bytes of one position for each key.
    pub fn position_bytes(&self) -> usize {
        self.n.saturating_mul(size_of::<u32>())
    }
}

/// A number of items or of rows in the device's memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CountAddress {
    /// Where it is; 0 if the host knows how many there are.
    pub address: u64,
    /// Its bytes: 4 or 8.
    pub bytes: u32,
}

/// Addresses of device arrays of `n` items each. A sort in place names the same array as input and output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrays {
    /// The keys.
    pub keys_in: u64,
    /// Where sorted keys go, or `None` if the caller wants positions only.
    pub keys_out: Option<u64>,
    /// The values; 0 if there are none, or if they are positions, which the sort makes.
    pub values_in: u64,
    /// Where sorted values or positions go; 0 if there are none.
    pub values_out: u64,
    /// How many of the items or rows are sorted, where the task's are counted.
    pub count: CountAddress,
}

impl Arrays {
    /// Keys and values from these addresses to those.
    pub fn between((keys_in, values_in): (u64, u64), (keys_out, values_out): (u64, u64)) -> Self {
        let count = CountAddress::default();
        Self { keys_in, keys_out: Some(keys_out), values_in, values_out, count }
    }

    /// Keys and values in place.
    pub fn in_place(keys: u64, values: u64) -> Self {
        Self::between((keys, values), (keys, values))
    }

    /// The first items or rows alone, as many as a number in the device's memory says.
    pub fn counted(self, count: CountAddress) -> Self {
        Self { count, ..self }
    }

    /// Keys that are only read, and where positions go.
    pub fn argsort(keys: u64, positions: u64) -> Self {
        let count = CountAddress::default();
        Self { keys_in: keys, keys_out: None, values_in: 0, values_out: positions, count }
    }

    /// The same, with sorted keys at this address if it is not 0.
    pub fn with_keys(self, sorted: u64) -> Self {
        Self { keys_out: (sorted != 0).then_some(sorted), ..self }
    }

    /// The same arrays from this item on.
    pub fn at_item(self, item: usize, task: &Task) -> Self {
        let item = item as u64;
        let (keys, values) = (item * u64::from(task.key.bytes()), item * task.value_bytes() as u64);
        let value = |address: u64| if address == 0 { 0 } else { address + values };
        Self {
            keys_in: self.keys_in + keys,
            keys_out: self.keys_out.map(|address| address + keys),
            values_in: value(self.values_in),
            values_out: value(self.values_out),
            count: self.count,
        }
    }
}
