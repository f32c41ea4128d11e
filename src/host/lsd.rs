//! Sorts of items that fit a cache: passes by the upper bits, the lowest digit first, and then an insertion of the neighbours that
//! agree in these bits and are out of order.
//!
//! The insertion reads one buffer and may write the other one, so that it also moves the items to where the result is wanted. A long
//! run of items that agree in their upper bits is sorted by itself.

use std::mem::MaybeUninit;

use super::buckets::{self, Buffers};
use super::compare::Comparison;
use super::digits::{Digit, MAX_BINS, Passes};
use super::slots::Slots;
use crate::key::SortKey;

/// An insertion that moves an item by more has met a long run.
const INSERTION_DISTANCE: usize = 16;

type Counters = [MaybeUninit<u32>; MAX_BINS];

/// Sorts the items of `from`, fewer than 2³², into `to`, which is `from` or `other`. The content of the other one is unspecified.
///
/// Floats are sorted as their ordered bits, so that a pass need not compute these, unless keys of different bits are equal.
///
/// # Safety
///
/// `from` holds items that differ in the bits `varying`. `other` are as many slots; nothing else accesses either.
pub(super) unsafe fn sort<K: SortKey, V: Copy + Send + Sync, const NAN_LAST: bool>(
    (from, other, to): Buffers<K, V>,
    by: &Comparison<K, NAN_LAST>,
    varying: K::Bits,
) {
    // SAFETY: as the caller guarantees. All keys of `from` are mapped, and so are those of the result.
    unsafe {
        if !K::HAS_NAN {
            return sort_by_passes((from, other, to), by, varying);
        }
        if to_ordered_bits::<K, NAN_LAST>(from.keys, from.length) {
            let [from, other, to] = [from, other, to].map(|slots| Slots {
                keys: slots.keys.cast::<K::Bits>(),
                values: slots.values,
                length: slots.length,
            });
            sort_by_passes((from, other, to), &by.of_ordered_bits(), varying);
            from_ordered_bits::<K>(to.keys, to.length);
        } else {
            from_ordered_bits::<K>(from.keys.cast(), from.length);
            sort_by_passes((from, other, to), by, varying);
        }
    }
}

/// Replaces keys by their ordered bits, and returns whether these alone decide their order: not of zeros of both signs, nor of NaNs
/// that come last.
///
/// # Safety
///
/// The keys are of this number, and nothing else accesses them.
unsafe fn to_ordered_bits<K: SortKey, const NAN_LAST: bool>(keys: *mut K, length: usize) -> bool {
    const { assert!(size_of::<K>() == size_of::<K::Bits>()) };
    const { assert!(align_of::<K>() == align_of::<K::Bits>()) };
    let mut is_decided = true;
    for slot in 0..length {
        // SAFETY: ordered bits are as large and aligned as their key.
        unsafe {
            let key = keys.add(slot).read();
            let bits = key.to_ordered_bits();
            is_decided &= bits == key.to_compared_bits() && !(NAN_LAST && key.is_nan_key());
            keys.add(slot).cast::<K::Bits>().write(bits);
        }
    }
    is_decided
}

/// Replaces ordered bits by their keys.
///
/// # Safety
///
/// The keys are of this number, and nothing else accesses them.
unsafe fn from_ordered_bits<K: SortKey>(bits: *mut K::Bits, length: usize) {
    for slot in 0..length {
        // SAFETY: a key is as large and aligned as its ordered bits.
        unsafe {
            let key = K::from_ordered_bits(bits.add(slot).read());
            bits.add(slot).cast::<K>().write(key);
        }
    }
}

/// Sorts by the upper bits, and what agrees in these by insertion.
///
/// # Safety
///
/// As for [`sort`].
unsafe fn sort_by_passes<K: SortKey, V: Copy + Send + Sync, const NAN_LAST: bool>(
    (from, other, to): Buffers<K, V>,
    by: &Comparison<K, NAN_LAST>,
    varying: K::Bits,
) {
    // SAFETY: as the caller guarantees; each pass writes all slots of the buffer that the next step reads.
    unsafe {
        let passes = Passes::new(from.keys(), by, varying);
        let (sorted, spare) = match *passes.digits() {
            [digit] => sort_by_digits(from, other, by, [digit]),
            [lower, upper] => sort_by_digits(from, other, by, [lower, upper]),
            [lower, middle, upper, ..] => sort_by_digits(from, other, by, [lower, middle, upper]),
            [] => (from, other),
        };
        if passes.is_partial {
            let scratch = if sorted.keys == to.keys { spare } else { sorted };
            finish((sorted, to, scratch), by, passes.lowest);
        } else if sorted.keys != to.keys {
            sorted.copy_to(to);
        }
    }
}

/// A pass for each digit. Returns the buffer that holds the items then, and the other one.
///
/// # Safety
///
/// As for [`sort`].
unsafe fn sort_by_digits<K: SortKey, V: Copy, const NAN_LAST: bool, const N: usize>(
    from: Slots<K, V>,
    other: Slots<K, V>,
    by: &Comparison<K, NAN_LAST>,
    digits: [Digit; N],
) -> (Slots<K, V>, Slots<K, V>) {
    let mut counters: [Counters; N] = [[MaybeUninit::uninit(); MAX_BINS]; N];
    let mut index = 0;
    let mut counts = counters.each_mut().map(|counters| {
        index += 1;
        zeroed(counters, digits[index - 1])
    });
    // SAFETY: as the caller guarantees.
    for key in unsafe { from.keys() } {
        let compared = by.compared(*key);
        for digit in 0..N {
            // SAFETY: a digit is less than its number of bins, which is that of its counters.
            unsafe { *counts[digit].get_unchecked_mut(digits[digit].of(compared)) += 1 };
        }
    }
    let (mut from, mut to) = (from, other);
    for (digit, counts) in digits.iter().zip(&mut counts) {
        if counts.iter().any(|count| *count as usize == from.length) {
            continue;
        }
        exclusive_scan(counts);
        // SAFETY: the offsets are the scan of the histogram of these keys, which does not depend on their order.
        unsafe { scatter(from, to, by, *digit, counts) };
        (from, to) = (to, from);
    }
    (from, to)
}

/// Zeroes the counters of a digit.
fn zeroed(counters: &mut Counters, digit: Digit) -> &mut [u32] {
    let counters = &mut counters[..digit.bins()];
    for counter in &mut *counters {
        *counter = MaybeUninit::new(0);
    }
    // SAFETY: all of them have been written.
    unsafe { &mut *(std::ptr::from_mut(counters) as *mut [u32]) }
}

fn exclusive_scan(counts: &mut [u32]) {
    let mut sum = 0;
    for count in counts {
        (*count, sum) = (sum, sum + *count);
    }
}

/// Moves the items to their bins, which keeps the order of items of equal digits.
///
/// # Safety
///
/// `from` holds items, `to` has as many slots and does not overlap it, and nothing else accesses either. `offsets` are the exclusive
/// scan of the histogram of the keys by this digit.
unsafe fn scatter<K: SortKey, V: Copy, const NAN_LAST: bool>(
    from: Slots<K, V>,
    to: Slots<K, V>,
    by: &Comparison<K, NAN_LAST>,
    digit: Digit,
    offsets: &mut [u32],
) {
    assert!(offsets.len() == digit.bins());
    for slot in 0..from.length {
        // SAFETY: a digit is less than its number of bins; by the offsets each item has a slot of its own.
        unsafe {
            let item = from.read(slot);
            let offset = offsets.get_unchecked_mut(digit.of(by.compared(item.0)));
            to.write(*offset as usize, item);
            *offset += 1;
        }
    }
}

/// Copies items that are in order but for the bits below `lowest` from `from` to `to`, which may be the same slots, and puts each
/// behind the last one that is not greater.
///
/// # Safety
///
/// `from` holds at least one item. `to` has as many slots. `scratch` too, which do not overlap those of `to`, and which this function
/// may write once it has read the slots of `from` before. Nothing else accesses them.
unsafe fn finish<K: SortKey, V: Copy + Send + Sync, const NAN_LAST: bool>(
    (from, to, scratch): Buffers<K, V>,
    by: &Comparison<K, NAN_LAST>,
    lowest: u32,
) {
    // SAFETY: all slots are below the length; those of `to` before `slot` hold items.
    unsafe {
        let first = from.read(0);
        to.write(0, first);
        let mut before = by.compared(first.0);
        let mut slot = 1;
        while slot < from.length {
            let item = from.read(slot);
            let compared = by.compared(item.0);
            if before <= compared {
                to.write(slot, item);
                before = compared;
                slot += 1;
                continue;
            }
            let mut hole = slot;
            while hole > 0 && by.compared(to.keys.add(hole - 1).read()) > compared {
                to.write(hole, to.read(hole - 1));
                hole -= 1;
            }
            to.write(hole, item);
            slot += 1;
            if slot - hole > INSERTION_DISTANCE {
                slot = sort_run((from, to, scratch), by, lowest, slot);
                before = by.compared(to.keys.add(slot - 1).read());
            }
        }
    }
}

/// Sorts the run of items that agree in the bits from `lowest` on, of which those before `slot` are in `to`, and the others still in
/// `from`. Returns its end.
///
/// # Safety
///
/// As for [`finish`].
#[cold]
unsafe fn sort_run<K: SortKey, V: Copy + Send + Sync, const NAN_LAST: bool>(
    (from, to, scratch): Buffers<K, V>,
    by: &Comparison<K, NAN_LAST>,
    lowest: u32,
    slot: usize,
) -> usize {
    // SAFETY: slots before `slot` hold items in `to`, those from it on in `from`.
    unsafe {
        let upper = |key: *mut K| by.compared(key.read()) >> lowest as usize;
        let run = upper(to.keys.add(slot - 1));
        let mut begin = slot - 1;
        while begin > 0 && upper(to.keys.add(begin - 1)) == run {
            begin -= 1;
        }
        let mut end = slot;
        while end < from.length && upper(from.keys.add(end)) == run {
            to.write(end, from.read(end));
            end += 1;
        }
        let [items, scratch] = [to, scratch].map(|slots| slots.range(begin, end - begin));
        buckets::sort((items, scratch, items), by);
        end
    }
}
