//! The TOML of files: tables of typed fields.

use std::fmt::{Display, Write as _};
use std::str::FromStr;

use toml::Spanned;
use toml::de::{DeArray, DeInteger, DeTable, DeValue};

/// A field of a table, which may be missing.
pub(super) struct Field<'a> {
    name: &'static str,
    value: Option<DeValue<'a>>,
}

/// The fields of these names of a text, which has no others.
pub(super) fn read<'a, const N: usize>(
    text: &'a str,
    names: [&'static str; N],
) -> Result<[Field<'a>; N], String> {
    let table = DeTable::parse(text).map_err(|error| error.message().to_owned())?;
    fields(table.into_inner(), names)
}

fn fields<'a, const N: usize>(
    mut table: DeTable<'a>,
    names: [&'static str; N],
) -> Result<[Field<'a>; N], String> {
    let found =
        names.map(|name| Field { name, value: table.remove(name).map(Spanned::into_inner) });
    match table.keys().next() {
        Some(key) => Err(format!("unknown field `{}`; legal: {}", key.get_ref(), names.join(", "))),
        None => Ok(found),
    }
}

impl<'a> Field<'a> {
    /// What a function makes of the value, or that it is not legal.
    fn legal<T>(
        self,
        legal: &str,
        read: impl FnOnce(&mut DeValue<'a>) -> Option<T>,
    ) -> Result<T, String> {
        let Self { name, value } = self;
        let Some(mut value) = value else { return Err(format!("missing field `{name}`")) };
        read(&mut value)
            .ok_or_else(|| format!("{name} = {} is not legal; legal: {legal}", words(&value)))
    }

    /// The fields of these names of a table, which has no others.
    pub(super) fn table<const N: usize>(
        self,
        names: [&'static str; N],
    ) -> Result<[Field<'a>; N], String> {
        fields(self.legal("a table", taken_table)?, names)
    }

    /// The same of each table of a list, by what a function makes of them.
    pub(super) fn tables<T, const N: usize>(
        self,
        names: [&'static str; N],
        read: impl Fn([Field<'a>; N]) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        let tables: Vec<_> = self.legal("tables", |value| {
            let DeValue::Array(values) = value else { return None };
            values.iter().all(|it| it.get_ref().is_table()).then_some(())?;
            let values = std::mem::replace(values, DeArray::new());
            values.into_iter().map(|it| taken_table(&mut it.into_inner())).collect()
        })?;
        tables.into_iter().map(|table| read(fields(table, names)?)).collect()
    }

    /// The field with an empty list where it is missing.
    pub(super) fn or_none(self) -> Self {
        Self { value: self.value.or_else(|| Some(DeValue::Array(DeArray::new()))), ..self }
    }

    /// A text.
    pub(super) fn text(self) -> Result<String, String> {
        self.legal("a text", |value| value.as_str().map(str::to_owned))
    }

    /// What a text says.
    pub(super) fn parsed<T: FromStr<Err: Display>>(self) -> Result<T, String> {
        self.text()?.parse().map_err(|error: T::Err| error.to_string())
    }

    /// An unsigned integer.
    pub(super) fn integer<T: TryFrom<u64>>(self) -> Result<T, String> {
        let most = u64::MAX >> (u64::BITS as usize - 8 * size_of::<T>());
        self.legal(&format!("0 to {most}"), |value| {
            value.as_integer().and_then(unsigned).and_then(|number| T::try_from(number).ok())
        })
    }

    /// A number with a fraction or without.
    pub(super) fn number(self) -> Result<f64, String> {
        self.legal("a number", |value| match value {
            DeValue::Float(number) => number.as_str().parse().ok(),
            DeValue::Integer(number) => unsigned(number).map(|number| number as f64),
            _ => None,
        })
    }

    /// Whether something is so.
    pub(super) fn flag(self) -> Result<bool, String> {
        self.legal("true, false", |value| value.as_bool())
    }
}

fn taken_table<'a>(value: &mut DeValue<'a>) -> Option<DeTable<'a>> {
    match value {
        DeValue::Table(table) => Some(std::mem::take(table)),
        _ => None,
    }
}

fn unsigned(number: &DeInteger) -> Option<u64> {
    u64::from_str_radix(number.as_str(), number.radix()).ok()
}

/// A value, as errors have it.
fn words(value: &DeValue) -> String {
    match value {
        DeValue::String(text) => format!("{text:?}"),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Datetime(time) => time.to_string(),
        DeValue::Array(_) => "[…]".to_owned(),
        DeValue::Table(_) => "{…}".to_owned(),
    }
}

/// A text as it is written, field by field.
pub(super) struct Written(pub(super) String);

impl Written {
    /// Begins a table: `[name]`, or `[[name]]` of a list.
    pub(super) fn table(&mut self, head: &str) {
        let _ = write!(self.0, "\n{head}\n");
    }

    /// A field with an integer, a truth value or an empty list.
    pub(super) fn field(&mut self, name: &str, value: impl Display) {
        let _ = writeln!(self.0, "{name} = {value}");
    }

    /// A field with a number that may have a fraction.
    pub(super) fn number(&mut self, name: &str, value: f64) {
        let point = if value % 1.0 == 0.0 { ".0" } else { "" };
        self.field(name, format_args!("{value}{point}"));
    }

    /// A field with a text.
    pub(super) fn text(&mut self, name: &str, text: impl Display) {
        let mut quoted = String::new();
        for letter in text.to_string().chars() {
            let _ = match letter {
                '"' | '\\' => write!(quoted, "\\{letter}"),
                letter if letter.is_control() => write!(quoted, "\\u{:04X}", u32::from(letter)),
                letter => write!(quoted, "{letter}"),
            };
        }
        self.field(name, format_args!("\"{quoted}\""));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_numbers_come_back() {
        let texts =
            ["", "a b", "\"'\\", "'''\"\"\"", "a\nb\t\r\0\u{7f}\u{80}\u{2028}", "é\u{10ffff}"];
        for text in texts {
            let mut written = Written(String::new());
            written.text("text", text);
            let [field] = read(&written.0, ["text"]).expect(text);
            assert_eq!(field.text().expect("a text"), text, "{}", written.0);
        }
        for number in [1.07, 2.0, 1e300, 5e-324, 0.1, 1.0 / 3.0, f64::INFINITY] {
            let mut written = Written(String::new());
            written.number("number", number);
            let [field] = read(&written.0, ["number"]).expect("it is legal");
            assert_eq!(field.number().map(f64::to_bits), Ok(number.to_bits()), "{}", written.0);
        }
        let mut written = Written(String::new());
        written.field("most", u64::MAX);
        assert_eq!(read(&written.0, ["most"]).and_then(|[it]| it.integer()), Ok(u64::MAX));
    }

    #[test]
    fn errors_say_the_field_the_value_and_what_is_legal() {
        let of = |text| read(text, ["a", "b"]);
        let a = |text| of(text).map(|[a, _]| a).expect("it is TOML");
        assert_eq!(of("a = 1\nc = 2").err().expect("c"), "unknown field `c`; legal: a, b");
        assert_eq!(a("b = 1").text().expect_err("it is missing"), "missing field `a`");
        let error = a("a = true").text().expect_err("no text");
        assert_eq!(error, "a = true is not legal; legal: a text");
        for (text, value) in
            [("a = -1", "-1"), ("a = 0x1_0000_0000", "0x100000000"), ("a = 1.0", "1.0")]
        {
            let error = a(text).integer::<u32>().expect_err("too much");
            assert_eq!(error, format!("a = {value} is not legal; legal: 0 to 4294967295"));
        }
        let error = a("a = 2026-11-22").number().expect_err("a day");
        assert_eq!(error, "a = 2026-11-22 is not legal; legal: a number");
        let error = a("a = \"yes\"").flag().expect_err("a text");
        assert_eq!(error, "a = \"yes\" is not legal; legal: true, false");
        let error = a("a = []").table(["c"]).err().expect("a list");
        assert_eq!(error, "a = […] is not legal; legal: a table");
        let error = a("a.d = 1").table(["c"]).err().expect("d");
        assert_eq!(error, "unknown field `d`; legal: c");
        let list = |text| a(text).or_none().tables(["c"], |[c]| c.integer::<u32>());
        assert_eq!(list("[[a]]\nc = 7\n[[a]]\nc = 8"), Ok(vec![7, 8]));
        assert_eq!(list("a = [{ c = 7 }]"), Ok(vec![7]));
        assert_eq!(list(""), Ok(vec![]));
        assert_eq!(list("a = [7]"), Err("a = […] is not legal; legal: tables".to_owned()));
        assert_eq!(list("a = {}"), Err("a = {…} is not legal; legal: tables".to_owned()));
    }
}
