//! Sorts of items that do not fit a cache: a stable partition into buckets by upper bits, and a sort of each bucket.
//!
//! ```text
//! sort(items):
//!     small n:       insertion sort
//!     all equal:     done
//!     fits a cache:  passes (lsd.rs)
//!     otherwise:     a stable partition into buckets by a digit of upper bits (partition.rs)
//!                    sort(bucket) for each bucket
//! ```
//!
//! The first upper digit is chosen by samples. A bucket that does not fit a cache gets the upper digit of all its keys, so that each level
//! consumes bits, whatever the keys.

use num_traits::Zero;

use super::compare::Comparison;
use super::digits::{self, UpperDigit};
use super::partition;
use super::slots::Slots;
use super::threads::{for_each, is_parallel};
use super::{INSERTION_MAX, lsd};
use crate::key::SortKey;

/// The largest number of bytes of items that are sorted by passes: with the same of scratch they fit an L3 cache.
/// docs/performance-notes.md has the measurements.
const PASSES_MAX_BYTES: usize = if cfg!(miri) { 1 << 10 } else { 1 << 23 };
/// About how many items a bucket of random keys gets.
const BUCKET_ITEMS_LOG2: u32 = 11;
/// The largest number of bits of an upper digit.
const UPPER_DIGIT_MAX_BITS: u32 = 9;
/// The smallest number of bits of an upper digit.
const UPPER_DIGIT_MIN_BITS: u32 = 5;

/// Three roles of two buffers of as many slots: the one that holds the items, the other one, and the one of both that gets the result.
pub(super) type Buffers<K, V> = (Slots<K, V>, Slots<K, V>, Slots<K, V>);

/// Sorts the items of `from` into `to`, which is `from` or `other`. The content of the other one is unspecified.
///
/// # Safety
///
/// `from` holds items. `other` has as many slots, and does not overlap it. Nothing else accesses either.
pub(super) unsafe fn sort<K: SortKey, V: Copy + Send + Sync, const NAN_LAST: bool>(
    (from, other, to): Buffers<K, V>,
    by: &Comparison<K, NAN_LAST>,
) {
    // SAFETY: as the caller guarantees.
    unsafe {
        if from.length <= INSERTION_MAX {
            from.columns().insertion_sort(by);
            return move_to(from, to);
        }
        if fits_a_cache::<K, V>(from.length) {
            let varying = digits::varying(from.keys(), by);
            if varying.is_zero() {
                return move_to(from, to);
            }
            return lsd::sort((from, other, to), by, varying);
        }
        match UpperDigit::of_all(from.keys(), by, upper_digit_bits(from.length)) {
            Some(digit) => sort_by_buckets((from, other, to), by, digit),
            None => move_to(from, to),
        }
    }
}

/// The same for the first level.
///
/// # Safety
///
/// As for [`sort`].
pub(super) unsafe fn sort_all<K: SortKey, V: Copy + Send + Sync, const NAN_LAST: bool>(
    (from, other, to): Buffers<K, V>,
    by: &Comparison<K, NAN_LAST>,
) {
    // SAFETY: as the caller guarantees.
    unsafe {
        if !fits_a_cache::<K, V>(from.length) || is_parallel(from.length) {
            let bits = upper_digit_bits(from.length);
            if let Some(digit) = UpperDigit::of_samples(from.keys(), by, bits) {
                return sort_by_buckets((from, other, to), by, digit);
            }
        }
        sort((from, other, to), by);
    }
}

fn fits_a_cache<K, V>(items: usize) -> bool {
    items * (size_of::<K>() + size_of::<V>()) <= PASSES_MAX_BYTES
}

fn upper_digit_bits(items: usize) -> u32 {
    items
        .ilog2()
        .saturating_sub(BUCKET_ITEMS_LOG2)
        .clamp(UPPER_DIGIT_MIN_BITS, UPPER_DIGIT_MAX_BITS)
}

/// Copies the items where they are wanted elsewhere.
unsafe fn move_to<K: Copy, V: Copy>(from: Slots<K, V>, to: Slots<K, V>) {
    if from.keys != to.keys {
        // SAFETY: different buffers do not overlap, and the caller owns both.
        unsafe { from.copy_to(to) };
    }
}

/// A stable partition, and a sort of each bucket, on several threads where there are many items.
unsafe fn sort_by_buckets<K: SortKey, V: Copy + Send + Sync, const NAN_LAST: bool>(
    (from, other, to): Buffers<K, V>,
    by: &Comparison<K, NAN_LAST>,
    digit: UpperDigit<K::Bits>,
) {
    // SAFETY: the buckets are disjoint ranges of both buffers, and all slots of `other` are written before they are read.
    unsafe {
        let ends = partition::partition(from, other, by, digit);
        let sort_bucket = |bucket: usize| {
            let begin = bucket.checked_sub(1).map_or(0, |before| ends[before]);
            if begin == ends[bucket] {
                return;
            }
            let [from, other, to] =
                [other, from, to].map(|slots| slots.range(begin, ends[bucket] - begin));
            sort((from, other, to), by);
        };
        for_each(ends.len(), is_parallel(from.length), &sort_bucket);
    }
}
