//! Sorts of items by moving them: passes where they fit a cache, else a stable partition into buckets and passes over each.
//!
//! ```text
//! sort(items):
//!     small n:                          insertion sort
//!     all equal:                        done
//!     few distinct keys:                count them, and move the values (few.rs)
//!     fits a cache:                     passes to scratch and back (lsd.rs)
//!     otherwise:                        partition to scratch by a digit of upper bits (partition.rs, upper.rs)
//!                                       for each bucket: passes to a spare buffer in a cache (spares.rs) and back
//!                                                        a bucket that is too large: copy it back, and sort it
//! ```
//!
//! The first upper digit is chosen by samples. Where several threads share the buckets and one would be large, splitters between the
//! samples bound the buckets. A bucket that is partitioned again gets an upper digit of all bits in which its keys
//! differ, so that each level consumes bits, whatever the keys.

use num_traits::Zero;

use super::INSERTION_MAX;
use super::compare::Comparison;
use super::digits::{self, Passes};
use super::few;
use super::items::{Columns, Given, Pairs, Sink, Source};
use super::lsd;
use super::partition;
use super::spares::Spares;
use super::threads::{are_many, for_each, is_parallel, of_task};
use super::upper::{Buckets, UpperDigit};
use crate::key::{KeyBits, SortKey};

/// The largest number of bytes of items that are sorted by passes alone. docs/performance-notes.md has the measurements.
const PASSES_MAX_BYTES: usize = if cfg!(miri) { 1 << 10 } else { 1 << 19 };
/// The same where many keys repeat others: most would go to one bucket, which would be partitioned again.
const REPEATED_PASSES_MAX_BYTES: usize = if cfg!(miri) { 1 << 10 } else { 1 << 23 };
/// The largest number of bytes of a spare buffer.
const SPARE_BYTES: usize = 1 << 20;
/// All items are at least this number of times as many as those of the spare buffers. Under Miri, where items are few, a spare buffer of an
/// eighth would be for fewer items than an insertion sort takes.
const SPARE_PART: usize = if cfg!(miri) { 4 } else { 8 };
/// About how many items a bucket of random keys gets, where the upper digit has bits enough: as many as fit the first cache.
const BUCKET_ITEMS_LOG2: u32 = 12;
/// The smallest and the largest number of bits of an upper digit of even keys.
const UPPER_DIGIT_BITS: (u32, u32) = (5, 10);
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
    let threads = if is_parallel(items) { rayon::current_num_threads() } else { 1 };
    let of_thread = SPARE_BYTES / (size_of::<K>() + size_of::<V>());
    (threads, of_thread.min(items / (SPARE_PART * threads)) * threads)
}

/// Whether this number of items, of no more bytes than that, is sorted by passes alone.
fn is_for_passes<K, V>(items: usize, max_bytes: usize) -> bool {
    items * (size_of::<K>() + size_of::<V>()) <= max_bytes && !is_parallel(items)
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
            let repeat = !are_many(to.length) && few::is_likely(from);
            let values_scratch = self.unwanted_keys.is_none().then_some(scratch);
            if repeat && few::sort(from, to, values_scratch, self.by) {
                return;
            }
            let bytes = if repeat { REPEATED_PASSES_MAX_BYTES } else { PASSES_MAX_BYTES };
            if is_for_passes::<K, V>(to.length, bytes) && self.sort_by_passes(from, to, scratch) {
                return;
            }
            let (bits, is_shared) = (upper_digit_bits(to.length), is_parallel(to.length));
            match UpperDigit::of_samples(from, self.by, bits, is_shared) {
                Some(digit) => self.sort_by_digit(from, to, scratch, &digit),
                None => self.sort_all(from, to, scratch),
            }
        }
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
            let bits = upper_digit_bits(to.length);
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
    unsafe fn sort_again(&self, to: Columns<K, V>, scratch: Pairs<K::Bits, V>) {
        // SAFETY: as the caller guarantees.
        unsafe {
            let from = Given { columns: to, by: self.by };
            if to.length <= INSERTION_MAX {
                self.sort(from, to, scratch);
            } else if !is_for_passes::<K, V>(to.length, PASSES_MAX_BYTES)
                || !self.sort_by_passes(from, to, scratch)
            {
                self.sort_all(from, to, scratch);
            }
        }
    }

    /// Sorts by passes alone, and returns true, if that suits the items.
    ///
    /// # Safety
    ///
    /// As for [`Moves::sort`].
    unsafe fn sort_by_passes(
        &self,
        from: impl Source<K::Bits, V>,
        to: Columns<K, V>,
        scratch: Pairs<K::Bits, V>,
    ) -> bool {
        // SAFETY: as the caller guarantees.
        unsafe {
            let varying = digits::varying(from, self.by);
            if varying.is_zero() {
                self.move_all(from, to);
                return true;
            }
            let passes = Passes::new(from, self.by, varying);
            let items = to.stored();
            match *passes.digits() {
                [lower, upper] => {
                    lsd::sort_by_two(from, scratch, items, self.by, [lower, upper]);
                    self.finish::<_, true>(items, to, scratch, &passes);
                    return true;
                }
                [lower, middle, upper] => {
                    lsd::sort_by_three(from, items, scratch, self.by, [lower, middle, upper]);
                }
                [digit, ..] => lsd::sort_by_digit(from, scratch, self.by, digit),
                [] => return false,
            }
            self.finish::<_, false>(scratch, to, scratch, &passes);
        }
        true
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
        for_each(ends.len(), is_parallel(to.length), &sort_bucket);
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
                let varying = digits::varying(from, self.by);
                if varying.is_zero() {
                    return self.move_all(from, to);
                }
                let passes = Passes::new(from, self.by, varying);
                // The caller's memory is written once and in order, because it is in no cache.
                let mut sorted = spare;
                match *passes.digits() {
                    [lower, upper] => {
                        lsd::sort_by_two(from, spare, from, self.by, [lower, upper]);
                        sorted = from;
                    }
                    [lower, middle, upper] => {
                        lsd::sort_by_three(from, from, spare, self.by, [lower, middle, upper]);
                    }
                    [digit, ..] => lsd::sort_by_digit(from, spare, self.by, digit),
                    [] => return,
                }
                self.finish::<_, false>(sorted, to, sorted, &passes);
            };
            if self.spares.with(to.length, sort_by_way_of).is_none()
                && (is_parallel(to.length)
                    || !few::is_likely(from)
                    || !few::sort(from, to, None, self.by))
            {
                self.move_all(from, to);
                self.sort_again(to, from);
            }
        }
    }

    /// Moves items that passes have sorted, orders them by their lower bits too, and restores the keys.
    ///
    /// # Safety
    ///
    /// `from` holds items. `to` has as many slots, which are the same if the items are `IN_PLACE`, and do not overlap it otherwise.
    /// `scratch` has as many, and is `from` or overlaps neither. Nothing else accesses any.
    unsafe fn finish<S: Source<K::Bits, V>, const IN_PLACE: bool>(
        &self,
        from: S,
        to: Columns<K, V>,
        scratch: Pairs<K::Bits, V>,
        passes: &Passes,
    ) {
        let items = to.stored();
        let upper = |bits: K::Bits| self.by.compared(bits) >> passes.lowest as usize;
        // SAFETY: items up to the slot are in `to`, and those behind it are still in `from`. The run is among them, and what `from`
        // holds of it is not read again.
        let sort_run = |slot: usize| unsafe {
            let run = upper(items.bits(slot));
            let mut begin = slot;
            while begin > 0 && upper(items.bits(begin - 1)) == run {
                begin -= 1;
            }
            let mut end = slot + 1;
            while end < from.length() && upper(from.bits(end)) == run {
                items.write(end, from.read(end));
                end += 1;
            }
            let (to, scratch) = (to.part(begin, end - begin), scratch.range(begin, end - begin));
            to.restore(self.by);
            self.sort_again(to, scratch);
            to.store(self.by);
            end
        };
        // SAFETY: as the caller guarantees.
        unsafe {
            if passes.is_partial {
                lsd::finish::<K, V, IN_PLACE>(from, items, self.by, &sort_run);
            } else if !IN_PLACE {
                move_items(from, items);
            }
            to.restore(self.by);
        }
    }

    /// Moves items to columns, on several threads where there are many, and restores the keys. They may be there already.
    ///
    /// # Safety
    ///
    /// As for [`Moves::sort`].
    unsafe fn move_all(&self, from: impl Source<K::Bits, V>, to: Columns<K, V>) {
        let chunks = to.length.div_ceil(COPIED);
        for_each(chunks, is_parallel(to.length), &|chunk| {
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

/// Moves items to other slots, or to the same ones.
///
/// # Safety
///
/// `from` holds items, `to` has as many slots, and nothing else accesses either.
unsafe fn move_items<B: KeyBits, V: Copy + Send + Sync>(
    from: impl Source<B, V>,
    to: Columns<B, V>,
) {
    for slot in 0..from.length() {
        // SAFETY: as the caller guarantees; an item is read before it is written.
        unsafe { to.write(slot, from.read(slot)) };
    }
}

fn upper_digit_bits(items: usize) -> u32 {
    let (min, max) = UPPER_DIGIT_BITS;
    items.ilog2().saturating_sub(BUCKET_ITEMS_LOG2).clamp(min, max)
}
