//! Values as a record has them: in a column or after a key of the head.

use std::str::FromStr;

use jiff::civil::Date;
use sortsmith_codegen::{Arch, Order, Token};

use crate::{Cache, Group, Input, Library, Mark, Method, Types};

/// A value that is written as a text without line breaks.
pub trait Cell: Sized {
    /// As it is written.
    fn write(&self) -> String;
    /// What was written; none where the text is not legal.
    fn read(text: &str) -> Option<Self>;
    /// What is legal, for people.
    fn legal() -> String;
}

macro_rules! table_cells {
    ($($type:ty, $legal:expr;)*) => {$(
        impl Cell for $type {
            fn write(&self) -> String {
                self.to_string()
            }
            fn read(text: &str) -> Option<Self> {
                <$type>::from_str(text).ok()
            }
            fn legal() -> String {
                $legal.to_owned()
            }
        }
    )*};
}

table_cells! {
    u32, "a whole number from 0 on";
    u64, "a whole number from 0 on";
    Types, Types::legal();
    Input, Input::LEGAL;
    Date, "a date as 2026-11-22";
}

macro_rules! tokens {
    ($($type:ty)*) => {$(
        impl Cell for $type {
            fn write(&self) -> String {
                self.token().to_owned()
            }
            fn read(text: &str) -> Option<Self> {
                Self::from_token(text).ok()
            }
            fn legal() -> String {
                Self::table().iter().map(|(_, token)| *token).collect::<Vec<_>>().join(", ")
            }
        }
    )*};
}

tokens! { Cache Group Library Method Mark Order }

impl Cell for f64 {
    fn write(&self) -> String {
        self.to_string()
    }
    fn read(text: &str) -> Option<Self> {
        text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0)
    }
    fn legal() -> String {
        "a number from 0 on".to_owned()
    }
}

impl Cell for String {
    fn write(&self) -> String {
        self.clone()
    }
    fn read(text: &str) -> Option<Self> {
        (!text.is_empty()).then(|| text.to_owned())
    }
    fn legal() -> String {
        "a text".to_owned()
    }
}

impl Cell for Arch {
    fn write(&self) -> String {
        self.to_string()
    }
    fn read(text: &str) -> Option<Self> {
        Self::new(text.strip_prefix("sm_")?.parse().ok()?).ok()
    }
    fn legal() -> String {
        Self::all().map(|arch| arch.to_string()).collect::<Vec<_>>().join(", ")
    }
}

impl<T: Cell> Cell for Option<T> {
    fn write(&self) -> String {
        self.as_ref().map_or_else(String::new, Cell::write)
    }
    fn read(text: &str) -> Option<Self> {
        if text.is_empty() { Some(None) } else { T::read(text).map(Some) }
    }
    fn legal() -> String {
        format!("nothing, or {}", T::legal())
    }
}
