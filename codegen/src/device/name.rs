//! The names of device-wide sorts:
//! `device_<radix|sample|bitonic>_sort_<key>_<value|keys>_b<threads>_i<items>_<asc|desc>[_stable][_nanlast][_wide]`.

use std::fmt;
use std::str::FromStr;

use super::{DeviceAlgorithm, DeviceFields, DeviceSpec, DeviceSpecError};
use crate::types::OneLine;
use crate::types::Token;

/// What the names of device-wide sorts begin with, and no other names.
pub const PREFIX: &str = "device_";

/// A text that is not the name of a device-wide sort.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceNameError {
    /// The name does not follow the grammar.
    #[error(
        "name `{}`: `{}` does not fit \
         device_<radix|sample|bitonic>_sort_<key>_<value|keys>_b<threads>_i<items>_<asc|desc>[_stable][_nanlast][_wide]",
        OneLine(name),
        OneLine(part)
    )]
    Malformed {
        /// The whole name.
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

impl fmt::Display for DeviceSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DeviceFields { algorithm, key, value, threads, items, order, nan_last, wide } =
            self.fields();
        write!(f, "{}{key}_{value}_b{threads}_i{items}_{order}", algorithm.prefix())?;
        let is_stable = algorithm == DeviceAlgorithm::Bitonic { stable: true };
        f.write_str(if is_stable { "_stable" } else { "" })?;
        f.write_str(if nan_last { "_nanlast" } else { "" })?;
        f.write_str(if wide { "_wide" } else { "" })
    }
}

impl FromStr for DeviceSpec {
    type Err = DeviceNameError;

    fn from_str(name: &str) -> Result<Self, DeviceNameError> {
        let fields = parse(name).map_err(|part| DeviceNameError::Malformed {
            name: name.to_owned(),
            part: part.to_owned(),
        })?;
        fields.validate().map_err(|error| DeviceNameError::Invalid { name: name.to_owned(), error })
    }
}

/// The fields, or the part that does not fit.
fn parse(name: &str) -> Result<DeviceFields, &str> {
    let (mut algorithm, rest) = DeviceAlgorithm::ALL
        .into_iter()
        .find_map(|it| Some((it, name.strip_prefix(it.prefix())?)))
        .ok_or(name)?;
    let mut parts = rest.split('_').peekable();
    let mut next = || parts.next().unwrap_or_default();
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
    if let DeviceAlgorithm::Bitonic { stable } = &mut algorithm {
        *stable = parts.next_if_eq(&"stable").is_some();
    }
    let nan_last = parts.next_if_eq(&"nanlast").is_some();
    let wide = parts.next_if_eq(&"wide").is_some();
    match parts.next() {
        None => Ok(DeviceFields { algorithm, nan_last, wide, ..fields }),
        Some(rest) => Err(rest),
    }
}

fn token<T: Token>(part: &str) -> Result<T, &str> {
    T::from_token(part).map_err(|_| part)
}

/// A number as names have it: plain digits, none of them a leading zero.
fn number<'a>(prefix: &str, part: &'a str) -> Result<u32, &'a str> {
    let digits = part.strip_prefix(prefix).ok_or(part)?;
    let number: u32 = digits.parse().map_err(|_| part)?;
    if number.to_string() == digits { Ok(number) } else { Err(part) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_does_not_fit() {
        for (name, part) in [
            (
                "block_radix_sort_u32_keys_b256_i8_r4_asc",
                "block_radix_sort_u32_keys_b256_i8_r4_asc",
            ),
            ("device_radix_sort_u33_keys_b256_i8_asc", "u33"),
            ("device_radix_sort_u32_keys_b0256_i8_asc", "b0256"),
            ("device_radix_sort_u32_keys_b256_i+8_asc", "i+8"),
            ("device_radix_sort_u32_keys_b256_i8", ""),
            ("device_radix_sort_f32_keys_b256_i8_asc_wide_nanlast", "nanlast"),
        ] {
            let error = DeviceNameError::Malformed { name: name.to_owned(), part: part.to_owned() };
            assert_eq!(name.parse::<DeviceSpec>(), Err(error));
        }
        let error = "device_radix_sort_u32_keys_b100_i8_asc".parse::<DeviceSpec>();
        assert!(matches!(error, Err(DeviceNameError::Invalid { .. })), "{error:?}");
    }
}
