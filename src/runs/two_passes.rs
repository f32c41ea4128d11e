//! A sort in two passes over a copy: runs to the copy, and pieces of the result back.
//!
//! The first pass sorts runs in the copy. Each piece of the result consists of a range of each run, and the second
//! pass sorts these ranges, one behind the other, to where the piece lies. Sorts are stable, so the result is that of a merge.
//! Either the slices or the copy have all items, whatever fails.

use std::ops::Range;

use super::progress::{Callback, Reached, RunStage};
use super::sort::{PieceSort, sort_pieces};
use crate::error::Error;
use crate::host::merge::{Piece, Run, divided};
use crate::key::SortKey;
use crate::memory::collected;
use crate::value::SortValue;

/// Sorts in runs and pieces of at most `run` items, with a copy that is as long as the slices.
pub fn sort_in_two_passes<K: SortKey, V: SortValue>(
    sorts: &[PieceSort<'_, K, V>],
    run: usize,
    (keys, values): (&mut [K], &mut [V]),
    (copied_keys, copied_values): (&mut [K], &mut [V]),
    bits: &Range<u32>,
    compared: &(impl Fn(K) -> K::Bits + Sync),
    progress: &mut Callback<'_>,
) -> Result<(), Error> {
    let items = keys.len();
    let to = copied_keys.chunks_mut(run).zip(copied_values.chunks_mut(run));
    let pieces = runs_of(run, keys, values).zip(to);
    let mut pieces = pieces.map(|(run, (keys, values))| Piece { runs: vec![run], keys, values });
    let mut reached = Reached::new(progress, RunStage::Sort, items);
    sort_pieces(sorts, &mut pieces, &mut reached)?;
    drop(pieces);

    let count = items.div_ceil(run);
    let runs = collected(count, runs_of(run, copied_keys, copied_values))?;
    let mut reached = Reached::new(progress, RunStage::Merge, items);
    let pieces = divided(&runs, count, keys, values, bits, compared);
    let sorted =
        pieces.and_then(|pieces| sort_pieces(sorts, &mut pieces.into_iter(), &mut reached));
    if sorted.is_err() {
        Piece { runs, keys, values }.gather();
    }
    sorted
}

/// The runs of slices.
fn runs_of<'a, K, V>(
    run: usize,
    keys: &'a [K],
    values: &'a [V],
) -> impl Iterator<Item = Run<'a, K, V>> {
    keys.chunks(run).zip(values.chunks(run)).map(|(keys, values)| Run { keys, values })
}
