//! Functions that sort many lists of one host slice: rows and segments.

use crate::error::Error;
use crate::host;
use crate::host::lists::{argsort_lists, sort_lists};
use crate::key::SortKey;
use crate::lists::{Lists as _, OffsetLists, RowLists, Rows, SegmentOffset};
use crate::options::SortOptions;
use crate::sorter::INDEX_LIMIT;
use crate::value::SortValue;

/// Sorts each row of a matrix ascending, on the host.
///
/// ```
/// let mut keys = [3u32, 1, 2, 6, 5, 4];
/// sortsmith::sort_rows(&mut keys, 3)?;
/// assert_eq!(keys, [1, 2, 3, 4, 5, 6]);
/// # Ok::<(), sortsmith::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::RowShape`] if the keys are not rows of that many columns.
pub fn sort_rows<K: SortKey>(keys: &mut [K], columns: usize) -> Result<(), Error> {
    sort_rows_with(keys, columns, SortOptions::new())
}

/// Sorts each row of a matrix as the options say, on the host.
pub fn sort_rows_with<K: SortKey>(
    keys: &mut [K],
    rows: impl Into<Rows>,
    options: SortOptions,
) -> Result<(), Error> {
    options.check_lists()?;
    let rows = RowLists::new(rows.into(), keys.len())?;
    let values = &mut vec![(); keys.len()];
    sort_lists(keys, values, &rows, &options)
}

/// Sorts each row of a matrix ascending, and moves each value with its key, on the host.
///
/// ```
/// let mut distances = [0.5f32, 0.25, 4.0, 2.0];
/// let mut neighbours = [7u32, 8, 9, 10];
/// sortsmith::sort_pairs_rows(&mut distances, &mut neighbours, 2)?;
/// assert_eq!(neighbours, [8, 7, 10, 9]);
/// # Ok::<(), sortsmith::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::RowShape`] if the keys are not rows of that many columns, and [`Error::LengthMismatch`] if there is not one value for
/// each key.
pub fn sort_pairs_rows<K: SortKey, V: SortValue>(
    keys: &mut [K],
    values: &mut [V],
    columns: usize,
) -> Result<(), Error> {
    sort_pairs_rows_with(keys, values, columns, SortOptions::new())
}

/// Sorts each row of a matrix as the options say, and moves each value with its key, on the host. Values lie as keys do.
pub fn sort_pairs_rows_with<K: SortKey, V: SortValue>(
    keys: &mut [K],
    values: &mut [V],
    rows: impl Into<Rows>,
    options: SortOptions,
) -> Result<(), Error> {
    options.check_lists()?;
    equal_lengths(keys, values)?;
    let rows = RowLists::new(rows.into(), keys.len())?;
    sort_lists(keys, values, &rows, &options)
}

/// The positions within its row that each key of the sorted rows comes from, found on the host.
///
/// ```
/// let order = sortsmith::argsort_rows(&[0.5f32, -2.0, 9.0, 1.0, 3.0, 2.0], 3)?;
/// assert_eq!(order, [1, 0, 2, 0, 2, 1]);
/// # Ok::<(), sortsmith::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::RowShape`] if the keys are not rows of that many columns, and [`Error::TooManyItems`] if a row has more than 2³² of
/// them.
pub fn argsort_rows<K: SortKey>(keys: &[K], columns: usize) -> Result<Vec<u32>, Error> {
    argsort_rows_with(keys, columns, SortOptions::new())
}

/// The positions within its row that each key comes from, of rows sorted as the options say, found on the host. They lie as keys
/// do, with zeros in gaps between rows.
pub fn argsort_rows_with<K: SortKey>(
    keys: &[K],
    rows: impl Into<Rows>,
    options: SortOptions,
) -> Result<Vec<u32>, Error> {
    options.check_lists()?;
    let rows = rows.into();
    numbered(rows.columns())?;
    let mut positions = host::positions(keys.len())?;
    argsort_lists(keys, &mut positions, &RowLists::new(rows, keys.len())?, &options)?;
    Ok(positions)
}

/// Sorts each segment of an array ascending, on the host. Segment i is `offsets[i]..offsets[i + 1]`; items before the first and
/// behind the last offset are left as they are.
///
/// ```
/// let mut keys = [5u8, 4, 3, 2, 1];
/// sortsmith::sort_segments(&mut keys, &[0u32, 2, 2, 5])?;
/// assert_eq!(keys, [4, 5, 1, 2, 3]);
/// # Ok::<(), sortsmith::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::SegmentOffset`] if an offset is less than the one before it, or exceeds the array.
pub fn sort_segments<K: SortKey>(
    keys: &mut [K],
    offsets: &[impl SegmentOffset],
) -> Result<(), Error> {
    sort_segments_with(keys, offsets, SortOptions::new())
}

/// Sorts each segment of an array as the options say, on the host: see [`sort_segments`].
pub fn sort_segments_with<K: SortKey>(
    keys: &mut [K],
    offsets: &[impl SegmentOffset],
    options: SortOptions,
) -> Result<(), Error> {
    options.check_lists()?;
    let segments = OffsetLists::new(offsets, keys.len())?;
    let values = &mut vec![(); keys.len()];
    sort_lists(keys, values, &segments, &options)
}

/// Sorts each segment of an array ascending, and moves each value with its key, on the host: see [`sort_segments`].
///
/// ```
/// let mut keys = [5u8, 4, 3, 2, 1];
/// let mut names = ["e", "d", "c", "b", "a"].map(|name| name.as_bytes()[0]);
/// sortsmith::sort_pairs_segments(&mut keys, &mut names, &[0u32, 2, 5])?;
/// assert_eq!(&names, b"deabc");
/// # Ok::<(), sortsmith::Error>(())
/// ```
pub fn sort_pairs_segments<K: SortKey, V: SortValue>(
    keys: &mut [K],
    values: &mut [V],
    offsets: &[impl SegmentOffset],
) -> Result<(), Error> {
    sort_pairs_segments_with(keys, values, offsets, SortOptions::new())
}

/// Sorts each segment of an array as the options say, and moves each value with its key, on the host: see [`sort_segments`].
pub fn sort_pairs_segments_with<K: SortKey, V: SortValue>(
    keys: &mut [K],
    values: &mut [V],
    offsets: &[impl SegmentOffset],
    options: SortOptions,
) -> Result<(), Error> {
    options.check_lists()?;
    equal_lengths(keys, values)?;
    sort_lists(keys, values, &OffsetLists::new(offsets, keys.len())?, &options)
}

/// The positions within its segment that each key of the sorted segments comes from, found on the host: see [`sort_segments`].
///
/// ```
/// let order = sortsmith::argsort_segments(&[5u8, 4, 3, 2, 1], &[0u32, 2, 5])?;
/// assert_eq!(order, [1, 0, 2, 1, 0]);
/// # Ok::<(), sortsmith::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::SegmentOffset`] if an offset is less than the one before it, or exceeds the array, and [`Error::TooManyItems`] if a
/// segment has more than 2³² keys.
pub fn argsort_segments<K: SortKey>(
    keys: &[K],
    offsets: &[impl SegmentOffset],
) -> Result<Vec<u32>, Error> {
    argsort_segments_with(keys, offsets, SortOptions::new())
}

/// The positions within its segment that each key comes from, of segments sorted as the options say, found on the host. Items
/// outside of the segments have zeros.
pub fn argsort_segments_with<K: SortKey>(
    keys: &[K],
    offsets: &[impl SegmentOffset],
    options: SortOptions,
) -> Result<Vec<u32>, Error> {
    options.check_lists()?;
    let segments = OffsetLists::new(offsets, keys.len())?;
    (0..segments.count()).try_for_each(|segment| numbered(segments.range(segment).len()))?;
    let mut positions = host::positions(keys.len())?;
    argsort_lists(keys, &mut positions, &segments, &options)?;
    Ok(positions)
}

fn equal_lengths<K, V>(keys: &[K], values: &[V]) -> Result<(), Error> {
    if keys.len() == values.len() {
        return Ok(());
    }
    Err(Error::LengthMismatch { keys: keys.len(), values: values.len() })
}

/// An error if `u32` positions cannot number a list of this length.
pub(crate) fn numbered(items: usize) -> Result<(), Error> {
    if items as u64 <= INDEX_LIMIT {
        return Ok(());
    }
    Err(Error::TooManyItems { items, limit: INDEX_LIMIT })
}
