//! `block_radix_sort`: least-significant digit first, in shared memory.

mod digits;
pub(crate) mod facade;
pub mod plan;
pub(crate) mod view;

pub use digits::default_radix_bits;
pub(crate) use digits::with_radix_bits;
