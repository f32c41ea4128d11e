//! Stable partition by an upper digit of bits: histogram, exclusive scan, scatter.
//!
//! Each thread takes a chunk of the items.

use super::compare::Comparison;
use super::items::{Item, Pairs, Sink, Source};
use super::lines::{Lines, Offsets};
use super::threads::{for_each_chunk, of_sort, of_task};
use super::upper::{Buckets, MAX_BUCKETS};
use crate::key::SortKey;

/// The smallest number of items that one thread takes.
const CHUNK_MIN: usize = of_task(1 << 13);
/// Chunks for each thread, so that one that is interrupted delays the others little.
const CHUNKS_PER_THREAD: usize = 4;
/// The number of items that are read before one of them is written.
const UNROLLED: usize = 4;

/// The number of items in each bucket.
///
/// # Safety
///
/// The source holds items, which nothing else writes.
unsafe fn count<K: SortKey, V>(
    from: impl Source<K::Bits, V>,
    by: &Comparison<K>,
    buckets: impl Buckets<K::Bits>,
) -> Offsets {
    // A copy that no store of the loop can change.
    let by = *by;
    // Two histograms, because an addition waits for the last one to the same counter.
    let mut even = [0; MAX_BUCKETS];
    let mut odd = [0; MAX_BUCKETS];
    // SAFETY: the slots are less than the length.
    let bucket = |slot: usize| unsafe { buckets.of(by.compared(from.bits(slot))) % MAX_BUCKETS };
    let mut slot = 0;
    while slot + 4 <= from.length() {
        let [a, b, c, d] = [bucket(slot), bucket(slot + 1), bucket(slot + 2), bucket(slot + 3)];
        even[a] += 1;
        odd[b] += 1;
        even[c] += 1;
        odd[d] += 1;
        slot += 4;
    }
    for slot in slot..from.length() {
        even[bucket(slot)] += 1;
    }
    add(&mut even, &odd);
    even
}

fn add(counts: &mut Offsets, others: &Offsets) {
    counts.iter_mut().zip(others).for_each(|(count, other)| *count += other);
}

/// Moves the items of `from` to buckets in `to`, and returns the end of each bucket.
///
/// # Safety
///
/// `from` holds items. `to` has as many slots, and does not overlap it. Nothing else accesses either.
pub(super) unsafe fn partition<K: SortKey, V: Copy + Send + Sync>(
    from: impl Source<K::Bits, V>,
    to: Pairs<K::Bits, V>,
    by: &Comparison<K>,
    buckets: impl Buckets<K::Bits>,
) -> Vec<usize> {
    let items = from.length();
    let threads = of_sort::<K, V>(items);
    let mut chunk = if threads > 1 {
        items.div_ceil(threads * CHUNKS_PER_THREAD).max(CHUNK_MIN)
    } else {
        items
    };
    let mut offsets: Vec<Offsets> = Vec::new();
    if offsets.try_reserve_exact(items.div_ceil(chunk)).is_err() {
        // Items may have moved, so this is no time for an error: one thread needs the least memory.
        chunk = items;
    }
    offsets.resize(items.div_ceil(chunk), [0; MAX_BUCKETS]);
    let is_parallel = chunk < items;
    // SAFETY: each chunk lies within the items.
    let part = |index: usize| unsafe {
        let begin = index * chunk;
        from.range(begin, chunk.min(items - begin))
    };
    for_each_chunk(&mut offsets, 1, is_parallel, &|index, offsets| {
        // SAFETY: nothing writes the items before all have been counted.
        offsets[0] = unsafe { count(part(index), by, buckets) };
    });
    let ends = exclusive_scan(&mut offsets, buckets.count());
    for_each_chunk(&mut offsets, 1, is_parallel, &|index, offsets| {
        // SAFETY: within each bucket every chunk has a range of its own, as long as the chunk's count, which is a pure function of
        // these same keys. All ranges lie within `to`.
        unsafe {
            match Lines::for_buckets(to, buckets.count()) {
                Some(lines) => scatter_lines(part(index), by, buckets, &mut offsets[0], lines),
                None => scatter(part(index), to, by, buckets, &mut offsets[0]),
            }
        }
    });
    ends
}

/// Moves each item to the next slot of its bucket.
///
/// # Safety
///
/// `from` holds items. In `to`, from each bucket's offset in `next`, there are as many slots as keys of that bucket, which do not
/// overlap those of another one or of `from`, and which nothing else accesses.
unsafe fn scatter<K: SortKey, V: Copy + Send + Sync>(
    from: impl Source<K::Bits, V>,
    to: Pairs<K::Bits, V>,
    by: &Comparison<K>,
    buckets: impl Buckets<K::Bits>,
    next: &mut Offsets,
) {
    // SAFETY: as the caller guarantees.
    unsafe {
        for_each_item(from, by, buckets, |item, bucket| {
            to.write(next[bucket], item);
            next[bucket] += 1;
        });
    }
}

/// Runs this with each item and its bucket, in order.
///
/// # Safety
///
/// The source holds items, which nothing else writes.
#[inline]
unsafe fn for_each_item<K: SortKey, V: Copy>(
    from: impl Source<K::Bits, V>,
    by: &Comparison<K>,
    buckets: impl Buckets<K::Bits>,
    mut run: impl FnMut(Item<K::Bits, V>, usize),
) {
    // A copy that no store can change.
    let by = *by;
    let read = |slot: usize| {
        // SAFETY: the slots are less than the length.
        let item = unsafe { from.read(slot) };
        (item, buckets.of(by.compared(item.0)) % MAX_BUCKETS)
    };
    let length = from.length();
    let mut slot = 0;
    while slot + UNROLLED <= length {
        let items: [_; UNROLLED] = [read(slot), read(slot + 1), read(slot + 2), read(slot + 3)];
        for (item, bucket) in items {
            run(item, bucket);
        }
        slot += UNROLLED;
    }
    for slot in slot..length {
        let (item, bucket) = read(slot);
        run(item, bucket);
    }
}

/// Moves each item to the next slot of its bucket, by way of lines.
///
/// # Safety
///
/// As for [`scatter`], with the items of the lines.
unsafe fn scatter_lines<K: SortKey, V: Copy + Send + Sync>(
    from: impl Source<K::Bits, V>,
    by: &Comparison<K>,
    buckets: impl Buckets<K::Bits>,
    next: &mut Offsets,
    mut lines: Lines<K::Bits, V>,
) {
    let first = *next;
    // SAFETY: as the caller guarantees; the bucket is one of those that there are lines for.
    unsafe {
        for_each_item(from, by, buckets, |item, bucket| {
            lines.push(bucket, next[bucket], item, &first);
            next[bucket] += 1;
        });
    }
    for bucket in 0..buckets.count() {
        // SAFETY: as the caller guarantees.
        unsafe { lines.flush(bucket, first[bucket]..next[bucket]) };
    }
}

/// Replaces the counts of all chunks by their exclusive scan, bucket by bucket, and returns the end of each bucket.
fn exclusive_scan(chunks: &mut [Offsets], buckets: usize) -> Vec<usize> {
    let mut sum = 0;
    let scan_bucket = |bucket: usize| {
        for offsets in &mut *chunks {
            (offsets[bucket], sum) = (sum, sum + offsets[bucket]);
        }
        sum
    };
    (0..buckets).map(scan_bucket).collect()
}
