//! Inputs of sorts.

use std::fmt;
use std::str::FromStr;

use sortsmith_codegen::Token;

use crate::{Class, Segments};

/// The kind of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Input {
    /// Random integers of all bits; floats that are numbers.
    Random,
    /// The AND of this number of random words, whatever the key; of none: one key.
    And(u32),
    /// Random in this number of the lowest bits.
    Bits(u32),
    /// Random keys in order.
    Sorted,
    /// Random keys in the opposite order.
    Reversed,
    /// This number of different values, evenly and at random, each [`scattered`], whatever the key.
    Distinct(u32),
    /// The value of rank r, from 1 on, with a probability of about 1/r, whatever the key: [`zipf_rank`], [`scattered`].
    Zipf,
    /// Random, in segments.
    Segments(Segments),
    /// Keys of a class: as they occur, or an adversary's.
    Class(Class),
}

/// Ranks of [`Input::Zipf`] of keys, at most.
const ZIPF_RANKS_LOG2: u32 = 20;

impl Input {
    /// What [`FromStr`] takes.
    pub const LEGAL: &str = "random, sorted, reversed, equal, and N, N bits, N distinct from 1 on, zipf, segments such as 4096 random segments, or a class";

    /// The share of a key's bits that is entropy, where the distribution says it.
    pub fn entropy(self) -> Option<f64> {
        let Self::And(words) = self else {
            return None;
        };
        let one = 0.5f64.powi(words.cast_signed());
        let term = |share: f64| if share > 0.0 { -share * share.log2() } else { 0.0 };
        Some(term(one) + term(1.0 - one))
    }

    /// How many ranks [`Self::Zipf`] has of keys of this number of bits: all values of those that have fewer than 2²⁰.
    pub fn zipf_ranks(key_bits: u32) -> u64 {
        1 << key_bits.min(ZIPF_RANKS_LOG2)
    }
}

/// The rank from 1 on that a number from 0 to below 1 stands for. The inverse of a distribution function that grows as the
/// logarithm does: rank r has the share ln(1 + 1/r) / ln(ranks + 1), which is 1/r but for the first few ranks, and theirs is
/// less than a third smaller.
pub fn zipf_rank(uniform: f64, ranks: u64) -> u64 {
    // Rounding could pass the last one.
    ((uniform * ((ranks + 1) as f64).ln()).exp() as u64).min(ranks)
}

/// A value of `bits` bits, of 8 at least, that is anywhere in their range. Each step can be undone, so that different numbers
/// of that many bits have different values. The kernels that make inputs have the same.
pub fn scattered(number: u64, bits: u32) -> u64 {
    let (all, half) = (u64::MAX >> (64 - bits), bits / 2);
    let step = |value: u64| (value ^ value >> half).wrapping_mul(0xbf58_476d_1ce4_e5b9) & all;
    let value = step(step(number.wrapping_add(0x9e37_79b9_7f4a_7c15) & all));
    value ^ value >> half
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => f.pad("random"),
            Self::And(0) => f.pad("equal"),
            Self::And(words) => f.pad(&format!("and {words}")),
            Self::Bits(bits) => f.pad(&format!("{bits} bits")),
            Self::Sorted => f.pad("sorted"),
            Self::Reversed => f.pad("reversed"),
            Self::Distinct(values) => f.pad(&format!("{values} distinct")),
            Self::Zipf => f.pad("zipf"),
            Self::Segments(segments) => segments.fmt(f),
            Self::Class(class) => class.fmt(f),
        }
    }
}

/// No kind of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no kind of input; legal: {}", Input::LEGAL)]
pub struct UnknownInput;

impl FromStr for Input {
    type Err = UnknownInput;

    fn from_str(text: &str) -> Result<Self, UnknownInput> {
        if let Ok(class) = Class::from_token(text) {
            return Ok(Self::Class(class));
        }
        if let Ok(segments) = text.parse() {
            return Ok(Self::Segments(segments));
        }
        let number = |text: &str| text.parse::<u32>().map_err(|_| UnknownInput);
        match text {
            "random" => Ok(Self::Random),
            "equal" => Ok(Self::And(0)),
            "sorted" => Ok(Self::Sorted),
            "reversed" => Ok(Self::Reversed),
            "zipf" => Ok(Self::Zipf),
            _ => match text.split_once(' ') {
                Some(("and", words)) => number(words).map(Self::And),
                Some((bits, "bits")) => number(bits).map(Self::Bits),
                Some((values, "distinct")) => match number(values)? {
                    0 => Err(UnknownInput),
                    values => Ok(Self::Distinct(values)),
                },
                _ => Err(UnknownInput),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::Lengths;

    #[test]
    fn a_kind_is_its_word() {
        let kinds = [Input::Random, Input::Sorted, Input::Reversed, Input::Zipf];
        let numbered = [Input::Bits(17), Input::Distinct(1), Input::Distinct(16)];
        for input in kinds.into_iter().chain(numbered).chain((0..=5).map(Input::And)) {
            assert_eq!(input.to_string().parse(), Ok(input));
        }
        for (class, word) in Class::table() {
            assert_eq!(word.parse(), Ok(Input::Class(*class)));
            assert_eq!(Input::Class(*class).to_string(), *word);
        }
        let distinct = ["distinct", "x distinct", "0 distinct", "-1 distinct", "distinct 16"];
        let segments = Input::Segments(Segments { count: 7, lengths: Lengths::Random });
        assert_eq!(segments.to_string().parse(), Ok(segments));
        let others = ["", "and", "and x", "bits", "x bits", "Random", "Zipf", "zipf 2"];
        for text in others.into_iter().chain(distinct) {
            assert_eq!(text.parse::<Input>(), Err(UnknownInput), "{text}");
        }
    }

    #[test]
    fn the_and_of_words_has_less_entropy() {
        let shares = (1..=5).map(|words| Input::And(words).entropy().unwrap());
        let percent: Vec<f64> = shares.map(|share| (100.0 * share).round()).collect();
        assert_eq!(percent, [100.0, 81.0, 54.0, 34.0, 20.0]);
        assert_eq!(Input::And(0).entropy(), Some(0.0));
        for input in [Input::Sorted, Input::Distinct(16), Input::Zipf] {
            assert_eq!(input.entropy(), None, "{input}");
        }
    }

    #[test]
    fn ranks_have_about_their_share() {
        const STEPS: u32 = 1_000_000;
        let ranks = Input::zipf_ranks(64);
        assert_eq!([8, 16, 32].map(Input::zipf_ranks), [1 << 8, 1 << 16, ranks]);
        let all = (0..STEPS).map(|step| zipf_rank(f64::from(step) / f64::from(STEPS), ranks));
        let all: Vec<u64> = all.collect();
        assert!(all.iter().all(|rank| (1..=ranks).contains(rank)));
        let share =
            |rank: u64| all.iter().filter(|it| **it == rank).count() as f64 / f64::from(STEPS);
        for rank in [1, 2, 10, 100] {
            let expected = (1.0 / rank as f64).ln_1p() / (ranks as f64).ln_1p();
            assert!((share(rank) - expected).abs() < 2e-6, "{rank}");
        }
        // The largest number below 1 stands for the last rank.
        assert_eq!(zipf_rank(1.0 - f64::EPSILON / 2.0, 1 << 8), 1 << 8);
        assert_eq!((zipf_rank(0.0, ranks), zipf_rank(1.0, ranks)), (1, ranks));
    }

    #[test]
    fn scattered_numbers_stay_different_and_are_anywhere() {
        for bits in [8, 16] {
            let values: HashSet<u64> = (0..1 << bits).map(|it| scattered(it, bits)).collect();
            assert_eq!(values.len(), 1 << bits);
            assert!(values.iter().all(|value| *value < 1 << bits));
        }
        for bits in [32, 64] {
            let values: HashSet<u64> = (0..1 << 16).map(|it| scattered(it, bits)).collect();
            assert_eq!(values.len(), 1 << 16);
            // Of the first few numbers, about half have the highest bit.
            let high = (0..1000).filter(|it| scattered(*it, bits) >> (bits - 1) == 1).count();
            assert!((400..600).contains(&high), "{bits}: {high}");
        }
    }
}
