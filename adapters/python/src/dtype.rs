//! The types of keys and of values, by the names that array libraries give them.

use sortsmith::half::{bf16, f16};
use sortsmith::{SortKey, SortValue};

/// The type of an array's items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dtype {
    /// One that keys may have.
    Key(KeyDtype),
    /// Another one, of items of this many bytes.
    Other(usize),
}

macro_rules! key_dtypes {
    ($($variant:ident $name:literal $rust:ty;)*) => {
        /// A type of keys.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum KeyDtype {
            $($variant,)*
        }

        impl KeyDtype {
            const ALL: &'static [(Self, &'static str)] = &[$((Self::$variant, $name),)*];

            /// Bytes of a key.
            pub const fn bytes(self) -> usize {
                match self {
                    $(Self::$variant => size_of::<$rust>(),)*
                }
            }

            /// Calls `op` with the Rust type.
            pub fn dispatch<O: KeyOp>(self, op: O) -> O::Done {
                match self {
                    $(Self::$variant => op.run::<$rust>(),)*
                }
            }
        }
    };
}

// An array of `bool` may hold bytes that are neither 0 nor 1, which Rust's type forbids; as numbers they have the same order.
key_dtypes! {
    Bool "bool" u8;
    U8 "uint8" u8;
    U16 "uint16" u16;
    U32 "uint32" u32;
    U64 "uint64" u64;
    I8 "int8" i8;
    I16 "int16" i16;
    I32 "int32" i32;
    I64 "int64" i64;
    F16 "float16" f16;
    Bf16 "bfloat16" bf16;
    F32 "float32" f32;
    F64 "float64" f64;
}

impl KeyDtype {
    /// All types, with their names.
    pub fn all() -> impl Iterator<Item = (Self, &'static str)> {
        Self::ALL.iter().copied()
    }

    /// The type of this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, its)| *its == name).map(|(dtype, _)| *dtype)
    }

    /// The names of all.
    pub fn names() -> String {
        let names: Vec<_> = Self::ALL.iter().map(|(_, name)| *name).collect();
        names.join(", ")
    }
}

impl Dtype {
    /// Bytes of an item.
    pub fn bytes(self) -> usize {
        match self {
            Self::Key(key) => key.bytes(),
            Self::Other(bytes) => bytes,
        }
    }

    /// The type by a letter for its kind, as NumPy's, and the size of an item: `f` and 4 for `float32`.
    pub fn of_kind(kind: char, bytes: usize) -> Self {
        let base = match kind {
            'b' => "bool",
            'u' => "uint",
            'i' => "int",
            'f' => "float",
            _ => return Self::Other(bytes),
        };
        let name = if kind == 'b' {
            base.to_owned()
        } else {
            format!("{base}{}", bytes.saturating_mul(8))
        };
        let key = KeyDtype::of_name(&name).filter(|key| key.bytes() == bytes);
        key.map_or(Self::Other(bytes), Self::Key)
    }
}

/// What is done with keys of any type.
pub trait KeyOp {
    /// The result.
    type Done;

    /// Does it with keys of this type.
    fn run<K: SortKey>(self) -> Self::Done;
}

/// What is done with values of any size.
pub trait ValueOp {
    /// The result.
    type Done;

    /// Does it with values of this type.
    fn run<V: SortValue>(self) -> Self::Done;
}

/// The sizes of values that sorts move, for messages. Each takes as much code as all sorts of keys alone.
pub const VALUE_BYTES: &str = "items of 4 or 8 bytes with segments or stream; for others take them by the positions of an argsort";

/// Calls `op` with a type of this many bytes, which are moved and not looked at; `None` if there is none.
pub fn dispatch_value<O: ValueOp>(bytes: usize, op: O) -> Option<O::Done> {
    Some(match bytes {
        4 => op.run::<u32>(),
        8 => op.run::<u64>(),
        _ => return None,
    })
}
