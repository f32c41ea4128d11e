//! What is found beside keys.

use std::fmt;

use crate::contract::arguments::ArgumentField;
use crate::contract::device::spec::require;
use crate::contract::named;
use crate::contract::validate::DeviceSpecError;
use crate::types::{Token as _, ValueType};

/// The widest word that a value is moved in.
const MAX_WORD_BYTES: u32 = 16;

/// The last arguments of kernels that write more than 32-bit positions: where it goes, and the values.
const OUTPUT_ARGUMENTS: usize = 2;

/// What is found beside each key.
///
/// ```
/// use sortsmith_codegen::top_k::TopKValue;
///
/// // Of `[f32; 3]`: three words of 4 bytes.
/// assert_eq!(TopKValue::of_values(12, 4).unwrap().to_string(), "u32x3");
/// assert_eq!(TopKValue::of_values(16, 16).unwrap().to_string(), "u128");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TopKValue {
    /// Its position in the row, of 32 bits.
    #[default]
    Index,
    /// Its position in the row, signed and of 64 bits.
    Index64,
    /// The value at its position.
    Values {
        /// The type of the words that values are moved in, which are aligned to its size.
        word: ValueType,
        /// Words of a value.
        words: u32,
    },
}

impl TopKValue {
    /// The largest values.
    pub const MAX_BYTES: u32 = 1 << 30;

    /// Values of this many bytes at multiples of `align`, in the widest words that both allow. None for no bytes, for more than
    /// [`Self::MAX_BYTES`], and for an alignment of 0.
    pub const fn of_values(bytes: u32, align: u32) -> Option<Self> {
        if bytes == 0 || bytes > Self::MAX_BYTES || align == 0 {
            return None;
        }
        let power = 1 << (bytes | align | MAX_WORD_BYTES).trailing_zeros();
        let word = match power {
            1 => ValueType::U8,
            2 => ValueType::U16,
            4 => ValueType::U32,
            8 => ValueType::U64,
            _ => ValueType::U128,
        };
        Some(Self::Values { word, words: bytes / power })
    }

    /// Bytes of what a kernel writes for each key.
    pub fn bytes(self) -> u32 {
        match self {
            Self::Index => 4,
            Self::Index64 => 8,
            Self::Values { word, words } => word.bytes().saturating_mul(words),
        }
    }

    /// Bytes to a multiple of which arrays of them are aligned.
    pub fn align(self) -> u32 {
        match self {
            Self::Values { word, .. } => word.bytes(),
            Self::Index | Self::Index64 => self.bytes(),
        }
    }

    /// An error unless values have words, and no more than are legal.
    pub(super) fn check(self) -> Result<(), DeviceSpecError> {
        let Self::Values { word, words } = self else { return Ok(()) };
        let legal = "words of 1, 2, 4, 8 and 16 bytes";
        require(word.is_read(), "value", word.to_string(), legal)?;
        let most = Self::MAX_BYTES / word.bytes();
        let legal = format!("1 to {most} words of {word}");
        require((1..=most).contains(&words), "value", words.to_string(), &legal)
    }

    /// What a spec's name has for it, behind the key; nothing for positions of 32 bits.
    pub(super) fn in_name(self) -> String {
        if self == Self::Index { String::new() } else { format!("_{self}") }
    }

    /// What a word of a name says; none for one that is of no value, as where positions have 32 bits.
    pub(super) fn from_name(text: &str) -> Option<Self> {
        let word = |text| ValueType::from_token(text).ok().filter(|word| word.is_read());
        if text == "index64" {
            return Some(Self::Index64);
        }
        if let Some(word) = word(text) {
            return Some(Self::Values { word, words: 1 });
        }
        let (text, words) = text.split_once('x')?;
        let words = named::number("", words).ok().filter(|words| *words != 1)?;
        Some(Self::Values { word: word(text)?, words })
    }

    /// The arguments that a kernel takes with these: all but the last ones.
    pub(super) const fn arguments(
        self,
        fields: &'static [ArgumentField],
    ) -> &'static [ArgumentField] {
        let missing = match self {
            Self::Index => OUTPUT_ARGUMENTS,
            Self::Index64 => 1,
            Self::Values { .. } => 0,
        };
        fields.split_at(fields.len() - missing).0
    }

    /// What the title of a header has behind the keys.
    pub(super) fn in_title(self) -> String {
        if self == Self::Index { String::new() } else { format!(" and {}", self.in_words()) }
    }

    /// What it is, in words.
    pub(super) fn in_words(self) -> String {
        match self {
            Self::Index => "their 32-bit positions".to_owned(),
            Self::Index64 => "their 64-bit positions".to_owned(),
            Self::Values { .. } => format!("their values ({} bytes)", self.bytes()),
        }
    }
}

impl fmt::Display for TopKValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index => f.write_str("index"),
            Self::Index64 => f.write_str("index64"),
            Self::Values { word, words: 1 } => word.fmt(f),
            Self::Values { word, words } => write!(f, "{word}x{words}"),
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for TopKValue {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// What templates need to know of it.
pub(super) struct FoundView {
    /// Whether kernels write more than positions of 32 bits.
    pub(super) is_more: bool,
    /// Whether that is values.
    pub(super) is_read: bool,
    /// The type of a word of it.
    pub(super) cuda: &'static str,
    /// Words of it.
    pub(super) words: u32,
    /// What it is, behind "the first k keys of each row of a matrix".
    pub(super) title: &'static str,
    /// The arguments of kernels behind the others, as a call has them.
    pub(super) arguments: &'static str,
    /// The same of a call for positions of 32 bits alone.
    pub(super) none: &'static str,
}

impl From<TopKValue> for FoundView {
    fn from(value: TopKValue) -> Self {
        let (cuda, words) = match value {
            TopKValue::Values { word, words } => (word.cuda(), words),
            TopKValue::Index64 => ("long long", 1),
            TopKValue::Index => (ValueType::Index.cuda(), 1),
        };
        let positions = "and their positions in the row";
        let (title, arguments, none) = match value {
            TopKValue::Index => (positions, "", ""),
            TopKValue::Index64 => (positions, ", values_out", ", nullptr"),
            TopKValue::Values { .. } => {
                ("and the values that belong to them", ", values_out, values", ", nullptr, nullptr")
            }
        };
        let is_read = matches!(value, TopKValue::Values { .. });
        Self { is_more: value != TopKValue::Index, is_read, cuda, words, title, arguments, none }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_moved_in_the_widest_words_that_size_and_alignment_allow() {
        let word = |bytes, align| TopKValue::of_values(bytes, align).map(|it| it.to_string());
        for (bytes, align, expected) in [
            (1, 1, "u8"),
            (4, 1, "u8x4"),
            (4, 16, "u32"),
            (6, 2, "u16x3"),
            (12, 16, "u32x3"),
            (24, 8, "u64x3"),
            (16, 16, "u128"),
            (64, 64, "u128x4"),
        ] {
            assert_eq!(word(bytes, align).as_deref(), Some(expected));
            let value = TopKValue::of_values(bytes, align).expect("legal");
            assert_eq!((value.bytes(), value.check()), (bytes, Ok(())));
            assert_eq!(TopKValue::from_name(expected), Some(value));
        }
        assert_eq!([word(0, 1), word((1 << 30) + 1, 1), word(4, 0)], [None, None, None]);
        for text in ["index", "keys", "u32x1", "u32x03", "i64", "indexx2", "b256"] {
            assert_eq!(TopKValue::from_name(text), None, "{text}");
        }
    }
}
