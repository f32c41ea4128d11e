//! Sorts of arrays that lie over several ranks.
//!
//! Each *rank* (a thread, a device, a process) has a *shard* of the array, of any length, and all ranks make the same call of their
//! [`ShardedSorter`]. Each gets its share of the result: the shares, one after the other, are the stable sort of the shards, one after
//! the other, bit for bit what one [`Sorter`](crate::Sorter) makes of the concatenation.
//!
//! ```
//! use std::time::Duration;
//!
//! use sortsmith::distributed::{ShardedSorter, ThreadTransport};
//!
//! let shards = [vec![5u32, 1, 9], vec![], vec![3, 9, 0, 7]];
//! let transports = ThreadTransport::group(3, Duration::from_secs(60));
//! let shares: Vec<Vec<u32>> = std::thread::scope(|scope| {
//!     let ranks: Vec<_> = transports
//!         .into_iter()
//!         .zip(&shards)
//!         .map(|(transport, shard)| scope.spawn(|| ShardedSorter::new(transport).sort(shard)))
//!         .collect();
//!     ranks.into_iter().map(|rank| rank.join().expect("no rank panics")).collect::<Result<_, _>>()
//! })?;
//! assert_eq!(shares, [vec![0, 1], vec![3, 5], vec![7, 9, 9]]);
//! # Ok::<(), sortsmith::distributed::ShardError>(())
//! ```
//!
//! # Splitters
//!
//! Where the result is divided is found exactly, from counts: equal keys are divided by rank and position. So [`Shares`] have the
//! lengths that the ranks request, whatever the keys are, and the result is stable.
//!
//! # Errors
//!
//! An error on one rank is the same error on all of them, and shards are only read: [`ShardError`]. A rank that stalls is an error
//! after the [transport](Transport)'s time limit.
//!
//! docs/scaling.md in the repository has the steps, and what each moves.

mod agreement;
mod error;
mod exchange;
#[cfg(feature = "nccl")]
pub mod nccl;
mod request;
mod sorter;
mod threads;
mod transport;

pub use error::ShardError;
pub use request::Shares;
pub use sorter::ShardedSorter;
pub use threads::ThreadTransport;
pub use transport::Transport;
