//! `warp_bitonic_sort`: a bitonic network in registers and shuffles.

pub(crate) mod plan;
pub(crate) mod view;

pub use plan::{TileOutput, WarpPlan};
