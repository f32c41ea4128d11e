//! Times of sorts of host slices, on the device and on the host.

use std::time::Instant;

use bytemuck::Zeroable;
use sortsmith_codegen::tuning::crossover::{Class, Times};

use super::task::POSITIONS;
use super::{HostSlices, Sorter, Target};
use crate::algorithm::ArrayAlgorithm;
use crate::crossover::{self, Side};
use crate::error::Error;
use crate::host;
use crate::key::SortKey;
use crate::memory::collected;
use crate::options::SortOptions;
use crate::value::{Carried, SortValue};

/// A sort of keys and of as many values.
pub(super) type Sort<'a, K, V> = &'a dyn Fn(&mut [K], &mut [V]) -> Result<(), Error>;

/// The class of such sorts; none where the caller names the algorithm, which only a device has.
pub(super) fn class_of<K: SortKey>(
    value: Carried,
    value_bytes: usize,
    options: &SortOptions,
) -> Result<Option<Class>, Error> {
    let bits = options.bits_of::<K>()?.len() as u32;
    let threads = host::threads::count();
    let class = if value == POSITIONS {
        Class::argsort(K::KEY_TYPE, bits, threads)
    } else {
        Class::of(K::KEY_TYPE, value_bytes, bits, threads)
    };
    Ok((options.get_algorithm() == ArrayAlgorithm::Fastest).then_some(class))
}

/// Times sorts of n random keys.
pub(super) fn times_of<K: SortKey, V: SortValue>(
    n: usize,
    on_device: Sort<'_, K, V>,
    on_host: Sort<'_, K, V>,
) -> Result<Times, Error> {
    let input: Vec<K> = collected(n, random_keys())?;
    let mut keys: Vec<K> = collected(n, std::iter::repeat(K::zeroed()))?;
    let mut values: Vec<V> = collected(n, std::iter::repeat(V::zeroed()))?;
    crossover::times(n, &mut |side| {
        keys.copy_from_slice(&input);
        let begin = Instant::now();
        match side {
            Side::Device => on_device(&mut keys, &mut values),
            Side::Host => on_host(&mut keys, &mut values),
        }?;
        Ok(begin.elapsed())
    })
}

/// Keys of random bits by `SplitMix64`, the same each time.
fn random_keys<K: SortKey>() -> impl Iterator<Item = K> {
    let mixed = |number: u64| {
        let bits = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    };
    (1u64..).map(move |number| {
        let mut bits = K::Bits::zeroed();
        let bytes = bytemuck::bytes_of_mut(&mut bits);
        for (word, part) in bytes.chunks_mut(size_of::<u64>()).zip(0..) {
            word.copy_from_slice(&mixed(2 * number + part).to_ne_bytes()[..word.len()]);
        }
        K::from_ordered_bits(bits)
    })
}

impl Sorter {
    /// Measures sorts of host slices of such keys and values, or of keys alone if `V` is `()`, and keeps the times, by which this sorter
    /// and later processes choose between the GPU and the host. The result is the times; none if this sorter does not choose.
    ///
    /// ```
    /// let sorter = sortsmith::Sorter::new()?;
    /// for times in sorter.measure_host_slices::<f32, u32>()?.unwrap_or_default() {
    ///     println!("{} pairs: {} ns on the host, {} ns on the GPU", times.n, times.host, times.gpu);
    /// }
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    pub fn measure_host_slices<K: SortKey, V: SortValue>(
        &self,
    ) -> Result<Option<Vec<Times>>, Error> {
        let Target::Gpu { host_slices: HostSlices::WhereItPays(crossovers), .. } = &self.target
        else {
            return Ok(None);
        };
        let options = SortOptions::new();
        let Some(class) = class_of::<K>(V::CARRIED, size_of::<V>(), &options)? else {
            return Ok(None);
        };
        let device = Self { target: self.target.on_device() };
        let sort = |sorter: &Self, keys: &mut [K], values: &mut [V]| {
            sorter.sort_on_host(keys, values, &options, true)
        };
        let on_device = |keys: &mut [K], values: &mut [V]| sort(&device, keys, values);
        let on_host = |keys: &mut [K], values: &mut [V]| sort(&Self::host(), keys, values);
        let mut measure = |n| times_of(n, &on_device, &on_host);
        crossovers.measure_all(class, &mut measure).map(Some)
    }

    /// Measures argsorts of host slices likewise.
    pub fn measure_argsort_host_slices<K: SortKey>(&self) -> Result<Option<Vec<Times>>, Error> {
        let Target::Gpu { host_slices: HostSlices::WhereItPays(crossovers), .. } = &self.target
        else {
            return Ok(None);
        };
        let options = SortOptions::new();
        let Some(class) = class_of::<K>(POSITIONS, size_of::<u32>(), &options)? else {
            return Ok(None);
        };
        let device = Self { target: self.target.on_device() };
        let on_device = |keys: &mut [K], positions: &mut [u32]| {
            device.argsort_on_host(keys, positions, &options)
        };
        let on_host =
            |keys: &mut [K], positions: &mut [u32]| host::argsort_into(keys, positions, &options);
        let mut measure = |n| times_of(n, &on_device, &on_host);
        crossovers.measure_all(class, &mut measure).map(Some)
    }
}

impl Target {
    /// The same device for all host slices.
    fn on_device(&self) -> Self {
        match self {
            Self::Host => Self::Host,
            Self::Gpu { sorter, .. } => {
                Self::Gpu { sorter: std::sync::Arc::clone(sorter), host_slices: HostSlices::Copied }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_keys_differ_in_all_bits() {
        fn check<K: SortKey>() {
            use num_traits::Zero as _;
            let keys: Vec<K> = random_keys().take(200).collect();
            let ones = keys.iter().fold(K::Bits::zero(), |ones, key| ones | key.to_ordered_bits());
            let all = K::from_ordered_bits(!K::Bits::zero()).to_ordered_bits();
            assert!(ones == all, "{}", K::KEY_TYPE);
        }
        check::<u8>();
        check::<u128>();
        check::<f32>();
        check::<bool>();
    }

    #[test]
    fn as_many_values_as_keys_are_sorted() {
        fn check<V: SortValue>() {
            let sort: Sort<'_, f64, V> = &|keys, values| {
                assert_eq!((keys.len(), values.len()), (3000, 3000));
                Ok(())
            };
            assert_eq!(times_of(3000, sort, sort).expect("both sort").n, 3000);
        }
        check::<[u8; 3]>();
        check::<()>();
    }
}
