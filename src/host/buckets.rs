//! Sorts of items by moving them: passes where they fit a cache, else a stable partition into buckets and passes over each.
//!
//! ```text
//! sort(items):
//!     small n:                          insertion sort
//!     all equal:                        done
//!     few distinct keys:                count them, and move the values (few.rs)
//!     fits a cache, or keys of a byte:  passes to scratch and back (passes.rs, lsd.rs), if several threads would not pay
//!     otherwise:                        partition to scratch by a digit of upper bits (partition.rs, upper.rs)
//!                                       for each bucket: passes to a spare buffer in a cache (spares.rs) and back
//!                                                        a bucket that is too large: copy it back, and sort it
//! ```
//!
//! Where several threads pay, a team (team.rs) sorts small n, and all threads sort large n. The first upper digit is chosen by samples. Where
//! several threads share the buckets and one would be large, splitters between the samples bound the buckets. A bucket that is partitioned
//! again gets an upper digit of all bits in which its keys differ, so that each level consumes bits, whatever the keys.

use num_traits::Zero;

use super::INSERTION_MAX;
use super::compare::Comparison;
use super::digits::{self, MAX_BITS};
use super::few;
use super::items::{Columns, Given, Pairs, Source};
use super::lsd;
use super::partition;
use super::passes::move_items;
use super::spares::Spares;
use super::team::with_team;
use super::threads::{are_many, for_each, is_for_team, of_sort, of_task};
use super::upper::{Buckets, UpperDigit};
use crate::key::SortKey;

/// The largest number of bytes of items that are sorted by passes alone, whatever their keys. docs/performance-notes.md has the measurements.
const PASSES_MAX_BYTES: usize = if cfg!(miri) { 1 << 9 } else { 1 << 19 };
/// The same where passes take few bits.
const FEW_BITS_PASSES_MAX_BYTES: usize = if cfg!(miri) { 1 << 10 } else { 3 << 19 };
/// More bits are not few.
const FEW_BITS: u32 = 22;
/// The same where many keys repeat others: most would go to one bucket, which would be partitioned again.
const REPEATED_PASSES_MAX_BYTES: usize = if cfg!(miri) { 1 << 10 } else { 1 << 23 };
/// The largest number of small keys without values that one thread counts, and writes in order.
const COUNTED_MAX: usize = if cfg!(miri) { 1 << 8 } else { 1 << 22 };
/// The largest number of bytes of a spare buffer.
const SPARE_BYTES: usize = 1 << 20;
/// All items are at least this number of times as many as those of the spare buffers. Under Miri, where items are few, a spare buffer of an
/// eighth would be for fewer items than an insertion sort takes.
const SPARE_PART: usize = if cfg!(miri) { 4 } else { 8 };
/// About how many items a bucket of random keys gets, where the upper digit has bits enough: as many as fit the first cache.
const BUCKET_ITEMS_LOG2: u32 = 12;
/// The smallest and the largest number of bits of an upper digit of even keys.
const UPPER_DIGIT_BITS: (u32, u32) = (5, 10);
/// A task sorts the buckets that begin among this number of slots.
const BUCKETS_OF_TASK: usize = of_task(1 << 12);
/// The number of items that are copied at once.
const COPIED: usize = of_task(1 << 14);

/// Where a sort moves items.
pub(super) struct Moves<'a, K: SortKey, V> {
    pub(super) by: &'a Comparison<K>,
    pub(super) spares: Spares<K::Bits, V>,
    /// Memory for the keys of each spare buffer, where the sorted keys are not wanted.
    pub(super) unwanted_keys: Option<*mut K>,
}

// SAFETY: the keys of each spare buffer are used by the thread that has the buffer.
unsafe impl<K: SortKey, V: Send> Sync for Moves<'_, K, V> {}

/// The number of threads that may sort this number of items, and the number of items of spare buffers for them.
pub(super) fn spare_items<K: SortKey, V>(items: usize) -> (usize, usize) {
    if is_for_passes::<K, V>(items, PASSES_MAX_BYTES) {
        return (1, 0);
    }
    let threads = of_sort::<K, V>(items);
    let of_thread = SPARE_BYTES / (size_of::<K>() + size_of::<V>());
    (threads, of_thread.min(items / (SPARE_PART * threads)) * threads)
}

/// Whether this number of items, of no more bytes than that, is sorted by passes alone. One pass suffices for small keys, and small keys without
/// values are counted in less time than several threads take.
fn is_for_passes<K, V>(items: usize, max_bytes: usize) -> bool {
    let (is_small, bytes) = (size_of::<K>() == 1, items * (size_of::<K>() + size_of::<V>()));
    let are_counted = is_small && size_of::<V>() == 0 && items <= COUNTED_MAX;
    are_counted || (is_small || bytes <= max_bytes) && of_sort::<K, V>(items) == 1
}

/// The most bits that this number of items is sorted by in passes alone.
fn max_bits<K, V>(items: usize) -> u32 {
    let is_small = items * (size_of::<K>() + size_of::<V>()) <= PASSES_MAX_BYTES;
    if is_small { u32::MAX } else { FEW_BITS }
}

impl<K: SortKey, V: Copy + Send + Sync> Moves<'_, K, V> {
    /// Sorts the items of `from` into `to`.
    ///
    /// # Safety
    ///
    /// `from` holds items. `to` has as many slots, which do not overlap those of `from` if keys are unwanted, and are the same
    /// otherwise. `scratch` has as many, and overlaps
    /// neither. Nothing else accesses any.
    pub(super) unsafe fn sort(
        &self,
        from: impl Source<K::Bits, V>,
        to: Columns<K, V>,
        scratch: Pairs<K::Bits, V>,
    ) {
        // SAFETY: as the caller guarantees.
        unsafe {
            if from.length() <= INSERTION_MAX {
                lsd::insert(from, to.stored(), self.by);
                return to.restore(self.by);
            }
            // One thread counts few distinct keys in less time than a few threads take to partition them.
            let are_counted = is_for_team(to.length) || !are_many(to.length);
            let repeat = are_counted && few::is_likely(from);
            let values_scratch = self.unwanted_keys.is_none().then_some(scratch);
            if repeat && few::sort(from, to, values_scratch, self.by) {
                return;
            }
            let (bytes, bits) = if repeat {
                (REPEATED_PASSES_MAX_BYTES, u32::MAX)
            } else {
                (FEW_BITS_PASSES_MAX_BYTES, max_bits::<K, V>(to.length))
            };
            if is_for_passes::<K, V>(to.length, bytes)
                && self.sort_by_passes(from, to, scratch, bits)
            {
                return;
            }
            let threads = of_sort::<K, V>(to.length);
            let bits = upper_digit_bits::<K>(to.length, threads);
            let digit = UpperDigit::of_samples(from, self.by, bits, threads > 1);
            if Self::are_for_two_passes(digit.as_ref(), to.length)
                && self.sort_by_passes(from, to, scratch, 2 * MAX_BITS)
            {
                return;
            }
            let sort = || match &digit {
                Some(digit) => self.sort_by_digit(from, to, scratch, digit),
                None => self.sort_all(from, to, scratch),
            };
            with_team(if is_for_team(to.length) { threads } else { 1 }, sort);
        }
    }

    /// Whether one thread sorts items by two passes, if these suffice, in less time than a few threads take to find the splitters around each.
    fn are_for_two_passes(digit: Option<&UpperDigit<K::Bits>>, items: usize) -> bool {
        let is_small = items * (size_of::<K>() + size_of::<V>()) <= FEW_BITS_PASSES_MAX_BYTES;
        is_small && !are_many(items) && matches!(digit, Some(UpperDigit::Split(_)))
    }

    /// Sorts items with keys that may differ little.
    ///
    /// # Safety
    ///
    /// As for [`Moves::sort`].
    unsafe fn sort_all(
        &self,
        from: impl Source<K::Bits, V>,
        to: Columns<K, V>,
        scratch: Pairs<K::Bits, V>,
    ) {
        // SAFETY: as the caller guarantees.
        unsafe {
            let varying = digits::varying(from, self.by);
            if varying.is_zero() {
                return self.move_all(from, to);
            }
            let bits = upper_digit_bits::<K>(to.length, of_sort::<K, V>(to.length));
            let digit = UpperDigit::of_all(from, self.by, bits, varying);
            self.sort_by_digit(from, to, scratch, &digit);
        }
    }

    /// Sorts the items of `to` within a sort.
    ///
    /// # Safety
    ///
    /// As for [`Moves::sort`].
    #[cold]
    pub(super) unsafe fn sort_again(&self, to: Columns<K, V>, scratch: Pairs<K::Bits, V>) {
        // SAFETY: as the caller guarantees.
        unsafe {
            let from = Given { columns: to, by: self.by };
            if to.length <= INSERTION_MAX {
                self.sort(from, to, scratch);
            } else if !is_for_passes::<K, V>(to.length, FEW_BITS_PASSES_MAX_BYTES)
                || !self.sort_by_passes(from, to, scratch, max_bits::<K, V>(to.length))
            {
                self.sort_all(from, to, scratch);
            }
        }
    }

    /// Partitions the items, and sorts each bucket.
    ///
    /// # Safety
    ///
    /// As for [`Moves::sort`].
    unsafe fn sort_by_digit(
        &self,
        from: impl Source<K::Bits, V>,
        to: Columns<K, V>,
        scratch: Pairs<K::Bits, V>,
        digit: &UpperDigit<K::Bits>,
    ) {
        // SAFETY: as the caller guarantees.
        unsafe {
            match digit {
                UpperDigit::Even(buckets) => self.sort_by(from, to, scratch, *buckets),
                UpperDigit::Skewed(table) => self.sort_by(from, to, scratch, table.buckets()),
                UpperDigit::Split(splitters) => self.sort_by(from, to, scratch, &**splitters),
            }
        }
    }

    /// The same by buckets of one kind.
    ///
    /// # Safety
    ///
    /// As for [`Moves::sort`].
    unsafe fn sort_by(
        &self,
        from: impl Source<K::Bits, V>,
        to: Columns<K, V>,
        scratch: Pairs<K::Bits, V>,
        buckets: impl Buckets<K::Bits>,
    ) {
        // SAFETY: as the caller guarantees.
        unsafe {
            let ends = partition::partition(from, scratch, self.by, buckets);
            self.sort_buckets(to, scratch, &ends, &|bucket| buckets.is_of_one_key(bucket));
        }
    }

    /// Sorts each bucket of `from`, on several threads where there are many items.
    ///
    /// # Safety
    ///
    /// `from` holds items, `to` has as many slots and does not overlap it, and nothing else accesses either.
    unsafe fn sort_buckets(
        &self,
        to: Columns<K, V>,
        from: Pairs<K::Bits, V>,
        ends: &[usize],
        is_of_one_key: &(dyn Fn(usize) -> bool + Sync),
    ) {
        let sort_bucket = |bucket: usize| {
            let begin = bucket.checked_sub(1).map_or(0, |before| ends[before]);
            let items = ends[bucket] - begin;
            if items > 0 {
                // SAFETY: the buckets are disjoint ranges of both.
                unsafe {
                    let (to, from) = (to.part(begin, items), from.range(begin, items));
                    if is_of_one_key(bucket) {
                        self.move_all(from, to);
                    } else {
                        self.sort_bucket(to, from);
                    }
                }
            }
        };
        // Of consecutive buckets, each task gets those that begin in a range of slots.
        let tasks = to.length.div_ceil(BUCKETS_OF_TASK);
        for_each(tasks, of_sort::<K, V>(to.length) > 1, &|task| {
            let first_from =
                |slot: usize| ends.partition_point(|end| *end < slot) + usize::from(slot > 0);
            let range =
                first_from(task * BUCKETS_OF_TASK)..first_from((task + 1) * BUCKETS_OF_TASK);
            (range.start..range.end.min(ends.len())).for_each(sort_bucket);
        });
    }

    /// Sorts the items of a bucket.
    ///
    /// # Safety
    ///
    /// As for [`Moves::sort_buckets`].
    unsafe fn sort_bucket(&self, to: Columns<K, V>, from: Pairs<K::Bits, V>) {
        // SAFETY: as the caller guarantees.
        unsafe {
            if to.length <= INSERTION_MAX {
                lsd::insert(from, to.stored(), self.by);
                return to.restore(self.by);
            }
            let sort_by_way_of = |spare, number: usize| {
                let mut to = to;
                if let Some(keys) = self.unwanted_keys {
                    to.keys = keys.add(number * self.spares.items);
                }
                self.sort_bucket_by_passes(spare, to, from);
            };
            if self.spares.with(to.length, sort_by_way_of).is_none()
                && (of_sort::<K, V>(to.length) > 1
                    || !few::is_likely(from)
                    || !few::sort(from, to, None, self.by))
            {
                self.move_all(from, to);
                self.sort_again(to, from);
            }
        }
    }

    /// Moves items to columns, on several threads where there are many, and restores the keys. They may be there already.
    ///
    /// # Safety
    ///
    /// As for [`Moves::sort`].
    pub(super) unsafe fn move_all(&self, from: impl Source<K::Bits, V>, to: Columns<K, V>) {
        let chunks = to.length.div_ceil(COPIED);
        for_each(chunks, of_sort::<K, V>(to.length) > 1, &|chunk| {
            let begin = chunk * COPIED;
            let items = COPIED.min(to.length - begin);
            // SAFETY: the chunks are disjoint ranges of both.
            unsafe {
                let to = to.part(begin, items);
                move_items(from.range(begin, items), to.stored());
                to.restore(self.by);
            }
        });
    }
}

/// The bits of an upper digit, by which these threads get buckets that fit their spare buffers. Small keys get a bucket each.
fn upper_digit_bits<K: SortKey>(items: usize, threads: usize) -> u32 {
    let (min, max) = UPPER_DIGIT_BITS;
    if size_of::<K>() == 1 {
        return u8::BITS;
    }
    let of_threads = (threads * 2 * SPARE_PART - 1).ilog2() + 1;
    let min = if threads > 1 { of_threads.clamp(min, max) } else { min };
    items.ilog2().saturating_sub(BUCKET_ITEMS_LOG2).clamp(min, max)
}
