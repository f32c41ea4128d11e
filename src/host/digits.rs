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
/// Bits that are sorted by in addition to those of the items' numbering: so few that some insertions follow, and so many that hardly any do.
const EXTRA_BITS: [u32; 2] = [2, 5];
/// What an item costs that is inserted, in the unit of a pass's costs.
const INSERTED: u64 = 80;

/// A range of the compared bits, as a digit of passes from the lowest digit to the highest.
#[derive(Clone, Copy)]
pub(super) struct Digit {
    shift: usize,
    mask: u32,
}

impl Digit {
    /// The number of values that it can have.
    pub(super) fn bins(self) -> usize {
        self.mask as usize + 1
    }

    /// These bits with another value of the digit.
    pub(super) fn with<B: KeyBits>(self, bits: B, value: usize) -> B {
        (bits & !(B::of_u32(self.mask) << self.shift)) | B::of_u32(value as u32) << self.shift
    }

    #[inline]
    pub(super) fn of<B: KeyBits>(self, compared: B) -> usize {
        ((compared >> self.shift).low_u32() & self.mask) as usize
    }
}

/// One to three passes, and whether lower bits are left to comparisons.
#[derive(Clone, Copy)]
pub(super) struct Passes {
    /// The digits, the lowest first, of which `count` are used.
    digits: [Digit; PASSES_MAX],
    count: usize,
    /// The number of bits of all digits.
    pub(super) bits: u32,
    /// The lowest bit that is sorted by.
    pub(super) lowest: u32,
    /// Whether keys differ below it.
    pub(super) is_partial: bool,
}

impl Passes {
    /// The passes for keys that differ in the bits `varying`, of which there is one. Random keys that agree in about as many upper bits
    /// as their numbering has are few; more bits leave fewer of them to insertions. Keys that are not uniform take more.
    pub(super) fn new<K: SortKey, V>(
        items: impl Source<K::Bits, V>,
        by: &Comparison<K>,
        varying: K::Bits,
    ) -> Self {
        let end = K::Bits::WIDTH - varying.leading_zeros();
        let all = end - varying.trailing_zeros();
        let mut numbering = items.length().ilog2();
        if all > numbering + EXTRA_BITS[0] {
            numbering += bits_lost(items, by, end);
        }
        let bytes_each = size_of::<K>() + size_of::<V>();
        Self::of_bits(items.length(), bytes_each, end, all, numbering)
    }

    /// The passes for items of this size with keys that differ in `all` bits below `end`, and of which few agree in more upper bits
    /// than `numbering`.
    fn of_bits(items: usize, bytes_each: usize, end: u32, all: u32, numbering: u32) -> Self {
        let is_in_first_cache = items * bytes_each <= FIRST_CACHE_BYTES;
        let mut least = (u64::MAX, 0, 0);
        for count in 1..=PASSES_MAX as u32 {
            for extra in EXTRA_BITS {
                let of_each = (numbering + extra).min(all).div_ceil(count).min(MAX_BITS);
                let bits = (of_each * count).min(all);
                // Relative to ten of an item where bins are few, as measured (docs/performance-notes.md). A bin costs about four.
                let of_item = match of_each {
                    _ if is_in_first_cache => 10,
                    ..=8 => 10,
                    9 => 11,
                    10 => 13,
                    _ => 17,
                };
                let of_pass = items as u64 * of_item + (4 << of_each);
                // Of two items that agree in these bits the second one is inserted as often as not.
                let agreeing = if bits < all { (items as u64) << numbering >> bits } else { 0 };
                let cost = u64::from(count) * of_pass + agreeing.saturating_mul(INSERTED / 4);
                least = least.min((cost, count, bits));
            }
        }
        let (_, count, bits) = least;
        let lowest = end - bits;
        let digit = |index: u32| {
            let [begin, end] = [index, index + 1].map(|digit| bits * digit.min(count) / count);
            Digit { shift: (lowest + begin) as usize, mask: (1 << (end - begin)) - 1 }
        };
        let (digits, is_partial) = ([0, 1, 2].map(digit), bits < all);
        Self { digits, count: count as usize, bits, lowest, is_partial }
    }

    /// The digits, the lowest first.
    pub(super) fn digits(&self) -> &[Digit] {
        &self.digits[..self.count]
    }
}

/// About how many bits fewer than of uniform keys tell these keys apart, by the number of samples that agree in the eight bits before
/// `end`, and in the eight bits before those. Of floats some of both are exponent.
fn bits_lost<K: SortKey, V>(items: impl Source<K::Bits, V>, by: &Comparison<K>, end: u32) -> u32 {
    let digits = [8, 16].map(|bits| Digit { shift: end.saturating_sub(bits) as usize, mask: 0xff });
    let samples = if items.length() < 1 << 11 { 32 } else { 64 };
    let mut counts = [[0u8; 256]; 2];
    let mut pairs = [0; 2];
    for sample in 0..samples {
        // SAFETY: the slot is less than the length.
        let bits = unsafe { items.bits(sample * items.length() / samples) };
        let compared = by.compared(bits);
        for ((digit, counts), pairs) in digits.iter().zip(&mut counts).zip(&mut pairs) {
            let count = &mut counts[digit.of(compared)];
            *pairs += usize::from(*count);
            *count += 1;
        }
    }
    let pairs_of_uniform = samples * samples / 512;
    pairs.map(|pairs| (pairs / pairs_of_uniform).checked_ilog2().unwrap_or(0)).iter().sum()
}

/// The bits in which the stored bits of some items differ that take part in the comparison. `None` if a key may be compared by others. There is at
/// least one item.
///
/// # Safety
///
/// The source holds items, which nothing else writes.
pub(super) unsafe fn varying_stored<K: SortKey, V>(
    items: impl Source<K::Bits, V>,
    by: &Comparison<K>,
) -> Option<K::Bits> {
    // A copy that no store can change.
    let by = *by;
    // SAFETY: as the caller guarantees.
    let stored = |slot: usize| unsafe { items.bits(slot) };
    let first = stored(0);
    let (mut ones, mut zeros, mut is_special) = (first, !first, false);
    // No branches, so that several keys are read at once.
    for slot in 0..items.length() {
        let bits = stored(slot);
        ones = ones | bits;
        zeros = zeros | !bits;
        is_special |= by.is_special(bits);
    }
    (!is_special).then(|| by.of_stored().compared(ones & zeros))
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
