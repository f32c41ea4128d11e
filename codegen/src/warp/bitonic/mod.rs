//! `warp_bitonic_sort`: a bitonic network in registers and shuffles.

#[cfg(feature = "explain")]
mod explain;
pub(crate) mod plan;
pub(crate) mod view;

#[cfg(feature = "explain")]
pub use explain::Warp as Figures;
pub use plan::{TileOutput, WarpPlan};

use crate::contract::family::{Summary, TileFamily};
use crate::contract::render::{Options, RenderError};
use crate::contract::spec::{SortSpec, SpecFields};
use crate::contract::validate::SpecError;
use crate::types::Block;

/// The family of `warp_bitonic_sort`.
struct WarpBitonic;

pub(crate) const FAMILY: &dyn TileFamily = &WarpBitonic;

impl TileFamily for WarpBitonic {
    fn validate(&self, fields: SpecFields) -> Result<SortSpec, SpecError> {
        plan::validate(fields)
    }

    fn shared_bytes(&self, _: &SpecFields) -> u32 {
        // A warp exchanges items by shuffles.
        0
    }

    fn render(&self, spec: &SortSpec, options: Options) -> Result<String, RenderError> {
        view::render(spec, options)
    }

    fn summary(&self, spec: &SortSpec) -> Option<Summary> {
        let plan = WarpPlan::of(spec)?;
        Some(Summary {
            block: Block::linear(plan.tile_threads),
            lanes: Some(plan.lanes),
            radix_bits: None,
            passes: None,
            shared_bytes: 0,
            barriers: 0,
        })
    }
}
