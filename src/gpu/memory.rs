//! Device memory that is kept and used again.

use std::sync::{Arc, Weak};

use cudarc::driver::sys::CUresult;
use cudarc::driver::{CudaStream, DriverError, result};

use super::capture::{self, BesideCaptures};
use super::driver::told;
use super::graph::GraphHold;
use crate::Error;

/// What every array in the scratch is aligned to: more than any type needs, and a whole number of cache lines.
const ALIGNMENT: usize = 256;

/// What the sorts of one stream, or of one capture of it, take beside the arrays themselves.
#[derive(Debug)]
pub struct SortMemory {
    /// Of whatever runs.
    pub scratch: Scratch,
    /// Positions that values are gathered by, or copies of values that no kernel takes where they are. They outlast the
    /// scratch of the sort that makes or moves them.
    pub positions: Scratch,
}

impl SortMemory {
    /// No memory yet.
    pub fn new(stream: &Arc<CudaStream>) -> Self {
        Self { scratch: Scratch::new(stream), positions: Scratch::new(stream) }
    }

    /// No memory yet; what there will be is a graph's.
    pub fn of_graph(hold: &Weak<GraphHold>) -> Self {
        Self { scratch: Scratch::of_graph(hold), positions: Scratch::of_graph(hold) }
    }

    /// Takes all memory of a stream's out.
    pub fn release(&mut self) -> impl Iterator<Item = Block> {
        self.scratch.release().into_iter().chain(self.positions.release())
    }
}

/// Scratch of one stream, or of one capture of it. All its uses are in that stream's order, so it can be handed out again at
/// once.
#[derive(Debug)]
pub struct Scratch {
    source: Source,
    /// Its address and how many bytes it has.
    there: Option<(u64, usize)>,
}

/// Memory of a stream, all of whose uses are in its order.
///
/// A slice of cudarc's would have two events, which nobody waits for; and where one of them cannot be made, cudarc forgets the
/// memory.
#[derive(Debug)]
pub struct Block {
    stream: Arc<CudaStream>,
    address: u64,
}

impl Block {
    /// So many bytes that hold nothing defined. The stream's context is bound to the thread.
    fn new(stream: &Arc<CudaStream>, bytes: usize) -> Result<Self, Error> {
        let _beside = BesideCaptures::begin();
        // SAFETY: the memory is unset, and is only given out as memory that holds nothing defined.
        let address = unsafe {
            if stream.context().has_async_alloc() {
                result::malloc_async(stream.cu_stream(), bytes)
            } else {
                result::malloc_sync(bytes)
            }
        };
        let address = allocated("scratch", bytes, address)?;
        Ok(Self { stream: Arc::clone(stream), address })
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        capture::bind(self.stream.context());
        let _beside = BesideCaptures::begin();
        let stream = self.stream.cu_stream();
        // SAFETY: it was allocated here, nobody has it any more, and what uses it is before this in the stream's order, or
        // waited for.
        let freed = unsafe {
            if self.stream.context().has_async_alloc() {
                result::free_async(self.address, stream)
            } else {
                let waited = result::stream::synchronize(stream);
                result::free_sync(self.address).and(waited)
            }
        };
        // An error is of earlier work, which others are told of, or of a context that is past use.
        let _ = freed;
    }
}

/// Where memory comes from, and to whom it belongs.
#[derive(Debug)]
enum Source {
    /// It is allocated in the stream's order, and the scratch's own.
    Stream(Arc<CudaStream>, Option<Block>),
    /// It is a graph's.
    Graph(Weak<GraphHold>),
}

impl Scratch {
    /// No memory yet.
    pub fn new(stream: &Arc<CudaStream>) -> Self {
        Self { source: Source::Stream(Arc::clone(stream), None), there: None }
    }

    /// No memory yet; what there will be is a graph's.
    pub fn of_graph(hold: &Weak<GraphHold>) -> Self {
        Self { source: Source::Graph(Weak::clone(hold)), there: None }
    }

    /// Arrays of so many bytes each, by their addresses. They last until the next call of this or [`Self::reserve`];
    /// what they hold is not defined. Nothing is allocated if as much was there before.
    pub fn take<const N: usize>(&mut self, bytes: [usize; N]) -> Result<[u64; N], Error> {
        self.reserve(Self::bytes_of(bytes))?;
        let mut next = self.there.map_or(0, |(address, _)| address);
        Ok(bytes.map(|bytes| {
            let address = next;
            next += bytes.next_multiple_of(ALIGNMENT) as u64;
            address
        }))
    }

    /// What [`Self::take`] of these arrays takes in all.
    pub fn bytes_of<const N: usize>(bytes: [usize; N]) -> usize {
        let padded = bytes.map(|it| it.checked_next_multiple_of(ALIGNMENT).unwrap_or(usize::MAX));
        padded.into_iter().fold(0, usize::saturating_add)
    }

    /// Makes room for so many bytes. A stream's is not captured meanwhile.
    pub fn reserve(&mut self, bytes: usize) -> Result<(), Error> {
        if bytes <= self.there.map_or(0, |(_, bytes)| bytes) {
            return Ok(());
        }
        self.there = None;
        let address = match &mut self.source {
            Source::Stream(stream, memory) => {
                // The old memory goes first, in the stream's order: both at once may not fit.
                *memory = None;
                memory.insert(Block::new(stream, bytes)?).address
            }
            // What the graph's earlier sorts use stays with it.
            Source::Graph(hold) => hold.upgrade().ok_or(ENDED)?.allocate(bytes)?,
        };
        self.there = Some((address, bytes));
        Ok(())
    }

    /// Takes the memory out, if it is a stream's.
    pub fn release(&mut self) -> Option<Block> {
        match &mut self.source {
            Source::Stream(_, memory) => {
                self.there = None;
                memory.take()
            }
            Source::Graph(_) => None,
        }
    }
}

/// Of a capture that went on a moment ago.
const ENDED: Error = Error::Capture { reason: "the capture has ended meanwhile" };

/// The result of an allocation on the device; that there is no memory left is an error of its own.
pub fn allocated<T>(
    what: &'static str,
    bytes: usize,
    result: Result<T, DriverError>,
) -> Result<T, Error> {
    match result {
        Err(DriverError(CUresult::CUDA_ERROR_OUT_OF_MEMORY)) => {
            Err(Error::OutOfDeviceMemory { what, bytes })
        }
        result => told("allocate memory on the device", result),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_want_of_memory_says_how_much_of_it_and_what_for() {
        let result: Result<(), _> = Err(DriverError(CUresult::CUDA_ERROR_OUT_OF_MEMORY));
        let error = allocated("indices", 1 << 40, result).expect_err("there is none");
        assert!(matches!(error, Error::OutOfDeviceMemory { what: "indices", .. }), "{error}");
        let text = "no memory on the device for 1099511627776 bytes of indices";
        assert_eq!(error.to_string(), text);
        assert!(matches!(allocated("scratch", 7, Ok(7)), Ok(7)));
    }

    #[test]
    fn scratch_that_no_device_has_is_asked_for_without_overflow() {
        assert_eq!(Scratch::bytes_of([1, 256, 257]), 256 + 256 + 512);
        assert_eq!(Scratch::bytes_of([usize::MAX, 1]), usize::MAX);
        assert_eq!(Scratch::bytes_of([usize::MAX / 2, usize::MAX / 2, 1024]), usize::MAX);
    }
}
