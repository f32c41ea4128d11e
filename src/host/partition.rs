//! Stable partition by a digit: counting, and moving each item to its bin.

use std::marker::PhantomData;

use bytemuck::Pod;
use rayon::prelude::*;

use super::columns::Columns;
use super::compare::{Comparison, Digit};
use crate::key::SortKey;

/// Fewer items are not worth a thread of their own. Miri, which is slow, is to see several.
const CHUNK_MIN: usize = if cfg!(miri) { 150 } else { 1 << 15 };

/// A count, or a position, for each bin. Bins past the digit's are empty.
pub(super) type Bins = [usize; Digit::MAX_BINS];

/// How many items each bin has.
pub(super) fn count<K: SortKey, const NAN_LAST: bool>(
    keys: &[K],
    by: &Comparison<K, NAN_LAST>,
    digit: Digit,
) -> Bins {
    let mut counts = [0; Digit::MAX_BINS];
    for key in keys {
        counts[by.digit(*key, digit)] += 1;
    }
    counts
}

/// Turns counts into the positions at which their bins start. Small partitions have few bins, and touch
/// no others.
fn starts(counts: &Bins, digit: Digit) -> Bins {
    let mut starts = [0; Digit::MAX_BINS];
    let mut sum = 0;
    for (start, count) in starts.iter_mut().zip(counts).take(digit.bins()) {
        *start = sum;
        sum += count;
    }
    starts
}

/// Moves the items to their bins, which `counts` describes: equal digits in input order.
pub(super) fn move_to_bins<K: SortKey, V: Pod + Send + Sync, const NAN_LAST: bool>(
    from: &Columns<'_, K, V>,
    to: &mut Columns<'_, K, V>,
    by: &Comparison<K, NAN_LAST>,
    digit: Digit,
    counts: &Bins,
) {
    let targets = Targets::of(to);
    assert!(from.len() == targets.length && from.values.len() == targets.length);
    // SAFETY: `counts` are those of exactly these keys by this digit, so the bins' ranges are
    // disjoint and lie within `to`; nothing else has access to `to`.
    unsafe { scatter(from.keys, from.values, &targets, by, digit, &mut starts(counts, digit)) };
}

/// Moves the items to their bins on all threads, and returns how many each bin has.
pub(super) fn parallel_partition<K: SortKey, V: Pod + Send + Sync, const NAN_LAST: bool>(
    from: &Columns<'_, K, V>,
    to: &mut Columns<'_, K, V>,
    by: &Comparison<K, NAN_LAST>,
    digit: Digit,
) -> Bins {
    let chunk = from.len().div_ceil(rayon::current_num_threads() * 2).max(CHUNK_MIN);
    let mut chunk_starts: Vec<Bins> =
        from.keys.par_chunks(chunk).map(|keys| count(keys, by, digit)).collect();
    let mut counts = [0; Digit::MAX_BINS];
    let mut sum = 0;
    for bin in 0..digit.bins() {
        let bin_start = sum;
        for starts in &mut chunk_starts {
            (starts[bin], sum) = (sum, sum + starts[bin]);
        }
        counts[bin] = sum - bin_start;
    }
    let targets = Targets::of(to);
    assert!(from.len() == targets.length && from.values.len() == targets.length);
    let chunks = from.keys.par_chunks(chunk).zip(chunked(from.values, chunk, chunk_starts.len()));
    chunks.zip(chunk_starts).for_each(|((keys, values), mut starts)| {
        // SAFETY: within each bin's range every chunk has a range of its own, as long as the chunk's
        // count of this digit, which is a pure function of these same keys; all lie within `to`, to
        // which nothing else has access.
        unsafe { scatter(keys, values, &targets, by, digit, &mut starts) };
    });
    counts
}

/// The chunks of a slice, also where its items take no memory.
fn chunked<V: Sync>(
    values: &[V],
    chunk: usize,
    chunks: usize,
) -> impl IndexedParallelIterator<Item = &[V]> {
    let part = move |index: usize| &values[index * chunk..values.len().min((index + 1) * chunk)];
    (0..chunks).into_par_iter().map(part)
}

/// Where several threads write, each to slots of its own.
struct Targets<'a, K, V> {
    keys: *mut K,
    values: *mut V,
    length: usize,
    columns: PhantomData<&'a mut (K, V)>,
}

// SAFETY: the pointers are to slots of an exclusive borrow; who writes which slot is for the callers of
// `scatter` to keep apart, and keys and values may be sent to other threads.
unsafe impl<K: Send, V: Send> Sync for Targets<'_, K, V> {}

impl<'a, K, V> Targets<'a, K, V> {
    fn of(columns: &'a mut Columns<'_, K, V>) -> Self {
        Self {
            length: columns.keys.len().min(columns.values.len()),
            keys: columns.keys.as_mut_ptr(),
            values: columns.values.as_mut_ptr(),
            columns: PhantomData,
        }
    }
}

/// Writes each item to the next slot of its bin.
///
/// # Safety
///
/// - `values` are as many as `keys`.
/// - From each bin's start there are as many slots as keys of that digit; they lie within the
///   targets, do not overlap those of another bin, and no other thread uses them.
unsafe fn scatter<K: SortKey, V: Pod, const NAN_LAST: bool>(
    keys: &[K],
    values: &[V],
    targets: &Targets<'_, K, V>,
    by: &Comparison<K, NAN_LAST>,
    digit: Digit,
    next: &mut Bins,
) {
    for (key, value) in keys.iter().zip(values) {
        let slot = &mut next[by.digit(*key, digit)];
        debug_assert!(*slot < targets.length);
        // SAFETY: the caller says that the slot is within the targets and this thread's own.
        unsafe {
            targets.keys.add(*slot).write(*key);
            targets.values.add(*slot).write(*value);
        }
        *slot += 1;
    }
}
