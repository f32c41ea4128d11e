//! Upper digits, by which a partition finds the bucket of a key.

use std::hint;

use super::compare::Comparison;
use super::digits::{MAX_BINS, MAX_BITS};
use super::items::Source;
use crate::key::{KeyBits, SortKey};

/// The largest number of buckets.
pub(super) const MAX_BUCKETS: usize = MAX_BINS;
/// The number of values of the coarse digit of skewed keys.
const COARSE: usize = 256;
/// The number of keys that an upper digit is chosen by, of many items and of fewer.
const SAMPLES: [usize; 2] = [1024, 256];
/// More items take more samples.
const FEWER_ITEMS: usize = 1 << 19;

/// Finds the bucket of a key: the first one for keys below the smallest bucket, and the last one for keys above the largest.
pub(super) trait Buckets<B>: Copy + Send + Sync {
    /// The number of buckets, at most [`MAX_BUCKETS`].
    fn count(&self) -> usize;

    /// The bucket of a key, which is monotone in its compared bits, and less than the count.
    fn of(&self, compared: B) -> usize;

    /// Whether all keys of a bucket are equal.
    fn is_of_one_key(&self, _bucket: usize) -> bool {
        false
    }
}

/// Buckets of as many keys each, by a range of bits.
#[derive(Clone, Copy)]
pub(super) struct EvenBuckets<B> {
    /// The smallest key of the first bucket. It has zeros below `shift`.
    min: B,
    /// The largest key of the last bucket.
    max: B,
    shift: usize,
}

impl<B: KeyBits> EvenBuckets<B> {
    /// Up to 2 to this number of buckets for the keys from `min` to `max`, aligned: the keys of one agree in all bits from `shift` on.
    fn between(min: B, max: B, bits: u32) -> Self {
        let mut shift = (B::WIDTH - (max - min).leading_zeros()).saturating_sub(bits) as usize;
        // As many bits as keys have are enough for all of them.
        if bits < B::WIDTH && ((max >> shift) - (min >> shift)) >> bits as usize > B::zero() {
            shift += 1;
        }
        let below = !(!B::zero() << shift);
        Self { min: min & !below, max: max | below, shift }
    }
}

impl<B: KeyBits> Buckets<B> for EvenBuckets<B> {
    fn count(&self) -> usize {
        self.of(self.max) + 1
    }

    #[inline]
    fn of(&self, compared: B) -> usize {
        let inside = compared.max(self.min).min(self.max);
        usize::from(((inside - self.min) >> self.shift).low_u16())
    }

    fn is_of_one_key(&self, bucket: usize) -> bool {
        // The outermost ones have keys outside of the range.
        self.shift == 0 && bucket > 0 && bucket + 1 < self.count()
    }
}

/// The buckets of one value of the coarse digit.
#[derive(Clone, Copy, Default)]
struct Fine {
    /// The first of them.
    first: u16,
    /// Their number less one.
    mask: u16,
    /// Where the bits that choose among them begin.
    shift: u32,
}

/// Buckets by a coarse digit, and by more bits where many keys agree in it.
#[derive(Clone, Copy)]
pub(super) struct SkewedBuckets<'a, B> {
    coarse: EvenBuckets<B>,
    fine: &'a [Fine; COARSE],
    count: usize,
}

impl<B: KeyBits> Buckets<B> for SkewedBuckets<'_, B> {
    fn count(&self) -> usize {
        self.count
    }

    #[inline]
    fn of(&self, compared: B) -> usize {
        let EvenBuckets { min, max, shift } = self.coarse;
        let inside = compared.max(min).min(max);
        let fine = self.fine[usize::from(((inside - min) >> shift).low_u16()) % COARSE];
        usize::from(fine.first + ((inside >> fine.shift as usize).low_u16() & fine.mask))
    }
}

/// A bucket of more than this part of all items is large.
const LARGE_PART: usize = 5;
/// The number of levels of a tree of splitters.
const LEVELS: u32 = 8;
/// The number of buckets between splitters.
const BUCKETS: usize = 1 << LEVELS;

/// Buckets between splitters: each has the keys from one splitter up to the next.
pub(super) struct Splitters<B> {
    /// A search tree, in which the children of entry i are 2i and 2i + 1; entry 0 is unused.
    tree: [B; BUCKETS],
    /// For each bucket whether its keys are equal.
    is_of_one_key: [bool; BUCKETS],
}

impl<B: KeyBits> Splitters<B> {
    /// Buckets of about as many of these sorted samples each. A key with the items of a bucket has one of its own: it and its successor are
    /// splitters. None if all samples are equal.
    fn of(samples: &[B]) -> Option<Self> {
        const MOST: usize = BUCKETS - 1;
        let share = samples.len().div_ceil(MOST / 2);
        let mut splitters: Vec<B> = Vec::new();
        let mut since = 0;
        for equal in samples.chunk_by(|one, next| one == next) {
            let key = equal[0];
            if equal.len() >= share {
                splitters.push(key);
                splitters.extend((key < B::max_value()).then(|| key + B::one()));
                since = 0;
            } else if since + equal.len() > share {
                splitters.push(key);
                since = equal.len();
            } else {
                since += equal.len();
            }
        }
        splitters.dedup();
        if splitters.len() < 2 || samples[0] == samples[samples.len() - 1] {
            return None;
        }
        splitters.truncate(MOST);
        let mut is_of_one_key = [false; BUCKETS];
        for (is_one, pair) in is_of_one_key[1..].iter_mut().zip(splitters.windows(2)) {
            *is_one = pair[1] - pair[0] == B::one();
        }
        // Unused entries hold the largest key.
        is_of_one_key[MOST] = splitters.len() < MOST;
        let mut tree = [B::max_value(); BUCKETS];
        for (entry, key) in tree.iter_mut().enumerate().skip(1) {
            // The entry's index in order: half of the leaves below it are on either side.
            let level = entry.ilog2();
            let index = ((2 * (entry - (1 << level)) + 1) << (LEVELS - level - 1)) - 1;
            *key = splitters.get(index).copied().unwrap_or(B::max_value());
        }
        Some(Self { tree, is_of_one_key })
    }
}

impl<B: KeyBits> Buckets<B> for &Splitters<B> {
    fn count(&self) -> usize {
        BUCKETS
    }

    #[inline]
    fn of(&self, compared: B) -> usize {
        let mut entry = 1;
        for _ in 0..LEVELS {
            // A branch would be predicted wrongly every other time.
            let is_above = compared >= self.tree[entry % BUCKETS];
            entry = hint::select_unpredictable(is_above, 2 * entry + 1, 2 * entry);
        }
        entry - BUCKETS
    }

    fn is_of_one_key(&self, bucket: usize) -> bool {
        self.is_of_one_key[bucket]
    }
}

/// Buckets that were chosen by samples.
pub(super) enum UpperDigit<B> {
    Even(EvenBuckets<B>),
    Skewed(Box<Table<B>>),
    Split(Box<Splitters<B>>),
}

/// What [`SkewedBuckets`] refers to.
pub(super) struct Table<B> {
    coarse: EvenBuckets<B>,
    fine: [Fine; COARSE],
    count: usize,
}

impl<B: KeyBits> Table<B> {
    pub(super) fn buckets(&self) -> SkewedBuckets<'_, B> {
        SkewedBuckets { coarse: self.coarse, fine: &self.fine, count: self.count }
    }

    /// Buckets for these samples, in about 2 to this number of buckets of as many items, if they were to be even.
    fn new(coarse: EvenBuckets<B>, samples: &[B], bits: u32) -> Self {
        let mut counts = [0; COARSE];
        for sample in samples {
            counts[coarse.of(*sample) % COARSE] += 1;
        }
        let mut bits = bits;
        loop {
            let mut fine = [Fine::default(); COARSE];
            let mut count = 0;
            for (fine, samples_here) in fine.iter_mut().zip(&counts).take(coarse.count()) {
                let wanted: usize = (samples_here << bits) * 3 / (samples.len() * 2);
                let fine_bits = wanted.checked_ilog2().unwrap_or(0);
                let fine_bits = fine_bits.min(coarse.shift as u32).min(MAX_BITS);
                let mask = ((1u32 << fine_bits) - 1) as u16;
                *fine = Fine { first: count as u16, mask, shift: coarse.shift as u32 - fine_bits };
                count += 1 << fine_bits;
            }
            if count <= MAX_BUCKETS {
                return Self { coarse, fine, count };
            }
            bits -= 1;
        }
    }
}

impl<B: KeyBits> UpperDigit<B> {
    /// An upper digit of about this number of bits for these items, of which some keys may be outside of it. `None` if all samples are
    /// equal. Threads that share buckets get none that would keep one thread busy for long, unless all of its keys are equal.
    ///
    /// # Safety
    ///
    /// The source holds items, which nothing else writes.
    pub(super) unsafe fn of_samples<K: SortKey<Bits = B>, V>(
        items: impl Source<B, V>,
        by: &Comparison<K>,
        bits: u32,
        is_shared: bool,
    ) -> Option<Self> {
        let mut samples = [B::zero(); SAMPLES[0]];
        // SAFETY: as the caller guarantees.
        let samples = unsafe { take(&mut samples, items, by) };
        let (min, max) = (samples[0], samples[samples.len() - 1]);
        // Without the outermost samples, where these take most of the range.
        let outer = samples.len() / 64;
        let most = (samples[outer], samples[samples.len() - 1 - outer]);
        let width = |(min, max): (B, B)| B::WIDTH - (max - min).leading_zeros();
        let is_wide = width((min, max)) >= width(most) + 3 && most.0 < most.1;
        let (min, max) = if is_wide { most } else { (min, max) };
        (min < max).then(|| match Self::between(min, max, samples, bits) {
            Self::Skewed(table) if is_shared && has_large_bucket(table.buckets(), samples) => {
                Splitters::of(samples).map_or(Self::Skewed(table), |it| Self::Split(Box::new(it)))
            }
            digit => digit,
        })
    }

    /// The same for keys that differ in the bits `varying`, of which there is one: no key is outside of it.
    ///
    /// # Safety
    ///
    /// As for [`UpperDigit::of_samples`].
    pub(super) unsafe fn of_all<K: SortKey<Bits = B>, V>(
        items: impl Source<B, V>,
        by: &Comparison<K>,
        bits: u32,
        varying: B,
    ) -> Self {
        let mut samples = [B::zero(); SAMPLES[0]];
        // SAFETY: as the caller guarantees.
        let samples = unsafe { take(&mut samples, items, by) };
        let below = B::max_value() >> (varying.leading_zeros() as usize);
        let min = samples[0] & !below;
        Self::between(min, min | below, samples, bits)
    }

    fn between(min: B, max: B, samples: &[B], bits: u32) -> Self {
        let even = EvenBuckets::between(min, max, bits);
        // No more bits tell keys apart than all of them.
        if even.shift == 0 || is_even(even, samples) {
            return Self::Even(even);
        }
        let coarse = EvenBuckets::between(min, max, COARSE.ilog2());
        Self::Skewed(Box::new(Table::new(coarse, samples, bits)))
    }
}

/// Sorted samples of the compared bits.
///
/// # Safety
///
/// As for [`UpperDigit::of_samples`].
unsafe fn take<'a, K: SortKey, V>(
    samples: &'a mut [K::Bits; SAMPLES[0]],
    items: impl Source<K::Bits, V>,
    by: &Comparison<K>,
) -> &'a [K::Bits] {
    let count = SAMPLES[usize::from(items.length() < FEWER_ITEMS)];
    let samples = &mut samples[..count];
    for (number, sample) in samples.iter_mut().enumerate() {
        let [begin, end] = [number, number + 1].map(|part| part * items.length() / count);
        // Equal distances would see nothing of what repeats at such distances.
        let jitter = (number as u64).hashed() >> 32;
        let slot = begin + ((jitter as usize * (end - begin)) >> 32);
        // SAFETY: the slot is less than the length.
        *sample = unsafe { by.compared(items.bits(slot)) };
    }
    samples.sort_unstable();
    samples
}

/// Whether sorted samples are in no bucket much more often than uniform ones would be.
fn is_even<B: KeyBits>(buckets: EvenBuckets<B>, samples: &[B]) -> bool {
    let expected = samples.len() / buckets.count() + 1;
    samples_of_largest(buckets, samples) <= 2 * expected + 8
}

/// Whether the sort of a bucket of this size takes longer than finding all items' buckets by a search.
fn has_large_bucket<B: KeyBits>(buckets: impl Buckets<B>, samples: &[B]) -> bool {
    samples_of_largest(buckets, samples) > samples.len() / LARGE_PART
}

/// How many of these sorted samples are in the bucket that has most.
fn samples_of_largest<B: KeyBits>(buckets: impl Buckets<B>, samples: &[B]) -> usize {
    let of_bucket = samples.chunk_by(|one, next| buckets.of(*one) == buckets.of(*next));
    of_bucket.map(<[B]>::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(samples: &[u32]) -> Splitters<u32> {
        let splitters = Splitters::of(samples).expect("two distinct samples");
        let of = |key: u32| Buckets::of(&&splitters, key);
        let mut keys: Vec<u32> = samples
            .iter()
            .flat_map(|key| [key.saturating_sub(1), *key, key.saturating_add(1)])
            .collect();
        keys.extend([0, u32::MAX]);
        keys.sort_unstable();
        assert!(keys.iter().all(|key| of(*key) < Buckets::count(&&splitters)));
        assert!(keys.is_sorted_by_key(|key| of(*key)), "monotone");
        for pair in keys.windows(2) {
            let is_one = Buckets::is_of_one_key(&&splitters, of(pair[0]));
            assert!(!is_one || of(pair[0]) != of(pair[1]) || pair[0] == pair[1], "{pair:?}");
        }
        splitters
    }

    #[test]
    fn splitters_are_monotone_and_heavy_keys_have_buckets_of_their_own() {
        let n = if cfg!(miri) { 256 } else { 1024 };
        let distinct: Vec<u32> = (0..n).map(|key| key * 1000).collect();
        let splitters = check(&distinct);
        let mut counts = [0; BUCKETS];
        for key in &distinct {
            counts[Buckets::of(&&splitters, *key)] += 1;
        }
        assert!(counts.iter().max() <= Some(&(4 * n as usize / BUCKETS)), "{counts:?}");
        for heavy in [0, 7, u32::MAX] {
            let mut samples: Vec<u32> =
                (0..100).map(|key| key * 3 + 1).chain([heavy; 156]).collect();
            samples.sort_unstable();
            let splitters = check(&samples);
            let bucket = Buckets::of(&&splitters, heavy);
            assert!(Buckets::is_of_one_key(&&splitters, bucket), "{heavy}");
        }
        check(&[vec![0u32; 255], vec![1]].concat());
        assert!(Splitters::of(&[9u32; 256]).is_none());
    }
}
