//! `device_bitonic_sort`: any number of items by a bitonic network, tiles in shared memory, longer distances in the array itself.

mod family;
mod item;
mod launch;
mod spec;
mod view;

pub(crate) use family::Bitonic;
pub use spec::BitonicSort;
