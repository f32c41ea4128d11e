//! Sorts of the segments of device slices.

use bytemuck::Pod;
use cudarc::driver::{DevicePtr, DevicePtrMut};

use super::counted::count_address;
use super::{StreamSorter, address_or_null};
use crate::device_lists::{DeviceBounds, DeviceLists};
use crate::error::Error;
use crate::gpu::segment_kernels::{SegmentBounds, SegmentSizes};
use crate::gpu::segments;
use crate::gpu::stream_guard::{SliceAddress, StreamGuard};
use crate::gpu::task::{Arrays, CountAddress, Task};
use crate::key::SortKey;

impl StreamSorter {
    /// Prepares kernels and scratch for sorts of up to as many items and segments. `writes_keys` is false for an argsort.
    pub fn prepare_segments(
        &self,
        of_segments: (&Task, SegmentSizes),
        writes_keys: bool,
    ) -> Result<(), Error> {
        segments::prepare(&self.sorts, of_segments, writes_keys, self.guard()?.memory())
    }

    /// Sorts each segment of keys, and of values with them if there are any. The task is that of the array.
    pub fn sort_segments<K: SortKey, V: Pod, O>(
        &self,
        (task, lists): (&Task, &DeviceLists<'_, O>),
        keys: &mut dyn DevicePtrMut<K>,
        values: Option<&mut dyn DevicePtrMut<V>>,
    ) -> Result<(), Error> {
        self.require_own(keys, "keys")?;
        values.as_deref().map_or(Ok(()), |values| self.require_own(values, "values"))?;
        self.require_own_bounds(lists)?;
        if task.n == 0 || lists.most == 0 {
            return Ok(());
        }
        let mut guard = self.guard()?;
        // The slices' guards order other streams' uses behind this sort, so they live until it is enqueued.
        let (keys, _keys_guard) = guard.write(keys)?;
        let (values, _values_guard) = address_or_null(values, |values| guard.write(values))?;
        let (bounds, _bound_guards) = addresses(&guard, task.n, lists)?;
        let arrays = Arrays::in_place(keys, values);
        let memory = guard.memory();
        // SAFETY: the slices are of this context, of the task's length and types, and of as many offsets and one count. Written slices are
        // borrowed for that, so they do not overlap, and are freed in a stream's order, which the guards put behind this sort. The caller
        // keeps those that a graph uses, as cudarc requires of every capture.
        unsafe { segments::run(&self.sorts, &self.stream, (task, &bounds), &arrays, memory) }
    }

    /// Writes the positions within its segment that each key would be sorted from.
    pub fn argsort_segments<K: SortKey, O>(
        &self,
        (task, lists): (&Task, &DeviceLists<'_, O>),
        keys: &dyn DevicePtr<K>,
        positions: &mut dyn DevicePtrMut<u32>,
    ) -> Result<(), Error> {
        self.require_own(keys, "keys")?;
        self.require_own(positions, "indices")?;
        self.require_own_bounds(lists)?;
        if task.n == 0 || lists.most == 0 {
            return Ok(());
        }
        let mut guard = self.guard()?;
        let (positions, _positions_guard) = guard.write(positions)?;
        let (keys, _keys_guard) = guard.read(keys)?;
        let (bounds, _bound_guards) = addresses(&guard, task.n, lists)?;
        let arrays = Arrays::argsort(keys, positions);
        let memory = guard.memory();
        // SAFETY: as in `sort_segments`; the keys are only read.
        unsafe { segments::run(&self.sorts, &self.stream, (task, &bounds), &arrays, memory) }
    }

    fn require_own_bounds<O>(&self, lists: &DeviceLists<'_, O>) -> Result<(), Error> {
        const OFFSETS: &str = "offsets of segments";
        match lists.bounds {
            DeviceBounds::Offsets(offsets) => self.require_own(offsets, OFFSETS)?,
            DeviceBounds::Between { begins, ends } => {
                self.require_own(begins, OFFSETS)?;
                self.require_own(ends, OFFSETS)?;
            }
            DeviceBounds::First(count) => self.require_own(count, "count")?,
            DeviceBounds::Rows { .. } => (),
        }
        lists.count.map_or(Ok(()), |count| self.require_own_count(count))
    }
}

/// The addresses of bounds and count, and their guards.
fn addresses<'s, 'a: 's, O>(
    guard: &StreamGuard<'a>,
    n: usize,
    DeviceLists { most, bounds, signed_offsets, count }: &DeviceLists<'s, O>,
) -> Result<(SegmentBounds, [SliceAddress<'s>; 3]), Error> {
    let none: SliceAddress<'s> = (0, None);
    let bytes = size_of::<O>() as u32;
    let (mut columns, mut stride) = (0, 0);
    let [begin, end] = match *bounds {
        // A segment ends where the next one begins.
        DeviceBounds::Offsets(offsets) => {
            let begin = guard.read(offsets)?;
            let end = (begin.0 + u64::from(bytes), None);
            [begin, end]
        }
        DeviceBounds::Between { begins, ends } => [guard.read(begins)?, guard.read(ends)?],
        DeviceBounds::First(count) => [none, guard.read(count)?],
        DeviceBounds::Rows { columns: of_row, stride: distance } => {
            (columns, stride) = (of_row, distance);
            [none, (0, None)]
        }
    };
    let (count, count_guard) = match *count {
        None => (CountAddress::default(), (0, None)),
        Some(count) => count_address(guard, count)?,
    };
    let longest = if columns > 0 { columns } else { n };
    let bounds = SegmentBounds {
        sizes: SegmentSizes { count: *most, longest },
        begins: begin.0,
        ends: end.0,
        offset_bytes: bytes,
        signed_offsets: *signed_offsets,
        columns,
        stride,
        count: count.address,
        count_bytes: count.bytes,
    };
    Ok((bounds, [begin, end, count_guard]))
}
