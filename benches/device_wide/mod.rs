//! Device-wide sorts on a GPU, for the benches that measure them: `benches/kit` knows nothing of the crate that it would
//! need for this, so that the crate can be tested without its GPU backend.

mod arrays;
mod into;
mod ours;
mod peer;
mod subject;

pub use arrays::Arrays;
pub use ours::Ours;
pub use peer::Peer;
pub use subject::{SUBJECTS, Subject};
