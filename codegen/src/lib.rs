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
//! Enums that may grow without a change of their variants are `#[non_exhaustive]`: types of keys and values, options, algorithms, errors. Enums that
//! say what a sort takes are not (plans, launches, kernels of a sort, arrangements, ranges of bits, formats of code): whoever carries it out must know all of
//! them, and one more is a breaking change.

pub mod block;
#[cfg(feature = "cache")]
pub mod cache;
mod contract;
pub mod device;
#[cfg(any(feature = "toolchain", feature = "emit"))]
mod files;
pub mod gather;
mod layout;
mod output;
mod primitives;
pub mod registry;
mod select;
mod text;
#[cfg(feature = "toolchain")]
pub mod toolchain;
mod types;
pub mod warp;

pub use block::{comparison, radix::plan};
#[cfg(feature = "toolchain")]
pub use files::trust;
#[cfg(feature = "build")]
pub use output::bundle as build;
#[cfg(feature = "emit")]
pub use output::emit;
pub use output::{explain, matrix};
pub use primitives::{network, word};
pub use select::{dispatch, tiles, tuning};
pub use spec::{
    Algorithm, Arch, Arrangement, BitRange, Block, Family, InnerScan, KeyClass, KeyType, LaneMatch,
    NameError, Order, Rank, SortSpec, SpecError, SpecFields, Token, ValueType,
};
pub use types::{Format, OneLine};

/// What a sort is and how it is done: [`SpecFields`] says it, [`SortSpec`] is one that is known to be legal.
pub mod spec {
    pub use crate::contract::name::NameError;
    pub use crate::contract::spec::{Algorithm, BitRange, Family, Rank, SortSpec, SpecFields};
    pub use crate::contract::validate::{Field, SpecError};
    pub use crate::types::{
        Arch, ArchError, Arrangement, Block, InnerScan, KeyClass, KeyInfo, KeyType, LaneMatch,
        Order, Token, UnknownToken, UnsignedType, ValueType,
    };
}

/// From a spec to the text of its header.
pub mod render {
    pub use crate::block::radix::facade::{FACADE_FILE, facade};
    pub use crate::contract::render::{Options, RenderError};
    pub use crate::registry::header;
    #[doc(hidden)]
    pub use crate::registry::marked_header;
    #[doc(hidden)]
    pub use crate::text::markers;
    pub use crate::text::{STORAGE_HEADERS, version_namespace};
}

/// The version of this crate, which all that it makes depends on.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
