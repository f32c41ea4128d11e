//! Kernels and scratch that are prepared ahead of a sort.

#[cfg(feature = "cuda")]
use super::task::{POSITIONS, task};
use super::{SortPlace, Sorter};
use crate::error::Error;
use crate::key::SortKey;
use crate::options::SortOptions;
use crate::value::SortValue;

impl Sorter {
    /// Makes kernels and scratch ready for ascending sorts of up to `n` pairs; of keys alone where `V` is `()`.
    ///
    /// The scratch is as much as a sort of `n` takes, and no more: for a large array about as much memory as the array
    /// itself. Keys of 16 bits or fewer alone, sorted by all of their bits, take a small part of that. Values at addresses
    /// that are no multiples of their size, as views of a type of a smaller alignment may lie, take a copy more, which is
    /// not reserved: the first such sort makes it.
    ///
    /// ```
    /// let sorter = sortsmith::Sorter::host();
    /// sorter.reserve::<f32, u32>(1_000_000)?; // nothing to do on the host
    /// sorter.reserve_argsort::<f32>(1_000_000)?; // the same
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    pub fn reserve<K: SortKey, V: SortValue>(&self, n: usize) -> Result<(), Error> {
        self.reserve_with::<K, V>(n, SortOptions::new())
    }

    /// Makes kernels and scratch ready for sorts of up to `n` pairs as the options say.
    pub fn reserve_with<K: SortKey, V: SortValue>(
        &self,
        n: usize,
        options: SortOptions,
    ) -> Result<(), Error> {
        options.bits_of::<K>()?;
        options.check_values(V::CARRIED)?;
        match &self.place {
            SortPlace::Host => {
                let _ = n;
                Ok(())
            }
            #[cfg(feature = "cuda")]
            SortPlace::Gpu { sorter, .. } => {
                // A network's pairs are sorted by other kernels where equal keys may come in any order.
                [true, false].into_iter().try_for_each(|stable| {
                    let task = task::<K>(V::CARRIED, n.max(2), &options, stable)?;
                    sorter.checked(|sorter| sorter.prepare(&task, true))
                })
            }
        }
    }

    /// Makes kernels and scratch ready for ascending argsorts of up to `n` keys.
    pub fn reserve_argsort<K: SortKey>(&self, n: usize) -> Result<(), Error> {
        self.reserve_argsort_with::<K>(n, SortOptions::new())
    }

    /// Makes kernels and scratch ready for argsorts of up to `n` keys as the options say.
    ///
    /// [`argsort_into`](Self::argsort_into) then allocates nothing; [`argsort`](Self::argsort) allocates what it returns.
    pub fn reserve_argsort_with<K: SortKey>(
        &self,
        n: usize,
        options: SortOptions,
    ) -> Result<(), Error> {
        options.bits_of::<K>()?;
        match &self.place {
            SortPlace::Host => {
                let _ = n;
                Ok(())
            }
            #[cfg(feature = "cuda")]
            SortPlace::Gpu { sorter, .. } => {
                let task = task::<K>(POSITIONS, n.max(2), &options, true)?;
                sorter.checked(|sorter| sorter.prepare(&task, false))
            }
        }
    }
}
