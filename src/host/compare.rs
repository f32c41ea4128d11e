//! Comparisons of keys.

use num_traits::{Bounded, Zero};
use sortsmith_codegen::Order;

use crate::error::Error;
use crate::key::{KeyBits, SortKey};
use crate::options::SortOptions;

/// Maps keys to *stored bits*, which tell keys apart and which a sort moves, and these to bits that ascend in the order of the sort.
#[derive(Clone, Copy)]
pub(crate) struct Comparison<K: SortKey> {
    /// All ones to sort descending, which complements the ordered bits; else zero.
    complement: K::Bits,
    /// The bits that take part.
    mask: K::Bits,
    /// The stored bits of a negative zero, for keys that have one, and those of zero, which compare as equal. Else both are equal.
    negative_zero: K::Bits,
    zero: K::Bits,
    /// Whether NaNs compare as equal, and above all else. At run time, because code for either would double what a sort compiles to.
    is_nan_last: bool,
}

impl<K: SortKey> Comparison<K> {
    pub(crate) fn new(options: &SortOptions) -> Result<Self, Error> {
        let bits = options.bits_of::<K>()?;
        let complement = match options.get_order() {
            Order::Ascending => K::Bits::zero(),
            Order::Descending => K::Bits::max_value(),
        };
        let mask = low_ones::<K::Bits>(bits.end) & !low_ones::<K::Bits>(bits.start);
        // Of the types of keys those with a sign bit and NaNs have two zeros, with ordered bits around the middle.
        let negative_zero = K::Bits::max_value() >> 1 ^ complement;
        let zero = if K::HAS_NAN { !negative_zero } else { negative_zero };
        let is_nan_last = K::HAS_NAN && options.is_nan_last();
        Ok(Self { complement, mask, negative_zero, zero, is_nan_last })
    }

    /// The ordered bits, complemented for a descending sort.
    #[inline]
    pub(crate) fn stored(&self, key: K) -> K::Bits {
        key.to_ordered_bits() ^ self.complement
    }

    /// The key of stored bits.
    #[inline]
    pub(crate) fn restored(&self, stored: K::Bits) -> K {
        K::from_ordered_bits(stored ^ self.complement)
    }

    /// The same comparison of stored bits, for keys none of which [is compared by other bits](Self::is_special) than those that take
    /// part: it takes fewer instructions, and is one for all types of as many bits.
    pub(super) fn of_stored(&self) -> Comparison<K::Bits> {
        let (complement, unused) = (K::Bits::zero(), K::Bits::zero());
        let mask = self.mask;
        Comparison { complement, mask, negative_zero: unused, zero: unused, is_nan_last: false }
    }

    /// The compared bits but for the bits that take no part, which a digit has none of.
    #[inline]
    pub(super) fn for_digits(&self, stored: K::Bits) -> K::Bits {
        if K::HAS_NAN { self.compared(stored) } else { stored }
    }

    /// Whether a key of these stored bits may be compared by others than those of them that take part.
    #[inline]
    pub(super) fn is_special(&self, stored: K::Bits) -> bool {
        let is_last = self.is_nan_last && self.restored(stored).is_nan_key();
        K::HAS_NAN && (stored == self.negative_zero) | is_last
    }

    /// Whether keys are stored as they are.
    pub(super) fn is_identity(&self) -> bool {
        K::IS_ORDERED_BITS && self.complement.is_zero()
    }

    /// The compared bits of zeros, if these are the only different keys that compare as equal.
    pub(super) fn only_tie(&self) -> Option<K::Bits> {
        let are_alone = K::HAS_NAN && !self.is_nan_last && self.mask == K::Bits::max_value();
        are_alone.then_some(self.zero)
    }

    /// Whether no different keys compare as equal.
    pub(super) fn is_total(&self) -> bool {
        !K::HAS_NAN && self.mask == K::Bits::max_value()
    }

    /// The bits that take part, of stored bits, unshifted; the others are zero.
    #[inline]
    pub(crate) fn compared(&self, stored: K::Bits) -> K::Bits {
        let mut bits = stored;
        if K::HAS_NAN && self.is_nan_last {
            rarely();
            if self.restored(stored).is_nan_key() {
                return self.mask;
            }
        }
        if K::HAS_NAN && stored == self.negative_zero {
            bits = self.zero;
        }
        bits & self.mask
    }
}

fn low_ones<B: KeyBits>(count: u32) -> B {
    if count == B::WIDTH { B::max_value() } else { (B::one() << count as usize) - B::one() }
}

/// Marks a branch as rarely taken, so that it stays one and does not become a select.
#[cold]
fn rarely() {}
