//! What threads have of an item in their registers.

use crate::primitives::composite_key::{self, CompositeKey};
use crate::types::{KeyClass, KeyType, ValueType};

/// Steps of one launch, at most: threads have two to the power of that many items in registers.
pub(super) const MAX_STEPS: u32 = 4;

/// Registers for these items, at most.
const COLUMN_REGISTERS: u32 = 48;

/// More than any device has the memory for.
pub(super) const MOST_ITEMS: u64 = 1 << 36;

/// What a thread has of an item in its registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// What is compared.
    pub(super) composite: CompositeKey,
    /// Whether the lowest bit of the tie-break index says that the key is -0.0, which is compared as +0.0.
    pub(super) marks_negative_zero: bool,
    /// Whether the value is the tie-break index.
    pub(super) values_break_ties: bool,
    /// Registers of the value that goes with the composite key.
    pub(super) carried_limbs: u32,
}

impl Item {
    pub(super) fn of(key: KeyType, value: ValueType, stable: bool) -> Self {
        let has_position = stable || value == ValueType::Index;
        let values_break_ties = !stable && composite_key::value_joins(key, value);
        let carries = value.is_read() && !values_break_ties;
        let tie_break_bits = if values_break_ties {
            Some(8 * value.bytes())
        } else {
            has_position.then_some(u32::BITS)
        };
        Self {
            composite: CompositeKey::of(key, tie_break_bits),
            marks_negative_zero: has_position && key.info().class == KeyClass::Float,
            values_break_ties,
            carried_limbs: if carries { value.bytes().div_ceil(4) } else { 0 },
        }
    }

    pub(super) fn registers(self) -> u32 {
        self.composite.registers() + self.carried_limbs
    }

    /// The most items that there may be, where each that has a position needs one of 32 bits.
    pub(super) fn most(self) -> u64 {
        match (self.composite.has_tie_break() && !self.values_break_ties, self.marks_negative_zero)
        {
            (true, true) => 1 << 31,
            (true, false) => 1 << 32,
            (false, _) => MOST_ITEMS,
        }
    }

    /// Steps of one launch over the array, at most.
    pub(super) fn max_steps(self) -> u32 {
        (COLUMN_REGISTERS / self.registers()).ilog2().clamp(1, MAX_STEPS)
    }
}
