//! Copies of host slices by way of pinned memory.
//!
//! A copy from pageable memory is made by the driver, on one thread. Here it is divided into pieces. Several threads move pieces
//! between the slices and the slots of a pinned buffer, while the device copies other slots. One thread makes all calls of the
//! driver, in an order that follows from the lengths alone.

mod parts;
mod pieces;
mod progress;

use std::slice;
use std::sync::Arc;

use cudarc::driver::sys::CUstream;
use cudarc::driver::{CudaContext, DriverError, result};

use super::capture::BesideCaptures;
use super::pinned::{Event, PinnedBuffer};
use crate::host::helpers::with_helpers;
use pieces::{BUFFER_MAX, Pieces, SLOTS_MAX};
use progress::Progress;

pub use parts::Parts;
pub use pieces::Shape;

/// The largest number of threads that help. On sixteen cores more made copies slower; docs/performance-notes.md has the measurements.
const HELPERS_MAX: usize = 7;

/// The fewest bytes that several threads copy: for fewer they are woken too late.
const HELPED_MIN: usize = 1 << 20;

/// The number of threads that help with these pieces.
fn helpers(pieces: &Pieces) -> usize {
    let most = if pieces.bytes() < HELPED_MIN { 0 } else { HELPERS_MAX };
    most.min(pieces.count().saturating_sub(1))
}

/// A pinned buffer and its events. One copy at a time uses it, and waits for what it has enqueued, or its owner does.
#[derive(Debug)]
pub struct Staging {
    context: Arc<CudaContext>,
    buffer: Option<PinnedBuffer>,
    /// For each slot, recorded behind the last copy of it.
    events: Vec<Event>,
}

impl Staging {
    /// No memory yet.
    pub fn new(context: &Arc<CudaContext>) -> Self {
        Self { context: Arc::clone(context), buffer: None, events: Vec::new() }
    }

    /// Makes room for copies of `bytes` bytes with a buffer of at most `most` bytes. The result is their shape; there is none if
    /// `most` is too small. The context is bound to the thread.
    pub fn reserve(&mut self, bytes: usize, most: usize) -> Result<Option<Shape>, DriverError> {
        let most = most.min(BUFFER_MAX);
        let length = bytes.checked_next_power_of_two().map_or(most, |length| length.min(most));
        let held = self.buffer.as_ref().map_or(0, PinnedBuffer::len);
        if held < length || held > most {
            self.buffer = None;
            if Shape::of(bytes, length).is_none() {
                return Ok(None);
            }
            self.buffer = Some(PinnedBuffer::new(&self.context, length)?);
        }
        let shape = Shape::of(bytes, self.buffer.as_ref().map_or(0, PinnedBuffer::len));
        // Shorter copies through a longer buffer may have more slots.
        while self.events.len() < SLOTS_MAX {
            self.events.push(Event::new(&self.context)?);
        }
        Ok(shape)
    }

    /// Takes everything out.
    pub fn release(&mut self) -> Option<Self> {
        let Self { context, buffer, events } = self;
        let buffer = buffer.take();
        buffer.as_ref()?;
        Some(Self { context: Arc::clone(context), buffer, events: std::mem::take(events) })
    }

    /// Enqueues copies of these arrays to these addresses, and returns when all has been read. An empty array is not copied. The
    /// shape is of the last call of [`Self::reserve`].
    ///
    /// # Safety
    ///
    /// At each address there is room for the array, for work in this stream's order. The stream is live and of the context, which is
    /// bound to the thread. Nothing else uses the buffer before the stream has been waited for.
    pub unsafe fn upload(
        &self,
        shape: Shape,
        arrays: &[Parts<'_>; 2],
        to: [u64; 2],
        stream: CUstream,
    ) -> Result<(), DriverError> {
        let pieces = Pieces::of(arrays.each_ref().map(Parts::bytes), shape.piece);
        let Some(slots) = self.slots(shape) else { return Ok(()) };
        let count = pieces.count();
        let progress = Progress::new(count, shape.slots);
        let stage = |number| {
            let (array, range) = pieces.get(number);
            let mut to = slots.at(number);
            for from in arrays[array].range(range) {
                // SAFETY: the slot is as long as a piece, and its last copy has been waited for.
                unsafe {
                    to.copy_from_nonoverlapping(from.as_ptr(), from.len());
                    to = to.add(from.len());
                }
            }
        };
        let behind = shape.of_device();
        progress.permit(shape.slots);
        let _beside = BesideCaptures::begin();
        with_helpers(helpers(&pieces), &|| progress.help(&stage), || {
            let _over = progress.over_at_end();
            for number in 0..count {
                progress.finish(number, &stage);
                let (array, range) = pieces.get(number);
                // SAFETY: the slot holds the piece, and is not written before its event has been waited for. The caller vouches for
                // the rest.
                unsafe {
                    let from = slice::from_raw_parts(slots.at(number), range.len());
                    result::memcpy_htod_async(to[array] + range.start as u64, from, stream)
                }?;
                if number + shape.slots < count {
                    self.events[number % shape.slots].record(stream)?;
                }
                let free = number.checked_sub(behind).filter(|free| free + shape.slots < count);
                if let Some(free) = free {
                    self.events[free % shape.slots].synchronize()?;
                    progress.permit(free + shape.slots + 1);
                }
            }
            Ok(())
        })
    }

    /// Enqueues copies from these addresses, and waits for the first piece, and so for the work that was enqueued before. The arrays
    /// are written by [`Download::finish`] alone. An empty array is not copied.
    ///
    /// # Safety
    ///
    /// As for [`Self::upload`], with arrays that are read at the addresses.
    pub unsafe fn download<'a>(
        &'a self,
        shape: Shape,
        from: [u64; 2],
        arrays: [&'a mut [u8]; 2],
        stream: CUstream,
    ) -> Result<Download<'a>, DriverError> {
        let pieces = Pieces::of(arrays.each_ref().map(|to| to.len()), shape.piece);
        let download = Download { staging: self, shape, pieces, from, to: arrays, stream };
        let _beside = BesideCaptures::begin();
        for number in 0..shape.of_device().min(pieces.count()) {
            download.enqueue(number)?;
        }
        if pieces.count() > 0 {
            self.events[0].synchronize()?;
        }
        Ok(download)
    }

    fn slots(&self, shape: Shape) -> Option<Slots> {
        let buffer = self.buffer.as_ref()?;
        debug_assert!(shape.slots <= SLOTS_MAX && shape.slots * shape.piece <= buffer.len());
        Some(Slots { first: buffer.as_ptr(), shape })
    }
}

/// The slots of a buffer.
#[derive(Clone, Copy)]
struct Slots {
    first: *mut u8,
    shape: Shape,
}

// SAFETY: the pointer is to memory that no thread owns; `Progress` says which thread accesses which slot.
unsafe impl Sync for Slots {}

impl Slots {
    /// The slot of a piece.
    fn at(&self, number: usize) -> *mut u8 {
        // SAFETY: the shape is that of the buffer, so the slot lies in it.
        unsafe { self.first.add(self.shape.offset(number)) }
    }
}

/// Copies from a device that have begun; nothing of the arrays has been written.
pub struct Download<'a> {
    staging: &'a Staging,
    shape: Shape,
    pieces: Pieces,
    from: [u64; 2],
    to: [&'a mut [u8]; 2],
    stream: CUstream,
}

/// The first bytes of the arrays that threads write, each another piece.
struct Destinations([*mut u8; 2]);

// SAFETY: `Progress` gives each piece to one thread.
unsafe impl Sync for Destinations {}

impl Destinations {
    /// # Safety
    ///
    /// The offset is in the array.
    unsafe fn at(&self, array: usize, offset: usize) -> *mut u8 {
        // SAFETY: the caller vouches for it.
        unsafe { self.0[array].add(offset) }
    }
}

impl Download<'_> {
    /// Enqueues the copy of a piece to its slot, and records its event. The slot's last piece has been read.
    fn enqueue(&self, number: usize) -> Result<(), DriverError> {
        let Some(slots) = self.staging.slots(self.shape) else { return Ok(()) };
        let (array, range) = self.pieces.get(number);
        // SAFETY: no thread uses the slot before its event has been waited for; the caller of `download` vouches for the rest.
        unsafe {
            let to = slice::from_raw_parts_mut(slots.at(number), range.len());
            result::memcpy_dtoh_async(to, self.from[array] + range.start as u64, self.stream)
        }?;
        self.staging.events[number % self.shape.slots].record(self.stream)
    }

    /// Writes the arrays. After an error they may be written in part.
    pub fn finish(mut self) -> Result<(), DriverError> {
        let Some(slots) = self.staging.slots(self.shape) else { return Ok(()) };
        let to = Destinations(self.to.each_mut().map(|to| to.as_mut_ptr()));
        let (count, pieces) = (self.pieces.count(), self.pieces);
        let progress = Progress::new(count, self.shape.slots);
        let unstage = |number| {
            let (array, range) = pieces.get(number);
            // SAFETY: the range is in the array, and no other thread writes it. The slot holds the piece.
            unsafe {
                let to = to.at(array, range.start);
                to.copy_from_nonoverlapping(slots.at(number), range.len());
            }
        };
        progress.permit(1);
        let _beside = BesideCaptures::begin();
        with_helpers(helpers(&pieces), &|| progress.help(&unstage), || {
            let _over = progress.over_at_end();
            for number in 0..count {
                if number > 0 {
                    self.staging.events[number % self.shape.slots].synchronize()?;
                    progress.permit(number + 1);
                }
                let next = number + self.shape.of_device();
                if next < count {
                    if let Some(last) = next.checked_sub(self.shape.slots) {
                        progress.finish(last, &unstage);
                    }
                    self.enqueue(next)?;
                }
            }
            for number in count.saturating_sub(self.shape.slots)..count {
                progress.finish(number, &unstage);
            }
            Ok(())
        })
    }
}
