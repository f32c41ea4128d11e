//! The names of sorts of segments:
//! `segmented_merge_sort_<key>_<value|keys>_b<threads>_i<items>_<asc|desc>[_nanlast]`.

use std::fmt;
use std::str::FromStr;

use super::spec::{SegmentFields, SegmentSpec};
use crate::contract::named::{self, NamedError, number, token};

/// What the names of sorts of segments begin with, and no other names.
pub(crate) const PREFIX: &str = "segmented_";

/// The algorithm.
const ALGORITHM: &str = "segmented_merge_sort_";

/// What names are like.
const GRAMMAR: &str =
    "segmented_merge_sort_<key>_<value|keys>_b<threads>_i<items>_<asc|desc>[_nanlast]";

impl fmt::Display for SegmentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SegmentFields { key, value, threads, items, order, nan_last } = **self;
        write!(f, "{ALGORITHM}{key}_{value}_b{threads}_i{items}_{order}")?;
        f.write_str(if nan_last { "_nanlast" } else { "" })
    }
}

impl FromStr for SegmentSpec {
    type Err = NamedError;

    fn from_str(name: &str) -> Result<Self, NamedError> {
        named::parse(name, || GRAMMAR.to_owned(), fields, SegmentFields::validate)
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
