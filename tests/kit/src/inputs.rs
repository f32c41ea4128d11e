//! Inputs: keys of the distributions that break sorts, and values that tell items apart.

pub mod descent;
pub(crate) mod edges;
pub mod overflow;

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::{KeyType, Order};

use crate::oracle::{
    Class, Task, describe, fields, gather, has_floats, key_bytes, low_mask, max_magnitude,
    permutation, put_field,
};
use crate::structured;
use descent::Descent;
use overflow::Overflow;

/// A distribution of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Keys {
    /// Every bit pattern is equally likely.
    Uniform,
    /// Uniform ones, sorted.
    Sorted,
    /// Uniform ones, sorted the other way round.
    Reversed,
    /// One key.
    AllEqual,
    /// Two to nine different keys.
    FewDistinct,
    /// The AND of this number of uniform integers, two to five.
    LowEntropy(u32),
    /// The k-th key has a share of 1/k.
    Zipf,
    /// Not-a-numbers of both signs among zeros and ones.
    Nans,
    /// Zeros of both signs and their neighbours.
    Zeros,
    /// Infinities of both signs and their neighbours.
    Infinities,
    /// Numbers without the hidden bit, of both signs.
    Denormals,
    /// The minimum and maximum keys, and the keys next to a change of sign.
    Extremes,
    /// Keys that differ in one bit: each digit of each pass decides for some.
    SingleBits,
    /// Uniform in at most this number of bytes, and equal in all other bytes and in the sign of a float.
    LiveBytes(usize),
    /// 0 to 31, over and over: digits at equal distances.
    Cycle,
    /// The first of each eight keys is any key; the others are all one, in the first half of the array, and the one next to it in
    /// the second half.
    HiddenHeavyHitters,
    /// One of 16 nibbles, repeated: each digit alone looks as if keys of many digits hardly ever agreed.
    Nibbles,
    /// The same, but for the lowest two bits: in long runs of keys that agree in their upper digits, keys differ.
    NearNibbles,
    /// One of two bytes uppermost, uniform below.
    TwoTops,
    /// This number of distinct keys, at most 256, without the lowest byte: two bytes uppermost, and others in each below.
    Repeated(u32),
    /// Uniform, but bits 20 to 24 are the same, and bit 30 is zero, so that no float is a NaN.
    TiedBits,
    /// Single-precision floats, most of them one of this number of values at equal distances, close together; the others are even
    /// between -1 and 1, but for a few that are hardly zero, or no numbers.
    EvenValues(u32),
    /// Two of a kind on average, which differ in their lowest two bits if at all. No float is a NaN.
    Clusters,
    /// Six of a kind on average, which differ in their lowest twelve bits if at all.
    TiedGroups,
    /// The keys of [`descent`] with a long run that has this descent. Their number is fixed.
    LoneDescent(Descent),
    /// The keys of that module with runs that warps sort.
    TiedRuns,
    /// The keys of that module with one run, of three keys.
    LoneRun,
    /// The keys of `edges` with one pair of equal digits, which lies across rows of a sorted tile: a tile of them.
    PairAcrossRows,
    /// The keys of `edges` that overflow sub-buckets: their number is fixed.
    OverflowingSubBuckets,
    /// The keys of [`overflow`], of 32 bits: their number is fixed.
    Overflowing(Overflow),
    /// Keys that the facts of a [family](crate::device_families) make, by what it calls them.
    Own(&'static str),
    /// Uniform in a random number of the lowest bits, and equal in all bits above.
    Narrow,
    /// One byte, repeated, in the upper half; four bits in the lower one: groups of keys agree in their upper digits, and
    /// some are equal.
    UpperBytes,
    /// Keys that a random string of bytes describes: runs, steps, copies with a bit changed, special numbers, in any order.
    Structured,
}

impl Keys {
    /// The distributions that a key type has. Distributions named after floats are for floats alone.
    pub fn all(key: KeyType) -> Vec<Self> {
        let mut all =
            vec![Self::Uniform, Self::Sorted, Self::Reversed, Self::AllEqual, Self::FewDistinct];
        all.extend((2..=5).map(Self::LowEntropy));
        all.extend([Self::Zipf, Self::Extremes, Self::SingleBits, Self::Structured]);
        if describe(key).0 == Class::Float || has_floats(key) {
            all.extend([Self::Nans, Self::Zeros, Self::Infinities, Self::Denormals]);
        }
        all
    }

    /// `n` keys, as they lie in memory.
    pub fn generate(self, key: KeyType, n: usize, rng: &mut ChaCha8Rng) -> Vec<u8> {
        match self {
            Self::Sorted | Self::Reversed => {
                let order = if self == Self::Sorted { Order::Ascending } else { Order::Descending };
                let task = Task { order, ..Task::new(key) };
                let keys = Self::Uniform.generate(key, n, rng);
                gather(&keys, key_bytes(key), &permutation(&task, &keys))
            }
            Self::Structured => {
                let bytes = rng.random_range(1..=64);
                let description: Vec<u8> = (0..bytes).map(|_| rng.random()).collect();
                structured::keys(key, n, &description)
            }
            _ if !key.is_scalar() => self.structs(key, n, rng),
            Self::Cycle => {
                let mask = low_mask(describe(key).1);
                (0..n).flat_map(|index| bytes_of(key, (index as u128 % 32) & mask)).collect()
            }
            Self::LoneDescent(descent) => descent::keys(&Task::new(key), descent, rng),
            Self::TiedRuns => descent::tied_runs(key, rng),
            Self::LoneRun => descent::lone_run(&Task::new(key), rng),
            Self::PairAcrossRows => edges::pair_across_rows(&Task::new(key), n),
            Self::Overflowing(kind) => overflow::keys(kind, rng),
            Self::OverflowingSubBuckets => edges::overflowing_sub_buckets(&Task::new(key), rng),
            Self::HiddenHeavyHitters => {
                let mask = low_mask(describe(key).1);
                let heavy_hitter = rng.random::<u128>();
                let mut draw = |index: usize| match index % 8 {
                    0 => rng.random::<u128>() & mask,
                    _ => (heavy_hitter ^ u128::from(index >= n / 2)) & mask,
                };
                (0..n).flat_map(|index| bytes_of(key, draw(index))).collect()
            }
            Self::Clusters | Self::TiedGroups => {
                let (each, different) = if self == Self::Clusters { (2, 0b11) } else { (6, 0xfff) };
                let bits = describe(key).1;
                let legal = low_mask(bits) & !(1 << (bits.max(2) - 2)) & !different;
                let kinds: Vec<u128> =
                    (0..n.div_ceil(each)).map(|_| rng.random::<u128>() & legal).collect();
                let mut draw = || {
                    let kind = kinds.choose(rng).copied().unwrap_or_default();
                    (kind | rng.random_range(0..=different)) & low_mask(bits)
                };
                (0..n).flat_map(|_| bytes_of(key, draw())).collect()
            }
            _ => {
                let pool = self.pool(key, rng);
                let numbers = (0..n).map(|_| self.draw(key, &pool, rng));
                numbers.flat_map(|number| bytes_of(key, number)).collect()
            }
        }
    }

    /// Structs: each field has keys of the distribution, if its type has it. Often the upper fields of many keys are equal. Between fields
    /// there is junk.
    fn structs(self, key: KeyType, n: usize, rng: &mut ChaCha8Rng) -> Vec<u8> {
        let mut keys: Vec<u8> = (0..n * key_bytes(key)).map(|_| rng.random()).collect();
        for field in fields(key) {
            let of_field = match self {
                Self::AllEqual => self,
                _ if rng.random_range(0..3) == 0 => Self::FewDistinct,
                _ if Self::all(field.0).contains(&self) => self,
                _ => Self::Uniform,
            };
            put_field(&mut keys, key, field, &of_field.generate(field.0, n, rng));
        }
        keys
    }

    /// One key, from the pool if there is one.
    fn draw(self, key: KeyType, pool: &[u128], rng: &mut ChaCha8Rng) -> u128 {
        let mask = low_mask(describe(key).1);
        match self {
            Self::LowEntropy(words) => (0..words).fold(mask, |bits, _| bits & rng.random::<u128>()),
            Self::Zipf => pool[zipf(pool.len(), rng)],
            // The pool is the bits that all keys share, and a mask of the others.
            Self::LiveBytes(_) | Self::Narrow => {
                pool[0] & !pool[1] | rng.random::<u128>() & pool[1]
            }
            Self::Nibbles => mask / 15 * rng.random_range(0..16),
            Self::NearNibbles => {
                ((mask / 15 * rng.random_range(0..16)) & !0b11 | rng.random_range(0..4)) & mask
            }
            Self::Repeated(_) => {
                pool.choose(rng).copied().unwrap_or_default() | rng.random::<u128>() & 0xff
            }
            Self::TwoTops => {
                let top = 0xff << (describe(key).1 - 8);
                pool[rng.random_range(0..2)] & top | rng.random::<u128>() & mask & !top
            }
            Self::TiedBits => {
                let tied = 0x1f << 20;
                rng.random::<u128>() & mask & !tied & !(1 << 30)
                    | if rng.random() { tied } else { 0 }
            }
            Self::EvenValues(count) if key == KeyType::F32 => u128::from(even_value(count, rng)),
            Self::UpperBytes => {
                let lower = low_mask(describe(key).1 / 2);
                let upper = (mask / 255 * rng.random_range(0..256)) & !lower;
                upper | (rng.random::<u128>() & 0x0303)
            }
            _ => pool.choose(rng).copied().unwrap_or_else(|| rng.random::<u128>() & mask),
        }
    }

    /// The different keys of a distribution that has few; empty for the others.
    fn pool(self, key: KeyType, rng: &mut ChaCha8Rng) -> Vec<u128> {
        let (class, bits) = describe(key);
        let mask = low_mask(bits);
        let mut any =
            |count: usize| (0..count).map(|_| rng.random::<u128>() & mask).collect::<Vec<_>>();
        match self {
            Self::AllEqual => any(1),
            Self::FewDistinct => {
                let count = any(1)[0] as usize % 8 + 2;
                any(count)
            }
            Self::Zipf => any(100),
            Self::TwoTops => {
                let top = any(1)[0];
                vec![top, top ^ 0x40 << (bits - 8)]
            }
            Self::Repeated(count) => repeated(bits, count, any(1)[0]),
            Self::Extremes => extremes(class, bits),
            Self::SingleBits => (0..bits).map(|bit| 1 << bit).collect(),
            Self::Nans | Self::Zeros | Self::Infinities | Self::Denormals => {
                let sign = 1u128 << (bits - 1);
                let magnitudes = self.magnitudes(key, &mut any);
                magnitudes.into_iter().flat_map(|number| [number, number | sign]).collect()
            }
            Self::Narrow => {
                let live = low_mask(any(1)[0] as u32 % bits + 1);
                vec![any(1)[0], live]
            }
            Self::LiveBytes(count) => {
                let key_bytes = key_bytes(key) as u128;
                let live =
                    any(count).iter().fold(0, |live, byte| live | 0xff << (byte % key_bytes * 8));
                // A float's sign flips all other bits.
                vec![any(1)[0], live & if class == Class::Float { mask >> 1 } else { mask }]
            }
            _ => Vec::new(),
        }
    }

    /// The floats of a distribution that has few and is named after them, without their signs.
    fn magnitudes(self, key: KeyType, any: &mut impl FnMut(usize) -> Vec<u128>) -> Vec<u128> {
        let (infinity, fraction) = (max_magnitude(key), fraction_mask(key));
        match self {
            Self::Nans => {
                let magnitude = low_mask(describe(key).1 - 1);
                let mut nans = vec![0, magnitude, float_one(key), infinity, infinity + 1];
                nans.extend(any(4).iter().map(|bits| bits & magnitude | (infinity + 1)));
                nans
            }
            Self::Zeros => vec![0, 0, 0, 1, float_one(key)],
            Self::Infinities => vec![infinity, infinity, infinity - 1, 0],
            Self::Denormals => {
                let mut denormals = vec![0, 1, fraction, fraction + 1];
                denormals.extend(any(6).iter().map(|bits| bits & fraction));
                denormals
            }
            _ => Vec::new(),
        }
    }
}

/// The keys of [`Keys::Repeated`] without their lowest bytes. The first of the two uppermost bytes is that of `first`.
fn repeated(bits: u32, count: u32, first: u128) -> Vec<u128> {
    let top = bits - 8;
    let tops = first & 0xff << top;
    let key = |number: u128| {
        let bytes = ((number * 7 % 256) << 8) | (number << 16);
        bytes & low_mask(top) | if number.is_multiple_of(2) { tops } else { tops ^ 0x40 << top }
    };
    (0..u128::from(count)).map(key).collect()
}

/// The keys of [`Keys::Extremes`].
fn extremes(class: Class, bits: u32) -> Vec<u128> {
    let (mask, sign) = (low_mask(bits), 1u128 << (bits - 1));
    if class == Class::Unsigned {
        return vec![0, 1 & mask, mask, mask - 1, sign, sign - 1];
    }
    [0, 1, sign - 1, sign - 2].into_iter().flat_map(|number| [number, number | sign]).collect()
}

/// The bits of one of [`Keys::EvenValues`].
fn even_value(count: u32, rng: &mut ChaCha8Rng) -> u32 {
    let sign = if rng.random() { 1 << 31 } else { 0 };
    match rng.random_range(0..2048) {
        // The infinities and the bit patterns beyond.
        0..8 => (0x7f80_0000 + rng.random_range(0..3)) | sign,
        8..16 => rng.random_range(0..1 << 20) | sign,
        16..512 => rng.random_range(-1.0f32..1.0).to_bits(),
        // A 1024th of the range is a part.
        _ => (0.3 + rng.random_range(0..count) as f32 / (count as f32 * 600.0)).to_bits(),
    }
}

/// Bits of a float's fraction.
fn fraction_bits(key: KeyType) -> u32 {
    match key {
        KeyType::F8E5m2 => 2,
        KeyType::F8E4m3 => 3,
        KeyType::Bf16 => 7,
        KeyType::F16 => 10,
        KeyType::F32 => 23,
        _ => 52,
    }
}

fn fraction_mask(key: KeyType) -> u128 {
    low_mask(fraction_bits(key))
}

/// 1.0: a zero fraction, and all bits of the exponent but its highest.
fn float_one(key: KeyType) -> u128 {
    let sign = 1u128 << (describe(key).1 - 1);
    (sign / 2 - 1) & !fraction_mask(key)
}

/// k from 0 up, with a share that falls as 1/(k + 1).
fn zipf(count: usize, rng: &mut ChaCha8Rng) -> usize {
    let harmonic = |k: usize| (1..=k).map(|k| 1.0 / k as f64).sum::<f64>();
    let mut left = rng.random::<f64>() * harmonic(count);
    (0..count)
        .find(|k| {
            left -= 1.0 / (*k as f64 + 1.0);
            left <= 0.0
        })
        .unwrap_or(count - 1)
}

fn bytes_of(key: KeyType, number: u128) -> Vec<u8> {
    number.to_le_bytes()[..key_bytes(key)].to_vec()
}

/// `n` values of `bytes` bytes. Neighbours differ, and so do the words of one value.
pub fn values(bytes: usize, n: usize, salt: u64) -> Vec<u8> {
    // Odd factors: each byte alone tells 256 items in a row apart.
    let part = |item: u64, part: usize| {
        let salt = salt.wrapping_add(part as u64 * 0x1_0001_0001_0003);
        let low = item.wrapping_mul(0x9e37_79b9_7f4a_7ca7).wrapping_add(salt);
        let high = item.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).wrapping_add(!salt);
        (u128::from(high) << 64 | u128::from(low)).to_le_bytes()
    };
    (0..n as u64)
        .flat_map(|item| {
            (0..bytes.div_ceil(16)).flat_map(move |number| part(item, number)).take(bytes)
        })
        .collect()
}

/// A range of ordered bits for a sort that takes one: all bits most often.
pub fn bit_range(key: KeyType, rng: &mut ChaCha8Rng) -> (u32, u32) {
    let bits = describe(key).1;
    match rng.random_range(0..8) {
        0 => {
            let bit = rng.random_range(0..=bits);
            (bit, bit)
        }
        1 => {
            let bit = rng.random_range(0..bits);
            (bit, bit + 1)
        }
        2..=4 => {
            let (a, b) = (rng.random_range(0..=bits), rng.random_range(0..=bits));
            (a.min(b), a.max(b))
        }
        _ => (0, bits),
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn every_distribution_gives_legal_keys() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for key in KeyType::ALL {
            for kind in Keys::all(*key) {
                let keys = kind.generate(*key, 300, &mut rng);
                assert_eq!(keys.len(), 300 * key_bytes(*key), "{key} {kind:?}");
                assert!(*key != KeyType::Bool || keys.iter().all(|key| *key <= 1), "{kind:?}");
                assert!(
                    Keys::AllEqual != kind
                        || keys.chunks(key_bytes(*key)).all(|key| key == &keys[..key.len()])
                );
            }
        }
    }

    #[test]
    fn the_float_pools_hold_what_they_are_named_after() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let mut floats = |kind: Keys| -> Vec<f32> {
            let keys = kind.generate(KeyType::F32, 500, &mut rng);
            keys.chunks_exact(4)
                .map(|key| f32::from_le_bytes(key.try_into().expect("four bytes")))
                .collect()
        };
        let both_signs = |floats: &[f32], is: fn(&f32) -> bool| {
            let found = |negative: bool| {
                floats.iter().any(|key| is(key) && key.is_sign_negative() == negative)
            };
            found(false) && found(true)
        };
        assert!(both_signs(&floats(Keys::Nans), |key| key.is_nan()));
        assert!(both_signs(&floats(Keys::Zeros), |key| *key == 0.0));
        assert!(both_signs(&floats(Keys::Infinities), |key| key.is_infinite()));
        assert!(both_signs(&floats(Keys::Denormals), |key| key.is_subnormal()));
        assert!(
            both_signs(&floats(Keys::Zeros), |key| key.to_bits() & !(1 << 31) == 1.0_f32.to_bits())
        );
    }

    #[test]
    fn values_tell_neighbours_apart() {
        for bytes in [1, 2, 4, 8, 16] {
            let values = values(bytes, 256, 77);
            let mut sorted: Vec<&[u8]> = values.chunks(bytes).collect();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), 256, "{bytes}");
        }
    }
}
