//! Sorts of the segments of an array.

#[cfg(feature = "cuda")]
use cudarc::driver::CudaSlice;

#[cfg(feature = "cuda")]
use super::Target;
#[cfg(feature = "cuda")]
use super::task::{NOTHING, POSITIONS, task};
use super::{INDEX_LIMIT, Sorter};
#[cfg(feature = "cuda")]
use crate::array::DeviceArray;
use crate::array::{Array, ArrayMut, Items, ItemsMut, Memory as _};
use crate::error::Error;
#[cfg(feature = "cuda")]
use crate::gpu::segment_kernels::SegmentSizes;
use crate::host::lists::{argsort_lists, sort_lists};
use crate::key::SortKey;
use crate::lists::{Lists as _, SegmentOffset};
use crate::options::SortOptions;
use crate::segments::Segments;
use crate::value::SortValue;

/// Segments are given by a slice of offsets (segment i is `offsets[i]..offsets[i + 1]`) or by [`Segments::between`], of any integer type that
/// is a [`SegmentOffset`], where keys are: on the host or on the device. Items outside of segments are left as they are.
///
/// On a device the host does not read the offsets and waits for nothing: what is launched depends on the number of keys and of segments
/// alone. Offsets past the end count as the end, and a segment that ends before it begins as empty. Where segments overlap, it is
/// unspecified which of the array's keys and values are in them afterwards, and which key has which value (of 16 bytes halves of two may
/// meet); no memory but the slices' is accessed. On the host such offsets are errors.
impl Sorter {
    /// Sorts each segment of an array ascending. Equal keys keep their input order.
    ///
    /// ```
    /// let mut keys = [5u8, 4, 3, 2, 1];
    /// sortsmith::Sorter::host().sort_segments(&mut keys, &[0u32, 2, 2, 5])?;
    /// assert_eq!(keys, [4, 5, 1, 2, 3]);
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::SegmentOffset`] if offsets on the host are not within the array or descend, and [`Error::SegmentEnds`] if there is not one
    /// end for each begin.
    pub fn sort_segments<'a, K: SortKey, O: SegmentOffset>(
        &self,
        keys: &mut (impl ArrayMut<K> + ?Sized),
        segments: impl Into<Segments<'a, O>>,
    ) -> Result<(), Error> {
        self.sort_segments_with(keys, segments, SortOptions::new())
    }

    /// Sorts each segment of an array as the options say.
    pub fn sort_segments_with<'a, K: SortKey, O: SegmentOffset>(
        &self,
        keys: &mut (impl ArrayMut<K> + ?Sized),
        segments: impl Into<Segments<'a, O>>,
        options: SortOptions,
    ) -> Result<(), Error> {
        check::<K>(&options)?;
        let segments = segments.into();
        let memory = keys.memory();
        match keys.items_mut() {
            ItemsMut::Host(keys) => memory.on_host(|| {
                let lists = segments.on_host(keys.len())?;
                sort_lists(keys, &mut vec![(); keys.len()], &lists, &options)
            }),
            #[cfg(feature = "cuda")]
            ItemsMut::Device(keys) => {
                let task = task::<K>(NOTHING, keys.len(), &options, true)?;
                let (sorter, lists) = (self.device("keys")?, segments.on_device()?);
                sorter.checked(|it| it.sort_segments::<K, (), O>((&task, &lists), keys, None))
            }
        }
    }

    /// Sorts each segment of an array ascending, and moves each value with its key. Equal keys keep their input order.
    ///
    /// ```
    /// let (mut keys, mut values) = ([5u8, 4, 3, 2, 1], [50u32, 40, 30, 20, 10]);
    /// sortsmith::Sorter::host().sort_pairs_segments(&mut keys, &mut values, &[0u64, 2, 5])?;
    /// assert_eq!(values, [40, 50, 10, 20, 30]);
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    pub fn sort_pairs_segments<'a, K: SortKey, V: SortValue, O: SegmentOffset>(
        &self,
        keys: &mut (impl ArrayMut<K> + ?Sized),
        values: &mut (impl ArrayMut<V> + ?Sized),
        segments: impl Into<Segments<'a, O>>,
    ) -> Result<(), Error> {
        self.sort_pairs_segments_with(keys, values, segments, SortOptions::new())
    }

    /// Sorts each segment of an array as the options say, and moves each value with its key.
    pub fn sort_pairs_segments_with<'a, K: SortKey, V: SortValue, O: SegmentOffset>(
        &self,
        keys: &mut (impl ArrayMut<K> + ?Sized),
        values: &mut (impl ArrayMut<V> + ?Sized),
        segments: impl Into<Segments<'a, O>>,
        options: SortOptions,
    ) -> Result<(), Error> {
        check::<K>(&options)?;
        let segments = segments.into();
        let memory = keys.memory();
        let (keys, values) = (keys.items_mut(), values.items_mut());
        if keys.len() != values.len() {
            return Err(Error::LengthMismatch { keys: keys.len(), values: values.len() });
        }
        match (keys, values) {
            (ItemsMut::Host(keys), ItemsMut::Host(values)) => memory.on_host(|| {
                let lists = segments.on_host(keys.len())?;
                sort_lists(keys, values, &lists, &options)
            }),
            #[cfg(feature = "cuda")]
            (ItemsMut::Device(keys), ItemsMut::Device(values)) => {
                let task = task::<K>(V::CARRIED, keys.len(), &options, true)?;
                let (sorter, lists) = (self.device("keys")?, segments.on_device()?);
                sorter.checked(|it| it.sort_segments((&task, &lists), keys, Some(values)))
            }
            #[cfg(feature = "cuda")]
            _ => Err(Error::MixedMemory { what: "keys and values" }),
        }
    }

    /// The positions within its segment that each device key would be sorted from. Items outside of segments have zeros.
    ///
    /// It allocates its result, and so cannot be captured in a graph; [`argsort_segments_into`](Self::argsort_segments_into) can.
    #[cfg(feature = "cuda")]
    pub fn argsort_segments<'a, K: SortKey, O: SegmentOffset>(
        &self,
        keys: &(impl DeviceArray<K> + ?Sized),
        segments: impl Into<Segments<'a, O>>,
    ) -> Result<CudaSlice<u32>, Error> {
        self.argsort_segments_with(keys, segments, SortOptions::new())
    }

    /// The positions within its segment that each device key would be sorted from, as the options say.
    #[cfg(feature = "cuda")]
    pub fn argsort_segments_with<'a, K: SortKey, O: SegmentOffset>(
        &self,
        keys: &(impl DeviceArray<K> + ?Sized),
        segments: impl Into<Segments<'a, O>>,
        options: SortOptions,
    ) -> Result<CudaSlice<u32>, Error> {
        let Items::Device(keys) = keys.items() else {
            return Err(Error::MixedMemory { what: "keys and indices" });
        };
        check::<K>(&options)?;
        let lists = segments.into().on_device()?;
        let task = task::<K>(POSITIONS, keys.len(), &options, true)?;
        self.device("keys")?.checked(|it| {
            let mut indices = it.zero_indices(keys.len())?;
            it.argsort_segments::<K, O>((&task, &lists), keys, &mut indices)?;
            Ok(indices)
        })
    }

    /// Writes the positions within its segment that each key would be sorted from. What belongs to items outside of segments is left as it
    /// is.
    ///
    /// ```
    /// let mut order = [0; 5];
    /// sortsmith::Sorter::host().argsort_segments_into(&[5u8, 4, 3, 2, 1], &mut order, &[0, 2, 5])?;
    /// assert_eq!(order, [1, 0, 2, 1, 0]);
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    pub fn argsort_segments_into<'a, K: SortKey, O: SegmentOffset>(
        &self,
        keys: &(impl Array<K> + ?Sized),
        indices: &mut (impl ArrayMut<u32> + ?Sized),
        segments: impl Into<Segments<'a, O>>,
    ) -> Result<(), Error> {
        self.argsort_segments_into_with(keys, indices, segments, SortOptions::new())
    }

    /// Writes the positions within its segment that each key would be sorted from, as the options say.
    pub fn argsort_segments_into_with<'a, K: SortKey, O: SegmentOffset>(
        &self,
        keys: &(impl Array<K> + ?Sized),
        indices: &mut (impl ArrayMut<u32> + ?Sized),
        segments: impl Into<Segments<'a, O>>,
        options: SortOptions,
    ) -> Result<(), Error> {
        check::<K>(&options)?;
        let segments = segments.into();
        let memory = keys.memory();
        let (keys, indices) = (keys.items(), indices.items_mut());
        if keys.len() != indices.len() {
            return Err(Error::LengthMismatch { keys: keys.len(), values: indices.len() });
        }
        match (keys, indices) {
            (Items::Host(keys), ItemsMut::Host(indices)) => memory.on_host(|| {
                let lists = segments.on_host(keys.len())?;
                let longest = (0..lists.count()).map(|list| lists.range(list).len()).max();
                if let Some(items) = longest.filter(|items| *items as u64 > INDEX_LIMIT) {
                    return Err(Error::TooManyItems { items, limit: INDEX_LIMIT });
                }
                argsort_lists(keys, indices, &lists, &options)
            }),
            #[cfg(feature = "cuda")]
            (Items::Device(keys), ItemsMut::Device(indices)) => {
                let task = task::<K>(POSITIONS, keys.len(), &options, true)?;
                let (sorter, lists) = (self.device("keys")?, segments.on_device()?);
                sorter.checked(|it| it.argsort_segments::<K, O>((&task, &lists), keys, indices))
            }
            #[cfg(feature = "cuda")]
            _ => Err(Error::MixedMemory { what: "keys and indices" }),
        }
    }

    /// Prepares kernels and scratch for ascending sorts of up to as many segments of an array of up to `n` pairs, or of keys alone if `V` is
    /// `()`.
    ///
    /// ```
    /// let sorter = sortsmith::Sorter::host();
    /// sorter.reserve_segments::<f32, u32>(1_000_000, 5_000)?; // nothing to do on the host
    /// sorter.reserve_argsort_segments::<f32>(1_000_000, 5_000)?; // the same
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    pub fn reserve_segments<K: SortKey, V: SortValue>(
        &self,
        n: usize,
        segments: usize,
    ) -> Result<(), Error> {
        self.reserve_segments_with::<K, V>(n, segments, SortOptions::new())
    }

    /// Prepares kernels and scratch for sorts of segments as the options say.
    pub fn reserve_segments_with<K: SortKey, V: SortValue>(
        &self,
        n: usize,
        segments: usize,
        options: SortOptions,
    ) -> Result<(), Error> {
        check::<K>(&options)?;
        #[cfg(feature = "cuda")]
        if let Target::Gpu { sorter, .. } = &self.target {
            let task = task::<K>(V::CARRIED, n.max(1), &options, true)?;
            let sizes = SegmentSizes { count: segments, longest: n };
            return sorter.checked(|sorter| sorter.prepare_segments((&task, sizes), true));
        }
        let _ = (n, segments);
        Ok(())
    }

    /// Prepares kernels and scratch for ascending argsorts of up to as many segments of an array of up to `n` keys.
    pub fn reserve_argsort_segments<K: SortKey>(
        &self,
        n: usize,
        segments: usize,
    ) -> Result<(), Error> {
        self.reserve_argsort_segments_with::<K>(n, segments, SortOptions::new())
    }

    /// Prepares kernels and scratch for argsorts of segments as the options say. After it
    /// [`argsort_segments_into`](Self::argsort_segments_into) allocates nothing.
    pub fn reserve_argsort_segments_with<K: SortKey>(
        &self,
        n: usize,
        segments: usize,
        options: SortOptions,
    ) -> Result<(), Error> {
        check::<K>(&options)?;
        #[cfg(feature = "cuda")]
        if let Target::Gpu { sorter, .. } = &self.target {
            let task = task::<K>(POSITIONS, n.max(1), &options, true)?;
            let sizes = SegmentSizes { count: segments, longest: n };
            return sorter.checked(|sorter| sorter.prepare_segments((&task, sizes), false));
        }
        let _ = (n, segments);
        Ok(())
    }
}

/// An error unless the options are for segments of such keys.
fn check<K: SortKey>(options: &SortOptions) -> Result<(), Error> {
    options.check_lists()?;
    options.bits_of::<K>().map(drop)
}
