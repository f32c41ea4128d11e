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
//! | `SORTSMITH_CUDA` | the CUDA toolkit to take NVRTC from; else `CUDA_HOME`, `CUDA_PATH`, the toolkit of the `nvcc` on `PATH`, `/usr/local/cuda`, `/opt/cuda` and the dynamic loader's own places are searched, in this order; none that follows from the current folder |
//! | `SORTSMITH_DISABLE_JIT=1` | never compile, and look for no compiler: a kernel that is neither [embedded] nor in the cache, of whichever compiler, is an error |
//! | `SORTSMITH_TUNING` | a file that `sortsmith tune` wrote, or `none`; else the one of this GPU in the cache folder, if there is one |
//! | `SORTSMITH_VERBOSE=1` | tell stderr what is compiled, what is embedded or comes from the cache, and what goes wrong there |
//!
//! The cache folder and what is in it are used only if nobody but this user and root could have written them, and programs with
//! more rights than their caller (set-user-ID and the like) ignore those of these variables that name files:
//! [`sortsmith_codegen::trust`] says what is looked at.
//!
//! # Features
//!
//! `cuda`, on by default: sorts on NVIDIA GPUs. The driver and NVRTC are loaded when they are first needed; nothing of
//! CUDA has to be there where a program is built, and where it runs a missing part is an [`Error`] or means the host. A
//! program can also carry its kernels and go without NVRTC: [`embed!`].
//!
//! [cudarc]'s build script asks the `nvcc` on `PATH` for its version where nothing else names one, and panics at a version that
//! is newer than the newest it knows. `CUDARC_CUDA_VERSION=13040` in the environment of the build names one, as does a
//! feature such as `cuda-13040` of cudarc in a program's own `Cargo.toml`; without any `nvcc` it takes the newest. Which it is
//! makes no difference to this crate.
//!
//! Where another crate turns on cudarc's features `dynamic-linking` or `static-linking`, the program is linked with the
//! driver: where that is missing it does not start, and no [`Error::NoDriver`] can say so. `SORTSMITH_VERBOSE=1` tells of it.
//!
//! # Types of other crates
//!
//! [`cudarc`], [`half`], [`bytemuck`], [`num_traits`] and [`sortsmith_codegen`] are in this crate's signatures, and are exported in the
//! versions that it was built with: `sortsmith::cudarc::driver::CudaStream` is the stream that [`Sorter::on`] takes.
//!
//! ```
//! use sortsmith::half::{bf16, f16};
//! use sortsmith::sortsmith_codegen::KeyType;
//!
//! fn sorts<K: sortsmith::SortKey, V: sortsmith::bytemuck::Pod>(_: K, _: V) {}
//! sorts(f16::ONE, [bf16::ONE; 3]);
//! assert_eq!(<f16 as sortsmith::SortKey>::KEY_TYPE, KeyType::F16);
//! ```

mod algorithm;
mod array;
mod backend;
mod default_sorter;
pub mod device;
pub mod embedded;
mod error;
#[cfg(feature = "cuda")]
mod gpu;
mod host;
mod key;
mod options;
#[cfg(feature = "cuda")]
mod settings;
mod sort;
mod sorter;
mod tiles;
#[cfg(feature = "cuda")]
pub mod tuning;
mod value;

pub use bytemuck;
#[cfg(feature = "cuda")]
pub use cudarc;
pub use half;
pub use num_traits;
pub use sortsmith_codegen;

pub use algorithm::ArrayAlgorithm;
#[cfg(feature = "cuda")]
pub use array::DeviceArray;
pub use array::{Array, ArrayMut};
pub use backend::Backend;
pub use default_sorter::backend;
pub use error::Error;
pub use key::{KeyBits, SortKey};
pub use options::SortOptions;
pub use sort::{
    argsort, argsort_with, release, sort, sort_pairs, sort_pairs_unstable,
    sort_pairs_unstable_with, sort_pairs_with, sort_with,
};
pub use sorter::Sorter;
pub use sortsmith_codegen::Order;
pub use tiles::{BlockRadixSort, BlockSort};
pub use value::{Carried, SortValue};

/// The README's examples.
#[cfg(all(doctest, feature = "cuda"))]
#[doc = include_str!("../README.md")]
struct Readme;
