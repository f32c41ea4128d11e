//! The axes by name, and the words of those that have no type of their own in the spec.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use crate::contract::spec::{BitRange, Family, TileOption};
use crate::types::{Token, UnknownToken};

/// An axis of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the fields of Axes
#[non_exhaustive]
pub enum Axis {
    Algorithm,
    Key,
    Value,
    Block,
    Lanes,
    Items,
    RadixBits,
    Order,
    Rank,
    Memoize,
    InnerScan,
    Bits,
    Stable,
    Input,
    Output,
    Arch,
}

impl Axis {
    /// Every axis.
    pub const ALL: &'static [Self] = &[
        Self::Algorithm,
        Self::Key,
        Self::Value,
        Self::Block,
        Self::Lanes,
        Self::Items,
        Self::RadixBits,
        Self::Order,
        Self::Rank,
        Self::Memoize,
        Self::InnerScan,
        Self::Bits,
        Self::Stable,
        Self::Input,
        Self::Output,
        Self::Arch,
    ];

    /// Its name in matrix files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Algorithm => "algorithm",
            Self::Key => "key",
            Self::Value => "value",
            Self::Block => "block",
            Self::Lanes => "lanes",
            Self::Items => "items",
            Self::RadixBits => "radix_bits",
            Self::Order => "order",
            Self::Rank => "rank",
            Self::Memoize => "memoize",
            Self::InnerScan => "inner_scan",
            Self::Bits => "bits",
            Self::Stable => "stable",
            Self::Input => "input",
            Self::Output => "output",
            Self::Arch => "arch",
        }
    }

    /// The option that it has values of; none where all sorts have the axis.
    fn option(self) -> Option<TileOption> {
        match self {
            Self::Block => Some(TileOption::Block),
            Self::Lanes => Some(TileOption::Lanes),
            Self::RadixBits => Some(TileOption::RadixBits),
            Self::Rank | Self::Memoize | Self::InnerScan => Some(TileOption::Rank),
            Self::Bits => Some(TileOption::Bits),
            Self::Stable => Some(TileOption::Stable),
            Self::Algorithm
            | Self::Key
            | Self::Value
            | Self::Items
            | Self::Order
            | Self::Input
            | Self::Output
            | Self::Arch => None,
        }
    }

    /// Whether sorts by the algorithm have this axis.
    pub fn applies_to(self, algorithm: AlgorithmWord) -> bool {
        match algorithm {
            AlgorithmWord::Family(family) => {
                self != Self::Arch && self.option().is_none_or(|option| family.has(option))
            }
            AlgorithmWord::Auto => !matches!(
                self.option(),
                Some(TileOption::Lanes | TileOption::RadixBits | TileOption::Rank)
            ),
        }
    }

    /// Whether sorts by the algorithm need a value here, because there is no default.
    pub fn is_needed_by(self, algorithm: AlgorithmWord) -> bool {
        matches!(self, Self::Key | Self::Block | Self::Items) && self.applies_to(algorithm)
    }
}

/// An algorithm by its name, or the one that is the fastest for the other axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AlgorithmWord {
    /// This one.
    Family(Family),
    /// That of the spec that [`TileSort::choose`](crate::select::tiles::TileSort::choose) chooses.
    Auto,
}

impl From<Family> for AlgorithmWord {
    fn from(family: Family) -> Self {
        Self::Family(family)
    }
}

impl Token for AlgorithmWord {
    const AXIS: &'static str = Family::AXIS;

    fn table() -> &'static [(Self, &'static str)] {
        static TABLE: LazyLock<Vec<(AlgorithmWord, &str)>> = LazyLock::new(|| {
            let families = Family::table().iter().map(|(family, word)| ((*family).into(), *word));
            families.chain([(AlgorithmWord::Auto, "auto")]).collect()
        });
        &TABLE
    }
}

impl fmt::Display for AlgorithmWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.token())
    }
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How a radix sort ranks, without the options of the packed rank, which are axes of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RankMethod {
    /// Thread-private packed counters.
    Packed,
    /// Warp-wide, by ballots.
    Match,
    /// Warp-wide, by masks in shared memory.
    MatchMasks,
}

impl Token for RankMethod {
    const AXIS: &'static str = "rank";

    fn table() -> &'static [(Self, &'static str)] {
        &[(Self::Packed, "packed"), (Self::Match, "match"), (Self::MatchMasks, "match-masks")]
    }
}

/// A range of bits as a word: `0..45` is a constant of the kernel, `all` leaves it to the sort's arguments.
///
/// ```
/// use sortsmith_codegen::{matrix::BitSpan, BitRange};
/// assert_eq!("0..45".parse(), Ok(BitSpan(BitRange::Static { begin: 0, end: 45 })));
/// assert_eq!("all".parse(), Ok(BitSpan(BitRange::Runtime)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BitSpan(pub BitRange);

impl BitSpan {
    /// The range that the sort's arguments say.
    pub const ALL: Self = Self(BitRange::Runtime);
}

impl FromStr for BitSpan {
    type Err = UnknownToken;

    fn from_str(text: &str) -> Result<Self, UnknownToken> {
        if text == "all" {
            return Ok(Self::ALL);
        }
        let number = |word: &str| {
            word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok())?
        };
        text.split_once("..")
            .and_then(|(begin, end)| {
                Some(Self(BitRange::Static { begin: number(begin)?, end: number(end)? }))
            })
            .ok_or_else(|| UnknownToken {
                axis: "bits",
                value: text.to_owned(),
                legal: "BEGIN..END, such as 0..45, or all".to_owned(),
            })
    }
}

/// The words of a token axis, for errors.
pub(super) fn words<T: Token>(table: &[(T, &'static str)]) -> String {
    table.iter().map(|(_, word)| *word).collect::<Vec<_>>().join(", ")
}

/// The words of these values.
pub(super) fn words_of<T: Token>(values: &[T]) -> String {
    values.iter().map(|value| value.token()).collect::<Vec<_>>().join(", ")
}

/// The names of these axes.
pub(super) fn names(axes: impl Iterator<Item = Axis>) -> String {
    axes.map(Axis::name).collect::<Vec<_>>().join(", ")
}
