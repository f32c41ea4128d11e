//! Top-k of arrays of pairs, and of the rows of matrices: the values that belong to the found keys, in place of positions.

#[cfg(feature = "cuda")]
use sortsmith_codegen::{ValueType, top_k::TopKValue};

#[cfg(feature = "cuda")]
use super::top_k::of_rows;
use super::top_k::{lists, require_k, write_items};
use super::{Sorter, into::require_room};
use crate::array::{Array, ArrayMut, Items, ItemsMut, Memory as _};
use crate::error::Error;
#[cfg(feature = "cuda")]
use crate::gpu::top_k::TopKOfRows;
use crate::host;
use crate::host::lists::top_k_lists;
use crate::key::SortKey;
use crate::lists::{Lists as _, Rows};
use crate::options::TopKOptions;
use crate::value::SortValue;

impl Sorter {
    /// Writes the largest keys, sorted descending, and the values that belong to them: as many as the outputs have room for. Of equal keys
    /// those at the lowest positions are found.
    ///
    /// ```
    /// let (mut found, mut ids) = ([0.0f32; 2], [0u64; 2]);
    /// let sorter = sortsmith::Sorter::host();
    /// sorter.top_k_pairs_into(&[0.5f32, 9.0, -2.0, 9.0], &[10u64, 20, 30, 40], &mut found, &mut ids)?;
    /// assert_eq!((found, ids), ([9.0, 9.0], [20, 40]));
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::LengthMismatch`] if there are not as many values as keys, and those of
    /// [`top_k_pairs_rows_into_with`](Self::top_k_pairs_rows_into_with).
    pub fn top_k_pairs_into<K: SortKey, V: SortValue>(
        &self,
        keys: &(impl Array<K> + ?Sized),
        values: &(impl Array<V> + ?Sized),
        found_keys: &mut (impl ArrayMut<K> + ?Sized),
        found_values: &mut (impl ArrayMut<V> + ?Sized),
    ) -> Result<(), Error> {
        let options = TopKOptions::new();
        self.top_k_pairs_into_with(keys, values, found_keys, found_values, options)
    }

    /// Writes the first keys, as the options say, and the values that belong to them: as many as the outputs have room for.
    pub fn top_k_pairs_into_with<K: SortKey, V: SortValue>(
        &self,
        keys: &(impl Array<K> + ?Sized),
        values: &(impl Array<V> + ?Sized),
        found_keys: &mut (impl ArrayMut<K> + ?Sized),
        found_values: &mut (impl ArrayMut<V> + ?Sized),
        options: TopKOptions,
    ) -> Result<(), Error> {
        let (columns, k) = (keys.items().len(), found_keys.items().len());
        require_k(k, columns)?;
        self.top_k_pairs_rows_into_with(keys, values, found_keys, found_values, columns, k, options)
    }

    /// Writes the k largest keys of each row of a matrix, sorted descending, and the values that belong to them: k of each row, row after
    /// row.
    ///
    /// ```
    /// let (mut best, mut ids) = ([0u8; 2], [0u64; 2]);
    /// let (scores, all) = ([3u8, 1, 2, 5, 4, 6], [30u64, 31, 32, 40, 41, 42]);
    /// let sorter = sortsmith::Sorter::host();
    /// sorter.top_k_pairs_rows_into(&scores, &all, &mut best, &mut ids, 3, 1)?;
    /// assert_eq!((best, ids), ([3, 6], [30, 42]));
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    pub fn top_k_pairs_rows_into<K: SortKey, V: SortValue>(
        &self,
        keys: &(impl Array<K> + ?Sized),
        values: &(impl Array<V> + ?Sized),
        found_keys: &mut (impl ArrayMut<K> + ?Sized),
        found_values: &mut (impl ArrayMut<V> + ?Sized),
        columns: usize,
        k: usize,
    ) -> Result<(), Error> {
        let options = TopKOptions::new();
        self.top_k_pairs_rows_into_with(keys, values, found_keys, found_values, columns, k, options)
    }

    /// Writes the first k keys of each row of a matrix, as the options say, and the values that belong to them. Values lie as keys do.
    ///
    /// A GPU reads the values of the found keys alone. Values of 1, 2, 4, 8 and 16 bytes at multiples of their size are moved at once,
    /// and others in words of their alignment.
    ///
    /// # Errors
    ///
    /// [`Error::LengthMismatch`] if there are not as many values as keys, [`Error::OutputLength`] if an output has not room for k items of each
    /// row, [`Error::RowShape`] if the keys are not rows of that many columns, [`Error::TopK`] if a row has fewer than k keys, and
    /// [`Error::TooManyItems`] if it has more than 2³².
    #[expect(clippy::too_many_arguments, reason = "those of a top-k of rows, and values")]
    pub fn top_k_pairs_rows_into_with<K: SortKey, V: SortValue>(
        &self,
        keys: &(impl Array<K> + ?Sized),
        values: &(impl Array<V> + ?Sized),
        found_keys: &mut (impl ArrayMut<K> + ?Sized),
        found_values: &mut (impl ArrayMut<V> + ?Sized),
        rows: impl Into<Rows>,
        k: usize,
        options: TopKOptions,
    ) -> Result<(), Error> {
        let memory = keys.memory();
        let (keys, values) = (keys.items(), values.items());
        let (found_keys, found_values) = (found_keys.items_mut(), found_values.items_mut());
        if keys.len() != values.len() {
            return Err(Error::LengthMismatch { keys: keys.len(), values: values.len() });
        }
        let lists = lists(rows, keys.len(), k)?;
        let found = lists.count() * k;
        require_room("found keys", found, found_keys.len())?;
        require_room("found values", found, found_values.len())?;
        match (keys, values, found_keys, found_values) {
            (
                Items::Host(keys),
                Items::Host(values),
                ItemsMut::Host(found_keys),
                ItemsMut::Host(found_values),
            ) => memory.on_host(|| {
                let mut positions = host::positions(found)?;
                top_k_lists(keys, &mut positions, &lists, k, &options)?;
                write_items((keys, &positions), &lists, k, found_keys);
                write_items((values, &positions), &lists, k, found_values);
                Ok(())
            }),
            #[cfg(feature = "cuda")]
            (
                Items::Device(keys),
                Items::Device(values),
                ItemsMut::Device(found_keys),
                ItemsMut::Device(found_values),
            ) => {
                let of_rows = of_pairs::<K, V>(lists.columns(), k, &options);
                let (of_rows, pairs) = ((&of_rows, &lists), (keys, Some(values)));
                let sorter = self.device("keys")?;
                sorter.checked(|it| it.top_k_rows::<K, V>(of_rows, pairs, found_keys, found_values))
            }
            #[cfg(feature = "cuda")]
            _ => Err(Error::MixedMemory { what: "keys, values, found keys and found values" }),
        }
    }
}

/// The top-k of pairs for a device. Of values of no bytes there is nothing to write.
#[cfg(feature = "cuda")]
pub(super) fn of_pairs<K: SortKey, V: SortValue>(
    columns: usize,
    k: usize,
    options: &TopKOptions,
) -> TopKOfRows {
    let has_bytes = V::CARRIED.moved() != ValueType::None;
    let moved = |align| {
        let value = TopKValue::of_values(size_of::<V>() as u32, align);
        value.filter(|_| has_bytes).unwrap_or(TopKValue::Index64)
    };
    let of_rows = of_rows::<K>(moved(size_of::<V>() as u32), columns, k, options);
    TopKOfRows { odd_value: moved(align_of::<V>() as u32), ..of_rows }
}
