//! `device_radix_sort`: digit by digit, any number of items.

pub(super) mod parts;
pub(super) mod view;
