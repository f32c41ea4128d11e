//! The names of merges of shards: `shard_merge_<key>_<value|keys>_b<threads>_i<items>_<asc|desc>[_nanlast]`.

use std::fmt;
use std::str::FromStr;

use super::spec::{ShardFields, ShardSpec};
use crate::contract::named::{self, NamedError, number, token};

/// What the names of merges of shards begin with, and no other names.
pub(crate) const PREFIX: &str = "shard_merge_";

/// What names are like.
const GRAMMAR: &str = "shard_merge_<key>_<value|keys>_b<threads>_i<items>_<asc|desc>[_nanlast]";

impl fmt::Display for ShardSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ShardFields { key, value, threads, items, order, nan_last } = **self;
        write!(f, "{PREFIX}{key}_{value}_b{threads}_i{items}_{order}")?;
        f.write_str(if nan_last { "_nanlast" } else { "" })
    }
}

impl FromStr for ShardSpec {
    type Err = NamedError;

    fn from_str(name: &str) -> Result<Self, NamedError> {
        named::parse(name, || GRAMMAR.to_owned(), fields, ShardFields::validate)
    }
}

/// The fields, or the part that does not fit.
fn fields(name: &str) -> Result<ShardFields, &str> {
    let mut words = name.strip_prefix(PREFIX).ok_or(name)?.split('_').peekable();
    let mut next = || words.next().unwrap_or_default();
    let mut fields = ShardFields {
        key: token(next())?,
        value: token(next())?,
        threads: number("b", next())?,
        items: number("i", next())?,
        order: token(next())?,
        nan_last: false,
    };
    fields.nan_last = words.next_if_eq(&"nanlast").is_some();
    words.next().map_or(Ok(fields), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{KeyType, Order, ValueType};

    #[test]
    fn names_are_parsed_as_they_are_printed() {
        for (key, nan_last) in [(KeyType::U32, false), (KeyType::F64, true)] {
            for value in [ValueType::None, ValueType::Index, ValueType::U128] {
                let (order, threads, items) = (Order::Descending, 256, 12);
                let fields = ShardFields { key, value, threads, items, order, nan_last };
                let spec = fields.validate().expect("legal");
                assert_eq!(spec.to_string().parse(), Ok(spec));
            }
        }
        for (name, part) in [
            ("shard_merge", "shard_merge"),
            ("shard_merge_u32_keys_b256_asc", "asc"),
            ("shard_merge_u32_keys_b256_i16", ""),
            ("shard_merge_u32_keys_b256_i16_asc_r4", "r4"),
        ] {
            assert_eq!(named::misfit::<ShardSpec>(name), part);
        }
    }
}
