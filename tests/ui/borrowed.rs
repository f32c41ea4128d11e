//! Slices that are used elsewhere while they are sorted.

use sortsmith::cudarc::driver::CudaSlice;
use sortsmith::{Error, Sorter};

fn of_the_host(sorter: &Sorter, keys: &mut Vec<u32>) -> Result<u32, Error> {
    let first = &keys[0];
    sorter.sort(keys)?; //~ E0502
    Ok(*first)
}

fn of_a_device(sorter: &Sorter, keys: &mut CudaSlice<u32>) -> Result<(), Error> {
    let view = keys.slice(..1);
    sorter.sort::<u32>(keys)?; //~ E0502
    drop(view);
    Ok(())
}

fn both_keys_and_values(sorter: &Sorter, both: &mut CudaSlice<u32>) -> Result<(), Error> {
    sorter.sort_pairs::<u32, u32>(both, both) //~ E0499
}

fn both_input_and_output(sorter: &Sorter, both: &mut CudaSlice<u32>) -> Result<(), Error> {
    sorter.sort_into::<u32>(both, both)?; //~ E0502
    sorter.argsort_into::<u32>(both, both)?; //~ E0502
    sorter.sort_rows_into::<u32>(both, both, 1) //~ E0502
}

fn both_keys_and_offsets(sorter: &Sorter, both: &mut CudaSlice<u32>) -> Result<(), Error> {
    sorter.sort_segments::<u32, u32>(both, &*both) //~ E0502
}

fn main() {}
