//! Which top-k: [`TopKFields`] says it, [`TopKSpec`] is one that is known to be legal.

use std::ops::Deref;

use super::value::TopKValue;
use crate::contract::device::spec::{require, require_scalar};
use crate::contract::validate::DeviceSpecError;
use crate::layout::{Region, SharedArray, array};
use crate::types::{Arch, KeyClass, KeyType, Order};

/// Bins of a digit of the radix select.
const BINS: u32 = 256;

/// The most items of a tile: counts of them are halves of a word.
const MAX_TILE_ITEMS: u32 = 1 << 14;

/// Threads that a multiprocessor's registers have room for, by the words of a thread's items: up to 8, up to 16, and more.
const RESIDENT_THREADS: [(u32, u32); 3] = [(8, 768), (16, 512), (u32::MAX, 256)];

/// The same of the kernel that appends survivors to lists, which waits for memory alone.
const FILTERING_THREADS: [(u32, u32); 3] = [(8, 1024), (16, 512), (u32::MAX, 256)];

/// The most of them on GPUs before Hopper, where a thread has more than 4 words of items.
const RESIDENT_THREADS_OF_OLD: u32 = 512;

/// The shared memory of a multiprocessor, and what each block has of it beside its own.
const SHARED_OF_MULTIPROCESSOR: u32 = 228 << 10;
const RESERVED_SHARED: u32 = 1 << 10;

/// Which top-k, legal or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TopKFields {
    /// The type of the keys.
    pub key: KeyType,
    /// What is found beside them.
    pub value: TopKValue,
    /// Threads of a block.
    pub threads: u32,
    /// Items that a thread reads at once.
    pub items: u32,
    /// Which end comes first: the largest keys are found in descending order.
    pub order: Order,
    /// Whether NaNs come last in either order.
    pub nan_last: bool,
}

/// Which top-k. Its name is `block_top_k_<key>[_<value>]_b<threads>_i<items>_<asc|desc>[_nanlast]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TopKSpec(TopKFields);

impl Deref for TopKSpec {
    type Target = TopKFields;

    fn deref(&self) -> &TopKFields {
        &self.0
    }
}

impl TopKFields {
    /// The fields as a spec, or the first field that is not legal.
    pub fn validate(self) -> Result<TopKSpec, DeviceSpecError> {
        let Self { key, threads, items, nan_last, .. } = self;
        require_scalar(self.key)?;
        self.value.check()?;
        let is_block = (32..=1024).contains(&threads) && threads.is_multiple_of(32);
        require(is_block, "block", threads.to_string(), "multiples of 32 from 32 to 1024")?;
        let most = (MAX_TILE_ITEMS / threads).min(32);
        require((1..=most).contains(&items), "items", items.to_string(), &format!("1 to {most}"))?;
        let is_float = key.info().class == KeyClass::Float;
        require(
            is_float || !nan_last,
            "nanlast",
            nan_last.to_string(),
            &format!("false for {key}"),
        )?;
        let (spec, limit) = (TopKSpec(self), Arch::MAX_SHARED_BYTES);
        let shared = spec.shared_bytes();
        let legal = format!("at most {limit} bytes: fewer items or threads");
        require(shared <= limit, "shared memory", shared.to_string(), &legal)?;
        Ok(spec)
    }
}

impl TopKSpec {
    /// The fields.
    pub fn fields(&self) -> TopKFields {
        self.0
    }

    /// Items that a block reads at once.
    pub fn tile_items(&self) -> u32 {
        self.threads * self.items
    }

    /// The largest k: half a tile, so that selections are rare.
    pub fn max_k(&self) -> u32 {
        self.tile_items() / 2
    }

    /// Neighbouring items of a thread, which one load brings.
    pub(crate) fn vector_items(&self) -> u32 {
        let power_of_two = 1 << self.items.trailing_zeros();
        power_of_two.min(4).min(16 / self.key.bytes())
    }

    /// Registers that a thread's items take.
    fn words_of_items(&self) -> u32 {
        self.items * self.key.storage().widened().bytes / 4
    }

    /// Blocks of which a multiprocessor's registers have room for the kernel that searches rows.
    pub(crate) fn bound_blocks(&self) -> u32 {
        let words = self.words_of_items();
        let threads = RESIDENT_THREADS.into_iter().find(|(most, _)| words <= *most);
        threads.map_or(1, |(_, threads)| (threads / self.threads).max(1))
    }

    /// The same of GPUs before Hopper, the code of which takes more registers.
    pub(crate) fn bound_blocks_of_old(&self) -> u32 {
        let most = (RESIDENT_THREADS_OF_OLD / self.threads).max(1);
        if self.words_of_items() > 4 { self.bound_blocks().min(most) } else { self.bound_blocks() }
    }

    /// Blocks of which registers and shared memory of a multiprocessor of an H100 have room for the kernel that appends survivors to lists.
    pub(crate) fn filtering_blocks(&self) -> u32 {
        let words = self.words_of_items();
        let threads = FILTERING_THREADS.into_iter().find(|(most, _)| words <= *most);
        let by_registers = threads.map_or(1, |(_, threads)| threads / self.threads);
        by_registers.min(self.blocks_by_shared()).max(1)
    }

    /// Blocks that a multiprocessor of an H100 holds, by registers and by shared memory.
    pub(crate) fn resident_blocks(&self) -> u32 {
        self.bound_blocks().min(self.blocks_by_shared()).max(1)
    }

    fn blocks_by_shared(&self) -> u32 {
        SHARED_OF_MULTIPROCESSOR / (self.shared_bytes() + RESERVED_SHARED)
    }

    /// `sizeof(TempStorage)`.
    pub fn shared_bytes(&self) -> u32 {
        Region::of(&self.shared_arrays()).size_of()
    }

    /// The members of `TempStorage`, in their order.
    pub fn shared_arrays(&self) -> [SharedArray; 5] {
        let (buffer, bits) = (2 * self.tile_items(), self.key.storage().widened().bytes);
        [
            array("buffered keys", bits, buffer),
            SharedArray::words("their positions", buffer),
            SharedArray::words("counts of bins", BINS),
            SharedArray::words("totals of warps", 2 * self.threads / 32),
            SharedArray::words("the selected bin", 3),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: TopKFields = TopKFields {
        key: KeyType::F32,
        value: TopKValue::Index,
        threads: 256,
        items: 8,
        order: Order::Descending,
        nan_last: false,
    };

    #[test]
    fn what_is_not_legal_is_named() {
        let error = |fields: TopKFields| fields.validate().expect_err("not legal").to_string();
        let threads = TopKFields { threads: 48, ..FIELDS };
        assert_eq!(
            error(threads),
            "block = 48 is not legal; legal: multiples of 32 from 32 to 1024"
        );
        let items = TopKFields { threads: 1024, items: 17, ..FIELDS };
        assert_eq!(error(items), "items = 17 is not legal; legal: 1 to 16");
        let nan_last = TopKFields { key: KeyType::U32, nan_last: true, ..FIELDS };
        assert_eq!(error(nan_last), "nanlast = true is not legal; legal: false for u32");
        let shared = TopKFields { key: KeyType::U128, threads: 1024, ..FIELDS };
        assert!(error(shared).starts_with("shared memory = "), "{}", error(shared));
    }

    #[test]
    fn shared_memory_is_that_of_the_buffer_and_a_little() {
        let spec = FIELDS.validate().expect("legal");
        assert_eq!(spec.shared_bytes(), 4096 * 8 + 1024 + 64 + 12);
        let wide = TopKFields { key: KeyType::U128, ..FIELDS }.validate().expect("legal");
        assert_eq!(wide.shared_bytes(), (4096 * 20u32 + 1024 + 64 + 12).next_multiple_of(16));
    }
}
