//! The options of tile sorts. A family has some of them, which its row of `tile_families!` lists. The type of an option, its
//! part of names and its axis of matrices are the same in all families that have it.

use crate::types::{Block, InnerScan, LaneMatch};

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

/// The options, a row each: the field in [`OptionValues`] and in the variants of `Algorithm`, the variant of [`TileOption`], the type, and the
/// value where a family does not have the option or a matrix no values of it.
macro_rules! tile_options {
    ($(#[doc = $doc:literal] $option:ident $variant:ident: $type:ty = $default:expr;)*) => {
        /// An option that some families of tile sorts have.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum TileOption {
            $(#[doc = $doc] $variant,)*
        }

        /// A value of each option of tile sorts. A family takes those of the options that it has.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct OptionValues {
            $(#[doc = $doc] pub $option: $type,)*
        }

        impl Default for OptionValues {
            fn default() -> Self {
                Self { $($option: $default,)* }
            }
        }

        /// What the table says of the option of a field: its variant, its type, its description.
        macro_rules! tile_option {
            $(
                (variant $option) => { $crate::contract::options::TileOption::$variant };
                (type $option) => { $type };
                (doc $option) => { $doc };
            )*
        }
        pub(crate) use tile_option;
    };
}

tile_options! {
    /// The thread block.
    block Block: Block = Block::linear(0);
    /// Lanes of the logical warp: 2, 4, 8, 16 or 32. A family that has them has no block.
    lanes Lanes: u32 = 32;
    /// Bits of a digit.
    radix_bits RadixBits: u32 = 0;
    /// How items are ranked by digit.
    rank Rank: Rank = Rank::default();
    /// Whether the bit range is an argument or a constant.
    bits Bits: BitRange = BitRange::Runtime;
    /// Whether equal keys keep their order. A family without this option is stable.
    stable Stable: bool = false;
}
