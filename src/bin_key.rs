//! Keys that are the numbers of bins.

use crate::error::Error;
use crate::key::SortKey;
use crate::lists::{Lists as _, RowLists, Rows};

mod sealed {
    pub trait Sealed {}
}

/// Integers of up to 64 bits, which [`argsort_binned`](crate::argsort_binned) takes as the numbers of bins.
pub trait BinKey: SortKey + sealed::Sealed {
    /// The number, or `bins` for a key that is in none of them: a negative one, or one that is not less.
    #[doc(hidden)]
    fn slot(self, bins: usize) -> usize;
}

macro_rules! bin_keys {
    ($($key:ty)*) => {$(
        impl sealed::Sealed for $key {}

        impl BinKey for $key {
            fn slot(self, bins: usize) -> usize {
                usize::try_from(self).map_or(bins, |bin| bin.min(bins))
            }
        }
    )*};
}

bin_keys! { u8 u16 u32 u64 i8 i16 i32 i64 }

/// The most bins.
pub(crate) const MAX_BINS: usize = sortsmith_codegen::binned_argsort::MAX_BINS as usize;

/// The most keys of an array or a row: offsets are `u32`.
pub(crate) const MAX_KEYS: u64 = u32::MAX as u64;

/// An error unless there may be this number of bins, and of keys.
pub(crate) fn require_bins(bins: usize, columns: usize) -> Result<(), Error> {
    if columns as u64 > MAX_KEYS {
        return Err(Error::TooManyItems { items: columns, limit: MAX_KEYS });
    }
    if (1..=MAX_BINS).contains(&bins) { Ok(()) } else { Err(Error::Bins { bins, most: MAX_BINS }) }
}

/// Rows of keys in bins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BinnedLists {
    /// Rows.
    pub(crate) rows: usize,
    /// Keys of a row.
    pub(crate) columns: usize,
    /// From the first key of a row to that of the next.
    pub(crate) stride: usize,
    /// Bins.
    pub(crate) bins: usize,
}

impl BinnedLists {
    /// An array of `items`, which is a row even if it is empty.
    pub(crate) fn of_array(items: usize, bins: usize) -> Result<Self, Error> {
        require_bins(bins, items)?;
        Ok(Self { rows: 1, columns: items, stride: items, bins })
    }

    /// The rows of an array of `items`.
    pub(crate) fn of_rows(rows: Rows, items: usize, bins: usize) -> Result<Self, Error> {
        require_bins(bins, rows.columns())?;
        let lists = RowLists::new(rows, items)?;
        let (columns, stride) = (rows.columns(), lists.stride());
        Ok(Self { rows: lists.count(), columns, stride, bins })
    }

    /// Positions of all rows.
    pub(crate) fn positions(&self) -> usize {
        self.rows * self.columns
    }

    /// Offsets of all rows.
    pub(crate) fn offsets(&self) -> usize {
        self.rows * (self.bins + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_no_bin_have_the_slot_behind_the_last() {
        assert_eq!([0u8, 2, 3, 255].map(|key| key.slot(3)), [0, 2, 3, 3]);
        assert_eq!([0i8, -1, 127].map(|key| key.slot(512)), [0, 512, 127]);
        assert_eq!([i64::MIN, 511, i64::MAX].map(|key| key.slot(512)), [512, 511, 512]);
        assert_eq!([u64::MAX, 1 << 32].map(|key| key.slot(1)), [1, 1]);
    }

    #[test]
    fn bins_and_keys_have_limits() {
        assert!(require_bins(1, 0).is_ok() && require_bins(512, 1 << 20).is_ok());
        let error = |bins, columns| require_bins(bins, columns).unwrap_err().to_string();
        assert_eq!(error(0, 9), "0 bins; legal: 1 to 512");
        assert_eq!(error(513, 9), "513 bins; legal: 1 to 512");
        if usize::BITS > 32 {
            assert!(error(5, 1 << 32).contains("4294967296 keys"));
        }
    }
}
