//! Tuning files: shapes that were measured on one GPU, with where they come from.
//!
//! TOML behind a line with a checksum of it. It is written to a temporary file, which is renamed, so a reader sees all of it or
//! the one before.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use hmac_sha256::Hash as Sha256;

use super::text::{self, Field, Written};
use super::{Case, SizeClass, Tuning};
use crate::VERSION;
use crate::cache::{self, source_key};
use crate::device::{self, Device, DeviceSpec};
use crate::files::atomic;
use crate::files::trust::{Distrust, Folder, Refusal, make_folders, read_file};
use crate::text::STORAGE_HEADERS;
use crate::toolchain::Source;
use crate::types::{KeyType, OneLine, ValueType};

/// The variable that names the file, or says [`NONE`].
pub const VARIABLE: &str = "SORTSMITH_TUNING";

/// What the variable is set to where there is to be no file.
pub const NONE: &str = "none";

/// What the first line begins with; the checksum follows.
const MARK: &str = "# sortsmith tuning; sha256 of all that follows: ";

/// What people should know of the file.
const NOTE: &str = "# Made by `sortsmith tune`. With another text this file would not be used; docs/tuning.md says more.\n";

/// What tells a GPU from others that sort at other speeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GpuId {
    /// Its name, as the driver says it.
    pub name: String,
    /// Its compute capability without the dot.
    pub arch: u32,
    /// Its multiprocessors.
    pub multiprocessors: u32,
    /// The most shared memory that a block may have.
    pub shared_bytes_per_block: u32,
}

impl GpuId {
    /// What launches depend on.
    pub fn device(&self) -> Device {
        let Self { multiprocessors, shared_bytes_per_block, .. } = *self;
        Device { multiprocessors, shared_bytes_per_block }
    }

    /// The name of a file of this kind in the cache folder: of the GPU's name what is a letter or a digit.
    pub(super) fn file_name(&self, kind: &str) -> String {
        let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { ' ' };
        let words: String = self.name.to_lowercase().chars().map(plain).collect();
        let words: Vec<&str> = words.split_whitespace().collect();
        format!("{kind}-{}-sm_{}.toml", words.join("-"), self.arch)
    }

    pub(super) fn read(field: Field) -> Result<Self, String> {
        let names = ["name", "arch", "multiprocessors", "shared_bytes_per_block"];
        let [name, arch, multiprocessors, shared_bytes_per_block] = field.table(names)?;
        Ok(Self {
            name: name.text()?,
            arch: arch.integer()?,
            multiprocessors: multiprocessors.integer()?,
            shared_bytes_per_block: shared_bytes_per_block.integer()?,
        })
    }

    pub(super) fn write(&self, to: &mut Written) {
        let Self { name, arch, multiprocessors, shared_bytes_per_block } = self;
        to.table("[gpu]");
        to.text("name", name);
        to.field("arch", arch);
        to.field("multiprocessors", multiprocessors);
        to.field("shared_bytes_per_block", shared_bytes_per_block);
    }
}

/// A shape that was measured for a case.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The case.
    pub case: Case,
    /// The spec, ascending.
    pub kernel: DeviceSpec,
    /// That of the built-in rows, which is the same if nothing was found that is faster.
    pub built_in: DeviceSpec,
    /// How many times as fast as the built-in one.
    pub ratio: f64,
    /// The day, such as `2026-11-22`.
    pub date: String,
}

/// What a file says.
#[derive(Clone, Debug, PartialEq)]
pub struct TuningFile {
    /// The GPU.
    pub gpu: GpuId,
    /// One row for a case at most.
    pub rows: Vec<Row>,
    /// Names of kernels with a source that differs from the measured one; their rows are left out.
    pub stale: Vec<String>,
}

/// Why there is no tuning of a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TuningError {
    /// The file cannot be read.
    #[error("cannot read the tuning file {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write the tuning file {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Others than this user could have written the file, or the cache folder that it is in.
    #[error("the tuning file {} is not used: {reason}", path.display())]
    Untrusted {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong with it.
        reason: Distrust,
    },
    /// No tuning file begins like that.
    #[error("{} is no tuning file: it does not begin with `{}`", path.display(), mark.trim_end())]
    NoTuning {
        /// The file.
        path: PathBuf,
        /// What the file should begin with.
        mark: &'static str,
    },
    /// The text is not what was written.
    #[error("the tuning file {} is damaged: {}", path.display(), OneLine(reason))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// It was made by another version.
    #[error("the tuning file {} is of sortsmith {}, and this is {VERSION}", path.display(), OneLine(generator))]
    Outdated {
        /// The file.
        path: PathBuf,
        /// The version.
        generator: String,
    },
    /// It was made on another GPU.
    #[error("the tuning file {} is of an {}, and this is an {}", path.display(), OneLine(found), OneLine(here))]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The GPU that it was made on.
        found: String,
        /// The GPU that it was to be read for.
        here: String,
    },
}

/// What a file says, as it says it.
struct FileText {
    generator: String,
    gpu: GpuId,
    rows: Vec<RowText>,
}

struct RowText {
    key: KeyType,
    value: ValueType,
    most_items: u64,
    kernel: String,
    built_in: String,
    ratio: f64,
    date: String,
    source: String,
}

/// The file of a GPU in the cache folder. None if there is no such folder.
pub fn default_path(gpu: &GpuId) -> Option<PathBuf> {
    cache::folder().map(|folder| folder.join(gpu.file_name("tuning")))
}

/// The folder and the name of a file that is in the cache folder.
fn in_cache_folder(path: &Path) -> Option<(&Path, &str)> {
    let folder = path.parent().filter(|folder| cache::folder().as_deref() == Some(*folder))?;
    Some((folder, path.file_name()?.to_str()?))
}

/// What a file holds: one in the cache folder is trusted if that folder is, too.
fn read_bytes(path: &Path) -> Result<Vec<u8>, (PathBuf, Refusal)> {
    let of = |path: &Path| {
        let path = path.to_owned();
        |refusal| (path, refusal)
    };
    let Some((folder, name)) = in_cache_folder(path) else {
        return read_file(path).map_err(of(path));
    };
    Folder::open(folder).map_err(of(folder))?.read(name).map_err(of(path))
}

/// The hash of a kernel's source.
fn source_of(spec: &DeviceSpec) -> Result<String, String> {
    let text = device::header(spec).map_err(|error| error.to_string())?;
    let name = spec.to_string();
    Ok(source_key(&Source { name: &name, text: &text, headers: &STORAGE_HEADERS }).to_string())
}

fn checksum(text: &str) -> String {
    let mut digits = String::new();
    for byte in Sha256::hash(text.as_bytes()) {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

/// The text behind a line of this mark and the text's checksum.
pub(super) fn read_body(path: &Path, mark: &'static str) -> Result<String, TuningError> {
    let bytes = read_bytes(path).map_err(|(path, refusal)| match refusal {
        Refusal::Io(source) => TuningError::Read { path, source },
        Refusal::Distrust(reason) => TuningError::Untrusted { path, reason },
    })?;
    let damaged = |reason: String| TuningError::Damaged { path: path.to_owned(), reason };
    if !bytes.starts_with(mark.as_bytes()) {
        return Err(TuningError::NoTuning { path: path.to_owned(), mark });
    }
    let text = String::from_utf8(bytes).map_err(|error| damaged(error.to_string()))?;
    let (first, body) = text.split_once('\n').unwrap_or((&text, ""));
    if first.strip_prefix(mark) != Some(&checksum(body)) {
        return Err(damaged("its checksum is not that of its text".to_owned()));
    }
    Ok(body.to_owned())
}

/// Writes a text behind such a line, for this user alone, and the folders above it likewise.
pub(super) fn write_body(
    path: &Path,
    mark: &'static str,
    body: impl FnOnce() -> Result<String, String>,
) -> Result<(), TuningError> {
    let failed = |source| TuningError::Write { path: path.to_owned(), source };
    let body = body().map_err(|error| failed(io::Error::other(error)))?;
    let text = format!("{mark}{}\n{body}", checksum(&body));
    if let Some((folder, name)) = in_cache_folder(path) {
        let folder = Folder::make(folder).map_err(|refusal| match refusal {
            Refusal::Io(source) => failed(source),
            Refusal::Distrust(reason) => TuningError::Untrusted { path: folder.to_owned(), reason },
        })?;
        return folder.write(name, &[text.as_bytes()]).map_err(failed);
    }
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        make_folders(folder).map_err(failed)?;
    }
    atomic::write(path, &[text.as_bytes()], atomic::OWN).map_err(failed)
}

impl TuningFile {
    /// That of a GPU, with no rows yet.
    pub fn of(gpu: GpuId) -> Self {
        Self { gpu, rows: Vec::new(), stale: Vec::new() }
    }

    /// Reads a file that was made on this GPU, by this version.
    pub fn read(path: &Path, gpu: &GpuId) -> Result<Self, TuningError> {
        let file = Self::read_any(path)?;
        if file.gpu == *gpu {
            return Ok(file);
        }
        let words = |gpu: &GpuId| {
            let GpuId { name, arch, multiprocessors, shared_bytes_per_block } = gpu;
            format!(
                "{name} (sm_{arch}, {multiprocessors} multiprocessors, {shared_bytes_per_block} bytes a block)"
            )
        };
        let (found, here) = (words(&file.gpu), words(gpu));
        Err(TuningError::Foreign { path: path.to_owned(), found, here })
    }

    /// Reads a file of any GPU.
    pub fn read_any(path: &Path) -> Result<Self, TuningError> {
        let body = read_body(path, MARK)?;
        let damaged = |reason: String| TuningError::Damaged { path: path.to_owned(), reason };
        let found = FileText::read(&body).map_err(damaged)?;
        if found.generator != VERSION {
            let generator = found.generator;
            return Err(TuningError::Outdated { path: path.to_owned(), generator });
        }
        let mut file = Self::of(found.gpu);
        for row in found.rows {
            let source = row.source.clone();
            let row = row.read().map_err(damaged)?;
            // What does not render any more is not what was measured either.
            if source_of(&row.kernel).is_ok_and(|own| own == source) {
                file.set(row);
            } else {
                file.stale.push(row.kernel.to_string());
            }
        }
        Ok(file)
    }

    /// Writes it for this user alone, and the folders above it likewise. A reader meanwhile sees all of it or the one before.
    pub fn write(&self, path: &Path) -> Result<(), TuningError> {
        write_body(path, MARK, || {
            let rows = self.rows.iter().map(RowText::of).collect::<Result<_, _>>()?;
            let text = FileText { generator: VERSION.to_owned(), gpu: self.gpu.clone(), rows };
            Ok(text.written())
        })
    }

    /// Puts a row in, in place of another of its case.
    pub fn set(&mut self, row: Row) {
        match self.rows.iter_mut().find(|other| other.case == row.case) {
            Some(other) => *other = row,
            None => self.rows.push(row),
        }
    }

    /// The row of a case.
    pub fn row(&self, case: &Case) -> Option<&Row> {
        self.rows.iter().find(|row| row.case == *case)
    }

    /// What it says to sorts.
    pub fn tuning(&self) -> Tuning {
        let rows = self.rows.iter().map(|row| (row.case, row.kernel.shape()));
        rows.fold(Tuning::default(), |tuning, (case, shape)| tuning.with(case, shape))
    }
}

impl FileText {
    fn read(text: &str) -> Result<Self, String> {
        let [generator, gpu, rows] = text::read(text, ["generator", "gpu", "row"])?;
        Ok(Self {
            generator: generator.text()?,
            gpu: GpuId::read(gpu)?,
            rows: rows.or_none().tables(RowText::NAMES, RowText::of_fields)?,
        })
    }

    fn written(&self) -> String {
        let mut text = Written(NOTE.to_owned());
        text.text("generator", &self.generator);
        if self.rows.is_empty() {
            text.field("row", "[]");
        }
        self.gpu.write(&mut text);
        for row in &self.rows {
            row.write(&mut text);
        }
        text.0
    }
}

impl RowText {
    const NAMES: [&str; 8] =
        ["key", "value", "most_items", "kernel", "built_in", "ratio", "date", "source"];

    fn of_fields(fields: [Field; Self::NAMES.len()]) -> Result<Self, String> {
        let [key, value, most_items, kernel, built_in, ratio, date, source] = fields;
        Ok(Self {
            key: key.parsed()?,
            value: value.parsed()?,
            most_items: most_items.integer()?,
            kernel: kernel.text()?,
            built_in: built_in.text()?,
            ratio: ratio.number()?,
            date: date.text()?,
            source: source.text()?,
        })
    }

    fn write(&self, to: &mut Written) {
        let Self { key, value, most_items, kernel, built_in, ratio, date, source } = self;
        to.table("[[row]]");
        to.text("key", key);
        to.text("value", value);
        to.field("most_items", most_items);
        to.text("kernel", kernel);
        to.text("built_in", built_in);
        to.number("ratio", *ratio);
        to.text("date", date);
        to.text("source", source);
    }

    fn of(row: &Row) -> Result<Self, String> {
        Ok(Self {
            key: row.case.key(),
            value: row.case.value(),
            most_items: row.case.class().most(),
            kernel: row.kernel.to_string(),
            built_in: row.built_in.to_string(),
            ratio: row.ratio,
            date: row.date.clone(),
            source: source_of(&row.kernel)?,
        })
    }

    /// The row, or what is wrong with it.
    fn read(self) -> Result<Row, String> {
        let Self { key, value, most_items, ratio, date, .. } = self;
        let is_class = SizeClass::ALL.iter().any(|class| class.most() == most_items);
        let case = Case::of(key, value, most_items).filter(|case| is_class && case.key() == key);
        let case = case.ok_or_else(|| format!("there is no case {key}_{value} of {most_items}"))?;
        let spec = |name: &str| {
            let spec: DeviceSpec = name.parse().map_err(|error| format!("{error}"))?;
            let own = case.spec(spec.shape()).map_err(|error| format!("{name}: {error}"))?;
            if own == spec { Ok(spec) } else { Err(format!("{name} is not of {case}")) }
        };
        let (kernel, built_in) = (spec(&self.kernel)?, spec(&self.built_in)?);
        if ratio.is_finite() && ratio > 0.0 {
            Ok(Row { case, kernel, built_in, ratio, date })
        } else {
            Err(format!("ratio = {ratio} is not legal; legal: a number above 0"))
        }
    }
}

#[cfg(test)]
mod tests;
