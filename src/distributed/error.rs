//! The errors of sorts over ranks.

use std::time::Duration;

/// Why a sort over ranks failed: the same error on all ranks.
///
/// Shards are unchanged. After [`Lost`](Self::Lost), [`TimedOut`](Self::TimedOut), [`Length`](Self::Length),
/// [`OutOfStep`](Self::OutOfStep) and [`Transport`](Self::Transport) the group of ranks is not usable: later calls fail too. After the
/// others it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShardError {
    /// A rank's arguments are not legal, or its own sort failed.
    #[error("rank {rank}: {reason}")]
    Rank {
        /// The first such rank.
        rank: usize,
        /// The [`Error`](crate::Error)'s message, cut after 256 bytes.
        reason: String,
    },
    /// A rank has no memory for its copy of the shard, or for what it would receive.
    #[error("rank {rank} has no memory for {bytes} bytes")]
    OutOfMemory {
        /// The first such rank.
        rank: usize,
        /// The size of the allocation.
        bytes: usize,
    },
    /// The ranks ask for different sorts.
    #[error("rank 0 and rank {rank} differ in the {what}; legal: the same call on all ranks")]
    Request {
        /// The first rank that differs from rank 0.
        rank: usize,
        /// What differs: `operation`, `type of the keys`, `size of the values`, `order`, `range of bits`, `treatment of NaNs` or
        /// `kind of shares`.
        what: &'static str,
    },
    /// The lengths of the shares that the ranks ask for do not sum up to the number of items.
    #[error("shares of {shares} items in all, but the shards have {items}: the sums must be equal")]
    Shares {
        /// The sum of the shares.
        shares: u128,
        /// The sum of the shards.
        items: u128,
    },
    /// A rank did not take part within the time limit.
    #[error("rank {rank} did not take part within {} s", limit.as_secs_f64())]
    TimedOut {
        /// The first such rank.
        rank: usize,
        /// The time limit.
        limit: Duration,
    },
    /// A rank has ended: its transport was dropped, or it panicked.
    #[error("rank {rank} has ended")]
    Lost {
        /// The rank.
        rank: usize,
    },
    /// A rank sent another number of bytes than its receiver expected. Nothing of it was received.
    #[error("rank {from} sent {sent} bytes to rank {to}, which expected {expected}")]
    Length {
        /// The sender.
        from: usize,
        /// The receiver.
        to: usize,
        /// What was sent, in bytes.
        sent: usize,
        /// What was expected, in bytes.
        expected: usize,
    },
    /// A rank made another call of the transport than the others.
    #[error("rank {rank} is out of step with rank 0; legal: the same calls on all ranks")]
    OutOfStep {
        /// The first such rank.
        rank: usize,
    },
    /// NCCL cannot be used, so no group was made.
    #[error(
        "NCCL cannot be used: {reason}; install libnccl.so.2 where the dynamic loader finds it"
    )]
    NoNccl {
        /// The dynamic loader's reason, or the version.
        reason: String,
    },
    /// The transport failed.
    #[error("the transport failed: {reason}")]
    Transport {
        /// Its reason.
        reason: String,
    },
}
