//! Comparisons of keys, and their digits.

use num_traits::{Bounded, PrimInt, Zero};
use sortsmith_codegen::Order;

use crate::error::Error;
use crate::key::{KeyBits, SortKey};
use crate::options::SortOptions;

/// Maps keys to bits that ascend in the order of the sort.
pub(super) struct Comparison<K: SortKey, const NAN_LAST: bool> {
    /// All ones to sort descending, which complements the ordered bits; else zero.
    complement: K::Bits,
    /// The bits that take part.
    mask: K::Bits,
    end: u32,
}

impl<K: SortKey, const NAN_LAST: bool> Comparison<K, NAN_LAST> {
    pub(super) fn new(options: &SortOptions) -> Result<Self, Error> {
        let bits = options.bits_of::<K>()?;
        let complement = match options.get_order() {
            Order::Ascending => K::Bits::zero(),
            Order::Descending => K::Bits::max_value(),
        };
        let mask = low_ones::<K::Bits>(bits.end) & !low_ones::<K::Bits>(bits.start);
        Ok(Self { complement, mask, end: bits.end })
    }

    #[inline]
    fn bits(&self, key: K) -> K::Bits {
        if NAN_LAST && key.is_nan_key() {
            K::Bits::max_value()
        } else {
            key.to_compared_bits() ^ self.complement
        }
    }

    /// The ordered bits that take part, unshifted; the others are zero.
    #[inline]
    pub(super) fn compared(&self, key: K) -> K::Bits {
        self.bits(key) & self.mask
    }

    #[inline]
    pub(super) fn digit(&self, key: K, digit: Digit) -> usize {
        usize::from((self.bits(key) >> digit.shift).low_u16() & digit.mask)
    }

    /// The digit of at most `width` bits from bit `begin` on.
    pub(super) fn digit_from(&self, begin: u32, width: u32) -> Digit {
        let width = width.min(self.end - begin);
        Digit { shift: begin as usize, mask: (1 << width) - 1 }
    }

    /// The digit of at most `width` bits that ends with bit `last`.
    pub(super) fn digit_to(&self, last: u32, width: u32) -> Digit {
        let begin = (last + 1).saturating_sub(width).max(self.mask.trailing_zeros());
        self.digit_from(begin, last + 1 - begin)
    }
}

/// A range of the compared bits.
#[derive(Clone, Copy)]
pub(super) struct Digit {
    shift: usize,
    mask: u16,
}

impl Digit {
    /// The largest number of bits of a digit.
    pub(super) const MAX_BITS: u32 = 8;
    /// The largest number of bins of a digit.
    pub(super) const MAX_BINS: usize = 1 << Self::MAX_BITS;

    /// The number of values that it can have.
    pub(super) fn bins(self) -> usize {
        usize::from(self.mask) + 1
    }
}

fn low_ones<B: KeyBits>(count: u32) -> B {
    if count == B::WIDTH { B::max_value() } else { (B::one() << count as usize) - B::one() }
}
