//! GPU sorts by code generation, and the same sorts on the host.
//!
//! ```
//! let mut keys = vec![3.0f32, -0.0, f32::NAN, 1.0];
//! let mut rows = vec![0u32, 1, 2, 3];
//! sortsmith::sort_pairs::<f32, u32>(&mut keys, &mut rows)?;
//! assert_eq!(rows, [1, 3, 0, 2]);
//! # Ok::<(), sortsmith::Error>(())
//! ```
//!
//! The functions of this crate sort host slices, on the host and in parallel ([`backend`] says what
//! runs). [`device`] gives the generated CUDA for kernels of your own.
//!
//! # What all sorts agree on
//!
//! | case | result |
//! |---|---|
//! | equal keys | keep their input order, ascending and descending |
//! | floats | by sign and magnitude; −0.0 and +0.0 are equal and keep their bits |
//! | NaN | by its bits: negative NaNs first, positive ones last (descending: the other way round); with [`SortOptions::nan_last`] all last in either order |
//! | a range of bits | applied to the [ordered bits](SortKey); bits outside do not take part |
//! | no keys, or one | nothing happens |
//! | values | moved bit for bit with their keys |

mod backend;
pub mod device;
mod error;
mod host;
mod key;
mod options;
mod sort;
mod value;

pub use backend::{Backend, backend};
pub use error::Error;
pub use key::{KeyBits, SortKey};
pub use options::SortOptions;
pub use sort::{argsort, argsort_with, sort, sort_pairs, sort_pairs_with, sort_with};
pub use sortsmith_codegen::Order;
pub use value::SortValue;
