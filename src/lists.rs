//! Many lists in one array: rows of equal length, and segments between offsets.

use std::fmt;
use std::ops::Range;

use crate::array::Array;
use crate::count::{CountSlice, ItemCount};
use crate::error::Error;
use crate::memory::{collected, with_room};

/// Rows of a matrix in memory: their columns, and the distance from the start of one row to that of the next.
///
/// A number of columns alone is that many without gaps between rows. The array ends with the last row, or with the gap behind it.
///
/// ```
/// use sortsmith::{Rows, SortOptions};
///
/// // Two rows of three keys, four apart: the fourth key of each is not touched.
/// let mut keys = [3u8, 1, 2, 0, 9, 8, 7, 0];
/// sortsmith::sort_rows_with(&mut keys, Rows::of(3).stride(4), SortOptions::new())?;
/// assert_eq!(keys, [1, 2, 3, 0, 7, 8, 9, 0]);
/// # Ok::<(), sortsmith::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct Rows {
    columns: usize,
    stride: usize,
}

impl Rows {
    /// Rows of this number of columns, one directly behind the other.
    pub const fn of(columns: usize) -> Self {
        Self { columns, stride: columns }
    }

    /// The same with this distance between the first items of two rows.
    pub const fn stride(self, stride: usize) -> Self {
        Self { stride, ..self }
    }

    /// The first rows alone, as many as a number in memory says: where keys are, on the host or on a device. More than there are count as
    /// all. The other rows are not touched.
    ///
    /// [`Sorter::sort_rows_with`](crate::Sorter::sort_rows_with), [`sort_pairs_rows_with`](crate::Sorter::sort_pairs_rows_with) and
    /// [`argsort_rows_into_with`](crate::Sorter::argsort_rows_into_with) take them; sorts of rows to other slices do not.
    ///
    /// ```
    /// use sortsmith::{Rows, SortOptions, Sorter};
    ///
    /// let mut keys = [3u8, 1, 2, 9, 8, 7];
    /// Sorter::host().sort_rows_with(&mut keys, Rows::of(3).counted(&[1u32]), SortOptions::new())?;
    /// assert_eq!(keys, [1, 2, 3, 9, 8, 7]);
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    pub fn counted<C: ItemCount>(self, count: &(impl Array<C> + ?Sized)) -> CountedRows<'_> {
        CountedRows { rows: self, count: Some(CountSlice::of(count)) }
    }

    /// Keys of a row.
    pub const fn columns(&self) -> usize {
        self.columns
    }

    /// Items of as many rows, with the gap behind the last one.
    #[cfg(feature = "cuda")]
    pub(crate) fn items_of(&self, count: usize) -> usize {
        count.saturating_mul(self.stride)
    }

    /// The number of rows of an array of `items`; an error if the array does not consist of such rows.
    pub(crate) fn count(&self, items: usize) -> Result<usize, Error> {
        let Self { columns, stride } = *self;
        let wrong = Error::RowShape { items, columns, stride };
        if items == 0 {
            return Ok(0);
        }
        if columns == 0 || stride < columns {
            return Err(wrong);
        }
        let (rows, rest) = (items / stride, items % stride);
        match rest {
            0 => Ok(rows),
            rest if rest == columns => Ok(rows + 1),
            _ => Err(wrong),
        }
    }
}

impl From<usize> for Rows {
    fn from(columns: usize) -> Self {
        Self::of(columns)
    }
}

/// [`Rows`], all of them or as many as a count in memory says: see [`Rows::counted`].
#[must_use]
pub struct CountedRows<'a> {
    rows: Rows,
    count: Option<CountSlice<'a>>,
}

impl<'a> CountedRows<'a> {
    /// The rows, and their count if they have one.
    pub(crate) fn rows_and_count(self) -> (Rows, Option<CountSlice<'a>>) {
        (self.rows, self.count)
    }
}

impl<R: Into<Rows>> From<R> for CountedRows<'_> {
    fn from(rows: R) -> Self {
        Self { rows: rows.into(), count: None }
    }
}

mod sealed {
    pub trait Sealed {
        /// Whether there are negative ones.
        const IS_SIGNED: bool;
    }
}

/// The types of offsets of segments: `u32`, `i32`, `u64`, `i64` and `usize`.
pub trait SegmentOffset: Copy + fmt::Display + Send + Sync + sealed::Sealed + 'static {
    /// The offset, if it is one of an array in this machine's memory.
    fn to_index(self) -> Option<usize>;
}

macro_rules! segment_offsets {
    ($($offset:ty)*) => {$(
        impl sealed::Sealed for $offset {
            const IS_SIGNED: bool = <$offset>::MIN != 0;
        }

        impl SegmentOffset for $offset {
            fn to_index(self) -> Option<usize> {
                usize::try_from(self).ok()
            }
        }
    )*};
}

segment_offsets! { u32 i32 u64 i64 usize }

/// Disjoint ranges of an array, in ascending order.
pub(crate) trait Lists: Sync {
    /// How many there are.
    fn count(&self) -> usize;

    /// The range of a list.
    fn range(&self, list: usize) -> Range<usize>;
}

/// [`Rows`], and their number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowLists {
    rows: Rows,
    count: usize,
}

impl RowLists {
    /// The rows of an array of `items`.
    pub(crate) fn new(rows: Rows, items: usize) -> Result<Self, Error> {
        Ok(Self { rows, count: rows.count(items)? })
    }

    /// The first of them, as many as a count on the host says.
    pub(crate) fn counted(self, count: Option<&CountSlice<'_>>) -> Result<Self, Error> {
        let all = self.count;
        Ok(Self { count: count.map_or(Ok(all), |it| it.on_host(all))?, ..self })
    }

    /// Keys of a row.
    pub(crate) fn columns(&self) -> usize {
        self.rows.columns
    }

    /// From the first item of a row to that of the next.
    pub(crate) fn stride(&self) -> usize {
        self.rows.stride
    }

    /// Whether rows lie side by side.
    #[cfg(feature = "cuda")]
    pub(crate) fn have_no_gaps(&self) -> bool {
        self.rows.stride == self.rows.columns
    }
}

impl Lists for RowLists {
    fn count(&self) -> usize {
        self.count
    }

    fn range(&self, list: usize) -> Range<usize> {
        let start = list * self.rows.stride;
        start..start + self.rows.columns
    }
}

/// Segments between consecutive offsets.
pub(crate) struct OffsetLists<'a, O>(&'a [O]);

impl<'a, O: SegmentOffset> OffsetLists<'a, O> {
    /// The segments of an array of `items`; an error if an offset is less than the one before it or exceeds the array.
    pub(crate) fn new(offsets: &'a [O], items: usize) -> Result<Self, Error> {
        let mut begin = 0;
        for (index, offset) in offsets.iter().enumerate() {
            let end = offset.to_index().filter(|end| (begin..=items).contains(end));
            begin = end.ok_or_else(|| Error::SegmentOffset {
                index,
                offset: offset.to_string(),
                least: begin,
                items,
            })?;
        }
        Ok(Self(offsets))
    }
}

impl<O: SegmentOffset> Lists for OffsetLists<'_, O> {
    fn count(&self) -> usize {
        self.0.len().saturating_sub(1)
    }

    fn range(&self, list: usize) -> Range<usize> {
        // Checked when they were made.
        let [begin, end] = [list, list + 1].map(|index| self.0[index].to_index().unwrap_or(0));
        begin..end
    }
}

/// Segments by where they begin and where they end, in ascending order.
pub(crate) struct RangeLists(Vec<Range<usize>>);

impl RangeLists {
    /// The segments of an array of `items`; an error if one ends before it begins, exceeds the array or overlaps another.
    pub(crate) fn new<O: SegmentOffset>(
        begins: &[O],
        ends: &[O],
        items: usize,
    ) -> Result<Self, Error> {
        let wrong = |index, offset: O, least| Error::SegmentOffset {
            index,
            offset: offset.to_string(),
            least,
            items,
        };
        let range = |(index, (begin, end)): (usize, (&O, &O))| -> Result<_, Error> {
            let start = begin.to_index().filter(|begin| *begin <= items);
            let start = start.ok_or_else(|| wrong(index, *begin, 0))?;
            let stop = end.to_index().filter(|end| (start..=items).contains(end));
            Ok((index, start..stop.ok_or_else(|| wrong(index, *end, start))?))
        };
        let mut ranges: Vec<(usize, Range<usize>)> = with_room(begins.len())?;
        for pair in begins.iter().zip(ends).enumerate() {
            ranges.push(range(pair)?);
        }
        // Empty ones overlap nothing, wherever they are.
        ranges.retain(|(_, range)| !range.is_empty());
        ranges.sort_unstable_by_key(|(_, range)| range.start);
        for pair in ranges.windows(2) {
            let [(_, before), (index, range)] = pair else { continue };
            if range.start < before.end {
                return Err(wrong(*index, begins[*index], before.end));
            }
        }
        Ok(Self(collected(ranges.len(), ranges.into_iter().map(|(_, range)| range))?))
    }
}

impl Lists for RangeLists {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn range(&self, list: usize) -> Range<usize> {
        self.0[list].clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_take_all_of_an_array_with_or_without_the_last_gap() {
        let count = |rows: Rows, items| rows.count(items).ok();
        assert_eq!(count(Rows::of(3), 12), Some(4));
        assert_eq!(count(Rows::of(3).stride(5), 13), Some(3));
        assert_eq!(count(Rows::of(3).stride(5), 15), Some(3));
        assert_eq!(count(Rows::of(0), 0), Some(0));
        for (rows, items) in [
            (Rows::of(0), 1),
            (Rows::of(3), 4),
            (Rows::of(3).stride(2), 6),
            (Rows::of(3).stride(5), 12),
        ] {
            assert_eq!(count(rows, items), None, "{rows:?} {items}");
        }
        let error = Rows::of(3).stride(5).count(12).unwrap_err().to_string();
        assert!(error.starts_with("12 keys are not rows of 3 columns, 5 apart"), "{error}");
    }

    #[test]
    fn offsets_ascend_within_the_array() {
        let ranges = |offsets: &[i32], items| {
            let segments = OffsetLists::new(offsets, items)?;
            Ok::<_, Error>((0..segments.count()).map(|it| segments.range(it)).collect::<Vec<_>>())
        };
        assert_eq!(ranges(&[1, 1, 4], 5).unwrap(), [1..1, 1..4]);
        assert_eq!(ranges(&[], 5).unwrap(), []);
        assert_eq!(ranges(&[5], 5).unwrap(), []);
        let error = |offsets: &[i32]| ranges(offsets, 5).unwrap_err().to_string();
        assert!(error(&[0, 3, 2]).starts_with("offset 2 of the segments is 2; legal: 3 to 5"));
        assert!(error(&[0, 6]).starts_with("offset 1 of the segments is 6; legal: 0 to 5"));
        assert!(error(&[-1]).starts_with("offset 0 of the segments is -1; legal: 0 to 5"));
    }

    #[test]
    fn ranges_may_lie_in_any_order_and_overlap_nowhere() {
        let ranges = |begins: &[u64], ends: &[u64]| {
            let lists = RangeLists::new(begins, ends, 9)?;
            Ok::<_, Error>((0..lists.count()).map(|it| lists.range(it)).collect::<Vec<_>>())
        };
        assert_eq!(ranges(&[5, 1, 3, 2], &[9, 3, 3, 2]).unwrap(), [1..3, 5..9]);
        assert_eq!(ranges(&[], &[]).unwrap(), []);
        let error = |begins: &[u64], ends: &[u64]| ranges(begins, ends).unwrap_err().to_string();
        assert!(
            error(&[5, 1], &[9, 6]).starts_with("offset 0 of the segments is 5; legal: 6 to 9")
        );
        assert!(error(&[5], &[4]).starts_with("offset 0 of the segments is 4; legal: 5 to 9"));
        assert!(error(&[10], &[10]).starts_with("offset 0 of the segments is 10; legal: 0 to 9"));
    }
}
