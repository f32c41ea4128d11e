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

/// The most items that are sorted by samples, of each shape; see `sample_shape`.
pub const FEW_ITEMS: [u64; 4] = [1 << 17, 1 << 18, 1 << 19, 1 << 20];

/// The shape of a sort of few items, for so many of them; none where the radix sort is faster.
///
/// H200, 2026-11-21, µs in a probe by items per thread, 2, 4 and 8, of `u32` keys: 2¹⁴ 12.5, 13.5, 13.9; 2¹⁶ 13.8, 14.5, 15.3;
/// 2¹⁸ 24.9, 20.9, 20.6; 2¹⁹ 38.8, 30.9, 28.8; 2²⁰ 39 with 8. With fewer items there are more tiles, whose buckets take more of
/// the workspace, which is why short keys have fewer tiles: theirs would take more than a tenth of their arrays.
///
/// Keys of 8 bits alone are counted: 2¹⁶ and 2¹⁸ in 17 µs, in 16 and 18 so, with nothing beside the array but counters.
pub(super) fn sample_shape(key: KeyType, value: ValueType, n: u64) -> Option<(u32, u32)> {
    let shape = FEW_ITEMS.iter().position(|most| n <= *most)?;
    let is_wide = key.bytes() + value.bytes() > 16;
    // Most buckets of so many short keys are of equal ones.
    let is_short = key.bits() <= 16;
    match shape {
        _ if key.bits() <= 8 && value == ValueType::None => None,
        0 if is_short => Some((512, 4)),
        1 if is_short => Some((512, 8)),
        _ if is_short => None,
        0 => Some((512, 2)),
        1 => Some((512, 4)),
        2 | 3 if !is_wide => Some((512, 8)),
        _ => None,
    }
}
