//! Segments of an array: by consecutive offsets, or by where each begins and where it ends.

use crate::array::{Array, Items};
use crate::count::{CountSlice, ItemCount};
#[cfg(feature = "cuda")]
use crate::device_lists::{DeviceBounds, DeviceLists};
use crate::error::Error;
use crate::lists::{Lists, OffsetLists, RangeLists, SegmentOffset};

/// Segments of an array, on the host or on a device: a slice of offsets, of which segment i is `offsets[i]..offsets[i + 1]`, or two
/// slices, of which it is `begins[i]..ends[i]`.
///
/// ```
/// use sortsmith::{Segments, Sorter};
///
/// let mut keys = [4u8, 3, 2, 1, 9, 7];
/// Sorter::host().sort_segments(&mut keys, &[0u32, 2, 4])?;
/// assert_eq!(keys, [3, 4, 1, 2, 9, 7]);
/// Sorter::host().sort_segments(&mut keys, Segments::between(&[4i64, 0], &[6, 3]))?;
/// assert_eq!(keys, [1, 3, 4, 2, 7, 9]);
/// # Ok::<(), sortsmith::Error>(())
/// ```
#[must_use]
pub struct Segments<'a, O> {
    begins: Items<'a, O>,
    ends: Option<Items<'a, O>>,
    count: Option<CountSlice<'a>>,
}

impl<'a, O: SegmentOffset> Segments<'a, O> {
    /// Segments that may lie in any order, with gaps between them. No two may overlap.
    pub fn between(
        begins: &'a (impl Array<O> + ?Sized),
        ends: &'a (impl Array<O> + ?Sized),
    ) -> Self {
        Self { begins: begins.items(), ends: Some(ends.items()), count: None }
    }

    /// The first segments alone, as many as a number in memory says: where keys are, on the host or on a device. More than there are count
    /// as all. The offsets of the others are not read, and their items not touched.
    ///
    /// ```
    /// use sortsmith::{Segments, Sorter};
    ///
    /// let mut keys = [4u8, 3, 2, 1, 9, 7];
    /// let segments = Segments::from(&[0u32, 2, 4, 6]).counted(&[2u32]);
    /// Sorter::host().sort_segments(&mut keys, segments)?;
    /// assert_eq!(keys, [3, 4, 1, 2, 9, 7]);
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    pub fn counted<C: ItemCount>(self, count: &'a (impl Array<C> + ?Sized)) -> Self {
        Self { count: Some(CountSlice::of(count)), ..self }
    }

    /// How many there are, or an error if there is not one end for each begin.
    pub(crate) fn count(&self) -> Result<usize, Error> {
        let begins = self.begins.len();
        match self.ends.as_ref().map(Items::len) {
            None => Ok(begins.saturating_sub(1)),
            Some(ends) if ends == begins => Ok(begins),
            Some(ends) => Err(Error::SegmentEnds { begins, ends }),
        }
    }

    /// The segments of an array of `items` on the host; an error if they are not within it, or overlap.
    pub(crate) fn on_host(&self, items: usize) -> Result<HostSegments<'a, O>, Error> {
        let all = self.count()?;
        let count = self.count.as_ref().map_or(Ok(all), |count| count.on_host(all))?;
        match (&self.begins, &self.ends) {
            (Items::Host(offsets), None) => {
                let offsets = &offsets[..offsets.len().min(count + 1)];
                OffsetLists::new(offsets, items).map(HostSegments::Offsets)
            }
            (Items::Host(begins), Some(Items::Host(ends))) => {
                RangeLists::new(&begins[..count], &ends[..count], items).map(HostSegments::Ranges)
            }
            #[cfg(feature = "cuda")]
            _ => Err(Error::MixedMemory { what: "keys and offsets of segments" }),
        }
    }

    /// The slices of offsets on a device.
    #[cfg(feature = "cuda")]
    pub(crate) fn on_device(&self) -> Result<DeviceLists<'a, O>, Error> {
        let most = self.count()?;
        let bounds = match (&self.begins, &self.ends) {
            (Items::Device(offsets), None) => DeviceBounds::Offsets(*offsets),
            (Items::Device(begins), Some(Items::Device(ends))) => {
                DeviceBounds::Between { begins: *begins, ends: *ends }
            }
            _ => return Err(Error::MixedMemory { what: "keys and offsets of segments" }),
        };
        let count = self.count.as_ref().map(CountSlice::on_device).transpose()?;
        Ok(DeviceLists { most, bounds, signed_offsets: O::IS_SIGNED, count })
    }
}

impl<'a, O: SegmentOffset, A: Array<O> + ?Sized> From<&'a A> for Segments<'a, O> {
    fn from(offsets: &'a A) -> Self {
        Self { begins: offsets.items(), ends: None, count: None }
    }
}

/// Segments of an array on the host.
pub(crate) enum HostSegments<'a, O> {
    Offsets(OffsetLists<'a, O>),
    Ranges(RangeLists),
}

impl<O: SegmentOffset> Lists for HostSegments<'_, O> {
    fn count(&self) -> usize {
        match self {
            Self::Offsets(lists) => lists.count(),
            Self::Ranges(lists) => lists.count(),
        }
    }

    fn range(&self, list: usize) -> std::ops::Range<usize> {
        match self {
            Self::Offsets(lists) => lists.range(list),
            Self::Ranges(lists) => lists.range(list),
        }
    }
}
