//! Segments that outlive their offsets.

use sortsmith::cudarc::driver::CudaSlice;
use sortsmith::{Error, Segments, Sorter};

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

fn main() {}
