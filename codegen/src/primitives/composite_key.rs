//! What a comparison network compares of an item, and what stands below the key's bits there.

use crate::contract::spec::SpecFields;
use crate::types::{KeyClass, KeyType, UnsignedType, ValueType};

/// Bits below a key of 8 or 16 bits in its register.
const JOINED_TIE_BREAK_BITS: u32 = 16;

/// What the network compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompositeKey {
    /// The key's ordered bits, in the type that they have in registers.
    Bits(UnsignedType),
    /// The key's ordered bits above the item's tie-break index, in one register.
    Joined {
        /// Bits of the tie-break index.
        tie_break_bits: u32,
    },
    /// The key's ordered bits, and a register below them for the tie-break index.
    Apart(UnsignedType),
    /// The ordered bits of two keys of up to 16 bits, one of either half of the tile, in one register. What is lower in all of them
    /// is a sequence of its own, and what is upper another.
    PackedPairs,
    /// As many of the upper bits of the key's distance from the tile's least one as there is room for above the item's position, in
    /// one register.
    TruncatedKey,
}

impl CompositeKey {
    /// That of such keys, with a tie-break index that has at least this number of bits, or with none.
    pub(crate) fn of(key: KeyType, tie_break_bits: Option<u32>) -> Self {
        let register = key.storage().widened();
        match tie_break_bits {
            None => Self::Bits(register),
            Some(bits) if key.bytes() <= 2 && bits <= JOINED_TIE_BREAK_BITS => {
                Self::Joined { tie_break_bits: JOINED_TIE_BREAK_BITS }
            }
            Some(_) => Self::Apart(register),
        }
    }

    /// Whether there is a tie-break index, which is compared where keys are equal.
    pub fn has_tie_break(self) -> bool {
        !matches!(self, Self::Bits(_) | Self::PackedPairs)
    }

    /// Bits of a tie-break index that shares its register with the key; 0 where none does.
    pub fn joined_tie_break_bits(self) -> u32 {
        if let Self::Joined { tie_break_bits } = self { tie_break_bits } else { 0 }
    }

    /// Keys of one.
    pub fn keys(self) -> u32 {
        if self == Self::PackedPairs { 2 } else { 1 }
    }

    /// Registers of one.
    pub fn registers(self) -> u32 {
        match self {
            Self::Bits(bits) => bits.bytes / 4,
            Self::Joined { .. } | Self::PackedPairs | Self::TruncatedKey => 1,
            Self::Apart(bits) => bits.bytes / 4 + 1,
        }
    }
}

/// Whether positions are the tie-break indices, so that no two are equal.
pub(crate) fn needs_positions(fields: &SpecFields) -> bool {
    fields.value != ValueType::None
}

/// Whether the signs of zeros are put in input order once keys alone are sorted: nothing else tells equal keys apart.
pub(crate) fn orders_zeros(fields: &SpecFields) -> bool {
    let is_float = fields.key.info().class == KeyClass::Float;
    fields.value == ValueType::None && fields.algorithm.is_stable() && is_float
}

/// Bits of a tie-break index that has a position in the tile, and the mark of a -0.0 where keys are floats.
pub(crate) fn position_bits(fields: &SpecFields) -> u32 {
    let is_float = fields.key.info().class == KeyClass::Float;
    bits_of_positions(fields) + u32::from(is_float)
}

/// Bits of a position in the tile.
pub(crate) fn bits_of_positions(fields: &SpecFields) -> u32 {
    fields.tile_items().next_power_of_two().ilog2()
}

/// Whether a value fits as the tie-break index, and the order of equal keys does not matter.
pub(crate) fn values_fit_tie_breaks(fields: &SpecFields) -> bool {
    let tie_break_bytes = if fields.key.bytes() <= 2 { JOINED_TIE_BREAK_BITS / 8 } else { 4 };
    !fields.algorithm.is_stable()
        && fields.value.is_read()
        && fields.value.bytes() <= tie_break_bytes
}

/// Whether a value fits the register of its key.
pub(crate) fn value_joins(key: KeyType, value: ValueType) -> bool {
    value.is_read() && key.bytes() <= 2 && 8 * value.bytes() <= JOINED_TIE_BREAK_BITS
}
