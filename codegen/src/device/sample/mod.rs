//! `device_sample_sort`: small n, partitioned into buckets by samples, each bucket sorted by a block.

mod arguments;
mod counts;
mod family;
mod items;
mod launch;
mod layout;
mod plan;
mod tuning;
mod view;

pub use arguments::SampleArguments;
pub(crate) use family::Sample;
pub(crate) use tuning::MAX_COLUMNS;
pub use tuning::SMALL_N;
