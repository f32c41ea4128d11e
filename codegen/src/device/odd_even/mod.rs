//! `device_odd_even_sort`: tiny n, by odd-even transposition in the shared memory of one block.

mod family;
mod plan;
mod view;

pub(crate) use family::OddEven;
