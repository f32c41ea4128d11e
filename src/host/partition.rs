//! Stable partition by a digit: histogram, exclusive scan, scatter.

use std::marker::PhantomData;

use bytemuck::Pod;
use rayon::prelude::*;

use super::columns::Columns;
use super::compare::{Comparison, Digit};
use crate::key::SortKey;

/// The smallest number of items that one thread takes. It is small under Miri, which is slow, so that several threads run there.
const CHUNK_MIN: usize = if cfg!(miri) { 150 } else { 1 << 15 };

/// A count or an offset for each bin. Bins past the digit's are empty.
pub(super) type Bins = [usize; Digit::MAX_BINS];

/// The number of items in each bin.
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

/// The exclusive scan of the counts: the offset of each bin. Small partitions have few bins, and access no others.
fn exclusive_scan(counts: &Bins, digit: Digit) -> Bins {
    let mut offsets = [0; Digit::MAX_BINS];
    let mut sum = 0;
    for (offset, count) in offsets.iter_mut().zip(counts).take(digit.bins()) {
        *offset = sum;
        sum += count;
    }
    offsets
}

/// Moves the items to their bins, which have the sizes `counts`. Items of equal digits keep their order.
pub(super) fn move_to_bins<K: SortKey, V: Pod + Send + Sync, const NAN_LAST: bool>(
    from: &Columns<'_, K, V>,
    to: &mut Columns<'_, K, V>,
    by: &Comparison<K, NAN_LAST>,
    digit: Digit,
    counts: &Bins,
) {
    let targets = Targets::of(to);
    assert!(from.len() == targets.length && from.values.len() == targets.length);
    let mut offsets = exclusive_scan(counts, digit);
    // SAFETY: `counts` is the histogram of exactly these keys by this digit, so the bins' ranges are disjoint and lie within
    // `to`, which is borrowed exclusively.
    unsafe { scatter(from.keys, from.values, &targets, by, digit, &mut offsets) };
}

/// Moves the items to their bins on all threads, and returns the number of items in each bin.
pub(super) fn parallel_partition<K: SortKey, V: Pod + Send + Sync, const NAN_LAST: bool>(
    from: &Columns<'_, K, V>,
    to: &mut Columns<'_, K, V>,
    by: &Comparison<K, NAN_LAST>,
    digit: Digit,
) -> Bins {
    let chunk = from.len().div_ceil(rayon::current_num_threads() * 2).max(CHUNK_MIN);
    let mut chunk_offsets: Vec<Bins> =
        from.keys.par_chunks(chunk).map(|keys| count(keys, by, digit)).collect();
    let mut counts = [0; Digit::MAX_BINS];
    let mut sum = 0;
    for bin in 0..digit.bins() {
        let bin_offset = sum;
        for offsets in &mut chunk_offsets {
            (offsets[bin], sum) = (sum, sum + offsets[bin]);
        }
        counts[bin] = sum - bin_offset;
    }
    let targets = Targets::of(to);
    assert!(from.len() == targets.length && from.values.len() == targets.length);
    let chunks = from.keys.par_chunks(chunk).zip(chunked(from.values, chunk, chunk_offsets.len()));
    chunks.zip(chunk_offsets).for_each(|((keys, values), mut offsets)| {
        // SAFETY: within each bin's range every chunk has a range of its own, as long as the chunk's count of this digit, which is
        // a pure function of these same keys. All ranges lie within `to`, which is borrowed exclusively.
        unsafe { scatter(keys, values, &targets, by, digit, &mut offsets) };
    });
    counts
}

/// The chunks of a slice. The items may be zero-sized.
fn chunked<V: Sync>(
    values: &[V],
    chunk: usize,
    chunks: usize,
) -> impl IndexedParallelIterator<Item = &[V]> {
    let chunk_at =
        move |index: usize| &values[index * chunk..values.len().min((index + 1) * chunk)];
    (0..chunks).into_par_iter().map(chunk_at)
}

/// The output of a partition, which several threads write at disjoint offsets.
struct Targets<'a, K, V> {
    keys: *mut K,
    values: *mut V,
    length: usize,
    columns: PhantomData<&'a mut (K, V)>,
}

// SAFETY: the pointers are into an exclusive borrow. Callers of `scatter` keep the offsets of the threads disjoint, and keys and
// values may be sent to other threads.
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

/// Writes each item to the next free slot of its bin.
///
/// # Safety
///
/// - `values` are as many as `keys`.
/// - From each bin's offset in `next` there are as many slots as keys of that digit. They lie within the targets, do not overlap
///   those of another bin, and no other thread accesses them.
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
        // SAFETY: the caller guarantees that the slot is within the targets and this thread's own.
        unsafe {
            targets.keys.add(*slot).write(*key);
            targets.values.add(*slot).write(*value);
        }
        *slot += 1;
    }
}
