//! What a call's types and slices say.

use cudarc::driver::{CudaSlice, CudaStream, DevicePtr, DevicePtrMut as _};

use crate::algorithm::ArrayAlgorithm;
use crate::array::Items;
use crate::error::Error;
use crate::gpu::task::Task;
use crate::key::SortKey;
use crate::options::SortOptions;
use crate::value::{Carried, SortValue};

/// The stable sort of a shard by a rank.
pub fn task_of<K: SortKey, V: SortValue>(
    items: usize,
    options: &SortOptions,
) -> Result<Task, Error> {
    Ok(Task {
        key: K::KEY_TYPE,
        value: carried::<V>()?,
        order: options.get_order(),
        bits: options.bits_of::<K>()?,
        nan_last: K::HAS_NAN && options.is_nan_last(),
        algorithm: ArrayAlgorithm::Fastest,
        stable: true,
        counted: false,
        n: items,
    })
}

/// An error unless values at an address are aligned. [`carried`] refuses values of a size that no kernel moves.
pub fn require_aligned<V: SortValue>(address: u64) -> Result<(), Error> {
    let bytes = size_of::<V>();
    let is_aligned = !bytes.is_power_of_two() || address.is_multiple_of(bytes as u64);
    if is_aligned { Ok(()) } else { Err(Error::ValueAddress { bytes }) }
}

/// How values of a type travel.
fn carried<V: SortValue>() -> Result<Carried, Error> {
    match V::CARRIED {
        Carried::As(value) => Ok(Carried::As(value)),
        Carried::ByPosition(_) => Err(Error::TravellingValues { bytes: size_of::<V>() }),
    }
}

/// A slice on a device, which a device array is.
#[expect(clippy::needless_pass_by_value)] // the slice is taken out of it
pub fn slice_of<T>(items: Items<'_, T>) -> &dyn DevicePtr<T> {
    match items {
        Items::Device(slice) => slice,
        Items::Host(_) => unreachable!("device arrays are on a device"),
    }
}

/// The address of a slice that a sort writes, behind other uses of it.
pub fn address_of<T>(slice: &mut CudaSlice<T>, stream: &CudaStream) -> u64 {
    slice.device_ptr_mut(stream).0
}
