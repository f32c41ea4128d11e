//! What a sort is and how it is done: [`SpecFields`] says it, [`SortSpec`] is one that is known to be legal.

use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Serialize};

use crate::types::tokens;
use crate::types::{
    Arrangement, Block, InnerScan, KeyType, LaneMatch, Order, Token, UnknownToken, ValueType,
};

/// The algorithm with the options that only it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Algorithm {
    /// A bitonic network in one logical warp's registers.
    WarpBitonic {
        /// Lanes of the logical warp: 2, 4, 8, 16 or 32.
        lanes: u32,
        /// Whether equal keys keep their order.
        stable: bool,
    },
    /// A bitonic network over registers, shuffles and shared memory.
    BlockBitonic {
        /// The thread block.
        block: Block,
        /// Whether equal keys keep their order.
        stable: bool,
    },
    /// Per-thread networks, then merge path. Stable.
    BlockMerge {
        /// The thread block.
        block: Block,
    },
    /// Least-significant-digit radix sort in shared memory. Stable.
    BlockRadix {
        /// The thread block.
        block: Block,
        /// Bits of a digit.
        radix_bits: u32,
        /// How items are ranked by digit.
        rank: Rank,
        /// Whether the bit range is an argument or a constant.
        bits: BitRange,
    },
}

/// The families of tile sorts, a row each: the variant of [`Family`] and of [`Algorithm`], the word for it on the command line and in
/// matrix files, the first part of its specs' names, and the type that implements `TileFamily`, from the crate's root.
///
/// Expands to the macro of that name with the rows.
macro_rules! tile_families {
    ($with:ident) => {
        $with! {
            WarpBitonic "warp-bitonic" "warp_bitonic_sort" warp::bitonic::WarpBitonic;
            BlockBitonic "block-bitonic" "block_bitonic_sort" block::comparison::BlockComparison;
            BlockMerge "block-merge" "block_merge_sort" block::comparison::BlockComparison;
            BlockRadix "block-radix" "block_radix_sort" block::radix::BlockRadix;
        }
    };
}
pub(crate) use tile_families;

macro_rules! family_enum {
    ($($variant:ident $token:literal $prefix:literal $family:path;)*) => {
        /// The families of [`Algorithm`], without their options.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Family {
            $(
                #[doc = concat!("[`Algorithm::", stringify!($variant), "`].")]
                $variant,
            )*
        }

        tokens!(Family, "algorithm", &[$((Family::$variant, $token)),*]);

        impl Family {
            /// The first part of the names of the family's specs.
            pub fn prefix(self) -> &'static str {
                match self {
                    $(Self::$variant => $prefix,)*
                }
            }
        }

        impl Algorithm {
            /// The family.
            pub fn family(&self) -> Family {
                match self {
                    $(Self::$variant { .. } => Family::$variant,)*
                }
            }
        }
    };
}
tile_families!(family_enum);

impl Algorithm {
    /// The threads that sort one tile together.
    pub fn block(&self) -> Block {
        match *self {
            Self::WarpBitonic { lanes, .. } => Block::linear(lanes),
            Self::BlockBitonic { block, .. }
            | Self::BlockMerge { block }
            | Self::BlockRadix { block, .. } => block,
        }
    }

    /// Whether equal keys keep their input order.
    pub fn is_stable(&self) -> bool {
        match *self {
            Self::WarpBitonic { stable, .. } | Self::BlockBitonic { stable, .. } => stable,
            Self::BlockMerge { .. } | Self::BlockRadix { .. } => true,
        }
    }
}

/// How a radix sort ranks the items of a tile by digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rank {
    /// Thread-private 16-bit counters, two a word, scanned over the block.
    Packed {
        /// Keep the counters in registers between the two sweeps of the scan.
        memoize_outer_scan: bool,
        /// How the threads' totals are scanned.
        inner_scan: InnerScan,
    },
    /// Warp-wide ranking with a histogram for each warp.
    Match(LaneMatch),
}

impl Default for Rank {
    fn default() -> Self {
        Self::Packed { memoize_outer_scan: true, inner_scan: InnerScan::WarpScans }
    }
}

/// The bits of the ordered key that take part, `begin ..< end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BitRange {
    /// Arguments of the sort; all bits of the key where they are not given.
    Runtime,
    /// Constants of the kernel.
    Static {
        /// The first bit.
        begin: u32,
        /// One past the last bit.
        end: u32,
    },
}

/// The fields of a spec, legal or not. [`SpecFields::validate`] makes a [`SortSpec`] of legal ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SpecFields {
    /// The algorithm and its options.
    pub algorithm: Algorithm,
    /// The type of the keys.
    pub key: KeyType,
    /// What travels with each key.
    pub value: ValueType,
    /// Items per thread.
    pub items: u32,
    /// Which end comes first.
    pub order: Order,
    /// Which thread holds which position before the sort.
    pub input: Arrangement,
    /// Which thread holds which position after the sort.
    pub output: Arrangement,
}

impl SpecFields {
    /// A block radix sort with every option at its default: ascending, packed rank, run-time bits, blocked in and out.
    pub fn block_radix(
        key: KeyType,
        value: ValueType,
        block: Block,
        items: u32,
        radix_bits: u32,
    ) -> Self {
        Self {
            algorithm: Algorithm::BlockRadix {
                block,
                radix_bits,
                rank: Rank::default(),
                bits: BitRange::Runtime,
            },
            key,
            value,
            items,
            order: Order::Ascending,
            input: Arrangement::Blocked,
            output: Arrangement::Blocked,
        }
    }

    /// Items of one tile.
    pub fn tile_items(&self) -> u32 {
        self.algorithm.block().threads().saturating_mul(self.items)
    }
}

/// A legal spec. Its name ([`Display`](fmt::Display), [`FromStr`](std::str::FromStr)) says all of it.
///
/// ```
/// use sortsmith_codegen::{KeyType, Order, SortSpec};
/// let spec: SortSpec = "block_radix_sort_f32_u32_b256_i16_r6_desc".parse().unwrap();
/// assert_eq!(spec.key, KeyType::F32);
/// assert_eq!(spec.order, Order::Descending);
/// assert_eq!(spec.tile_items(), 4096);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SortSpec(SpecFields);

impl SortSpec {
    /// The spec of fields that their family has found legal.
    pub(crate) fn of_legal(fields: SpecFields) -> Self {
        Self(fields)
    }

    /// The fields, to derive another spec from.
    pub fn fields(&self) -> SpecFields {
        self.0
    }
}

impl Deref for SortSpec {
    type Target = SpecFields;
    fn deref(&self) -> &SpecFields {
        &self.0
    }
}

impl Serialize for SortSpec {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
