//! The options of a sort.

use std::ops::Range;

use sortsmith_codegen::Order;

use crate::algorithm::ArrayAlgorithm;
use crate::error::Error;
use crate::key::SortKey;
use crate::value::Carried;

/// The largest size of a sorter's pinned memory, unless a smaller one is set.
pub(crate) const STAGING_BYTES: usize = 16 << 20;

/// Fewer keys are sorted on the host: a launch and two copies take longer than their sort.
pub(crate) const MEASURED_MIN: usize = 1 << 11;

/// Where no times are known of sorts on a GPU and on the host, as many keys are sorted on the GPU.
pub(crate) const UNMEASURED_MIN: usize = 1 << 16;

/// How to sort. The default is ascending, by all bits of the key.
///
/// ```
/// use sortsmith::SortOptions;
///
/// let mut scores = [0.5f32, f32::NAN, 2.0];
/// sortsmith::sort_with(&mut scores, SortOptions::new().descending().nan_last())?;
/// assert_eq!(scores[..2], [2.0, 0.5]);
/// # Ok::<(), sortsmith::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct SortOptions {
    order: Order,
    bits: Option<(u32, u32)>,
    nan_last: bool,
    algorithm: ArrayAlgorithm,
}

impl Default for SortOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl SortOptions {
    /// Ascending, by all bits of the key, NaNs by their bits.
    pub const fn new() -> Self {
        let algorithm = ArrayAlgorithm::Fastest;
        Self { order: Order::Ascending, bits: None, nan_last: false, algorithm }
    }

    /// Descending. Equal keys keep their input order.
    pub const fn descending(self) -> Self {
        self.order(Order::Descending)
    }

    /// Ascending or descending.
    pub const fn order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// Only these of the key's [ordered bits](SortKey) take part, bit 0 being the lowest.
    ///
    /// Keys that differ in other bits only are equal, and keep their input order; with an empty range all keys are. A range that
    /// exceeds the key makes the sort return [`Error::BitRange`].
    ///
    /// ```
    /// use sortsmith::SortOptions;
    ///
    /// let mut keys = [0x21u8, 0x12, 0x11, 0x22];
    /// sortsmith::sort_with(&mut keys, SortOptions::new().bits(0..4))?;
    /// assert_eq!(keys, [0x21, 0x11, 0x12, 0x22]);
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    pub const fn bits(self, bits: Range<u32>) -> Self {
        Self { bits: Some((bits.start, bits.end)), ..self }
    }

    /// All NaNs come last, in either order. They count as equal and keep their input order.
    ///
    /// It is part of the transform to ordered bits: those of a NaN become all ones (descending: zero), which no number has. So with
    /// [`bits`](Self::bits) NaNs have the last digits of the range, which a number may share. It has no effect on keys that are
    /// not floats.
    pub const fn nan_last(self) -> Self {
        Self { nan_last: true, ..self }
    }

    /// The algorithm of sorts on a GPU.
    pub const fn algorithm(self, algorithm: ArrayAlgorithm) -> Self {
        Self { algorithm, ..self }
    }

    /// The order.
    pub const fn get_order(&self) -> Order {
        self.order
    }

    /// The range of bits, if it was set.
    pub const fn get_bits(&self) -> Option<Range<u32>> {
        match self.bits {
            Some((begin, end)) => Some(begin..end),
            None => None,
        }
    }

    /// Whether all NaNs come last.
    pub const fn is_nan_last(&self) -> bool {
        self.nan_last
    }

    /// The algorithm.
    pub const fn get_algorithm(&self) -> ArrayAlgorithm {
        self.algorithm
    }

    /// The range of bits for this type of key. Checks it, and that the algorithm supports it and the treatment of NaNs.
    pub(crate) fn bits_of<K: SortKey>(&self) -> Result<Range<u32>, Error> {
        let key_bits = K::KEY_TYPE.bits();
        let bits = match self.bits {
            None => 0..key_bits,
            Some((begin, end)) if begin <= end && end <= key_bits => begin..end,
            Some((begin, end)) => {
                return Err(Error::BitRange { begin, end, key: K::KEY_TYPE, key_bits });
            }
        };
        self.require(bits == (0..key_bits), "a range of bits", "all bits of the key")?;
        let has_nans_last = K::HAS_NAN && self.nan_last;
        self.require(!has_nans_last, "NaNs last", "NaNs by their bits")?;
        Ok(bits)
    }

    /// An error unless the algorithm moves such values.
    pub(crate) fn check_values(&self, carried: Carried) -> Result<(), Error> {
        let moves = matches!(carried, Carried::As(_));
        self.require(moves, "values of another size", "values of 1, 2, 4, 8 or 16 bytes, or none")
    }

    /// An error unless the algorithm sorts rows, segments and counted arrays.
    pub(crate) fn check_lists(&self) -> Result<(), Error> {
        self.require(false, "rows, segments or counts", "an array")
    }

    /// An error if the algorithm is a network and the request is one that no network supports.
    fn require(&self, has: bool, what: &'static str, legal: &'static str) -> Result<(), Error> {
        match self.algorithm {
            ArrayAlgorithm::Bitonic if !has => {
                Err(Error::NotOfAlgorithm { algorithm: self.algorithm, what, legal })
            }
            _ => Ok(()),
        }
    }
}

/// Which keys a top-k finds, and in which order. The default is the largest ones, sorted descending.
///
/// Of equal keys those at the lowest positions are found, so the result is the same every time. NaNs are compared as in sorts.
///
/// ```
/// use sortsmith::TopKOptions;
///
/// let found = sortsmith::top_k_with(&[5u8, 1, 4, 1], 2, TopKOptions::new().smallest())?;
/// assert_eq!((found.keys, found.positions), (vec![1, 1], vec![1, 3]));
/// # Ok::<(), sortsmith::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct TopKOptions {
    sort: SortOptions,
    is_sorted: bool,
}

impl Default for TopKOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl TopKOptions {
    /// The largest keys, sorted descending.
    pub const fn new() -> Self {
        Self { sort: SortOptions::new().descending(), is_sorted: true }
    }

    /// The smallest keys, sorted ascending.
    pub const fn smallest(self) -> Self {
        let sort = self.sort.order(Order::Ascending);
        Self { sort, ..self }
    }

    /// The keys in the order of their positions, which is faster.
    pub const fn unsorted(self) -> Self {
        Self { is_sorted: false, ..self }
    }

    /// NaNs are found last, as [`SortOptions::nan_last`] sorts them.
    pub const fn nan_last(self) -> Self {
        Self { sort: self.sort.nan_last(), ..self }
    }

    /// The sort that the keys are the first ones of.
    pub(crate) const fn sort(&self) -> &SortOptions {
        &self.sort
    }

    /// Whether the keys are wanted in the order of that sort.
    pub(crate) const fn is_sorted(&self) -> bool {
        self.is_sorted
    }
}
