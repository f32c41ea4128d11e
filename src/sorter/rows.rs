//! Sorts of the rows of a matrix.

#[cfg(feature = "cuda")]
use cudarc::driver::CudaSlice;

#[cfg(feature = "cuda")]
use super::Target;
#[cfg(feature = "cuda")]
use super::task::{NOTHING, POSITIONS, task};
use super::{INDEX_LIMIT, Sorter, into::require_room};
#[cfg(feature = "cuda")]
use crate::array::DeviceArray;
use crate::array::{Array, ArrayMut, Items, ItemsMut, Memory as _};
#[cfg(feature = "cuda")]
use crate::count::{CountSlice, DeviceCount};
use crate::error::Error;
use crate::host::lists::{argsort_lists, sort_lists};
use crate::key::SortKey;
use crate::lists::{CountedRows, Lists as _, RowLists, Rows};
use crate::options::SortOptions;
use crate::value::SortValue;

/// Rows that a tile holds are sorted by one launch, each by a block or a part of a warp; longer ones of up to 2²⁰ columns all together, by
/// three launches for each 2²⁵ items. Rows with NaNs last and those with values of other sizes than 1, 2, 4, 8 and 16 bytes are sorted
/// one after the other, as arrays are. Rows on the host are sorted on the host.
///
/// Rows of which a count on the device says how many there are ([`Rows::counted`]) are sorted by the same kernels, which read the count; those
/// with NaNs last, with values of other sizes or of more than 2²⁰ columns by the kernels of segments, and argsorts of these are of at most 2³²
/// keys. What is launched depends on the shape alone.
impl Sorter {
    /// Sorts each row of a matrix ascending.
    ///
    /// ```
    /// let mut keys = [3u32, 1, 2, 6, 5, 4];
    /// sortsmith::Sorter::host().sort_rows(&mut keys, 3)?;
    /// assert_eq!(keys, [1, 2, 3, 4, 5, 6]);
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::RowShape`] if the keys are not rows of that many columns.
    pub fn sort_rows<K: SortKey>(
        &self,
        keys: &mut (impl ArrayMut<K> + ?Sized),
        columns: usize,
    ) -> Result<(), Error> {
        self.sort_rows_with(keys, columns, SortOptions::new())
    }

    /// Sorts each row of a matrix as the options say, or as many of the first rows as a [count](Rows::counted) in memory says. Items between
    /// rows are not touched.
    pub fn sort_rows_with<'a, K: SortKey>(
        &self,
        keys: &mut (impl ArrayMut<K> + ?Sized),
        rows: impl Into<CountedRows<'a>>,
        options: SortOptions,
    ) -> Result<(), Error> {
        let (memory, keys) = (keys.memory(), keys.items_mut());
        let (rows, count) = rows.into().rows_and_count();
        let lists = lists::<K>(rows, keys.len(), &options)?;
        match keys {
            ItemsMut::Host(keys) => memory.on_host(|| {
                let lists = lists.counted(count.as_ref())?;
                sort_lists(keys, &mut vec![(); keys.len()], &lists, &options)
            }),
            #[cfg(feature = "cuda")]
            ItemsMut::Device(keys) => {
                let task = task::<K>(NOTHING, lists.columns(), &options, true)?;
                let count = on_device(count.as_ref())?;
                self.device("keys")?.checked(|it| match count {
                    None => it.sort_rows::<K, ()>((&task, &lists), keys, None),
                    Some(count) => {
                        it.sort_counted_rows::<K, ()>(&task, (&lists, count), keys, None)
                    }
                })
            }
        }
    }

    /// Sorts each row of a matrix ascending, and moves each value with its key. Equal keys keep their input order.
    pub fn sort_pairs_rows<K: SortKey, V: SortValue>(
        &self,
        keys: &mut (impl ArrayMut<K> + ?Sized),
        values: &mut (impl ArrayMut<V> + ?Sized),
        columns: usize,
    ) -> Result<(), Error> {
        self.sort_pairs_rows_with(keys, values, columns, SortOptions::new())
    }

    /// Sorts each row of a matrix as the options say, and moves each value with its key. Values lie as keys do.
    ///
    /// ```
    /// use sortsmith::{Rows, SortOptions, Sorter};
    ///
    /// // Two rows of two keys, three apart.
    /// let (mut keys, mut values) = ([1u8, 2, 9, 4, 3], [10u32, 20, 90, 40, 30]);
    /// let (rows, options) = (Rows::of(2).stride(3), SortOptions::new().descending());
    /// Sorter::host().sort_pairs_rows_with(&mut keys, &mut values, rows, options)?;
    /// assert_eq!(values, [20, 10, 90, 40, 30]);
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    pub fn sort_pairs_rows_with<'a, K: SortKey, V: SortValue>(
        &self,
        keys: &mut (impl ArrayMut<K> + ?Sized),
        values: &mut (impl ArrayMut<V> + ?Sized),
        rows: impl Into<CountedRows<'a>>,
        options: SortOptions,
    ) -> Result<(), Error> {
        let (rows, count) = rows.into().rows_and_count();
        let memory = keys.memory();
        let (keys, values) = (keys.items_mut(), values.items_mut());
        if keys.len() != values.len() {
            return Err(Error::LengthMismatch { keys: keys.len(), values: values.len() });
        }
        let lists = lists::<K>(rows, keys.len(), &options)?;
        match (keys, values) {
            (ItemsMut::Host(keys), ItemsMut::Host(values)) => memory.on_host(|| {
                let lists = lists.counted(count.as_ref())?;
                sort_lists(keys, values, &lists, &options)
            }),
            #[cfg(feature = "cuda")]
            (ItemsMut::Device(keys), ItemsMut::Device(values)) => {
                let task = task::<K>(V::CARRIED, lists.columns(), &options, true)?;
                let count = on_device(count.as_ref())?;
                self.device("keys")?.checked(|it| match count {
                    None => it.sort_rows((&task, &lists), keys, Some(values)),
                    Some(count) => it.sort_counted_rows(&task, (&lists, count), keys, Some(values)),
                })
            }
            #[cfg(feature = "cuda")]
            _ => Err(Error::MixedMemory { what: "keys and values" }),
        }
    }

    /// Sorts each row of a matrix ascending to another slice. The keys stay unchanged.
    pub fn sort_rows_into<K: SortKey>(
        &self,
        keys: &(impl Array<K> + ?Sized),
        sorted: &mut (impl ArrayMut<K> + ?Sized),
        columns: usize,
    ) -> Result<(), Error> {
        self.sort_rows_into_with(keys, sorted, columns, SortOptions::new())
    }

    /// Sorts each row of a matrix as the options say to another slice, where rows lie as in the first. What lies between them there is not
    /// touched.
    pub fn sort_rows_into_with<K: SortKey>(
        &self,
        keys: &(impl Array<K> + ?Sized),
        sorted: &mut (impl ArrayMut<K> + ?Sized),
        rows: impl Into<Rows>,
        options: SortOptions,
    ) -> Result<(), Error> {
        let memory = keys.memory();
        let (keys, sorted) = (keys.items(), sorted.items_mut());
        require_room("keys", keys.len(), sorted.len())?;
        let lists = lists::<K>(rows, keys.len(), &options)?;
        match (keys, sorted) {
            (Items::Host(keys), ItemsMut::Host(sorted)) => memory.on_host(|| {
                copy_rows(&lists, keys, sorted);
                sort_lists(sorted, &mut vec![(); keys.len()], &lists, &options)
            }),
            #[cfg(feature = "cuda")]
            (Items::Device(keys), ItemsMut::Device(sorted)) => {
                let task = task::<K>(NOTHING, lists.columns(), &options, true)?;
                let keys = (keys, sorted);
                self.device("keys")?
                    .checked(|it| it.sort_rows_into::<K, ()>((&task, &lists), keys, None))
            }
            #[cfg(feature = "cuda")]
            _ => Err(Error::MixedMemory { what: "keys and sorted keys" }),
        }
    }

    /// Sorts each row of a matrix ascending to another slice, and each value with its key. Equal keys keep their input order; keys and
    /// values stay unchanged.
    pub fn sort_pairs_rows_into<K: SortKey, V: SortValue>(
        &self,
        keys: &(impl Array<K> + ?Sized),
        values: &(impl Array<V> + ?Sized),
        sorted_keys: &mut (impl ArrayMut<K> + ?Sized),
        sorted_values: &mut (impl ArrayMut<V> + ?Sized),
        columns: usize,
    ) -> Result<(), Error> {
        let options = SortOptions::new();
        self.sort_pairs_rows_into_with(keys, values, sorted_keys, sorted_values, columns, options)
    }

    /// Sorts each row of a matrix of keys and values as the options say to other slices, where rows lie as in the first. What lies between
    /// them there is not touched.
    pub fn sort_pairs_rows_into_with<K: SortKey, V: SortValue>(
        &self,
        keys: &(impl Array<K> + ?Sized),
        values: &(impl Array<V> + ?Sized),
        sorted_keys: &mut (impl ArrayMut<K> + ?Sized),
        sorted_values: &mut (impl ArrayMut<V> + ?Sized),
        rows: impl Into<Rows>,
        options: SortOptions,
    ) -> Result<(), Error> {
        let memory = keys.memory();
        let (keys, values) = (keys.items(), values.items());
        let (sorted_keys, sorted_values) = (sorted_keys.items_mut(), sorted_values.items_mut());
        if keys.len() != values.len() {
            return Err(Error::LengthMismatch { keys: keys.len(), values: values.len() });
        }
        require_room("keys", keys.len(), sorted_keys.len())?;
        require_room("values", values.len(), sorted_values.len())?;
        let lists = lists::<K>(rows, keys.len(), &options)?;
        match (keys, values, sorted_keys, sorted_values) {
            (
                Items::Host(keys),
                Items::Host(values),
                ItemsMut::Host(sorted_keys),
                ItemsMut::Host(sorted_values),
            ) => memory.on_host(|| {
                copy_rows(&lists, keys, sorted_keys);
                copy_rows(&lists, values, sorted_values);
                sort_lists(sorted_keys, sorted_values, &lists, &options)
            }),
            #[cfg(feature = "cuda")]
            (
                Items::Device(keys),
                Items::Device(values),
                ItemsMut::Device(sorted_keys),
                ItemsMut::Device(sorted_values),
            ) => {
                let task = task::<K>(V::CARRIED, lists.columns(), &options, true)?;
                let (sorter, values) = (self.device("keys")?, Some((values, sorted_values)));
                let keys = (keys, sorted_keys);
                sorter.checked(|it| it.sort_rows_into((&task, &lists), keys, values))
            }
            #[cfg(feature = "cuda")]
            _ => Err(Error::MixedMemory { what: "keys, values and sorted slices" }),
        }
    }

    /// The columns that the device keys of each row would be sorted from. [`argsort_rows`](crate::argsort_rows) is for keys on the host,
    /// and [`argsort_rows_into`](Self::argsort_rows_into) for both.
    ///
    /// It allocates its result, and so cannot be captured in a graph; `argsort_rows_into` can.
    #[cfg(feature = "cuda")]
    pub fn argsort_rows<K: SortKey>(
        &self,
        keys: &(impl DeviceArray<K> + ?Sized),
        columns: usize,
    ) -> Result<CudaSlice<u32>, Error> {
        self.argsort_rows_with(keys, columns, SortOptions::new())
    }

    /// The columns that the device keys of each row would be sorted from, as the options say. They lie as keys do, with zeros between
    /// rows.
    #[cfg(feature = "cuda")]
    pub fn argsort_rows_with<K: SortKey>(
        &self,
        keys: &(impl DeviceArray<K> + ?Sized),
        rows: impl Into<Rows>,
        options: SortOptions,
    ) -> Result<CudaSlice<u32>, Error> {
        let Items::Device(keys) = keys.items() else {
            return Err(Error::MixedMemory { what: "keys and indices" });
        };
        let lists = lists::<K>(rows, keys.len(), &options)?;
        let task = task::<K>(POSITIONS, lists.columns(), &options, true)?;
        self.device("keys")?.checked(|it| {
            let has_gaps = !lists.have_no_gaps();
            let mut indices =
                if has_gaps { it.zero_indices(keys.len())? } else { it.indices(keys.len())? };
            it.argsort_rows::<K>((&task, &lists), keys, None, &mut indices)?;
            Ok(indices)
        })
    }

    /// Writes the columns that the keys of each row would be sorted from.
    ///
    /// ```
    /// let mut order = [0; 4];
    /// sortsmith::Sorter::host().argsort_rows_into(&[0.5f32, -2.0, 1.0, 9.0], &mut order, 2)?;
    /// assert_eq!(order, [1, 0, 0, 1]);
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    pub fn argsort_rows_into<K: SortKey>(
        &self,
        keys: &(impl Array<K> + ?Sized),
        indices: &mut (impl ArrayMut<u32> + ?Sized),
        columns: usize,
    ) -> Result<(), Error> {
        self.argsort_rows_into_with(keys, indices, columns, SortOptions::new())
    }

    /// Writes the columns that the keys of each row would be sorted from, as the options say. They lie as keys do; what lies between rows
    /// is not touched.
    pub fn argsort_rows_into_with<'a, K: SortKey>(
        &self,
        keys: &(impl Array<K> + ?Sized),
        indices: &mut (impl ArrayMut<u32> + ?Sized),
        rows: impl Into<CountedRows<'a>>,
        options: SortOptions,
    ) -> Result<(), Error> {
        let (rows, count) = rows.into().rows_and_count();
        let memory = keys.memory();
        let (keys, indices) = (keys.items(), indices.items_mut());
        if keys.len() != indices.len() {
            return Err(Error::LengthMismatch { keys: keys.len(), values: indices.len() });
        }
        let lists = lists::<K>(rows, keys.len(), &options)?;
        if lists.columns() as u64 > INDEX_LIMIT {
            return Err(Error::TooManyItems { items: lists.columns(), limit: INDEX_LIMIT });
        }
        match (keys, indices) {
            (Items::Host(keys), ItemsMut::Host(indices)) => memory.on_host(|| {
                let lists = lists.counted(count.as_ref())?;
                argsort_lists(keys, indices, &lists, &options)
            }),
            #[cfg(feature = "cuda")]
            (Items::Device(keys), ItemsMut::Device(indices)) => {
                let task = task::<K>(POSITIONS, lists.columns(), &options, true)?;
                let count = on_device(count.as_ref())?;
                self.device("keys")?.checked(|it| match count {
                    None => it.argsort_rows::<K>((&task, &lists), keys, None, indices),
                    Some(count) => {
                        it.argsort_counted_rows::<K>(&task, (&lists, count), keys, indices)
                    }
                })
            }
            #[cfg(feature = "cuda")]
            _ => Err(Error::MixedMemory { what: "keys and indices" }),
        }
    }

    /// Prepares kernels and scratch for ascending sorts of up to as many rows of as many columns, or of keys alone if `V` is `()`.
    ///
    /// Rows that a tile holds need no scratch, and longer ones that of 2²⁵ items at most, or of one row. Values at addresses that are not
    /// multiples of their size need a copy in addition, which the first such sort allocates.
    ///
    /// ```
    /// let sorter = sortsmith::Sorter::host();
    /// sorter.reserve_rows::<f32, u32>(512, 128_256)?; // nothing to do on the host
    /// sorter.reserve_argsort_rows::<f32>(512, 128_256)?; // the same
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    pub fn reserve_rows<K: SortKey, V: SortValue>(
        &self,
        rows: usize,
        columns: usize,
    ) -> Result<(), Error> {
        self.reserve_rows_with::<K, V>(rows, columns, SortOptions::new())
    }

    /// Prepares kernels and scratch for sorts of rows as the options say.
    pub fn reserve_rows_with<K: SortKey, V: SortValue>(
        &self,
        rows: usize,
        columns: usize,
        options: SortOptions,
    ) -> Result<(), Error> {
        check::<K>(&options)?;
        #[cfg(feature = "cuda")]
        if let Target::Gpu { sorter, .. } = &self.target {
            let task = task::<K>(V::CARRIED, columns.max(2), &options, true)?;
            return sorter.checked(|sorter| sorter.prepare_rows((&task, rows), true));
        }
        let _ = (rows, columns);
        Ok(())
    }

    /// Prepares kernels and scratch for ascending argsorts of up to as many rows of as many columns.
    pub fn reserve_argsort_rows<K: SortKey>(
        &self,
        rows: usize,
        columns: usize,
    ) -> Result<(), Error> {
        self.reserve_argsort_rows_with::<K>(rows, columns, SortOptions::new())
    }

    /// Prepares kernels and scratch for argsorts of rows as the options say. After it
    /// [`argsort_rows_into`](Self::argsort_rows_into) allocates nothing.
    pub fn reserve_argsort_rows_with<K: SortKey>(
        &self,
        rows: usize,
        columns: usize,
        options: SortOptions,
    ) -> Result<(), Error> {
        check::<K>(&options)?;
        #[cfg(feature = "cuda")]
        if let Target::Gpu { sorter, .. } = &self.target {
            let task = task::<K>(POSITIONS, columns.max(2), &options, true)?;
            return sorter.checked(|sorter| sorter.prepare_rows((&task, rows), false));
        }
        let _ = (rows, columns);
        Ok(())
    }
}

/// An error unless the options are for rows of such keys.
fn check<K: SortKey>(options: &SortOptions) -> Result<(), Error> {
    options.check_lists()?;
    options.bits_of::<K>().map(drop)
}

/// The rows of an array of `items`, if the options are for rows of such keys.
pub(super) fn lists<K: SortKey>(
    rows: impl Into<Rows>,
    items: usize,
    options: &SortOptions,
) -> Result<RowLists, Error> {
    check::<K>(options)?;
    RowLists::new(rows.into(), items)
}

/// The count of rows, if the device alone knows how many there are.
#[cfg(feature = "cuda")]
fn on_device<'a>(count: Option<&CountSlice<'a>>) -> Result<Option<DeviceCount<'a>>, Error> {
    count.map(CountSlice::on_device).transpose()
}

/// Copies rows, and nothing between them.
pub(super) fn copy_rows<T: Copy>(lists: &RowLists, from: &[T], to: &mut [T]) {
    for range in (0..lists.count()).map(|row| lists.range(row)) {
        to[range.clone()].copy_from_slice(&from[range]);
    }
}
