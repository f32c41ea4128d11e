//! Keys that are in order, or in the opposite order, all of them or most.

use std::sync::{Mutex, PoisonError};

use super::compare::Comparison;
use super::items::{Columns, Pairs, Sink, Source};
use super::threads::{self, first_untrue, for_each, is_parallel, is_parallel_scan};
use crate::key::SortKey;

/// The number of keys that are compared at once.
const BLOCK: usize = 64;
/// The number of keys that a thread compares at once.
const CHUNK: usize = threads::of_task(1 << 14);
/// If the items behind a run are no more than one in this number, they are searched for in it.
const FEW: usize = 8;
/// The most runs that are merged: more take longer than a sort.
const MAX_RUNS: usize = 8;

/// What is known of the order of keys.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Run {
    InOrder,
    /// All keys but some last ones are in order: this number of them.
    MostInOrder(usize),
    /// Several runs are in order, for several threads.
    InRuns(Runs),
    Reversed,
    /// Neither, or not known.
    Unordered,
}

/// A few runs of keys, each in order and one behind the other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Runs {
    begins: [usize; MAX_RUNS],
    count: usize,
}

impl Runs {
    /// Where the runs begin.
    pub(super) fn begins(&self) -> &[usize] {
        &self.begins[..self.count]
    }
}

/// The order of the keys, if they have one: of keys in any order the first few tell that they have none. There is at least one key.
pub(super) fn of<K: SortKey>(keys: &[K], by: &Comparison<K>) -> Run {
    // Without instructions for what keys do not need.
    if by.is_identity() && by.is_total() {
        of_compared(keys, K::to_ordered_bits)
    } else {
        of_compared(keys, |key| by.compared(by.stored(key)))
    }
}

fn of_compared<K: SortKey>(keys: &[K], compared: impl Fn(K) -> K::Bits + Sync) -> Run {
    let neighbours = keys.len() - 1;
    let in_order = run(keys, &compared, &|one, next| one <= next);
    if in_order == neighbours {
        Run::InOrder
    } else if neighbours - in_order <= neighbours / FEW {
        Run::MostInOrder(in_order + 1)
    } else if run(keys, &compared, &|one, next| one >= next) == neighbours {
        Run::Reversed
    } else if in_order >= BLOCK && is_parallel(keys.len()) {
        runs(keys, &compared).map_or(Run::Unordered, Run::InRuns)
    } else {
        Run::Unordered
    }
}

/// The runs that the keys consist of, if they are few.
fn runs<K: SortKey>(keys: &[K], compared: &(impl Fn(K) -> K::Bits + Sync)) -> Option<Runs> {
    let neighbours = keys.len() - 1;
    let descents = Mutex::new(Vec::with_capacity(MAX_RUNS));
    let few = first_untrue(neighbours.div_ceil(CHUNK), &|number| {
        let (mut begin, end) = (number * CHUNK, neighbours.min((number + 1) * CHUNK));
        loop {
            begin += run_in(&keys[begin..=end], compared, &|one, next| one <= next);
            if begin == end {
                return true;
            }
            begin += 1;
            let mut descents = descents.lock().unwrap_or_else(PoisonError::into_inner);
            descents.push(begin);
            if descents.len() >= MAX_RUNS {
                return false;
            }
        }
    });
    if few.is_some() {
        return None;
    }
    let mut found = descents.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_unstable();
    let mut begins = [0; MAX_RUNS];
    begins[1..=found.len()].copy_from_slice(&found);
    Some(Runs { begins, count: found.len() + 1 })
}

/// The number of neighbours at the beginning that this holds for.
fn run<K: SortKey>(
    keys: &[K],
    compared: &(impl Fn(K) -> K::Bits + Sync),
    holds: &(impl Fn(K::Bits, K::Bits) -> bool + Sync),
) -> usize {
    let neighbours = keys.len() - 1;
    let in_chunk = |begin: usize, end: usize| run_in(&keys[begin..=end], compared, holds);
    let first = BLOCK.min(neighbours);
    let in_first = in_chunk(0, first);
    if in_first < first {
        return in_first;
    }
    if !is_parallel_scan(keys.len()) {
        return in_chunk(0, neighbours);
    }
    let chunk = |number: usize| (number * CHUNK, neighbours.min((number + 1) * CHUNK));
    let first_other = first_untrue(neighbours.div_ceil(CHUNK), &|number| {
        let (begin, end) = chunk(number);
        in_chunk(begin, end) == end - begin
    });
    first_other.map_or(neighbours, |number| {
        let (begin, end) = chunk(number);
        begin + in_chunk(begin, end)
    })
}

/// The number of neighbours at the beginning that this holds for.
fn run_in<K: SortKey>(
    keys: &[K],
    compared: &impl Fn(K) -> K::Bits,
    holds: &impl Fn(K::Bits, K::Bits) -> bool,
) -> usize {
    let mut complete = 0;
    // Several keys of a register at once, without a branch for each; few large ones fit one.
    if size_of::<K>() < size_of::<u64>() {
        let next = &keys[1..];
        let in_block = |(keys, next): &(&[K], &[K])| {
            let pairs = keys.iter().zip(*next);
            pairs.fold(true, |all, (one, next)| all & holds(compared(*one), compared(*next)))
        };
        let blocks = keys[..next.len()].chunks(BLOCK).zip(next.chunks(BLOCK));
        complete = (blocks.take_while(in_block).count() * BLOCK).min(next.len());
    }
    let mut before = compared(keys[complete]);
    let rest = keys[complete + 1..].iter().take_while(|key| {
        let one = std::mem::replace(&mut before, compared(**key));
        holds(one, before)
    });
    complete + rest.count()
}

/// Sorts values of keys that are in the opposite order and will be reversed: reverses them, and keeps the order of those of equal keys.
pub(super) fn reverse_values<K: SortKey, V: Send>(
    keys: &[K],
    values: &mut [V],
    by: &Comparison<K>,
) {
    if size_of::<V>() == 0 {
        return;
    }
    threads::reverse(values);
    let last = keys.len() - 1;
    let compared = |slot: usize| by.compared(by.stored(keys[last - slot]));
    threads::reverse_runs(values, &|slot| compared(slot) == compared(slot - 1));
}

/// Sorts keys that are in the opposite order.
pub(super) fn reverse_keys<K: SortKey>(keys: &mut [K], by: &Comparison<K>) {
    threads::reverse(keys);
    let compared = |key: &K| by.compared(by.stored(*key));
    // Keys that compare as equal may differ: zeros of both signs, or many.
    if let Some(zero) = by.only_tie() {
        let begin = keys.partition_point(|key| compared(key) < zero);
        let zeros = keys[begin..].partition_point(|key| compared(key) == zero);
        threads::reverse(&mut keys[begin..begin + zeros]);
    } else if !by.is_total() {
        let equal = keys.chunk_by_mut(|one, next| compared(one) == compared(next));
        equal.for_each(<[K]>::reverse);
    }
}

/// Merges the first items, of which there are as many as `first`, with the others, which are few: both are in order. Equal ones of the
/// first come first. The scratch is for the others.
///
/// # Safety
///
/// `items` hold keys and values. `scratch` has as many slots as there are others, and overlaps no item. Nothing else accesses either.
pub(super) unsafe fn merge<K: SortKey, V: Copy + Send + Sync>(
    items: Columns<K, V>,
    mut first: usize,
    scratch: Pairs<K, V>,
    by: &Comparison<K>,
) {
    let compared = |key: K| by.compared(by.stored(key));
    // SAFETY: the slots are less than the numbers of items. Items are moved backwards, from the last slot on.
    unsafe {
        (0..scratch.length).for_each(|slot| scratch.write(slot, items.read(first + slot)));
        for others in (0..scratch.length).rev() {
            let other = scratch.read(others);
            let bound = compared(other.0);
            let keys = std::slice::from_raw_parts(items.keys, first);
            let less = first - greater_at_end(keys, |key| compared(*key) > bound);
            items.move_within(less, less + others + 1, first - less);
            first = less;
            items.write(first + others, other);
        }
    }
}

/// The same of many items, on several threads. The scratch is for all of them.
///
/// # Safety
///
/// As for [`merge`], of a scratch with as many slots as there are items.
pub(super) unsafe fn merge_on_threads<K: SortKey, V: Copy + Send + Sync>(
    items: Columns<K, V>,
    first: usize,
    scratch: Pairs<K, V>,
    by: &Comparison<K>,
) {
    let n = items.length;
    let chunk = |number: usize| number * CHUNK..n.min((number + 1) * CHUNK);
    for_each(n.div_ceil(CHUNK), true, &|number| {
        // SAFETY: the slots are of both, and those of a chunk are one task's.
        chunk(number).for_each(|slot| unsafe { scratch.write(slot, items.read(slot)) });
    });
    // SAFETY: all slots hold items, which are only read from here on.
    let read = |slot: usize| unsafe { scratch.read(slot) };
    let compared = |slot: usize| by.compared(by.stored(read(slot).0));
    for_each(n.div_ceil(CHUNK), true, &|number| {
        let slots = chunk(number);
        let mut one = firsts_among(slots.start, first, n, &compared);
        let mut other = first + slots.start - one;
        for slot in slots {
            let is_first = other == n || (one < first && compared(one) <= compared(other));
            let next = if is_first { &mut one } else { &mut other };
            // SAFETY: the slots of a chunk are one task's.
            unsafe { items.write(slot, read(*next)) };
            *next += 1;
        }
    });
}

/// How many of a merge's first `merged` items are among the first of its runs, by the compared bits of all slots.
fn firsts_among<B: PartialOrd>(
    merged: usize,
    first: usize,
    n: usize,
    compared: &impl Fn(usize) -> B,
) -> usize {
    let (mut least, mut most) = (merged.saturating_sub(n - first), merged.min(first));
    while least < most {
        let middle = least.midpoint(most);
        // Equal ones of the first run come first.
        if compared(middle) <= compared(first + merged - middle - 1) {
            least = middle + 1;
        } else {
            most = middle;
        }
    }
    least
}

/// The number of keys at the end that are greater, of keys in order, by about twice as many comparisons as that number has bits.
fn greater_at_end<K>(keys: &[K], is_greater: impl Fn(&K) -> bool) -> usize {
    let mut step = 1;
    while step <= keys.len() && is_greater(&keys[keys.len() - step]) {
        step *= 2;
    }
    let begin = keys.len() - step.min(keys.len());
    keys.len() - begin - keys[begin..].partition_point(|key| !is_greater(key))
}
