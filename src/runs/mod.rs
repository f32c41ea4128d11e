//! Sorts of host slices in runs, each of which a device has room for, and their merge.

mod merge;
mod progress;
mod sort;
mod two_passes;

use crate::algorithm::ArrayAlgorithm;
use crate::error::Error;
use crate::host::compare::Comparison;
use crate::host::merge::Piece;
use crate::key::SortKey;
use crate::options::SortOptions;
use crate::value::SortValue;
use merge::{Merger, memory_of, merge_runs};
use progress::Reached;
use sort::sort_pieces;
use two_passes::sort_in_two_passes;

pub use progress::{Callback, RunProgress, RunStage};
pub use sort::PieceSort;

/// What merges sorted runs ([`RunSorter::merge_by`](crate::RunSorter::merge_by)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RunMerge {
    /// The threads of the host.
    Host,
    /// The sorters: each takes a part of the result, and sorts what the runs have of it.
    Sorters,
}

/// The options of the sorts of runs: those of the caller, but for networks. The order that a merge makes is the stable one.
pub fn options_of_runs(options: SortOptions) -> SortOptions {
    let is_network = options.get_algorithm() == ArrayAlgorithm::Bitonic;
    if is_network { options.algorithm(ArrayAlgorithm::Fastest) } else { options }
}

/// A stable sort in runs.
pub struct InRuns<'s, 'c, 'a, K, V> {
    /// What sorts a run; several sort runs at the same time.
    pub sorts: Vec<PieceSort<'s, K, V>>,
    /// The most items of a run.
    pub run: usize,
    /// The most items that there is memory for beside the slices.
    pub room: usize,
    /// What merges the runs.
    pub merge: RunMerge,
    /// The options of the sorts, by [`options_of_runs`].
    pub options: SortOptions,
    /// What is called after each part of the work.
    pub progress: &'c mut Callback<'a>,
}

impl<K: SortKey, V: SortValue> InRuns<'_, '_, '_, K, V> {
    /// Sorts slices of the same length.
    pub fn sort(self, keys: &mut [K], values: &mut [V]) -> Result<(), Error> {
        let by = Comparison::<K>::new(&self.options)?;
        self.sort_by(keys, values, &|key| by.compared(by.stored(key)))
    }

    fn sort_by(
        self,
        keys: &mut [K],
        values: &mut [V],
        compared: &(impl Fn(K) -> K::Bits + Sync),
    ) -> Result<(), Error> {
        let Self { sorts, run, room, merge, options, progress } = self;
        let items = keys.len();
        let bits = options.bits_of::<K>()?;
        let merger = match merge {
            RunMerge::Host => Merger::Host,
            RunMerge::Sorters => Merger::Sorters(&sorts),
        };
        if merge == RunMerge::Sorters
            && run < items
            && items <= room
            && let Ok((mut copied_keys, mut copied_values)) = memory_of(items)
        {
            let copy = (&mut copied_keys[..], &mut copied_values[..]);
            let slices = (keys, values);
            return sort_in_two_passes(&sorts, run, slices, copy, &bits, compared, progress);
        }
        let runs = keys.chunks_mut(run).zip(values.chunks_mut(run));
        let mut runs = runs.map(|(keys, values)| Piece::of(keys, values));
        let mut reached = Reached::new(progress, RunStage::Sort, items);
        sort_pieces(&sorts, &mut runs, &mut reached)?;
        merge_runs(&merger, (run, room), (keys, values), &bits, compared, progress)
    }
}
