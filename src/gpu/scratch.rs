//! Device memory that a sort takes beside its arrays, kept for the next sort.

use std::sync::{Arc, Weak};

use cudarc::driver::{CudaStream, result};

use super::allocation::Allocation;
use super::graph::GraphHold;
use super::status::checked;
use crate::error::Error;

/// The alignment of each array in the scratch: more than any type needs, and a multiple of a cache line.
const ALIGNMENT: usize = 256;

/// The scratch that the sorts of one stream, or of one capture of it, use.
#[derive(Debug)]
pub struct SortMemory {
    /// Scratch of the sort in progress.
    pub scratch: Scratch,
    /// Positions that values are gathered by, or copies of values at unsupported addresses. They outlive the scratch of the
    /// sort that makes or moves them.
    pub positions: Scratch,
    /// The counts that blocks of a binned argsort publish. Nothing else uses it.
    pub exchange: Scratch,
    /// Candidates of a top-k, or the positions of a sort that it is part of.
    pub candidates: Scratch,
}

impl SortMemory {
    /// No memory yet, for sorts in a stream's order.
    pub fn new(stream: &Arc<CudaStream>) -> Self {
        let new = || Scratch::new(stream);
        Self { scratch: new(), positions: new(), exchange: new(), candidates: new() }
    }

    /// No memory yet, for sorts of a captured graph.
    pub fn of_graph(hold: &Weak<GraphHold>) -> Self {
        let new = || Scratch::of_graph(hold);
        Self { scratch: new(), positions: new(), exchange: new(), candidates: new() }
    }

    /// Takes the memory of a stream's sorts out; a graph's stays with the graph.
    pub fn release(&mut self) -> impl Iterator<Item = Allocation> {
        let Self { scratch, positions, exchange, candidates } = self;
        [scratch, positions, exchange, candidates].into_iter().filter_map(Scratch::release)
    }
}

/// Scratch of one stream, or of one capture of it. All its uses are in that stream's order, so it can be reused at once.
#[derive(Debug)]
pub struct Scratch {
    source: Source,
    /// Its address and its length in bytes.
    memory: Option<(u64, usize)>,
}

/// Where the memory comes from, and its owner.
#[derive(Debug)]
enum Source {
    /// Allocated in the stream's order, and owned by the scratch.
    Stream(Arc<CudaStream>, Option<Allocation>),
    /// Owned by a graph.
    Graph(Weak<GraphHold>),
}

impl Scratch {
    /// No memory yet, in a stream's order.
    pub fn new(stream: &Arc<CudaStream>) -> Self {
        Self { source: Source::Stream(Arc::clone(stream), None), memory: None }
    }

    /// No memory yet; a graph will own it.
    pub fn of_graph(hold: &Weak<GraphHold>) -> Self {
        Self { source: Source::Graph(Weak::clone(hold)), memory: None }
    }

    /// The addresses of arrays with these lengths in bytes, of unspecified content. They are valid until the next call of this
    /// or of [`Self::reserve`]. It allocates only if no earlier call has taken as much.
    pub fn take<const N: usize>(&mut self, bytes: [usize; N]) -> Result<[u64; N], Error> {
        self.reserve(Self::bytes_of(bytes))?;
        let mut next = self.memory.map_or(0, |(address, _)| address);
        Ok(bytes.map(|bytes| {
            let address = next;
            next += bytes.next_multiple_of(ALIGNMENT) as u64;
            address
        }))
    }

    /// The total that [`Self::take`] of these arrays needs.
    pub fn bytes_of<const N: usize>(bytes: [usize; N]) -> usize {
        let padded = bytes.map(|it| it.checked_next_multiple_of(ALIGNMENT).unwrap_or(usize::MAX));
        padded.into_iter().fold(0, usize::saturating_add)
    }

    /// Makes room for `bytes` bytes. If the memory is a stream's, the stream is not being captured.
    pub fn reserve(&mut self, bytes: usize) -> Result<(), Error> {
        if bytes <= self.memory.map_or(0, |(_, bytes)| bytes) {
            return Ok(());
        }
        self.memory = None;
        let address = match &mut self.source {
            Source::Stream(stream, allocation) => {
                // The old memory is freed first, in the stream's order: both at once may not fit.
                *allocation = None;
                allocation.insert(Allocation::new(stream, bytes)?).address()
            }
            // The graph's earlier sorts use the old memory, which it keeps.
            Source::Graph(hold) => hold.upgrade().ok_or(ENDED)?.allocate(bytes)?,
        };
        self.memory = Some((address, bytes));
        Ok(())
    }

    /// The address of memory that held zeros when it was first taken, and since then what its users have left there, if all of them take
    /// as many bytes. It is valid until the next call that takes more. If the memory is a stream's, this is that stream, and it is not
    /// being captured when it allocates.
    pub fn take_zeroed(&mut self, bytes: usize, stream: &CudaStream) -> Result<u64, Error> {
        if let Some((address, _)) = self.memory.filter(|(_, length)| bytes <= *length) {
            return Ok(address);
        }
        let [address] = self.take([bytes])?;
        // SAFETY: the memory is at least as long, and its uses are in this stream's order.
        let zeroed = unsafe { result::memset_d8_async(address, 0, bytes, stream.cu_stream()) };
        // It is not taken without zeros.
        checked("enqueue a memset", zeroed).inspect_err(|_| self.memory = None)?;
        Ok(address)
    }

    /// Takes the memory out, if it is a stream's.
    pub fn release(&mut self) -> Option<Allocation> {
        match &mut self.source {
            Source::Stream(_, allocation) => {
                self.memory = None;
                allocation.take()
            }
            Source::Graph(_) => None,
        }
    }
}

/// The capture was active when the stream was locked.
const ENDED: Error = Error::Capture { reason: "the capture has ended meanwhile" };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_that_no_device_has_do_not_overflow() {
        assert_eq!(Scratch::bytes_of([1, 256, 257]), 256 + 256 + 512);
        assert_eq!(Scratch::bytes_of([usize::MAX, 1]), usize::MAX);
        assert_eq!(Scratch::bytes_of([usize::MAX / 2, usize::MAX / 2, 1024]), usize::MAX);
    }
}
