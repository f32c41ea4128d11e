//! The names of top-ks: `block_top_k_<key>[_<value>]_b<threads>_i<items>_<asc|desc>[_nanlast]`.

use std::fmt;
use std::str::FromStr;

use super::spec::{TopKFields, TopKSpec};
use super::value::TopKValue;
use crate::contract::named::{self, NamedError, number, token};

/// What the names of top-ks begin with, and no other names.
pub(crate) const PREFIX: &str = "block_top_k_";

/// What names are like.
const GRAMMAR: &str = "block_top_k_<key>[_<value>]_b<threads>_i<items>_<asc|desc>[_nanlast]";

impl fmt::Display for TopKSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TopKFields { key, value, threads, items, order, nan_last } = self.fields();
        write!(f, "{PREFIX}{key}{}_b{threads}_i{items}_{order}", value.in_name())?;
        f.write_str(if nan_last { "_nanlast" } else { "" })
    }
}

impl FromStr for TopKSpec {
    type Err = NamedError;

    fn from_str(name: &str) -> Result<Self, NamedError> {
        named::parse(name, || GRAMMAR.to_owned(), fields, TopKFields::validate)
    }
}

/// The fields, or the part that does not fit.
fn fields(name: &str) -> Result<TopKFields, &str> {
    let mut words = name.strip_prefix(PREFIX).ok_or(name)?.split('_').peekable();
    let key = words.next().unwrap_or_default();
    let value = words.peek().and_then(|word| TopKValue::from_name(word));
    let mut words = words.skip(usize::from(value.is_some())).peekable();
    let mut next = || words.next().unwrap_or_default();
    let (threads, items, order) = (next(), next(), next());
    let fields = TopKFields {
        key: token(key)?,
        value: value.unwrap_or_default(),
        threads: number("b", threads)?,
        items: number("i", items)?,
        order: token(order)?,
        nan_last: words.next_if_eq(&"nanlast").is_some(),
    };
    words.next().map_or(Ok(fields), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{KeyType, Order, ValueType};

    #[test]
    fn names_are_parsed_as_they_are_printed() {
        let values = [
            TopKValue::Index,
            TopKValue::Index64,
            TopKValue::Values { word: ValueType::U128, words: 1 },
            TopKValue::Values { word: ValueType::U8, words: 3 },
        ];
        for (key, value) in
            [KeyType::F32, KeyType::U8, KeyType::I128, KeyType::Bool].into_iter().zip(values)
        {
            for (order, nan_last) in [(Order::Ascending, false), (Order::Descending, true)] {
                let nan_last = nan_last && key == KeyType::F32;
                let fields = TopKFields { key, value, threads: 64, items: 3, order, nan_last };
                let spec = fields.validate().expect("legal");
                assert_eq!(spec.to_string().parse(), Ok(spec));
            }
        }
        for (name, part) in [
            ("block_top_k", "block_top_k"),
            ("block_top_k_f32_b256_i8", ""),
            ("block_top_k_f32_b0256_i8_desc", "b0256"),
            ("block_top_k_f32_i64_b256_i8_desc", "i64"),
            ("block_top_k_f32_u32x1_b256_i8_desc", "u32x1"),
            ("block_top_k_f32_u32_u32_b256_i8_desc", "u32"),
            ("block_top_k_f32_b256_i8_desc_stable", "stable"),
        ] {
            assert_eq!(named::misfit::<TopKSpec>(name), part);
        }
        let error = "block_top_k_f32_b100_i8_desc".parse::<TopKSpec>().expect_err("not legal");
        assert!(error.to_string().contains("block = 100"), "{error}");
    }
}
