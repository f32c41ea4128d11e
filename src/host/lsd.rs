//! Passes over items that fit a cache, the lowest digit first, and an insertion of the neighbours that agree in all digits and are out of
//! order.

use std::mem::MaybeUninit;

use num_traits::Zero;

use super::compare::Comparison;
use super::digits::{Digit, MAX_BINS};
use super::items::{Columns, Item, Pairs, Sink, Source};
use crate::key::SortKey;

/// An insertion that moves an item by more has met a long run.
const INSERTION_DISTANCE: usize = 16;
/// The number of items that are read before one of them is written.
const UNROLLED: usize = 4;

/// The counters of a digit, of which those of its bins are written.
type Counters = [MaybeUninit<u32>; MAX_BINS];

/// Sorts by one digit, from one memory to another one.
///
/// # Safety
///
/// `from` holds fewer than 2³² items. `to` has as many slots, which do not overlap it. Nothing else accesses either.
pub(super) unsafe fn sort_by_digit<K: SortKey, V: Copy>(
    from: impl Source<K::Bits, V>,
    to: impl Sink<K::Bits, V>,
    by: &Comparison<K>,
    digit: Digit,
) {
    let mut counters = [[MaybeUninit::uninit(); MAX_BINS]];
    // SAFETY: as the caller guarantees; the offsets are of these keys and this digit.
    unsafe {
        let [offsets] = offsets(from, by, [digit], &mut counters);
        scatter(from, to, by, digit, offsets);
    }
}

/// Sorts by two digits, the lower one first, by way of a third memory.
///
/// # Safety
///
/// As for [`sort_by_digit`], but `from` and `to` may be the same; the slots of `between` are as many, and overlap neither.
pub(super) unsafe fn sort_by_two<K: SortKey, V: Copy + Send + Sync>(
    from: impl Source<K::Bits, V>,
    between: Pairs<K::Bits, V>,
    to: impl Sink<K::Bits, V>,
    by: &Comparison<K>,
    digits: [Digit; 2],
) {
    let mut counters = [[MaybeUninit::uninit(); MAX_BINS]; 2];
    // SAFETY: as the caller guarantees. The offsets of a digit do not depend on the order of the keys.
    unsafe {
        let [lower, upper] = offsets(from, by, digits, &mut counters);
        scatter(from, between, by, digits[0], lower);
        scatter(between, to, by, digits[1], upper);
    }
}

/// Sorts by three digits, the lowest one first, to `to`, by way of `between`.
///
/// # Safety
///
/// As for [`sort_by_digit`], but `from` and `between` may be the same; the slots of `between` are as many, and do not overlap `to`.
pub(super) unsafe fn sort_by_three<K: SortKey, V: Copy + Send + Sync>(
    from: impl Source<K::Bits, V>,
    between: impl Source<K::Bits, V> + Sink<K::Bits, V>,
    to: Pairs<K::Bits, V>,
    by: &Comparison<K>,
    digits: [Digit; 3],
) {
    // 24 KiB of a stack that has megabytes.
    #[allow(clippy::large_stack_arrays)]
    let mut counters = [[MaybeUninit::uninit(); MAX_BINS]; 3];
    // SAFETY: as in `sort_by_two`.
    unsafe {
        let [lower, middle, upper] = offsets(from, by, digits, &mut counters);
        scatter(from, to, by, digits[0], lower);
        scatter(to, between, by, digits[1], middle);
        scatter(between, to, by, digits[2], upper);
    }
}

/// Sorts keys alone, which differ in no bits but those of a digit: writes as many copies of each as there are.
///
/// # Safety
///
/// As for [`sort_by_digit`], of at least one item, but `from` and `to` may be the same. The keys are equal to their stored bits in all bits that take
/// part, and so are all of their bits.
pub(super) unsafe fn fill<K: SortKey, V: Copy + Send + Sync>(
    from: impl Source<K::Bits, V>,
    to: Columns<K::Bits, V>,
    by: &Comparison<K>,
    digit: Digit,
) {
    let mut counters = [[MaybeUninit::uninit(); MAX_BINS]];
    // SAFETY: as the caller guarantees. All keys are counted before the first one is written, and the offsets are at most the length.
    unsafe {
        let Item(first, value) = from.read(0);
        let [offsets] = offsets(from, by, [digit], &mut counters);
        for bin in 0..digit.bins() {
            let begin = offsets[bin].assume_init() as usize;
            let next =
                if bin + 1 < digit.bins() { Some(offsets[bin + 1].assume_init()) } else { None };
            let end = next.map_or(to.length, |next| next as usize);
            let key = digit.with(first, bin);
            (begin..end).for_each(|slot| to.write(slot, Item(key, value)));
        }
    }
}

/// The exclusive scans of the histograms of the keys by some digits.
///
/// # Safety
///
/// As for [`sort_by_digit`].
unsafe fn offsets<'a, K: SortKey, V: Copy, const N: usize>(
    from: impl Source<K::Bits, V>,
    by: &Comparison<K>,
    digits: [Digit; N],
    counters: &'a mut [Counters; N],
) -> &'a mut [Counters; N] {
    set_to_zero(counters, &digits);
    // A copy that no store of the loop can change.
    let by = *by;
    let length = from.length();
    let mut count = |slot: usize| {
        // SAFETY: the slot is less than the length. A digit is less than its number of bins, and as many counters have been written.
        unsafe {
            let compared = by.for_digits(from.bits(slot));
            for digit in 0..N {
                let bin = digits[digit].of(compared);
                *counters[digit].get_unchecked_mut(bin).assume_init_mut() += 1;
            }
        }
    };
    let mut slot = 0;
    while slot + UNROLLED <= length {
        for next in 0..UNROLLED {
            count(slot + next);
        }
        slot += UNROLLED;
    }
    for slot in slot..length {
        count(slot);
    }
    exclusive_scan(counters, &digits);
    counters
}

/// Sets the counters of each digit's bins to zero.
#[inline]
fn set_to_zero(counters: &mut [Counters], digits: &[Digit]) {
    for (counters, digit) in counters.iter_mut().zip(digits) {
        for counter in &mut counters[..digit.bins()] {
            *counter = MaybeUninit::new(0);
        }
    }
}

/// Replaces the counts of each digit's bins by their exclusive scan.
#[inline]
fn exclusive_scan(counters: &mut [Counters], digits: &[Digit]) {
    for (counters, digit) in counters.iter_mut().zip(digits) {
        let mut sum = 0;
        for count in &mut counters[..digit.bins()] {
            // SAFETY: as many counters have been written.
            let count = unsafe { count.assume_init_mut() };
            (*count, sum) = (sum, sum + *count);
        }
    }
}

/// Moves the items to their bins, which keeps the order of items of equal digits.
///
/// # Safety
///
/// `from` holds items, `to` has as many slots and does not overlap it, and nothing else accesses either. `offsets` are the exclusive
/// scan of the histogram of the keys by this digit.
unsafe fn scatter<K: SortKey, V: Copy>(
    from: impl Source<K::Bits, V>,
    to: impl Sink<K::Bits, V>,
    by: &Comparison<K>,
    digit: Digit,
    offsets: &mut Counters,
) {
    // A copy that no store of the loop can change.
    let by = *by;
    let length = from.length();
    let mut slot = 0;
    // SAFETY: a digit is less than its number of bins, which have offsets; by these each item has a slot of its own.
    let mut move_item = |item: Item<K::Bits, V>| unsafe {
        let bin = digit.of(by.for_digits(item.0));
        let offset = offsets.get_unchecked_mut(bin).assume_init_mut();
        to.write(*offset as usize, item);
        *offset += 1;
    };
    // SAFETY: the slots are less than the length.
    unsafe {
        while slot + UNROLLED <= length {
            let [a, b, c, d] =
                [from.read(slot), from.read(slot + 1), from.read(slot + 2), from.read(slot + 3)];
            move_item(a);
            move_item(b);
            move_item(c);
            move_item(d);
            slot += UNROLLED;
        }
        for slot in slot..length {
            move_item(from.read(slot));
        }
    }
}

/// Sorts a small n by insertion, from one memory to another or the same one.
///
/// # Safety
///
/// `from` holds items. `to` has as many slots, which are the same ones, or do not overlap it. Nothing else accesses either.
pub(super) unsafe fn insert<K: SortKey, V: Copy + Send + Sync>(
    from: impl Source<K::Bits, V>,
    to: Columns<K::Bits, V>,
    by: &Comparison<K>,
) {
    // A copy that no store of the loop can change.
    let by = &{ *by };
    for slot in 0..from.length() {
        // SAFETY: the slots of `to` before this one hold items, and this one has been read.
        unsafe {
            let item = from.read(slot);
            insert_before(to, slot, item, by.compared(item.0), by);
        }
    }
}

/// Inserts an item behind the last one before `end` that is not greater, and returns its slot.
///
/// # Safety
///
/// The slots before `end` hold items in order. That of `end` is free, and nothing else accesses any.
#[inline]
unsafe fn insert_before<K: SortKey, V: Copy + Send + Sync>(
    to: Columns<K::Bits, V>,
    end: usize,
    item: Item<K::Bits, V>,
    compared: K::Bits,
    by: &Comparison<K>,
) -> usize {
    let mut hole = end;
    // SAFETY: as the caller guarantees.
    unsafe {
        while hole > 0 && by.compared(to.bits(hole - 1)) > compared {
            to.write(hole, to.read(hole - 1));
            hole -= 1;
        }
        to.write(hole, item);
    }
    hole
}

/// Moves items that are in order but for the bits below those that they have been sorted by, and puts each behind the last one that is
/// not greater. They may be `IN_PLACE`. `sort_run` gets the first slot of an item that is far from its slot, moves and sorts the run of
/// items that agree in the other bits and that end there or later, and returns its end.
///
/// # Safety
///
/// `from` holds items. `to` has as many slots, which are the same ones if they are `IN_PLACE`, and do not overlap it otherwise. Nothing
/// else accesses either.
pub(super) unsafe fn finish<K: SortKey, V: Copy + Send + Sync, const IN_PLACE: bool>(
    from: impl Source<K::Bits, V>,
    to: Columns<K::Bits, V>,
    by: &Comparison<K>,
    sort_run: &dyn Fn(usize) -> usize,
) {
    // A copy that no store of the loop can change.
    let by = &{ *by };
    let mut before = K::Bits::zero();
    let mut slot = 0;
    while slot < from.length() {
        // SAFETY: the slot is less than the length, and the items before it are in order in `to`.
        unsafe {
            let next = by.compared(from.bits(slot));
            if before <= next {
                before = next;
                if !IN_PLACE {
                    to.write(slot, from.read(slot));
                }
                slot += 1;
                continue;
            }
            let hole = insert_before(to, slot, from.read(slot), next, by);
            slot += 1;
            if slot - hole > INSERTION_DISTANCE {
                slot = sort_run(slot - 1);
                before = by.compared(to.bits(slot - 1));
            }
        }
    }
}
