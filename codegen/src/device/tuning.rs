//! Which shape is the fastest for which types.

use crate::spec::{KeyType, ValueType};

/// Threads and items per thread of a pass: as many bytes as let two blocks share a multiprocessor of 227 KB.
///
/// H200, 2026-11-21, one pass over 2²⁸ items in a probe: u32 keys 384×32 298 Gkeys/s, 512×24 289, 256×32 287, 384×24 270;
/// pairs of 4 bytes 384×24 186, 256×32 186, 256×24 178, 512×16 177. Whole sorts of 2²⁸: u64 keys 384×24 20.2 Gkeys/s,
/// 384×18 18.7, 384×14 17.2; u64 keys with 4-byte values 384×18 12.5, 384×12 11.2.
pub(super) fn shape(key: KeyType, value: ValueType) -> (u32, u32) {
    match key.bytes() + value.bytes() {
        0..=4 => (384, 32),
        5..=8 => (384, 24),
        9..=12 => (384, 18),
        13..=16 => (384, 14),
        17..=24 => (384, 9),
        _ => (384, 7),
    }
}

/// So many items are sorted by samples, at most.
pub(crate) const FEW_ITEMS: u64 = 1 << 20;

/// So many items are sorted by samples that each block finds for itself, at most.
pub(crate) const FEWER_ITEMS: u64 = 1 << 17;

/// The shape of a sort of few items, for so many of them; none where the radix sort is faster.
///
/// H200, 2026-11-21, times CUB's: `u32` keys 2.2, 2.0 and 1.9 for 2¹⁴, 2¹⁶ and 100,000 of them, `f32,u32` 2.5, 2.2 and 2.2,
/// `u64` 2.4, 2.2 and 2.2.
pub(super) fn sample_shape(key: KeyType, value: ValueType, n: u64) -> Option<(u32, u32)> {
    let (few, many) = match key.bytes() + value.bytes() {
        0..=16 => (4, 8),
        _ => (2, 4),
    };
    match n {
        0..=FEWER_ITEMS => Some((512, few)),
        0..=FEW_ITEMS => Some((512, many)),
        _ => None,
    }
}
