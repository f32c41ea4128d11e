//! Comparisons of keys.

use num_traits::{Bounded, Zero};
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
}

impl<K: SortKey, const NAN_LAST: bool> Comparison<K, NAN_LAST> {
    pub(super) fn new(options: &SortOptions) -> Result<Self, Error> {
        let bits = options.bits_of::<K>()?;
        let complement = match options.get_order() {
            Order::Ascending => K::Bits::zero(),
            Order::Descending => K::Bits::max_value(),
        };
        let mask = low_ones::<K::Bits>(bits.end) & !low_ones::<K::Bits>(bits.start);
        Ok(Self { complement, mask })
    }

    /// The same of keys that are ordered bits.
    pub(super) fn of_ordered_bits(&self) -> Comparison<K::Bits, false> {
        Comparison { complement: self.complement, mask: self.mask }
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
}

fn low_ones<B: KeyBits>(count: u32) -> B {
    if count == B::WIDTH { B::max_value() } else { (B::one() << count as usize) - B::one() }
}
