//! Binned argsorts of arrays and of the rows of a matrix.

#[cfg(feature = "cuda")]
use cudarc::driver::CudaSlice;

use super::{Sorter, Target, into::require_room};
#[cfg(feature = "cuda")]
use crate::array::DeviceArray;
use crate::array::{Array, ArrayMut, Items, ItemsMut};
use crate::bin_key::{BinKey, BinnedLists, require_bins};
use crate::error::Error;
use crate::host;
use crate::lists::Rows;

/// The result of a binned argsort on a device, as [`BinnedArgsort`](crate::BinnedArgsort) is of one on the host.
#[cfg(feature = "cuda")]
#[derive(Debug)]
pub struct DeviceBinnedArgsort {
    /// The positions of the keys in their row, by bins.
    pub positions: CudaSlice<u32>,
    /// Bins + 1 offsets of each row.
    pub offsets: CudaSlice<u32>,
}

/// Binned argsorts take keys that are the numbers of bins, such as the experts that tokens go to, and write the keys' positions by
/// bins, stable, and where each bin begins. Keys that are negative, or not less than the number of bins, are in no bin: their positions
/// come last, behind the last offset. Nothing is read back for it, so keys may be the result of earlier work of the stream. Rows of
/// up to 8192 keys take one launch, longer ones two, or one where there are many.
impl Sorter {
    /// The positions of device keys that are the numbers of bins, by bins, and the bins' offsets. [`argsort_binned`](crate::argsort_binned())
    /// is for keys on the host, and [`argsort_binned_into`](Self::argsort_binned_into) for both.
    ///
    /// It allocates its result, and so cannot be captured in a graph; `argsort_binned_into` can.
    ///
    /// # Errors
    ///
    /// [`Error::Bins`] unless there are 1 to 512 bins, and [`Error::TooManyItems`] if there are 2³² keys or more.
    #[cfg(feature = "cuda")]
    pub fn argsort_binned<K: BinKey>(
        &self,
        keys: &(impl DeviceArray<K> + ?Sized),
        bins: usize,
    ) -> Result<DeviceBinnedArgsort, Error> {
        let lists = BinnedLists::of_array(keys.items().len(), bins)?;
        self.argsort_binned_on_device(keys, lists)
    }

    /// The positions of the device keys of each row of a matrix by bins, and each row's offsets.
    ///
    /// # Errors
    ///
    /// [`Error::RowShape`] if the keys are not rows of that many columns, and those of [`argsort_binned`](Self::argsort_binned).
    #[cfg(feature = "cuda")]
    pub fn argsort_binned_rows<K: BinKey>(
        &self,
        keys: &(impl DeviceArray<K> + ?Sized),
        rows: impl Into<Rows>,
        bins: usize,
    ) -> Result<DeviceBinnedArgsort, Error> {
        let lists = BinnedLists::of_rows(rows.into(), keys.items().len(), bins)?;
        self.argsort_binned_on_device(keys, lists)
    }

    #[cfg(feature = "cuda")]
    fn argsort_binned_on_device<K: BinKey>(
        &self,
        keys: &(impl DeviceArray<K> + ?Sized),
        lists: BinnedLists,
    ) -> Result<DeviceBinnedArgsort, Error> {
        let Items::Device(keys) = keys.items() else {
            return Err(Error::MixedMemory { what: "keys and positions" });
        };
        self.device("keys")?.checked(|it| {
            let mut positions = it.indices(lists.positions())?;
            let mut offsets = it.indices(lists.offsets())?;
            it.argsort_binned::<K>(lists, keys, &mut positions, &mut offsets)?;
            Ok(DeviceBinnedArgsort { positions, offsets })
        })
    }

    /// Writes the positions of keys that are the numbers of bins, by bins, and the bins' offsets, of which there is one more than bins.
    ///
    /// ```
    /// let experts = [2u32, 0, 2, 1];
    /// let (mut positions, mut offsets) = ([0; 4], [0; 4]);
    /// sortsmith::Sorter::host().argsort_binned_into(&experts, 3, &mut positions, &mut offsets)?;
    /// assert_eq!((positions, offsets), ([1, 3, 0, 2], [0, 1, 2, 4]));
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::OutputLength`] if there is not one position for each key and one offset more than bins, and those of
    /// [`argsort_binned`](crate::argsort_binned()).
    pub fn argsort_binned_into<K: BinKey>(
        &self,
        keys: &(impl Array<K> + ?Sized),
        bins: usize,
        positions: &mut (impl ArrayMut<u32> + ?Sized),
        offsets: &mut (impl ArrayMut<u32> + ?Sized),
    ) -> Result<(), Error> {
        let keys = keys.items();
        let lists = BinnedLists::of_array(keys.len(), bins)?;
        self.argsort_binned_lists(keys, lists, positions.items_mut(), offsets.items_mut())
    }

    /// Writes the positions of the keys of each row of a matrix by bins, and bins + 1 offsets of each row: row after row, without gaps.
    ///
    /// ```
    /// let (mut positions, mut offsets) = ([0; 4], [0; 6]);
    /// let sorter = sortsmith::Sorter::host();
    /// sorter.argsort_binned_rows_into(&[1u8, 0, 1, 1], 2, 2, &mut positions, &mut offsets)?;
    /// assert_eq!((positions, offsets), ([1, 0, 0, 1], [0, 1, 2, 0, 0, 2]));
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    pub fn argsort_binned_rows_into<K: BinKey>(
        &self,
        keys: &(impl Array<K> + ?Sized),
        rows: impl Into<Rows>,
        bins: usize,
        positions: &mut (impl ArrayMut<u32> + ?Sized),
        offsets: &mut (impl ArrayMut<u32> + ?Sized),
    ) -> Result<(), Error> {
        let keys = keys.items();
        let lists = BinnedLists::of_rows(rows.into(), keys.len(), bins)?;
        self.argsort_binned_lists(keys, lists, positions.items_mut(), offsets.items_mut())
    }

    fn argsort_binned_lists<K: BinKey>(
        &self,
        keys: Items<'_, K>,
        lists: BinnedLists,
        positions: ItemsMut<'_, u32>,
        offsets: ItemsMut<'_, u32>,
    ) -> Result<(), Error> {
        require_room("positions", lists.positions(), positions.len())?;
        require_room("offsets", lists.offsets(), offsets.len())?;
        match (keys, positions, offsets) {
            (Items::Host(keys), ItemsMut::Host(positions), ItemsMut::Host(offsets)) => {
                host::binned::argsort_binned(keys, lists, positions, offsets);
                Ok(())
            }
            #[cfg(feature = "cuda")]
            (Items::Device(keys), ItemsMut::Device(positions), ItemsMut::Device(offsets)) => {
                let sorter = self.device("keys")?;
                sorter.checked(|it| it.argsort_binned::<K>(lists, keys, positions, offsets))
            }
            #[cfg(feature = "cuda")]
            _ => Err(Error::MixedMemory { what: "keys, positions and offsets" }),
        }
    }

    /// Prepares kernels and scratch for binned argsorts of this number of keys, or of fewer, and of any number of rows of as many.
    ///
    /// After it [`argsort_binned_into`](Self::argsort_binned_into) and [`argsort_binned_rows_into`](Self::argsort_binned_rows_into)
    /// neither allocate nor compile, for this number of bins.
    ///
    /// ```
    /// let sorter = sortsmith::Sorter::host();
    /// sorter.reserve_argsort_binned::<u32>(65_536, 256)?; // nothing to do on the host
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    pub fn reserve_argsort_binned<K: BinKey>(
        &self,
        columns: usize,
        bins: usize,
    ) -> Result<(), Error> {
        require_bins(bins, columns)?;
        match &self.target {
            Target::Host => Ok(()),
            #[cfg(feature = "cuda")]
            Target::Gpu { sorter, .. } => {
                sorter.checked(|sorter| sorter.prepare_argsort_binned::<K>(columns, bins))
            }
        }
    }
}
