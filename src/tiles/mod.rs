//! Block sorts, tile by tile: a chosen one, or the one that was measured to be the fastest.

mod block_radix_sort;
mod block_sort;
mod sort;

pub use block_radix_sort::BlockRadixSort;
pub use block_sort::BlockSort;
