//! A sorter's turn on its stream.

use std::mem;
use std::sync::{Arc, MutexGuard, Weak};

use cudarc::driver::{CudaContext, CudaStream, DevicePtr, DevicePtrMut, SyncOnDrop};

use super::Gpu;
use super::capture::{BesideCaptures, Capture};
use super::driver::told;
use super::graph::{GraphHold, SideStream};
use super::memory::SortMemory;
use crate::Error;

/// What cudarc does with a slice's events.
pub const ORDER: &str = "order a sort behind its slices' other uses";

/// The memory of a stream's sorts. Whoever enqueues a sort holds it, so that two threads' sorts are one after the other
/// in the stream.
#[derive(Debug)]
pub struct Memory {
    /// Of sorts that are done in the stream's order.
    pub sorts: SortMemory,
    captured: Option<Captured>,
}

/// The memory of the sorts in one capture. A graph may run beside whatever its sorter does later, so nothing else uses it.
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

    /// The memory of this capture, whose graph keeps it, and the kernels.
    fn of_capture(&mut self, capture: &Capture, gpu: &Arc<Gpu>) -> Result<&mut Captured, Error> {
        if self.captured.as_ref().is_none_or(|captured| captured.id != capture.id) {
            let hold = GraphHold::of(capture, gpu)?;
            let sorts = SortMemory::of_graph(&hold);
            return Ok(self.captured.insert(Captured { id: capture.id, hold, sorts }));
        }
        self.captured.as_mut().ok_or(Error::Capture { reason: "the capture has ended meanwhile" })
    }
}

/// While it is held, nobody else enqueues by this sorter, whose context is bound to the thread.
pub struct Turn<'a> {
    gpu: &'a Arc<Gpu>,
    stream: &'a Arc<CudaStream>,
    capture: Option<Capture>,
    memory: MutexGuard<'a, Memory>,
}

/// The address of a slice, and what orders other streams' uses of it: to be kept until the work is enqueued.
pub type Lent<'a> = (u64, Option<SyncOnDrop<'a>>);

impl<'a> Turn<'a> {
    /// Begins. In a capture its graph keeps what the sorter uses.
    pub fn begin(
        gpu: &'a Arc<Gpu>,
        stream: &'a Arc<CudaStream>,
        mut memory: MutexGuard<'a, Memory>,
    ) -> Result<Self, Error> {
        told("bind the context to a thread", stream.context().bind_to_thread())?;
        let capture = Capture::of(stream)?;
        match &capture {
            Some(capture) => {
                memory.of_capture(capture, gpu)?;
            }
            None => memory.captured = None,
        }
        Ok(Self { gpu, stream, capture, memory })
    }

    /// An error if the stream's work is being captured.
    pub fn outside_of_captures(&self, reason: &'static str) -> Result<(), Error> {
        self.capture.map_or(Ok(()), |_| Err(Error::Capture { reason }))
    }

    /// The memory for the sorts of this turn.
    pub fn sorts(&mut self) -> &mut SortMemory {
        let Memory { sorts, captured } = &mut *self.memory;
        match captured {
            Some(captured) => &mut captured.sorts,
            None => sorts,
        }
    }

    /// Lends a slice to be read.
    pub fn read<'s, T>(&self, slice: &'s dyn DevicePtr<T>) -> Result<Lent<'s>, Error>
    where
        'a: 's,
    {
        let Some(capture) = &self.capture else {
            let (address, guard) = slice.device_ptr(self.stream);
            // cudarc notes here whether the stream waits for what it has to wait for.
            told(ORDER, self.stream.context().check_err())?;
            return Ok((address, Some(guard)));
        };
        let address = self.of_captured(capture, slice.stream().context(), |stream| {
            let (address, guard) = slice.device_ptr(stream);
            mem::forget(guard);
            address
        })?;
        Ok((address, None))
    }

    /// Lends a slice to be written, and read.
    pub fn write<'s, T>(&self, slice: &'s mut dyn DevicePtrMut<T>) -> Result<Lent<'s>, Error>
    where
        'a: 's,
    {
        let Some(capture) = &self.capture else {
            let (address, guard) = slice.device_ptr_mut(self.stream);
            told(ORDER, self.stream.context().check_err())?;
            return Ok((address, Some(guard)));
        };
        let context = Arc::clone(slice.stream().context());
        let address = self.of_captured(capture, &context, |stream| {
            let (address, guard) = slice.device_ptr_mut(stream);
            mem::forget(guard);
            address
        })?;
        Ok((address, None))
    }

    /// The address of a slice that a captured sort uses.
    ///
    /// cudarc makes the stream that a slice is used on wait for the slice's events, and records one. Both are for work that is
    /// done once: a capture that waits for an event from outside is invalid, and an event that is recorded in one says nothing
    /// to others. So another stream waits, and nothing is recorded. If the slice was used in this capture before, that stream
    /// becomes a part of it, and is joined to ours.
    fn of_captured(
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
        told(ORDER, context.check_err())?;
        match Capture::of(&wrapped)? {
            None => return Ok(address),
            Some(joined) if joined.id != capture.id => {
                return Err(Error::Capture { reason: "its slices are used in another capture" });
            }
            Some(_) => told(ORDER, self.stream.join(&wrapped))?,
        }
        // A stream of a capture has to last as long as that.
        let hold = self.memory.captured.as_ref().and_then(|captured| captured.hold.upgrade());
        if let Some(hold) = hold {
            hold.keep(side);
        }
        Ok(address)
    }
}

impl Drop for Turn<'_> {
    /// Another thread may have begun a capture since this turn began. Part of what was enqueued is then in its graph, which
    /// gets the memory.
    fn drop(&mut self) {
        if self.capture.is_some() {
            return;
        }
        let Ok(Some(capture)) = Capture::of(self.stream) else { return };
        let released: Vec<_> = self.memory.sorts.release().collect();
        let captured = self.memory.of_capture(&capture, self.gpu);
        match captured.ok().and_then(|captured| captured.hold.upgrade()) {
            Some(hold) => hold.adopt(self.stream, released),
            // Nobody knows how long it is used: for ever.
            None => mem::forget((Arc::clone(self.gpu), released)),
        }
    }
}
