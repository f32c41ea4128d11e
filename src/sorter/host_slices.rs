//! Sorts of host slices: on the sorter's device, by copies, or on the host.

use super::Sorter;
#[cfg(feature = "cuda")]
use super::beyond_memory::{argsort_in_runs, sort_in_runs};
#[cfg(feature = "cuda")]
use super::measure::{Sort, class_of, times_of};
#[cfg(feature = "cuda")]
use super::task::{POSITIONS, task};
#[cfg(feature = "cuda")]
use super::{HostSlices, Target};
#[cfg(feature = "cuda")]
use crate::crossover::Side;
use crate::error::Error;
#[cfg(feature = "cuda")]
use crate::gpu::stream_sorter::StreamSorter;
use crate::host;
use crate::host::merge::Piece;
use crate::key::SortKey;
use crate::options::SortOptions;
#[cfg(feature = "cuda")]
use crate::settings::Settings;
use crate::value::SortValue;
#[cfg(feature = "cuda")]
use sortsmith_codegen::tuning::crossover::{Class, Times};

impl Sorter {
    /// Sorts host slices, on the device or on the host.
    pub(super) fn sort_on_host<K: SortKey, V: SortValue>(
        &self,
        keys: &mut [K],
        values: &mut [V],
        options: &SortOptions,
        stable: bool,
    ) -> Result<(), Error> {
        self.sort_piece(&mut Piece::of(keys, values), options, stable)
    }

    /// Sorts what a piece's runs have, one behind the other, to its slots, on the device or on the host; without runs, what the slots
    /// have. If `V` is `()` there are no values.
    #[cfg_attr(not(feature = "cuda"), allow(clippy::unused_self))]
    pub(crate) fn sort_piece<K: SortKey, V: SortValue>(
        &self,
        piece: &mut Piece<'_, K, V>,
        options: &SortOptions,
        stable: bool,
    ) -> Result<(), Error> {
        #[cfg(not(feature = "cuda"))]
        let _ = stable;
        #[cfg(feature = "cuda")]
        if let Target::Gpu { sorter, host_slices } = &self.target {
            let on_device = |piece: &mut Piece<'_, K, V>| {
                let task = task::<K>(V::CARRIED, piece.keys.len(), options, stable)?;
                let at_once = sorter.checked_copies(|sorter| sorter.sort_copies(&task, piece));
                at_once.or_else(|error| sort_in_runs(error, sorter, piece, options))
            };
            let side = host_slices.side(
                sorter,
                piece.keys.len(),
                || class_of::<K>(V::CARRIED, size_of::<V>(), options),
                &mut |n| {
                    times_of(
                        n,
                        &|keys, values| on_device(&mut Piece::of(keys, values)),
                        &|keys, values| sort_here(&mut Piece::of(keys, values), options),
                    )
                },
            )?;
            let target = (&**sorter, side);
            return host_slices.sort(target, piece, on_device, |piece| sort_here(piece, options));
        }
        sort_here(piece, options)
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
                let at_once = sorter.checked_copies(|it| it.argsort_copy(&task, keys, indices));
                let Err(error) = at_once else { return at_once };
                argsort_in_runs(error, sorter, keys, indices, options)
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
                    times_of(n, on_device, on_host)
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

/// Sorts on the CPU.
fn sort_here<K: SortKey, V: SortValue>(
    piece: &mut Piece<'_, K, V>,
    options: &SortOptions,
) -> Result<(), Error> {
    options.check_values(V::CARRIED)?;
    piece.gather();
    host::sort_pairs(piece.keys, piece.values, options)
}
