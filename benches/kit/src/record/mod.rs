//! Records as files.
//!
//! ```text
//! # record: 1                           2 where there are rows of arrays: then with the columns `columns` and `k`;
//!                                       3 where a case is cold: then with these and `cache`
//! # gpu: NVIDIA H200
//! …                                     all keys, each once, in this order; nothing after the colon: unknown
//! group,types,input,n,…                 the names of all columns, in this order
//! device,u32_keys,random,4096,…         rows, of different ids; an empty field: unknown, or nothing of that kind
//! ```

mod read;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use csv::Writer;

use crate::cell::Cell;
use crate::row::rounded;
use crate::{Cache, Case, Head, Id, Row};
use read::{read_head, read_rows};

/// The versions of this format: a record is written as the first that can say all of it.
const FORMATS: [u32; 3] = [ALL, OF_ROWS, OF_CACHES];
/// The first.
const ALL: u32 = 1;
/// Has what rows of arrays are like.
const OF_ROWS: u32 = 2;
/// Has caches; before, all were warm.
const OF_CACHES: u32 = 3;

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

/// The columns, in the order in which they are written, each with the version that it came with.
const COLUMNS: [(&str, u32); 22] = [
    ("group", ALL),
    ("types", ALL),
    ("input", ALL),
    ("n", ALL),
    ("threads", ALL),
    ("items", ALL),
    ("columns", OF_ROWS),
    ("k", OF_ROWS),
    ("order", ALL),
    ("cache", OF_CACHES),
    ("method", ALL),
    ("radix_bits", ALL),
    ("library", ALL),
    ("milliseconds", ALL),
    ("gkeys", ALL),
    ("spread_percent", ALL),
    ("limit_percent", ALL),
    ("temp_bytes", ALL),
    ("registers", ALL),
    ("local_bytes", ALL),
    ("shared_bytes", ALL),
    ("mark", ALL),
];

/// The columns of a version.
fn columns_of(format: u32) -> Vec<&'static str> {
    let columns = COLUMNS.into_iter().filter(|(_, since)| *since <= format);
    columns.map(|(column, _)| column).collect()
}

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
    /// A line is not what is expected there.
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
        let format = self.rows.iter().map(format_of).max().unwrap_or(ALL);
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

/// The first version that can say what a row is of.
fn format_of(row: &Row) -> u32 {
    match row.id.case {
        Case { cache: Cache::Cold, .. } => OF_CACHES,
        Case { rows: Some(_), .. } => OF_ROWS,
        Case { cache: Cache::Warm, rows: None, .. } => ALL,
    }
}

fn fields(row: &Row, format: u32) -> Vec<String> {
    let Row { id: Id { case, contender }, .. } = row;
    let fields = [
        case.group.write(),
        case.types.write(),
        case.input.write(),
        case.n.write(),
        case.shape.map(|shape| shape.threads).write(),
        case.shape.map(|shape| shape.items).write(),
        case.rows.map(|rows| rows.columns).write(),
        case.rows.and_then(|rows| rows.k).write(),
        case.order.write(),
        case.cache.write(),
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
    let columns = COLUMNS.into_iter().zip(fields);
    columns.filter(|((_, since), _)| *since <= format).map(|(_, field)| field).collect()
}

#[cfg(test)]
mod tests;
