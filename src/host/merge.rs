//! The stable merge of many runs, on several threads.

use std::ops::Range;

use super::splitters::divisions;
use super::threads;
use crate::error::Error;
use crate::key::KeyBits;
use crate::memory::{collected, with_room};

/// The smallest number of items that a thread merges at a time.
const PIECE_MIN: usize = threads::of_task(1 << 14);

/// The most pieces of a merge.
const PIECES_MAX: usize = 64;

/// The number of items that a thread copies at a time.
const COPIED: usize = threads::of_task(1 << 16);

/// Sorted keys, and their values.
#[derive(Clone, Copy)]
pub(crate) struct Run<'a, T, V> {
    pub(crate) keys: &'a [T],
    pub(crate) values: &'a [V],
}

impl<'a, T, V> Run<'a, T, V> {
    /// Some consecutive items.
    pub(crate) fn range(&self, range: Range<usize>) -> Self {
        let (keys, values): (&'a [T], &'a [V]) = (self.keys, self.values);
        Self { keys: &keys[range.clone()], values: &values[range] }
    }
}

/// A part of a merge's result, and the ranges of runs that its items come from.
pub(crate) struct Piece<'a, T, V> {
    pub(crate) runs: Vec<Run<'a, T, V>>,
    pub(crate) keys: &'a mut [T],
    pub(crate) values: &'a mut [V],
}

/// Merges runs that are sorted by their compared bits, which are zero outside of `bits`. Equal keys come in the order of their runs. There are
/// slots for all items, which are unchanged if there is no memory for the tables of a merge.
pub(crate) fn merge<T: Copy + Send + Sync, V: Copy + Send + Sync, B: KeyBits>(
    runs: &[Run<'_, T, V>],
    keys: &mut [T],
    values: &mut [V],
    bits: &Range<u32>,
    compared: &(impl Fn(T) -> B + Sync),
) -> Result<(), Error> {
    let n = keys.len();
    let items: usize = runs.iter().map(|run| run.keys.len()).sum();
    assert!(n == items && n == values.len());
    let pieces = (n / PIECE_MIN).clamp(1, PIECES_MAX);
    let mut merges = with_room(pieces)?;
    for piece in divided(runs, pieces, keys, values, bits, compared)? {
        let table = Table::of(&piece.runs, compared)?;
        merges.push((piece, table));
    }
    threads::run(n, &mut || {
        let is_parallel = threads::is_parallel(n);
        threads::for_each_chunk(&mut merges, 1, is_parallel, &|_, merges| {
            for (piece, table) in merges {
                piece.merge(table, compared);
            }
        });
    });
    Ok(())
}

/// Divides a merge into pieces of about as many items: as many as there are slots for, the first of all.
pub(crate) fn divided<'a, T: Copy, V, B: KeyBits>(
    runs: &[Run<'a, T, V>],
    pieces: usize,
    mut keys: &'a mut [T],
    mut values: &'a mut [V],
    bits: &Range<u32>,
    compared: &impl Fn(T) -> B,
) -> Result<Vec<Piece<'a, T, V>>, Error> {
    let n = keys.len();
    let targets = (1..=pieces).map(|piece| (n as u128 * piece as u128 / pieces as u128) as u64);
    let targets = collected(pieces, targets)?;
    let all = collected(runs.len(), runs.iter().map(|run| run.keys))?;
    let mut begins = collected(runs.len(), std::iter::repeat(0))?;
    let mut result = with_room(pieces)?;
    for ends in divisions(&all, &targets, bits, compared)? {
        let ranges = begins.iter().zip(&ends).map(|(begin, end)| *begin as usize..*end as usize);
        let ranges = runs.iter().zip(ranges).map(|(run, range)| run.range(range));
        let ranges = ranges.filter(|run| !run.keys.is_empty());
        let runs = collected(ranges.clone().count(), ranges)?;
        let length = runs.iter().map(|run| run.keys.len()).sum();
        let (piece_keys, other_keys) = keys.split_at_mut(length);
        let (piece_values, other_values) = values.split_at_mut(length);
        result.push(Piece { runs, keys: piece_keys, values: piece_values });
        (keys, values, begins) = (other_keys, other_values, ends);
    }
    Ok(result)
}

impl<'a, T, V> Piece<'a, T, V> {
    /// Slots, of which no run has the items.
    pub(crate) fn of(keys: &'a mut [T], values: &'a mut [V]) -> Self {
        Self { runs: Vec::new(), keys, values }
    }
}

impl<T: Copy + Send + Sync, V: Copy + Send + Sync> Piece<'_, T, V> {
    /// Copies the ranges of the runs into the slots, one after the other, on several threads.
    pub(crate) fn gather(&mut self) {
        let n = self.keys.len();
        threads::run(n, &mut || {
            let mut begin = 0;
            for run in &self.runs {
                let range = begin..begin + run.keys.len();
                copy(run.keys, &mut self.keys[range.clone()]);
                copy(run.values, &mut self.values[range.clone()]);
                begin = range.end;
            }
        });
    }
}

/// Copies items on several threads.
fn copy<T: Copy + Send + Sync>(from: &[T], to: &mut [T]) {
    let is_parallel = threads::is_parallel(from.len());
    threads::for_each_chunk(to, COPIED, is_parallel, &|number, to| {
        to.copy_from_slice(&from[number * COPIED..][..to.len()]);
    });
}

impl<T: Copy, V: Copy> Piece<'_, T, V> {
    fn merge<B: KeyBits>(&mut self, table: &mut Table<B>, compared: &impl Fn(T) -> B) {
        if let [run] = &self.runs[..] {
            self.keys.copy_from_slice(run.keys);
            self.values.copy_from_slice(run.values);
            return;
        }
        let Table { tree, next } = table;
        for (key, value) in self.keys.iter_mut().zip(&mut *self.values) {
            let first = tree.first();
            let (run, at) = (&self.runs[first], &mut next[first]);
            (*key, *value) = (run.keys[*at], run.values[*at]);
            *at += 1;
            tree.replace_first(run.keys.get(*at).map(|key| compared(*key)));
        }
    }
}

/// What a merge knows of its runs.
struct Table<B> {
    tree: Tree<B>,
    /// The item of each run that is merged next.
    next: Vec<usize>,
}

impl<B: KeyBits> Table<B> {
    fn of<T: Copy, V>(runs: &[Run<'_, T, V>], compared: &impl Fn(T) -> B) -> Result<Self, Error> {
        let heads = runs.iter().map(|run| run.keys.first().map(|key| compared(*key)));
        let tree = Tree::new(collected(runs.len(), heads)?)?;
        Ok(Self { tree, next: collected(runs.len(), std::iter::repeat(0))? })
    }
}

/// A tree of losers (Knuth, volume 3, 5.4.1): its leaves are the heads of runs, and each node has the run that lost there. `None` is the head of
/// a run that is used up, and comes last.
struct Tree<B> {
    heads: Vec<Option<B>>,
    /// The winner of all, and the loser of each node from 1 on. Node `node` is the parent of `2 * node` and `2 * node + 1`; those from
    /// the number of runs on are leaves.
    losers: Vec<usize>,
}

impl<B: KeyBits> Tree<B> {
    fn new(heads: Vec<Option<B>>) -> Result<Self, Error> {
        let runs = heads.len();
        let losers = collected(runs.max(1), std::iter::repeat(0))?;
        let mut tree = Self { heads, losers };
        let mut winners = collected(2 * runs, std::iter::repeat_n(0, runs).chain(0..runs))?;
        for node in (1..runs).rev() {
            let (one, other) = (winners[2 * node], winners[2 * node + 1]);
            let one_wins = tree.is_before(one, other);
            (winners[node], tree.losers[node]) = if one_wins { (one, other) } else { (other, one) };
        }
        tree.losers[0] = winners.get(1).copied().unwrap_or_default();
        Ok(tree)
    }

    /// Whether the head of one run comes before that of another.
    #[inline]
    fn is_before(&self, one: usize, other: usize) -> bool {
        match (self.heads[one], self.heads[other]) {
            (Some(head), Some(than)) => (head, one) < (than, other),
            (head, _) => head.is_some(),
        }
    }

    /// The run with the first head of all.
    #[inline]
    fn first(&self) -> usize {
        self.losers[0]
    }

    /// Replaces the first head by the next one of its run.
    #[inline]
    fn replace_first(&mut self, head: Option<B>) {
        let mut winner = self.losers[0];
        self.heads[winner] = head;
        let mut node = usize::midpoint(self.heads.len(), winner);
        while node > 0 {
            let loser = self.losers[node];
            if self.is_before(loser, winner) {
                self.losers[node] = winner;
                winner = loser;
            }
            node /= 2;
        }
        self.losers[0] = winner;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_any_number_and_length_are_merged_stably() {
        let mixed = |item: usize| (item as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let long = if cfg!(miri) { 40 } else { 20_000 };
        for (count, length) in [(0, 0), (1, 9), (2, 50), (3, 0), (5, 17), (8, 33), (9, long)] {
            let mut runs: Vec<Vec<(u16, u32)>> = Vec::new();
            for run in 0..count {
                // Runs of other lengths, with many equal keys.
                let key = |item: usize| (mixed(run * 100_000 + item) % 50) as u16;
                let mut items: Vec<(u16, u32)> = (0..length * (run % 3))
                    .map(|item| (key(item), (run << 24 | item) as u32))
                    .collect();
                items.sort_by_key(|item| item.0);
                runs.push(items);
            }
            let mut expected: Vec<(u16, u32)> = runs.concat();
            expected.sort_by_key(|item| item.0);
            let columns: Vec<(Vec<u16>, Vec<u32>)> =
                runs.into_iter().map(|run| run.into_iter().unzip()).collect();
            let runs: Vec<Run<'_, u16, u32>> =
                columns.iter().map(|(keys, values)| Run { keys, values }).collect();
            let (mut keys, mut values) = (vec![0; expected.len()], vec![0; expected.len()]);
            merge(&runs, &mut keys, &mut values, &(0..16), &|key| key).unwrap();
            let merged: Vec<(u16, u32)> = keys.into_iter().zip(values).collect();
            assert!(merged == expected, "{count} runs of {length}");
        }
    }
}
