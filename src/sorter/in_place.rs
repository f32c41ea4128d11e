//! Sorts in place.

use super::Sorter;
#[cfg(feature = "cuda")]
use super::task::{NOTHING, task};
use crate::array::{ArrayMut, ItemsMut, Memory};
use crate::error::Error;
use crate::key::SortKey;
use crate::options::SortOptions;
use crate::value::SortValue;

impl Sorter {
    /// Sorts keys ascending.
    pub fn sort<K: SortKey>(&self, keys: &mut (impl ArrayMut<K> + ?Sized)) -> Result<(), Error> {
        self.sort_with(keys, SortOptions::new())
    }

    /// Sorts keys as the options say.
    pub fn sort_with<K: SortKey>(
        &self,
        keys: &mut (impl ArrayMut<K> + ?Sized),
        options: SortOptions,
    ) -> Result<(), Error> {
        let memory = keys.memory();
        match keys.items_mut() {
            ItemsMut::Host(keys) => memory
                .on_host(|| self.sort_on_host(keys, &mut vec![(); keys.len()], &options, true)),
            #[cfg(feature = "cuda")]
            ItemsMut::Device(keys) => {
                let task = task::<K>(NOTHING, keys.len(), &options, true)?;
                self.device("keys")?.checked(|sorter| sorter.sort::<K, ()>(&task, keys, None))
            }
        }
    }

    /// Sorts keys ascending, and moves each value with its key. Equal keys keep their input order.
    pub fn sort_pairs<K: SortKey, V: SortValue>(
        &self,
        keys: &mut (impl ArrayMut<K> + ?Sized),
        values: &mut (impl ArrayMut<V> + ?Sized),
    ) -> Result<(), Error> {
        self.sort_pairs_with(keys, values, SortOptions::new())
    }

    /// Sorts keys as the options say, and moves each value with its key. Equal keys keep their input order.
    ///
    /// ```
    /// use sortsmith::{SortOptions, Sorter};
    ///
    /// let (mut keys, mut values) = (vec![2u16, 3, 2], ['a', 'b', 'c'].map(u32::from));
    /// let options = SortOptions::new().descending();
    /// Sorter::host().sort_pairs_with(&mut keys, &mut values, options)?;
    /// assert_eq!(values, ['b', 'a', 'c'].map(u32::from));
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    pub fn sort_pairs_with<K: SortKey, V: SortValue>(
        &self,
        keys: &mut (impl ArrayMut<K> + ?Sized),
        values: &mut (impl ArrayMut<V> + ?Sized),
        options: SortOptions,
    ) -> Result<(), Error> {
        self.pairs(keys.memory(), keys.items_mut(), values.items_mut(), &options, true)
    }

    /// Sorts keys ascending, and moves each value with its key. Pairs of equal keys may come in any order, which can be
    /// faster.
    pub fn sort_pairs_unstable<K: SortKey, V: SortValue>(
        &self,
        keys: &mut (impl ArrayMut<K> + ?Sized),
        values: &mut (impl ArrayMut<V> + ?Sized),
    ) -> Result<(), Error> {
        self.sort_pairs_unstable_with(keys, values, SortOptions::new())
    }

    /// Sorts keys as the options say, and moves each value with its key. Pairs of equal keys may come in any order,
    /// which can be faster.
    pub fn sort_pairs_unstable_with<K: SortKey, V: SortValue>(
        &self,
        keys: &mut (impl ArrayMut<K> + ?Sized),
        values: &mut (impl ArrayMut<V> + ?Sized),
        options: SortOptions,
    ) -> Result<(), Error> {
        self.pairs(keys.memory(), keys.items_mut(), values.items_mut(), &options, false)
    }

    fn pairs<K: SortKey, V: SortValue>(
        &self,
        memory: impl Memory,
        keys: ItemsMut<'_, K>,
        values: ItemsMut<'_, V>,
        options: &SortOptions,
        stable: bool,
    ) -> Result<(), Error> {
        if keys.len() != values.len() {
            return Err(Error::LengthMismatch { keys: keys.len(), values: values.len() });
        }
        match (keys, values) {
            (ItemsMut::Host(keys), ItemsMut::Host(values)) => {
                memory.on_host(|| self.sort_on_host(keys, values, options, stable))
            }
            #[cfg(feature = "cuda")]
            (ItemsMut::Device(keys), ItemsMut::Device(values)) => {
                let task = task::<K>(V::CARRIED, keys.len(), options, stable)?;
                self.device("keys")?.checked(|sorter| sorter.sort(&task, keys, Some(values)))
            }
            #[cfg(feature = "cuda")]
            _ => Err(Error::MixedMemory { what: "keys and values" }),
        }
    }
}
