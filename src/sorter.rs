//! Sorts of whatever is on the host or on a device.

use std::fmt;
#[cfg(feature = "cuda")]
use std::sync::Arc;

#[cfg(feature = "cuda")]
use cudarc::driver::{CudaSlice, CudaStream, DevicePtr};

#[cfg(feature = "cuda")]
use crate::Carried;
use crate::array::{Place, PlaceMut};
use crate::backend::Choice;
#[cfg(feature = "cuda")]
use crate::gpu::{compile::Settings, device_sort::Task, stream_sorter::StreamSorter};
use crate::{Array, ArrayMut, Backend, Error, SortKey, SortOptions, SortValue, host};
#[cfg(feature = "cuda")]
use sortsmith_codegen::ValueType;

/// The most keys that `u32` indices tell apart.
const INDEX_LIMIT: u64 = 1 << 32;

/// What goes with keys alone.
#[cfg(feature = "cuda")]
const NOTHING: Carried = Carried::As(ValueType::None);

/// What goes with keys whose positions are asked for.
#[cfg(feature = "cuda")]
const POSITIONS: Carried = Carried::As(ValueType::Index);

/// Sorts on one CUDA stream, or on the host.
///
/// A sorter of a stream sorts device slices of that stream's context ([`Array`] says which types these are). Its work is
/// in the stream's order and no call waits for it. Scratch belongs to the sorter and is used again: after a first call,
/// or after [`reserve`](Self::reserve), nothing is allocated or compiled, so that sorts can be captured in a CUDA graph.
/// Kernels are compiled at their first use, and kept on disk and in the context.
///
/// Host slices can be sorted too: they are copied to the device and back, and the call waits.
///
/// Clones are the same sorter. Threads may share it: what they enqueue is one after the other in the stream.
///
/// ```no_run
/// use cudarc::driver::CudaContext;
/// use sortsmith::{SortOptions, Sorter};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let stream = CudaContext::new(0)?.default_stream();
/// let sorter = Sorter::on(&stream)?;
/// let mut keys = stream.clone_htod(&[3.0f32, -0.0, 1.0])?;
/// let mut rows = stream.clone_htod(&[0u32, 1, 2])?;
/// let order = sorter.argsort::<f32>(&keys)?;
/// sorter.sort_pairs::<f32, u32>(&mut keys, &mut rows)?;
/// sorter.sort_with::<u32>(&mut rows.slice_mut(1..), SortOptions::new().descending())?;
/// assert_eq!(stream.clone_dtoh(&order)?, [1, 2, 0]);
/// # Ok(())
/// # }
/// ```
///
/// On any machine:
///
/// ```
/// let sorter = sortsmith::Sorter::new()?;
/// let mut keys = vec![3u32, 1, 2];
/// sorter.sort(&mut keys)?;
/// assert_eq!(keys, [1, 2, 3]);
/// # Ok::<(), sortsmith::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sorter {
    place: SortPlace,
}

#[derive(Clone)]
enum SortPlace {
    Host,
    #[cfg(feature = "cuda")]
    Gpu {
        sorter: Arc<StreamSorter>,
        host_slices: HostSlices,
    },
}

/// Where a sorter of a GPU sorts host slices.
#[cfg(feature = "cuda")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HostSlices {
    /// On the GPU.
    Copied,
    /// On the GPU if they are long and it can, else on the host.
    WhereItPays,
}

impl fmt::Debug for SortPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host => f.write_str("Host"),
            #[cfg(feature = "cuda")]
            Self::Gpu { sorter, host_slices } => {
                f.debug_tuple("Gpu").field(sorter).field(host_slices).finish()
            }
        }
    }
}

impl Sorter {
    /// Host slices with fewer keys than this are sorted on the host by a sorter that may choose. It is where the copies
    /// to a device and back cost about as much as the sort: a guess, for machines differ.
    pub const HOST_BELOW: usize = 1 << 16;

    /// On the first GPU's default stream if there is a GPU, else on the host.
    ///
    /// Such a sorter chooses for host slices: those with fewer than [`HOST_BELOW`](Self::HOST_BELOW) keys, and those that
    /// the GPU cannot sort (for want of memory or of a compiler, say) are sorted on the host, with the same result.
    /// `SORTSMITH_BACKEND=host` leaves the GPU alone, and with `SORTSMITH_BACKEND=gpu` everything is sorted there and
    /// what cannot be is an error.
    pub fn new() -> Result<Self, Error> {
        match Choice::of_this_process()? {
            Choice::Host => Ok(Self::host()),
            Choice::Gpu => Self::on_device(0),
            Choice::Auto => Ok(Self::first_device_or_host()),
        }
    }

    /// On the host.
    pub const fn host() -> Self {
        Self { place: SortPlace::Host }
    }

    /// On this stream.
    #[cfg(feature = "cuda")]
    pub fn on(stream: &Arc<CudaStream>) -> Result<Self, Error> {
        let sorter = Arc::new(StreamSorter::on(stream)?);
        Ok(Self { place: SortPlace::Gpu { sorter, host_slices: HostSlices::Copied } })
    }

    /// On the default stream of the device of this number; they count from 0.
    ///
    /// ```
    /// use sortsmith::Sorter;
    ///
    /// match Sorter::on_device(0) {
    ///     Ok(sorter) => println!("{}", sorter.backend()),
    ///     Err(error) => println!("{error}"), // such as: no CUDA driver
    /// }
    /// ```
    #[cfg(feature = "cuda")]
    pub fn on_device(ordinal: usize) -> Result<Self, Error> {
        let sorter = Arc::new(StreamSorter::on_device(ordinal)?);
        Ok(Self { place: SortPlace::Gpu { sorter, host_slices: HostSlices::Copied } })
    }

    #[cfg(not(feature = "cuda"))]
    fn on_device(_: usize) -> Result<Self, Error> {
        let reason = "sortsmith was built without its feature `cuda`".to_owned();
        Err(Error::NoDriver { reason })
    }

    #[cfg(feature = "cuda")]
    fn first_device_or_host() -> Self {
        match StreamSorter::on_device(0) {
            Ok(sorter) => {
                let (sorter, host_slices) = (Arc::new(sorter), HostSlices::WhereItPays);
                Self { place: SortPlace::Gpu { sorter, host_slices } }
            }
            Err(error) => {
                Settings::from_env().say(|| format!("sorting on the host: {error}"));
                Self::host()
            }
        }
    }

    #[cfg(not(feature = "cuda"))]
    fn first_device_or_host() -> Self {
        Self::host()
    }

    /// What it sorts on.
    pub fn backend(&self) -> Backend {
        match &self.place {
            SortPlace::Host => Backend::Host,
            #[cfg(feature = "cuda")]
            SortPlace::Gpu { sorter, .. } => sorter.backend(),
        }
    }

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
        match keys.place_mut() {
            PlaceMut::Host(keys) => self.sort_on_host::<K, ()>(keys, None, &options, true),
            #[cfg(feature = "cuda")]
            PlaceMut::Device(keys) => {
                let task = task::<K>(NOTHING, keys.len(), &options, true)?;
                self.device("keys")?.sort::<K, ()>(&task, keys, None)
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
        self.pairs(keys.place_mut(), values.place_mut(), &options, true)
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
        self.pairs(keys.place_mut(), values.place_mut(), &options, false)
    }

    /// Sorts keys ascending to another place. The keys stay as they are, and for an odd number of passes it is faster than to
    /// sort them in place.
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

    /// Sorts keys to another place as the options say.
    pub fn sort_into_with<K: SortKey>(
        &self,
        keys: &(impl Array<K> + ?Sized),
        sorted: &mut (impl ArrayMut<K> + ?Sized),
        options: SortOptions,
    ) -> Result<(), Error> {
        let (keys, sorted) = (keys.place(), sorted.place_mut());
        has_room("keys", keys.len(), sorted.len())?;
        match (keys, sorted) {
            (Place::Host(keys), PlaceMut::Host(sorted)) => {
                sorted.copy_from_slice(keys);
                self.sort_on_host::<K, ()>(sorted, None, &options, true)
            }
            #[cfg(feature = "cuda")]
            (Place::Device(keys), PlaceMut::Device(sorted)) => {
                let task = task::<K>(NOTHING, keys.len(), &options, true)?;
                self.device("keys")?.sort_into::<K, ()>(&task, (keys, sorted), None)
            }
            #[cfg(feature = "cuda")]
            _ => Err(Error::MixedPlaces { what: "sorted keys" }),
        }
    }

    /// Sorts keys ascending to another place, and each value with its key. Equal keys keep their input order; keys and
    /// values stay as they are.
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

    /// Sorts keys to another place as the options say, and each value with its key. Equal keys keep their input order.
    pub fn sort_pairs_into_with<K: SortKey, V: SortValue>(
        &self,
        keys: &(impl Array<K> + ?Sized),
        values: &(impl Array<V> + ?Sized),
        sorted_keys: &mut (impl ArrayMut<K> + ?Sized),
        sorted_values: &mut (impl ArrayMut<V> + ?Sized),
        options: SortOptions,
    ) -> Result<(), Error> {
        let (keys, values) = (keys.place(), values.place());
        let (sorted_keys, sorted_values) = (sorted_keys.place_mut(), sorted_values.place_mut());
        if keys.len() != values.len() {
            return Err(Error::LengthMismatch { keys: keys.len(), values: values.len() });
        }
        has_room("keys", keys.len(), sorted_keys.len())?;
        has_room("values", values.len(), sorted_values.len())?;
        match (keys, values, sorted_keys, sorted_values) {
            (
                Place::Host(keys),
                Place::Host(values),
                PlaceMut::Host(sorted_keys),
                PlaceMut::Host(sorted_values),
            ) => {
                sorted_keys.copy_from_slice(keys);
                sorted_values.copy_from_slice(values);
                self.sort_on_host(sorted_keys, Some(sorted_values), &options, true)
            }
            #[cfg(feature = "cuda")]
            (
                Place::Device(keys),
                Place::Device(values),
                PlaceMut::Device(sorted_keys),
                PlaceMut::Device(sorted_values),
            ) => {
                let task = task::<K>(V::CARRIED, keys.len(), &options, true)?;
                let sorter = self.device("keys")?;
                sorter.sort_into(&task, (keys, sorted_keys), Some((values, sorted_values)))
            }
            #[cfg(feature = "cuda")]
            _ => Err(Error::MixedPlaces { what: "values and what is sorted" }),
        }
    }

    /// The positions that device keys would be sorted from: `keys[result[0]]` is the least key. The keys stay as they
    /// are. For keys on the host there is [`argsort`](crate::argsort), and [`argsort_into`](Self::argsort_into) for both.
    #[cfg(feature = "cuda")]
    pub fn argsort<K: SortKey>(&self, keys: &impl DevicePtr<K>) -> Result<CudaSlice<u32>, Error> {
        self.argsort_with(keys, SortOptions::new())
    }

    /// The positions that device keys would be sorted from, as the options say.
    #[cfg(feature = "cuda")]
    pub fn argsort_with<K: SortKey>(
        &self,
        keys: &impl DevicePtr<K>,
        options: SortOptions,
    ) -> Result<CudaSlice<u32>, Error> {
        let task = task::<K>(POSITIONS, keys.len(), &options, true)?;
        let sorter = self.device("keys")?;
        let mut indices = sorter.indices(task.n)?;
        sorter.argsort::<K>(&task, keys, &mut indices)?;
        Ok(indices)
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
        let (keys, indices) = (keys.place(), indices.place_mut());
        if keys.len() != indices.len() {
            return Err(Error::LengthMismatch { keys: keys.len(), values: indices.len() });
        }
        if keys.len() as u64 > INDEX_LIMIT {
            return Err(Error::TooManyItems { items: keys.len(), limit: INDEX_LIMIT });
        }
        match (keys, indices) {
            (Place::Host(keys), PlaceMut::Host(indices)) => {
                self.argsort_on_host(keys, indices, &options)
            }
            #[cfg(feature = "cuda")]
            (Place::Device(keys), PlaceMut::Device(indices)) => {
                let task = task::<K>(POSITIONS, keys.len(), &options, true)?;
                self.device("keys")?.argsort::<K>(&task, keys, indices)
            }
            #[cfg(feature = "cuda")]
            _ => Err(Error::MixedPlaces { what: "indices" }),
        }
    }

    /// Makes kernels and scratch ready for ascending sorts of up to `n` pairs; of keys alone where `V` is `()`.
    ///
    /// The scratch is as much as a sort of `n` takes, and no more: for a large array about as much memory as the array
    /// itself. Keys of 16 bits or fewer alone, sorted by all of their bits, take a small part of that.
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
        match &self.place {
            SortPlace::Host => {
                let _ = n;
                Ok(())
            }
            #[cfg(feature = "cuda")]
            SortPlace::Gpu { sorter, .. } => {
                sorter.prepare(&task::<K>(V::CARRIED, n.max(2), &options, true)?, true)
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
                sorter.prepare(&task::<K>(POSITIONS, n.max(2), &options, true)?, false)
            }
        }
    }

    fn pairs<K: SortKey, V: SortValue>(
        &self,
        keys: PlaceMut<'_, K>,
        values: PlaceMut<'_, V>,
        options: &SortOptions,
        stable: bool,
    ) -> Result<(), Error> {
        if keys.len() != values.len() {
            return Err(Error::LengthMismatch { keys: keys.len(), values: values.len() });
        }
        match (keys, values) {
            (PlaceMut::Host(keys), PlaceMut::Host(values)) => {
                self.sort_on_host(keys, Some(values), options, stable)
            }
            #[cfg(feature = "cuda")]
            (PlaceMut::Device(keys), PlaceMut::Device(values)) => {
                let task = task::<K>(V::CARRIED, keys.len(), options, stable)?;
                self.device("keys")?.sort(&task, keys, Some(values))
            }
            #[cfg(feature = "cuda")]
            _ => Err(Error::MixedPlaces { what: "values" }),
        }
    }

    /// Sorts host slices, wherever this sorter does.
    #[cfg_attr(not(feature = "cuda"), allow(clippy::unused_self))]
    fn sort_on_host<K: SortKey, V: SortValue>(
        &self,
        keys: &mut [K],
        values: Option<&mut [V]>,
        options: &SortOptions,
        stable: bool,
    ) -> Result<(), Error> {
        #[cfg(not(feature = "cuda"))]
        let _ = stable;
        #[cfg(feature = "cuda")]
        if let SortPlace::Gpu { sorter, host_slices } = &self.place {
            let (value, values): (_, &mut [V]) = match values {
                Some(values) => (V::CARRIED, values),
                None => (NOTHING, &mut []),
            };
            return host_slices.choose(
                keys.len(),
                &mut (keys, values),
                |(keys, values)| {
                    let task = task::<K>(value, keys.len(), options, stable)?;
                    sorter.sort_copies(&task, keys, values)
                },
                |(keys, values)| sort_here(keys, values, options),
            );
        }
        sort_here(keys, values.unwrap_or_default(), options)
    }

    #[cfg_attr(not(feature = "cuda"), allow(clippy::unused_self))]
    fn argsort_on_host<K: SortKey>(
        &self,
        keys: &[K],
        indices: &mut [u32],
        options: &SortOptions,
    ) -> Result<(), Error> {
        #[cfg(feature = "cuda")]
        if let SortPlace::Gpu { sorter, host_slices } = &self.place {
            return host_slices.choose(
                keys.len(),
                &mut *indices,
                |indices| {
                    let task = task::<K>(POSITIONS, keys.len(), options, true)?;
                    sorter.argsort_copy(&task, keys, indices)
                },
                |indices| host::argsort_into(keys, indices, options),
            );
        }
        host::argsort_into(keys, indices, options)
    }

    /// The sorter of the stream, for data on a device.
    #[cfg(feature = "cuda")]
    pub(crate) fn device(&self, what: &'static str) -> Result<&StreamSorter, Error> {
        match &self.place {
            SortPlace::Host => Err(Error::HostSorter { what }),
            SortPlace::Gpu { sorter, .. } => Ok(sorter),
        }
    }

    /// The sorter of the stream, if host slices are to be copied there.
    #[cfg(feature = "cuda")]
    pub(crate) fn device_of_host_slices(&self) -> Option<&StreamSorter> {
        match &self.place {
            SortPlace::Gpu { sorter, host_slices: HostSlices::Copied } => Some(sorter),
            _ => None,
        }
    }
}

#[cfg(feature = "cuda")]
impl HostSlices {
    /// Sorts on the device or on the host. What the device could not begin has changed nothing, so the host can do it;
    /// after an error of the driver that is not known.
    fn choose<T: ?Sized>(
        self,
        n: usize,
        slices: &mut T,
        on_device: impl FnOnce(&mut T) -> Result<(), Error>,
        on_host: impl FnOnce(&mut T) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if self == Self::Copied {
            return on_device(slices);
        }
        if n < Sorter::HOST_BELOW {
            return on_host(slices);
        }
        match on_device(slices) {
            Err(error) if !matches!(error, Error::Driver { .. }) => {
                Settings::from_env().say(|| format!("sorting on the host: {error}"));
                on_host(slices)
            }
            outcome => outcome,
        }
    }
}

/// An error unless what is sorted to another place has as much room there.
fn has_room(what: &'static str, items: usize, room: usize) -> Result<(), Error> {
    if items == room { Ok(()) } else { Err(Error::OutputLength { what, items, room }) }
}

/// Sorts on the CPU. No values at all stand for as many as there are keys.
fn sort_here<K: SortKey, V: SortValue>(
    keys: &mut [K],
    values: &mut [V],
    options: &SortOptions,
) -> Result<(), Error> {
    if values.len() == keys.len() {
        return host::sort_pairs(keys, values, options);
    }
    let nothing = &mut *vec![(); keys.len()];
    host::sort_pairs(keys, nothing, options)
}

/// What a sort of these types and options is on a device.
#[cfg(feature = "cuda")]
fn task<K: SortKey>(
    value: Carried,
    n: usize,
    options: &SortOptions,
    stable: bool,
) -> Result<Task, Error> {
    if value.moved() == ValueType::Index && n as u64 > INDEX_LIMIT {
        return Err(Error::TooManyItems { items: n, limit: INDEX_LIMIT });
    }
    Ok(Task {
        key: K::KEY_TYPE,
        value,
        order: options.get_order(),
        bits: options.bits_of::<K>()?,
        nan_last: K::HAS_NAN && options.is_nan_last(),
        stable,
        n,
    })
}

/// Threads share sorters, which hold what the driver gave out.
const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    is_shared::<Sorter>();
};

#[cfg(all(test, feature = "cuda"))]
mod tests {
    use super::*;

    #[test]
    fn values_by_position_are_as_many_as_positions_tell_apart() {
        let task = |value, n| task::<u8>(value, n, &SortOptions::new(), true);
        let limit = usize::try_from(INDEX_LIMIT).unwrap_or(usize::MAX);
        let by_position = <[f32; 3]>::CARRIED;
        assert!(task(by_position, limit).is_ok());
        assert!(task(u64::CARRIED, limit + 1).is_ok());
        let error = task(by_position, limit + 1).expect_err("too many");
        assert!(matches!(error, Error::TooManyItems { limit: INDEX_LIMIT, .. }), "{error}");
    }
}
