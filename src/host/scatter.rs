//! Moves items to buckets.
//!
//! An output that exceeds a cache is written by lines: the items of each bucket are collected in 64 bytes, and leave them together.
//! Otherwise each item would fetch a line, evict another, and need an entry of the TLB.

use std::mem::MaybeUninit;

use super::compare::Comparison;
use super::digits::{MAX_BINS, UpperDigit};
use super::scratch::LINE;
use super::slots::Slots;
use crate::key::SortKey;

/// The smallest output in bytes that is written by lines.
const LINES_MIN_BYTES: usize = if cfg!(miri) { 1 << 11 } else { 1 << 42 };

/// Moves each item to the next slot of its bucket.
///
/// # Safety
///
/// `from` holds items. In `to`, from each bucket's offset in `next`, there are as many slots as keys of that bucket, which do not
/// overlap those of another one or of `from`, and which nothing else accesses.
pub(super) unsafe fn scatter<K: SortKey, V: Copy, const NAN_LAST: bool>(
    from: Slots<K, V>,
    to: Slots<K, V>,
    by: &Comparison<K, NAN_LAST>,
    digit: UpperDigit<K::Bits>,
    next: &mut [usize; MAX_BINS],
) {
    let bytes = to.length * (size_of::<K>() + size_of::<V>());
    // SAFETY: as the caller guarantees.
    unsafe {
        if bytes >= LINES_MIN_BYTES && Lines::<V>::LEGAL {
            by_lines(from, to, by, digit, next);
        } else {
            by_items(from, to, by, digit, next);
        }
    }
}

unsafe fn by_items<K: SortKey, V: Copy, const NAN_LAST: bool>(
    from: Slots<K, V>,
    to: Slots<K, V>,
    by: &Comparison<K, NAN_LAST>,
    digit: UpperDigit<K::Bits>,
    next: &mut [usize; MAX_BINS],
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

unsafe fn by_lines<K: SortKey, V: Copy, const NAN_LAST: bool>(
    from: Slots<K, V>,
    to: Slots<K, V>,
    by: &Comparison<K, NAN_LAST>,
    digit: UpperDigit<K::Bits>,
    next: &mut [usize; MAX_BINS],
) {
    let first = *next;
    let mut keys = Lines::new(to.keys, digit.buckets());
    let mut values = Lines::new(to.values, digit.buckets());
    for slot in 0..from.length {
        // SAFETY: as the caller guarantees; a bucket is less than their number.
        unsafe {
            let (key, value) = from.read(slot);
            let bucket = digit.of(by.compared(key)) % MAX_BINS;
            let offset = next[bucket];
            next[bucket] = offset + 1;
            keys.push(bucket, offset, key, first[bucket]);
            values.push(bucket, offset, value, first[bucket]);
        }
    }
    for bucket in 0..digit.buckets() {
        // SAFETY: the rest of each bucket, of which the lines hold the last items.
        unsafe {
            keys.flush(bucket, next[bucket], first[bucket]);
            values.flush(bucket, next[bucket], first[bucket]);
        }
    }
}

/// 64 bytes at a multiple of 64.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Line(MaybeUninit<[u8; LINE]>);

/// A line of items for each bucket. Items lie in it as they will in memory.
pub(super) struct Lines<T> {
    buffer: Vec<Line>,
    to: *mut T,
    /// What to add to a slot so that multiples of a line's items begin at a multiple of 64 bytes.
    skew: usize,
}

impl<T: Copy> Lines<T> {
    /// Whether lines hold a number of such items.
    pub(super) const LEGAL: bool = size_of::<T>() == 0 || LINE.is_multiple_of(size_of::<T>());
    /// The number of items of a line.
    const ITEMS: usize = if Self::LEGAL && size_of::<T>() > 0 { LINE / size_of::<T>() } else { 1 };

    fn new(to: *mut T, buckets: usize) -> Self {
        let buckets = if size_of::<T>() == 0 { 0 } else { buckets };
        let skew = if size_of::<T>() == 0 { 0 } else { to.addr() % LINE / size_of::<T>() };
        Self { buffer: vec![Line(MaybeUninit::uninit()); buckets], to, skew }
    }

    /// Puts the item of slot `offset` into the bucket's line, and writes the line if that is its last one.
    ///
    /// # Safety
    ///
    /// The slots from `first` to `offset` are the bucket's, which is one of the buckets. The items of the slots before have been put
    /// there.
    #[inline]
    unsafe fn push(&mut self, bucket: usize, offset: usize, item: T, first: usize) {
        if size_of::<T>() == 0 {
            return;
        }
        let lane = (offset + self.skew) % Self::ITEMS;
        // SAFETY: the line is one of the lines, and the lane lies within it.
        unsafe {
            let items = self.buffer.as_mut_ptr().add(bucket).cast::<T>();
            items.add(lane).write(item);
            if lane == Self::ITEMS - 1 {
                if offset + 1 >= first + Self::ITEMS {
                    let to = self.to.add(offset + 1 - Self::ITEMS);
                    to.cast::<[u8; LINE]>().write_unaligned(items.cast::<[u8; LINE]>().read());
                } else {
                    self.flush_lanes(bucket, offset + 1, offset + 1 - first);
                }
            }
        }
    }

    /// Writes what the line still holds of the slots before `end`.
    ///
    /// # Safety
    ///
    /// As for [`Self::push`] of each slot from `first` to `end`.
    unsafe fn flush(&mut self, bucket: usize, end: usize, first: usize) {
        if size_of::<T>() == 0 {
            return;
        }
        let lanes = ((end + self.skew) % Self::ITEMS).min(end - first);
        // SAFETY: as the caller guarantees.
        unsafe { self.flush_lanes(bucket, end, lanes) };
    }

    /// Writes the items of the last slots before `end`, which lie in one line.
    #[cold]
    unsafe fn flush_lanes(&mut self, bucket: usize, end: usize, count: usize) {
        // SAFETY: the slots are the bucket's, and their items lie in the same lanes of its line.
        unsafe {
            let items = self.buffer.as_ptr().add(bucket).cast::<T>();
            let first = end - count;
            let lane = (first + self.skew) % Self::ITEMS;
            items.add(lane).copy_to_nonoverlapping(self.to.add(first), count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::SortOptions;

    /// Moves items by lines and one by one, to memory at each distance from a multiple of 64 bytes.
    fn check<V: Copy + PartialEq + Default>(value_of: impl Fn(usize) -> V) {
        const ITEMS: usize = if cfg!(miri) { 150 } else { 3000 };
        const SKEWS: usize = if cfg!(miri) { 2 } else { 16 };
        let options = SortOptions::new();
        let by = Comparison::<u32, false>::new(&options).expect("all bits are legal");
        let mut keys: Vec<u32> = (1..=ITEMS as u32).map(|item| item.wrapping_pow(9)).collect();
        let mut values: Vec<V> = (0..ITEMS).map(value_of).collect();
        let from = Slots::of(&mut keys, &mut values);
        // SAFETY: the slots hold items.
        let digit = UpperDigit::of_all(unsafe { from.keys() }, &by, 5).expect("keys differ");
        for skew in 0..SKEWS {
            let outputs = [by_items, by_lines].map(|scatter| {
                let (mut keys, mut values) =
                    (vec![0; ITEMS + skew], vec![V::default(); ITEMS + skew]);
                let to = Slots::of(&mut keys[skew..], &mut values[skew..]);
                let mut offsets = [0; MAX_BINS];
                // SAFETY: the offsets are the scan of the histogram of these keys.
                unsafe {
                    for key in from.keys() {
                        let bucket = digit.of(by.compared(*key));
                        offsets[bucket + 1..].iter_mut().for_each(|offset| *offset += 1);
                    }
                    scatter(from, to, &by, digit, &mut offsets);
                }
                (keys, values)
            });
            assert!(outputs[0] == outputs[1], "{skew} items after a multiple of 64 bytes");
        }
    }

    #[test]
    fn lines_move_items_as_one_by_one() {
        check(|_| ());
        check(|item| item as u8);
        check(|item| item as u32);
        check(|item| [item as u32, 5]);
        check(|item| [item as u64, 7]);
    }
}
