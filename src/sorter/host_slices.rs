//! Sorts of host slices: on the sorter's device, by copies, or on the host.

use super::Sorter;
#[cfg(feature = "cuda")]
use super::task::{NOTHING, POSITIONS, task};
#[cfg(feature = "cuda")]
use super::{HostSlices, Target};
use crate::error::Error;
#[cfg(feature = "cuda")]
use crate::gpu::stream_sorter::StreamSorter;
use crate::host;
use crate::key::SortKey;
use crate::options::SortOptions;
#[cfg(feature = "cuda")]
use crate::settings::Settings;
use crate::value::SortValue;

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
            let (value, values): (_, &mut [V]) = match values {
                Some(values) => (V::CARRIED, values),
                None => (NOTHING, &mut []),
            };
            return host_slices.choose(
                sorter,
                keys.len(),
                &mut (keys, values),
                |(keys, values)| {
                    let task = task::<K>(value, keys.len(), options, stable)?;
                    sorter.checked_copies(|sorter| sorter.sort_copies(&task, keys, values))
                },
                |(keys, values)| sort_here(keys, values, options),
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
            return host_slices.choose(
                sorter,
                keys.len(),
                &mut *indices,
                |indices| {
                    let task = task::<K>(POSITIONS, keys.len(), options, true)?;
                    sorter.checked_copies(|sorter| sorter.argsort_copy(&task, keys, indices))
                },
                |indices| host::argsort_into(keys, indices, options),
            );
        }
        host::argsort_into(keys, indices, options)
    }
}

#[cfg(feature = "cuda")]
impl HostSlices {
    /// Whether slices of this many keys are sorted on the device.
    pub(super) fn are_copied(self, sorter: &StreamSorter, n: usize) -> bool {
        self == Self::Copied || (n >= Sorter::HOST_BELOW && !sorter.is_lost())
    }

    /// Sorts on the device or on the host. If the device fails, the host sorts: the slices are unchanged then, unless the copy back
    /// failed. A lost device is not used.
    fn choose<T: ?Sized>(
        self,
        sorter: &StreamSorter,
        n: usize,
        slices: &mut T,
        on_device: impl FnOnce(&mut T) -> Result<(), Error>,
        on_host: impl FnOnce(&mut T) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if self == Self::Copied {
            return on_device(slices);
        }
        if !self.are_copied(sorter, n) {
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
