//! The blocks that sort chunks, and their shared memory.

use crate::contract::device::spec::DeviceFields;
use crate::layout::{Region, SharedArray, array};
use crate::types::ValueType;

/// Bytes of a key's order, and of a key.
pub(super) const KEY_BYTES: u32 = 8;

/// The blocks that sort chunks of up to a number of items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ChunkClass {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) threads: u32,
    /// Items per thread.
    pub(super) rows: u32,
}

impl ChunkClass {
    /// The most items of a chunk.
    pub(super) fn items(self) -> u32 {
        self.threads * self.rows
    }
}

pub(super) fn values_of(fields: &DeviceFields, items: u32) -> Option<SharedArray> {
    (fields.value != ValueType::None).then(|| array("values", fields.value.bytes(), items))
}

/// The storage of the header's `ChunkClass`.
pub(super) fn chunk_storage(fields: &DeviceFields, class: ChunkClass) -> u32 {
    let items = class.items();
    let mut arrays =
        vec![array("keys", KEY_BYTES, items), array("counters, composite_keys", 4, items)];
    arrays.extend(values_of(fields, items));
    arrays.push(array("marks, sums, max_count", 4, items / 32 + class.threads / 32 + 1));
    Region { align: 16, ..Region::of(&arrays) }.size_of()
}
