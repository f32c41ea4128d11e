//! Fuzz targets: functions of bytes that panic where a promise is broken.
//!
//! The same functions run coverage-guided (`fuzz/`, outside the workspace) and as tests (`tests/campaigns.rs`): over
//! the inputs in `corpus/` and over random changes of them. CONTRIBUTING.md says how.

pub mod allocation;
pub mod cache_entry;
pub mod campaign;
mod checksum;
pub mod command_line;
pub mod crossovers;
pub mod emit_folder;
pub mod host_sort;
pub mod matrix;
mod message;
pub mod mutate;
pub mod names;
pub mod segments;
pub mod tuning;

use std::path::PathBuf;

/// A target: its function, and what helps to find inputs for it.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, which is also that of its folder in the corpus.
    pub name: &'static str,
    /// Panics where a promise is broken.
    pub run: fn(&[u8]),
    /// Words that inputs are made of.
    pub words: fn() -> Vec<String>,
    /// Changed inputs that a quick campaign tries.
    pub rounds: u32,
}

/// All of them.
pub const TARGETS: &[Target] = &[
    names::TARGET,
    matrix::TARGET,
    tuning::TARGET,
    crossovers::TARGET,
    cache_entry::TARGET,
    emit_folder::TARGET,
    command_line::TARGET,
    host_sort::TARGET,
    segments::TARGET,
];

impl Target {
    /// The folder of its inputs that are under version control.
    pub fn corpus(&self) -> PathBuf {
        [env!("CARGO_MANIFEST_DIR"), "corpus", self.name].iter().collect()
    }
}

/// A folder for one input, in memory where the system has such a folder.
fn folder() -> tempfile::TempDir {
    let memory = std::path::Path::new("/dev/shm");
    let made = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    made.expect("a temporary folder")
}

/// The bytes of an input, taken one by one; zeros when they have run out.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn byte(&mut self) -> u8 {
        self.0.split_off_first().copied().unwrap_or_default()
    }

    /// A number below `bound`, of one byte.
    fn below(&mut self, bound: usize) -> usize {
        usize::from(self.byte()) % bound
    }

    fn flag(&mut self) -> bool {
        self.byte() % 2 == 1
    }

    /// The next `count` bytes, or as many as there are.
    fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        taken
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
