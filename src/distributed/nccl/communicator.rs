//! Ranks that have a GPU each, over NCCL.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use cudarc::driver::CudaContext;

use super::member::Member;
use super::unique_id::UniqueId;
use super::wanted::Wanted;
use crate::distributed::error::ShardError;
use crate::distributed::transport::Transport;

/// One rank of a group that communicates by NCCL: a thread or a process, with a GPU of its own.
///
/// As a [`Transport`] it exchanges host memory; a [`DeviceSorter`](super::DeviceSorter) sorts device memory. No call waits longer than the time limit:
/// then the group is ended, and later calls return the error. Of several threads one calls at a time, and the others wait for it.
pub struct Communicator {
    member: Mutex<Member>,
    wanted: Arc<Wanted>,
    context: Arc<CudaContext>,
    rank: usize,
    ranks: usize,
    limit: Duration,
}

impl fmt::Debug for Communicator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Communicator")
            .field("rank", &self.rank)
            .field("ranks", &self.ranks)
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

impl Communicator {
    /// Joins a group: all of its ranks call this with the same id, and it waits for them. `context` is that of the rank's GPU, by
    /// [`cuda_context`](crate::cuda_context); two ranks cannot share a GPU.
    pub fn new(
        context: &Arc<CudaContext>,
        id: &UniqueId,
        rank: usize,
        ranks: usize,
        limit: Duration,
    ) -> Result<Self, ShardError> {
        let wanted = Arc::default();
        let member = Member::new(context, id, (rank, ranks), limit, &wanted)?;
        let (member, context) = (Mutex::new(member), Arc::clone(context));
        Ok(Self { member, wanted, context, rank, ranks, limit })
    }

    /// cudarc's context of the rank's GPU.
    pub fn context(&self) -> &Arc<CudaContext> {
        &self.context
    }

    /// The communicator for one thread's call.
    pub(super) fn member(&self) -> MutexGuard<'_, Member> {
        self.member.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Transport for Communicator {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.ranks
    }

    fn all_gather(&self, words: &[u64]) -> Result<Vec<u64>, ShardError> {
        self.member().all_gather(words)
    }

    fn all_to_all(&self, sent: &[&[u8]], received: &mut [&mut [u8]]) -> Result<(), ShardError> {
        self.member().all_to_all(sent, received)
    }

    fn abort(&self, error: ShardError) {
        // A call in progress sees it while it waits, and the next one when it begins.
        self.wanted.ask(error);
        match self.member.try_lock() {
            Ok(member) => member.end_if_wanted(),
            Err(TryLockError::Poisoned(member)) => member.into_inner().end_if_wanted(),
            Err(TryLockError::WouldBlock) => {}
        }
    }
}
