//! Sorts on the CPU.

pub(crate) mod binned;
mod buckets;
pub(crate) mod compare;
mod digits;
mod few;
pub(crate) mod helpers;
mod items;
mod lines;
pub(crate) mod lists;
mod lsd;
pub(crate) mod merge;
mod order;
mod partition;
mod passes;
mod scratch;
mod spares;
pub(crate) mod splitters;
mod team;
pub(crate) mod threads;
mod upper;

use std::mem::MaybeUninit;

use bytemuck::Pod;

use crate::algorithm::ArrayAlgorithm;
use crate::error::Error;
use crate::key::SortKey;
use crate::memory::with_room;
use crate::options::SortOptions;
use buckets::Moves;
use compare::Comparison;
use items::{Columns, Given, Numbered, Source};
use sortsmith_codegen::Order;
use spares::Spares;

/// The largest number of items that insertion sorts.
const INSERTION_MAX: usize = 32;

/// Values of more bytes do not move in each pass: positions do, and the values are gathered once. docs/performance-notes.md has the
/// measurements.
const MOVED_MAX_BYTES: usize = 64;

/// The largest number of items that `u32` positions can number.
const POSITIONS_MAX: u64 = 1 << 32;

/// The number of positions that one thread sets at a time.
const NUMBERED: usize = threads::of_task(1 << 15);

/// The smallest number of large values that one thread gathers.
const GATHERED_MIN: usize = threads::of_task(1 << 10);

/// Sorts keys, and moves each value with its key. `()` values take no time and no memory.
pub(crate) fn sort_pairs<K: SortKey, V: Pod + Send + Sync>(
    keys: &mut [K],
    values: &mut [V],
    options: &SortOptions,
) -> Result<(), Error> {
    sort_columns(keys, values, &Comparison::new(options)?)?;
    if const { size_of::<V>() == 0 } && options.get_algorithm() == ArrayAlgorithm::Bitonic {
        order_zeros(keys, options.get_order());
    }
    Ok(())
}

/// Orders zeros of both signs, which are adjacent in sorted keys, by all of their bits, as a network does.
fn order_zeros<K: SortKey>(keys: &mut [K], order: Order) {
    // Only −0.0 is compared by other bits than its own.
    let is_negative_zero = |key: &K| key.to_compared_bits() != key.to_ordered_bits();
    let Some(one) = keys.iter().position(is_negative_zero) else { return };
    let zero = keys[one].to_compared_bits();
    let is_zero = |key: &&K| key.to_compared_bits() == zero;
    let before = keys[..one].iter().rev().take_while(is_zero).count();
    let zeros = before + keys[one..].iter().take_while(is_zero).count();
    let zeros = &mut keys[one - before..][..zeros];
    zeros.sort_unstable_by_key(|key| key.to_ordered_bits());
    if order == Order::Descending {
        zeros.reverse();
    }
}

/// Writes the positions that sorted keys come from. There are at most 2³² keys, and as many positions.
pub(crate) fn argsort_into<K: SortKey>(
    keys: &[K],
    positions: &mut [u32],
    options: &SortOptions,
) -> Result<(), Error> {
    argsort_by(keys, positions, &Comparison::new(options)?)
}

fn argsort_by<K: SortKey>(
    keys: &[K],
    positions: &mut [u32],
    by: &Comparison<K>,
) -> Result<(), Error> {
    use order::Run::{InOrder, InRuns, MostInOrder, Reversed, Unordered};
    assert!(keys.len() == positions.len());
    let mut result = Ok(());
    threads::run(keys.len(), &mut || {
        let order = if keys.len() > INSERTION_MAX { order::of(keys, by) } else { Unordered };
        match order {
            InOrder => number(positions),
            Reversed => {
                number(positions);
                order::reverse_values(keys, positions, by);
            }
            MostInOrder(first) => {
                number(positions);
                let sort = |keys: &mut [K]| sort_and_merge(keys, positions, first, by);
                result = scratch::with_copy(keys, sort).and_then(|result| result);
            }
            InRuns(runs) => {
                number(positions);
                let merge = |keys: &mut [K]| merge_runs(keys, positions, &runs, by);
                result = scratch::with_copy(keys, merge).and_then(|result| result);
            }
            Unordered => result = argsort_moved(keys, positions, by),
        }
    });
    result
}

/// Sorts keys with their positions, and leaves the positions.
fn argsort_moved<K: SortKey>(
    keys: &[K],
    positions: &mut [u32],
    by: &Comparison<K>,
) -> Result<(), Error> {
    let n = keys.len();
    let (threads, spare) = buckets::spare_items::<K, u32>(n);
    scratch::with_memory(n + spare, n + spare, |sorted: *mut K::Bits, memory| {
        let sorted = sorted.cast::<K>();
        let to = Columns { keys: sorted, values: positions.as_mut_ptr(), length: n };
        // SAFETY: the positions are borrowed exclusively, and the scratch is this closure's own. Behind memory for all keys there is some
        // for those of the spare buffers.
        unsafe {
            let spares = Spares::new(memory.range(n, spare), threads);
            let unwanted_keys = Some(sorted.add(n));
            let moves = Moves { by, spares, unwanted_keys };
            moves.sort(Numbered::new(keys, by), to, memory.range(0, n));
        }
    })
}

/// Sets each position to its index, on several threads if there are many.
pub(crate) fn number(positions: &mut [u32]) {
    threads::run(positions.len(), &mut || {
        let is_parallel = threads::is_parallel_scan(positions.len());
        threads::for_each_chunk(positions, NUMBERED, is_parallel, &|chunk, positions| {
            let numbered = positions.iter_mut().zip(chunk * NUMBERED..);
            numbered.for_each(|(position, index)| *position = index as u32);
        });
    });
}

/// Allocates `length` positions.
pub(crate) fn positions(length: usize) -> Result<Vec<u32>, Error> {
    zeroed(length).map(<[u32]>::into_vec)
}

fn sort_columns<K: SortKey, V: Pod + Send + Sync>(
    keys: &mut [K],
    values: &mut [V],
    by: &Comparison<K>,
) -> Result<(), Error> {
    if keys.len() <= INSERTION_MAX {
        return sort_moved(keys, values, by);
    }
    let mut result = Ok(());
    threads::run(keys.len(), &mut || result = sort_many(keys, values, by));
    result
}

/// Sorts more items than an insertion sort takes.
fn sort_many<K: SortKey, V: Pod + Send + Sync>(
    keys: &mut [K],
    values: &mut [V],
    by: &Comparison<K>,
) -> Result<(), Error> {
    match order::of(keys, by) {
        order::Run::InOrder => Ok(()),
        order::Run::Reversed => {
            order::reverse_values(keys, values, by);
            order::reverse_keys(keys, by);
            Ok(())
        }
        _ if const { size_of::<V>() > MOVED_MAX_BYTES } && keys.len() as u64 <= POSITIONS_MAX => {
            sort_by_position(keys, values, by)
        }
        order::Run::MostInOrder(first) => sort_and_merge(keys, values, first, by),
        order::Run::InRuns(runs) => merge_runs(keys, values, &runs, by),
        order::Run::Unordered => sort_moved(keys, values, by),
    }
}

/// Merges runs that are each in order.
fn merge_runs<K: SortKey, V: Pod + Send + Sync>(
    keys: &mut [K],
    values: &mut [V],
    runs: &order::Runs,
    by: &Comparison<K>,
) -> Result<(), Error> {
    let ends = runs.begins().iter().skip(1).copied().chain([keys.len()]);
    let ranges: Vec<_> = runs.begins().iter().copied().zip(ends).collect();
    let merged = scratch::from_copy(keys, |from_keys, keys| {
        scratch::from_copy(values, |from_values, values| {
            let run = |(begin, end): &(usize, usize)| merge::Run {
                keys: &from_keys[*begin..*end],
                values: &from_values[*begin..*end],
            };
            let runs: Vec<merge::Run<'_, K, V>> = ranges.iter().map(run).collect();
            let bits = 0..K::KEY_TYPE.bits();
            merge::merge(&runs, keys, values, &bits, &|key| by.compared(by.stored(key)))
        })
    });
    merged??
}

/// Sorts the last items, behind the first ones, which are in order and most, and merges both.
fn sort_and_merge<K: SortKey, V: Pod + Send + Sync>(
    keys: &mut [K],
    values: &mut [V],
    first: usize,
    by: &Comparison<K>,
) -> Result<(), Error> {
    let (n, others) = (keys.len(), keys.len() - first);
    let is_shared = threads::are_many(n);
    scratch::with_memory(0, if is_shared { n } else { others }, |_: *mut K, memory| {
        let (keys_behind, values_behind) = (&mut keys[first..], &mut values[first..]);
        if others <= INSERTION_MAX {
            sort_moved(keys_behind, values_behind, by)?;
        } else {
            sort_many(keys_behind, values_behind, by)?;
        }
        let columns = Columns::of(keys, values);
        // SAFETY: the items are borrowed exclusively, and the scratch is this closure's own.
        unsafe {
            if is_shared {
                order::merge_on_threads(columns, first, memory, by);
            } else {
                order::merge(columns, first, memory, by);
            }
        }
        Ok(())
    })?
}

/// Sorts items by moving them.
fn sort_moved<K: SortKey, V: Pod + Send + Sync>(
    keys: &mut [K],
    values: &mut [V],
    by: &Comparison<K>,
) -> Result<(), Error> {
    let columns = Columns::of(keys, values);
    let n = columns.length;
    let (threads, spare) = buckets::spare_items::<K, V>(n);
    scratch::with_memory(0, n + spare, |_, memory| {
        // SAFETY: the items are borrowed exclusively, and the scratch is this closure's own.
        unsafe {
            let spares = Spares::new(memory.range(n, spare), threads);
            let moves = Moves { by, spares, unwanted_keys: None };
            moves.sort(Given { columns, by }, columns, memory.range(0, n));
        }
    })
}

/// Sorts positions with the keys, and gathers the values by them.
fn sort_by_position<K: SortKey, V: Pod + Send + Sync>(
    keys: &mut [K],
    values: &mut [V],
    by: &Comparison<K>,
) -> Result<(), Error> {
    let n = keys.len();
    let mut positions = zeroed(n)?;
    number(&mut positions);
    let mut copy: Vec<V> = with_room(n)?;
    sort_moved(keys, &mut positions[..], by)?;
    let copy = &mut copy.spare_capacity_mut()[..n];
    let is_parallel = threads::is_parallel(n);
    let of_chunk = |number: usize| number * GATHERED_MIN..n.min((number + 1) * GATHERED_MIN);
    let gather = |number: usize, copy: &mut [MaybeUninit<V>]| {
        for (to, position) in copy.iter_mut().zip(&positions[of_chunk(number)]) {
            to.write(values[*position as usize]);
        }
    };
    threads::for_each_chunk(copy, GATHERED_MIN, is_parallel, &gather);
    // SAFETY: each value of the copy has been written.
    let copy = unsafe { &*(std::ptr::from_ref(copy) as *const [V]) };
    threads::for_each_chunk(values, GATHERED_MIN, is_parallel, &|number, to| {
        to.copy_from_slice(&copy[of_chunk(number)]);
    });
    Ok(())
}

/// Zeroed items, in huge pages if they are many.
pub(crate) fn zeroed_vec<T: bytemuck::Zeroable>(length: usize) -> Result<Vec<T>, Error> {
    let bytes = length.saturating_mul(size_of::<T>());
    let zeroed = bytemuck::allocation::try_zeroed_vec(length);
    let mut zeroed: Vec<T> = zeroed.map_err(|()| Error::OutOfMemory { bytes })?;
    scratch::advise_huge_pages(zeroed.as_mut_ptr().cast(), bytes);
    Ok(zeroed)
}

/// Memory that the system zeroes, which costs nothing before its first access.
fn zeroed(length: usize) -> Result<Box<[u32]>, Error> {
    bytemuck::allocation::try_zeroed_slice_box(length)
        .map_err(|()| Error::OutOfMemory { bytes: length.saturating_mul(size_of::<u32>()) })
}

#[cfg(test)]
mod tests;
