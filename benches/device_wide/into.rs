//! Out-of-place sorts of bytes on the device, whatever their types: one function type for all of them.

use cudarc::driver::{CudaView, CudaViewMut};
use sortsmith::{Error, SortKey, SortOptions, SortValue, Sorter};

/// Sorts bytes of keys and values to other ones, which are given behind them; or writes positions over the values there.
pub type SortInto = fn(
    (&Sorter, SortOptions),
    [&CudaView<'_, u8>; 2],
    [&mut CudaViewMut<'_, u8>; 2],
) -> Result<(), Error>;

/// Keys alone.
pub fn sort_keys<K: SortKey>(
    (sorter, options): (&Sorter, SortOptions),
    [keys, _]: [&CudaView<'_, u8>; 2],
    [to, _]: [&mut CudaViewMut<'_, u8>; 2],
) -> Result<(), Error> {
    sorter.sort_into_with::<K>(&view_of(keys), &mut view_of_mut(to), options)
}

/// Keys with values.
pub fn sort_pairs<K: SortKey, V: SortValue>(
    (sorter, options): (&Sorter, SortOptions),
    [keys, values]: [&CudaView<'_, u8>; 2],
    [sorted_keys, sorted_values]: [&mut CudaViewMut<'_, u8>; 2],
) -> Result<(), Error> {
    sorter.sort_pairs_into_with::<K, V>(
        &view_of(keys),
        &view_of(values),
        &mut view_of_mut(sorted_keys),
        &mut view_of_mut(sorted_values),
        options,
    )
}

/// Positions.
pub fn argsort<K: SortKey>(
    (sorter, options): (&Sorter, SortOptions),
    [keys, _]: [&CudaView<'_, u8>; 2],
    [_, positions]: [&mut CudaViewMut<'_, u8>; 2],
) -> Result<(), Error> {
    sorter.argsort_into_with::<K>(&view_of(keys), &mut view_of_mut(positions), options)
}

fn view_of<'a, T>(bytes: &'a CudaView<'_, u8>) -> CudaView<'a, T> {
    let length = bytes.len() / size_of::<T>();
    // SAFETY: the bytes are those of items of this type, at the start of an allocation.
    unsafe { bytes.transmute(length) }.expect("as many bytes")
}

fn view_of_mut<'a, T>(bytes: &'a mut CudaViewMut<'_, u8>) -> CudaViewMut<'a, T> {
    let length = bytes.len() / size_of::<T>();
    // SAFETY: as above.
    unsafe { bytes.transmute_mut(length) }.expect("as many bytes")
}
