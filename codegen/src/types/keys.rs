//! The types of keys: scalars, which are rows of a table, and structs of these.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{LazyLock, Mutex, PoisonError};

use crate::types::axes::{Token, UnknownToken, UnsignedType, token_texts};

/// How a key's bits are turned into bits that order like unsigned integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KeyClass {
    /// As they are.
    Unsigned,
    /// The sign bit flips.
    Signed,
    /// The sign bit flips if it is clear, all bits flip if it is set.
    Float,
    /// The kinds of its fields, the first one uppermost.
    Struct,
}

/// One row of the key table: everything the generator knows about a key type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyInfo {
    /// The key type itself.
    pub key: KeyType,
    /// Its token in names, on the command line and in matrix files.
    pub name: &'static str,
    /// Its CUDA type.
    pub cuda: &'static str,
    /// Bytes a key takes in memory.
    pub bytes: u32,
    /// Bits that take part in the order.
    pub bits: u32,
    /// The transform to ordered bits.
    pub class: KeyClass,
    /// The CUDA header that declares the type, where it is no built-in one; of a struct that of its first such field.
    pub header: Option<&'static str>,
}

macro_rules! key_table {
    ($($variant:ident $name:literal $cuda:literal $bytes:literal $bits:literal $class:ident $header:expr;)*) => {
        /// The type of the keys.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs)] // the variants are the table below, named as in specs
        #[non_exhaustive]
        pub enum KeyType {
            $($variant,)*
            /// A struct, compared field by field.
            Struct(StructKey),
        }

        impl KeyType {
            /// Every scalar key type, in the table's order.
            pub const ALL: &'static [KeyType] = &[$(KeyType::$variant),*];

            /// This type's row of the table, or what a struct has for it.
            pub fn info(self) -> &'static KeyInfo {
                match self {
                    $(Self::$variant => {
                        const ROW: KeyInfo = KeyInfo {
                            key: KeyType::$variant, name: $name, cuda: $cuda, bytes: $bytes, bits: $bits,
                            class: KeyClass::$class, header: $header,
                        };
                        &ROW
                    })*
                    Self::Struct(key) => key.info(),
                }
            }
        }

        const KEY_TOKENS: &[(KeyType, &str)] = &[$((KeyType::$variant, $name)),*];
    };
}

key_table! {
    U8     "u8"     "unsigned char"      1   8   Unsigned None;
    U16    "u16"    "unsigned short"     2   16  Unsigned None;
    U32    "u32"    "unsigned int"       4   32  Unsigned None;
    U64    "u64"    "unsigned long long" 8   64  Unsigned None;
    U128   "u128"   "unsigned __int128"  16  128 Unsigned None;
    I8     "i8"     "signed char"        1   8   Signed   None;
    I16    "i16"    "short"              2   16  Signed   None;
    I32    "i32"    "int"                4   32  Signed   None;
    I64    "i64"    "long long"          8   64  Signed   None;
    I128   "i128"   "__int128"           16  128 Signed   None;
    F16    "f16"    "__half"             2   16  Float    Some("cuda_fp16.h");
    Bf16   "bf16"   "__nv_bfloat16"      2   16  Float    Some("cuda_bf16.h");
    F32    "f32"    "float"              4   32  Float    None;
    F64    "f64"    "double"             8   64  Float    None;
    F8E4m3 "f8e4m3" "__nv_fp8_e4m3"      1   8   Float    Some("cuda_fp8.h");
    F8E5m2 "f8e5m2" "__nv_fp8_e5m2"      1   8   Float    Some("cuda_fp8.h");
    Bool   "bool"   "bool"               1   1   Unsigned None;
}

impl KeyType {
    /// Bytes a key takes in memory, with the padding of a struct.
    pub fn bytes(self) -> u32 {
        self.info().bytes
    }

    /// Bits that take part in the order: the legal end of a bit range.
    pub fn bits(self) -> u32 {
        self.info().bits
    }

    /// The unsigned integer that a key's bits are stored in: of the key's size, or the least that has all bits of a struct's fields.
    pub fn storage(self) -> UnsignedType {
        UnsignedType::of_bytes(match self {
            Self::Struct(_) => self.bits().div_ceil(8).next_power_of_two(),
            _ => self.bytes(),
        })
    }

    /// The alignment of a key in memory: of a struct that of its largest field.
    pub fn align(self) -> u32 {
        match self {
            Self::Struct(key) => key.types().map(Self::bytes).max().unwrap_or(1),
            _ => self.bytes(),
        }
    }

    /// The unsigned integer of exactly a key's bytes. Structs of other sizes, as those with more padding are, have none.
    pub fn unsigned(self) -> Option<UnsignedType> {
        let storage = self.storage();
        (storage.bytes == self.bytes()).then_some(storage)
    }

    /// Whether it is a float, or has a field that is one.
    pub fn has_float(self) -> bool {
        self.info().class == KeyClass::Float || self.fields().iter().any(|it| it.key.has_float())
    }

    /// Whether it is no struct.
    pub fn is_scalar(self) -> bool {
        !matches!(self, Self::Struct(_))
    }

    /// The fields of a struct; none of a scalar.
    pub fn fields(self) -> Vec<StructField> {
        match self {
            Self::Struct(key) => key.fields(),
            _ => Vec::new(),
        }
    }

    /// The CUDA headers that declare the type, or its fields' types.
    pub fn headers(self) -> Vec<&'static str> {
        let of_fields = self.fields().into_iter().filter_map(|field| field.key.info().header);
        let mut headers: Vec<_> = self.info().header.into_iter().chain(of_fields).collect();
        headers.sort_unstable();
        headers.dedup();
        headers
    }
}

/// The types that fields may have: those with names that can stand one behind the other.
const FIELD_TYPES: [KeyType; 12] = [
    KeyType::U8,
    KeyType::U16,
    KeyType::U32,
    KeyType::U64,
    KeyType::I8,
    KeyType::I16,
    KeyType::I32,
    KeyType::I64,
    KeyType::F16,
    KeyType::Bf16,
    KeyType::F32,
    KeyType::F64,
];

/// Fields of a struct, at most.
const MOST_FIELDS: usize = 8;

/// Bytes of its fields, without padding, at most: those of the largest unsigned integer.
const MOST_BYTES: u32 = 16;

/// The fields of a struct key, the first of which decides first.
///
/// ```
/// use sortsmith_codegen::{KeyType, StructKey};
/// let key: KeyType = "u32+f32+u8".parse().unwrap();
/// assert_eq!(key.to_string(), "u32f32u8");
/// assert_eq!((key.bytes(), key.bits()), (12, 72));
/// let fields = [KeyType::U32, KeyType::F32, KeyType::U8];
/// assert_eq!(StructKey::of(&fields).map(KeyType::Struct), Some(key));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StructKey {
    /// One more than each field's index among [`FIELD_TYPES`]; 0 behind the last field.
    fields: [u8; MOST_FIELDS],
}

/// A field of a struct key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StructField {
    /// Its type.
    pub key: KeyType,
    /// Where it begins in the struct, in bytes.
    pub offset: u32,
    /// Its lowest bit among the ordered bits of the struct.
    pub bit: u32,
}

impl fmt::Debug for StructKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

impl StructKey {
    /// The struct of these fields, if there may be such a one: 2 to 8 fields of at most 16 bytes in all, of integers of 1 to 8 bytes, `f16`,
    /// `bf16`, `f32` and `f64`.
    pub fn of(types: &[KeyType]) -> Option<Self> {
        let bytes: u32 = types.iter().map(|key| key.bytes()).sum();
        if !(2..=MOST_FIELDS).contains(&types.len()) || bytes > MOST_BYTES {
            return None;
        }
        let mut fields = [0; MOST_FIELDS];
        for (field, key) in fields.iter_mut().zip(types) {
            let index = FIELD_TYPES.iter().position(|it| it == key)?;
            *field = u8::try_from(index + 1).ok()?;
        }
        Some(Self { fields })
    }

    /// The struct of a text: the names of its fields, one behind the other or with `+` between them.
    fn parse(text: &str) -> Option<Self> {
        Self::of(&field_types(text)?)
    }

    fn types(self) -> impl DoubleEndedIterator<Item = KeyType> {
        let fields = self.fields.into_iter().filter(|field| *field > 0);
        fields.map(|field| FIELD_TYPES[usize::from(field) - 1])
    }

    /// The fields as they lie in the struct, which is laid out as compilers of C++ do it.
    pub fn fields(self) -> Vec<StructField> {
        let mut end = 0;
        let mut fields: Vec<StructField> = Vec::new();
        for key in self.types() {
            let offset = u32::next_multiple_of(end, key.bytes());
            end = offset + key.bytes();
            fields.push(StructField { key, offset, bit: 0 });
        }
        let mut bit = 0;
        for field in fields.iter_mut().rev() {
            field.bit = bit;
            bit += field.key.bits();
        }
        fields
    }

    fn name(self) -> String {
        self.types().map(|key| key.info().name).collect()
    }

    /// The facts, which are made once in a process and kept: tokens are borrowed for ever.
    fn info(self) -> &'static KeyInfo {
        static KNOWN: LazyLock<Mutex<BTreeMap<StructKey, &'static KeyInfo>>> =
            LazyLock::new(Mutex::default);
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(self).or_insert_with(|| Box::leak(Box::new(self.make_info())))
    }

    fn make_info(self) -> KeyInfo {
        let name: &'static str = self.name().leak();
        let fields = self.fields();
        let align = KeyType::Struct(self).align();
        let end = fields.last().map_or(0, |field| field.offset + field.key.bytes());
        KeyInfo {
            key: KeyType::Struct(self),
            name,
            cuda: format!("sortsmith::Key_{name}").leak(),
            bytes: end.next_multiple_of(align),
            bits: self.types().map(KeyType::bits).sum(),
            class: KeyClass::Struct,
            header: self.types().find_map(|key| key.info().header),
        }
    }
}

/// The types of fields that a text names, one behind the other or with `+` between them.
fn field_types(text: &str) -> Option<Vec<KeyType>> {
    let mut types = Vec::new();
    for words in text.split('+') {
        let mut rest = words;
        loop {
            let letters = rest.bytes().take_while(u8::is_ascii_lowercase).count();
            let digits = rest.bytes().skip(letters).take_while(u8::is_ascii_digit).count();
            let (word, behind) = rest.split_at(letters + digits);
            types.push(*FIELD_TYPES.iter().find(|key| key.info().name == word)?);
            rest = behind;
            if rest.is_empty() {
                break;
            }
        }
    }
    Some(types)
}

impl Token for KeyType {
    const AXIS: &'static str = "key";

    /// The scalars.
    fn table() -> &'static [(Self, &'static str)] {
        KEY_TOKENS
    }

    fn token(self) -> &'static str {
        self.info().name
    }

    fn from_token(text: &str) -> Result<Self, UnknownToken> {
        let scalar = KEY_TOKENS.iter().find(|(_, token)| *token == text).map(|(key, _)| *key);
        scalar.or_else(|| StructKey::parse(text).map(Self::Struct)).ok_or_else(|| {
            let names = |keys: &[Self]| {
                keys.iter().map(|key| key.info().name).collect::<Vec<_>>().join(", ")
            };
            let legal = if text.contains('+') || field_types(text).is_some() {
                let of = names(&FIELD_TYPES);
                format!("2 to {MOST_FIELDS} fields of at most {MOST_BYTES} bytes in all, of {of}")
            } else {
                let last = Self::Bool.info().name;
                let others: Vec<Self> =
                    Self::ALL.iter().copied().filter(|it| *it != Self::Bool).collect();
                format!("{}, fields of a struct such as u32+f32, {last}", names(&others))
            };
            UnknownToken { axis: Self::AXIS, value: text.to_owned(), legal }
        })
    }
}

token_texts!(KeyType);

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> KeyType {
        text.parse().unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn structs_are_laid_out_as_in_cpp_and_their_bits_are_dense() {
        let of = |text: &str| {
            let key = key(text);
            let fields = key.fields().iter().map(|it| (it.offset, it.bit)).collect::<Vec<_>>();
            (key.bytes(), key.bits(), key.storage().bytes, fields)
        };
        assert_eq!(of("u32+f32+u8"), (12, 72, 16, vec![(0, 40), (4, 8), (8, 0)]));
        assert_eq!(of("i64u32"), (16, 96, 16, vec![(0, 32), (8, 0)]));
        assert_eq!(of("u8u64u8"), (24, 80, 16, vec![(0, 72), (8, 8), (16, 0)]));
        assert_eq!(of("u8f16i8"), (6, 32, 4, vec![(0, 24), (2, 8), (4, 0)]));
        assert_eq!(of("u8i8"), (2, 16, 2, vec![(0, 8), (1, 0)]));
    }

    #[test]
    fn a_struct_is_an_integer_where_there_is_one_of_its_bytes() {
        let of = |text: &str| {
            let key = key(text);
            (key.align(), key.unsigned().map(|it| it.bytes), key.has_float())
        };
        assert_eq!(of("u32+f32+u8"), (4, None, true));
        assert_eq!(of("i64u32"), (8, Some(16), false));
        assert_eq!(of("f32u32"), (4, Some(8), true));
        assert_eq!(of("u8u16u8"), (2, None, false));
        assert_eq!(of("u8u16"), (2, Some(4), false));
        assert_eq!(of("u128"), (16, Some(16), false));
    }

    #[test]
    fn a_struct_has_one_name_and_is_read_with_plus_signs_too() {
        for text in ["u32f32u8", "bf16f16", "i64u64", "u8u8u8u8u8u8u8u8", "f64i8"] {
            assert_eq!(key(text).to_string(), text);
        }
        assert_eq!(key("u32+f32+u8"), key("u32f32u8"));
        assert_eq!(key("u32f32+u8"), key("u32f32u8"));
        assert_eq!(key("bf16+f16+f32").headers(), ["cuda_bf16.h", "cuda_fp16.h"]);
        assert!(key("u8").fields().is_empty());
    }

    #[test]
    fn what_is_no_struct_is_refused_with_what_is_legal() {
        for text in
            ["", "+", "u32+", "+u32", "u32++u8", "u32 u8", "u32f8e4m3", "boolbool", "u32u", "U32u8"]
        {
            assert!(KeyType::from_token(text).is_err(), "{text}");
        }
        for text in ["u64+u64+u8", "u8+u8+u8+u8+u8+u8+u8+u8+u8", "u128+u8", "u32+bool", "u64u64u8"]
        {
            let error = KeyType::from_token(text).unwrap_err().to_string();
            assert!(error.contains("2 to 8 fields of at most 16 bytes in all, of u8, "), "{error}");
        }
    }
}
