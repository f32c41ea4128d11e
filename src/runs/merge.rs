//! The merge of runs in place, with room for some of the items.
//!
//! As many of the first items as there is room for are merged into it. The other items of each run move up behind one another to the end, and
//! the merged ones go where that made room. So between two steps the slices hold a sorted beginning and shorter runs, and all
//! items.

use std::ops::Range;

use super::{Callback, RunProgress, RunStage, report};
use crate::error::Error;
use crate::host::merge::{Run, merge};
use crate::host::splitters::divisions;
use crate::host::zeroed_vec;
use crate::key::SortKey;
use crate::value::SortValue;

/// The system must have memory for one item in this number: with less room the merge moves items too often.
const LEAST_ROOM: usize = 64;

/// The pieces of a step, after each of which it is said how far the merge has come.
const PIECES: usize = 16;

/// The fewest items of a piece, unless there are fewer.
const PIECE_MIN: usize = 1 << 14;

/// Merges runs of this length, of which the last may be shorter, with room for at most `room` items.
pub fn merge_runs<K: SortKey, V: SortValue>(
    (run, room): (usize, usize),
    (keys, values): (&mut [K], &mut [V]),
    bits: &Range<u32>,
    compared: &(impl Fn(K) -> K::Bits + Sync),
    progress: &mut Callback<'_>,
) -> Result<(), Error> {
    let items = keys.len();
    let mut runs: Vec<Range<usize>> =
        (0..items).step_by(run).map(|begin| begin..items.min(begin + run)).collect();
    if runs.len() < 2 {
        return Ok(());
    }
    let (mut merged_keys, mut merged_values) = memory::<K, V>(room.min(items), items)?;
    // One run that is left lies behind the merged items.
    while runs.len() > 1 {
        let done = runs[0].start;
        let step = merged_keys.len().min(items - done);
        let to = (&mut merged_keys[..step], &mut merged_values[..step]);
        let others: Vec<Run<'_, K, V>> =
            runs.iter().map(|run| Run { keys, values }.range(run.clone())).collect();
        let mut say = |merged| {
            let done = done + merged;
            report(progress, RunProgress { stage: RunStage::Merge, done, items })
        };
        let cut = merge_first(&others, to, bits, compared, &mut say)?;
        let mut end = items;
        for (run, cut) in runs.iter_mut().zip(&cut).rev() {
            let others = run.start + cut..run.end;
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

/// Merges the first items of runs, as many as there are slots. The result is their number in each run.
fn merge_first<K: SortKey, V: SortValue>(
    runs: &[Run<'_, K, V>],
    (keys, values): (&mut [K], &mut [V]),
    bits: &Range<u32>,
    compared: &(impl Fn(K) -> K::Bits + Sync),
    say: &mut impl FnMut(usize) -> Result<(), Error>,
) -> Result<Vec<usize>, Error> {
    let step = keys.len();
    let piece = step.div_ceil(PIECES).max(PIECE_MIN);
    let all: Vec<&[K]> = runs.iter().map(|run| run.keys).collect();
    let targets: Vec<u64> =
        (0..step.div_ceil(piece)).map(|number| step.min((number + 1) * piece) as u64).collect();
    let mut begins = vec![0; runs.len()];
    let mut merged = 0;
    for ends in divisions(&all, targets, bits, compared) {
        let ends: Vec<usize> = ends.into_iter().map(|end| end as usize).collect();
        let ranges = begins.iter().zip(&ends).map(|(begin, end)| *begin..*end);
        let firsts: Vec<_> = runs.iter().zip(ranges).map(|(run, range)| run.range(range)).collect();
        let end = step.min(merged + piece);
        merge(&firsts, &mut keys[merged..end], &mut values[merged..end], bits, compared);
        say(end)?;
        (merged, begins) = (end, ends);
    }
    Ok(begins)
}

/// Memory for this number of items of all, or for fewer if the system has no more.
fn memory<K: SortKey, V: SortValue>(
    mut room: usize,
    items: usize,
) -> Result<(Vec<K>, Vec<V>), Error> {
    loop {
        let both = || Ok((zeroed_vec(room)?, zeroed_vec(room)?));
        match both() {
            Err(Error::OutOfMemory { .. }) if room / 2 > items / LEAST_ROOM => room /= 2,
            result => return result,
        }
    }
}
