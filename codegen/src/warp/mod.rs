//! Sorts of a tile by a logical warp.

pub mod bitonic;

pub use bitonic::{TileOutput, WarpPlan};
