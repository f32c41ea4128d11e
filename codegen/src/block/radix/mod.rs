//! `block_radix_sort`: least-significant digit first, in shared memory.

mod digits;
#[cfg(feature = "explain")]
mod explain;
#[cfg(feature = "emit")]
pub(crate) mod facade;
pub mod plan;
pub(crate) mod view;

pub use digits::default_radix_bits;
#[cfg(feature = "explain")]
pub use explain::{Array, Radix as Figures, Shared};

use crate::block::radix::plan::RadixPlan;
use crate::contract::family::{Summary, TileFamily};
use crate::contract::render::{Options, RenderError};
use crate::contract::spec::{SortSpec, SpecFields};
use crate::contract::validate::SpecError;

/// The family of `block_radix_sort`.
struct BlockRadix;

pub(crate) const FAMILY: &dyn TileFamily = &BlockRadix;

impl TileFamily for BlockRadix {
    fn validate(&self, fields: SpecFields) -> Result<SortSpec, SpecError> {
        plan::validate(fields)
    }

    fn with_default_digit(&self, fields: SpecFields) -> SpecFields {
        digits::with_radix_bits(fields, default_radix_bits(&fields))
    }

    fn shared_bytes(&self, fields: &SpecFields) -> u32 {
        plan::shared_bytes(fields)
    }

    fn render(&self, spec: &SortSpec, options: Options) -> Result<String, RenderError> {
        view::render(spec, options)
    }

    fn summary(&self, spec: &SortSpec) -> Option<Summary> {
        let plan = RadixPlan::of(spec)?;
        Some(Summary {
            block: plan.block,
            lanes: None,
            radix_bits: Some(plan.radix_bits),
            passes: Some(plan.passes),
            shared_bytes: plan.shared_bytes,
            barriers: plan.barriers(),
        })
    }
}
