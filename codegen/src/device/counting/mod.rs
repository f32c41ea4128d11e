//! `device_counting_sort`: the rows of a matrix, each by one block that counts how often each key of 16 bits is there.

mod family;
mod plan;
mod view;

pub(crate) use family::Counting;
