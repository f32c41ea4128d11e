//! What segments are sorted by: [`SegmentFields`] say it, [`SegmentSpec`] is one that is known to be legal.

use std::ops::Deref;

use crate::contract::device::spec::{require, require_scalar};
use crate::contract::validate::DeviceSpecError;
use crate::types::{KeyClass, KeyType, Order, ValueType};

/// Lanes of a warp.
pub(super) const LANES: u32 = 32;

/// Lanes that sort a segment of at most as many items.
pub(super) const GROUP_LANES: u32 = 8;

/// Shared memory that every block may have.
const MAX_SHARED_BYTES: u32 = 48 << 10;

/// The fields of a [`SegmentSpec`], legal or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SegmentFields {
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
}

impl SegmentFields {
    /// The fields as a spec, or the first field that is not legal.
    ///
    /// ```
    /// use sortsmith_codegen::segments::SegmentSpec;
    /// let error = "segmented_merge_sort_u32_keys_b100_i16_asc".parse::<SegmentSpec>().unwrap_err();
    /// assert!(error.to_string().ends_with("threads = 100 is not legal; legal: powers of two from 64 to 1024"));
    /// ```
    pub fn validate(self) -> Result<SegmentSpec, DeviceSpecError> {
        let Self { threads, items, .. } = self;
        require_scalar(self.key)?;
        require(
            (64..=1024).contains(&threads) && threads.is_power_of_two(),
            "threads",
            threads.to_string(),
            "powers of two from 64 to 1024",
        )?;
        require((1..=32).contains(&items), "items", items.to_string(), "1 to 32")?;
        let shared = self.shared_bytes();
        let legal = format!("at most {MAX_SHARED_BYTES} bytes: fewer threads, or fewer items");
        require(shared <= MAX_SHARED_BYTES, "shared memory", shared.to_string(), &legal)?;
        require(
            !self.nan_last || self.key.info().class == KeyClass::Float,
            "nanlast",
            self.nan_last.to_string(),
            "for floats only",
        )?;
        Ok(SegmentSpec(self))
    }

    /// Items that a block sorts.
    pub fn tile_items(&self) -> u32 {
        self.threads * self.items
    }

    /// Items that a warp sorts.
    pub fn warp_items(&self) -> u32 {
        LANES * self.items
    }

    /// `alignof(TempStorage)` of the header.
    pub(super) fn alignment(&self) -> u32 {
        self.key.bytes().max(8)
    }

    /// `sizeof(TempStorage)` of the header.
    fn shared_bytes(&self) -> u32 {
        let key_bytes = self.key.bytes();
        // One slot is left out after every 32.
        let slots = |items: u32| items + (items - 1) / 32;
        let has_sources = self.value != ValueType::None;
        let item_storage = |items: u32| {
            let keys = slots(items) * key_bytes;
            if !has_sources {
                return keys;
            }
            (keys.next_multiple_of(2) + 2 * slots(items)).next_multiple_of(key_bytes.max(2))
        };
        let align = self.alignment();
        let tile =
            (item_storage(self.tile_items()).next_multiple_of(8) + 16).next_multiple_of(align);
        let warps = (self.threads / LANES) * item_storage(self.warp_items());
        tile.max(warps.next_multiple_of(align))
    }
}

/// A legal spec of a sort of segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SegmentSpec(SegmentFields);

impl Deref for SegmentSpec {
    type Target = SegmentFields;
    fn deref(&self) -> &SegmentFields {
        &self.0
    }
}

impl SegmentSpec {
    /// The sort of these types by the shape that is used where none is named: 256 threads with 16 items each, 12 of keys of 8 bytes and 8 of
    /// wider ones.
    pub fn of(key: KeyType, value: ValueType, order: Order, nan_last: bool) -> Self {
        let items = match key.bytes() {
            1..=4 => 16,
            8 => 12,
            _ => 8,
        };
        let nan_last = nan_last && key.info().class == KeyClass::Float;
        Self(SegmentFields { key, value, threads: 256, items, order, nan_last })
    }

    /// The shared memory of a block that lists segments: a slot of 8 bytes for each warp and each of five lists.
    pub(super) fn classify_shared_bytes(&self) -> u32 {
        5 * 8 * (self.threads / LANES)
    }

    /// The shared memory of a block that ranks items: a key for each thread.
    pub(super) fn rank_shared_bytes(&self) -> u32 {
        self.threads * self.key.bytes()
    }

    /// The shared memory of a block that sorts by warps, and of one that merges.
    pub fn shared_bytes(&self) -> u32 {
        self.0.shared_bytes()
    }

    /// Blocks of sorts by warps for which a multiprocessor is to have registers: 80 a thread suffice for the networks without spills.
    pub(super) fn resident_warp_sorts(&self) -> u32 {
        let bytes = self.key.bytes().max(self.value.bytes());
        let threads = if bytes <= 4 { 768 } else { 512 };
        (threads / self.threads).max(1)
    }

    /// Blocks of merges for which a multiprocessor is to have registers: they wait for memory most of the time. 48 registers a thread merge
    /// keys of up to 4 bytes without spills.
    pub fn resident_merges(&self) -> u32 {
        let threads = if self.key.bytes() <= 4 { 1280 } else { 768 };
        (threads / self.threads).clamp(1, 16)
    }

    /// Items per thread of the sorts by a warp, ascending: a short segment takes fewer. That of a warp's lanes is no merge sort.
    pub(super) fn warp_classes(&self) -> Vec<u32> {
        [4].into_iter().filter(|items| *items < self.items).chain([self.items]).collect()
    }

    /// Items per thread of the sorts by a block.
    pub(super) fn tile_classes(&self) -> Vec<u32> {
        let is_used = |items: &u32| items * self.threads > self.warp_items() && *items < self.items;
        [1, 4].into_iter().filter(is_used).chain([self.items]).collect()
    }
}
