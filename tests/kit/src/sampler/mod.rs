//! Specs for tests: random ones from the full space, and a fixed set that contains each pair of axis values.

mod block_comparison;
mod covering;
mod device;
mod fresh;
mod gather;
mod warp;

pub use block_comparison::{
    block_bitonic_covering_set, block_bitonic_packed_set, block_bitonic_truncated_set,
    block_merge_covering_set,
};
pub use covering::{Point, covering_set};
pub use device::{
    bitonic_covering_set, device_bitonic, device_covering_set, device_radix, device_sample,
    sample_covering_set,
};
pub use fresh::{
    any_family, block_bitonic, block_merge, block_radix, block_radix_of_at_most, warp_bitonic,
};
pub use gather::{gather, gather_covering_set};
pub use warp::warp_covering_set;

use sortsmith_codegen::SortSpec;
use sortsmith_codegen::comparison::ComparisonPlan;
use sortsmith_codegen::plan::RadixPlan;

/// The work of one run of a spec, by its items and passes, to which the emulator's time is proportional.
pub fn cost(spec: &SortSpec) -> u64 {
    let of_radix = RadixPlan::of(spec).map(|plan| plan.passes);
    let of_network = || ComparisonPlan::of(spec).map(|plan| plan.exchanges() + 1);
    let passes = of_radix.or_else(of_network).unwrap_or(1);
    u64::from(spec.tile_items()) * u64::from(passes)
}
