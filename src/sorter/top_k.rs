//! Top-k of arrays and of the rows of a matrix.

#[cfg(feature = "cuda")]
use cudarc::driver::{CudaSlice, DeviceRepr};
#[cfg(feature = "cuda")]
use sortsmith_codegen::top_k::{TopKTask, TopKValue};

use super::{INDEX_LIMIT, Sorter, into::require_room};
#[cfg(feature = "cuda")]
use crate::array::DeviceArray;
use crate::array::{Array, ArrayMut, Items, ItemsMut, Memory as _};
use crate::error::Error;
#[cfg(feature = "cuda")]
use crate::gpu::top_k::TopKOfRows;
use crate::host::lists::{items_of_lists, top_k_lists};
use crate::key::SortKey;
use crate::lists::{Lists as _, RowLists, Rows};
use crate::options::TopKOptions;
use crate::position::Position;

/// The result of a top-k on a device: k keys of each row, row after row, and their positions within their row.
#[cfg(feature = "cuda")]
#[derive(Debug)]
pub struct DeviceTopK<K> {
    /// The keys.
    pub keys: CudaSlice<K>,
    /// Where each of them was.
    pub positions: CudaSlice<u32>,
}

/// Of equal keys those at the lowest positions are found, so results are the same as on the host. Rows are searched by blocks of a generated
/// `block_top_k` in one launch or, if they are long, in up to four, where a block's shared memory has room: for k of up to 4096 on an H200, up to
/// 1024 with 64 KB (2048 and 256 of keys of 16 bytes). For a larger k one row after the other is sorted.
impl Sorter {
    /// The k largest of the device keys, sorted descending, and their positions. [`top_k`](crate::top_k()) is for keys on the host, and
    /// [`top_k_into`](Self::top_k_into) for both.
    ///
    /// It allocates its result, and so cannot be captured in a graph; `top_k_into` can.
    ///
    /// # Errors
    ///
    /// [`Error::TopK`] if there are fewer than k keys, and [`Error::TooManyItems`] if there are more than 2³².
    #[cfg(feature = "cuda")]
    pub fn top_k<K: SortKey + DeviceRepr>(
        &self,
        keys: &(impl DeviceArray<K> + ?Sized),
        k: usize,
    ) -> Result<DeviceTopK<K>, Error> {
        self.top_k_with(keys, k, TopKOptions::new())
    }

    /// The first k of the device keys, as the options say, and their positions.
    #[cfg(feature = "cuda")]
    pub fn top_k_with<K: SortKey + DeviceRepr>(
        &self,
        keys: &(impl DeviceArray<K> + ?Sized),
        k: usize,
        options: TopKOptions,
    ) -> Result<DeviceTopK<K>, Error> {
        let columns = keys.items().len();
        require_k(k, columns)?;
        self.top_k_rows_with(keys, columns, k, options)
    }

    /// The k largest device keys of each row of a matrix, sorted descending, and their positions within the row.
    #[cfg(feature = "cuda")]
    pub fn top_k_rows<K: SortKey + DeviceRepr>(
        &self,
        keys: &(impl DeviceArray<K> + ?Sized),
        columns: usize,
        k: usize,
    ) -> Result<DeviceTopK<K>, Error> {
        self.top_k_rows_with(keys, columns, k, TopKOptions::new())
    }

    /// The first k device keys of each row of a matrix, as the options say, and their positions within the row.
    ///
    /// # Errors
    ///
    /// [`Error::RowShape`] if the keys are not rows of that many columns, [`Error::TopK`] if a row has fewer than k keys, and
    /// [`Error::TooManyItems`] if it has more than 2³².
    #[cfg(feature = "cuda")]
    pub fn top_k_rows_with<K: SortKey + DeviceRepr>(
        &self,
        keys: &(impl DeviceArray<K> + ?Sized),
        rows: impl Into<Rows>,
        k: usize,
        options: TopKOptions,
    ) -> Result<DeviceTopK<K>, Error> {
        let Items::Device(keys) = keys.items() else {
            return Err(Error::MixedMemory { what: "keys and found keys" });
        };
        let lists = lists(rows, keys.len(), k)?;
        let found = lists.count() * k;
        self.device("keys")?.checked(|it| {
            let (mut keys_out, mut positions) = (it.found_keys::<K>(found)?, it.indices(found)?);
            let of_rows = of_rows::<K>(TopKValue::Index, lists.columns(), k, &options);
            it.top_k_rows::<K, u32>(
                (&of_rows, &lists),
                (keys, None),
                &mut keys_out,
                &mut positions,
            )?;
            Ok(DeviceTopK { keys: keys_out, positions })
        })
    }

    /// Writes the largest keys, sorted descending, and their positions: as many as the outputs have room for. Positions are `u32` or `i64`.
    ///
    /// ```
    /// let (mut found, mut positions) = ([0.0f32; 2], [0i64; 2]);
    /// sortsmith::Sorter::host().top_k_into(&[0.5f32, 9.0, -2.0, 9.0], &mut found, &mut positions)?;
    /// assert_eq!((found, positions), ([9.0, 9.0], [1, 3]));
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    pub fn top_k_into<K: SortKey, P: Position>(
        &self,
        keys: &(impl Array<K> + ?Sized),
        found: &mut (impl ArrayMut<K> + ?Sized),
        positions: &mut (impl ArrayMut<P> + ?Sized),
    ) -> Result<(), Error> {
        self.top_k_into_with(keys, found, positions, TopKOptions::new())
    }

    /// Writes the first keys, as the options say, and their positions: as many as the outputs have room for.
    pub fn top_k_into_with<K: SortKey, P: Position>(
        &self,
        keys: &(impl Array<K> + ?Sized),
        found: &mut (impl ArrayMut<K> + ?Sized),
        positions: &mut (impl ArrayMut<P> + ?Sized),
        options: TopKOptions,
    ) -> Result<(), Error> {
        let (columns, k) = (keys.items().len(), positions.items().len());
        require_k(k, columns)?;
        self.top_k_rows_into_with(keys, found, positions, columns, k, options)
    }

    /// Writes the k largest keys of each row of a matrix, sorted descending, and their positions within the row: k of each row, row
    /// after row.
    pub fn top_k_rows_into<K: SortKey, P: Position>(
        &self,
        keys: &(impl Array<K> + ?Sized),
        found: &mut (impl ArrayMut<K> + ?Sized),
        positions: &mut (impl ArrayMut<P> + ?Sized),
        columns: usize,
        k: usize,
    ) -> Result<(), Error> {
        self.top_k_rows_into_with(keys, found, positions, columns, k, TopKOptions::new())
    }

    /// Writes the first k keys of each row of a matrix, as the options say, and their positions within the row.
    ///
    /// ```
    /// use sortsmith::{Sorter, TopKOptions};
    ///
    /// let (mut found, mut positions) = ([0; 2], [0u32; 2]);
    /// let options = TopKOptions::new().smallest();
    /// let keys = [3u8, 1, 2, 5, 4, 6];
    /// Sorter::host().top_k_rows_into_with(&keys, &mut found, &mut positions, 3, 1, options)?;
    /// assert_eq!((found, positions), ([1, 4], [1, 1]));
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::OutputLength`] if an output has not room for k items of each row, and those of `top_k_rows_with`.
    pub fn top_k_rows_into_with<K: SortKey, P: Position>(
        &self,
        keys: &(impl Array<K> + ?Sized),
        found: &mut (impl ArrayMut<K> + ?Sized),
        positions: &mut (impl ArrayMut<P> + ?Sized),
        rows: impl Into<Rows>,
        k: usize,
        options: TopKOptions,
    ) -> Result<(), Error> {
        let memory = keys.memory();
        let (keys, found, positions) = (keys.items(), found.items_mut(), positions.items_mut());
        let lists = lists(rows, keys.len(), k)?;
        require_room("found keys", lists.count() * k, found.len())?;
        require_room("positions", lists.count() * k, positions.len())?;
        match (keys, found, positions) {
            (Items::Host(keys), ItemsMut::Host(found), ItemsMut::Host(positions)) => memory
                .on_host(|| {
                    P::written(positions, |positions| {
                        top_k_lists(keys, positions, &lists, k, &options)?;
                        write_items((keys, &*positions), &lists, k, found);
                        Ok(())
                    })
                }),
            #[cfg(feature = "cuda")]
            (Items::Device(keys), ItemsMut::Device(found), ItemsMut::Device(positions)) => {
                let of_rows = of_rows::<K>(P::WRITTEN, lists.columns(), k, &options);
                let sorter = self.device("keys")?;
                sorter.checked(|it| {
                    it.top_k_rows::<K, P>((&of_rows, &lists), (keys, None), found, positions)
                })
            }
            #[cfg(feature = "cuda")]
            _ => Err(Error::MixedMemory { what: "keys, found keys and positions" }),
        }
    }
}

/// The rows of an array of `items`, if k keys can be found in each.
pub(super) fn lists(rows: impl Into<Rows>, items: usize, k: usize) -> Result<RowLists, Error> {
    let lists = RowLists::new(rows.into(), items)?;
    if lists.count() > 0 {
        require_k(k, lists.columns())?;
    }
    Ok(lists)
}

/// An error unless k of this number of keys can be found, and numbered.
pub(super) fn require_k(k: usize, columns: usize) -> Result<(), Error> {
    if columns as u64 > INDEX_LIMIT {
        return Err(Error::TooManyItems { items: columns, limit: INDEX_LIMIT });
    }
    if k > columns { Err(Error::TopK { k, items: columns }) } else { Ok(()) }
}

/// Writes the items of rows that are at these positions, k for each row.
pub(super) fn write_items<T: Copy>(
    (items, positions): (&[T], &[u32]),
    lists: &RowLists,
    k: usize,
    found: &mut [T],
) {
    let items = items_of_lists(items, positions, lists, k);
    found.iter_mut().zip(items).for_each(|(to, item)| *to = item);
}

/// The top-k for a device.
#[cfg(feature = "cuda")]
pub(super) fn of_rows<K: SortKey>(
    value: TopKValue,
    columns: usize,
    k: usize,
    options: &TopKOptions,
) -> TopKOfRows {
    let (key, order) = (K::KEY_TYPE, options.sort().get_order());
    let nan_last = K::HAS_NAN && options.sort().is_nan_last();
    let task = TopKTask { key, value, order, nan_last };
    TopKOfRows { task, odd_value: value, is_sorted: options.is_sorted(), columns, k }
}
