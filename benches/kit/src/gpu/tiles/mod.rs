//! Sorts of tiles, each by a block of its own.

mod arrays;
mod kernel;
mod peer;

pub use arrays::{Arrays, can_generate};
pub use kernel::{Kernel, Loaded, contender_of, shape_of, types_of};
pub use peer::Peer;
