//! Where the items of a sort lie: keys and values as two columns, or side by side.
//!
//! Copies of these types name the same memory: every access is unsafe, and its caller keeps to the rules for pointers. Keys that the sort
//! has written are [stored bits](super::compare::Comparison).

use std::marker::PhantomData;

use super::compare::Comparison;
use crate::key::SortKey;

/// The stored bits of a key and its value, without padding between or behind.
#[derive(Clone, Copy)]
#[repr(C, packed)]
pub(super) struct Item<B, V>(pub(super) B, pub(super) V);

/// Items that a sort reads.
pub(super) trait Source<B, V>: Copy + Send + Sync {
    /// The number of items.
    fn length(self) -> usize;

    /// Some consecutive items.
    ///
    /// # Safety
    ///
    /// They lie within these.
    unsafe fn range(self, first: usize, length: usize) -> Self;

    /// The stored bits of the key of a slot.
    ///
    /// # Safety
    ///
    /// The slot is one of these and holds an item, which no other thread writes.
    unsafe fn bits(self, slot: usize) -> B;

    /// The item of a slot.
    ///
    /// # Safety
    ///
    /// As for [`Source::bits`].
    unsafe fn read(self, slot: usize) -> Item<B, V>;
}

/// Slots that a sort writes items to.
pub(super) trait Sink<B, V>: Copy + Send + Sync {
    /// Writes an item.
    ///
    /// # Safety
    ///
    /// The slot is one of these, and no other thread accesses it.
    unsafe fn write(self, slot: usize, item: Item<B, V>);
}

/// The memory of keys and of the same number of values.
#[derive(Clone, Copy)]
pub(super) struct Columns<K, V> {
    pub(super) keys: *mut K,
    pub(super) values: *mut V,
    pub(super) length: usize,
}

/// The memory of items side by side.
#[derive(Clone, Copy)]
pub(super) struct Pairs<B, V> {
    pub(super) items: *mut Item<B, V>,
    pub(super) length: usize,
}

/// Keys as the caller has them, with values.
#[derive(Clone, Copy)]
pub(super) struct Given<'a, K: SortKey, V> {
    pub(super) columns: Columns<K, V>,
    pub(super) by: &'a Comparison<K>,
}

/// Keys as the caller has them, with their positions as values.
#[derive(Clone, Copy)]
pub(super) struct Numbered<'a, K: SortKey> {
    keys: *const K,
    length: usize,
    first: u32,
    by: &'a Comparison<K>,
    borrowed: PhantomData<&'a [K]>,
}

macro_rules! sent {
    ($([$($generics:tt)*] $type:ty;)*) => {$(
        // SAFETY: these are plain pointers to items that may be sent to other threads, and every access through them is unsafe.
        unsafe impl<$($generics)*> Send for $type {}
        // SAFETY: as above; a shared reference gives no more than a copy.
        unsafe impl<$($generics)*> Sync for $type {}
    )*};
}

sent! {
    [K: Send + Sync, V: Send + Sync] Columns<K, V>;
    [B: Send + Sync, V: Send + Sync] Pairs<B, V>;
    ['a, K: SortKey] Numbered<'a, K>;
}

impl<K: Copy + Send + Sync, V: Copy + Send + Sync> Columns<K, V> {
    /// The memory of a slice of keys and of one of values.
    pub(super) fn of(keys: &mut [K], values: &mut [V]) -> Self {
        assert!(keys.len() == values.len());
        Self { keys: keys.as_mut_ptr(), values: values.as_mut_ptr(), length: keys.len() }
    }

    /// Some consecutive slots.
    ///
    /// # Safety
    ///
    /// They lie within these slots.
    pub(super) unsafe fn part(self, first: usize, length: usize) -> Self {
        debug_assert!(first + length <= self.length);
        // SAFETY: the caller guarantees that the offset is within the memory.
        unsafe { Self { keys: self.keys.add(first), values: self.values.add(first), length } }
    }
}

impl<K: Copy + Send + Sync, V: Copy + Send + Sync> Columns<K, V> {
    /// Moves items to other slots of these, which may overlap theirs.
    ///
    /// # Safety
    ///
    /// All of them are among these slots, those that are read hold items, and nothing else accesses them.
    pub(super) unsafe fn move_within(self, from: usize, to: usize, length: usize) {
        debug_assert!(from.max(to) + length <= self.length);
        // SAFETY: as the caller guarantees.
        unsafe {
            self.keys.add(from).copy_to(self.keys.add(to), length);
            self.values.add(from).copy_to(self.values.add(to), length);
        }
    }
}

impl<K: SortKey, V: Copy + Send + Sync> Columns<K, V> {
    /// The same memory, for the stored bits of the keys.
    pub(super) fn stored(self) -> Columns<K::Bits, V> {
        const { assert!(size_of::<K>() == size_of::<K::Bits>()) };
        const { assert!(align_of::<K>() == align_of::<K::Bits>()) };
        Columns { keys: self.keys.cast(), values: self.values, length: self.length }
    }

    /// Replaces the stored bits of all keys by the keys.
    ///
    /// # Safety
    ///
    /// All slots hold stored bits, and nothing else accesses them.
    pub(super) unsafe fn restore(self, by: &Comparison<K>) {
        if by.is_identity() {
            return;
        }
        for slot in 0..self.length {
            // SAFETY: a key is as large and aligned as its stored bits.
            unsafe {
                let stored = self.keys.add(slot).cast::<K::Bits>().read();
                self.keys.add(slot).write(by.restored(stored));
            }
        }
    }

    /// Replaces all keys by their stored bits.
    ///
    /// # Safety
    ///
    /// All slots hold keys, and nothing else accesses them.
    pub(super) unsafe fn store(self, by: &Comparison<K>) {
        if by.is_identity() {
            return;
        }
        for slot in 0..self.length {
            // SAFETY: as in `restore`.
            unsafe {
                let stored = by.stored(self.keys.add(slot).read());
                self.keys.add(slot).cast::<K::Bits>().write(stored);
            }
        }
    }
}

impl<B: Copy + Send + Sync, V: Copy + Send + Sync> Source<B, V> for Columns<B, V> {
    fn length(self) -> usize {
        self.length
    }

    unsafe fn range(self, first: usize, length: usize) -> Self {
        // SAFETY: as the caller guarantees.
        unsafe { self.part(first, length) }
    }

    #[inline]
    unsafe fn bits(self, slot: usize) -> B {
        debug_assert!(slot < self.length);
        // SAFETY: as the caller guarantees.
        unsafe { self.keys.add(slot).read() }
    }

    #[inline]
    unsafe fn read(self, slot: usize) -> Item<B, V> {
        debug_assert!(slot < self.length);
        // SAFETY: as the caller guarantees.
        unsafe { Item(self.keys.add(slot).read(), self.values.add(slot).read()) }
    }
}

impl<B: Copy + Send + Sync, V: Copy + Send + Sync> Sink<B, V> for Columns<B, V> {
    #[inline]
    unsafe fn write(self, slot: usize, item: Item<B, V>) {
        debug_assert!(slot < self.length);
        // SAFETY: as the caller guarantees.
        unsafe {
            self.keys.add(slot).write(item.0);
            self.values.add(slot).write(item.1);
        }
    }
}

impl<B, V> Pairs<B, V> {
    /// The memory of this number of items from an address on, of any alignment.
    pub(super) fn new(items: *mut Item<B, V>, length: usize) -> Self {
        Self { items, length }
    }
}

impl<B: Copy + Send + Sync, V: Copy + Send + Sync> Source<B, V> for Pairs<B, V> {
    fn length(self) -> usize {
        self.length
    }

    unsafe fn range(self, first: usize, length: usize) -> Self {
        debug_assert!(first + length <= self.length);
        // SAFETY: the caller guarantees that the offset is within the memory.
        unsafe { Self { items: self.items.add(first), length } }
    }

    #[inline]
    unsafe fn bits(self, slot: usize) -> B {
        debug_assert!(slot < self.length);
        // SAFETY: as the caller guarantees.
        unsafe { (&raw const (*self.items.add(slot)).0).read_unaligned() }
    }

    #[inline]
    unsafe fn read(self, slot: usize) -> Item<B, V> {
        debug_assert!(slot < self.length);
        // SAFETY: as the caller guarantees; an item has no alignment.
        unsafe { self.items.add(slot).read() }
    }
}

impl<B: Copy + Send + Sync, V: Copy + Send + Sync> Sink<B, V> for Pairs<B, V> {
    #[inline]
    unsafe fn write(self, slot: usize, item: Item<B, V>) {
        debug_assert!(slot < self.length);
        // SAFETY: as the caller guarantees; an item has no alignment.
        unsafe { self.items.add(slot).write(item) };
    }
}

impl<K: SortKey, V: Copy + Send + Sync> Source<K::Bits, V> for Given<'_, K, V> {
    fn length(self) -> usize {
        self.columns.length
    }

    unsafe fn range(self, first: usize, length: usize) -> Self {
        // SAFETY: as the caller guarantees.
        unsafe { Self { columns: self.columns.part(first, length), ..self } }
    }

    #[inline]
    unsafe fn bits(self, slot: usize) -> K::Bits {
        debug_assert!(slot < self.columns.length);
        // SAFETY: as the caller guarantees.
        unsafe { self.by.stored(self.columns.keys.add(slot).read()) }
    }

    #[inline]
    unsafe fn read(self, slot: usize) -> Item<K::Bits, V> {
        // SAFETY: as the caller guarantees.
        unsafe { Item(self.bits(slot), self.columns.values.add(slot).read()) }
    }
}

impl<'a, K: SortKey> Numbered<'a, K> {
    /// Keys, of which there are at most 2³².
    pub(super) fn new(keys: &'a [K], by: &'a Comparison<K>) -> Self {
        Self { keys: keys.as_ptr(), length: keys.len(), first: 0, by, borrowed: PhantomData }
    }
}

impl<K: SortKey> Source<K::Bits, u32> for Numbered<'_, K> {
    fn length(self) -> usize {
        self.length
    }

    unsafe fn range(self, first: usize, length: usize) -> Self {
        debug_assert!(first + length <= self.length);
        // SAFETY: the caller guarantees that the offset is within the memory.
        unsafe {
            let (keys, first) = (self.keys.add(first), self.first + first as u32);
            Self { keys, length, first, ..self }
        }
    }

    #[inline]
    unsafe fn bits(self, slot: usize) -> K::Bits {
        debug_assert!(slot < self.length);
        // SAFETY: as the caller guarantees.
        unsafe { self.by.stored(self.keys.add(slot).read()) }
    }

    #[inline]
    unsafe fn read(self, slot: usize) -> Item<K::Bits, u32> {
        // SAFETY: as the caller guarantees.
        unsafe { Item(self.bits(slot), self.first + slot as u32) }
    }
}
