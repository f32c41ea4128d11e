//! `block_bitonic_sort` and `block_merge_sort`: comparison networks in registers, whose runs are merged in shared memory.

pub(crate) mod plan;
pub(crate) mod view;

pub use plan::{ComparisonPlan, Merge, Turn};
