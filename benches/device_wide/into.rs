//! Out-of-place sorts and top-ks of bytes on the device, whatever their types: one function type for all of either.

use cudarc::driver::{CudaView, CudaViewMut};
use sortsmith::{Error, SortKey, SortOptions, SortValue, Sorter, TopKOptions};

/// Sorts bytes of keys and values to other ones, which are given behind them; or writes positions over the values there.
pub type SortInto = fn(
    (&Sorter, SortOptions),
    [&CudaView<'_, u8>; 2],
    [&mut CudaViewMut<'_, u8>; 2],
) -> Result<(), Error>;

/// Sorts rows of bytes of keys and values, of as many columns, to other ones; or writes the positions within each row over the values there.
pub type SortRowsInto =
    fn(&Sorter, usize, [&CudaView<'_, u8>; 2], [&mut CudaViewMut<'_, u8>; 2]) -> Result<(), Error>;

/// Finds the first k keys of rows of bytes, as the columns and k say, and writes them and their positions.
pub type TopKInto = fn(
    (&Sorter, TopKOptions),
    (usize, usize),
    &CudaView<'_, u8>,
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

/// Keys of rows alone.
pub fn sort_rows<K: SortKey>(
    sorter: &Sorter,
    columns: usize,
    [keys, _]: [&CudaView<'_, u8>; 2],
    [to, _]: [&mut CudaViewMut<'_, u8>; 2],
) -> Result<(), Error> {
    sorter.sort_rows_into::<K>(&view_of(keys), &mut view_of_mut(to), columns)
}

/// Keys of rows with values.
pub fn sort_pairs_rows<K: SortKey, V: SortValue>(
    sorter: &Sorter,
    columns: usize,
    [keys, values]: [&CudaView<'_, u8>; 2],
    [sorted_keys, sorted_values]: [&mut CudaViewMut<'_, u8>; 2],
) -> Result<(), Error> {
    sorter.sort_pairs_rows_into::<K, V>(
        &view_of(keys),
        &view_of(values),
        &mut view_of_mut(sorted_keys),
        &mut view_of_mut(sorted_values),
        columns,
    )
}

/// Positions within rows.
pub fn argsort_rows<K: SortKey>(
    sorter: &Sorter,
    columns: usize,
    [keys, _]: [&CudaView<'_, u8>; 2],
    [_, positions]: [&mut CudaViewMut<'_, u8>; 2],
) -> Result<(), Error> {
    sorter.argsort_rows_into::<K>(&view_of(keys), &mut view_of_mut(positions), columns)
}

/// The first k keys of each row, and their positions.
pub fn top_k<K: SortKey>(
    (sorter, options): (&Sorter, TopKOptions),
    (columns, k): (usize, usize),
    keys: &CudaView<'_, u8>,
    [found, positions]: [&mut CudaViewMut<'_, u8>; 2],
) -> Result<(), Error> {
    let (mut found, mut positions) = (view_of_mut::<K>(found), view_of_mut::<u32>(positions));
    let keys = view_of::<K>(keys);
    sorter.top_k_rows_into_with::<K, _>(&keys, &mut found, &mut positions, columns, k, options)
}

pub(super) fn view_of<'a, T>(bytes: &'a CudaView<'_, u8>) -> CudaView<'a, T> {
    let length = bytes.len() / size_of::<T>();
    // SAFETY: the bytes are those of items of this type, at the start of an allocation.
    unsafe { bytes.transmute(length) }.expect("as many bytes")
}

pub(super) fn view_of_mut<'a, T>(bytes: &'a mut CudaViewMut<'_, u8>) -> CudaViewMut<'a, T> {
    let length = bytes.len() / size_of::<T>();
    // SAFETY: as above.
    unsafe { bytes.transmute_mut(length) }.expect("as many bytes")
}
