//! Tuning files: shapes that were measured on one GPU, with where they come from.
//!
//! TOML behind a line with a checksum of it. A file is written beside its place and moved there, so a reader sees all of it or
//! the one before.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Case, SizeClass, Tuning};
use crate::atomic;
use crate::cache::{self, source_key};
use crate::device::{self, Device, DeviceSpec};
use crate::render::STORAGE_HEADERS;
use crate::toolchain::Source;
use crate::{KeyType, VERSION, ValueType};

/// The variable that names the file, or says [`NONE`].
pub const VARIABLE: &str = "SORTSMITH_TUNING";

/// What the variable is set to where there is to be no file.
pub const NONE: &str = "none";

/// What the first line begins with; the checksum follows.
const MARK: &str = "# sortsmith tuning; sha256 of all that follows: ";

/// What people should know of the file.
const NOTE: &str = "# Made by `sortsmith tune`. With another text this file would not be used; docs/tuning.md says more.\n";

/// What tells a GPU from others that sort at other speeds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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

    /// The file's name in the cache folder: of the GPU's name what is a letter or a digit.
    fn file_name(&self) -> String {
        let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { ' ' };
        let words: String = self.name.to_lowercase().chars().map(plain).collect();
        let words: Vec<&str> = words.split_whitespace().collect();
        format!("tuning-{}-sm_{}.toml", words.join("-"), self.arch)
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
    /// Names of kernels whose source is not what was measured any more; their rows are left out.
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
    /// No tuning file begins like that.
    #[error("{} is no tuning file: it does not begin with `{}`", path.display(), MARK.trim_end())]
    NoTuning {
        /// The file.
        path: PathBuf,
    },
    /// The text is not what was written.
    #[error("the tuning file {} is damaged: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// It was made by another version.
    #[error("the tuning file {} is of sortsmith {generator}, and this is {VERSION}", path.display())]
    Outdated {
        /// The file.
        path: PathBuf,
        /// The version.
        generator: String,
    },
    /// It was made on another GPU.
    #[error("the tuning file {} is of an {found}, and this is an {here}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// Whose it is.
        found: String,
        /// Who asked.
        here: String,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileText {
    generator: String,
    gpu: GpuId,
    #[serde(default, rename = "row")]
    rows: Vec<RowText>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
    cache::folder().map(|folder| folder.join(gpu.file_name()))
}

/// The hash of a kernel's source.
fn source_of(spec: &DeviceSpec) -> Result<String, String> {
    let text = device::header(spec).map_err(|error| error.to_string())?;
    let name = spec.to_string();
    Ok(source_key(&Source { name: &name, text: &text, headers: &STORAGE_HEADERS }).to_string())
}

fn checksum(text: &str) -> String {
    let mut digits = String::new();
    for byte in Sha256::digest(text.as_bytes()) {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
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
        let bytes =
            fs::read(path).map_err(|source| TuningError::Read { path: path.to_owned(), source })?;
        let damaged = |reason: String| TuningError::Damaged { path: path.to_owned(), reason };
        if !bytes.starts_with(MARK.as_bytes()) {
            return Err(TuningError::NoTuning { path: path.to_owned() });
        }
        let text = String::from_utf8(bytes).map_err(|error| damaged(error.to_string()))?;
        let (first, body) = text.split_once('\n').unwrap_or((&text, ""));
        if first.strip_prefix(MARK) != Some(&checksum(body)) {
            return Err(damaged("its checksum is not that of its text".to_owned()));
        }
        let found: FileText =
            toml::from_str(body).map_err(|error| damaged(error.message().to_owned()))?;
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

    /// Writes it, and the folders above it. Whoever reads meanwhile sees all of it or the one before.
    pub fn write(&self, path: &Path) -> Result<(), TuningError> {
        let failed = |source| TuningError::Write { path: path.to_owned(), source };
        let text = self.text().map_err(|error| failed(io::Error::other(error)))?;
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        atomic::write(path, &[text.as_bytes()]).map_err(failed)
    }

    fn text(&self) -> Result<String, String> {
        let rows = self.rows.iter().map(RowText::of).collect::<Result<_, _>>()?;
        let text = FileText { generator: VERSION.to_owned(), gpu: self.gpu.clone(), rows };
        let body = toml::to_string(&text).map_err(|error| error.to_string())?;
        let body = format!("{NOTE}{body}");
        Ok(format!("{MARK}{}\n{body}", checksum(&body)))
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

impl RowText {
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
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn gpu() -> GpuId {
        let (name, arch) = ("NVIDIA H200".to_owned(), 90);
        GpuId { name, arch, multiprocessors: 132, shared_bytes_per_block: 227 * 1024 }
    }

    fn row(most: u64, place: usize) -> Row {
        let case = Case::of(KeyType::F32, ValueType::U32, most).expect("a class");
        let candidates = case.candidates(gpu().device());
        let [kernel, built_in] = [candidates[place], candidates[0]];
        Row { case, kernel, built_in, ratio: 1.07, date: "2026-11-22".to_owned() }
    }

    fn written() -> (tempfile::TempDir, PathBuf, TuningFile) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("below/tuning.toml");
        let mut file = TuningFile::of(gpu());
        file.set(row(1 << 20, 1));
        file.set(row(1 << 22, 2));
        file.set(row(1 << 20, 3));
        file.write(&path).expect("it is written");
        (folder, path, file)
    }

    #[test]
    fn a_file_comes_back_as_it_was_written() {
        let (_folder, path, file) = written();
        let read = TuningFile::read(&path, &gpu()).expect("it is whole");
        assert_eq!(read, file);
        assert_eq!((read.rows.len(), read.rows[0].clone()), (2, row(1 << 20, 3)));
        let tuning = read.tuning();
        assert_eq!(tuning.shape(&file.rows[1].case), Some(file.rows[1].kernel.shape()));
        let text = fs::read_to_string(&path).expect("it is text");
        assert!(text.contains("\nkernel = \"device_sample_sort_f32_u32_"), "{text}");
    }

    /// Another shape is another source, and so another entry in the cache of compiled kernels.
    #[test]
    fn every_shape_has_a_source_of_its_own() {
        let case = row(1 << 22, 0).case;
        let candidates = case.candidates(gpu().device());
        let sources: HashSet<String> =
            candidates.iter().map(|spec| source_of(spec).expect("it is rendered")).collect();
        assert_eq!(sources.len(), candidates.len());
    }

    #[test]
    fn the_place_names_the_gpu() {
        assert_eq!(gpu().file_name(), "tuning-nvidia-h200-sm_90.toml");
        let name = "NVIDIA / ../x (R) PCIe".to_owned();
        assert_eq!(GpuId { name, ..gpu() }.file_name(), "tuning-nvidia-x-r-pcie-sm_90.toml");
    }

    /// Every cut and every changed byte is found out.
    #[test]
    fn a_damaged_file_is_told() {
        let (_folder, path, _) = written();
        let bytes = fs::read(&path).expect("it is there");
        for length in 0..bytes.len() {
            fs::write(&path, &bytes[..length]).expect("it is written");
            let error = TuningFile::read(&path, &gpu()).expect_err("it is cut");
            let is_told =
                matches!(error, TuningError::Damaged { .. } | TuningError::NoTuning { .. });
            assert!(is_told, "{length}: {error}");
        }
        for place in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[place] ^= 0x80 >> (place % 8);
            fs::write(&path, &changed).expect("it is written");
            assert!(TuningFile::read(&path, &gpu()).is_err(), "byte {place}");
        }
        let missing = TuningFile::read(&path.with_extension("none"), &gpu());
        assert!(matches!(missing, Err(TuningError::Read { .. })), "{missing:?}");
    }

    /// The file with one text replaced, and a checksum that is right again.
    fn forged(path: &Path, from: &str, to: &str) -> Result<TuningFile, TuningError> {
        let text = fs::read_to_string(path).expect("it is text");
        let (_, body) = text.split_once('\n').expect("two lines");
        assert!(body.contains(from), "{from}");
        let body = body.replacen(from, to, 1);
        let forged = path.with_extension("forged");
        fs::write(&forged, format!("{MARK}{}\n{body}", checksum(&body))).expect("it is written");
        TuningFile::read(&forged, &gpu())
    }

    #[test]
    fn files_of_others_are_told() {
        let (_folder, path, file) = written();
        assert_eq!(forged(&path, "f32", "f32").expect("nothing has changed"), file);
        let error = forged(&path, "H200", "H100").expect_err("another GPU").to_string();
        assert!(error.contains("is of an NVIDIA H100 (sm_90, "), "{error}");
        for number in ["arch = 90", "multiprocessors = 132", "shared_bytes_per_block = 232448"] {
            let error = forged(&path, number, &format!("{number}0")).expect_err("another GPU");
            assert!(matches!(error, TuningError::Foreign { .. }), "{error}");
        }
        let version = format!("generator = \"{VERSION}\"");
        let error = forged(&path, &version, "generator = \"0.0.1\"").expect_err("another version");
        assert!(error.to_string().contains("is of sortsmith 0.0.1, and this is"), "{error}");
    }

    #[test]
    fn rows_that_are_no_specs_are_told() {
        let (_folder, path, file) = written();
        let name = file.rows[0].kernel.to_string();
        for (from, to, words) in [
            (&*name, "device_radix_sort_f32_u32_b100_i4_asc", "threads = 100 is not legal"),
            (&*name, "device_radix_sort_u32_u32_b256_i4_asc", "is not of f32_u32 up to 1048576"),
            (&*name, "device_radix_sort_f32_u32_b256_i4_desc", "is not of f32_u32 up to 1048576"),
            (&*name, "device_sample_sort_f32_u32_b256_i2_asc", "max_items = 131072"),
            (&*name, "device_bitonic_sort_f32_u32_b256_i4_asc", "algorithm = device-bitonic"),
            ("most_items = 1048576", "most_items = 1048577", "there is no case"),
            ("ratio = 1.07", "ratio = -1.0", "ratio = -1 is not legal"),
            ("date", "day", "unknown field `day`"),
            ("[[row]]", "[row", "damaged"),
        ] {
            let error = forged(&path, from, to).expect_err(to).to_string();
            assert!(error.contains(words) && error.contains("is damaged: "), "{to}: {error}");
        }
    }

    #[test]
    fn rows_of_other_sources_are_left_out() {
        let (_folder, path, file) = written();
        let source = source_of(&file.rows[0].kernel).expect("it is rendered");
        let read = forged(&path, &source, &"0".repeat(64)).expect("it is legal");
        assert_eq!(read.rows, file.rows[1..]);
        assert_eq!(read.stale, [file.rows[0].kernel.to_string()]);
    }
}
