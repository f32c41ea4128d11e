//! The merge of runs in place, with room for some of the items.
//!
//! As many of the first items as there is room for are merged into it. The other items of each run move up behind one another to the end, and
//! the merged ones go where that made room. So between two steps the slices hold a sorted beginning and shorter runs, and all
//! items.

use std::ops::Range;

use super::progress::{Callback, Reached, RunStage};
use super::sort::{PieceSort, sort_pieces};
use crate::error::Error;
use crate::host::merge::{Piece, Run, divided, merge};
use crate::host::splitters::divisions;
use crate::host::zeroed_vec;
use crate::key::SortKey;
use crate::memory::collected;
use crate::value::SortValue;

/// The system must have memory for one item in this number: with less room the merge moves items too often.
const LEAST_ROOM: usize = 64;

/// The pieces of a step on the host, after each of which it is said how far the merge has come.
const PIECES: usize = 16;

/// The fewest items of a piece, unless there are fewer.
const PIECE_MIN: usize = 1 << 14;

/// What merges the ranges of runs that make a piece of the result.
pub enum Merger<'a, K, V> {
    /// The threads of the host.
    Host,
    /// These sorts, each a piece at a time.
    Sorters(&'a [PieceSort<'a, K, V>]),
}

/// Merges runs of this length, of which the last may be shorter, with room for at most `room` items.
pub fn merge_runs<K: SortKey, V: SortValue>(
    merger: &Merger<'_, K, V>,
    (run, room): (usize, usize),
    (keys, values): (&mut [K], &mut [V]),
    bits: &Range<u32>,
    compared: &(impl Fn(K) -> K::Bits + Sync),
    progress: &mut Callback<'_>,
) -> Result<(), Error> {
    let items = keys.len();
    let runs = (0..items).step_by(run).map(|begin| begin..items.min(begin + run));
    let mut runs = collected(items.div_ceil(run), runs)?;
    if runs.len() < 2 {
        return Ok(());
    }
    let mut reached = Reached::new(progress, RunStage::Merge, items);
    let (mut merged_keys, mut merged_values) = memory::<K, V>(room.min(items), items)?;
    // One run that is left lies behind the merged items.
    while runs.len() > 1 {
        let done = runs[0].start;
        let step = merged_keys.len().min(items - done);
        let to = (&mut merged_keys[..step], &mut merged_values[..step]);
        let others = runs.iter().map(|run| Run { keys, values }.range(run.clone()));
        let others = collected(runs.len(), others)?;
        merger.merge_first(run, &others, to, bits, compared, &mut reached)?;
        let all = collected(others.len(), others.iter().map(|run| run.keys))?;
        let counts = divisions(&all, &[step as u64], bits, compared)?.pop().unwrap_or_default();
        let mut end = items;
        for (run, count) in runs.iter_mut().zip(counts).rev() {
            let others = run.start + count as usize..run.end;
            let begin = end - others.len();
            keys.copy_within(others.clone(), begin);
            values.copy_within(others, begin);
            *run = begin..end;
            end = begin;
        }
        keys[done..end].copy_from_slice(&merged_keys[..step]);
        values[done..end].copy_from_slice(&merged_values[..step]);
        runs.retain(|run| !run.is_empty());
    }
    Ok(())
}

impl<K: SortKey, V: SortValue> Merger<'_, K, V> {
    /// Merges the first items of runs, as many as there are slots, in pieces of at most `run` items.
    fn merge_first(
        &self,
        run: usize,
        runs: &[Run<'_, K, V>],
        (keys, values): (&mut [K], &mut [V]),
        bits: &Range<u32>,
        compared: &(impl Fn(K) -> K::Bits + Sync),
        reached: &mut Reached<'_, '_>,
    ) -> Result<(), Error> {
        let step = keys.len();
        let pieces = match self {
            Self::Host => (step / PIECE_MIN).clamp(1, PIECES),
            Self::Sorters(sorts) => step.div_ceil(run).max(sorts.len()),
        };
        let mut pieces = divided(runs, pieces, keys, values, bits, compared)?.into_iter();
        match self {
            Self::Sorters(sorts) => sort_pieces(sorts, &mut pieces, reached),
            Self::Host => pieces.try_for_each(|piece| {
                let Piece { runs, keys, values } = piece;
                merge(&runs, keys, values, bits, compared)?;
                reached.add(keys.len())
            }),
        }
    }
}

/// Memory for this number of items of all, or for fewer if the system has no more.
fn memory<K: SortKey, V: SortValue>(
    mut room: usize,
    items: usize,
) -> Result<(Vec<K>, Vec<V>), Error> {
    loop {
        match memory_of(room) {
            Err(Error::OutOfMemory { .. }) if room / 2 > items / LEAST_ROOM => room /= 2,
            result => return result,
        }
    }
}

/// Memory for this number of items.
pub fn memory_of<K: SortKey, V: SortValue>(items: usize) -> Result<(Vec<K>, Vec<V>), Error> {
    Ok((zeroed_vec(items)?, zeroed_vec(items)?))
}
