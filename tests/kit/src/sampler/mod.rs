//! Specs to test with: fresh ones from the whole space, and a fixed set in which each pair of axis values meets.

mod covering;
mod device;
mod fresh;
mod gather;
mod warp;

pub use covering::{Cell, covering_set};
pub use device::{device_covering_set, device_radix, device_sample, sample_covering_set};
pub use fresh::{any_family, block_radix, block_radix_of_at_most, warp_bitonic};
pub use gather::{gather, gather_covering_set};
pub use warp::warp_covering_set;

use sortsmith_codegen::SortSpec;
use sortsmith_codegen::plan::RadixPlan;

/// How much work one run of a spec is, by its items and passes: what an emulator's time grows with.
pub fn cost(spec: &SortSpec) -> u64 {
    let passes = RadixPlan::of(spec).map_or(1, |plan| plan.passes);
    u64::from(spec.tile_items()) * u64::from(passes)
}
