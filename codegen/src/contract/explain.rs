//! What `explain` says of the sorts of a family beyond what it says of all tile sorts.

use serde::Serialize;

use crate::contract::spec::SortSpec;
use crate::types::Arch;

/// What a sort of one family does and takes, in figures: the type `Figures` in the family's folder.
pub(crate) trait TileFigures: Sized {
    /// What reports call them.
    const NAME: &'static str;

    /// Of a spec on an architecture; none where the spec is of another family.
    fn of(spec: &SortSpec, arch: Arch) -> Option<Self>;

    /// The same for people.
    fn lines(&self, spec: &SortSpec) -> Lines;
}

/// A line of an explanation: a label, which is empty where the line belongs to the one before, and words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The label.
    pub label: String,
    /// The words.
    pub words: String,
}

/// Lines of an explanation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lines(pub(crate) Vec<Line>);

impl Lines {
    /// Adds a line.
    pub(crate) fn add(&mut self, label: &str, words: &str) {
        self.0.push(Line { label: label.to_owned(), words: words.to_owned() });
    }

    /// Adds what the shared memory allows.
    pub(crate) fn add_fit(&mut self, fit: &Fit) {
        self.add(&format!("on {}", fit.arch), &fit.words());
    }
}

/// A number of registers, in words.
pub(crate) fn registers(count: u32) -> String {
    format!("{count} register{}", if count == 1 { "" } else { "s" })
}

/// What the shared memory allows on an architecture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fit {
    /// The architecture.
    pub arch: String,
    /// What a block needs.
    pub shared_bytes: u32,
    /// What a block may have.
    pub max_shared_bytes: u32,
    /// Whether that is enough.
    pub fits: bool,
    /// Blocks that fit the shared memory of a multiprocessor at the same time. Registers may allow fewer.
    pub resident_blocks: u32,
    /// Their threads, if the multiprocessor runs that many.
    pub resident_threads: u32,
}

impl Fit {
    /// Of blocks of `threads` threads that need `shared_bytes` of shared memory.
    pub(crate) fn of(arch: Arch, shared_bytes: u32, threads: u32) -> Self {
        let resident_blocks = arch.resident_blocks(shared_bytes);
        Self {
            arch: arch.to_string(),
            shared_bytes,
            max_shared_bytes: arch.max_shared_bytes(),
            fits: shared_bytes <= arch.max_shared_bytes(),
            resident_blocks,
            resident_threads: resident_blocks * threads,
        }
    }

    /// The same in words.
    pub fn words(&self) -> String {
        if self.fits {
            format!(
                "fits: {} of {} bytes a block; {} resident blocks by shared memory, {} threads",
                self.shared_bytes,
                self.max_shared_bytes,
                self.resident_blocks,
                self.resident_threads
            )
        } else {
            format!(
                "does not fit: {} bytes of shared memory, a block has at most {}",
                self.shared_bytes, self.max_shared_bytes
            )
        }
    }
}
