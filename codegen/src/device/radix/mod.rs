//! `device_radix_sort`: digit by digit, any number of items.

mod arguments;
mod counting;
mod explain;
mod family;
mod grid;
mod kernels;
mod layout;
mod msd_buckets;
mod onesweep;
mod overflow;
mod spec;
mod tie_fix_up;
mod tuning;
mod upper_digits;
mod view;

pub use arguments::RadixArguments;
pub(crate) use family::Radix;
pub use spec::{BINS, RADIX_BITS, RadixSort};
