//! What templates need to know of values.

use crate::types::ValueType;

/// What goes with a key, as templates show it.
pub(crate) struct ValueView {
    /// The type.
    pub(crate) cuda: &'static str,
    pub(crate) bytes: u32,
    /// Whether keys have values.
    pub(crate) exists: bool,
    /// Whether values are read from an array.
    pub(crate) is_read: bool,
    /// Whether the sort makes them: the positions of keys in the input.
    pub(crate) is_position: bool,
    /// What an array of the sorted ones is called.
    pub(crate) out: &'static str,
}

impl ValueView {
    pub(crate) fn of(value: ValueType) -> Self {
        let is_position = value == ValueType::Index;
        Self {
            cuda: value.cuda(),
            bytes: value.bytes(),
            exists: value != ValueType::None,
            is_read: value.is_read(),
            is_position,
            out: if is_position { "positions_out" } else { "values_out" },
        }
    }
}
