//! Sorts that write sorted keys and the positions that they come from.

#[cfg(feature = "cuda")]
use super::task::{POSITIONS, task};
use super::{INDEX_LIMIT, Sorter, into::require_room, rows};
use crate::array::{Array, ArrayMut, Items, ItemsMut, Memory as _};
use crate::error::Error;
use crate::host::lists::sort_lists;
use crate::host::number;
use crate::key::SortKey;
use crate::lists::{Lists as _, Rows};
use crate::options::SortOptions;

/// Sorts that write both the sorted keys and the positions that they come from: what `torch.sort` returns. They move no values from memory, for the sort
/// makes the positions.
impl Sorter {
    /// Sorts keys ascending to another slice, and writes the positions that they come from. Equal keys keep their input order; the keys
    /// stay unchanged. There are at most 2³² keys.
    ///
    /// ```
    /// let (mut sorted, mut order) = ([0.0f32; 3], [0; 3]);
    /// let sorter = sortsmith::Sorter::host();
    /// sorter.sort_with_positions_into(&[0.5, -2.0, 9.0], &mut sorted, &mut order)?;
    /// assert_eq!((sorted, order), ([-2.0, 0.5, 9.0], [1, 0, 2]));
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    pub fn sort_with_positions_into<K: SortKey>(
        &self,
        keys: &(impl Array<K> + ?Sized),
        sorted: &mut (impl ArrayMut<K> + ?Sized),
        positions: &mut (impl ArrayMut<u32> + ?Sized),
    ) -> Result<(), Error> {
        self.sort_with_positions_into_with(keys, sorted, positions, SortOptions::new())
    }

    /// Sorts keys to another slice as the options say, and writes the positions that they come from.
    pub fn sort_with_positions_into_with<K: SortKey>(
        &self,
        keys: &(impl Array<K> + ?Sized),
        sorted: &mut (impl ArrayMut<K> + ?Sized),
        positions: &mut (impl ArrayMut<u32> + ?Sized),
        options: SortOptions,
    ) -> Result<(), Error> {
        let memory = keys.memory();
        let (keys, sorted, positions) = (keys.items(), sorted.items_mut(), positions.items_mut());
        require_room("keys", keys.len(), sorted.len())?;
        require_room("positions", keys.len(), positions.len())?;
        require_numbers(keys.len())?;
        match (keys, sorted, positions) {
            (Items::Host(keys), ItemsMut::Host(sorted), ItemsMut::Host(positions)) => memory
                .on_host(|| {
                    options.bits_of::<K>()?;
                    sorted.copy_from_slice(keys);
                    number(positions);
                    self.sort_on_host(sorted, positions, &options, true)
                }),
            #[cfg(feature = "cuda")]
            (Items::Device(keys), ItemsMut::Device(sorted), ItemsMut::Device(positions)) => {
                let task = task::<K>(POSITIONS, keys.len(), &options, true)?;
                let on_device = self.device("keys")?;
                on_device.checked(|it| it.argsort::<K>(&task, keys, Some(sorted), positions))
            }
            #[cfg(feature = "cuda")]
            _ => Err(Error::MixedMemory { what: "keys, sorted keys and positions" }),
        }
    }

    /// Sorts each row of a matrix ascending to another slice, and writes the columns that the keys come from.
    ///
    /// ```
    /// let (mut sorted, mut order) = ([0u8; 4], [0; 4]);
    /// let sorter = sortsmith::Sorter::host();
    /// sorter.sort_rows_with_positions_into(&[7, 5, 1, 2], &mut sorted, &mut order, 2)?;
    /// assert_eq!((sorted, order), ([5, 7, 1, 2], [1, 0, 0, 1]));
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    pub fn sort_rows_with_positions_into<K: SortKey>(
        &self,
        keys: &(impl Array<K> + ?Sized),
        sorted: &mut (impl ArrayMut<K> + ?Sized),
        positions: &mut (impl ArrayMut<u32> + ?Sized),
        columns: usize,
    ) -> Result<(), Error> {
        let options = SortOptions::new();
        self.sort_rows_with_positions_into_with(keys, sorted, positions, columns, options)
    }

    /// Sorts each row of a matrix to another slice as the options say, and writes the columns that the keys come from. Rows lie there as in the first
    /// slice; what lies between them is not touched.
    pub fn sort_rows_with_positions_into_with<K: SortKey>(
        &self,
        keys: &(impl Array<K> + ?Sized),
        sorted: &mut (impl ArrayMut<K> + ?Sized),
        positions: &mut (impl ArrayMut<u32> + ?Sized),
        rows: impl Into<Rows>,
        options: SortOptions,
    ) -> Result<(), Error> {
        let memory = keys.memory();
        let (keys, sorted, positions) = (keys.items(), sorted.items_mut(), positions.items_mut());
        require_room("keys", keys.len(), sorted.len())?;
        require_room("positions", keys.len(), positions.len())?;
        let lists = rows::lists::<K>(rows, keys.len(), &options)?;
        require_numbers(lists.columns())?;
        match (keys, sorted, positions) {
            (Items::Host(keys), ItemsMut::Host(sorted), ItemsMut::Host(positions)) => memory
                .on_host(|| {
                    rows::copy_rows(&lists, keys, sorted);
                    for row in 0..lists.count() {
                        number(&mut positions[lists.range(row)]);
                    }
                    sort_lists(sorted, positions, &lists, &options)
                }),
            #[cfg(feature = "cuda")]
            (Items::Device(keys), ItemsMut::Device(sorted), ItemsMut::Device(positions)) => {
                let task = task::<K>(POSITIONS, lists.columns(), &options, true)?;
                let of_rows = (&task, &lists);
                let on_device = self.device("keys")?;
                on_device.checked(|it| it.argsort_rows::<K>(of_rows, keys, Some(sorted), positions))
            }
            #[cfg(feature = "cuda")]
            _ => Err(Error::MixedMemory { what: "keys, sorted keys and positions" }),
        }
    }
}

/// An error if positions of 32 bits cannot number as many keys.
fn require_numbers(items: usize) -> Result<(), Error> {
    if items as u64 <= INDEX_LIMIT {
        Ok(())
    } else {
        Err(Error::TooManyItems { items, limit: INDEX_LIMIT })
    }
}
