//! The names of specs that work on arrays: what their kinds have in common, and why a text is none.

use super::validate::DeviceSpecError;
use crate::types::{OneLine, Token};

/// A text that is not the name of a spec that works on arrays.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NamedError {
    /// The name does not follow the grammar of its kind.
    #[error("name `{}`: `{}` does not fit {grammar}", OneLine(name), OneLine(part))]
    Malformed {
        /// The complete name.
        name: String,
        /// The part that does not fit; empty where the name ends too early.
        part: String,
        /// The grammar.
        grammar: String,
    },
    /// The name can be read, but a field of it is not legal.
    #[error("name `{}`: {error}", OneLine(name))]
    Invalid {
        /// The name.
        name: String,
        /// What is not legal.
        error: DeviceSpecError,
    },
}

/// The spec of a name: `fields` reads it, or gives the part that does not fit the grammar, and `validate` has the rules.
pub(crate) fn parse<F, S>(
    name: &str,
    grammar: impl FnOnce() -> String,
    fields: impl FnOnce(&str) -> Result<F, &str>,
    validate: impl FnOnce(F) -> Result<S, DeviceSpecError>,
) -> Result<S, NamedError> {
    let fields = fields(name).map_err(|part| NamedError::Malformed {
        name: name.to_owned(),
        part: part.to_owned(),
        grammar: grammar(),
    })?;
    validate(fields).map_err(|error| NamedError::Invalid { name: name.to_owned(), error })
}

/// A word as its axis has it, or the part that does not fit.
pub(crate) fn token<T: Token>(part: &str) -> Result<T, &str> {
    T::from_token(part).map_err(|_| part)
}

/// A number as names have it, plain digits and none of them a leading zero, or the part that does not fit.
pub(crate) fn number<'a>(prefix: &str, part: &'a str) -> Result<u32, &'a str> {
    let digits = part.strip_prefix(prefix).ok_or(part)?;
    let number: u32 = digits.parse().map_err(|_| part)?;
    if number.to_string() == digits { Ok(number) } else { Err(part) }
}

/// Parses a text that is not a name, and returns the part that does not fit.
#[cfg(test)]
pub(crate) fn misfit<S: std::str::FromStr<Err = NamedError> + std::fmt::Debug>(
    name: &str,
) -> String {
    match name.parse::<S>() {
        Err(NamedError::Malformed { name: found, part, .. }) if found == name => part,
        other => panic!("{name}: {other:?}"),
    }
}
