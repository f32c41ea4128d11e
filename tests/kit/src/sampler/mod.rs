//! Specs of tile sorts for tests: random ones from the full space, and a fixed set that contains each pair of axis values.

mod block;
/// Of the family's folder.
#[path = "../../../emulator/families/block_bitonic_sort/facts.rs"]
pub mod block_bitonic_sort;
mod covering;
mod fresh;
mod warp;

pub use covering::{Point, covering_set};
pub(crate) use fresh::struct_key;
pub use fresh::{any_family, block_radix, of_family};

use sortsmith_codegen::comparison::ComparisonPlan;
use sortsmith_codegen::plan::RadixPlan;
use sortsmith_codegen::{Family, SortSpec, TileOption, registry};

/// A fixed set of a family's sorts, in which the values of its axes meet each other.
pub fn covering_set_of(family: Family) -> Vec<SortSpec> {
    if family.has(TileOption::Lanes) {
        warp::covering_set(family)
    } else if family.has(TileOption::RadixBits) {
        covering_set()
    } else {
        block::covering_set(family)
    }
}

/// The work of one run of a spec, by its items and passes, to which the emulator's time is proportional.
pub fn cost(spec: &SortSpec) -> u64 {
    let of_radix = RadixPlan::of(spec).map(|plan| plan.passes);
    let of_network = || ComparisonPlan::of(spec).map(|plan| plan.exchanges() + 1);
    // Of others about as many as the barriers between them.
    let of_barriers = || registry::summary(spec).map_or(1, |summary| summary.barriers + 1);
    let passes = of_radix.or_else(of_network).unwrap_or_else(of_barriers);
    u64::from(spec.tile_items()) * u64::from(passes)
}
