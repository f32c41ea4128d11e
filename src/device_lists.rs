//! Lists of a device array, with their number or their bounds in its memory.

use cudarc::driver::DevicePtr;

use crate::count::DeviceCount;
use crate::lists::{Lists as _, RowLists};

/// Lists of an array on a device.
pub(crate) struct DeviceLists<'a, O> {
    /// How many there are at most.
    pub most: usize,
    /// Where they begin and end.
    pub bounds: DeviceBounds<'a, O>,
    /// Whether these are of a signed type: negative ones count as past the end.
    pub signed_offsets: bool,
    /// How many there are, if the device alone knows.
    pub count: Option<DeviceCount<'a>>,
}

/// Where lists begin and end.
pub(crate) enum DeviceBounds<'a, O> {
    /// List i is `offsets[i]..offsets[i + 1]`.
    Offsets(&'a dyn DevicePtr<O>),
    /// As many ends as begins.
    Between { begins: &'a dyn DevicePtr<O>, ends: &'a dyn DevicePtr<O> },
    /// One list, of as many of the array's first items.
    First(&'a dyn DevicePtr<O>),
    /// List i is the `columns` items from i * `stride` on.
    Rows { columns: usize, stride: usize },
}

impl<'a, O> DeviceLists<'a, O> {
    /// The first items of an array, as many as there are by this count.
    pub(crate) fn first_items(count: &'a dyn DevicePtr<O>) -> Self {
        let bounds = DeviceBounds::First(count);
        Self { most: 1, bounds, signed_offsets: false, count: None }
    }
}

impl<'a> DeviceLists<'a, u32> {
    /// Rows, of which the device knows how many there are.
    pub(crate) fn rows(lists: &RowLists, count: DeviceCount<'a>) -> Self {
        let bounds = DeviceBounds::Rows { columns: lists.columns(), stride: lists.stride() };
        Self { most: lists.count(), bounds, signed_offsets: false, count: Some(count) }
    }
}
