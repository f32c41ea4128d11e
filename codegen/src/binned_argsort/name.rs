//! The names of binned argsorts: `binned_argsort_<key>_b<threads>_i<items>_r<bits>`.

use std::fmt;
use std::str::FromStr;

use super::spec::{BinnedFields, BinnedSpec};
use crate::contract::named::{self, NamedError, number, token};

/// What the names of binned argsorts begin with, and no other names.
pub(crate) const PREFIX: &str = "binned_argsort_";

/// What names are like.
const GRAMMAR: &str = "binned_argsort_<key>_b<threads>_i<items>_r<bits>";

impl fmt::Display for BinnedSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BinnedFields { key, threads, items, bits } = self.fields();
        write!(f, "{PREFIX}{key}_b{threads}_i{items}_r{bits}")
    }
}

impl FromStr for BinnedSpec {
    type Err = NamedError;

    fn from_str(name: &str) -> Result<Self, NamedError> {
        named::parse(name, || GRAMMAR.to_owned(), fields, BinnedFields::validate)
    }
}

/// The fields, or the part that does not fit.
fn fields(name: &str) -> Result<BinnedFields, &str> {
    let mut words = name.strip_prefix(PREFIX).ok_or(name)?.split('_');
    let mut next = || words.next().unwrap_or_default();
    let fields = BinnedFields {
        key: token(next())?,
        threads: number("b", next())?,
        items: number("i", next())?,
        bits: number("r", next())?,
    };
    words.next().map_or(Ok(fields), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::KeyType;

    #[test]
    fn names_are_parsed_as_they_are_printed() {
        for key in [KeyType::U8, KeyType::I16, KeyType::U32, KeyType::I64] {
            for (threads, items, bits) in [(32, 1, 4), (544, 8, 9), (1024, 16, 1)] {
                let spec = BinnedFields { key, threads, items, bits }.validate().expect("legal");
                assert_eq!(spec.to_string().parse(), Ok(spec));
            }
        }
        for (name, part) in [
            ("binned_argsort", "binned_argsort"),
            ("binned_argsort_u32_b1024_i8", ""),
            ("binned_argsort_u32_b01024_i8_r8", "b01024"),
            ("binned_argsort_u32_b1024_i8_r8_desc", "desc"),
        ] {
            assert_eq!(named::misfit::<BinnedSpec>(name), part);
        }
        let error = "binned_argsort_f32_b1024_i8_r8".parse::<BinnedSpec>().expect_err("not legal");
        assert!(error.to_string().contains("key = f32"), "{error}");
    }
}
