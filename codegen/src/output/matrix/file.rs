//! Matrix files: TOML with one `[[sorts]]` table for each product of axes.
//!
//! ```
//! use sortsmith_codegen::matrix::file;
//! let headers = file::parse(
//!     r#"
//!     [[sorts]]
//!     algorithm = "block-radix"
//!     key = ["u32", "f32"]
//!     value = ["keys", "u32"]
//!     block = [128, "32x8"]
//!     items = 16
//!     tile_kernel = true
//!     "#,
//! )
//! .unwrap();
//! assert_eq!(headers.len(), 8);
//! assert!(headers[0].options.tile_kernel);
//! ```
//!
//! An axis is one value or a list. Beside the axes a table may have `tile_kernel`, `rows_kernel`, `counted_rows_kernel` (also those kernels; false) and
//! `skip_illegal` (leave out the combinations that are not legal; false, so that the first of them is an error). All
//! tables of a file together have at most [`MAX_COMBINATIONS`], those that are left out and repeated ones included.

use std::str::FromStr;

use toml::{Table, Value};

use super::axis::{self, Axis};
use super::{Axes, AxesError, MAX_COMBINATIONS, Selected};
use crate::contract::render::Options;
use crate::contract::spec::SpecFields;
use crate::output::headers::{Header, unique};
use crate::select::tiles::TileChoice;
use crate::types::OneLine;
use crate::types::{Token, UnknownToken};

/// The text of the default matrix: the sorts that most programs want.
pub const DEFAULT: &str = include_str!("../../../matrix/default.toml");

/// The keys of a table that are no axes.
const SWITCHES: [&str; 4] = ["tile_kernel", "rows_kernel", "counted_rows_kernel", "skip_illegal"];

/// A text that is no matrix.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MatrixError {
    /// The text is not TOML.
    #[error("line {line}: {}", OneLine(message))]
    Syntax {
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// A key beside the tables, or no table at all.
    #[error("{}; legal: one or more [[sorts]] tables and nothing else", OneLine(found))]
    Outside {
        /// The legal words.
        found: String,
    },
    /// A key of a table names no axis.
    #[error("sorts table {table}: axis `{}` is unknown; legal: {}, {}", OneLine(axis), axis::names(Axis::ALL.iter().copied()), SWITCHES.join(", "))]
    UnknownAxis {
        /// The table, counted from 1.
        table: usize,
        /// The key.
        axis: String,
    },
    /// A value of an axis cannot be read.
    #[error("sorts table {table}: {error}")]
    Value {
        /// The table, counted from 1.
        table: usize,
        /// What is wrong.
        error: UnknownToken,
    },
    /// The axes of a table make no specs.
    #[error("sorts table {table}: {}{error}{}", combination(error), hint(error))]
    Axes {
        /// The table, counted from 1.
        table: usize,
        /// What is wrong.
        error: AxesError,
    },
}

/// The headers that a matrix asks for, in its order, each once.
pub fn parse(text: &str) -> Result<Vec<Header>, MatrixError> {
    Ok(parse_with_choices(text)?.0)
}

/// The same, and what was chosen where no algorithm is named.
pub fn parse_with_choices(text: &str) -> Result<(Vec<Header>, Vec<TileChoice>), MatrixError> {
    let mut document: Table = text.parse().map_err(|error| syntax(text, &error))?;
    let sorts = document.remove("sorts");
    if let Some(key) = document.keys().next() {
        return Err(MatrixError::Outside { found: format!("`{key}` is unknown") });
    }
    let Some(Value::Array(tables)) = sorts else {
        return Err(MatrixError::Outside { found: "there is no [[sorts]] table".to_owned() });
    };
    let (mut headers, mut choices) = (Vec::new(), Vec::new());
    let mut combinations = 0;
    for (index, table) in tables.iter().enumerate() {
        let number = index + 1;
        let (options, axes) = read_table(number, table)?;
        let of_axes = |error| MatrixError::Axes { table: number, error };
        combinations += axes.combination_count();
        if combinations > MAX_COMBINATIONS as u128 {
            return Err(of_axes(AxesError::TooMany { combinations }));
        }
        let selected = axes.selected().map_err(of_axes)?;
        for Selected { spec, choice } in selected {
            headers.push(Header { spec, options });
            choices.extend(choice.map(|choice| *choice));
        }
    }
    Ok((unique(headers), choices))
}

fn syntax(text: &str, error: &toml::de::Error) -> MatrixError {
    let at = error.span().map_or(0, |span| span.start.min(text.len()));
    let line = text.as_bytes()[..at].split(|byte| *byte == b'\n').count();
    MatrixError::Syntax { line, message: error.message().replace('\n', " ") }
}

fn read_table(number: usize, table: &Value) -> Result<(Options, Axes), MatrixError> {
    let Value::Table(table) = table else {
        return Err(MatrixError::Outside { found: format!("`sorts` holds {table}") });
    };
    let mut product = Axes::default();
    let mut options = Options::default();
    for (key, value) in table {
        let read = match key.as_str() {
            "tile_kernel" => {
                only_bool("tile_kernel", value).map(|is_on| options.tile_kernel = is_on)
            }
            "rows_kernel" => {
                only_bool("rows_kernel", value).map(|is_on| options.rows_kernel = is_on)
            }
            "counted_rows_kernel" => only_bool("counted_rows_kernel", value)
                .map(|is_on| options.counted_rows_kernel = is_on),
            "skip_illegal" => {
                only_bool("skip_illegal", value).map(|is_on| product.skip_illegal = is_on)
            }
            name => match Axis::ALL.iter().find(|axis| axis.name() == name) {
                Some(axis) => set(&mut product, *axis, value),
                None => {
                    return Err(MatrixError::UnknownAxis { table: number, axis: name.to_owned() });
                }
            },
        };
        read.map_err(|error| MatrixError::Value { table: number, error })?;
    }
    Ok((options, product))
}

fn set(product: &mut Axes, axis: Axis, value: &Value) -> Result<(), UnknownToken> {
    let name = axis.name();
    match axis {
        Axis::Algorithm => product.algorithm = tokens(name, value)?,
        Axis::Key => product.key = tokens(name, value)?,
        Axis::Value => product.value = tokens(name, value)?,
        Axis::Block => product.block = words(name, value, "256 or \"32x8\"")?,
        Axis::Lanes => product.lanes = numbers(name, value)?,
        Axis::Items => product.items = numbers(name, value)?,
        Axis::RadixBits => product.radix_bits = numbers(name, value)?,
        Axis::Order => product.order = tokens(name, value)?,
        Axis::Rank => product.rank = tokens(name, value)?,
        Axis::Memoize => product.memoize = each(name, value, |value| only_bool(name, value))?,
        Axis::InnerScan => product.inner_scan = tokens(name, value)?,
        Axis::Bits => product.bits = words(name, value, "\"0..45\" or \"all\"")?,
        Axis::Stable => product.stable = each(name, value, |value| only_bool(name, value))?,
        Axis::Input => product.input = tokens(name, value)?,
        Axis::Output => product.output = tokens(name, value)?,
        Axis::Arch => product.arch = words(name, value, "\"sm_90\"")?,
    }
    Ok(())
}

/// The values of an axis, which are a list or one alone.
fn each<T>(
    axis: &'static str,
    value: &Value,
    read: impl Fn(&Value) -> Result<T, UnknownToken>,
) -> Result<Vec<T>, UnknownToken> {
    match value {
        Value::Array(values) if values.is_empty() => {
            Err(unknown(axis, value, "at least one value"))
        }
        Value::Array(values) => values.iter().map(read).collect(),
        value => Ok(vec![read(value)?]),
    }
}

fn tokens<T: Token>(axis: &'static str, value: &Value) -> Result<Vec<T>, UnknownToken> {
    each(axis, value, |value| match value {
        Value::String(word) => T::from_token(word),
        value => Err(unknown(axis, value, &axis::words(T::table()))),
    })
}

/// Values that are written as numbers or as strings.
fn words<T: FromStr<Err: Into<UnknownToken>>>(
    axis: &'static str,
    value: &Value,
    legal: &str,
) -> Result<Vec<T>, UnknownToken> {
    each(axis, value, |value| match value {
        Value::String(word) => word.parse().map_err(T::Err::into),
        Value::Integer(number) => number.to_string().parse().map_err(T::Err::into),
        value => Err(unknown(axis, value, legal)),
    })
}

fn numbers(axis: &'static str, value: &Value) -> Result<Vec<u32>, UnknownToken> {
    let number = |value: &Value| value.as_integer().and_then(|number| u32::try_from(number).ok());
    each(axis, value, |value| {
        number(value).ok_or_else(|| unknown(axis, value, "a number, such as 16"))
    })
}

fn only_bool(axis: &'static str, value: &Value) -> Result<bool, UnknownToken> {
    value.as_bool().ok_or_else(|| unknown(axis, value, "true or false"))
}

fn unknown(axis: &'static str, value: &Value, legal: &str) -> UnknownToken {
    UnknownToken { axis, value: value.to_string().replace('\n', " "), legal: legal.to_owned() }
}

/// The combination that an error is about, as far as the error itself does not say it.
fn combination(error: &AxesError) -> String {
    let fields = match error {
        AxesError::Illegal { fields, .. } => fields,
        AxesError::NoChoice { sort, .. } => return format!("auto of {sort}: "),
        _ => return String::new(),
    };
    let SpecFields { algorithm, key, value, items, order, .. } = **fields;
    let family = algorithm.family();
    format!("{family} of {key} and {value}, block {}, items {items}, {order}: ", algorithm.block())
}

fn hint(error: &AxesError) -> &'static str {
    match error {
        AxesError::Illegal { .. } | AxesError::NoChoice { .. } => {
            "; skip_illegal = true leaves such combinations out"
        }
        _ => "",
    }
}
