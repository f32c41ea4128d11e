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
//! The functions of this crate sort host slices: long ones on a GPU if there is one, others on the host and in parallel, with the
//! same result bit for bit ([`backend`] says which). A [`Sorter`] sorts device slices, in the order of a stream of
//! [cudarc](https://docs.rs/cudarc)'s. [`BlockSort`] sorts tile by tile with the kernel that was measured to be the fastest for such
//! tiles, [`BlockRadixSort`] with one of your choice, and [`device`] returns the generated CUDA for kernels of your own.
//!
//! Many lists in one slice are sorted by [`sort_rows`] and [`sort_segments`], and [`top_k_rows`] finds the first k of each row; these
//! run on the host. [`Sorter::sort_rows`] sorts rows on a device. [`Sorter::sort_counted`] and [`Rows::counted`] take the number of items or of
//! rows from device memory. [`argsort_binned`] and [`Sorter::argsort_binned_into`] sort the positions of
//! keys that are the numbers of bins, as routers of tokens to experts need them, and say where each bin begins.
//!
//! # Semantics of all sorts
//!
//! | case | result |
//! |---|---|
//! | equal keys | keep their input order, ascending and descending |
//! | floats | by sign and magnitude; −0.0 and +0.0 are equal and keep their bits ([`ArrayAlgorithm::Bitonic`] may put −0.0 first) |
//! | NaN | by its bits: negative NaNs first, positive ones last (descending: the other way round); with [`SortOptions::nan_last`] all last in either order |
//! | a range of bits | applied to the [ordered bits](SortKey); bits outside of it are ignored |
//! | no keys, or one | nothing happens |
//! | values | moved bit for bit with their keys |
//!
//! # Environment
//!
//! | variable | meaning |
//! |---|---|
//! | `SORTSMITH_BACKEND` | `host`: do not use GPUs; `gpu`: sort on a GPU or fail. See [`Sorter::new`] |
//! | `SORTSMITH_CACHE_DIR` | the folder of compiled kernels; else one in the platform's cache folder |
//! | `SORTSMITH_CUDA` | the CUDA toolkit with NVRTC; else `CUDA_HOME`, `CUDA_PATH`, the toolkit of the `nvcc` on `PATH`, `/usr/local/cuda`, `/opt/cuda` and the dynamic loader's search path are searched, in this order; relative paths are ignored |
//! | `SORTSMITH_DISABLE_JIT=1` | never compile, and search for no compiler: a kernel that is neither [embedded] nor in the cache, from any compiler, is an error |
//! | `SORTSMITH_TUNING` | a file that `sortsmith tune` wrote, or `none`; else the one of this GPU in the cache folder, if there is one |
//! | `SORTSMITH_VERBOSE=1` | messages on stderr: which kernels are compiled, embedded or from the cache, and warnings |
//!
//! The cache folder and its files are used only if no user other than this one and root could have written them. Programs with
//! more rights than their caller (set-user-ID and the like) ignore the variables that name files. [`sortsmith_codegen::trust`] has
//! the rules.
//!
//! # Features
//!
//! `cuda`, on by default: sorts on NVIDIA GPUs. The driver and NVRTC are loaded at their first use. A build needs no part of CUDA;
//! at run time a missing part is an [`Error`], or the sort runs on the host. A program can embed its kernels and do without NVRTC:
//! [`embed!`].
//!
//! `nccl`: [`distributed`] sorts arrays that lie over several GPUs, by NCCL, which is loaded when the first rank joins.
//!
//! [cudarc]'s build script takes the CUDA version from the `nvcc` on `PATH` unless another source names one, and panics if it is
//! newer than the versions that it supports. `CUDARC_CUDA_VERSION=13040` in the build's environment names one, as does a feature
//! such as `cuda-13040` of cudarc in a program's own `Cargo.toml`; without an `nvcc` it takes the newest. Any version suits this
//! crate.
//!
//! If another crate enables cudarc's features `dynamic-linking` or `static-linking`, the program is linked with the driver, and
//! without a driver it does not start, so there is no [`Error::NoDriver`]. `SORTSMITH_VERBOSE=1` warns of it.
//!
//! # Types of other crates
//!
//! [`cudarc`], [`half`], [`bytemuck`], [`num_traits`] and [`sortsmith_codegen`] occur in this crate's signatures, and are re-exported
//! in the versions that it was built with: `sortsmith::cudarc::driver::CudaStream` is the stream that [`Sorter::on`] takes.
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
mod bin_key;
mod binned;
mod count;
#[cfg(feature = "cuda")]
mod crossover;
mod default_sorter;
pub mod device;
#[cfg(feature = "cuda")]
mod device_lists;
pub mod distributed;
pub mod embedded;
mod error;
#[cfg(feature = "cuda")]
mod gpu;
mod host;
mod key;
mod lists;
mod many;
mod memory;
mod options;
mod position;
mod run_sorter;
mod runs;
mod segments;
#[cfg(feature = "cuda")]
mod settings;
mod sort;
mod sorter;
mod tiles;
mod top_k;
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
pub use bin_key::BinKey;
pub use binned::{BinnedArgsort, argsort_binned, argsort_binned_rows};
pub use count::ItemCount;
pub use default_sorter::backend;
pub use error::Error;
#[cfg(feature = "cuda")]
pub use gpu::driver::context as cuda_context;
pub use key::{KeyBits, SortKey};
pub use lists::{CountedRows, Rows, SegmentOffset};
pub use many::{
    argsort_rows, argsort_rows_with, argsort_segments, argsort_segments_with, sort_pairs_rows,
    sort_pairs_rows_with, sort_pairs_segments, sort_pairs_segments_with, sort_rows, sort_rows_with,
    sort_segments, sort_segments_with,
};
pub use options::{SortOptions, TopKOptions};
pub use position::Position;
pub use run_sorter::RunSorter;
pub use runs::{RunMerge, RunProgress, RunStage};
pub use segments::Segments;
pub use sort::{
    argsort, argsort_with, release, sort, sort_pairs, sort_pairs_unstable,
    sort_pairs_unstable_with, sort_pairs_with, sort_with,
};
pub use sorter::Sorter;
#[cfg(feature = "cuda")]
pub use sorter::{DeviceBinnedArgsort, DeviceTopK};
pub use sortsmith_codegen::Order;
pub use tiles::{BlockRadixSort, BlockSort};
pub use top_k::{TopK, top_k, top_k_rows, top_k_rows_with, top_k_with};
pub use value::{Carried, SortValue};

/// The README's examples.
#[cfg(all(doctest, feature = "cuda"))]
#[doc = include_str!("../README.md")]
struct Readme;

/// The examples of docs/many-lists.md.
#[cfg(all(doctest, feature = "cuda"))]
#[doc = include_str!("../docs/many-lists.md")]
struct ManyLists;
