//! Functions that sort host slices, by the default sorter or on the host.

use crate::default_sorter::{made_sorter, sorter_for};
use crate::error::Error;
use crate::host;
use crate::key::SortKey;
use crate::options::SortOptions;
use crate::value::SortValue;

/// Sorts keys ascending.
///
/// ```
/// let mut keys = [5i64, -1, 3];
/// sortsmith::sort(&mut keys)?;
/// assert_eq!(keys, [-1, 3, 5]);
/// # Ok::<(), sortsmith::Error>(())
/// ```
pub fn sort<K: SortKey>(keys: &mut [K]) -> Result<(), Error> {
    sort_with(keys, SortOptions::new())
}

/// Sorts keys as the options say.
///
/// ```
/// use sortsmith::SortOptions;
///
/// let mut keys = [5u16, 1, 3];
/// sortsmith::sort_with(&mut keys, SortOptions::new().descending())?;
/// assert_eq!(keys, [5, 3, 1]);
/// # Ok::<(), sortsmith::Error>(())
/// ```
pub fn sort_with<K: SortKey>(keys: &mut [K], options: SortOptions) -> Result<(), Error> {
    sorter_for(keys.len())?.sort_with(keys, options)
}

/// Sorts keys ascending, and moves each value with its key.
///
/// ```
/// let mut keys = [2.5f64, -1.0, 2.5];
/// let mut names = [*b"two.", *b"neg.", *b"also"];
/// sortsmith::sort_pairs(&mut keys, &mut names)?;
/// assert_eq!(names, [*b"neg.", *b"two.", *b"also"]);
/// # Ok::<(), sortsmith::Error>(())
/// ```
pub fn sort_pairs<K: SortKey, V: SortValue>(keys: &mut [K], values: &mut [V]) -> Result<(), Error> {
    sort_pairs_with(keys, values, SortOptions::new())
}

/// Sorts keys as the options say, and moves each value with its key.
///
/// ```
/// use sortsmith::SortOptions;
///
/// let mut grid_cells = [0x2_0007u64, 0x1_0009, 0x2_0003];
/// let mut points = [0u32, 1, 2];
/// sortsmith::sort_pairs_with(&mut grid_cells, &mut points, SortOptions::new().bits(16..48))?;
/// assert_eq!(points, [1, 0, 2]);
/// # Ok::<(), sortsmith::Error>(())
/// ```
pub fn sort_pairs_with<K: SortKey, V: SortValue>(
    keys: &mut [K],
    values: &mut [V],
    options: SortOptions,
) -> Result<(), Error> {
    sorter_for(keys.len())?.sort_pairs_with(keys, values, options)
}

/// Sorts keys ascending, and moves each value with its key. Pairs of equal keys may come in any order, which can be faster.
///
/// ```
/// let mut keys = [2u8, 1, 2];
/// let mut values = [10u64, 20, 30];
/// sortsmith::sort_pairs_unstable(&mut keys, &mut values)?;
/// assert_eq!((keys, values[0]), ([1, 2, 2], 20));
/// # Ok::<(), sortsmith::Error>(())
/// ```
pub fn sort_pairs_unstable<K: SortKey, V: SortValue>(
    keys: &mut [K],
    values: &mut [V],
) -> Result<(), Error> {
    sort_pairs_unstable_with(keys, values, SortOptions::new())
}

/// Sorts keys as the options say, and moves each value with its key. Pairs of equal keys may come in any order, which can be
/// faster.
pub fn sort_pairs_unstable_with<K: SortKey, V: SortValue>(
    keys: &mut [K],
    values: &mut [V],
    options: SortOptions,
) -> Result<(), Error> {
    sorter_for(keys.len())?.sort_pairs_unstable_with(keys, values, options)
}

/// The positions that the keys would be sorted from: `keys[result[0]]` is the least key.
///
/// ```
/// let order = sortsmith::argsort(&[0.5f32, -2.0, 9.0, -2.0])?;
/// assert_eq!(order, [1, 3, 0, 2]);
/// # Ok::<(), sortsmith::Error>(())
/// ```
pub fn argsort<K: SortKey>(keys: &[K]) -> Result<Vec<u32>, Error> {
    argsort_with(keys, SortOptions::new())
}

/// The positions that the keys would be sorted from, as the options say.
///
/// ```
/// use sortsmith::SortOptions;
///
/// let order = sortsmith::argsort_with(&[1u8, 9, 5], SortOptions::new().descending())?;
/// assert_eq!(order, [1, 2, 0]);
/// # Ok::<(), sortsmith::Error>(())
/// ```
pub fn argsort_with<K: SortKey>(keys: &[K], options: SortOptions) -> Result<Vec<u32>, Error> {
    let mut positions = host::positions(keys.len())?;
    sorter_for(keys.len())?.argsort_into_with(keys, &mut positions, options)?;
    Ok(positions)
}

/// Frees the device memory and the pinned memory that the functions of this crate keep between calls, as large as the largest sort
/// needed. The next sort allocates again.
///
/// ```
/// sortsmith::sort(&mut vec![2u32; 100_000])?;
/// sortsmith::release();
/// # Ok::<(), sortsmith::Error>(())
/// ```
pub fn release() {
    if let Some(sorter) = made_sorter() {
        sorter.release();
    }
}
