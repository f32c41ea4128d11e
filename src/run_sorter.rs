//! The sorter of host slices that are longer than a device has memory for.

use std::fmt;
use std::ops::ControlFlow;

use crate::backend::Backend;
use crate::error::Error;
use crate::host::merge::Piece;
use crate::key::SortKey;
use crate::options::SortOptions;
use crate::runs::{Callback, InRuns, PieceSort, RunMerge, RunProgress, options_of_runs};
use crate::sorter::Sorter;
use crate::value::SortValue;

/// Sorts host slices that are longer than a device has memory for.
///
/// The slices are divided into runs. Sorters sort these by way of their devices: each sorter takes the next run when it
/// has done one. Then the runs are merged, stably, by the sorters or by the host's threads ([`merge_by`](Self::merge_by)). The result is that
/// of a sort of the slices by one [`Sorter`].
///
/// Two or three sorters on streams of one device copy to it, sort, and copy from it at the same time; sorters of several devices use all of
/// them.
///
/// ```
/// use sortsmith::{RunSorter, Sorter};
///
/// let mut keys: Vec<u32> = (0..100_000).map(|item| item * 7919 % 100_003).collect();
/// RunSorter::new(Sorter::new()?).run_bytes(64 << 10).sort(&mut keys)?;
/// assert!(keys.is_sorted());
/// # Ok::<(), sortsmith::Error>(())
/// ```
///
/// # Memory
///
/// On each sorter's device a run takes its own size, and scratch of about that size ([`Sorter::reserve`]). The sort takes memory of the host:
/// as much as the slices have, or less, as [`scratch_bytes`](Self::scratch_bytes) says or as the system has.
///
/// # Errors
///
/// After an error that is not about the arguments, and after [`Error::Interrupted`], the slices have the same items, values with their keys,
/// in another order; only after [`Error::HostDataLost`] a run's content is unspecified, unless sorters merge with room for all items.
pub struct RunSorter<'a> {
    sorters: Vec<Sorter>,
    run_bytes: usize,
    scratch_bytes: usize,
    merge: Option<RunMerge>,
    progress: Callback<'a>,
}

impl<'a> RunSorter<'a> {
    /// The size of a run, unless it is set.
    pub const RUN_BYTES: usize = 1 << 30;

    /// Sorts runs by this sorter.
    pub fn new(sorter: Sorter) -> Self {
        Self {
            sorters: vec![sorter],
            run_bytes: Self::RUN_BYTES,
            scratch_bytes: usize::MAX,
            merge: None,
            progress: Box::new(|_| ControlFlow::Continue(())),
        }
    }

    /// Sorts runs by this sorter too, on a thread of its own.
    #[must_use]
    pub fn and(mut self, sorter: Sorter) -> Self {
        self.sorters.push(sorter);
        self
    }

    /// Sets the size of a run: the bytes of its keys and values. A run has at least one item.
    #[must_use]
    pub fn run_bytes(self, bytes: usize) -> Self {
        Self { run_bytes: bytes, ..self }
    }

    /// Sets the most memory of the host that the sort takes; it takes room for one item at least. With room for a quarter of the
    /// items the merge moves items between two and three times as often as with room for all, and with less more often: the other items move up
    /// each time that as many as there is room for have been merged.
    #[must_use]
    pub fn scratch_bytes(self, bytes: usize) -> Self {
        Self { scratch_bytes: bytes, ..self }
    }

    /// Sets what merges runs: unless it is set, the sorters if one of them is a GPU's, else the host's threads.
    ///
    /// A merge by sorters copies each item to a device once more, and is as fast as these copies; one by the host is limited by
    /// its comparisons.
    #[must_use]
    pub fn merge_by(self, merge: RunMerge) -> Self {
        Self { merge: Some(merge), ..self }
    }

    /// Calls this after each run and each part of the merge, on the calling thread. With `ControlFlow::Break` the sort ends with
    /// [`Error::Interrupted`].
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// use sortsmith::{Error, RunSorter, Sorter};
    ///
    /// let stop = |_| ControlFlow::Break(());
    /// let mut keys = vec![3u8, 1, 2];
    /// let result = RunSorter::new(Sorter::host()).run_bytes(2).progress(stop).sort(&mut keys);
    /// assert!(matches!(result, Err(Error::Interrupted)));
    /// keys.sort();
    /// assert_eq!(keys, [1, 2, 3]);
    /// ```
    #[must_use]
    pub fn progress(self, progress: impl FnMut(RunProgress) -> ControlFlow<()> + 'a) -> Self {
        Self { progress: Box::new(progress), ..self }
    }

    /// Sorts keys ascending.
    pub fn sort<K: SortKey>(&mut self, keys: &mut [K]) -> Result<(), Error> {
        self.sort_with(keys, SortOptions::new())
    }

    /// Sorts keys as the options say.
    pub fn sort_with<K: SortKey>(
        &mut self,
        keys: &mut [K],
        options: SortOptions,
    ) -> Result<(), Error> {
        let mut none = vec![(); keys.len()];
        self.sort_pairs_with(keys, &mut none, options)
    }

    /// Sorts keys ascending, and moves each value with its key. Equal keys keep their input order.
    pub fn sort_pairs<K: SortKey, V: SortValue>(
        &mut self,
        keys: &mut [K],
        values: &mut [V],
    ) -> Result<(), Error> {
        self.sort_pairs_with(keys, values, SortOptions::new())
    }

    /// Sorts keys as the options say, and moves each value with its key. Equal keys keep their input order.
    pub fn sort_pairs_with<K: SortKey, V: SortValue>(
        &mut self,
        keys: &mut [K],
        values: &mut [V],
        options: SortOptions,
    ) -> Result<(), Error> {
        if keys.len() != values.len() {
            return Err(Error::LengthMismatch { keys: keys.len(), values: values.len() });
        }
        options.bits_of::<K>()?;
        let options = options_of_runs(options);
        let pair = size_of::<K>() + size_of::<V>();
        let [run, room] = [self.run_bytes, self.scratch_bytes].map(|bytes| (bytes / pair).max(1));
        let is_device = |sorter: &Sorter| matches!(sorter.backend(), Backend::Gpu { .. });
        let merge = self.merge.unwrap_or_else(|| {
            let has_device = self.sorters.iter().any(is_device);
            if has_device { RunMerge::Sorters } else { RunMerge::Host }
        });
        let sorts = self.sorters.iter().map(|sorter| {
            let sort = move |piece: &mut Piece<'_, K, V>| sorter.sort_piece(piece, &options, true);
            Box::new(sort) as PieceSort<'_, K, V>
        });
        let sorts = sorts.collect();
        let in_runs = InRuns { sorts, run, room, merge, options, progress: &mut self.progress };
        in_runs.sort(keys, values)
    }
}

impl fmt::Debug for RunSorter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunSorter")
            .field("sorters", &self.sorters)
            .field("run_bytes", &self.run_bytes)
            .field("scratch_bytes", &self.scratch_bytes)
            .field("merge", &self.merge)
            .finish_non_exhaustive()
    }
}
