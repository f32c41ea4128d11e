//! What templates need to know of keys.

use crate::types::{KeyClass, KeyType, Order, ValueType};

/// A type of key and its order, as templates show them; `fragments/ordered_bits.cuh` takes it.
#[allow(clippy::struct_excessive_bools)] // one flag for each way in which the transform to ordered bits differs
pub(crate) struct KeyView {
    /// The type.
    pub(crate) cuda: &'static str,
    pub(crate) bits: u32,
    /// The unsigned type of as many bytes.
    pub(crate) stored_bits: &'static str,
    /// The unsigned type that ordered bits have in registers.
    pub(crate) register_bits: &'static str,
    pub(crate) is_bool: bool,
    pub(crate) is_float: bool,
    pub(crate) is_signed: bool,
    pub(crate) is_signed_or_float: bool,
    pub(crate) descending: bool,
    pub(crate) nan_last: bool,
    /// The ordered bits of the largest float that is a number, the infinite one where there is one, in hexadecimal.
    pub(crate) max_number: String,
}

impl KeyView {
    pub(crate) fn of(key: KeyType, order: Order, nan_last: bool) -> Self {
        let info = key.info();
        Self {
            cuda: info.cuda,
            bits: info.bits,
            stored_bits: key.storage().cuda,
            register_bits: key.storage().widened().cuda,
            is_bool: key == KeyType::Bool,
            is_float: info.class == KeyClass::Float,
            is_signed: info.class == KeyClass::Signed,
            is_signed_or_float: info.class != KeyClass::Unsigned,
            descending: order == Order::Descending,
            nan_last,
            max_number: max_number(key),
        }
    }
}

fn max_number(key: KeyType) -> String {
    let magnitude: u64 = match key {
        KeyType::F8E4m3 => 0x7e,
        KeyType::F8E5m2 => 0x7c,
        KeyType::F16 => 0x7c00,
        KeyType::Bf16 => 0x7f80,
        KeyType::F32 => 0x7f80_0000,
        KeyType::F64 => 0x7ff0_0000_0000_0000,
        _ => return String::new(),
    };
    format!("{:#x}", magnitude | 1 << (key.bits() - 1))
}

/// What a sort does, for the first lines of its header.
pub(crate) fn title(key: KeyType, value: ValueType, order: Order) -> String {
    let what = match value {
        ValueType::None => format!("Sorts {key} keys"),
        ValueType::Index => format!("Sorts {key} keys with their positions"),
        value => format!("Sorts {key} keys with {}-byte values", value.bytes()),
    };
    match order {
        Order::Ascending => format!("{what}, ascending"),
        Order::Descending => format!("{what}, descending"),
    }
}
