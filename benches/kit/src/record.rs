//! Records as files.
//!
//! ```text
//! # record: 1                           2 where there are rows of arrays: then with the columns `columns` and `k`
//! # gpu: NVIDIA H200
//! …                                     all keys, each once, in this order; nothing after the colon: unknown
//! group,types,input,n,…                 the names of all columns, in this order
//! device,u32_keys,random,4096,…         rows, of different ids; an empty field: unknown, or nothing of that kind
//! ```

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use csv::{ReaderBuilder, StringRecord, Writer};

use crate::cell::Cell;
use crate::row::rounded;
use crate::{Case, Columns, Contender, Group, Head, Id, Mark, Row, Shape};

/// The versions of this format: without and with [`OF_ROWS`].
const FORMATS: [u32; 2] = [1, 2];

/// The keys of a head, in the order in which they are written.
const KEYS: [&str; 11] = [
    "record",
    "gpu",
    "arch",
    "driver",
    "compiler",
    "cub",
    "commit",
    "date",
    "sm_clock_mhz",
    "memory_clock_mhz",
    "copy_gbytes_per_second",
];

/// The columns, in the order in which they are written.
const COLUMNS: [&str; 19] = [
    "group",
    "types",
    "input",
    "n",
    "threads",
    "items",
    "order",
    "method",
    "radix_bits",
    "library",
    "milliseconds",
    "gkeys",
    "spread_percent",
    "limit_percent",
    "temp_bytes",
    "registers",
    "local_bytes",
    "shared_bytes",
    "mark",
];

/// Columns that stand before the one of this number in records of arrays' rows.
const OF_ROWS: [&str; 2] = ["columns", "k"];
const OF_ROWS_AT: usize = 6;

/// The columns of a version.
fn columns_of(format: u32) -> Vec<&'static str> {
    let (before, after) = COLUMNS.split_at(OF_ROWS_AT);
    let of_rows: &[&str] = if format == FORMATS[1] { &OF_ROWS } else { &[] };
    [before, of_rows, after].concat()
}

/// Keys a second may differ from what follows from the milliseconds by so much: both are rounded.
const RATE_TOLERANCE: f64 = 0.01;

/// What one run left.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// What it was.
    pub head: Head,
    /// What was measured, in the order in which it was.
    pub rows: Vec<Row>,
}

/// What is wrong with a record.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The file cannot be read or written.
    #[error("cannot {action} {}: {source}", file.display())]
    File {
        /// `read` or `write`.
        action: &'static str,
        /// The file.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A field holds what it may not.
    #[error("{}:{line}: {field} is `{value}`; legal: {legal}", file.display())]
    Field {
        /// The file.
        file: PathBuf,
        /// The line, from 1 on.
        line: u64,
        /// The key of the head, or the column.
        field: &'static str,
        /// What it holds.
        value: String,
        /// What it may hold.
        legal: String,
    },
    /// A line is not what is expected at its place.
    #[error("{}:{line}: {found}; legal: {legal}", file.display())]
    Layout {
        /// The file.
        file: PathBuf,
        /// The line, from 1 on.
        line: u64,
        /// What stands there.
        found: String,
        /// What may stand there.
        legal: String,
    },
}

impl Record {
    /// Reads a file.
    pub fn read(file: &Path) -> Result<Self, RecordError> {
        let text = fs::read_to_string(file).map_err(|source| RecordError::File {
            action: "read",
            file: file.to_owned(),
            source,
        })?;
        Self::parse(file, &text)
    }

    /// What a file of this name and text says.
    pub fn parse(file: &Path, text: &str) -> Result<Self, RecordError> {
        let (format, head, body) = read_head(file, text)?;
        let rows = read_rows(file, body, format, KEYS.len() as u64)?;
        Ok(Self { head, rows })
    }

    /// The text of its file.
    pub fn text(&self) -> String {
        let has_rows = self.rows.iter().any(|row| row.id.case.rows.is_some());
        let format = FORMATS[usize::from(has_rows)];
        let Head { gpu, arch, driver, compiler, cub, commit, date, .. } = &self.head;
        let Head { sm_clock_mhz, memory_clock_mhz, copy_gbytes_per_second, .. } = &self.head;
        let values = [
            format.write(),
            gpu.write(),
            arch.write(),
            driver.write(),
            compiler.write(),
            cub.write(),
            commit.write(),
            date.write(),
            sm_clock_mhz.write(),
            memory_clock_mhz.write(),
            copy_gbytes_per_second.map(rounded).write(),
        ];
        let mut text = String::new();
        for (key, value) in KEYS.into_iter().zip(values) {
            let line = format!("# {key}: {value}");
            let _ = writeln!(text, "{}", line.trim_end());
        }
        let mut lines = Writer::from_writer(Vec::new());
        // Writing to memory does not fail, and all lines have the same number of fields.
        let _ = lines.write_record(columns_of(format));
        for row in &self.rows {
            let _ = lines.write_record(fields(row, format));
        }
        let lines = lines.into_inner().unwrap_or_default();
        text + &String::from_utf8_lossy(&lines)
    }

    /// Writes `<date>-<name>.csv` into the folder, and returns the file.
    pub fn write(&self, folder: &Path, name: &str) -> Result<PathBuf, RecordError> {
        let file = folder.join(format!("{}-{name}.csv", self.head.date));
        let written = fs::create_dir_all(folder).and_then(|()| fs::write(&file, self.text()));
        match written {
            Ok(()) => Ok(file),
            Err(source) => Err(RecordError::File { action: "write", file, source }),
        }
    }
}

fn fields(row: &Row, format: u32) -> Vec<String> {
    let Row { id: Id { case, contender }, .. } = row;
    let of_rows =
        [case.rows.map(|rows| rows.columns).write(), case.rows.and_then(|it| it.k).write()];
    let mut fields = vec![
        case.group.write(),
        case.types.write(),
        case.input.write(),
        case.n.write(),
        case.shape.map(|shape| shape.threads).write(),
        case.shape.map(|shape| shape.items).write(),
        case.order.write(),
        contender.method.write(),
        contender.radix_bits.write(),
        contender.library.write(),
        row.milliseconds.write(),
        row.gkeys.write(),
        row.spread_percent.write(),
        row.limit_percent.write(),
        row.temp_bytes.write(),
        row.registers.write(),
        row.local_bytes.write(),
        row.shared_bytes.write(),
        row.mark().write(),
    ];
    if format == FORMATS[1] {
        fields.splice(OF_ROWS_AT..OF_ROWS_AT, of_rows);
    }
    fields
}

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

/// The head, and what comes after it.
fn read_head<'a>(file: &Path, text: &'a str) -> Result<(u32, Head, &'a str), RecordError> {
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
    let legal = || FORMATS.map(|format| format.to_string()).join(" or ");
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

fn read_rows(
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
        if columns.contains(&OF_ROWS[0]) { read_columns(&mut fields, group, n)? } else { None };
    if matches!(group, Group::Rows | Group::TopK) && rows.is_none() {
        let (field, value, legal) =
            ("group", group.write(), "device or tiles in record 1".to_owned());
        return Err(RecordError::Field { file: file.to_owned(), line, field, value, legal });
    }
    let case = Case { group, types, input, n, shape, rows, order: fields.next()? };
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
        Some(mark) => format!("{mark}, for the spread says so"),
        None => "nothing, for the spread is small or unknown".to_owned(),
    };
    fields.next_if(legal, |written: &Option<Mark>| *written == mark)?;
    Ok(row)
}

/// What rows are like: whole ones of so many columns, of which the greatest or all are asked for.
fn read_columns<'a>(
    fields: &mut Fields<'a, impl Iterator<Item = (&'static str, u64, &'a str)>>,
    group: Group,
    n: u64,
) -> Result<Option<Columns>, RecordError> {
    let has_rows = matches!(group, Group::Rows | Group::TopK);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EXAMPLE;

    const FILE: &str = "2026-11-22-device.csv";

    fn parse(text: &str) -> Result<Record, RecordError> {
        Record::parse(FILE.as_ref(), text)
    }

    #[test]
    fn a_record_comes_back_as_it_was_written() {
        let record = parse(EXAMPLE).unwrap();
        assert_eq!(record.rows.len(), 5);
        assert_eq!(record.text(), EXAMPLE);
        let folder = tempfile::tempdir().unwrap();
        let file = record.write(folder.path(), "device").unwrap();
        assert_eq!(file.file_name().unwrap(), FILE);
        assert_eq!(Record::read(&file).unwrap(), record);
    }

    /// The example as rows of 512 keys: columns, and k where it is asked for.
    fn of_rows(group: &str, columns: &str, k: &str) -> String {
        let (text, _) = EXAMPLE.split_once("tiles,").unwrap();
        let text = text
            .replace("# record: 1", "# record: 2")
            .replace("items,order", "items,columns,k,order");
        let text = text.replace("device,", &format!("{group},"));
        text.replace(",,,asc", &format!(",,,{columns},{k},asc"))
    }

    #[test]
    fn rows_of_arrays_have_columns_of_their_own() {
        for (group, k) in [("rows", ""), ("topk", "50")] {
            let text = of_rows(group, "512", k);
            let record = parse(&text).unwrap();
            let k = k.parse().ok();
            assert!(
                record.rows.iter().all(|it| it.id.case.rows == Some(Columns { columns: 512, k }))
            );
            assert_eq!(record.text(), text);
        }
        let refused = |text: &str, words: &str| {
            let error = parse(text).expect_err(words).to_string();
            assert!(error.contains(words), "{error}");
        };
        refused(&of_rows("rows", "500", ""), "columns is `500`; legal: a divisor of 4096");
        refused(&of_rows("rows", "512", "5"), "k is `5`; legal: nothing");
        refused(&of_rows("topk", "512", ""), "k is ``; legal: 1 to 512");
        refused(&of_rows("topk", "512", "513"), "k is `513`; legal: 1 to 512");
        refused(&of_rows("device", "512", ""), "columns is `512`; legal: nothing");
        refused(&EXAMPLE.replace("device,", "rows,"), "group is `rows`; legal: device or tiles");
    }

    #[test]
    fn unknown_is_empty() {
        let record = parse(EXAMPLE).unwrap();
        assert_eq!(record.head.driver, None);
        assert_eq!((record.rows[0].temp_bytes, record.rows[1].temp_bytes), (None, Some(1)));
        assert!(EXAMPLE.contains("\n# driver:\n"));
    }

    /// The example with one thing replaced is refused, by an error that holds these words.
    fn refused(from: &str, to: &str, words: &str) {
        assert!(EXAMPLE.contains(from), "{from}");
        let error = parse(&EXAMPLE.replacen(from, to, 1)).expect_err(to).to_string();
        assert!(error.starts_with(FILE) && error.contains(words), "{error}");
    }

    #[test]
    fn an_error_names_file_line_field_and_what_is_legal() {
        refused("# record: 1", "# record: 3", ":1: record is `3`; legal: 1 or 2");
        refused("# gpu: NVIDIA H200", "# gpu:", ":2: gpu is ``; legal: a text");
        refused("sm_90", "sm_91", ":3: arch is `sm_91`; legal: nothing, or sm_70, sm_72");
        refused("2026-11-22", "22.11.2026", ":8: date is `22.11.2026`; legal: a date as 2026-");
        refused(
            "# cub: ",
            "# cup: ",
            ":6: the line is `# cup: 3.5.0`; legal: `# cub: …`; the keys",
        );
        refused("group,types", "types,group", ":12: the columns are types,group,input");
        refused("\ndevice,", "\ndevices,", ":13: group is `devices`; legal: device, tiles");
        refused(
            "u32_keys",
            "u33_keys",
            ":13: types is `u33_keys`; legal: KEY_VALUE, KEY one of u8",
        );
        refused("random", "chaos", ":13: input is `chaos`; legal: random, sorted, reversed, equal");
        refused(",4096,", ",-1,", ":13: n is `-1`; legal: a whole number");
        refused("4096,,", "4096,128,", ":13: threads is `128`; legal: nothing, for these are no");
        refused(",128,4,", ",128,,", ":16: items is ``; legal: a whole number from 1 on");
        refused(",asc,", ",up,", ":13: order is `up`; legal: asc, desc");
        refused(",into,", ",onto,", ":13: method is `onto`; legal: in place, into, double");
        refused(",sortsmith,", ",ours,", ":13: library is `ours`; legal: sortsmith, cub");
        refused(",0.01242,", ",0,", ":13: milliseconds is `0`; legal: a number above 0");
        refused(
            ",0.3299,",
            ",3.299,",
            ":13: gkeys is `3.299`; legal: billions of keys a second, 0.32979",
        );
        refused(",7.25,", ",much,", ":15: spread_percent is `much`; legal: nothing, or a number");
        refused(",unsteady", ",", ":15: mark is ``; legal: unsteady, for the spread says so");
        refused(",6732,\n", ",6732,unsteady\n", ":16: mark is `unsteady`; legal: nothing, for");
    }

    #[test]
    fn lines_that_are_cut_or_there_twice_are_refused() {
        refused(",0.06,,,,,\n", ",0.06\n", ":13: 14 fields; legal: 19, one for each column");
        let row = EXAMPLE.lines().last().unwrap();
        refused(
            row,
            &format!("{row}\n{row}"),
            ":18: `tiles u32_keys random 67108864 128×4 asc: cub radix 4` is in line 17 already; legal: each id once",
        );
        let (head, _) = EXAMPLE.split_once("group,").unwrap();
        let error = parse(head).unwrap_err().to_string();
        assert!(error.contains(":12: there is nothing after the head; legal: group,"), "{error}");
        let error = parse("").unwrap_err().to_string();
        assert!(error.contains(":1: the line is ``; legal: `# record: …`"), "{error}");
        let error = Record::read("/no/such/file.csv".as_ref()).unwrap_err().to_string();
        assert!(error.starts_with("cannot read /no/such/file.csv: "), "{error}");
    }
}
