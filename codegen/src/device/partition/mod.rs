//! `device_partition_sort`: many items, partitioned by one or two levels of sampled splitters, each bucket gathered and sorted by a
//! block.

mod check;
mod chunks;
mod family;
mod launch;
mod layout;
mod plan;
mod tuning;
mod view;

pub(crate) use family::Partition;
pub(crate) use plan::MAX_ITEMS;
