//! Sorts of arrays that lie over several GPUs, by NCCL.
//!
//! Each rank is a thread or a process with a GPU of its own. One makes a [`UniqueId`], all join with a [`Communicator`], and a
//! [`DeviceSorter`] sorts device memory.
//!
//! ```no_run
//! use std::time::Duration;
//!
//! use sortsmith::distributed::nccl::{Communicator, DeviceSorter, UniqueId};
//!
//! let (id, limit) = (UniqueId::new()?, Duration::from_secs(60));
//! std::thread::scope(|scope| {
//!     for rank in 0..2 {
//!         scope.spawn(move || -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
//!             let context = sortsmith::cuda_context(rank)?;
//!             let stream = context.default_stream();
//!             let communicator = Communicator::new(&context, &id, rank, 2, limit)?;
//!             let sorter = DeviceSorter::on(&stream, communicator)?;
//!             let shard = stream.clone_htod(&[5u32, 3, rank as u32])?;
//!             let share = sorter.sort(&shard)?;
//!             println!("{:?}", stream.clone_dtoh(&share)?);
//!             Ok(())
//!         });
//!     }
//! });
//! # Ok::<(), sortsmith::distributed::ShardError>(())
//! ```
//!
//! NCCL is loaded when the first rank joins. Where it is missing, that is [`ShardError::NoNccl`](super::ShardError::NoNccl).

mod arguments;
mod communicator;
mod library;
mod member;
mod memory;
mod pieces;
mod plan;
mod run;
mod sorter;
mod stages;
mod unique_id;
mod wanted;

pub use communicator::Communicator;
pub use sorter::DeviceSorter;
#[doc(hidden)]
pub use stages::Stage;
pub use unique_id::UniqueId;
