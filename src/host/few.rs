//! Sorts of items with few distinct keys: a hash table counts these, and then the values alone move.

use num_traits::Zero;

use super::compare::Comparison;
use super::items::{Columns, Pairs, Source};
use crate::key::{KeyBits, SortKey};

/// The smallest number of items that are sorted like this.
const ITEMS_MIN: usize = if cfg!(miri) { 1 << 7 } else { 1 << 10 };
/// The largest number of distinct keys.
const DISTINCT_MAX: usize = 256;
/// The number of bits of a slot of the table.
const SLOT_BITS: u32 = 10;
const SLOTS: usize = 1 << SLOT_BITS;
/// The number of keys that are looked at first.
const SAMPLES: usize = 64;
/// Fewer samples repeat others if keys are many.
const REPEATED_MIN: usize = 16;

/// The distinct keys of some items, as stored bits, by their hashes and with the next free slots behind.
struct Table<B> {
    /// Slots that are free hold the first key.
    keys: [B; SLOTS],
    /// The number of items of each key, and later where the next one goes. Free slots have no items.
    counts: [usize; SLOTS],
}

/// A distinct key in the order of the sort.
#[derive(Clone, Copy)]
struct Ranked<B> {
    compared: B,
    /// That of the table.
    slot: usize,
    /// Where its items end.
    end: usize,
}

fn home<B: KeyBits>(key: B) -> usize {
    (key.hashed() >> (u64::BITS - SLOT_BITS)) as usize
}

impl<B: KeyBits> Table<B> {
    /// Counts the items of each key. `None` if there are many.
    ///
    /// # Safety
    ///
    /// The source holds at least one item, and nothing else writes it.
    unsafe fn of<V>(items: impl Source<B, V>) -> Option<Self> {
        // SAFETY: the slots are less than the length.
        let key_of = |slot: usize| unsafe { items.bits(slot) };
        let mut table = Self { keys: [key_of(0); SLOTS], counts: [0; SLOTS] };
        let mut distinct = 1;
        table.counts[home(key_of(0))] = 1;
        for slot in 1..items.length() {
            let key = key_of(slot);
            let mut slot = home(key);
            if table.keys[slot] != key {
                slot = table.find(key);
                if table.counts[slot] == 0 {
                    distinct += 1;
                    if distinct > DISTINCT_MAX {
                        return None;
                    }
                    table.keys[slot] = key;
                }
            }
            table.counts[slot] += 1;
        }
        Some(table)
    }

    /// The slot of a key, or a free one.
    #[cold]
    fn find(&self, key: B) -> usize {
        let mut slot = home(key);
        // The first key, of which free slots hold copies, has its home.
        while self.counts[slot] > 0 && self.keys[slot] != key {
            slot = (slot + 1) % SLOTS;
        }
        slot
    }

    /// The keys by their compared bits, unordered.
    #[inline]
    fn ranked<'a>(
        &self,
        slots: &'a mut [Ranked<B>; DISTINCT_MAX],
        compared: impl Fn(B) -> B,
    ) -> &'a mut [Ranked<B>] {
        let mut count = 0;
        for slot in 0..SLOTS {
            if self.counts[slot] > 0 {
                slots[count] = Ranked { compared: compared(self.keys[slot]), slot, end: 0 };
                count += 1;
            }
        }
        &mut slots[..count]
    }

    /// Orders the keys, and replaces the counts by their exclusive scan in that order. Returns false if two keys compare as equal.
    fn exclusive_scan(&mut self, keys: &mut [Ranked<B>]) -> bool {
        keys.sort_unstable_by_key(|key| key.compared);
        if keys.windows(2).any(|pair| pair[0].compared == pair[1].compared) {
            return false;
        }
        let mut end = 0;
        for key in keys {
            let begin = end;
            end += self.counts[key.slot];
            self.counts[key.slot] = begin;
            key.end = end;
        }
        true
    }

    /// The slot of a key of the table.
    #[inline]
    fn slot(&self, key: B) -> usize {
        let mut slot = home(key);
        while self.keys[slot] != key {
            slot = (slot + 1) % SLOTS;
        }
        slot
    }
}

/// Whether many of some keys repeat others.
pub(super) fn is_likely<B: KeyBits, V>(items: impl Source<B, V>) -> bool {
    if items.length() < ITEMS_MIN {
        return false;
    }
    let mut is_taken = [false; SLOTS];
    let repeated = (0..SAMPLES).filter(|sample| {
        // At no equal distances, which keys may repeat at. The slot is less than the length.
        let offset = sample.wrapping_mul(0x9e37_79b9) % (items.length() / SAMPLES);
        let slot = items.length() / SAMPLES * sample + offset;
        // SAFETY: as above.
        let key = unsafe { items.bits(slot) };
        std::mem::replace(&mut is_taken[home(key)], true)
    });
    repeated.count() >= REPEATED_MIN
}

/// Sorts the items of `from` into `to`, and returns true, if the distinct keys are few, and no two of them compare as equal. Otherwise
/// nothing has been written.
///
/// # Safety
///
/// `from` holds items. `to` has as many slots, which do not overlap those of `from` if there is no `scratch`, and are the same
/// otherwise. The scratch has as many, and overlaps neither. Nothing else accesses any.
pub(super) unsafe fn sort<K: SortKey, V: Copy + Send + Sync>(
    from: impl Source<K::Bits, V>,
    to: Columns<K, V>,
    scratch: Option<Pairs<K::Bits, V>>,
    by: &Comparison<K>,
) -> bool {
    // SAFETY: as the caller guarantees.
    let Some(mut table) = (unsafe { Table::of(from) }) else { return false };
    let none = Ranked { compared: K::Bits::zero(), slot: 0, end: 0 };
    let mut keys = [none; DISTINCT_MAX];
    let keys = table.ranked(&mut keys, |key| by.compared(key));
    if !table.exclusive_scan(keys) {
        return false;
    }
    // SAFETY: each item's value has a slot of its own. The scratch has room for all values, of any alignment.
    unsafe {
        if size_of::<V>() > 0 {
            let values = scratch.map_or(to.values, |scratch| scratch.items.cast::<V>());
            for slot in 0..from.length() {
                let item = from.read(slot);
                let next = &mut table.counts[table.slot(item.0)];
                values.add(*next).write_unaligned(item.1);
                *next += 1;
            }
            if scratch.is_some() {
                let bytes = to.length * size_of::<V>();
                to.values.cast::<u8>().copy_from_nonoverlapping(values.cast(), bytes);
            }
        }
        let mut begin = 0;
        for Ranked { slot, end, .. } in keys {
            let copies = to.part(begin, *end - begin);
            let key = by.restored(table.keys[*slot]);
            for slot in 0..copies.length {
                copies.keys.add(slot).write(key);
            }
            begin = *end;
        }
    }
    true
}
