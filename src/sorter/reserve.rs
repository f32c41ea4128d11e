//! Kernels and scratch, prepared ahead of a sort.

#[cfg(feature = "cuda")]
use super::task::{POSITIONS, task};
use super::{Sorter, Target};
use crate::error::Error;
use crate::key::SortKey;
use crate::options::SortOptions;
use crate::value::SortValue;

impl Sorter {
    /// Prepares kernels and scratch for ascending sorts of up to `n` pairs, or of keys alone if `V` is `()`.
    ///
    /// The scratch is what a sort of `n` items needs: for a large array about as much memory as the array itself, and much less for
    /// keys of 16 bits or fewer without values that are sorted by all bits. Values at addresses that are not multiples of their size,
    /// such as views of a type of smaller alignment, need a copy in addition, which the first such sort allocates.
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

    /// Prepares kernels and scratch for sorts of up to `n` pairs as the options say.
    pub fn reserve_with<K: SortKey, V: SortValue>(
        &self,
        n: usize,
        options: SortOptions,
    ) -> Result<(), Error> {
        options.bits_of::<K>()?;
        options.check_values(V::CARRIED)?;
        match &self.target {
            Target::Host => {
                let _ = n;
                Ok(())
            }
            #[cfg(feature = "cuda")]
            Target::Gpu { sorter, .. } => {
                // A network sorts pairs by different kernels if the order of equal keys is free.
                [true, false].into_iter().try_for_each(|stable| {
                    let task = task::<K>(V::CARRIED, n.max(2), &options, stable)?;
                    sorter.checked(|sorter| sorter.prepare(&task, true))
                })
            }
        }
    }

    /// Prepares kernels and scratch for ascending argsorts of up to `n` keys.
    pub fn reserve_argsort<K: SortKey>(&self, n: usize) -> Result<(), Error> {
        self.reserve_argsort_with::<K>(n, SortOptions::new())
    }

    /// Prepares kernels and scratch for argsorts of up to `n` keys as the options say.
    ///
    /// After it [`argsort_into`](Self::argsort_into) allocates nothing; [`argsort`](Self::argsort) allocates its result.
    pub fn reserve_argsort_with<K: SortKey>(
        &self,
        n: usize,
        options: SortOptions,
    ) -> Result<(), Error> {
        options.bits_of::<K>()?;
        match &self.target {
            Target::Host => {
                let _ = n;
                Ok(())
            }
            #[cfg(feature = "cuda")]
            Target::Gpu { sorter, .. } => {
                let task = task::<K>(POSITIONS, n.max(2), &options, true)?;
                sorter.checked(|sorter| sorter.prepare(&task, false))
            }
        }
    }

    /// Prepares kernels and all memory for ascending sorts of host slices of up to `n` pairs, or of keys alone if `V` is `()`.
    ///
    /// Beside what [`reserve`](Self::reserve) prepares, that is memory of the slices' size on the device, and pinned memory
    /// ([`set_staging_bytes`](Self::set_staging_bytes)). Slices that this sorter sorts on the host need none.
    ///
    /// ```
    /// let sorter = sortsmith::Sorter::host();
    /// sorter.reserve_host_slices::<f32, u32>(1_000_000)?; // nothing to do on the host
    /// sorter.reserve_argsort_host_slices::<f32>(1_000_000)?; // the same
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    pub fn reserve_host_slices<K: SortKey, V: SortValue>(&self, n: usize) -> Result<(), Error> {
        self.reserve_host_slices_with::<K, V>(n, SortOptions::new())
    }

    /// Prepares kernels and all memory for sorts of host slices of up to `n` pairs as the options say.
    pub fn reserve_host_slices_with<K: SortKey, V: SortValue>(
        &self,
        n: usize,
        options: SortOptions,
    ) -> Result<(), Error> {
        options.bits_of::<K>()?;
        options.check_values(V::CARRIED)?;
        match &self.target {
            Target::Host => {
                let _ = n;
                Ok(())
            }
            #[cfg(feature = "cuda")]
            Target::Gpu { sorter, host_slices } if host_slices.may_copy(sorter, n) => {
                let bytes = [size_of::<K>(), size_of::<V>()].map(|bytes| bytes.saturating_mul(n));
                [true, false].into_iter().try_for_each(|stable| {
                    let task = task::<K>(V::CARRIED, n.max(2), &options, stable)?;
                    sorter.checked_copies(|sorter| sorter.prepare_copies(&task, true, bytes))
                })
            }
            #[cfg(feature = "cuda")]
            Target::Gpu { .. } => Ok(()),
        }
    }

    /// Prepares kernels and all memory for ascending argsorts of host slices of up to `n` keys.
    pub fn reserve_argsort_host_slices<K: SortKey>(&self, n: usize) -> Result<(), Error> {
        self.reserve_argsort_host_slices_with::<K>(n, SortOptions::new())
    }

    /// Prepares kernels and all memory for argsorts of host slices of up to `n` keys as the options say.
    pub fn reserve_argsort_host_slices_with<K: SortKey>(
        &self,
        n: usize,
        options: SortOptions,
    ) -> Result<(), Error> {
        options.bits_of::<K>()?;
        match &self.target {
            Target::Host => {
                let _ = n;
                Ok(())
            }
            #[cfg(feature = "cuda")]
            Target::Gpu { sorter, host_slices } if host_slices.may_copy(sorter, n) => {
                let bytes = [size_of::<K>(), size_of::<u32>()].map(|bytes| bytes.saturating_mul(n));
                let task = task::<K>(POSITIONS, n.max(2), &options, true)?;
                sorter.checked_copies(|sorter| sorter.prepare_copies(&task, false, bytes))
            }
            #[cfg(feature = "cuda")]
            Target::Gpu { .. } => Ok(()),
        }
    }
}
