//! Arrays, keys and bins of other crates: what they point to, and how they are to be sorted, would be theirs to say.

use std::sync::Arc;

use sortsmith::cudarc::driver::{CudaStream, DevicePtr, DevicePtrMut, DeviceSlice, SyncOnDrop};
use sortsmith::{Array, ArrayMut, BinKey, DeviceArray, SortKey};

/// An array at any address.
struct Anywhere(Arc<CudaStream>);

impl DeviceSlice<u32> for Anywhere {
    fn len(&self) -> usize {
        2
    }
    fn stream(&self) -> &Arc<CudaStream> {
        &self.0
    }
}

impl DevicePtr<u32> for Anywhere {
    fn device_ptr<'a>(&'a self, _: &'a CudaStream) -> (u64, SyncOnDrop<'a>) {
        (0xbad, SyncOnDrop::Sync(None))
    }
}

impl DevicePtrMut<u32> for Anywhere {
    fn device_ptr_mut<'a>(&'a mut self, _: &'a CudaStream) -> (u64, SyncOnDrop<'a>) {
        (0xbad, SyncOnDrop::Sync(None))
    }
}

#[derive(Clone, Copy)]
struct Mine(u32);

impl Array<u32> for Anywhere {} //~ E0277 sortsmith::array::sealed::Sealed<u32>
impl ArrayMut<u32> for Anywhere {} //~ E0277 sortsmith::array::sealed::SealedMut<u32>
impl DeviceArray<u32> for Anywhere {} //~ E0277 sortsmith::array::sealed::Sealed<u32>
impl SortKey for Mine {} //~ E0277 sortsmith::key::sealed::Sealed
impl BinKey for Mine {} //~ E0277 sortsmith::bin_key::sealed::Sealed

fn main() {}
