//! Upper digits, by which a partition finds the bucket of a key.

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
        if ((max >> shift) - (min >> shift)) >> bits.min(B::WIDTH - 1) as usize > B::zero() {
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

/// Buckets that were chosen by samples.
pub(super) enum UpperDigit<B> {
    Even(EvenBuckets<B>),
    Skewed(Box<Table<B>>),
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
    /// equal.
    ///
    /// # Safety
    ///
    /// The source holds items, which nothing else writes.
    pub(super) unsafe fn of_samples<K: SortKey<Bits = B>, V, const NAN_LAST: bool>(
        items: impl Source<B, V>,
        by: &Comparison<K, NAN_LAST>,
        bits: u32,
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
        (min < max).then(|| Self::between(min, max, samples, bits))
    }

    /// The same for keys that differ in the bits `varying`, of which there is one: no key is outside of it.
    ///
    /// # Safety
    ///
    /// As for [`UpperDigit::of_samples`].
    pub(super) unsafe fn of_all<K: SortKey<Bits = B>, V, const NAN_LAST: bool>(
        items: impl Source<B, V>,
        by: &Comparison<K, NAN_LAST>,
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
        if is_even(even, samples) {
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
unsafe fn take<'a, K: SortKey, V, const NAN_LAST: bool>(
    samples: &'a mut [K::Bits; SAMPLES[0]],
    items: impl Source<K::Bits, V>,
    by: &Comparison<K, NAN_LAST>,
) -> &'a [K::Bits] {
    let count = SAMPLES[usize::from(items.length() < FEWER_ITEMS)];
    let samples = &mut samples[..count];
    for (number, sample) in samples.iter_mut().enumerate() {
        // SAFETY: the slot is less than the length.
        *sample = unsafe { by.compared(items.bits(number * items.length() / count)) };
    }
    samples.sort_unstable();
    samples
}

/// Whether sorted samples are in no bucket much more often than uniform ones would be.
fn is_even<B: KeyBits>(buckets: EvenBuckets<B>, samples: &[B]) -> bool {
    let expected = samples.len() / buckets.count() + 1;
    let of_bucket = samples.chunk_by(|one, next| buckets.of(*one) == buckets.of(*next));
    of_bucket.map(<[B]>::len).max().is_some_and(|most| most <= 2 * expected + 8)
}
