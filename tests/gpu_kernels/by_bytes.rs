//! Sorts of device slices of bytes, whatever their types: one function type for all of them.

use cudarc::driver::CudaViewMut;
use sortsmith::{Error, SortKey, SortValue, Sorter};

/// Sorts bytes of keys and values where they lie; or writes positions over the values.
pub type Sort =
    fn(&Sorter, &mut CudaViewMut<'_, u8>, &mut CudaViewMut<'_, u8>) -> Result<(), Error>;

/// Keys alone.
pub fn sort_keys<K: SortKey>(
    sorter: &Sorter,
    keys: &mut CudaViewMut<'_, u8>,
    _: &mut CudaViewMut<'_, u8>,
) -> Result<(), Error> {
    sorter.sort::<K>(&mut view_of(keys))
}

/// Keys with values.
pub fn sort_pairs<K: SortKey, V: SortValue>(
    sorter: &Sorter,
    keys: &mut CudaViewMut<'_, u8>,
    values: &mut CudaViewMut<'_, u8>,
) -> Result<(), Error> {
    sorter.sort_pairs::<K, V>(&mut view_of(keys), &mut view_of(values))
}

/// Positions; the keys stay as they are.
pub fn argsort<K: SortKey>(
    sorter: &Sorter,
    keys: &mut CudaViewMut<'_, u8>,
    positions: &mut CudaViewMut<'_, u8>,
) -> Result<(), Error> {
    sorter.argsort_into::<K>(&view_of(keys), &mut view_of(positions))
}

fn view_of<'a, T>(bytes: &'a mut CudaViewMut<'_, u8>) -> CudaViewMut<'a, T> {
    let length = bytes.len() / size_of::<T>();
    // SAFETY: the bytes are those of items of this type, at the start of an allocation.
    unsafe { bytes.transmute_mut(length) }.expect("as many bytes")
}
