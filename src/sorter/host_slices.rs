//! Sorts of host slices: on the sorter's device, by copies, or on the host.

use super::Sorter;
#[cfg(feature = "cuda")]
use super::measure::{Sort, class_of, times_of};
#[cfg(feature = "cuda")]
use super::task::{NOTHING, POSITIONS, task};
#[cfg(feature = "cuda")]
use super::{HostSlices, Target};
#[cfg(feature = "cuda")]
use crate::crossover::Side;
use crate::error::Error;
#[cfg(feature = "cuda")]
use crate::gpu::stream_sorter::StreamSorter;
use crate::host;
use crate::key::SortKey;
use crate::options::SortOptions;
#[cfg(feature = "cuda")]
use crate::settings::Settings;
use crate::value::SortValue;
#[cfg(feature = "cuda")]
use sortsmith_codegen::tuning::crossover::{Class, Times};

impl Sorter {
    /// Sorts host slices, on the device or on the host.
    #[cfg_attr(not(feature = "cuda"), allow(clippy::unused_self))]
    pub(super) fn sort_on_host<K: SortKey, V: SortValue>(
        &self,
        keys: &mut [K],
        values: Option<&mut [V]>,
        options: &SortOptions,
        stable: bool,
    ) -> Result<(), Error> {
        #[cfg(not(feature = "cuda"))]
        let _ = stable;
        #[cfg(feature = "cuda")]
        if let Target::Gpu { sorter, host_slices } = &self.target {
            let has_values = values.is_some();
            let value = if has_values { V::CARRIED } else { NOTHING };
            let values: &mut [V] = values.unwrap_or_default();
            let on_device = |keys: &mut [K], values: &mut [V]| {
                let task = task::<K>(value, keys.len(), options, stable)?;
                sorter.checked_copies(|sorter| sorter.sort_copies(&task, keys, values))
            };
            let on_host = |keys: &mut [K], values: &mut [V]| sort_here(keys, values, options);
            let side = host_slices.side(
                sorter,
                keys.len(),
                || class_of::<K>(value, if has_values { size_of::<V>() } else { 0 }, options),
                &mut |n| times_of(n, has_values, &on_device, &on_host),
            )?;
            return host_slices.sort(
                (sorter, side),
                &mut (keys, values),
                |(keys, values)| on_device(keys, values),
                |(keys, values)| on_host(keys, values),
            );
        }
        sort_here(keys, values.unwrap_or_default(), options)
    }

    #[cfg_attr(not(feature = "cuda"), allow(clippy::unused_self))]
    pub(super) fn argsort_on_host<K: SortKey>(
        &self,
        keys: &[K],
        indices: &mut [u32],
        options: &SortOptions,
    ) -> Result<(), Error> {
        #[cfg(feature = "cuda")]
        if let Target::Gpu { sorter, host_slices } = &self.target {
            let on_device = |keys: &[K], indices: &mut [u32]| {
                let task = task::<K>(POSITIONS, keys.len(), options, true)?;
                sorter.checked_copies(|sorter| sorter.argsort_copy(&task, keys, indices))
            };
            let on_host =
                |keys: &[K], indices: &mut [u32]| host::argsort_into(keys, indices, options);
            let side = host_slices.side(
                sorter,
                keys.len(),
                || class_of::<K>(POSITIONS, size_of::<u32>(), options),
                &mut |n| {
                    let [on_device, on_host]: [Sort<'_, K, u32>; 2] =
                        [&|keys, indices| on_device(keys, indices), &|keys, indices| {
                            on_host(keys, indices)
                        }];
                    times_of(n, true, on_device, on_host)
                },
            )?;
            return host_slices.sort(
                (sorter, side),
                &mut *indices,
                |indices| on_device(keys, indices),
                |indices| on_host(keys, indices),
            );
        }
        host::argsort_into(keys, indices, options)
    }
}

#[cfg(feature = "cuda")]
impl HostSlices {
    /// Whether slices of this many keys, or of fewer, may be sorted on the device.
    pub(super) fn may_copy(&self, sorter: &StreamSorter, n: usize) -> bool {
        match self {
            Self::Copied => true,
            Self::WhereItPays(crossovers) => crossovers.may_copy(n) && !sorter.is_lost(),
        }
    }

    /// Where slices of this many keys are sorted. A lost device is not used.
    fn side(
        &self,
        sorter: &StreamSorter,
        n: usize,
        class: impl FnOnce() -> Result<Option<Class>, Error>,
        measure: &mut dyn FnMut(usize) -> Result<Times, Error>,
    ) -> Result<Side, Error> {
        match self {
            Self::Copied => Ok(Side::Device),
            Self::WhereItPays(_) if !self.may_copy(sorter, n) => Ok(Side::Host),
            Self::WhereItPays(crossovers) => {
                let reason = "a sort in a capture is not timed";
                let captured = || sorter.may_be_captured().then_some(Error::Capture { reason });
                let measure = &mut |n| captured().map_or_else(|| measure(n), Err);
                Ok(crossovers.side(class()?, n, measure))
            }
        }
    }

    /// Sorts on this side. If the device fails, the host sorts: the slices are unchanged then, unless the copy back failed.
    fn sort<T: ?Sized>(
        &self,
        (sorter, side): (&StreamSorter, Side),
        slices: &mut T,
        on_device: impl FnOnce(&mut T) -> Result<(), Error>,
        on_host: impl FnOnce(&mut T) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if matches!(self, Self::Copied) {
            return on_device(slices);
        }
        // A measurement may have lost the device.
        if side == Side::Host || sorter.is_lost() {
            return on_host(slices);
        }
        match on_device(slices) {
            Ok(()) => Ok(()),
            Err(error @ Error::HostDataLost { .. }) => Err(error),
            Err(error) => {
                let from_now_on = if sorter.is_lost() { ", from now on" } else { "" };
                Settings::from_env().say(|| format!("sorting on the host{from_now_on}: {error}"));
                on_host(slices)
            }
        }
    }
}

/// Sorts on the CPU. An empty slice of values means none.
fn sort_here<K: SortKey, V: SortValue>(
    keys: &mut [K],
    values: &mut [V],
    options: &SortOptions,
) -> Result<(), Error> {
    options.check_values(V::CARRIED)?;
    if values.len() == keys.len() {
        return host::sort_pairs(keys, values, options);
    }
    host::sort_alone(keys, options)
}
