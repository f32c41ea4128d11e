//! `block_odd_even_sort`: odd-even transposition in shared memory.

mod explain;
mod plan;
mod view;

pub use explain::OddEven as Figures;
pub use plan::OddEvenPlan;

use crate::contract::family::{Summary, TileFamily};
use crate::contract::render::{Options, RenderError};
use crate::contract::spec::{SortSpec, SpecFields};
use crate::contract::validate::SpecError;

/// The family of `block_odd_even_sort`.
struct BlockOddEven;

pub(crate) const FAMILY: &dyn TileFamily = &BlockOddEven;

impl TileFamily for BlockOddEven {
    fn validate(&self, fields: SpecFields) -> Result<SortSpec, SpecError> {
        plan::validate(fields)
    }

    fn shared_bytes(&self, fields: &SpecFields) -> u32 {
        plan::shared_bytes(fields)
    }

    fn render(&self, spec: &SortSpec, options: Options) -> Result<String, RenderError> {
        view::render(spec, options)
    }

    fn summary(&self, spec: &SortSpec) -> Option<Summary> {
        let plan = OddEvenPlan::of(spec)?;
        Some(Summary {
            block: spec.algorithm.block(),
            lanes: None,
            radix_bits: None,
            passes: None,
            shared_bytes: plan.shared_bytes,
            barriers: plan.barriers,
        })
    }
}
