//! Keys and values in memory that need not hold any yet.

use super::columns::Columns;

/// The memory of keys and of the same number of values. Copies of it name the same memory: every access is unsafe, and its caller
/// keeps to the rules for pointers.
pub(super) struct Slots<K, V> {
    pub(super) keys: *mut K,
    pub(super) values: *mut V,
    pub(super) length: usize,
}

impl<K, V> Clone for Slots<K, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K, V> Copy for Slots<K, V> {}

// SAFETY: the slots are plain pointers to items that may be sent to other threads, and every access through them is unsafe.
unsafe impl<K: Send, V: Send> Send for Slots<K, V> {}
// SAFETY: as above; a shared reference gives no more than a copy.
unsafe impl<K: Send, V: Send> Sync for Slots<K, V> {}

impl<K: Copy, V: Copy> Slots<K, V> {
    /// The slots of a slice of keys and of one of values.
    pub(super) fn of(keys: &mut [K], values: &mut [V]) -> Self {
        assert!(keys.len() == values.len());
        Self { keys: keys.as_mut_ptr(), values: values.as_mut_ptr(), length: keys.len() }
    }

    /// Some consecutive slots.
    ///
    /// # Safety
    ///
    /// They lie within these slots.
    pub(super) unsafe fn range(self, first: usize, length: usize) -> Self {
        debug_assert!(first + length <= self.length);
        // SAFETY: the caller guarantees that the offset is within the memory.
        unsafe { Self { keys: self.keys.add(first), values: self.values.add(first), length } }
    }

    /// The keys.
    ///
    /// # Safety
    ///
    /// The slots hold keys, and nothing writes them while the slice lives.
    pub(super) unsafe fn keys<'a>(self) -> &'a [K] {
        // SAFETY: as the caller guarantees.
        unsafe { std::slice::from_raw_parts(self.keys, self.length) }
    }

    /// The keys and values.
    ///
    /// # Safety
    ///
    /// The slots hold items, and nothing else accesses them while the columns live.
    pub(super) unsafe fn columns<'a>(self) -> Columns<'a, K, V> {
        // SAFETY: as the caller guarantees.
        unsafe {
            Columns {
                keys: std::slice::from_raw_parts_mut(self.keys, self.length),
                values: std::slice::from_raw_parts_mut(self.values, self.length),
            }
        }
    }

    /// The item of a slot.
    ///
    /// # Safety
    ///
    /// The slot is one of these and holds an item, which no other thread writes.
    #[inline]
    pub(super) unsafe fn read(self, slot: usize) -> (K, V) {
        debug_assert!(slot < self.length);
        // SAFETY: as the caller guarantees.
        unsafe { (self.keys.add(slot).read(), self.values.add(slot).read()) }
    }

    /// Writes an item to a slot.
    ///
    /// # Safety
    ///
    /// The slot is one of these, and no other thread accesses it.
    #[inline]
    pub(super) unsafe fn write(self, slot: usize, (key, value): (K, V)) {
        debug_assert!(slot < self.length);
        // SAFETY: as the caller guarantees.
        unsafe {
            self.keys.add(slot).write(key);
            self.values.add(slot).write(value);
        }
    }

    /// Copies all items to other slots.
    ///
    /// # Safety
    ///
    /// These slots hold items. The others are as many and do not overlap them, and no other thread accesses any.
    pub(super) unsafe fn copy_to(self, to: Self) {
        debug_assert!(self.length == to.length);
        // SAFETY: as the caller guarantees.
        unsafe {
            self.keys.copy_to_nonoverlapping(to.keys, self.length);
            self.values.copy_to_nonoverlapping(to.values, self.length);
        }
    }
}
