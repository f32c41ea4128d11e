//! Which shape is the fastest for which types.

use crate::spec::{KeyType, ValueType};

/// Threads and items per thread of a pass.
///
/// H200, 2026-11-21, one pass over 2²⁸ items, ranks by masks: u32 keys 256×32 233 Gkeys/s, 384×32 230, 256×24 227,
/// 512×24 218, 512×16 201; u32 pairs 384×20 144, 512×24 135, 256×24 114. The other rows hold as many bytes a thread.
pub(super) fn shape(key: KeyType, value: ValueType) -> (u32, u32) {
    match (key.bytes(), value.bytes()) {
        (..=4, 0) => (256, 32),
        (..=4, ..=4) => (384, 20),
        (..=4, 8) | (8, 0) => (384, 16),
        (8, ..=4) => (384, 14),
        (..=8, 8) => (384, 12),
        (..=8, _) => (256, 10),
        (_, 0) => (256, 12),
        (_, ..=8) => (256, 10),
        (_, _) => (256, 8),
    }
}
