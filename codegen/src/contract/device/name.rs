//! The names of device-wide sorts:
//! `device_<algorithm>_sort_<key>_<value|keys>_b<threads>_i<items>_<asc|desc>[_rows][_stable][_nanlast][_wide]`.

use std::fmt;

use super::algorithm::DeviceAlgorithm;
use super::spec::{DeviceFields, DeviceSpec};
use crate::contract::validate::DeviceSpecError;
use crate::types::OneLine;
use crate::types::Token;

/// What the names of device-wide sorts begin with, and no other names.
pub const PREFIX: &str = "device_";

/// A text that is not the name of a device-wide sort.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceNameError {
    /// The name does not follow the grammar.
    #[error("name `{}`: `{}` does not fit {}", OneLine(name), OneLine(part), grammar())]
    Malformed {
        /// The complete name.
        name: String,
        /// The part that does not fit; empty where the name ends too early.
        part: String,
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

/// What names are like.
fn grammar() -> String {
    let word = |it: DeviceAlgorithm| {
        let of_sort = it.prefix().strip_prefix(PREFIX);
        of_sort.and_then(|rest| rest.strip_suffix("_sort")).unwrap_or_default()
    };
    let words = DeviceAlgorithm::ALL.map(word).join("|");
    let options = DeviceAlgorithm::ALL.into_iter().flat_map(DeviceAlgorithm::options);
    let options = options.map(|option| format!("[_{option}]")).collect::<Vec<_>>().concat();
    format!(
        "{PREFIX}<{words}>_sort_<key>_<value|keys>_b<threads>_i<items>_<asc|desc>{options}[_nanlast][_wide]"
    )
}

impl fmt::Display for DeviceSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DeviceFields { algorithm, key, value, threads, items, order, nan_last, wide } =
            self.fields();
        write!(f, "{}_{key}_{value}_b{threads}_i{items}_{order}", algorithm.prefix())?;
        algorithm.chosen_options().iter().try_for_each(|option| write!(f, "_{option}"))?;
        f.write_str(if nan_last { "_nanlast" } else { "" })?;
        f.write_str(if wide { "_wide" } else { "" })
    }
}

/// The fields that a name says, legal or not.
pub(crate) fn parse(name: &str) -> Result<DeviceFields, DeviceNameError> {
    fields(name).map_err(|part| {
        let (name, part) = (name.to_owned(), part.to_owned());
        DeviceNameError::Malformed { name, part }
    })
}

/// The fields, or the part that does not fit.
fn fields(name: &str) -> Result<DeviceFields, &str> {
    let (algorithm, rest) = DeviceAlgorithm::ALL
        .into_iter()
        .find_map(|it| Some((it, name.strip_prefix(it.prefix())?.strip_prefix('_')?)))
        .ok_or(name)?;
    let mut words = rest.split('_').peekable();
    let mut next = || words.next().unwrap_or_default();
    let fields = DeviceFields {
        algorithm,
        key: token(next())?,
        value: token(next())?,
        threads: number("b", next())?,
        items: number("i", next())?,
        order: token(next())?,
        nan_last: false,
        wide: false,
    };
    let mut option = |option: &str| words.next_if_eq(&option).is_some();
    let algorithm = algorithm.map_options(|name, _| option(name));
    let (nan_last, wide) = (option("nanlast"), option("wide"));
    match words.next() {
        None => Ok(DeviceFields { algorithm, nan_last, wide, ..fields }),
        Some(rest) => Err(rest),
    }
}

/// A word as its axis has it, or the part that does not fit.
pub(crate) fn token<T: Token>(part: &str) -> Result<T, &str> {
    T::from_token(part).map_err(|_| part)
}

/// A number as names have it: plain digits, none of them a leading zero.
pub(crate) fn number<'a>(prefix: &str, part: &'a str) -> Result<u32, &'a str> {
    let digits = part.strip_prefix(prefix).ok_or(part)?;
    let number: u32 = digits.parse().map_err(|_| part)?;
    if number.to_string() == digits { Ok(number) } else { Err(part) }
}
