//! The names of sorts of segments:
//! `segmented_merge_sort_<key>_<value|keys>_b<threads>_i<items>_<asc|desc>[_nanlast]`.

use std::fmt;
use std::str::FromStr;

use super::spec::{SegmentFields, SegmentSpec};
use crate::contract::device::name::{number, token};
use crate::contract::validate::DeviceSpecError;
use crate::types::OneLine;

/// What the names of sorts of segments begin with, and no other names.
pub const PREFIX: &str = "segmented_";

/// The algorithm.
const ALGORITHM: &str = "segmented_merge_sort_";

/// A text that is not the name of a sort of segments.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SegmentNameError {
    /// The name does not follow the grammar.
    #[error(
        "name `{}`: `{}` does not fit segmented_merge_sort_<key>_<value|keys>_b<threads>_i<items>_<asc|desc>[_nanlast]",
        OneLine(name),
        OneLine(part)
    )]
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

impl fmt::Display for SegmentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SegmentFields { key, value, threads, items, order, nan_last } = **self;
        write!(f, "{ALGORITHM}{key}_{value}_b{threads}_i{items}_{order}")?;
        f.write_str(if nan_last { "_nanlast" } else { "" })
    }
}

impl FromStr for SegmentSpec {
    type Err = SegmentNameError;

    fn from_str(name: &str) -> Result<Self, SegmentNameError> {
        let fields = fields(name).map_err(|part| {
            let (name, part) = (name.to_owned(), part.to_owned());
            SegmentNameError::Malformed { name, part }
        })?;
        let invalid = |error| SegmentNameError::Invalid { name: name.to_owned(), error };
        fields.validate().map_err(invalid)
    }
}

/// The fields, or the part that does not fit.
fn fields(name: &str) -> Result<SegmentFields, &str> {
    let mut words = name.strip_prefix(ALGORITHM).ok_or(name)?.split('_').peekable();
    let mut next = || words.next().unwrap_or_default();
    let mut fields = SegmentFields {
        key: token(next())?,
        value: token(next())?,
        threads: number("b", next())?,
        items: number("i", next())?,
        order: token(next())?,
        nan_last: false,
    };
    fields.nan_last = words.next_if_eq(&"nanlast").is_some();
    match words.next() {
        None => Ok(fields),
        Some(rest) => Err(rest),
    }
}
