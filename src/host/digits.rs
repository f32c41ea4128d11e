//! Which bits of the keys are sorted by in passes, and how many at once.

use num_traits::PrimInt;

use super::compare::Comparison;
use super::items::Source;
use crate::key::{KeyBits, SortKey};

/// The largest number of bits of a digit.
pub(super) const MAX_BITS: u32 = 11;
/// The largest number of bins of a digit.
pub(super) const MAX_BINS: usize = 1 << MAX_BITS;
/// The largest number of passes.
const PASSES_MAX: usize = 3;
/// A pass over more bytes writes bins of few bits faster.
const FIRST_CACHE_BYTES: usize = if cfg!(miri) { 1 << 9 } else { 1 << 15 };
/// The bits that are sorted by in addition to those of the items' numbering.
const EXTRA_BITS: u32 = 5;

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

/// One to three passes, and whether lower bits are left to comparisons.
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
    pub(super) fn new<K: SortKey, V>(
        items: impl Source<K::Bits, V>,
        by: &Comparison<K>,
        varying: K::Bits,
    ) -> Self {
        let end = K::Bits::WIDTH - varying.leading_zeros();
        let all = end - varying.trailing_zeros();
        let mut wanted = items.length().ilog2() + EXTRA_BITS;
        if all > wanted {
            wanted += bits_lost(items, by, end);
        }
        let bytes_each = size_of::<K>() + size_of::<V>();
        Self::of_bits(items.length(), bytes_each, end, all, wanted)
    }

    /// The passes for items of this size with keys that differ in `all` bits below `end`: by about the `wanted` uppermost ones.
    fn of_bits(items: usize, bytes_each: usize, end: u32, all: u32, wanted: u32) -> Self {
        let bits = if all <= wanted + 2 { all } else { wanted }.min(PASSES_MAX as u32 * MAX_BITS);
        let bytes = items * bytes_each;
        let cost = |count: &u32| {
            let bits = bits.div_ceil(*count);
            // Relative to ten of an item where bins are few, as measured (docs/performance-notes.md). A bin costs about four.
            let of_item = match bits {
                _ if bytes <= FIRST_CACHE_BYTES => 10,
                ..=8 => 10,
                9 => 11,
                10 => 13,
                _ => 17,
            };
            *count as usize * (items * of_item + (4 << bits))
        };
        let fewest = bits.div_ceil(MAX_BITS);
        let most = if bytes <= FIRST_CACHE_BYTES { fewest.max(2) } else { PASSES_MAX as u32 };
        let counts = fewest..=most;
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
fn bits_lost<K: SortKey, V>(items: impl Source<K::Bits, V>, by: &Comparison<K>, end: u32) -> u32 {
    let digit = Digit { shift: end.saturating_sub(8) as usize, mask: 0xff };
    let samples = if items.length() < 1 << 11 { 32 } else { 64 };
    let mut counts = [0u8; 256];
    let mut pairs = 0;
    for sample in 0..samples {
        // SAFETY: the slot is less than the length.
        let bits = unsafe { items.bits(sample * items.length() / samples) };
        let count = &mut counts[digit.of(by.compared(bits))];
        pairs += usize::from(*count);
        *count += 1;
    }
    let pairs_of_uniform = samples * samples / 512;
    (pairs / pairs_of_uniform).checked_ilog2().unwrap_or(0)
}

/// The bits in which the compared bits of some items differ. There is at least one item.
///
/// # Safety
///
/// The source holds items, which nothing else writes.
pub(super) unsafe fn varying<K: SortKey, V>(
    items: impl Source<K::Bits, V>,
    by: &Comparison<K>,
) -> K::Bits {
    // SAFETY: as the caller guarantees.
    let compared = |slot: usize| unsafe { by.compared(items.bits(slot)) };
    let first = compared(0);
    // All bits in which some key has a one, and all in which some key has a zero.
    let mut ones = first;
    let mut zeros = !first;
    for slot in 1..items.length() {
        let bits = compared(slot);
        ones = ones | bits;
        zeros = zeros | !bits;
    }
    ones & zeros
}
