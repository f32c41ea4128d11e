//! Kernels and scratch, prepared ahead of a top-k.

#[cfg(feature = "cuda")]
use super::top_k::of_rows;
use super::top_k::require_k;
#[cfg(feature = "cuda")]
use super::top_k_pairs::of_pairs;
use super::{Sorter, Target};
use crate::error::Error;
#[cfg(feature = "cuda")]
use crate::gpu::top_k::TopKOfRows;
use crate::key::SortKey;
use crate::options::TopKOptions;
use crate::position::Position;
use crate::value::SortValue;

impl Sorter {
    /// Prepares kernels and scratch for top-ks of k of this number of keys, or of fewer, and of any number of rows of as many, with `u32`
    /// positions.
    ///
    /// After it [`top_k_into`](Self::top_k_into) and [`top_k_rows_into`](Self::top_k_rows_into) neither allocate nor compile.
    ///
    /// ```
    /// let sorter = sortsmith::Sorter::host();
    /// sorter.reserve_top_k::<f32>(128_256, 64)?; // nothing to do on the host
    /// sorter.reserve_top_k_positions::<f32, i64>(128_256, 64)?; // the same for 64-bit positions
    /// sorter.reserve_top_k_pairs::<f32, [f32; 3]>(128_256, 64)?; // the same for values
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    pub fn reserve_top_k<K: SortKey>(&self, columns: usize, k: usize) -> Result<(), Error> {
        self.reserve_top_k_with::<K>(columns, k, TopKOptions::new())
    }

    /// Prepares kernels and scratch for top-ks of k of this number of keys, or of rows of as many, as the options say, with `u32` positions.
    pub fn reserve_top_k_with<K: SortKey>(
        &self,
        columns: usize,
        k: usize,
        options: TopKOptions,
    ) -> Result<(), Error> {
        self.reserve_top_k_positions_with::<K, u32>(columns, k, options)
    }

    /// The same as [`reserve_top_k`](Self::reserve_top_k), with positions of a type.
    pub fn reserve_top_k_positions<K: SortKey, P: Position>(
        &self,
        columns: usize,
        k: usize,
    ) -> Result<(), Error> {
        self.reserve_top_k_positions_with::<K, P>(columns, k, TopKOptions::new())
    }

    /// The same as [`reserve_top_k_with`](Self::reserve_top_k_with), with positions of a type.
    pub fn reserve_top_k_positions_with<K: SortKey, P: Position>(
        &self,
        columns: usize,
        k: usize,
        options: TopKOptions,
    ) -> Result<(), Error> {
        require_k(k, columns)?;
        match &self.target {
            Target::Host => {
                let _ = options;
                Ok(())
            }
            #[cfg(feature = "cuda")]
            Target::Gpu { .. } => {
                self.prepare_top_k(&of_rows::<K>(P::WRITTEN, columns, k, &options))
            }
        }
    }

    /// Prepares kernels and scratch for top-ks of k of this number of pairs, or of fewer, and of any number of rows of as many.
    ///
    /// After it [`top_k_pairs_into`](Self::top_k_pairs_into) and [`top_k_pairs_rows_into`](Self::top_k_pairs_rows_into) neither allocate nor
    /// compile.
    pub fn reserve_top_k_pairs<K: SortKey, V: SortValue>(
        &self,
        columns: usize,
        k: usize,
    ) -> Result<(), Error> {
        self.reserve_top_k_pairs_with::<K, V>(columns, k, TopKOptions::new())
    }

    /// Prepares kernels and scratch for top-ks of k of this number of pairs, or of rows of as many, as the options say.
    pub fn reserve_top_k_pairs_with<K: SortKey, V: SortValue>(
        &self,
        columns: usize,
        k: usize,
        options: TopKOptions,
    ) -> Result<(), Error> {
        require_k(k, columns)?;
        match &self.target {
            Target::Host => {
                let _ = options;
                Ok(())
            }
            #[cfg(feature = "cuda")]
            Target::Gpu { .. } => self.prepare_top_k(&of_pairs::<K, V>(columns, k, &options)),
        }
    }

    #[cfg(feature = "cuda")]
    fn prepare_top_k(&self, of_rows: &TopKOfRows) -> Result<(), Error> {
        match &self.target {
            Target::Gpu { sorter, .. } if of_rows.k > 0 => {
                sorter.checked(|sorter| sorter.prepare_top_k(of_rows))
            }
            _ => Ok(()),
        }
    }
}
