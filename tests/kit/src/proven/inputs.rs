//! What the outcome of a proof depends on, as a hash.

use std::fmt::{self, Debug, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{fs, io};

use hmac_sha256::Hash as Sha256;

use super::comments::without_comments;

/// Hexadecimal digits of a hash.
pub(super) const DIGITS: usize = 32;

/// The hash of everything that the outcome of one proof depends on.
///
/// Each input has a label, and both go in with their lengths in front: no two lists of inputs are the same bytes.
pub struct Inputs {
    hash: Sha256,
    files: Vec<PathBuf>,
}

impl Inputs {
    pub(super) fn of(name: &str) -> Self {
        let mut inputs = Self { hash: Sha256::new(), files: Vec::new() };
        inputs.add("proof", name.as_bytes());
        inputs
    }

    /// Adds bytes.
    pub fn add(&mut self, label: &str, bytes: &[u8]) {
        for part in [label.as_bytes(), bytes] {
            self.hash.update((part.len() as u64).to_le_bytes());
            self.hash.update(part);
        }
    }

    /// Adds all that a value shows of itself, piece by piece: it may be long.
    pub fn add_debug(&mut self, label: &str, value: &impl Debug) {
        let mut text = Text { hash: Sha256::new(), buffer: String::new() };
        write!(text, "{value:?}").expect("a text takes all");
        text.flush();
        self.add(label, &text.hash.finalize());
    }

    /// Adds files by their paths in the repository, in the order of these, each with its bytes, but for comments of sources: those of a folder and of
    /// the folders in it, or one file. `is_meant` chooses among their paths; to choose none is an error.
    pub fn add_sources(&mut self, path: &str, is_meant: impl Fn(&str) -> bool) {
        self.add_sources_in(&repository(), path, is_meant);
    }

    fn add_sources_in(&mut self, root: &Path, path: &str, is_meant: impl Fn(&str) -> bool) {
        let mut paths = Vec::new();
        list(root, path, &mut paths);
        paths.retain(|path| is_meant(path));
        paths.sort();
        assert!(!paths.is_empty(), "{path}: no file there is an input of this proof");
        for path in paths {
            let full = root.join(&path);
            match has_comments(&path).then(|| fs::read_to_string(&full)) {
                Some(Ok(source)) => {
                    self.add(&path, without_comments(&source).as_bytes());
                    self.files.push(full);
                }
                // Not a text, or not there, of which the file's bytes say so.
                _ => self.add_file(&path, &full),
            }
        }
    }

    /// Adds the bytes of a file, wherever it is.
    pub fn add_file(&mut self, label: &str, path: &Path) {
        self.add(label, &had(fs::read(path), path));
        self.files.push(path.to_owned());
    }

    /// Adds the variables of these names that are set.
    pub fn add_variables(&mut self, names: &[&str]) {
        for name in names {
            if let Some(value) = std::env::var_os(name) {
                self.add(&format!("variable {name}"), value.as_encoded_bytes());
            }
        }
    }

    /// A file among the inputs that was written after this time, of those that are meant.
    pub(super) fn newer_than(
        &self,
        time: SystemTime,
        is_meant: impl Fn(&Path) -> bool,
    ) -> Option<&Path> {
        let is_newer = |path: &Path| {
            let written = fs::metadata(path).and_then(|it| it.modified());
            written.map_or(true, |written| written > time)
        };
        self.files.iter().map(PathBuf::as_path).find(|path| is_meant(path) && is_newer(path))
    }

    /// The first digits of the hash.
    pub(super) fn hash(&self) -> String {
        let digits = self.hash.finalize().iter().fold(String::new(), |mut digits, byte| {
            let _ = write!(digits, "{byte:02x}");
            digits
        });
        digits[..DIGITS].to_owned()
    }
}

/// The hash of files by their names, wherever their folders are.
pub fn hash_of_files(files: &[PathBuf]) -> String {
    let mut inputs = Inputs::of("files");
    for path in files {
        inputs.add_file(&path.file_name().unwrap_or_default().to_string_lossy(), path);
    }
    inputs.hash()
}

/// The root of the repository.
pub(super) fn repository() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Whether a path is that of a source in Rust or in C++. Unit tests of the generator are not: programs are built without them.
pub fn is_source(path: &str) -> bool {
    let extension = Path::new(path).extension();
    let is_of_unit_tests = path.starts_with("codegen/") && path.ends_with("/tests.rs");
    !is_of_unit_tests
        && extension.is_some_and(|it| ["rs", "cpp", "hpp", "h"].iter().any(|known| it == *known))
}

/// Whether a path is that of a source of which comments are known: in a template some are for markers.
fn has_comments(path: &str) -> bool {
    is_source(path) && !path.starts_with("templates/")
}

/// What a file or folder has.
pub(super) fn had<T>(result: io::Result<T>, path: &Path) -> T {
    result.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of a path in a folder: their paths from there on, parted by slashes on every system.
pub(super) fn list(root: &Path, path: &str, paths: &mut Vec<String>) {
    let full = root.join(path);
    if !full.is_dir() {
        paths.push(path.to_owned());
        return;
    }
    for entry in had(fs::read_dir(&full), &full) {
        let name = had(entry, &full).file_name();
        list(root, &format!("{path}/{}", name.to_string_lossy()), paths);
    }
}

/// A text of which the hash is left.
struct Text {
    hash: Sha256,
    buffer: String,
}

impl Text {
    const BUFFERED: usize = 1 << 16;

    fn flush(&mut self) {
        self.hash.update(&self.buffer);
        self.buffer.clear();
    }
}

impl fmt::Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.buffer.push_str(text);
        if self.buffer.len() > Self::BUFFERED {
            self.flush();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(inputs: &[(&str, &[u8])]) -> String {
        let mut all = Inputs::of("target test");
        for (label, bytes) in inputs {
            all.add(label, bytes);
        }
        all.hash()
    }

    #[test]
    fn no_two_lists_of_inputs_are_the_same() {
        let lists: [&[(&str, &[u8])]; 9] = [
            &[],
            &[("", b"")],
            &[("", b""), ("", b"")],
            &[("a", b"bc")],
            &[("ab", b"c")],
            &[("a", b"b"), ("c", b"")],
            &[("a", b"bd")],
            &[("a", b"b"), ("", b"c")],
            &[("a", b"\x01\0\0\0\0\0\0\0b")],
        ];
        let hashes: std::collections::BTreeSet<String> = lists.iter().map(|it| hash(it)).collect();
        assert_eq!(hashes.len(), lists.len());
        assert!(hashes.iter().all(|it| it.len() == DIGITS));
        assert_eq!(hash(lists[5]), hash(lists[5]));
        assert_ne!(Inputs::of("target one").hash(), Inputs::of("target other").hash());
    }

    #[test]
    fn a_changed_byte_anywhere_is_another_hash() {
        let bytes: Vec<u8> = (0..200).collect();
        let of_all = hash(&[("bytes", &bytes), ("end", b"")]);
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert_ne!(hash(&[("bytes", &changed), ("end", b"")]), of_all, "byte {at}");
        }
    }

    #[test]
    fn long_values_are_hashed_to_their_ends() {
        let hash = |value: &Vec<u32>| {
            let mut inputs = Inputs::of("target test");
            inputs.add_debug("value", value);
            inputs.hash()
        };
        let long: Vec<u32> = (0..Text::BUFFERED as u32).collect();
        let mut other = long.clone();
        *other.last_mut().expect("it has some") += 1;
        assert_eq!(hash(&long), hash(&long.clone()));
        assert_ne!(hash(&long), hash(&other));
    }

    #[test]
    fn sources_are_those_of_the_folder_by_their_paths_in_it() {
        let root = std::env::temp_dir().join(format!("sortsmith-inputs-{}", std::process::id()));
        let hash = |folder: &Path| {
            let mut inputs = Inputs::of("target test");
            inputs.add_sources_in(folder, "a", is_source);
            inputs.hash()
        };
        let write = |path: &str, text: &str| {
            let path = root.join(path);
            fs::create_dir_all(path.parent().expect("it has one")).expect("a folder");
            fs::write(path, text).expect("a file");
        };
        for folder in ["one", "two"] {
            write(&format!("{folder}/a/b.rs"), "fn b() {}");
            write(&format!("{folder}/a/c/d.hpp"), "void d();");
        }
        let [one, two] = ["one", "two"].map(|it| root.join(it));
        let first = hash(&one);
        assert_eq!(hash(&two), first);
        write("one/a/notes.md", "not meant");
        assert_eq!(hash(&one), first);
        write("one/a/c/d.hpp", "void e();");
        let changed = hash(&one);
        write("two/a/c/e.hpp", "void d();");
        let more = hash(&two);
        fs::remove_file(two.join("a/c/d.hpp")).expect("it is there");
        let renamed = hash(&two);
        let all = [first, changed, more, renamed];
        assert_eq!(all.iter().collect::<std::collections::BTreeSet<_>>().len(), all.len());
        fs::remove_dir_all(root).expect("it is there");
    }
}
