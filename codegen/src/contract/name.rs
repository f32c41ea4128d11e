//! The naming grammar, both ways. docs/naming.md is its description for people.
//!
//! ```text
//! <scope>_<algo>_sort_<key>_<value|keys>_{w<lanes>|b<x>[x<y>[x<z>]]}_i<items>[_r<bits>]_<asc|desc>[_<option>…]
//! ```
//!
//! Options come in the order in which [`options`] writes them; one at its default is not written.

use std::fmt;

use crate::contract::spec::{
    Algorithm, BitRange, Family, OptionValues, Rank, SortSpec, SpecFields, TileOption,
};
use crate::contract::validate::SpecError;
use crate::types::OneLine;
use crate::types::{Arrangement, Block, InnerScan, KeyType, LaneMatch, Order, Token, ValueType};

/// A text that is not the name of a spec.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameError {
    /// A part of the name is not what the grammar has there.
    #[error("name `{}`: `{}` is not {expected}", OneLine(name), OneLine(part))]
    Malformed {
        /// The complete name.
        name: String,
        /// The part that does not fit; empty where the name ends too early.
        part: String,
        /// What the grammar has there.
        expected: String,
    },
    /// The name can be read, but its spec has another name.
    #[error(
        "name `{}` is not written as names are: that spec is `{canonical}`; legal: the latter",
        OneLine(name)
    )]
    NotCanonical {
        /// The name as given.
        name: String,
        /// The spec's name.
        canonical: String,
    },
    /// The name can be read, but a field of it is not legal.
    #[error("name `{}`: {error}", OneLine(name))]
    Invalid {
        /// The name.
        name: String,
        /// What is not legal.
        error: SpecError,
    },
}

impl fmt::Display for SortSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (family, values) = (self.algorithm.family(), self.algorithm.values());
        write!(f, "{}_{}_{}", family.prefix(), self.key, self.value)?;
        if family.has(TileOption::Lanes) {
            write!(f, "_w{}", values.lanes)?;
        } else {
            write!(f, "_b{}", values.block)?;
        }
        write!(f, "_i{}", self.items)?;
        if family.has(TileOption::RadixBits) {
            write!(f, "_r{}", values.radix_bits)?;
        }
        write!(f, "_{}", self.order)?;
        options(self).iter().try_for_each(|option| write!(f, "_{option}"))
    }
}

/// The options that are not at their defaults, in the order of the grammar.
fn options(fields: &SpecFields) -> Vec<String> {
    let OptionValues { stable, rank, bits, .. } = fields.algorithm.values();
    let mut options = Vec::new();
    options.extend(stable.then(|| "stable".to_owned()));
    match rank {
        Rank::Packed { memoize_outer_scan, inner_scan } => {
            options.extend((!memoize_outer_scan).then(|| "nomemo".to_owned()));
            options.extend((inner_scan != InnerScan::WarpScans).then(|| inner_scan.to_string()));
        }
        Rank::Match(LaneMatch::Ballots) => options.push("match".to_owned()),
        Rank::Match(LaneMatch::SharedMasks) => options.push("matchmasks".to_owned()),
    }
    if let BitRange::Static { begin, end } = bits {
        options.push(format!("bits{begin}to{end}"));
    }
    options.extend((fields.input != Arrangement::Blocked).then(|| format!("in{}", fields.input)));
    options
        .extend((fields.output != Arrangement::Blocked).then(|| format!("out{}", fields.output)));
    options
}

/// The fields that a name says, legal or not.
pub(crate) fn parse(name: &str) -> Result<SpecFields, NameError> {
    Parser::new(name)?.fields()
}

/// Reads a name part by part.
struct Parser<'a> {
    name: &'a str,
    family: Family,
    words: std::iter::Peekable<std::str::Split<'a, char>>,
}

impl<'a> Parser<'a> {
    fn new(name: &'a str) -> Result<Self, NameError> {
        for (family, _) in Family::table() {
            if let Some(rest) =
                name.strip_prefix(family.prefix()).and_then(|rest| rest.strip_prefix('_'))
            {
                return Ok(Self { name, family: *family, words: rest.split('_').peekable() });
            }
        }
        let beginnings: Vec<_> =
            Family::table().iter().map(|(family, _)| family.prefix()).collect();
        Err(NameError::Malformed {
            name: name.to_owned(),
            part: name.to_owned(),
            expected: format!("a name that begins with one of {}", beginnings.join(", ")),
        })
    }

    fn fields(mut self) -> Result<SpecFields, NameError> {
        let key = self.token::<KeyType>()?;
        let value = self.token::<ValueType>()?;
        let mut values = OptionValues::default();
        if self.family.has(TileOption::Lanes) {
            values.lanes = self.number("w", "w and the lanes, such as w32")?;
        } else {
            values.block = self.block()?;
        }
        let items = self.number("i", "i and the items per thread, such as i16")?;
        if self.family.has(TileOption::RadixBits) {
            values.radix_bits = self.number("r", "r and the radix bits, such as r6")?;
        }
        let order = self.token::<Order>()?;
        if self.family.has(TileOption::Stable) {
            values.stable = self.option("stable");
        }
        if self.family.has(TileOption::Rank) {
            values.rank = self.rank();
        }
        if self.family.has(TileOption::Bits) {
            values.bits = self.bit_range()?;
        }
        let algorithm = Algorithm::of(self.family, values);
        let input = self.arrangement("in", &[Arrangement::Striped, Arrangement::WarpStriped]);
        let output = self.arrangement("out", &[Arrangement::Striped, Arrangement::WarpStriped]);
        match self.words.next() {
            None => Ok(SpecFields { algorithm, key, value, items, order, input, output }),
            Some(rest) => {
                Err(self.malformed(rest, "an option of this algorithm, in the grammar's order"))
            }
        }
    }

    fn rank(&mut self) -> Rank {
        if self.option("match") {
            return Rank::Match(LaneMatch::Ballots);
        }
        if self.option("matchmasks") {
            return Rank::Match(LaneMatch::SharedMasks);
        }
        let memoize_outer_scan = !self.option("nomemo");
        let inner_scan = [InnerScan::Raking, InnerScan::RakingMemoize]
            .into_iter()
            .find(|scan| self.option(scan.token()))
            .unwrap_or(InnerScan::WarpScans);
        Rank::Packed { memoize_outer_scan, inner_scan }
    }

    fn bit_range(&mut self) -> Result<BitRange, NameError> {
        let Some(part) = self.words.next_if(|part| part.starts_with("bits")) else {
            return Ok(BitRange::Runtime);
        };
        let range = part["bits".len()..].split_once("to");
        match range.and_then(|(begin, end)| Some((decimal(begin)?, decimal(end)?))) {
            Some((begin, end)) => Ok(BitRange::Static { begin, end }),
            None => Err(self.malformed(part, "bits<begin>to<end>, such as bits0to45")),
        }
    }

    fn arrangement(&mut self, prefix: &str, legal: &[Arrangement]) -> Arrangement {
        legal
            .iter()
            .copied()
            .find(|arrangement| self.option(&format!("{prefix}{arrangement}")))
            .unwrap_or(Arrangement::Blocked)
    }

    /// Whether the next part is this option; takes it if so.
    fn option(&mut self, option: &str) -> bool {
        self.words.next_if(|part| *part == option).is_some()
    }

    fn token<T: Token>(&mut self) -> Result<T, NameError> {
        let part = self.words.next().unwrap_or_default();
        T::from_token(part).map_err(|unknown| {
            self.malformed(part, &format!("a known {} ({})", T::AXIS, unknown.legal))
        })
    }

    fn number(&mut self, prefix: &str, expected: &str) -> Result<u32, NameError> {
        let part = self.words.next().unwrap_or_default();
        part.strip_prefix(prefix).and_then(decimal).ok_or_else(|| self.malformed(part, expected))
    }

    fn block(&mut self) -> Result<Block, NameError> {
        let part = self.words.next().unwrap_or_default();
        part.strip_prefix('b')
            .and_then(|dims| dims.parse().ok())
            .ok_or_else(|| self.malformed(part, "b and the block, such as b256 or b32x8"))
    }

    fn malformed(&self, part: &str, expected: &str) -> NameError {
        NameError::Malformed {
            name: self.name.to_owned(),
            part: part.to_owned(),
            expected: expected.to_owned(),
        }
    }
}

/// A number in plain digits: `parse` alone would take a sign.
fn decimal(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}
