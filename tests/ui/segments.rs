//! Segments that outlive their offsets, and lists that outlive their count.

use sortsmith::cudarc::driver::CudaSlice;
use sortsmith::{Error, Rows, Segments, SortOptions, Sorter};

fn of_the_host(keys: &mut [u32]) -> Result<(), Error> {
    let segments = {
        let offsets = vec![0u32, 1];
        Segments::from(&offsets) //~ E0597
    };
    Sorter::host().sort_segments(keys, segments)
}

fn of_a_device(
    sorter: &Sorter,
    keys: &mut CudaSlice<u32>,
    begins: &CudaSlice<u32>,
    ends: CudaSlice<u32>,
) -> Result<(), Error> {
    let segments = Segments::<u32>::between(begins, &ends);
    drop(ends); //~ E0505
    sorter.sort_segments::<u32, u32>(keys, segments)
}

fn counted_segments(keys: &mut [u32]) -> Result<(), Error> {
    let offsets = vec![0u32, 1];
    let segments = {
        let count = vec![1u32];
        Segments::from(&offsets).counted(&count) //~ E0597
    };
    Sorter::host().sort_segments(keys, segments)
}

fn counted_rows(
    sorter: &Sorter,
    keys: &mut CudaSlice<u32>,
    count: CudaSlice<u64>,
) -> Result<(), Error> {
    let rows = Rows::of(2).counted(&count);
    drop(count); //~ E0505
    sorter.sort_rows_with::<u32>(keys, rows, SortOptions::new())
}

fn main() {}
