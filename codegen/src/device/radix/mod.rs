//! `device_radix_sort`: digit by digit, any number of items.

pub(super) mod msd_buckets;
pub(super) mod view;
