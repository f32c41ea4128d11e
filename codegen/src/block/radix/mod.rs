//! `block_radix_sort`: least-significant digit first, in shared memory.

mod digits;
pub(crate) mod facade;
pub mod plan;
pub(crate) mod view;

pub use digits::default_radix_bits;
pub(crate) use digits::with_radix_bits;

use crate::block::radix::plan::RadixPlan;
use crate::contract::family::{Summary, TileFamily};
use crate::contract::render::{Options, RenderError};
use crate::contract::spec::{SortSpec, SpecFields};
use crate::contract::validate::SpecError;

/// The family of `block_radix_sort`.
pub(crate) struct BlockRadix;

impl TileFamily for BlockRadix {
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
