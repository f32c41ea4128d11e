//! Types of what is sorted.

use std::fmt;
use std::str::FromStr;

use sortsmith_codegen::{KeyType, Token, ValueType};

/// Types of keys and values, written as in specs: `u32_keys`, `f32_u32`; `f32_index` for positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Types {
    /// What is compared.
    pub key: KeyType,
    /// What goes with it.
    pub value: ValueType,
}

impl Types {
    /// Keys of this type alone.
    pub const fn keys(key: KeyType) -> Self {
        Self { key, value: ValueType::None }
    }

    /// Keys with values.
    pub const fn pairs(key: KeyType, value: ValueType) -> Self {
        Self { key, value }
    }

    /// Bytes of a key and of its value.
    pub fn bytes(self) -> u32 {
        self.key.bytes() + self.value.bytes()
    }

    /// What the symbols of CUB's library call them: keys alone have no second part, and positions are 4 bytes.
    pub fn peer_tag(self) -> String {
        match self.value {
            ValueType::None => self.key.to_string(),
            ValueType::Index => format!("{}_u32", self.key),
            value => format!("{}_{value}", self.key),
        }
    }

    /// For people.
    pub fn label(self) -> String {
        match self.value {
            ValueType::None => format!("{} keys", self.key),
            ValueType::Index => format!("positions of {} keys", self.key),
            value => format!("{},{value} pairs", self.key),
        }
    }

    /// What [`FromStr`] takes.
    pub fn legal() -> String {
        let words = |table: Vec<&str>| table.join(", ");
        let keys = words(KeyType::table().iter().map(|(_, token)| *token).collect());
        let values = words(ValueType::table().iter().map(|(_, token)| *token).collect());
        format!("KEY_VALUE, KEY one of {keys}, VALUE one of {values}")
    }
}

impl fmt::Display for Types {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}_{}", self.key, self.value))
    }
}

/// No types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no types; legal: {}", Types::legal())]
pub struct UnknownTypes;

impl FromStr for Types {
    type Err = UnknownTypes;

    fn from_str(text: &str) -> Result<Self, UnknownTypes> {
        let (key, value) = text.split_once('_').ok_or(UnknownTypes)?;
        let key = KeyType::from_token(key).map_err(|_| UnknownTypes)?;
        let value = ValueType::from_token(value).map_err(|_| UnknownTypes)?;
        Ok(Self { key, value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_written_as_in_specs() {
        for key in KeyType::ALL {
            for (value, _) in ValueType::table() {
                let types = Types::pairs(*key, *value);
                assert_eq!(types.to_string().parse(), Ok(types));
            }
        }
        for text in ["u32", "u32_", "u33_keys", "u32_f32", "_keys"] {
            assert_eq!(text.parse::<Types>(), Err(UnknownTypes), "{text}");
        }
    }

    #[test]
    fn symbols_have_values_that_are_there() {
        let tags =
            ["u32_keys", "f32_u32", "f32_index"].map(|it| it.parse::<Types>().unwrap().peer_tag());
        assert_eq!(tags, ["u32", "f32_u32", "f32_u32"]);
    }
}
