//! The axes of the spec space. Each axis type owns its own names and facts; nothing else spells them.

use std::fmt;

use crate::types::OneLine;
use crate::types::other_words::Hint;

/// An unsigned integer of CUDA, by its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnsignedType {
    /// Size and alignment.
    pub bytes: u32,
    /// Its spelling in CUDA.
    pub cuda: &'static str,
}

impl UnsignedType {
    pub(crate) fn of_bytes(bytes: u32) -> Self {
        let cuda = match bytes {
            1 => "unsigned char",
            2 => "unsigned short",
            4 => "unsigned int",
            8 => "unsigned long long",
            _ => "unsigned __int128",
        };
        Self { bytes, cuda }
    }

    /// The type the same bits have in a register: nothing narrower than a word.
    #[must_use]
    pub fn widened(self) -> Self {
        Self::of_bytes(self.bytes.max(4))
    }
}

/// What travels with each key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ValueType {
    /// Nothing.
    None,
    /// A payload of one byte.
    U8,
    /// A payload of two bytes.
    U16,
    /// A payload of four bytes.
    U32,
    /// A payload of eight bytes.
    U64,
    /// A payload of sixteen bytes.
    U128,
    /// The position of the key in the input, which the sort makes itself.
    Index,
}

impl ValueType {
    /// The payload's CUDA type (`None`: the empty type), which is also the type of the array it is read from or
    /// written to.
    pub fn cuda(self) -> &'static str {
        match self {
            Self::None => "NullType",
            Self::U8 => "unsigned char",
            Self::U16 => "unsigned short",
            Self::U32 | Self::Index => "unsigned int",
            Self::U64 => "unsigned long long",
            Self::U128 => "uint4",
        }
    }

    /// Bytes of one value in memory; 0 for none.
    pub fn bytes(self) -> u32 {
        match self {
            Self::None => 0,
            Self::U8 => 1,
            Self::U16 => 2,
            Self::U32 | Self::Index => 4,
            Self::U64 => 8,
            Self::U128 => 16,
        }
    }

    /// Whether values are read from memory, as opposed to made or absent.
    pub fn is_read(self) -> bool {
        !matches!(self, Self::None | Self::Index)
    }
}

/// Which end comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Order {
    /// The smallest key first.
    Ascending,
    /// The largest key first; equal keys keep their input order all the same.
    Descending,
}

/// Which thread holds which position of the tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Arrangement {
    /// Thread t holds positions `t·items ..< (t+1)·items`.
    Blocked,
    /// Thread t's item i is position `i·threads + t`.
    Striped,
    /// The same within each warp's own `32·items` positions.
    WarpStriped,
}

/// How a packed rank scans the per-thread totals across the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum InnerScan {
    /// Shuffles within warps, then over the warps' totals.
    WarpScans,
    /// One warp rakes over the totals in shared memory.
    Raking,
    /// The same, with the raked values kept in registers between the two sweeps.
    RakingMemoize,
}

/// How a match rank finds the lanes of a warp that hold the same digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum LaneMatch {
    /// One ballot for each bit of the digit.
    Ballots,
    /// Lanes set their bit in a mask of the digit's bin, in shared memory.
    SharedMasks,
}

/// An axis with tokens for values: in names, on the command line, in matrix files.
pub trait Token: Copy + Sized + PartialEq + 'static {
    /// The axis, as errors name it.
    const AXIS: &'static str;
    /// Every value with its token.
    fn table() -> &'static [(Self, &'static str)];

    /// The value's token.
    fn token(self) -> &'static str {
        Self::table().iter().find(|(value, _)| *value == self).map_or("", |(_, token)| token)
    }

    /// The value of a token.
    fn from_token(text: &str) -> Result<Self, UnknownToken> {
        Self::table().iter().find(|(_, token)| *token == text).map(|(value, _)| *value).ok_or_else(
            || UnknownToken {
                axis: Self::AXIS,
                value: text.to_owned(),
                legal: Self::table().iter().map(|(_, token)| *token).collect::<Vec<_>>().join(", "),
            },
        )
    }
}

/// A word that names no value of its axis.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{axis} `{}` is unknown; legal: {legal}{}", OneLine(value), Hint { axis, word: value })]
pub struct UnknownToken {
    /// The axis.
    pub axis: &'static str,
    /// The word.
    pub value: String,
    /// The words that are known.
    pub legal: String,
}

/// Texts of an axis with tokens: as they are displayed, parsed and kept in files.
macro_rules! token_texts {
    ($type:ty) => {
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.token())
            }
        }
        impl std::str::FromStr for $type {
            type Err = UnknownToken;
            fn from_str(text: &str) -> Result<Self, UnknownToken> {
                Self::from_token(text)
            }
        }
        #[cfg(feature = "serde")]
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.token())
            }
        }
        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text =
                    <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(deserializer)?;
                Self::from_token(&text).map_err(serde::de::Error::custom)
            }
        }
    };
}
pub(crate) use token_texts;

macro_rules! tokens {
    ($type:ty, $axis:literal, $table:expr) => {
        impl Token for $type {
            const AXIS: &'static str = $axis;
            fn table() -> &'static [(Self, &'static str)] {
                $table
            }
        }
        $crate::types::token_texts!($type);
    };
}
pub(crate) use tokens;

tokens!(
    ValueType,
    "value",
    &[
        (ValueType::None, "keys"),
        (ValueType::U8, "u8"),
        (ValueType::U16, "u16"),
        (ValueType::U32, "u32"),
        (ValueType::U64, "u64"),
        (ValueType::U128, "u128"),
        (ValueType::Index, "index"),
    ]
);
tokens!(Order, "order", &[(Order::Ascending, "asc"), (Order::Descending, "desc")]);
tokens!(
    Arrangement,
    "arrangement",
    &[
        (Arrangement::Blocked, "blocked"),
        (Arrangement::Striped, "striped"),
        (Arrangement::WarpStriped, "warpstriped"),
    ]
);
tokens!(
    InnerScan,
    "inner scan",
    &[
        (InnerScan::WarpScans, "warpscans"),
        (InnerScan::Raking, "raking"),
        (InnerScan::RakingMemoize, "rakingmemo"),
    ]
);
tokens!(
    LaneMatch,
    "lane match",
    &[(LaneMatch::Ballots, "ballots"), (LaneMatch::SharedMasks, "masks")]
);

/// The shape of a thread block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Block {
    /// Threads along x.
    pub x: u32,
    /// Threads along y.
    pub y: u32,
    /// Threads along z.
    pub z: u32,
}

impl Block {
    /// A one-dimensional block.
    pub fn linear(threads: u32) -> Self {
        Self { x: threads, y: 1, z: 1 }
    }

    /// All threads; saturates, so that a shape far past the limit is still comparable with it.
    pub fn threads(self) -> u32 {
        self.x.saturating_mul(self.y).saturating_mul(self.z)
    }

    /// Warps, the last one possibly short.
    pub fn warps(self) -> u32 {
        self.threads().div_ceil(32)
    }

    /// Whether every warp is full.
    pub fn has_full_warps(self) -> bool {
        self.threads().is_multiple_of(32)
    }
}

impl fmt::Display for Block {
    /// `256`, `32x8`, `8x8x4`: trailing ones are not written.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.x)?;
        if self.y != 1 || self.z != 1 {
            write!(f, "x{}", self.y)?;
        }
        if self.z != 1 {
            write!(f, "x{}", self.z)?;
        }
        Ok(())
    }
}

impl std::str::FromStr for Block {
    type Err = UnknownToken;

    fn from_str(text: &str) -> Result<Self, UnknownToken> {
        let unknown = || UnknownToken {
            axis: "block",
            value: text.to_owned(),
            legal: "X, XxY or XxYxZ, such as 256 or 32x8".to_owned(),
        };
        let mut sizes = [1u32; 3];
        let numbers: Vec<&str> = text.split('x').collect();
        if numbers.len() > 3 {
            return Err(unknown());
        }
        for (size, number) in sizes.iter_mut().zip(numbers) {
            if !number.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(unknown());
            }
            *size = number.parse().map_err(|_| unknown())?;
        }
        Ok(Self { x: sizes[0], y: sizes[1], z: sizes[2] })
    }
}
