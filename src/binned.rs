//! Binned argsorts: the positions of keys that are the numbers of bins, by bins, and the bins' offsets.

use crate::bin_key::{BinKey, BinnedLists};
use crate::error::Error;
use crate::host;
use crate::lists::Rows;

/// The result of a binned argsort: positions by bins, and where in them each bin begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BinnedArgsort {
    /// The positions of the keys in their row, row after row: those of the first bin, of the next one, and so on, each bin's ascending.
    /// The positions of keys that are in no bin are the last ones.
    pub positions: Vec<u32>,
    /// Bins + 1 offsets of each row: bin b of a row has its positions from `offsets[b]` up to `offsets[b + 1]`, so the last offset is
    /// the number of keys that are in bins.
    pub offsets: Vec<u32>,
}

/// The positions of keys that are the numbers of bins, such as the experts that tokens go to, by bins, and the bins' offsets, found on
/// the host.
///
/// A key that is negative, or not less than `bins`, is in no bin: its position is among those behind the last offset.
///
/// ```
/// // Six tokens, and the expert of each; the fourth is dropped.
/// let found = sortsmith::argsort_binned(&[2i64, 0, 2, -1, 1, 0], 3)?;
/// assert_eq!(found.positions, [1, 5, 4, 0, 2, 3]);
/// assert_eq!(found.offsets, [0, 2, 3, 5]);
/// # Ok::<(), sortsmith::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::Bins`] unless there are 1 to 512 bins, and [`Error::TooManyItems`] if there are 2³² keys or more.
pub fn argsort_binned<K: BinKey>(keys: &[K], bins: usize) -> Result<BinnedArgsort, Error> {
    argsort_lists(keys, BinnedLists::of_array(keys.len(), bins)?)
}

/// The positions of the keys of each row of a matrix by bins, and each row's offsets, found on the host.
/// [`Rows`] have gaps between them, which their positions have not.
///
/// ```
/// let found = sortsmith::argsort_binned_rows(&[1u32, 0, 1, 0, 0, 7], 3, 2)?;
/// assert_eq!(found.positions, [1, 0, 2, 0, 1, 2]);
/// assert_eq!(found.offsets, [0, 1, 3, 0, 2, 2]);
/// # Ok::<(), sortsmith::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::RowShape`] if the keys are not rows of that many columns, and those of [`argsort_binned`].
pub fn argsort_binned_rows<K: BinKey>(
    keys: &[K],
    rows: impl Into<Rows>,
    bins: usize,
) -> Result<BinnedArgsort, Error> {
    argsort_lists(keys, BinnedLists::of_rows(rows.into(), keys.len(), bins)?)
}

fn argsort_lists<K: BinKey>(keys: &[K], lists: BinnedLists) -> Result<BinnedArgsort, Error> {
    let mut positions = host::positions(lists.positions())?;
    let mut offsets = host::positions(lists.offsets())?;
    host::binned::argsort_binned(keys, lists, &mut positions, &mut offsets);
    Ok(BinnedArgsort { positions, offsets })
}
