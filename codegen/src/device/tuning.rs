//! Which shape is the fastest for which types, as it was measured: the built-in rows.

use std::fmt;

use super::DeviceAlgorithm;
use crate::types::{KeyType, ValueType};

/// How a device-wide sort is laid out, whatever its types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// How the array is sorted.
    pub algorithm: DeviceAlgorithm,
    /// Threads of a block.
    pub threads: u32,
    /// Items per thread.
    pub items: u32,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = self.algorithm.word();
        f.pad(&format!("{word} {}x{}", self.threads, self.items))
    }
}

/// Where a built-in row comes from: a record of these benches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Provenance {
    /// The GPU.
    pub gpu: &'static str,
    /// The day of the record.
    pub date: &'static str,
    /// Types of what was sorted, as records write them.
    pub types: &'static str,
    /// How many random keys.
    pub n: u64,
    /// How many times as fast as CUB's best.
    pub ratio: f64,
}

/// A built-in row: a shape, and what it is for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BuiltInRow {
    /// The shape.
    pub shape: Shape,
    /// The most items that it is for; of digits any number.
    pub most_items: u64,
    /// The fewest bytes of a key and its value, and the most.
    pub bytes: [u32; 2],
    /// The fewest bits of a key.
    pub least_key_bits: u32,
    /// What was measured; nothing where the row follows its neighbours' rule.
    pub measured: Option<Provenance>,
}

const fn h200(types: &'static str, n: u64, ratio: f64) -> Provenance {
    Provenance { gpu: "NVIDIA H200", date: "2026-11-23", types, n, ratio }
}

const fn radix(
    most_bytes: u32,
    threads: u32,
    items: u32,
    measured: Option<Provenance>,
) -> BuiltInRow {
    let shape = Shape { algorithm: DeviceAlgorithm::Radix, threads, items };
    BuiltInRow { shape, most_items: u64::MAX, bytes: [1, most_bytes], least_key_bits: 1, measured }
}

const fn sample(
    most_items: u64,
    items: u32,
    bytes: [u32; 2],
    least_key_bits: u32,
    measured: Option<Provenance>,
) -> BuiltInRow {
    let shape = Shape { algorithm: DeviceAlgorithm::Sample, threads: 512, items };
    BuiltInRow { shape, most_items, bytes, least_key_bits, measured }
}

/// The most items that are sorted by samples, of each shape; see [`BUILT_IN`].
pub const SMALL_N: [u64; 4] = [1 << 17, 1 << 18, 1 << 19, 1 << 20];

/// The built-in rows; the first that fits counts.
///
/// Samples: with fewer items there are more tiles, whose buckets take more of the workspace. H200, 2026-11-21, µs in a probe by
/// items per thread, 2, 4 and 8, of `u32` keys: 2¹⁴ 12.5, 13.5, 13.9; 2¹⁶ 13.8, 14.5, 15.3; 2¹⁸ 24.9, 20.9, 20.6; 2¹⁹ 38.8,
/// 30.9, 28.8; 2²⁰ 39 with 8. Short keys have fewer tiles, whose workspace would be more than a twentieth of their arrays else;
/// most buckets of more keys of 16 bits are of equal ones, and these are sorted by digits. Keys of 8 bits alone are counted: 2¹⁶
/// and 2¹⁸ in 17 µs, in 16 and 18 by samples, with nothing beside the array but counters.
///
/// Digits: as many bytes as let two blocks share a multiprocessor of 227 KB. H200, 2026-11-21, one pass over 2²⁸ items in a
/// probe: u32 keys 384×32 298 Gkeys/s, 512×24 289, 256×32 287, 384×24 270; pairs of 4 bytes 384×24 186, 256×32 186, 256×24
/// 178, 512×16 177. Whole sorts of 2²⁸: u64 keys 384×24 20.2 Gkeys/s, 384×18 18.7, 384×14 17.2; u64 keys with 4-byte values
/// 384×18 12.5, 384×12 11.2.
pub const BUILT_IN: [BuiltInRow; 12] = [
    sample(SMALL_N[0], 2, [1, 32], 17, Some(h200("u32_keys", 1 << 16, 3.35))),
    sample(SMALL_N[1], 4, [1, 32], 17, Some(h200("u32_keys", 1 << 18, 2.89))),
    sample(SMALL_N[3], 8, [1, 16], 17, Some(h200("u32_keys", 1 << 20, 2.15))),
    sample(SMALL_N[0], 4, [2, 32], 1, Some(h200("u16_keys", 1 << 16, 2.49))),
    sample(SMALL_N[1], 8, [2, 16], 1, Some(h200("u16_keys", 1 << 18, 1.74))),
    sample(SMALL_N[1], 4, [17, 32], 1, None),
    radix(4, 384, 32, Some(h200("u32_keys", 1 << 28, 1.91))),
    radix(8, 384, 24, Some(h200("f32_u32", 1 << 28, 1.27))),
    radix(12, 384, 18, Some(h200("u64_u32", 1 << 28, 1.49))),
    radix(16, 384, 14, None),
    radix(24, 384, 9, None),
    radix(32, 384, 7, None),
];

/// The rows for n items of these types, the one that counts first.
pub(super) fn rows(
    key: KeyType,
    value: ValueType,
    n: u64,
) -> impl Iterator<Item = &'static BuiltInRow> {
    BUILT_IN.iter().filter(move |row| {
        let [least, most] = row.bytes;
        n <= row.most_items
            && (least..=most).contains(&(key.bytes() + value.bytes()))
            && key.bits() >= row.least_key_bits
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::DeviceFields;
    use crate::types::{Order, Token};

    /// Every row is a legal spec of all types that it is for, takes as many items, and is some type's.
    #[test]
    fn built_in_rows_are_legal_specs() {
        for row in &BUILT_IN {
            let Shape { algorithm, threads, items } = row.shape;
            let mut used = 0;
            for key in KeyType::ALL {
                for (value, _) in ValueType::table() {
                    let n = row.most_items.min(1 << 29);
                    if rows(*key, *value, n).next() != Some(row) {
                        continue;
                    }
                    used += 1;
                    let (key, value, order) = (*key, *value, Order::Descending);
                    let fields = DeviceFields {
                        algorithm,
                        key,
                        value,
                        threads,
                        items,
                        order,
                        nan_last: false,
                        wide: false,
                    };
                    let spec = fields.validate().unwrap_or_else(|error| panic!("{row:?}: {error}"));
                    assert!(spec.max_items() >= n, "{spec}");
                    assert_eq!(spec.to_string().parse(), Ok(spec));
                }
            }
            assert!(used > 0, "{row:?} is nobody's");
        }
    }
}
