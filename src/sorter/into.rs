//! Sorts that leave the keys unchanged: to another slice, or as positions.

#[cfg(feature = "cuda")]
use cudarc::driver::CudaSlice;

#[cfg(feature = "cuda")]
use super::task::{NOTHING, POSITIONS, task};
use super::{INDEX_LIMIT, Sorter};
#[cfg(feature = "cuda")]
use crate::array::DeviceArray;
use crate::array::{Array, ArrayMut, Items, ItemsMut, Memory as _};
use crate::error::Error;
use crate::key::SortKey;
use crate::options::SortOptions;
use crate::value::SortValue;

impl Sorter {
    /// Sorts keys ascending to another slice. The keys stay unchanged. For an odd number of passes this is faster than a sort in
    /// place.
    ///
    /// ```
    /// let mut sorted = [0; 3];
    /// sortsmith::Sorter::host().sort_into(&[3, -1, 2], &mut sorted)?;
    /// assert_eq!(sorted, [-1, 2, 3]);
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    pub fn sort_into<K: SortKey>(
        &self,
        keys: &(impl Array<K> + ?Sized),
        sorted: &mut (impl ArrayMut<K> + ?Sized),
    ) -> Result<(), Error> {
        self.sort_into_with(keys, sorted, SortOptions::new())
    }

    /// Sorts keys to another slice as the options say.
    pub fn sort_into_with<K: SortKey>(
        &self,
        keys: &(impl Array<K> + ?Sized),
        sorted: &mut (impl ArrayMut<K> + ?Sized),
        options: SortOptions,
    ) -> Result<(), Error> {
        let memory = keys.memory();
        let (keys, sorted) = (keys.items(), sorted.items_mut());
        require_room("keys", keys.len(), sorted.len())?;
        match (keys, sorted) {
            (Items::Host(keys), ItemsMut::Host(sorted)) => memory.on_host(|| {
                options.bits_of::<K>()?;
                sorted.copy_from_slice(keys);
                self.sort_on_host(sorted, &mut vec![(); sorted.len()], &options, true)
            }),
            #[cfg(feature = "cuda")]
            (Items::Device(keys), ItemsMut::Device(sorted)) => {
                let task = task::<K>(NOTHING, keys.len(), &options, true)?;
                let keys = (keys, sorted);
                self.device("keys")?.checked(|it| it.sort_into::<K, ()>(&task, keys, None))
            }
            #[cfg(feature = "cuda")]
            _ => Err(Error::MixedMemory { what: "keys and sorted keys" }),
        }
    }

    /// Sorts keys ascending to another slice, and each value with its key. Equal keys keep their input order; keys and values stay
    /// unchanged.
    ///
    /// ```
    /// let (mut keys, mut values) = ([0.0f32; 2], [0u32; 2]);
    /// let sorter = sortsmith::Sorter::host();
    /// sorter.sort_pairs_into(&[1.5f32, -1.5], &[7u32, 8], &mut keys, &mut values)?;
    /// assert_eq!((keys, values), ([-1.5, 1.5], [8, 7]));
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    pub fn sort_pairs_into<K: SortKey, V: SortValue>(
        &self,
        keys: &(impl Array<K> + ?Sized),
        values: &(impl Array<V> + ?Sized),
        sorted_keys: &mut (impl ArrayMut<K> + ?Sized),
        sorted_values: &mut (impl ArrayMut<V> + ?Sized),
    ) -> Result<(), Error> {
        self.sort_pairs_into_with(keys, values, sorted_keys, sorted_values, SortOptions::new())
    }

    /// Sorts keys to another slice as the options say, and each value with its key. Equal keys keep their input order.
    pub fn sort_pairs_into_with<K: SortKey, V: SortValue>(
        &self,
        keys: &(impl Array<K> + ?Sized),
        values: &(impl Array<V> + ?Sized),
        sorted_keys: &mut (impl ArrayMut<K> + ?Sized),
        sorted_values: &mut (impl ArrayMut<V> + ?Sized),
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
        match (keys, values, sorted_keys, sorted_values) {
            (
                Items::Host(keys),
                Items::Host(values),
                ItemsMut::Host(sorted_keys),
                ItemsMut::Host(sorted_values),
            ) => memory.on_host(|| {
                options.bits_of::<K>()?;
                options.check_values(V::CARRIED)?;
                sorted_keys.copy_from_slice(keys);
                sorted_values.copy_from_slice(values);
                self.sort_on_host(sorted_keys, sorted_values, &options, true)
            }),
            #[cfg(feature = "cuda")]
            (
                Items::Device(keys),
                Items::Device(values),
                ItemsMut::Device(sorted_keys),
                ItemsMut::Device(sorted_values),
            ) => {
                let task = task::<K>(V::CARRIED, keys.len(), &options, true)?;
                let sorter = self.device("keys")?;
                let values = Some((values, sorted_values));
                sorter.checked(|sorter| sorter.sort_into(&task, (keys, sorted_keys), values))
            }
            #[cfg(feature = "cuda")]
            _ => Err(Error::MixedMemory { what: "keys, values and sorted slices" }),
        }
    }

    /// The positions that device keys would be sorted from: `keys[result[0]]` is the least key. The keys stay
    /// unchanged. [`argsort`](crate::argsort) is for keys on the host, and [`argsort_into`](Self::argsort_into) for both.
    ///
    /// It allocates its result, and so cannot be captured in a graph; [`argsort_into`](Self::argsort_into) can.
    ///
    /// Foreign types that implement cudarc's traits are not accepted, because they may return any address:
    ///
    /// ```compile_fail,E0277
    /// # use std::sync::Arc;
    /// use cudarc::driver::{CudaStream, DevicePtr, DeviceSlice, SyncOnDrop};
    ///
    /// struct Anywhere(Arc<CudaStream>);
    /// impl DeviceSlice<u32> for Anywhere {
    ///     fn len(&self) -> usize { 2 }
    ///     fn stream(&self) -> &Arc<CudaStream> { &self.0 }
    /// }
    /// impl DevicePtr<u32> for Anywhere {
    ///     fn device_ptr<'a>(&'a self, _: &'a CudaStream) -> (u64, SyncOnDrop<'a>) {
    ///         (0xbad, SyncOnDrop::Sync(None))
    ///     }
    /// }
    ///
    /// fn sort(sorter: &sortsmith::Sorter, keys: &Anywhere) {
    ///     sorter.argsort::<u32>(keys);
    /// }
    /// ```
    #[cfg(feature = "cuda")]
    pub fn argsort<K: SortKey>(
        &self,
        keys: &(impl DeviceArray<K> + ?Sized),
    ) -> Result<CudaSlice<u32>, Error> {
        self.argsort_with(keys, SortOptions::new())
    }

    /// The positions that device keys would be sorted from, as the options say.
    #[cfg(feature = "cuda")]
    pub fn argsort_with<K: SortKey>(
        &self,
        keys: &(impl DeviceArray<K> + ?Sized),
        options: SortOptions,
    ) -> Result<CudaSlice<u32>, Error> {
        let Items::Device(keys) = keys.items() else {
            return Err(Error::MixedMemory { what: "keys and indices" });
        };
        let task = task::<K>(POSITIONS, keys.len(), &options, true)?;
        let sorter = self.device("keys")?;
        sorter.checked(|sorter| {
            let mut indices = sorter.indices(task.n)?;
            sorter.argsort::<K>(&task, keys, None, &mut indices)?;
            Ok(indices)
        })
    }

    /// Writes the positions that the keys would be sorted from.
    ///
    /// ```
    /// let mut order = [0; 3];
    /// sortsmith::Sorter::host().argsort_into(&[0.5f32, -2.0, 9.0], &mut order)?;
    /// assert_eq!(order, [1, 0, 2]);
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    pub fn argsort_into<K: SortKey>(
        &self,
        keys: &(impl Array<K> + ?Sized),
        indices: &mut (impl ArrayMut<u32> + ?Sized),
    ) -> Result<(), Error> {
        self.argsort_into_with(keys, indices, SortOptions::new())
    }

    /// Writes the positions that the keys would be sorted from, as the options say.
    pub fn argsort_into_with<K: SortKey>(
        &self,
        keys: &(impl Array<K> + ?Sized),
        indices: &mut (impl ArrayMut<u32> + ?Sized),
        options: SortOptions,
    ) -> Result<(), Error> {
        let memory = keys.memory();
        let (keys, indices) = (keys.items(), indices.items_mut());
        if keys.len() != indices.len() {
            return Err(Error::LengthMismatch { keys: keys.len(), values: indices.len() });
        }
        if keys.len() as u64 > INDEX_LIMIT {
            return Err(Error::TooManyItems { items: keys.len(), limit: INDEX_LIMIT });
        }
        match (keys, indices) {
            (Items::Host(keys), ItemsMut::Host(indices)) => memory.on_host(|| {
                options.bits_of::<K>()?;
                self.argsort_on_host(keys, indices, &options)
            }),
            #[cfg(feature = "cuda")]
            (Items::Device(keys), ItemsMut::Device(indices)) => {
                let task = task::<K>(POSITIONS, keys.len(), &options, true)?;
                let sorter = self.device("keys")?;
                sorter.checked(|sorter| sorter.argsort::<K>(&task, keys, None, indices))
            }
            #[cfg(feature = "cuda")]
            _ => Err(Error::MixedMemory { what: "keys and indices" }),
        }
    }
}

/// An error unless the output is as long as the input.
pub(super) fn require_room(what: &'static str, items: usize, room: usize) -> Result<(), Error> {
    if items == room { Ok(()) } else { Err(Error::OutputLength { what, items, room }) }
}
