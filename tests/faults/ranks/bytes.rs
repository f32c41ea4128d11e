//! Exchanges of host memory, by the communicator alone.

use cudarc::driver::{CudaContext, result};
use sortsmith::distributed::nccl::Communicator;
use sortsmith::distributed::{ShardError, Transport as _};

use super::inject::{Membership, Scenario, join};
use crate::scenarios::bytes_of;

/// What each rank sends to rank 0, more than there is memory for at first, and to rank 1.
const SENT: [usize; 2] = [70_001, 12];

/// Of ordinary memory, or of pinned memory, which the caller frees after an error at once.
pub struct Bytes<const PINNED: bool> {
    communicator: Communicator,
    sent: Option<[Memory; 2]>,
    words: Vec<u64>,
    received: Vec<Vec<u8>>,
}

impl<const PINNED: bool> Scenario for Bytes<PINNED> {
    const RANKS: usize = 2;
    const DEFERS: bool = PINNED;

    fn prepare(membership: &Membership) -> Self {
        let communicator = join(membership).1;
        let memory = |(peer, bytes): (usize, usize)| {
            let items = vec![(3 * membership.rank + peer + 1) as u8; bytes];
            if PINNED { Memory::pinned(&items) } else { Memory::Ordinary(items) }
        };
        let [first, second] = SENT;
        let sent = [memory((0, first)), memory((1, second))];
        Self { communicator, sent: Some(sent), words: Vec::new(), received: Vec::new() }
    }

    fn act(&mut self, membership: &Membership) -> Result<(), ShardError> {
        let done = self.exchange(membership.rank);
        if PINNED && done.is_err() {
            self.sent = None;
        }
        done
    }

    fn context(&self) -> &CudaContext {
        self.communicator.context()
    }

    fn outcome(&self) -> Vec<u8> {
        [self.received.concat(), bytes_of(&self.words)].concat()
    }

    fn is_unchanged(&self) -> bool {
        true
    }
}

impl<const PINNED: bool> Bytes<PINNED> {
    fn exchange(&mut self, rank: usize) -> Result<(), ShardError> {
        let sent: Vec<&[u8]> = self.sent.iter().flatten().map(Memory::bytes).collect();
        let mut received = [vec![0; SENT[rank]], vec![0; SENT[rank]]];
        let [first, second] = &mut received;
        self.communicator.all_to_all(&sent, &mut [first, second])?;
        self.received = received.to_vec();
        self.words = self.communicator.all_gather(&[rank as u64 + 5, 3])?;
        Ok(())
    }
}

/// Memory of the caller's.
enum Memory {
    Ordinary(Vec<u8>),
    Pinned(*mut u8, usize),
}

// SAFETY: the memory is not tied to a thread.
unsafe impl Send for Memory {}

impl Memory {
    fn pinned(items: &[u8]) -> Self {
        // SAFETY: it is written below.
        let memory = unsafe { result::malloc_host(items.len(), 0) }.unwrap().cast::<u8>();
        // SAFETY: it has room for as many.
        unsafe { memory.copy_from_nonoverlapping(items.as_ptr(), items.len()) };
        Self::Pinned(memory, items.len())
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Self::Ordinary(items) => items,
            // SAFETY: as many have been written there.
            Self::Pinned(memory, items) => unsafe { std::slice::from_raw_parts(*memory, *items) },
        }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if let Self::Pinned(memory, _) = self {
            // SAFETY: it was allocated here. The stand-in frees it even where it reports an error.
            let _ = unsafe { result::free_host(memory.cast()) };
        }
    }
}
