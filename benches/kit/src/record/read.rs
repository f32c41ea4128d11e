//! What a record's text says, line by line.

use std::collections::HashMap;
use std::path::Path;

use csv::{ReaderBuilder, StringRecord};

use super::{FORMATS, KEYS, RecordError, columns_of};
use crate::cell::Cell;
use crate::{Cache, Case, Columns, Contender, Group, Head, Id, Mark, Row, Shape};

/// Keys a second may differ from what follows from the milliseconds by so much: both are rounded.
const RATE_TOLERANCE: f64 = 0.01;

/// Texts of one line or of a head, which are read one after the other.
struct Fields<'a, I> {
    file: &'a Path,
    /// Name, line and text.
    left: I,
}

impl<'a, I: Iterator<Item = (&'static str, u64, &'a str)>> Fields<'a, I> {
    fn next<T: Cell>(&mut self) -> Result<T, RecordError> {
        self.next_if(T::legal, |_| true)
    }

    /// The next field, if its value is also one that this takes.
    fn next_if<T: Cell>(
        &mut self,
        legal: impl FnOnce() -> String,
        takes: impl FnOnce(&T) -> bool,
    ) -> Result<T, RecordError> {
        // The callers ask for as many as there are, which the round trip of a record shows.
        let (field, line, text) = self.left.next().unwrap_or(("", 0, ""));
        T::read(text).filter(takes).ok_or_else(|| RecordError::Field {
            file: self.file.to_owned(),
            line,
            field,
            value: text.to_owned(),
            legal: legal(),
        })
    }
}

/// The version, the head, and what comes after it.
pub fn read_head<'a>(file: &Path, text: &'a str) -> Result<(u32, Head, &'a str), RecordError> {
    let mut rest = text;
    let mut values = [("", 0, ""); KEYS.len()];
    for (index, key) in KEYS.into_iter().enumerate() {
        let line = index as u64 + 1;
        let (found, after) = rest.split_once('\n').unwrap_or((rest, ""));
        let value = found.strip_prefix("# ").and_then(|it| it.strip_prefix(key));
        let value = value.and_then(|it| it.strip_prefix(':'));
        let value = value.ok_or_else(|| RecordError::Layout {
            file: file.to_owned(),
            line,
            found: format!("the line is `{}`", found.trim_end()),
            legal: format!("`# {key}: …`; the keys of a head are {}", KEYS.join(", ")),
        })?;
        values[index] = (key, line, value.trim());
        rest = after;
    }
    let mut fields = Fields { file, left: values.into_iter() };
    let legal = || {
        let [others @ .., last] = FORMATS.map(|format| format.to_string());
        format!("{} or {last}", others.join(", "))
    };
    let format = fields.next_if(legal, |format: &u32| FORMATS.contains(format))?;
    let head = Head {
        gpu: fields.next()?,
        arch: fields.next()?,
        driver: fields.next()?,
        compiler: fields.next()?,
        cub: fields.next()?,
        commit: fields.next()?,
        date: fields.next()?,
        sm_clock_mhz: fields.next()?,
        memory_clock_mhz: fields.next()?,
        copy_gbytes_per_second: fields.next()?,
    };
    Ok((format, head, rest))
}

/// The rows of a version, behind the lines of the head.
pub fn read_rows(
    file: &Path,
    body: &str,
    format: u32,
    lines_before: u64,
) -> Result<Vec<Row>, RecordError> {
    let columns = columns_of(format);
    let layout = |line: u64, found: String, legal: String| RecordError::Layout {
        file: file.to_owned(),
        line,
        found,
        legal,
    };
    let mut reader =
        ReaderBuilder::new().has_headers(false).flexible(true).from_reader(body.as_bytes());
    let mut rows = Vec::new();
    let mut lines = HashMap::new();
    let mut has_columns = false;
    for record in reader.records() {
        let record = record.map_err(|error| {
            let line = error.position().map_or(0, csv::Position::line);
            layout(lines_before + line, error.to_string(), "CSV in UTF-8".to_owned())
        })?;
        let line = lines_before + record.position().map_or(0, csv::Position::line);
        if !has_columns {
            if record.iter().ne(columns.iter().copied()) {
                let found = record.iter().collect::<Vec<_>>().join(",");
                return Err(layout(line, format!("the columns are {found}"), columns.join(",")));
            }
            has_columns = true;
            continue;
        }
        if record.len() != columns.len() {
            let legal = format!("{}, one for each column", columns.len());
            return Err(layout(line, format!("{} fields", record.len()), legal));
        }
        let row = read_row(file, line, &columns, &record)?;
        if let Some(first) = lines.insert(row.id, line) {
            let found = format!("`{}` is in line {first} already", row.id);
            return Err(layout(line, found, "each id once".to_owned()));
        }
        rows.push(row);
    }
    if !has_columns {
        let found = "there is nothing after the head".to_owned();
        return Err(layout(lines_before + 1, found, columns.join(",")));
    }
    Ok(rows)
}

fn read_row(
    file: &Path,
    line: u64,
    columns: &[&'static str],
    record: &StringRecord,
) -> Result<Row, RecordError> {
    let texts = columns.iter().copied().zip(record).map(|(column, text)| (column, line, text));
    let mut fields = Fields { file, left: texts };
    let group: Group = fields.next()?;
    let (types, input, n) = (fields.next()?, fields.next()?, fields.next()?);
    // Tiles have a shape, and nothing else has.
    let of_shape = || match group {
        Group::Tiles => "a whole number from 1 on".to_owned(),
        _ => "nothing, for these are no tiles".to_owned(),
    };
    let is_legal = |part: &Option<u32>| match group {
        Group::Tiles => part.is_some_and(|it| it > 0),
        _ => part.is_none(),
    };
    let threads: Option<u32> = fields.next_if(of_shape, is_legal)?;
    let items: Option<u32> = fields.next_if(of_shape, is_legal)?;
    let shape = threads.zip(items).map(|(threads, items)| Shape { threads, items });
    let rows =
        if columns.contains(&"columns") { read_columns(&mut fields, group, n)? } else { None };
    if has_rows(group) && rows.is_none() {
        let (field, value, legal) =
            ("group", group.write(), "device or tiles in record 1".to_owned());
        return Err(RecordError::Field { file: file.to_owned(), line, field, value, legal });
    }
    let order = fields.next()?;
    let cache = if columns.contains(&"cache") { fields.next()? } else { Cache::Warm };
    let case = Case { group, types, input, n, shape, rows, order, cache };
    let (method, radix_bits) = (fields.next()?, fields.next()?);
    let contender = Contender { method, radix_bits, library: fields.next()? };
    let milliseconds: f64 =
        fields.next_if(|| "a number above 0".to_owned(), |it: &f64| *it > 0.0)?;
    let expected = n as f64 / milliseconds / 1e6;
    let gkeys = fields.next_if(
        || format!("billions of keys a second, {expected:.5} for {n} in {milliseconds} ms"),
        |gkeys: &f64| (gkeys / expected - 1.0).abs() <= RATE_TOLERANCE,
    )?;
    let row = Row {
        id: Id { case, contender },
        milliseconds,
        gkeys,
        spread_percent: fields.next()?,
        limit_percent: fields.next()?,
        temp_bytes: fields.next()?,
        registers: fields.next()?,
        local_bytes: fields.next()?,
        shared_bytes: fields.next()?,
    };
    let mark = row.mark();
    let legal = || match mark {
        Some(mark) => format!("{mark}, by its spread_percent"),
        None => "nothing, for its spread_percent is small or unknown".to_owned(),
    };
    fields.next_if(legal, |written: &Option<Mark>| *written == mark)?;
    Ok(row)
}

/// Whether cases of a group say how long rows are.
fn has_rows(group: Group) -> bool {
    matches!(group, Group::Rows | Group::TopK | Group::Binned)
}

/// The shape of rows: their columns, and k for top-k.
fn read_columns<'a>(
    fields: &mut Fields<'a, impl Iterator<Item = (&'static str, u64, &'a str)>>,
    group: Group,
    n: u64,
) -> Result<Option<Columns>, RecordError> {
    let has_rows = has_rows(group);
    let columns: Option<u64> = fields.next_if(
        || {
            if has_rows {
                format!("a divisor of {n}")
            } else {
                "nothing, for these are no rows".to_owned()
            }
        },
        |columns: &Option<u64>| match columns {
            Some(columns) => has_rows && *columns > 0 && n.is_multiple_of(*columns),
            None => !has_rows,
        },
    )?;
    let most = columns.unwrap_or(0);
    let k: Option<u64> = fields.next_if(
        || match group {
            Group::TopK => format!("1 to {most}"),
            _ => "nothing, for all keys are sorted".to_owned(),
        },
        |k: &Option<u64>| match k {
            Some(k) => group == Group::TopK && (1..=most).contains(k),
            None => group != Group::TopK,
        },
    )?;
    Ok(columns.map(|columns| Columns { columns, k }))
}
