//! The code generator of sortsmith: a typed [`SortSpec`] goes through templates and comes out as specialised,
//! self-contained CUDA.
//!
//! ```
//! use sortsmith_codegen::{render, SortSpec};
//! let spec: SortSpec = "block_radix_sort_f32_u32_b256_i16_r6_desc".parse().unwrap();
//! let header = render::header(&spec, render::Options::default()).unwrap();
//! assert!(header.contains("struct block_radix_sort_f32_u32_b256_i16_r6_desc"));
//! ```
//!
//! Enums that may grow without a change of what there is are `#[non_exhaustive]`: types of keys and values, options, algorithms, errors. Those that
//! say what a sort takes are not (plans, launches, kernels of a sort, arrangements, ranges of bits, formats of code): whoever carries it out must know all of
//! them, and one more is a breaking change.

#[cfg(any(feature = "toolchain", feature = "emit"))]
mod atomic;
#[cfg(feature = "build")]
pub mod build;
#[cfg(feature = "cache")]
pub mod cache;
pub mod comparison;
pub mod device;
pub mod dispatch;
#[cfg(feature = "emit")]
pub mod emit;
pub mod explain;
mod format;
pub mod gather;
pub mod matrix;
pub mod network;
mod one_line;
pub mod plan;
pub mod render;
pub mod scratch;
pub mod spec;
pub mod tiles;
#[cfg(feature = "toolchain")]
pub mod toolchain;
#[cfg(feature = "toolchain")]
pub mod trust;
pub mod tuning;
pub mod warp;
pub mod word;

pub use format::Format;
pub use one_line::OneLine;
pub use spec::{
    Algorithm, Arch, Arrangement, BitRange, Block, Family, InnerScan, KeyClass, KeyType, LaneMatch,
    NameError, Order, Rank, SortSpec, SpecError, SpecFields, Token, ValueType,
};

/// The version of this crate, which all that it makes depends on.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
