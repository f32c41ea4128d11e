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
//! The functions of this crate sort host slices: many keys on a GPU if there is one, else on the host and in
//! parallel, with the same result bit for bit ([`backend`] says what runs). A [`Sorter`] sorts what is on a device
//! already, in order on a stream of [cudarc](https://docs.rs/cudarc)'s. [`BlockSort`] sorts tile by tile with the
//! kernel that was the fastest for such tiles, [`BlockRadixSort`] with one of your choice, and [`device`] gives the
//! generated CUDA for kernels of your own.
//!
//! # What all sorts agree on
//!
//! | case | result |
//! |---|---|
//! | equal keys | keep their input order, ascending and descending |
//! | floats | by sign and magnitude; −0.0 and +0.0 are equal and keep their bits (an [`ArrayAlgorithm`] that is asked for may put −0.0 first) |
//! | NaN | by its bits: negative NaNs first, positive ones last (descending: the other way round); with [`SortOptions::nan_last`] all last in either order |
//! | a range of bits | applied to the [ordered bits](SortKey); bits outside do not take part |
//! | no keys, or one | nothing happens |
//! | values | moved bit for bit with their keys |
//!
//! # Environment
//!
//! | variable | meaning |
//! |---|---|
//! | `SORTSMITH_BACKEND` | `host`: leave GPUs alone; `gpu`: sort on a GPU or fail. See [`Sorter::new`] |
//! | `SORTSMITH_CACHE_DIR` | the folder of compiled kernels; else one in the platform's cache folder |
//! | `SORTSMITH_CUDA` | the CUDA toolkit to take NVRTC from; else the usual places are searched |
//! | `SORTSMITH_DISABLE_JIT=1` | never compile: a kernel that is neither [embedded] nor in the cache is an error |
//! | `SORTSMITH_TUNING` | a file that `sortsmith tune` wrote, or `none`; else the one of this GPU in the cache folder, if there is one |
//! | `SORTSMITH_VERBOSE=1` | tell stderr what is compiled, what is embedded or comes from the cache, and what goes wrong there |
//!
//! # Features
//!
//! `cuda`, on by default: sorts on NVIDIA GPUs. The driver and NVRTC are loaded when they are first needed; nothing of
//! CUDA has to be there where a program is built, and where it runs a missing part is an [`Error`] or means the host. A
//! program can also carry its kernels and go without NVRTC: [`embed!`].

mod array;
mod backend;
pub mod device;
pub mod embedded;
mod error;
#[cfg(feature = "cuda")]
mod gpu;
mod host;
mod key;
mod options;
mod sort;
mod sorter;
mod tiles;
#[cfg(feature = "cuda")]
pub mod tuning;
mod value;

#[cfg(feature = "cuda")]
pub use array::DeviceArray;
pub use array::{Array, ArrayMut};
pub use backend::{Backend, backend};
pub use error::Error;
pub use key::{KeyBits, SortKey};
pub use options::{ArrayAlgorithm, SortOptions};
pub use sort::{
    argsort, argsort_with, release, sort, sort_pairs, sort_pairs_unstable,
    sort_pairs_unstable_with, sort_pairs_with, sort_with,
};
pub use sorter::Sorter;
pub use sortsmith_codegen::Order;
pub use tiles::{BlockRadixSort, BlockSort};
pub use value::{Carried, SortValue};
