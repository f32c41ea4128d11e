//! Which bits of the keys are sorted by, and how many at once.

use num_traits::{PrimInt, Zero};

use super::compare::Comparison;
use crate::key::{KeyBits, SortKey};

/// The largest number of bits of a digit.
pub(super) const MAX_BITS: u32 = 11;
/// The largest number of bins of a digit.
pub(super) const MAX_BINS: usize = 1 << MAX_BITS;
/// The largest number of passes over items that fit a cache.
const PASSES_MAX: usize = 3;
/// The bits that are sorted by in addition to those of the items' numbering.
const EXTRA_BITS: u32 = 5;
/// The number of keys that an upper digit is chosen by.
const SAMPLES: usize = 256;

/// A range of the compared bits, as a digit of passes from the lowest digit to the highest.
#[derive(Clone, Copy)]
pub(super) struct Digit {
    shift: usize,
    mask: u16,
}

impl Digit {
    /// The number of values that it can have.
    pub(super) fn bins(self) -> usize {
        usize::from(self.mask) + 1
    }

    #[inline]
    pub(super) fn of<B: KeyBits>(self, compared: B) -> usize {
        usize::from((compared >> self.shift).low_u16() & self.mask)
    }
}

/// Passes over items that fit a cache, and whether lower bits are left to comparisons.
#[derive(Clone, Copy)]
pub(super) struct Passes {
    /// The digits, the lowest first, of which `count` are used.
    digits: [Digit; PASSES_MAX],
    count: usize,
    /// The lowest bit that is sorted by.
    pub(super) lowest: u32,
    /// Whether keys differ below it.
    pub(super) is_partial: bool,
}

impl Passes {
    /// The passes for keys that differ in the bits `varying`, of which there is one. Random keys that agree in about as many upper bits
    /// as their numbering has are few; five bits more leave about one pair of them in 64 keys. Keys that are not uniform take more.
    pub(super) fn new<K: SortKey, const NAN_LAST: bool>(
        keys: &[K],
        by: &Comparison<K, NAN_LAST>,
        varying: K::Bits,
    ) -> Self {
        let end = K::Bits::WIDTH - varying.leading_zeros();
        let all = end - varying.trailing_zeros();
        let mut wanted = keys.len().ilog2() + EXTRA_BITS;
        if all > wanted {
            wanted += bits_lost(keys, by, end);
        }
        // Two digits that are a little short are faster than three.
        if (2 * MAX_BITS + 1..=2 * MAX_BITS + 2).contains(&wanted) {
            wanted = 2 * MAX_BITS;
        }
        let bits = if all <= wanted + 2 { all } else { wanted }.min(PASSES_MAX as u32 * MAX_BITS);
        // A bin costs about as much as an item.
        let cost = |count: &u32| *count as usize * (keys.len() + (1 << bits.div_ceil(*count)));
        let counts = bits.div_ceil(MAX_BITS)..=PASSES_MAX as u32;
        let count = counts.min_by_key(cost).unwrap_or(PASSES_MAX as u32);
        let lowest = end - bits;
        let digit = |index: u32| {
            let [begin, end] = [index, index + 1].map(|digit| bits * digit.min(count) / count);
            Digit { shift: (lowest + begin) as usize, mask: ((1u32 << (end - begin)) - 1) as u16 }
        };
        Self { digits: [0, 1, 2].map(digit), count: count as usize, lowest, is_partial: bits < all }
    }

    /// The digits, the lowest first.
    pub(super) fn digits(&self) -> &[Digit] {
        &self.digits[..self.count]
    }
}

/// About how many bits fewer than of uniform keys tell these keys apart, by the number of samples that agree in the eight bits before
/// `end`. Of uniform floats they are mostly exponent.
fn bits_lost<K: SortKey, const NAN_LAST: bool>(
    keys: &[K],
    by: &Comparison<K, NAN_LAST>,
    end: u32,
) -> u32 {
    let digit = Digit { shift: end.saturating_sub(8) as usize, mask: 0xff };
    let samples = if keys.len() < 1 << 11 { 32 } else { 64 };
    let mut counts = [0u8; 256];
    let mut pairs = 0;
    for sample in 0..samples {
        let key = keys[sample * keys.len() / samples];
        let count = &mut counts[digit.of(by.compared(key))];
        pairs += usize::from(*count);
        *count += 1;
    }
    let pairs_of_uniform = samples * samples / 512;
    (pairs / pairs_of_uniform).checked_ilog2().unwrap_or(0)
}

/// The bits by which a partition finds the bucket of a key: those of the difference to `base`, from `shift` on. Keys below the upper digit
/// go to the first bucket, and keys above it to the last.
#[derive(Clone, Copy)]
pub(super) struct UpperDigit<B> {
    base: B,
    shift: usize,
    last: B,
}

impl<B: KeyBits> UpperDigit<B> {
    /// The upper digit of at most `bits` bits from `min` to `max`, which differ. Buckets are aligned: the keys of one agree in all bits
    /// from `shift` on.
    fn between(min: B, max: B, bits: u32) -> Self {
        let mut shift = (B::WIDTH - (max - min).leading_zeros()).saturating_sub(bits) as usize;
        if bits < B::WIDTH && ((max >> shift) - (min >> shift)) >> bits as usize > B::zero() {
            shift += 1;
        }
        Self { base: (min >> shift) << shift, shift, last: (max >> shift) - (min >> shift) }
    }

    /// The number of buckets.
    pub(super) fn buckets(&self) -> usize {
        usize::from(self.last.low_u16()) + 1
    }

    /// The bucket of a key, which is monotone in its compared bits.
    #[inline]
    pub(super) fn of(&self, compared: B) -> usize {
        let bucket = compared.saturating_sub(self.base) >> self.shift;
        usize::from(bucket.min(self.last).low_u16())
    }

    /// The upper digit for keys of which some are outside of it, by samples: of this number of bits, or of more where samples agree
    /// in them. `None` if all samples are equal.
    pub(super) fn of_samples<K: SortKey<Bits = B>, const NAN_LAST: bool>(
        keys: &[K],
        by: &Comparison<K, NAN_LAST>,
        bits: u32,
    ) -> Option<Self> {
        let (mut min, mut max) = (B::max_value(), B::zero());
        for sample in 0..SAMPLES {
            let compared = by.compared(keys[sample * (keys.len() / SAMPLES)]);
            min = min.min(compared);
            max = max.max(compared);
        }
        let end = B::WIDTH - (min ^ max).leading_zeros();
        (end > 0).then(|| {
            let bits = (bits + bits_lost(keys, by, end)).min(MAX_BITS);
            Self::between(min, max, bits)
        })
    }

    /// The upper digit of all keys. `None` if they are equal.
    pub(super) fn of_all<K: SortKey<Bits = B>, const NAN_LAST: bool>(
        keys: &[K],
        by: &Comparison<K, NAN_LAST>,
        bits: u32,
    ) -> Option<Self> {
        let varying = varying(keys, by);
        if varying.is_zero() {
            return None;
        }
        let below = B::max_value() >> (varying.leading_zeros() as usize);
        let base = by.compared(keys[0]) & !below;
        Some(Self::between(base, base | below, bits))
    }
}

/// The bits in which some keys differ. There is at least one key.
pub(super) fn varying<K: SortKey, const NAN_LAST: bool>(
    keys: &[K],
    by: &Comparison<K, NAN_LAST>,
) -> K::Bits {
    let first = by.compared(keys[0]);
    keys.iter().fold(K::Bits::zero(), |varying, key| varying | (by.compared(*key) ^ first))
}
