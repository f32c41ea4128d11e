//! Sorts of whole arrays.

mod arrays;
mod into;
mod peer;
mod subject;

pub use arrays::{Arrays, Pair};
pub use into::SortInto;
pub use peer::Peer;
pub use subject::{SUBJECTS, Subject};
