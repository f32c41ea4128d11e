//! Crossovers: the times of sorts of host slices on one machine, on its GPU and on its host, which say where a slice is sorted.
//!
//! A [`Class`] is what times hold for, but for the length: types, bits, and the threads that the host has. A file keeps them, TOML
//! behind a line with a checksum of it, as a tuning file does.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::file::{GpuId, TuningError, read_body, write_body};
use super::text::{self, Field, Written};
use crate::VERSION;
use crate::cache;
use crate::types::KeyType;

/// What the first line begins with; the checksum follows.
const MARK: &str = "# sortsmith crossovers; sha256 of all that follows: ";

/// What people should know of the file.
const NOTE: &str =
    "# Times of sorts of host slices, on the GPU and on the host; docs/tuning.md says more.\n";

/// Values of more bytes go by a power of two.
const EXACT_BYTES: u64 = 64;

/// Sorts of host slices with times that differ by the number of keys alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Class {
    key: KeyType,
    value_bytes: u64,
    is_argsort: bool,
    bits: u32,
    threads: u32,
}

impl Class {
    /// Sorts of keys, each with a value of this many bytes, by this many bits, on this number of threads of the host.
    pub fn of(key: KeyType, value_bytes: usize, bits: u32, threads: usize) -> Self {
        let value_bytes = value_bytes as u64;
        let is_exact = value_bytes <= EXACT_BYTES;
        Self {
            key: super::representative(key),
            value_bytes: if is_exact { value_bytes } else { value_bytes.next_power_of_two() },
            is_argsort: false,
            bits: bits.next_multiple_of(u8::BITS),
            threads: u32::try_from(threads).unwrap_or(u32::MAX),
        }
    }

    /// Argsorts.
    pub fn argsort(key: KeyType, bits: u32, threads: usize) -> Self {
        Self { is_argsort: true, ..Self::of(key, size_of::<u32>(), bits, threads) }
    }

    fn read(field: Field) -> Result<Self, String> {
        let names = ["key", "value_bytes", "is_argsort", "bits", "threads"];
        let [key, value_bytes, is_argsort, bits, threads] = field.table(names)?;
        Ok(Self {
            key: key.parsed()?,
            value_bytes: value_bytes.integer()?,
            is_argsort: is_argsort.flag()?,
            bits: bits.integer()?,
            threads: threads.integer()?,
        })
    }

    fn write(&self, to: &mut Written) {
        let Self { key, value_bytes, is_argsort, bits, threads } = self;
        to.table("[row.class]");
        to.text("key", key);
        to.field("value_bytes", value_bytes);
        to.field("is_argsort", is_argsort);
        to.field("bits", bits);
        to.field("threads", threads);
    }

    /// Bytes of a key and of what goes with it.
    pub fn item_bytes(&self) -> u64 {
        self.value_bytes.saturating_add(self.key.bytes().into())
    }
}

impl std::fmt::Display for Class {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { key, value_bytes, is_argsort, bits, threads } = self;
        match (is_argsort, value_bytes) {
            (true, _) => write!(f, "argsorts of {key}")?,
            (false, 0) => write!(f, "{key} alone")?,
            (false, bytes) => write!(f, "{key} with {bytes} bytes")?,
        }
        if *bits < key.bits() {
            write!(f, " by {bits} bits")?;
        }
        write!(f, ", {threads} threads")
    }
}

/// Times of sorts of a number of keys, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// The number of keys.
    pub n: u64,
    /// On the host.
    pub host: u64,
    /// On the GPU, copies included.
    pub gpu: u64,
}

/// The times of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The class.
    pub class: Class,
    /// By ascending numbers of keys.
    pub times: Vec<Times>,
}

impl Row {
    /// Puts times in, in place of others of that number of keys.
    pub fn set(&mut self, times: Times) {
        match self.times.binary_search_by_key(&times.n, |it| it.n) {
            Ok(at) => self.times[at] = times,
            Err(at) => self.times.insert(at, times),
        }
    }

    fn of_fields([class, times]: [Field; 2]) -> Result<Self, String> {
        let times = times.tables(["n", "host", "gpu"], |[n, host, gpu]| {
            Ok(Times { n: n.integer()?, host: host.integer()?, gpu: gpu.integer()? })
        });
        Ok(Self { class: Class::read(class)?, times: times? })
    }

    fn write(&self, to: &mut Written) {
        to.table("[[row]]");
        if self.times.is_empty() {
            to.field("times", "[]");
        }
        self.class.write(to);
        for Times { n, host, gpu } in &self.times {
            to.table("[[row.times]]");
            to.field("n", n);
            to.field("host", host);
            to.field("gpu", gpu);
        }
    }

    fn is_legal(&self) -> bool {
        let is_time = |times: &Times| times.n > 0 && times.host > 0 && times.gpu > 0;
        self.times.iter().all(is_time) && self.times.is_sorted_by(|one, next| one.n < next.n)
    }
}

/// The times that were measured with one GPU and one processor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrossoverFile {
    generator: String,
    /// The processor.
    pub processor: String,
    /// The GPU.
    pub gpu: GpuId,
    /// One row for a class at most.
    pub rows: Vec<Row>,
}

/// The file of a GPU in the cache folder. None if there is no such folder.
pub fn default_path(gpu: &GpuId) -> Option<PathBuf> {
    cache::folder().map(|folder| folder.join(gpu.file_name("crossovers")))
}

impl CrossoverFile {
    /// That of a machine, with no rows yet.
    pub fn of(gpu: GpuId, processor: String) -> Self {
        Self { generator: VERSION.to_owned(), processor, gpu, rows: Vec::new() }
    }

    /// Reads a file that was made with this GPU and this processor, by this version.
    pub fn read(path: &Path, gpu: &GpuId, processor: &str) -> Result<Self, TuningError> {
        let file = Self::read_any(path)?;
        if file.gpu == *gpu && file.processor == processor {
            return Ok(file);
        }
        let words = |gpu: &GpuId, processor: &str| format!("{} beside {processor}", gpu.name);
        let (found, here) = (words(&file.gpu, &file.processor), words(gpu, processor));
        Err(TuningError::Foreign { path: path.to_owned(), found, here })
    }

    /// Reads a file of any machine.
    pub fn read_any(path: &Path) -> Result<Self, TuningError> {
        let body = read_body(path, MARK)?;
        let damaged = |reason| TuningError::Damaged { path: path.to_owned(), reason };
        let file = Self::of_text(&body).map_err(damaged)?;
        if file.generator != VERSION {
            let generator = file.generator;
            return Err(TuningError::Outdated { path: path.to_owned(), generator });
        }
        let mut classes = HashSet::new();
        for Row { class, .. } in &file.rows {
            if !classes.insert(class) {
                return Err(damaged(format!("there are two rows of {class}")));
            }
        }
        match file.rows.iter().find(|row| !row.is_legal()) {
            Some(row) => Err(damaged(format!("the times of {} are not legal", row.class))),
            None => Ok(file),
        }
    }

    /// Writes it for this user alone. A reader meanwhile sees all of it or the one before.
    pub fn write(&self, path: &Path) -> Result<(), TuningError> {
        write_body(path, MARK, || Ok(self.written()))
    }

    fn of_text(text: &str) -> Result<Self, String> {
        let names = ["generator", "processor", "gpu", "row"];
        let [generator, processor, gpu, rows] = text::read(text, names)?;
        Ok(Self {
            generator: generator.text()?,
            processor: processor.text()?,
            gpu: GpuId::read(gpu)?,
            rows: rows.or_none().tables(["class", "times"], Row::of_fields)?,
        })
    }

    fn written(&self) -> String {
        let mut text = Written(NOTE.to_owned());
        text.text("generator", &self.generator);
        text.text("processor", &self.processor);
        if self.rows.is_empty() {
            text.field("row", "[]");
        }
        self.gpu.write(&mut text);
        for row in &self.rows {
            row.write(&mut text);
        }
        text.0
    }

    /// The row of a class, an empty one if there is none.
    pub fn row(&mut self, class: Class) -> &mut Row {
        let at = self.rows.iter().position(|row| row.class == class).unwrap_or_else(|| {
            self.rows.push(Row { class, times: Vec::new() });
            self.rows.len() - 1
        });
        &mut self.rows[at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> CrossoverFile {
        let name = "GPU".to_owned();
        let gpu =
            GpuId { name, arch: 90, multiprocessors: 132, shared_bytes_per_block: 227 * 1024 };
        CrossoverFile::of(gpu, "a processor".to_owned())
    }

    #[test]
    fn a_class_has_what_times_depend_on() {
        let of = |key, bytes, bits| Class::of(key, bytes, bits, 16);
        assert_eq!(of(KeyType::I32, 4, 32), of(KeyType::U32, 4, 25));
        assert_ne!(of(KeyType::U32, 4, 32), of(KeyType::F32, 4, 32));
        assert_ne!(of(KeyType::U32, 12, 32), of(KeyType::U32, 16, 32));
        assert_eq!(of(KeyType::U32, 100, 32), of(KeyType::U32, 128, 32));
        assert_ne!(of(KeyType::U32, 4, 32), Class::argsort(KeyType::U32, 32, 16));
        assert_eq!(of(KeyType::U32, 4, 8).to_string(), "u32 with 4 bytes by 8 bits, 16 threads");
        assert_eq!(Class::argsort(KeyType::F64, 64, 2).to_string(), "argsorts of f64, 2 threads");
    }

    #[test]
    fn what_was_written_is_read_on_the_same_machine_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a/crossovers.toml");
        let mut file = file();
        let class = Class::of(KeyType::F32, 4, 32, 16);
        for n in [4096, 2048, 4096] {
            file.row(class).set(Times { n, host: n, gpu: 3 });
        }
        assert_eq!(file.row(class).times.iter().map(|it| it.n).collect::<Vec<_>>(), [2048, 4096]);
        file.write(&path).expect("it is written");
        let read = |gpu: &GpuId, processor| CrossoverFile::read(&path, gpu, processor);
        assert_eq!(read(&file.gpu, "a processor").expect("the same"), file);
        let foreign = |result: Result<CrossoverFile, TuningError>| {
            assert!(matches!(result, Err(TuningError::Foreign { .. })), "{result:?}");
        };
        foreign(read(&file.gpu, "another"));
        foreign(read(&GpuId { arch: 80, ..file.gpu.clone() }, "a processor"));
    }

    #[test]
    fn a_file_is_a_table_of_its_gpu_and_one_for_each_class_and_length() {
        let mut file = file();
        let head = format!("{NOTE}generator = \"{VERSION}\"\nprocessor = \"a processor\"\n");
        let gpu = "\n[gpu]\nname = \"GPU\"\narch = 90\nmultiprocessors = 132\nshared_bytes_per_block = 232448\n";
        assert_eq!(file.written(), format!("{head}row = []\n{gpu}"));
        file.row(Class::of(KeyType::F32, 4, 32, 16)).set(Times { n: 2, host: 3, gpu: 4 });
        file.row(Class::argsort(KeyType::U64, 64, 16));
        let class = |key, bytes, is_argsort, bits| {
            format!(
                "\n[row.class]\nkey = \"{key}\"\nvalue_bytes = {bytes}\nis_argsort = {is_argsort}\nbits = {bits}\nthreads = 16\n"
            )
        };
        let times = "\n[[row.times]]\nn = 2\nhost = 3\ngpu = 4\n";
        let one = format!("\n[[row]]\n{}{times}", class("f32", 4, false, 32));
        let other = format!("\n[[row]]\ntimes = []\n{}", class("u64", 4, true, 64));
        assert_eq!(file.written(), format!("{head}{gpu}{one}{other}"));
        assert_eq!(CrossoverFile::of_text(&file.written()), Ok(file));
    }

    #[test]
    fn a_damaged_file_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("crossovers.toml");
        let damaged = |what: &str| {
            let read = CrossoverFile::read(&path, &file().gpu, "a processor");
            let is_damaged =
                matches!(read, Err(TuningError::Damaged { .. } | TuningError::NoTuning { .. }));
            assert!(is_damaged, "{what}: {read:?}");
        };
        std::fs::write(&path, "no mark").expect("it is written");
        damaged("no mark");
        let mut legal = file();
        legal.row(Class::of(KeyType::U32, 0, 32, 1)).set(Times { n: 4096, host: 7, gpu: 8 });
        legal.write(&path).expect("it is written");
        let text = std::fs::read_to_string(&path).expect("it is there");
        std::fs::write(&path, text.replace("4096", "2048")).expect("it is written");
        damaged("another number");
        let mut illegal = file();
        illegal.row(Class::of(KeyType::U32, 0, 32, 1)).set(Times { n: 4096, host: 0, gpu: 8 });
        illegal.write(&path).expect("it is written");
        damaged("no time");
        let mut twice = legal.clone();
        twice.rows.extend(legal.rows);
        twice.write(&path).expect("it is written");
        damaged("a class twice");
    }
}
