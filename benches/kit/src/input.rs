//! Inputs of sorts.

use std::fmt;
use std::str::FromStr;

/// The kind of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Input {
    /// Random integers of all bits; floats that are numbers.
    Random,
    /// The AND of so many random words, whatever the key; of none: one key.
    And(u32),
    /// Random in so many of the lowest bits.
    Bits(u32),
    /// Random keys in order.
    Sorted,
    /// Random keys in the opposite order.
    Reversed,
}

impl Input {
    /// What [`FromStr`] takes.
    pub const LEGAL: &str = "random, sorted, reversed, equal, and N, N bits";

    /// The share of a key's bits that is entropy, where the distribution says it.
    pub fn entropy(self) -> Option<f64> {
        let Self::And(words) = self else {
            return None;
        };
        let one = 0.5f64.powi(words.cast_signed());
        let term = |share: f64| if share > 0.0 { -share * share.log2() } else { 0.0 };
        Some(term(one) + term(1.0 - one))
    }
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
        let number = |text: &str| text.parse().map_err(|_| UnknownInput);
        match text {
            "random" => Ok(Self::Random),
            "equal" => Ok(Self::And(0)),
            "sorted" => Ok(Self::Sorted),
            "reversed" => Ok(Self::Reversed),
            _ => match text.split_once(' ') {
                Some(("and", words)) => number(words).map(Self::And),
                Some((bits, "bits")) => number(bits).map(Self::Bits),
                _ => Err(UnknownInput),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_its_word() {
        let kinds = [Input::Random, Input::Sorted, Input::Reversed, Input::Bits(17)];
        for input in kinds.into_iter().chain((0..=5).map(Input::And)) {
            assert_eq!(input.to_string().parse(), Ok(input));
        }
        for text in ["", "and", "and x", "bits", "x bits", "Random", "zipf"] {
            assert_eq!(text.parse::<Input>(), Err(UnknownInput), "{text}");
        }
    }

    #[test]
    fn the_and_of_words_has_less_entropy() {
        let shares = (1..=5).map(|words| Input::And(words).entropy().unwrap());
        let percent: Vec<f64> = shares.map(|share| (100.0 * share).round()).collect();
        assert_eq!(percent, [100.0, 81.0, 54.0, 34.0, 20.0]);
        assert_eq!(Input::And(0).entropy(), Some(0.0));
        assert_eq!(Input::Sorted.entropy(), None);
    }
}
