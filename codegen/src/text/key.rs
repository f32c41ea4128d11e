//! What templates need to know of keys.

use crate::text::guard;
use crate::types::{KeyClass, KeyType, Order, StructField, UnsignedType, ValueType};

/// A type of key and its order, as templates show them; `fragments/ordered_bits.cuh` takes it.
#[allow(clippy::struct_excessive_bools)] // one flag for each way in which the transform to ordered bits differs
pub(crate) struct KeyView {
    /// The type.
    pub(crate) cuda: &'static str,
    pub(crate) bits: u32,
    /// The unsigned type of as many bytes.
    pub(crate) stored_bits: &'static str,
    /// The type that keys have where they are moved and not looked at: the unsigned one of as many bytes, or `Key` itself.
    pub(crate) in_memory: &'static str,
    /// Whether there is no such unsigned type.
    pub(crate) is_odd_size: bool,
    /// The unsigned type of as many bytes as all keys are aligned to, and how many of these a key is.
    pub(crate) word: &'static str,
    pub(crate) words: u32,
    /// The unsigned type that ordered bits have in registers.
    pub(crate) register_bits: &'static str,
    pub(crate) is_struct: bool,
    pub(crate) is_bool: bool,
    pub(crate) is_float: bool,
    pub(crate) is_signed: bool,
    pub(crate) is_signed_or_float: bool,
    pub(crate) descending: bool,
    pub(crate) nan_last: bool,
    /// The ordered bits of the largest float that is a number, the infinite one where there is one, in hexadecimal.
    pub(crate) max_number: String,
    /// Of a struct, and whether one of them is a float.
    pub(crate) fields: Vec<FieldView>,
    pub(crate) has_float_field: bool,
}

/// A field of a struct key.
pub(crate) struct FieldView {
    /// Its index among the fields.
    pub(crate) number: usize,
    pub(crate) cuda: &'static str,
    /// The unsigned type of as many bytes.
    pub(crate) stored_bits: &'static str,
    /// The enumerator of `FieldKind`.
    pub(crate) kind: &'static str,
    pub(crate) is_float: bool,
    /// Its lowest bit among the ordered bits.
    pub(crate) bit: u32,
}

/// The struct of keys, which `templates/fragments/file.cuh` declares.
pub(crate) struct KeyStructView {
    pub(crate) guard: String,
    pub(crate) name: String,
    pub(crate) bytes: u32,
    pub(crate) fields: Vec<FieldView>,
}

impl KeyStructView {
    /// None of a key that is no struct.
    pub(crate) fn of(key: KeyType) -> Option<Self> {
        let name = format!("Key_{key}");
        (key.info().class == KeyClass::Struct).then(|| Self {
            guard: guard(&name),
            name,
            bytes: key.bytes(),
            fields: fields(key),
        })
    }
}

fn fields(key: KeyType) -> Vec<FieldView> {
    let fields = key.fields().into_iter().enumerate();
    let view = |(number, field): (usize, StructField)| {
        let info = field.key.info();
        FieldView {
            number,
            cuda: info.cuda,
            stored_bits: field.key.storage().cuda,
            kind: match info.class {
                KeyClass::Signed => "kSigned",
                KeyClass::Float => "kFloat",
                KeyClass::Unsigned | KeyClass::Struct => "kUnsigned",
            },
            is_float: info.class == KeyClass::Float,
            bit: field.bit,
        }
    };
    fields.map(view).collect()
}

impl KeyView {
    pub(crate) fn of(key: KeyType, order: Order, nan_last: bool) -> Self {
        let (info, fields) = (key.info(), fields(key));
        Self {
            cuda: info.cuda,
            bits: info.bits,
            stored_bits: key.storage().cuda,
            in_memory: key.unsigned().map_or("Key", |it| it.cuda),
            is_odd_size: key.unsigned().is_none(),
            word: UnsignedType::of_bytes(key.align()).cuda,
            words: key.bytes() / key.align(),
            register_bits: key.storage().widened().cuda,
            is_struct: info.class == KeyClass::Struct,
            is_bool: key == KeyType::Bool,
            is_float: info.class == KeyClass::Float,
            is_signed: info.class == KeyClass::Signed,
            is_signed_or_float: matches!(info.class, KeyClass::Signed | KeyClass::Float),
            descending: order == Order::Descending,
            nan_last,
            max_number: max_number(key),
            has_float_field: fields.iter().any(|field| field.is_float),
            fields,
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
