//! Stable partition by an upper digit of bits: histogram, exclusive scan, scatter.
//!
//! Each thread takes a chunk of the items.

use super::compare::Comparison;
use super::digits::{MAX_BINS, UpperDigit};
use super::slots::Slots;
use super::threads::{for_each_chunk, is_parallel};
use crate::key::SortKey;

/// The smallest number of items that one thread takes. It is small under Miri, which is slow, so that several threads run there.
const CHUNK_MIN: usize = if cfg!(miri) { 150 } else { 1 << 14 };
/// Chunks for each thread, so that one that is interrupted delays the others little.
const CHUNKS_PER_THREAD: usize = 4;

/// A count or an offset for each bucket. The entries past the upper digit's last bucket are unused.
pub(super) type Offsets = [usize; MAX_BINS];

/// The number of items in each bucket.
fn count<K: SortKey, const NAN_LAST: bool>(
    keys: &[K],
    by: &Comparison<K, NAN_LAST>,
    digit: UpperDigit<K::Bits>,
) -> Offsets {
    // Two histograms, because an addition waits for the last one to the same counter.
    let mut counts = [[0u32; MAX_BINS]; 2];
    let mut sums = [0; MAX_BINS];
    let [even, odd] = &mut counts;
    for keys in keys.chunks(1 << 31) {
        let (pairs, last) = keys.as_chunks::<2>();
        for [key, other] in pairs {
            even[digit.of(by.compared(*key)) % MAX_BINS] += 1;
            odd[digit.of(by.compared(*other)) % MAX_BINS] += 1;
        }
        for key in last {
            even[digit.of(by.compared(*key)) % MAX_BINS] += 1;
        }
        for ((sum, even), odd) in sums.iter_mut().zip(&mut *even).zip(&mut *odd) {
            *sum += (std::mem::take(even) + std::mem::take(odd)) as usize;
        }
    }
    sums
}

/// Moves the items of `from` to buckets in `other`, and returns the end of each bucket.
///
/// # Safety
///
/// `from` holds items. `to` has as many slots, and does not overlap it. Nothing else accesses either.
pub(super) unsafe fn partition<K: SortKey, V: Copy + Send + Sync, const NAN_LAST: bool>(
    from: Slots<K, V>,
    to: Slots<K, V>,
    by: &Comparison<K, NAN_LAST>,
    digit: UpperDigit<K::Bits>,
) -> Vec<usize> {
    let items = from.length;
    let chunk = if is_parallel(items) {
        items.div_ceil(rayon::current_num_threads() * CHUNKS_PER_THREAD).max(CHUNK_MIN)
    } else {
        items
    };
    // SAFETY: the caller guarantees that the slots hold keys, and nothing writes them in a partition.
    let keys = unsafe { from.keys() };
    let is_parallel = chunk < items;
    let mut offsets: Vec<Offsets> = vec![[0; MAX_BINS]; items.div_ceil(chunk)];
    for_each_chunk(&mut offsets, 1, is_parallel, &|index, offsets| {
        let keys = &keys[index * chunk..items.min((index + 1) * chunk)];
        offsets[0] = count(keys, by, digit);
    });
    let ends = exclusive_scan(&mut offsets, digit.buckets());
    for_each_chunk(&mut offsets, 1, is_parallel, &|index, offsets| {
        let begin = index * chunk;
        // SAFETY: within each bucket every chunk has a range of its own, as long as the chunk's count, which is a pure function of
        // these same keys. All ranges lie within `to`.
        unsafe {
            let from = from.range(begin, chunk.min(items - begin));
            scatter(from, to, by, digit, &mut offsets[0]);
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
unsafe fn scatter<K: SortKey, V: Copy, const NAN_LAST: bool>(
    from: Slots<K, V>,
    to: Slots<K, V>,
    by: &Comparison<K, NAN_LAST>,
    digit: UpperDigit<K::Bits>,
    next: &mut Offsets,
) {
    for slot in 0..from.length {
        // SAFETY: as the caller guarantees.
        unsafe {
            let item = from.read(slot);
            let offset = &mut next[digit.of(by.compared(item.0)) % MAX_BINS];
            to.write(*offset, item);
            *offset += 1;
        }
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
