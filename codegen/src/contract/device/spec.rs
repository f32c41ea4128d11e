//! What is sorted device-wide and how: [`DeviceFields`] says it, [`DeviceSpec`] is one that is known to be legal.

use std::ops::Deref;

use super::algorithm::DeviceAlgorithm;
use crate::contract::validate::{DeviceSpecError, SCALAR_KEYS};
use crate::types::{KeyClass, KeyType, Order, ValueType};

/// The fields of a [`DeviceSpec`], legal or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DeviceFields {
    /// How the array is sorted.
    pub algorithm: DeviceAlgorithm,
    /// The type of the keys.
    pub key: KeyType,
    /// What travels with each key.
    pub value: ValueType,
    /// Threads of a block.
    pub threads: u32,
    /// Items per thread.
    pub items: u32,
    /// Which end comes first.
    pub order: Order,
    /// Whether NaNs come last in either order.
    pub nan_last: bool,
    /// Whether there may be more than [`MAX_NARROW_ITEMS`](Self::MAX_NARROW_ITEMS), which takes counts of 64 bits. All families have it in their
    /// names' grammar; one that has no such counts refuses it, and another family is chosen.
    pub wide: bool,
    /// Whether the number of items, or of a sort of rows the number of rows, is read from the device's memory.
    pub counted: bool,
}

impl DeviceFields {
    /// The most items of a sort that is not [`wide`](Self::wide).
    pub const MAX_NARROW_ITEMS: u64 = (1 << 30) - 1;

    /// Items of a tile.
    pub fn tile_items(&self) -> u32 {
        self.threads.saturating_mul(self.items)
    }

    /// Tiles of an array of n items.
    pub(crate) fn tile_count(&self, n: u64) -> u64 {
        n.div_ceil(u64::from(self.tile_items()))
    }

    /// The rules that all families have, behind those of [`Self::threads`] and [`Self::key`], which are each family's own.
    pub(crate) fn check_common(&self) -> Result<(), DeviceSpecError> {
        require((1..=64).contains(&self.items), "items", self.items.to_string(), "1 to 64")?;
        require(
            !self.nan_last || self.key.info().class == KeyClass::Float,
            "nanlast",
            self.nan_last.to_string(),
            "for floats only",
        )
    }

    /// The rule of families with launches that say which items meet: the host has to know how many there are.
    pub(crate) fn require_known_count(&self) -> Result<(), DeviceSpecError> {
        let legal = "false: the launches of this family depend on the number of items";
        require(!self.counted, "counted", self.counted.to_string(), legal)
    }
}

/// An error unless the value is legal.
pub(crate) fn require(
    is_legal: bool,
    field: &'static str,
    value: String,
    legal: &str,
) -> Result<(), DeviceSpecError> {
    if is_legal { Ok(()) } else { Err(DeviceSpecError { field, value, legal: legal.to_owned() }) }
}

/// An error if the key is a struct.
pub(crate) fn require_scalar(key: KeyType) -> Result<(), DeviceSpecError> {
    // Each call of a sort comes by here: texts are made of what is not legal alone.
    if key.is_scalar() { Ok(()) } else { require(false, "key", key.to_string(), SCALAR_KEYS) }
}

/// The shared memory of the blocks of a family's kernels, in the family's own order; zero behind the last of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SharedBytes(pub [u32; 3]);

impl SharedBytes {
    /// That of the one kind of block that a family has.
    pub fn of_one(bytes: u32) -> Self {
        Self([bytes, 0, 0])
    }

    /// The most that any block needs.
    pub fn most(self) -> u32 {
        self.0.into_iter().fold(0, u32::max)
    }
}

/// A legal spec of a device-wide sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DeviceSpec {
    fields: DeviceFields,
    /// Kept, for it takes some microseconds to find, and each sort asks for it.
    shared: SharedBytes,
}

impl Deref for DeviceSpec {
    type Target = DeviceFields;
    fn deref(&self) -> &DeviceFields {
        &self.fields
    }
}

impl DeviceSpec {
    /// The spec of fields that their family has found legal, with what their blocks need.
    pub(crate) fn of_legal(fields: DeviceFields, shared: SharedBytes) -> Self {
        Self { fields, shared }
    }

    /// The fields, to derive another spec from.
    pub fn fields(&self) -> DeviceFields {
        self.fields
    }

    /// The shared memory of the blocks of each kernel, as its family numbers them.
    pub(crate) fn shared(&self) -> SharedBytes {
        self.shared
    }

    /// The most shared memory of a block that sorts.
    pub fn shared_bytes(&self) -> u32 {
        self.shared.most()
    }
}
