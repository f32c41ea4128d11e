//! Exclusive use of a sorter's stream and memory, and the addresses of slices.

use std::mem;
use std::sync::{Arc, MutexGuard, Weak};

use cudarc::driver::{CudaContext, CudaStream, DevicePtr, DevicePtrMut, SyncOnDrop};

use super::capture::{BesideCaptures, Capture};
use super::context::Context;
use super::graph::GraphHold;
use super::scratch::SortMemory;
use super::side_stream::SideStream;
use super::status::checked;
use crate::error::Error;

/// The action that a failed use of a slice's events names.
pub const ORDER: &str = "order a sort behind its slices' other uses";

/// The memory of a stream's sorts. The thread that enqueues a sort holds its lock, so that the launches of two sorts do not
/// interleave.
#[derive(Debug)]
pub struct Memory {
    /// For sorts that run in the stream's order.
    pub sorts: SortMemory,
    captured: Option<Captured>,
}

/// The memory of the sorts in one capture. Nothing else uses it, because a graph may run beside the sorter's later sorts.
#[derive(Debug)]
struct Captured {
    /// The capture's number.
    id: u64,
    hold: Weak<GraphHold>,
    sorts: SortMemory,
}

impl Memory {
    /// No memory yet.
    pub fn new(stream: &Arc<CudaStream>) -> Self {
        Self { sorts: SortMemory::new(stream), captured: None }
    }

    /// The memory of this capture. The capture's graph owns it, and the kernels.
    fn of_capture(
        &mut self,
        capture: &Capture,
        context: &Arc<Context>,
    ) -> Result<&mut Captured, Error> {
        if self.captured.as_ref().is_none_or(|captured| captured.id != capture.id) {
            let hold = GraphHold::of(capture, context)?;
            let sorts = SortMemory::of_graph(&hold);
            return Ok(self.captured.insert(Captured { id: capture.id, hold, sorts }));
        }
        self.captured.as_mut().ok_or(Error::Capture { reason: "the capture has ended meanwhile" })
    }
}

/// Exclusive use of a sorter's stream: while it lives, no other thread enqueues by this sorter, and the sorter's context is bound
/// to the thread that made it.
pub struct StreamGuard<'a> {
    context: &'a Arc<Context>,
    stream: &'a Arc<CudaStream>,
    capture: Option<Capture>,
    memory: MutexGuard<'a, Memory>,
}

/// The address of a slice, and the guard that orders other streams' uses of it: to be kept until the sort is enqueued.
pub type SliceAddress<'a> = (u64, Option<SyncOnDrop<'a>>);

impl<'a> StreamGuard<'a> {
    /// Binds the context, and finds out whether the stream is being captured; if so, the captured graph owns what sorts use.
    pub fn new(
        context: &'a Arc<Context>,
        stream: &'a Arc<CudaStream>,
        mut memory: MutexGuard<'a, Memory>,
    ) -> Result<Self, Error> {
        checked("bind the context to a thread", stream.context().bind_to_thread())?;
        let capture = Capture::of(stream)?;
        match &capture {
            Some(capture) => {
                memory.of_capture(capture, context)?;
            }
            None => memory.captured = None,
        }
        Ok(Self { context, stream, capture, memory })
    }

    /// An error if the stream's work is being captured.
    pub fn require_no_capture(&self, reason: &'static str) -> Result<(), Error> {
        self.capture.map_or(Ok(()), |_| Err(Error::Capture { reason }))
    }

    /// The memory for sorts that are enqueued under this guard.
    pub fn memory(&mut self) -> &mut SortMemory {
        let Memory { sorts, captured } = &mut *self.memory;
        match captured {
            Some(captured) => &mut captured.sorts,
            None => sorts,
        }
    }

    /// The address of a slice that a sort reads.
    pub fn read<'s, T>(&self, slice: &'s dyn DevicePtr<T>) -> Result<SliceAddress<'s>, Error>
    where
        'a: 's,
    {
        let Some(capture) = &self.capture else {
            let (address, guard) = slice.device_ptr(self.stream);
            // cudarc records here whether the stream could be made to wait for the slice's other uses.
            checked(ORDER, self.stream.context().check_err())?;
            return Ok((address, Some(guard)));
        };
        let address = self.captured_address(capture, slice.stream().context(), |stream| {
            let (address, guard) = slice.device_ptr(stream);
            mem::forget(guard);
            address
        })?;
        Ok((address, None))
    }

    /// The address of a slice that a sort writes, and may read.
    pub fn write<'s, T>(
        &self,
        slice: &'s mut dyn DevicePtrMut<T>,
    ) -> Result<SliceAddress<'s>, Error>
    where
        'a: 's,
    {
        let Some(capture) = &self.capture else {
            let (address, guard) = slice.device_ptr_mut(self.stream);
            checked(ORDER, self.stream.context().check_err())?;
            return Ok((address, Some(guard)));
        };
        let context = Arc::clone(slice.stream().context());
        let address = self.captured_address(capture, &context, |stream| {
            let (address, guard) = slice.device_ptr_mut(stream);
            mem::forget(guard);
            address
        })?;
        Ok((address, None))
    }

    /// The address of a slice that a captured sort uses.
    ///
    /// cudarc makes the stream that a slice is used on wait for the slice's events, and records one. Events order work that
    /// runs once: a capture that waits for an event from outside becomes invalid, and an event recorded in a capture orders
    /// nothing outside of it. So a side stream waits, and nothing is recorded. If the slice was used in this capture before, the
    /// side stream becomes part of the capture, and the sorter's stream joins it.
    fn captured_address(
        &self,
        capture: &Capture,
        context: &Arc<CudaContext>,
        address: impl FnOnce(&CudaStream) -> u64,
    ) -> Result<u64, Error> {
        if !context.is_managing_stream_synchronization() {
            return Ok(address(self.stream));
        }
        let _beside = BesideCaptures::begin();
        let side = SideStream::new(context)?;
        let wrapped = side.wrapped();
        let address = address(&wrapped);
        checked(ORDER, context.check_err())?;
        match Capture::of(&wrapped)? {
            None => return Ok(address),
            Some(joined) if joined.id != capture.id => {
                return Err(Error::Capture { reason: "its slices are used in another capture" });
            }
            Some(_) => checked(ORDER, self.stream.join(&wrapped))?,
        }
        // A stream that is part of a capture has to live as long as the capture.
        let hold = self.memory.captured.as_ref().and_then(|captured| captured.hold.upgrade());
        if let Some(hold) = hold {
            hold.keep(side);
        }
        Ok(address)
    }
}

impl Drop for StreamGuard<'_> {
    /// If another thread has begun a capture since this guard was made, its graph contains part of the enqueued work, and so
    /// becomes the owner of the memory.
    fn drop(&mut self) {
        if self.capture.is_some() {
            return;
        }
        let Ok(Some(capture)) = Capture::of(self.stream) else { return };
        let released: Vec<_> = self.memory.sorts.release().collect();
        let captured = self.memory.of_capture(&capture, self.context);
        match captured.ok().and_then(|captured| captured.hold.upgrade()) {
            Some(hold) => hold.adopt(self.stream, released),
            // The end of its use is unknown, so it is leaked.
            None => mem::forget((Arc::clone(self.context), released)),
        }
    }
}
