//! Sorts of the segments of device slices.

use bytemuck::Pod;
use cudarc::driver::{DevicePtr, DevicePtrMut};

use super::{StreamSorter, address_or_null};
use crate::error::Error;
use crate::gpu::segment_kernels::OffsetArrays;
use crate::gpu::segments;
use crate::gpu::stream_guard::{SliceAddress, StreamGuard};
use crate::gpu::task::{Arrays, Task};
use crate::key::SortKey;
use crate::lists::SegmentOffset;
use crate::segments::DeviceOffsets;

impl StreamSorter {
    /// Prepares kernels and scratch for sorts of up to as many items and segments. `writes_keys` is false for an argsort.
    pub fn prepare_segments(
        &self,
        of_segments: (&Task, usize),
        writes_keys: bool,
    ) -> Result<(), Error> {
        segments::prepare(&self.sorts, of_segments, writes_keys, self.guard()?.memory())
    }

    /// Sorts each segment of keys, and of values with them if there are any. The task is that of the array.
    pub fn sort_segments<K: SortKey, V: Pod, O: SegmentOffset>(
        &self,
        (task, offsets): (&Task, DeviceOffsets<'_, O>),
        keys: &mut dyn DevicePtrMut<K>,
        values: Option<&mut dyn DevicePtrMut<V>>,
    ) -> Result<(), Error> {
        self.require_own(keys, "keys")?;
        values.as_deref().map_or(Ok(()), |values| self.require_own(values, "values"))?;
        self.require_own_offsets(offsets)?;
        if task.n == 0 || offsets.count == 0 {
            return Ok(());
        }
        let mut guard = self.guard()?;
        // The slices' guards order other streams' uses behind this sort, so they live until it is enqueued.
        let (keys, _keys_guard) = guard.write(keys)?;
        let (values, _values_guard) = address_or_null(values, |values| guard.write(values))?;
        let (offsets, _offset_guards) = addresses(&guard, offsets)?;
        let arrays = Arrays::in_place(keys, values);
        let memory = guard.memory();
        // SAFETY: the slices are of this context, of the task's length and types, and of as many offsets. Written slices are
        // borrowed for that, so they do not overlap, and are freed in a stream's order, which the guards put behind this sort. The caller
        // keeps those that a graph uses, as cudarc requires of every capture.
        unsafe { segments::run(&self.sorts, &self.stream, (task, &offsets), &arrays, memory) }
    }

    /// Writes the positions within its segment that each key would be sorted from.
    pub fn argsort_segments<K: SortKey, O: SegmentOffset>(
        &self,
        (task, offsets): (&Task, DeviceOffsets<'_, O>),
        keys: &dyn DevicePtr<K>,
        positions: &mut dyn DevicePtrMut<u32>,
    ) -> Result<(), Error> {
        self.require_own(keys, "keys")?;
        self.require_own(positions, "indices")?;
        self.require_own_offsets(offsets)?;
        if task.n == 0 || offsets.count == 0 {
            return Ok(());
        }
        let mut guard = self.guard()?;
        let (positions, _positions_guard) = guard.write(positions)?;
        let (keys, _keys_guard) = guard.read(keys)?;
        let (offsets, _offset_guards) = addresses(&guard, offsets)?;
        let arrays = Arrays::argsort(keys, positions);
        let memory = guard.memory();
        // SAFETY: as in `sort_segments`; the keys are only read.
        unsafe { segments::run(&self.sorts, &self.stream, (task, &offsets), &arrays, memory) }
    }

    fn require_own_offsets<O: SegmentOffset>(
        &self,
        offsets: DeviceOffsets<'_, O>,
    ) -> Result<(), Error> {
        self.require_own(offsets.begins, "offsets of segments")?;
        offsets.ends.map_or(Ok(()), |ends| self.require_own(ends, "offsets of segments"))
    }
}

/// The addresses of offsets, and their guards.
fn addresses<'s, 'a: 's, O: SegmentOffset>(
    guard: &StreamGuard<'a>,
    DeviceOffsets { count, begins, ends }: DeviceOffsets<'s, O>,
) -> Result<(OffsetArrays, [SliceAddress<'s>; 2]), Error> {
    let begin = guard.read(begins)?;
    let end = address_or_null(ends, |ends| guard.read(ends))?;
    let bytes = size_of::<O>();
    // Without ends a segment ends where the next one begins.
    let end_address = if ends.is_some() { end.0 } else { begin.0 + bytes as u64 };
    let offsets = OffsetArrays { count, begins: begin.0, ends: end_address, bytes: bytes as u32 };
    Ok((offsets, [begin, end]))
}
