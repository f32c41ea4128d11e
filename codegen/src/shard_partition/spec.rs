//! What shards are partitioned by: [`ShardFields`] say it, [`ShardSpec`] is one that is known to be legal.

use std::ops::Deref;

use crate::contract::device::spec::{require, require_scalar};
use crate::contract::validate::DeviceSpecError;
use crate::layout::{Region, SharedArray, array};
use crate::types::{Arch, KeyClass, KeyType, Order, ValueType};

/// The most bits of a bucket's number.
pub const MAX_BUCKET_BITS: u32 = 8;

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
    /// Bits of a bucket's number.
    pub bits: u32,
    /// Which end comes first.
    pub order: Order,
    /// Whether NaNs come last in either order.
    pub nan_last: bool,
}

impl ShardFields {
    /// The fields as a spec, or the first field that is not legal.
    pub fn validate(self) -> Result<ShardSpec, DeviceSpecError> {
        let Self { key, threads, items, bits, nan_last, .. } = self;
        require_scalar(key)?;
        let is_bits = (1..=MAX_BUCKET_BITS).contains(&bits);
        require(is_bits, "bits", bits.to_string(), &format!("1 to {MAX_BUCKET_BITS}"))?;
        // A thread for each bucket.
        let least = (1u32 << bits).max(64);
        require(
            (least..=1024).contains(&threads) && threads.is_multiple_of(32),
            "threads",
            threads.to_string(),
            &format!("multiples of 32 from {least} to 1024"),
        )?;
        require((1..=32).contains(&items), "items", items.to_string(), "1 to 32")?;
        require(
            !nan_last || key.info().class == KeyClass::Float,
            "nanlast",
            nan_last.to_string(),
            "for floats only",
        )?;
        let (spec, limit) = (ShardSpec(self), Arch::MAX_SHARED_BYTES);
        let shared = spec.scatter_shared_bytes().max(spec.count_shared_bytes());
        let legal = format!("at most {limit} bytes: fewer threads, items or bits");
        require(shared <= limit, "shared memory", shared.to_string(), &legal)?;
        Ok(spec)
    }
}

/// A legal spec of a partition of shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShardSpec(ShardFields);

impl Deref for ShardSpec {
    type Target = ShardFields;
    fn deref(&self) -> &ShardFields {
        &self.0
    }
}

impl ShardSpec {
    /// The partition of these types into up to this number of buckets by the shape that is used where none is named, of a device that
    /// lets a block have this much shared memory. None for more buckets than there can be.
    pub fn of(
        (key, value): (KeyType, ValueType),
        (order, nan_last): (Order, bool),
        buckets: u32,
        shared_bytes_per_block: u32,
    ) -> Option<Self> {
        let bits = buckets.max(2).next_power_of_two().trailing_zeros();
        let nan_last = nan_last && key.info().class == KeyClass::Float;
        // Registers for at least two blocks, without spills.
        let most = match key.bytes() {
            16 => 4,
            1..=4 if value == ValueType::None && !nan_last => 16,
            _ => 8,
        };
        let shapes = [(512, 16), (512, 8), (512, 4), (256, 8), (256, 4), (256, 2)].into_iter();
        shapes.filter(|(_, items)| *items <= most).find_map(|(threads, items)| {
            let fields = ShardFields { key, value, threads, items, bits, order, nan_last };
            let spec = fields.validate().ok()?;
            let shared = spec.scatter_shared_bytes().max(spec.count_shared_bytes());
            (shared <= shared_bytes_per_block.min(100 << 10)).then_some(spec)
        })
    }

    /// Items that a block partitions.
    pub fn tile_items(&self) -> u32 {
        self.threads * self.items
    }

    /// The most buckets.
    pub fn max_buckets(&self) -> u32 {
        1 << self.bits
    }

    /// Bytes of a key's compared bits.
    pub fn order_bytes(&self) -> u32 {
        self.key.storage().widened().bytes
    }

    /// Bytes of a value; a position over all ranks has 8.
    pub fn value_bytes(&self) -> u32 {
        if self.value == ValueType::Index { 8 } else { self.value.bytes() }
    }

    /// Blocks that move items for which a multiprocessor is to have registers.
    pub(super) fn resident_scatters(&self) -> u32 {
        (1024 / self.threads).max(1)
    }

    /// The shared memory of a block that counts: splitters, and a counter of a byte for each thread and bucket.
    pub fn count_shared_bytes(&self) -> u32 {
        let buckets = self.max_buckets();
        let words = buckets.div_ceil(4) * self.threads;
        Region::of(&[
            array("splitters", self.order_bytes(), buckets),
            SharedArray::words("counters", words),
        ])
        .size_of()
    }

    /// The shared memory of a block that scatters.
    pub fn scatter_shared_bytes(&self) -> u32 {
        let (buckets, warps, items) = (self.max_buckets(), self.threads / 32, self.tile_items());
        let staged = self.key.bytes().max(self.value_bytes());
        Region::of(&[
            array("the tile by buckets", staged, items),
            array("splitters", self.order_bytes(), buckets),
            array("where keys go", 8, buckets),
            array("where values go", 8, buckets),
            SharedArray::words("offsets of warps", warps * buckets),
            SharedArray::words("totals of warps", warps),
            array("buckets of items", 1, items),
        ])
        .size_of()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Token as _;

    const FIELDS: ShardFields = ShardFields {
        key: KeyType::U32,
        value: ValueType::None,
        threads: 512,
        items: 16,
        bits: 4,
        order: Order::Ascending,
        nan_last: false,
    };

    #[test]
    fn what_is_not_legal_is_named() {
        let error = |fields: ShardFields| fields.validate().expect_err("not legal").to_string();
        let fields = ShardFields { bits: 9, ..FIELDS };
        assert_eq!(error(fields), "bits = 9 is not legal; legal: 1 to 8");
        let fields = ShardFields { bits: 8, threads: 224, ..FIELDS };
        let legal = "multiples of 32 from 256 to 1024";
        assert_eq!(error(fields), format!("threads = 224 is not legal; legal: {legal}"));
        let fields = ShardFields { items: 33, ..FIELDS };
        assert_eq!(error(fields), "items = 33 is not legal; legal: 1 to 32");
        let fields = ShardFields { nan_last: true, ..FIELDS };
        assert_eq!(error(fields), "nanlast = true is not legal; legal: for floats only");
        let fields = ShardFields { threads: 1024, items: 32, key: KeyType::U128, ..FIELDS };
        assert!(error(fields).starts_with("shared memory = "));
    }

    #[test]
    fn there_is_a_shape_for_all_types() {
        for key in KeyType::ALL {
            for (value, _) in ValueType::table() {
                for (buckets, shared) in
                    [(1, 48 << 10), (12, 48 << 10), (128, 64 << 10), (256, 96 << 10)]
                {
                    let order = (Order::Descending, true);
                    let spec = ShardSpec::of((*key, *value), order, buckets, shared);
                    assert!(spec.is_some_and(|it| it.max_buckets() >= buckets), "{key} {value}");
                }
            }
        }
        let order = (Order::Ascending, false);
        assert_eq!(ShardSpec::of((KeyType::U8, ValueType::None), order, 257, 1 << 20), None);
    }
}
