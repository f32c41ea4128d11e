//! Sorts of a tile by a block.

pub mod comparison;
pub mod radix;
pub(crate) mod view;
