//! Sorts of many lists, and the first k of each.

use std::sync::OnceLock;

use bytemuck::Pod;

use super::compare::Comparison;
use super::{number, scratch, sort_columns, threads, zeroed};
use crate::error::Error;
use crate::key::SortKey;
use crate::lists::Lists;
use crate::options::{SortOptions, TopKOptions};

/// The smallest number of items that one thread sorts, if several lists have as many.
const SHARE_MIN: usize = threads::of_task(1 << 13);

/// Sorts each list by itself, and moves each value with its key.
pub(crate) fn sort_lists<K: SortKey, V: Pod + Send + Sync>(
    keys: &mut [K],
    values: &mut [V],
    lists: &impl Lists,
    options: &SortOptions,
) -> Result<(), Error> {
    run(keys, values, lists, &Comparison::new(options)?)
}

/// Writes the positions within its list that each sorted key comes from. Items outside of the lists are left as they are.
pub(crate) fn argsort_lists<K: SortKey>(
    keys: &[K],
    positions: &mut [u32],
    lists: &impl Lists,
    options: &SortOptions,
) -> Result<(), Error> {
    for list in 0..lists.count() {
        number(&mut positions[lists.range(list)]);
    }
    scratch::with_copy(keys, |sorted| sort_lists(sorted, positions, lists, options))?
}

fn run<K: SortKey, V: Pod + Send + Sync>(
    keys: &mut [K],
    values: &mut [V],
    lists: &impl Lists,
    by: &Comparison<K>,
) -> Result<(), Error> {
    let items = keys.len();
    let mut columns = Columns { keys, values };
    let mut result = Ok(());
    threads::run(items, &mut || {
        let columns = columns.reborrow();
        let work = Work { columns, offset: 0, first: 0, end: lists.count() };
        result = if threads::is_parallel(items) {
            work.sort_on_threads(lists, by)
        } else {
            work.sort(lists, by)
        };
    });
    result
}

/// Keys and the same number of values.
struct Columns<'a, K, V> {
    keys: &'a mut [K],
    values: &'a mut [V],
}

impl<K, V> Columns<'_, K, V> {
    fn reborrow(&mut self) -> Columns<'_, K, V> {
        Columns { keys: &mut *self.keys, values: &mut *self.values }
    }

    /// The first `count` items and the others.
    fn split_at(self, count: usize) -> (Self, Self) {
        let (keys, other_keys) = self.keys.split_at_mut(count);
        let (values, other_values) = self.values.split_at_mut(count);
        (Self { keys, values }, Columns { keys: other_keys, values: other_values })
    }
}

/// Some consecutive lists, and the part of the array that they lie in.
struct Work<'a, K, V> {
    columns: Columns<'a, K, V>,
    /// Where this part begins in the array.
    offset: usize,
    first: usize,
    end: usize,
}

impl<K: SortKey, V: Pod + Send + Sync> Work<'_, K, V> {
    /// Sorts one list after the other.
    fn sort(mut self, lists: &impl Lists, by: &Comparison<K>) -> Result<(), Error> {
        (self.first..self.end).try_for_each(|list| {
            let range = lists.range(list);
            let range = range.start - self.offset..range.end - self.offset;
            let Columns { keys, values } = self.columns.reborrow();
            sort_columns(&mut keys[range.clone()], &mut values[range], by)
        })
    }

    /// Sorts halves of the items on two threads each, as long as that is worth it.
    fn sort_on_threads(self, lists: &impl Lists, by: &Comparison<K>) -> Result<(), Error> {
        let items = self.columns.keys.len();
        if self.end - self.first < 2 || items < 2 * SHARE_MIN {
            return self.sort(lists, by);
        }
        // The first list that begins in the second half of the items, so that a long list is alone in its half.
        let half = self.offset + items / 2;
        let begins_before = |list| lists.range(list).start < half;
        let middle = partition_point(self.first + 1..self.end - 1, begins_before);
        let cut = lists.range(middle).start;
        let (left, right) = self.columns.split_at(cut - self.offset);
        let left = Work { columns: left, offset: self.offset, first: self.first, end: middle };
        let right = Work { columns: right, offset: cut, first: middle, end: self.end };
        let [(mut left, mut left_result), (mut right, mut right_result)] =
            [left, right].map(|work| (Some(work), Ok(())));
        let sort = |work: &mut Option<Self>| {
            work.take().map_or(Ok(()), |work| work.sort_on_threads(lists, by))
        };
        threads::join(&mut || left_result = sort(&mut left), &mut || {
            right_result = sort(&mut right);
        });
        left_result.and(right_result)
    }
}

/// The first number of a range, or its end, for which `is_before` is false; it is true for those before, and for no later one.
fn partition_point(range: std::ops::Range<usize>, is_before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (range.start, range.end);
    while low < high {
        let middle = low.midpoint(high);
        if is_before(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// Writes the positions within its list of the first k keys of each list in the order of the sort, k for each list. Each list
/// has at least k keys.
pub(crate) fn top_k_lists<K: SortKey>(
    keys: &[K],
    positions: &mut [u32],
    lists: &impl Lists,
    k: usize,
    options: &TopKOptions,
) -> Result<(), Error> {
    let (sort, is_sorted) = (options.sort(), options.is_sorted());
    if k == 0 {
        return sort.bits_of::<K>().map(drop);
    }
    top_k(keys, positions, lists, (k, is_sorted), &Comparison::new(sort)?)
}

/// The keys or values at positions within their lists, k for each list.
pub(crate) fn items_of_lists<'a, T: Copy>(
    items: &'a [T],
    positions: &'a [u32],
    lists: &'a impl Lists,
    k: usize,
) -> impl Iterator<Item = T> + 'a {
    let of_list = positions.chunks(k.max(1)).enumerate();
    of_list.flat_map(move |(list, positions)| {
        let items = &items[lists.range(list)];
        positions.iter().map(|position| items[*position as usize])
    })
}

fn top_k<K: SortKey>(
    keys: &[K],
    positions: &mut [u32],
    lists: &impl Lists,
    (k, is_sorted): (usize, bool),
    by: &Comparison<K>,
) -> Result<(), Error> {
    let failure = OnceLock::new();
    let select = |list: usize, results: &mut [u32]| -> Result<(), Error> {
        let keys = &keys[lists.range(list)];
        let mut all = zeroed(keys.len())?;
        number(&mut all);
        // Equal keys compare by their positions, so that no two are equal and the result does not depend on the algorithm.
        let rank = |position: &u32| (by.compared(by.stored(keys[*position as usize])), *position);
        let first = if k < all.len() {
            all.select_nth_unstable_by_key(k, rank);
            &mut all[..k]
        } else {
            &mut all[..]
        };
        if is_sorted {
            first.sort_unstable_by_key(rank);
        } else {
            first.sort_unstable();
        }
        results.copy_from_slice(first);
        Ok(())
    };
    threads::run(keys.len(), &mut || {
        let is_parallel = threads::is_parallel(keys.len());
        threads::for_each_chunk(positions, k, is_parallel, &|list, results| {
            if failure.get().is_none()
                && let Err(error) = select(list, results)
            {
                // Any of several failures is the result.
                let _ = failure.set(error);
            }
        });
    });
    failure.into_inner().map_or(Ok(()), Err)
}
