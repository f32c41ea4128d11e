//! What the fragments of `templates/block` say of a block that sorts a tile.

use crate::layout::STATIC_SHARED_BYTES;
use crate::primitives::members::enumerator;
use crate::types::{Arrangement, Block};

/// The block, and how its tile kernel calls the sort.
pub(crate) struct TileView {
    pub(crate) threads: u32,
    /// Blocks that a multiprocessor is to hold, where the kernel says so.
    pub(crate) resident_blocks: Option<u32>,
    pub(crate) shared_bytes: u32,
    /// Whether that is more than may be static.
    pub(crate) needs_dynamic: bool,
    /// The arrangements in which tiles are loaded and stored.
    pub(crate) loaded: &'static str,
    pub(crate) stored: &'static str,
    /// Whether `SortTile` takes a range of bits.
    pub(crate) takes_bits: bool,
    /// The range of bits that kernels give `SortTile` and `SortRow` behind their own parameters, where it is constant.
    pub(crate) constant_bits: &'static str,
}

/// The bits that a tile kernel sorts by.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TileBits {
    /// All of a key.
    All,
    /// A range that is the kernel's argument.
    Argument,
    /// The range that the struct has as constants.
    Constant,
}

impl TileView {
    /// A tile that goes from one arrangement to another.
    pub(crate) fn of(
        block: Block,
        shared_bytes: u32,
        (loaded, stored): (Arrangement, Arrangement),
        bits: TileBits,
    ) -> Self {
        let constant_bits = match bits {
            TileBits::All | TileBits::Argument => "",
            TileBits::Constant => ", Sort::kBeginBit, Sort::kEndBit",
        };
        Self {
            threads: block.threads(),
            resident_blocks: None,
            shared_bytes,
            needs_dynamic: shared_bytes > STATIC_SHARED_BYTES,
            loaded: enumerator(loaded),
            stored: enumerator(stored),
            takes_bits: bits != TileBits::All,
            constant_bits,
        }
    }
}
