//! Sorts of host slices in runs, each of which a device has room for, and their merge.

mod merge;
mod sort;

use std::fmt;
use std::ops::ControlFlow;

use crate::algorithm::ArrayAlgorithm;
use crate::error::Error;
use crate::host::compare::Comparison;
use crate::key::SortKey;
use crate::options::SortOptions;
use crate::sorter::Sorter;
use crate::value::SortValue;
use merge::merge_runs;
use sort::sort_runs;

/// Sorts host slices that are longer than a device has memory for.
///
/// The slices are divided into runs. Sorters sort these in place, by way of their devices: each sorter takes the next run when it
/// has done one. Then the runs are merged on the host, stably. The result is that of a sort of the slices by one [`Sorter`].
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
/// On each sorter's device a run takes its own size, and scratch of about that size ([`Sorter::reserve`]). The merge takes memory of the host:
/// as much as the slices have, or less, as [`scratch_bytes`](Self::scratch_bytes) says or as the system has.
///
/// # Errors
///
/// After an error that is not about the arguments, and after [`Error::Interrupted`], the slices have the same items, values with their keys,
/// in another order; only after [`Error::HostDataLost`] a run's content is unspecified.
pub struct RunSorter<'a> {
    sorters: Vec<Sorter>,
    run_bytes: usize,
    scratch_bytes: usize,
    progress: Callback<'a>,
}

type Callback<'a> = Box<dyn FnMut(RunProgress) -> ControlFlow<()> + 'a>;

/// How far a sort in runs has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunProgress {
    /// What is being done.
    pub stage: RunStage,
    /// The items that this has been done with.
    pub done: usize,
    /// All items.
    pub items: usize,
}

/// The stages of a sort in runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RunStage {
    /// The runs are sorted.
    Sort,
    /// The runs are merged.
    Merge,
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

    /// Sets the most memory of the host that the merge takes; it takes room for one item at least. With room for a quarter of the
    /// items the merge moves items between two and three times as often as with room for all, and with less more often: the other items move up
    /// each time that as many as there is room for have been merged.
    #[must_use]
    pub fn scratch_bytes(self, bytes: usize) -> Self {
        Self { scratch_bytes: bytes, ..self }
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
        // The order that a merge makes is the stable one.
        let is_network = options.get_algorithm() == ArrayAlgorithm::Bitonic;
        let options = if is_network { options.algorithm(ArrayAlgorithm::Fastest) } else { options };
        let run = (self.run_bytes / (size_of::<K>() + size_of::<V>())).max(1);
        sort_runs(&self.sorters, run, (keys, values), &options, &mut self.progress)?;
        // Key types without NaNs instantiate no code for them.
        if K::HAS_NAN && options.is_nan_last() {
            let by = Comparison::<K, true>::new(&options)?;
            self.merge(run, (keys, values), &options, &|key| by.compared(by.stored(key)))
        } else {
            let by = Comparison::<K, false>::new(&options)?;
            self.merge(run, (keys, values), &options, &|key| by.compared(by.stored(key)))
        }
    }

    fn merge<K: SortKey, V: SortValue>(
        &mut self,
        run: usize,
        items: (&mut [K], &mut [V]),
        options: &SortOptions,
        compared: &(impl Fn(K) -> K::Bits + Sync),
    ) -> Result<(), Error> {
        let room = (self.scratch_bytes / (size_of::<K>() + size_of::<V>())).max(1);
        let bits = options.bits_of::<K>()?;
        merge_runs((run, room), items, &bits, compared, &mut self.progress)
    }
}

/// Says how far the sort has come.
fn report(progress: &mut Callback<'_>, reached: RunProgress) -> Result<(), Error> {
    match progress(reached) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Error::Interrupted),
    }
}

impl fmt::Debug for RunSorter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunSorter")
            .field("sorters", &self.sorters)
            .field("run_bytes", &self.run_bytes)
            .field("scratch_bytes", &self.scratch_bytes)
            .finish_non_exhaustive()
    }
}
