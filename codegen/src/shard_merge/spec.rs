//! What shards are merged by: [`ShardFields`] say it, [`ShardSpec`] is one that is known to be legal.

use std::ops::Deref;

use crate::contract::device::spec::{require, require_scalar};
use crate::contract::validate::DeviceSpecError;
use crate::layout::{Padding, Region, STATIC_SHARED_BYTES, array};
use crate::types::{KeyClass, KeyType, Order, ValueType};

/// Where the items of a tile lie: one slot is left out after every 32.
const SLOTS: Padding = Padding { period: 32, gap: 1 };

/// The fields of a [`ShardSpec`], legal or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShardFields {
    /// The type of the keys.
    pub key: KeyType,
    /// What travels with each key. Positions are those over all ranks, and have 64 bits.
    pub value: ValueType,
    /// Threads of a block.
    pub threads: u32,
    /// Items per thread.
    pub items: u32,
    /// Which end comes first.
    pub order: Order,
    /// Whether NaNs come last in either order.
    pub nan_last: bool,
}

impl ShardFields {
    /// The fields as a spec, or the first field that is not legal.
    pub fn validate(self) -> Result<ShardSpec, DeviceSpecError> {
        let Self { key, threads, items, nan_last, .. } = self;
        require_scalar(key)?;
        // A warp for each end of a tile.
        require(
            (64..=1024).contains(&threads) && threads.is_multiple_of(32),
            "threads",
            threads.to_string(),
            "multiples of 32 from 64 to 1024",
        )?;
        require((1..=32).contains(&items), "items", items.to_string(), "1 to 32")?;
        require(
            !nan_last || key.info().class == KeyClass::Float,
            "nanlast",
            nan_last.to_string(),
            "for floats only",
        )?;
        let spec = ShardSpec(self);
        let shared = spec.shared_bytes();
        let legal = format!("at most {STATIC_SHARED_BYTES} bytes: fewer threads, or fewer items");
        require(shared <= STATIC_SHARED_BYTES, "shared memory", shared.to_string(), &legal)?;
        Ok(spec)
    }
}

/// A legal spec of a merge of shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShardSpec(ShardFields);

impl Deref for ShardSpec {
    type Target = ShardFields;
    fn deref(&self) -> &ShardFields {
        &self.0
    }
}

impl ShardSpec {
    /// The merge of these types by the shape that is used where none is named: 256 threads with 16 items each, 12 of keys of 8 bytes and 8
    /// of wider ones.
    pub fn of((key, value): (KeyType, ValueType), (order, nan_last): (Order, bool)) -> Self {
        let items = match key.bytes() {
            1..=4 => 16,
            8 => 12,
            _ => 8,
        };
        let nan_last = nan_last && key.info().class == KeyClass::Float;
        Self(ShardFields { key, value, threads: 256, items, order, nan_last })
    }

    /// Items that a block merges at once.
    pub fn tile_items(&self) -> u32 {
        self.threads * self.items
    }

    /// Bytes of a key's compared bits.
    pub fn order_bytes(&self) -> u32 {
        self.key.storage().widened().bytes
    }

    /// Bytes of a value; a position over all ranks has 8.
    pub fn value_bytes(&self) -> u32 {
        if self.value == ValueType::Index { 8 } else { self.value.bytes() }
    }

    /// The shared memory of a block that merges.
    pub fn shared_bytes(&self) -> u32 {
        let slots = SLOTS.slots(self.tile_items());
        let sources = if self.value == ValueType::None { 0 } else { slots };
        Region::of(&[
            array("bits of keys", self.key.bytes(), slots),
            array("where values are", 2, sources),
            array("ends of the tile in the first range", 8, 2),
        ])
        .size_of()
    }

    /// Blocks of merges for which a multiprocessor is to have registers: they wait for memory most of the time. Without spills, 40 registers
    /// a thread merge keys of 4 bytes, 64 others, and 80 those of 16 bytes.
    pub(super) fn resident_merges(&self) -> u32 {
        let threads = match self.key.bytes() {
            4 => 1536,
            16 => 768,
            _ => 1024,
        };
        (threads / self.threads).clamp(1, 16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Token as _;

    const FIELDS: ShardFields = ShardFields {
        key: KeyType::U32,
        value: ValueType::None,
        threads: 256,
        items: 16,
        order: Order::Ascending,
        nan_last: false,
    };

    #[test]
    fn what_is_not_legal_is_named() {
        let error = |fields: ShardFields| fields.validate().expect_err("not legal").to_string();
        let fields = ShardFields { threads: 32, ..FIELDS };
        let legal = "multiples of 32 from 64 to 1024";
        assert_eq!(error(fields), format!("threads = 32 is not legal; legal: {legal}"));
        let fields = ShardFields { items: 33, ..FIELDS };
        assert_eq!(error(fields), "items = 33 is not legal; legal: 1 to 32");
        let fields = ShardFields { nan_last: true, ..FIELDS };
        assert_eq!(error(fields), "nanlast = true is not legal; legal: for floats only");
        let fields = ShardFields { key: KeyType::U128, ..FIELDS };
        assert!(error(fields).starts_with("shared memory = "));
    }

    #[test]
    fn there_is_a_shape_for_all_types() {
        for key in KeyType::ALL {
            for (value, _) in ValueType::table() {
                for order in [Order::Ascending, Order::Descending] {
                    let spec = ShardSpec::of((*key, *value), (order, true));
                    assert_eq!(spec.validate(), Ok(spec), "{spec}");
                }
            }
        }
    }
}
