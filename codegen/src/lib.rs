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
//! say what a sort takes are not (plans, launches, kernels of a sort, arrangements, ranges of bits, formats of code): code that carries it out must know all of
//! them, and one more is a breaking change.

// Headers with a host side are for people and C++ projects, and half of their code is beside the launches that it mirrors, in the families'
// folders. A library that sorts by Rust's launches has no use for it; what nothing at all uses is found with the feature.
#![cfg_attr(not(feature = "emit"), allow(dead_code, unused_imports))]

pub mod binned_argsort;
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
pub mod segments;
mod select;
pub mod shard_merge;
mod text;
#[cfg(feature = "toolchain")]
pub mod toolchain;
pub mod top_k;
mod types;

/// Sorts of a tile by a block.
pub mod block {
    pub mod comparison;
    pub mod radix;
    pub(crate) mod view;
}

/// Sorts of a tile by a logical warp.
pub mod warp {
    pub mod bitonic;

    pub use bitonic::{TileOutput, WarpPlan};
}

/// The families of tile sorts, a row each: the variant of [`Family`] and of [`Algorithm`] with the options that the family has, what
/// the names of its specs begin with, the word for it on the command line and in matrix files, and its folder, from the crate's root.
/// The folder has `FAMILY`, which implements `TileFamily`, and `Figures`, which implements `TileFigures`.
///
/// Expands to the macro of that name with the rows.
#[doc(hidden)]
#[macro_export]
macro_rules! tile_families {
    ($with:ident) => {
        $with! {
            /// A bitonic network in one logical warp's registers.
            WarpBitonic { lanes, stable } warp_bitonic_sort "warp-bitonic" warp::bitonic;
            /// A bitonic network over registers, shuffles and shared memory.
            BlockBitonic { block, stable } block_bitonic_sort "block-bitonic" block::comparison;
            /// Per-thread networks, then merge path. Stable.
            BlockMerge { block } block_merge_sort "block-merge" block::comparison;
            /// Least-significant-digit radix sort in shared memory. Stable.
            BlockRadix { block, radix_bits, rank, bits } block_radix_sort "block-radix" block::radix;
        }
    };
}

/// The families that work on arrays and are no device-wide sorts of one array, a row each: the variant of [`registry::Named`], its
/// type of spec in its folder, from the crate's root, and what the names of its specs begin with.
///
/// Expands to the macro of that name with the rows.
#[doc(hidden)]
#[macro_export]
macro_rules! kernel_families {
    ($with:ident) => {
        $with! {
            /// A gather.
            Gather gather::GatherSpec gather;
            /// A top-k of rows.
            TopK top_k::TopKSpec block_top_k;
            /// A top-k of short rows.
            WarpTopK warp_top_k::WarpTopKSpec warp_top_k;
            /// A sort of segments.
            Segments segments::SegmentSpec segmented_merge_sort;
            /// A binned argsort of rows.
            Binned binned_argsort::BinnedSpec binned_argsort;
            /// A merge of ranks' shards.
            Shard shard_merge::ShardSpec shard_merge;
        }
    };
}

pub use block::{comparison, radix::plan};
pub use contract::arguments::{ArgumentField, KernelArguments};
pub use contract::tile_arguments::{TileArguments, TileKernelKind};
#[cfg(feature = "toolchain")]
pub use files::trust;
#[cfg(feature = "build")]
pub use output::bundle as build;
#[cfg(feature = "emit")]
pub use output::emit;
#[cfg(feature = "explain")]
pub use output::explain;
pub use output::matrix;
pub use primitives::{composite_key, network};
pub use select::{dispatch, rows, tiles, tuning};
pub use spec::{
    Algorithm, Arch, Arrangement, BitRange, Block, Family, InnerScan, KeyClass, KeyType, LaneMatch,
    NameError, OptionValues, Order, Rank, SortSpec, SpecError, SpecFields, StructField, StructKey,
    TileOption, Token, ValueType,
};
pub use top_k::warp as warp_top_k;
pub use types::{Format, OneLine, item_count};

/// What a sort is and how it is done: [`SpecFields`] says it, [`SortSpec`] is one that is known to be legal.
pub mod spec {
    pub use crate::contract::name::NameError;
    pub use crate::contract::spec::{
        Algorithm, BitRange, Family, OptionValues, Rank, SortSpec, SpecFields, TileOption,
    };
    pub use crate::contract::validate::{Field, SpecError};
    pub use crate::types::{
        Arch, ArchError, Arrangement, Block, InnerScan, KeyClass, KeyInfo, KeyType, LaneMatch,
        Order, StructField, StructKey, Token, UnknownToken, UnsignedType, ValueType,
    };
}

/// From a spec to the text of its header.
pub mod render {
    #[cfg(feature = "emit")]
    pub use crate::block::radix::facade::{FACADE_FILE, facade};
    pub use crate::contract::render::{Options, RenderError};
    #[cfg(feature = "emit")]
    pub use crate::output::device_facade::{DEVICE_FACADE_FILE, DeviceFacade};
    #[cfg(feature = "emit")]
    pub use crate::output::rows_facade::{ROWS_FACADE_FILE, RowsFacade};
    #[cfg(feature = "emit")]
    pub use crate::output::segmented_facade::{SEGMENTED_FACADE_FILE, SegmentedFacade};
    #[cfg(feature = "emit")]
    pub use crate::output::top_k_facade::{TOP_K_FACADE_FILE, TopKFacade};
    pub use crate::registry::header;
    #[doc(hidden)]
    pub use crate::registry::marked_header;
    #[doc(hidden)]
    pub use crate::text::markers;
    pub use crate::text::{STORAGE_HEADERS, version_namespace};
}

/// The version of this crate, which all that it makes depends on.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
