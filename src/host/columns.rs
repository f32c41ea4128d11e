//! Keys and values as columns.

use super::compare::Comparison;
use crate::key::SortKey;

/// Keys and the same number of values.
pub(super) struct Columns<'a, K, V> {
    pub(super) keys: &'a mut [K],
    pub(super) values: &'a mut [V],
}

impl<K: SortKey, V: Copy> Columns<'_, K, V> {
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    pub(super) fn reborrow(&mut self) -> Columns<'_, K, V> {
        Columns { keys: &mut *self.keys, values: &mut *self.values }
    }

    /// The first `count` items and the others.
    pub(super) fn split_at(self, count: usize) -> (Self, Self) {
        let (keys, other_keys) = self.keys.split_at_mut(count);
        let (values, other_values) = self.values.split_at_mut(count);
        (Self { keys, values }, Columns { keys: other_keys, values: other_values })
    }

    /// Sorts items that are in the opposite order: reverses them, and keeps the order of equal ones.
    pub(super) fn reverse_stably<const NAN_LAST: bool>(&mut self, by: &Comparison<K, NAN_LAST>) {
        self.keys.reverse();
        self.values.reverse();
        let mut values = &mut *self.values;
        for equal in self.keys.chunk_by_mut(|a, b| by.compared(*a) == by.compared(*b)) {
            let (equal_values, rest) = values.split_at_mut(equal.len());
            equal.reverse();
            equal_values.reverse();
            values = rest;
        }
    }

    pub(super) fn insertion_sort<const NAN_LAST: bool>(&mut self, by: &Comparison<K, NAN_LAST>) {
        for end in 1..self.len() {
            let (key, value) = (self.keys[end], self.values[end]);
            let compared = by.compared(key);
            let mut hole = end;
            while hole > 0 && by.compared(self.keys[hole - 1]) > compared {
                self.keys[hole] = self.keys[hole - 1];
                self.values[hole] = self.values[hole - 1];
                hole -= 1;
            }
            self.keys[hole] = key;
            self.values[hole] = value;
        }
    }
}
