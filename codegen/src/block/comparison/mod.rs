//! `block_bitonic_sort` and `block_merge_sort`: comparison networks in registers, with merges in shared memory.

#[cfg(feature = "explain")]
mod explain;
mod merges;
pub(crate) mod plan;
mod spec;
pub(crate) mod view;

#[cfg(feature = "explain")]
pub use explain::Comparison as Figures;
pub use merges::{ColumnExchange, Merge};
pub use plan::{ComparisonPlan, Zeros};

use crate::contract::family::{Summary, TileFamily};
use crate::contract::render::{Options, RenderError};
use crate::contract::spec::{SortSpec, SpecFields};
use crate::contract::validate::SpecError;

/// The families of `block_bitonic_sort` and `block_merge_sort`.
struct BlockComparison;

pub(crate) const FAMILY: &dyn TileFamily = &BlockComparison;

impl TileFamily for BlockComparison {
    fn validate(&self, fields: SpecFields) -> Result<SortSpec, SpecError> {
        spec::validate(fields)
    }

    fn shared_bytes(&self, fields: &SpecFields) -> u32 {
        spec::shared_bytes(fields)
    }

    fn render(&self, spec: &SortSpec, options: Options) -> Result<String, RenderError> {
        view::render(spec, options)
    }

    fn summary(&self, spec: &SortSpec) -> Option<Summary> {
        let plan = ComparisonPlan::of(spec)?;
        Some(Summary {
            block: plan.block,
            lanes: None,
            radix_bits: None,
            passes: None,
            shared_bytes: plan.shared_bytes,
            barriers: plan.barriers(spec.output),
        })
    }

    fn possible_barriers(&self, spec: &SortSpec) -> Vec<u32> {
        ComparisonPlan::of(spec).map_or_else(Vec::new, |plan| plan.possible_barriers(spec.output))
    }
}
