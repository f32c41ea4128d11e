//! Sorts of as many of an array's first items as a number in memory says.

#[cfg(feature = "cuda")]
use super::Target;
#[cfg(feature = "cuda")]
use super::task::{NOTHING, POSITIONS, task};
use super::{INDEX_LIMIT, Sorter};
use crate::array::{Array, ArrayMut, Items, ItemsMut, Memory as _};
use crate::count::{CountSlice, ItemCount};
use crate::error::Error;
use crate::key::SortKey;
use crate::lists::Rows;
use crate::options::SortOptions;
use crate::value::SortValue;

/// A count is an array of one `u32` or `u64`, where keys are: on the host or on a device. A count above the number of keys counts as that
/// number. The keys, values and indices from the count on are left as they are.
///
/// On a device the host does not read the count and waits for nothing: what is launched depends on the length of the slice alone, so an
/// earlier kernel of the stream may write the count, and a captured graph sorts by the count that it finds each time it runs. The kernels
/// are those of [`sort`](Self::sort) of a slice as long, and read the count themselves: blocks for which there are no keys end at once. Values
/// that no kernel moves ([`Carried::ByPosition`](crate::Carried)) are sorted by the kernels of [segments](Self::sort_segments), which take longer. Where rows of a
/// matrix or segments are counted, see [`Rows::counted`] and [`Segments::counted`](crate::Segments::counted).
impl Sorter {
    /// Sorts as many of the first keys as a count in memory says, ascending.
    ///
    /// ```
    /// let mut keys = [5u8, 4, 3, 2, 1];
    /// sortsmith::Sorter::host().sort_counted(&mut keys, &[3u32])?;
    /// assert_eq!(keys, [3, 4, 5, 2, 1]);
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::CountLength`] if the count is not an array of one number, and [`Error::MixedMemory`] if it is not where keys are.
    pub fn sort_counted<K: SortKey, C: ItemCount>(
        &self,
        keys: &mut (impl ArrayMut<K> + ?Sized),
        count: &(impl Array<C> + ?Sized),
    ) -> Result<(), Error> {
        self.sort_counted_with(keys, count, SortOptions::new())
    }

    /// Sorts as many of the first keys as a count in memory says, as the options say.
    pub fn sort_counted_with<K: SortKey, C: ItemCount>(
        &self,
        keys: &mut (impl ArrayMut<K> + ?Sized),
        count: &(impl Array<C> + ?Sized),
        options: SortOptions,
    ) -> Result<(), Error> {
        check::<K>(&options)?;
        let (memory, count) = (keys.memory(), CountSlice::of(count));
        match keys.items_mut() {
            ItemsMut::Host(keys) => memory.on_host(|| {
                let count = count.on_host(keys.len())?;
                self.sort_on_host(&mut keys[..count], &mut vec![(); count], &options, true)
            }),
            #[cfg(feature = "cuda")]
            ItemsMut::Device(keys) => {
                let task = task::<K>(NOTHING, keys.len(), &options, true)?;
                let count = count.on_device()?;
                self.device("keys")?
                    .checked(|it| it.sort_counted::<K, ()>(&task, count, keys, None))
            }
        }
    }

    /// Sorts as many of the first keys as a count in memory says, ascending, and moves each value with its key. Equal keys keep their input
    /// order.
    ///
    /// ```
    /// let (mut keys, mut values) = ([5u8, 4, 3, 2, 1], [50u32, 40, 30, 20, 10]);
    /// sortsmith::Sorter::host().sort_pairs_counted(&mut keys, &mut values, &[2u64])?;
    /// assert_eq!(values, [40, 50, 30, 20, 10]);
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    pub fn sort_pairs_counted<K: SortKey, V: SortValue, C: ItemCount>(
        &self,
        keys: &mut (impl ArrayMut<K> + ?Sized),
        values: &mut (impl ArrayMut<V> + ?Sized),
        count: &(impl Array<C> + ?Sized),
    ) -> Result<(), Error> {
        self.sort_pairs_counted_with(keys, values, count, SortOptions::new())
    }

    /// Sorts as many of the first keys as a count in memory says, as the options say, and moves each value with its key.
    pub fn sort_pairs_counted_with<K: SortKey, V: SortValue, C: ItemCount>(
        &self,
        keys: &mut (impl ArrayMut<K> + ?Sized),
        values: &mut (impl ArrayMut<V> + ?Sized),
        count: &(impl Array<C> + ?Sized),
        options: SortOptions,
    ) -> Result<(), Error> {
        check::<K>(&options)?;
        let (memory, count) = (keys.memory(), CountSlice::of(count));
        let (keys, values) = (keys.items_mut(), values.items_mut());
        if keys.len() != values.len() {
            return Err(Error::LengthMismatch { keys: keys.len(), values: values.len() });
        }
        match (keys, values) {
            (ItemsMut::Host(keys), ItemsMut::Host(values)) => memory.on_host(|| {
                let count = count.on_host(keys.len())?;
                self.sort_on_host(&mut keys[..count], &mut values[..count], &options, true)
            }),
            #[cfg(feature = "cuda")]
            (ItemsMut::Device(keys), ItemsMut::Device(values)) => {
                let task = task::<K>(V::CARRIED, keys.len(), &options, true)?;
                let count = count.on_device()?;
                self.device("keys")?.checked(|it| it.sort_counted(&task, count, keys, Some(values)))
            }
            #[cfg(feature = "cuda")]
            _ => Err(Error::MixedMemory { what: "keys and values" }),
        }
    }

    /// Writes the positions that as many of the first keys as a count in memory says would be sorted from. The other indices are left as
    /// they are.
    ///
    /// ```
    /// let mut order = [7; 4];
    /// sortsmith::Sorter::host().argsort_counted_into(&[0.5f32, -2.0, 9.0, 1.0], &mut order, &[3u32])?;
    /// assert_eq!(order, [1, 0, 2, 7]);
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    pub fn argsort_counted_into<K: SortKey, C: ItemCount>(
        &self,
        keys: &(impl Array<K> + ?Sized),
        indices: &mut (impl ArrayMut<u32> + ?Sized),
        count: &(impl Array<C> + ?Sized),
    ) -> Result<(), Error> {
        self.argsort_counted_into_with(keys, indices, count, SortOptions::new())
    }

    /// Writes the positions that as many of the first keys as a count in memory says would be sorted from, as the options say.
    pub fn argsort_counted_into_with<K: SortKey, C: ItemCount>(
        &self,
        keys: &(impl Array<K> + ?Sized),
        indices: &mut (impl ArrayMut<u32> + ?Sized),
        count: &(impl Array<C> + ?Sized),
        options: SortOptions,
    ) -> Result<(), Error> {
        check::<K>(&options)?;
        let (memory, count) = (keys.memory(), CountSlice::of(count));
        let (keys, indices) = (keys.items(), indices.items_mut());
        if keys.len() != indices.len() {
            return Err(Error::LengthMismatch { keys: keys.len(), values: indices.len() });
        }
        if keys.len() as u64 > INDEX_LIMIT {
            return Err(Error::TooManyItems { items: keys.len(), limit: INDEX_LIMIT });
        }
        match (keys, indices) {
            (Items::Host(keys), ItemsMut::Host(indices)) => memory.on_host(|| {
                let count = count.on_host(keys.len())?;
                self.argsort_on_host(&keys[..count], &mut indices[..count], &options)
            }),
            #[cfg(feature = "cuda")]
            (Items::Device(keys), ItemsMut::Device(indices)) => {
                let task = task::<K>(POSITIONS, keys.len(), &options, true)?;
                let count = count.on_device()?;
                self.device("keys")?
                    .checked(|it| it.argsort_counted::<K>(&task, count, keys, indices))
            }
            #[cfg(feature = "cuda")]
            _ => Err(Error::MixedMemory { what: "keys and indices" }),
        }
    }

    /// Prepares kernels and scratch for ascending sorts of up to `n` pairs, or of keys alone if `V` is `()`, of which a count on the device
    /// says how many there are.
    ///
    /// Values at addresses that are not multiples of their size need a copy in addition, which the first such sort allocates.
    ///
    /// ```
    /// let sorter = sortsmith::Sorter::host();
    /// sorter.reserve_counted::<f32, u32>(1_000_000)?; // nothing to do on the host
    /// sorter.reserve_argsort_counted::<f32>(1_000_000)?; // the same
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    pub fn reserve_counted<K: SortKey, V: SortValue>(&self, n: usize) -> Result<(), Error> {
        self.reserve_counted_with::<K, V>(n, SortOptions::new())
    }

    /// Prepares kernels and scratch for sorts of up to `n` pairs, of which a count says how many there are, as the options say.
    pub fn reserve_counted_with<K: SortKey, V: SortValue>(
        &self,
        n: usize,
        options: SortOptions,
    ) -> Result<(), Error> {
        check::<K>(&options)?;
        #[cfg(feature = "cuda")]
        if let Target::Gpu { sorter, .. } = &self.target {
            let task = task::<K>(V::CARRIED, n.max(2), &options, true)?;
            return sorter.checked(|sorter| sorter.prepare_counted(&task, true));
        }
        let _ = n;
        Ok(())
    }

    /// Prepares kernels and scratch for ascending argsorts of up to `n` keys, of which a count on the device says how many there are.
    pub fn reserve_argsort_counted<K: SortKey>(&self, n: usize) -> Result<(), Error> {
        self.reserve_argsort_counted_with::<K>(n, SortOptions::new())
    }

    /// Prepares kernels and scratch for argsorts of up to `n` keys, of which a count says how many there are, as the options say.
    pub fn reserve_argsort_counted_with<K: SortKey>(
        &self,
        n: usize,
        options: SortOptions,
    ) -> Result<(), Error> {
        check::<K>(&options)?;
        #[cfg(feature = "cuda")]
        if let Target::Gpu { sorter, .. } = &self.target {
            let task = task::<K>(POSITIONS, n.max(2), &options, true)?;
            return sorter.checked(|sorter| sorter.prepare_counted(&task, false));
        }
        let _ = n;
        Ok(())
    }

    /// Prepares kernels and scratch for ascending sorts of up to as many such [rows](Rows), of which a count on the device says how many
    /// there are ([`Rows::counted`]).
    ///
    /// ```
    /// use sortsmith::Rows;
    ///
    /// let sorter = sortsmith::Sorter::host();
    /// sorter.reserve_counted_rows::<f32, u32>(512, 1000)?; // nothing to do on the host
    /// sorter.reserve_argsort_counted_rows::<f32>(512, Rows::of(1000).stride(1024))?; // the same
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    pub fn reserve_counted_rows<K: SortKey, V: SortValue>(
        &self,
        count: usize,
        rows: impl Into<Rows>,
    ) -> Result<(), Error> {
        self.reserve_counted_rows_with::<K, V>(count, rows, SortOptions::new())
    }

    /// Prepares kernels and scratch for sorts of up to as many counted rows as the options say.
    pub fn reserve_counted_rows_with<K: SortKey, V: SortValue>(
        &self,
        count: usize,
        rows: impl Into<Rows>,
        options: SortOptions,
    ) -> Result<(), Error> {
        check::<K>(&options)?;
        let rows = rows.into();
        #[cfg(feature = "cuda")]
        if let Target::Gpu { sorter, .. } = &self.target {
            let task = task::<K>(V::CARRIED, rows.columns().max(1), &options, true)?;
            let shape = (count, rows.items_of(count).max(1));
            return sorter.checked(|sorter| sorter.prepare_counted_rows(&task, shape, true));
        }
        let _ = (count, rows);
        Ok(())
    }

    /// Prepares kernels and scratch for ascending argsorts of up to as many such rows, of which a count on the device says how many there
    /// are.
    pub fn reserve_argsort_counted_rows<K: SortKey>(
        &self,
        count: usize,
        rows: impl Into<Rows>,
    ) -> Result<(), Error> {
        self.reserve_argsort_counted_rows_with::<K>(count, rows, SortOptions::new())
    }

    /// Prepares kernels and scratch for argsorts of up to as many counted rows as the options say.
    pub fn reserve_argsort_counted_rows_with<K: SortKey>(
        &self,
        count: usize,
        rows: impl Into<Rows>,
        options: SortOptions,
    ) -> Result<(), Error> {
        check::<K>(&options)?;
        let rows = rows.into();
        #[cfg(feature = "cuda")]
        if let Target::Gpu { sorter, .. } = &self.target {
            let task = task::<K>(POSITIONS, rows.columns().max(1), &options, true)?;
            let shape = (count, rows.items_of(count).max(1));
            return sorter.checked(|sorter| sorter.prepare_counted_rows(&task, shape, false));
        }
        let _ = (count, rows);
        Ok(())
    }
}

/// An error unless the options are for counted arrays of such keys.
fn check<K: SortKey>(options: &SortOptions) -> Result<(), Error> {
    options.check_lists()?;
    options.bits_of::<K>().map(drop)
}
