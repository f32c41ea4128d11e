//! The names of top-ks by warps: `warp_top_k_<key>[_<value>]_i<items>_k<largest k>_<asc|desc>[_nanlast]`.

use std::fmt;
use std::str::FromStr;

use super::super::value::TopKValue;
use super::spec::{WarpTopKFields, WarpTopKSpec};
use crate::contract::named::{self, NamedError, number, token};

/// What the names of top-ks by warps begin with, and no other names.
pub(crate) const PREFIX: &str = "warp_top_k_";

/// What names are like.
const GRAMMAR: &str = "warp_top_k_<key>[_<value>]_i<items>_k<largest k>_<asc|desc>[_nanlast]";

impl fmt::Display for WarpTopKSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WarpTopKFields { key, value, items, max_k, order, nan_last } = self.fields();
        write!(f, "{PREFIX}{key}{}_i{items}_k{max_k}_{order}", value.in_name())?;
        f.write_str(if nan_last { "_nanlast" } else { "" })
    }
}

impl FromStr for WarpTopKSpec {
    type Err = NamedError;

    fn from_str(name: &str) -> Result<Self, NamedError> {
        named::parse(name, || GRAMMAR.to_owned(), fields, WarpTopKFields::validate)
    }
}

/// The fields, or the part that does not fit.
fn fields(name: &str) -> Result<WarpTopKFields, &str> {
    let mut words = name.strip_prefix(PREFIX).ok_or(name)?.split('_').peekable();
    let key = words.next().unwrap_or_default();
    let value = words.peek().and_then(|word| TopKValue::from_name(word));
    let mut words = words.skip(usize::from(value.is_some())).peekable();
    let mut next = || words.next().unwrap_or_default();
    let (items, max_k, order) = (next(), next(), next());
    let fields = WarpTopKFields {
        key: token(key)?,
        value: value.unwrap_or_default(),
        items: number("i", items)?,
        max_k: number("k", max_k)?,
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
                let fields = WarpTopKFields { key, value, items: 8, max_k: 32, order, nan_last };
                let spec = fields.validate().expect("legal");
                assert_eq!(spec.to_string().parse(), Ok(spec));
            }
        }
        for (name, part) in [
            ("warp_top_k", "warp_top_k"),
            ("warp_top_k_f32_i32_k64", ""),
            ("warp_top_k_f32_i032_k64_desc", "i032"),
            ("warp_top_k_f32_i64_i32_k64_desc", "i32"),
            ("warp_top_k_f32_u32_u32_i32_k64_desc", "u32"),
            ("warp_top_k_f32_i32_k64_desc_stable", "stable"),
        ] {
            assert_eq!(named::misfit::<WarpTopKSpec>(name), part);
        }
        let error = "warp_top_k_f32_i3_k64_desc".parse::<WarpTopKSpec>().expect_err("not legal");
        assert!(error.to_string().contains("items = 3"), "{error}");
    }
}
