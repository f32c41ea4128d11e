//! What is sorted, what the sorts of buckets move, and by how many sub-buckets.

use crate::contract::device::algorithm::DeviceAlgorithm;
use crate::contract::device::spec::DeviceFields;
use crate::types::ValueType;

/// Whether the sort is of the rows of a matrix.
pub(super) fn is_of_rows(fields: &DeviceFields) -> bool {
    matches!(fields.algorithm, DeviceAlgorithm::Sample { rows: true })
}

/// What a bucket's keys have with them.
pub(super) fn value_of(fields: &DeviceFields) -> ValueType {
    if fields.value == ValueType::Index { ValueType::U32 } else { fields.value }
}

/// Sub-buckets for each thread that has `rows` items: about two for each item, but for the largest buckets.
pub(super) fn sub_buckets_per_thread(rows: u32) -> u32 {
    match rows {
        0..=2 => 4,
        3..=8 => 8,
        _ => rows.next_multiple_of(4),
    }
}
