//! Compiled kernels on disk, so that a kernel is compiled once on a machine and not once a process.
//!
//! ```
//! use sortsmith_codegen::cache::{Cache, Kernel};
//! use sortsmith_codegen::toolchain::{CompileOptions, Format, Identity, Source};
//!
//! # let dir = tempfile::tempdir().unwrap();
//! let cache = Cache::at(dir.path());
//! let source = Source::new("seven", "extern \"C\" __global__ void seven(int* x) { *x = 7; }");
//! let options = CompileOptions::new(90, Format::Cubin);
//! let compiler = Identity::Loaded { name: "libnvrtc.so.13".into(), version: (13, 0) };
//! let kernel = Kernel { source, options: &options, compiler: &compiler };
//! assert_eq!(cache.get(&kernel)?, None);
//! cache.put(&kernel, b"an image")?;
//! assert_eq!(cache.get(&kernel)?.as_deref(), Some(&b"an image"[..]));
//! # Ok::<(), sortsmith_codegen::cache::CacheError>(())
//! ```
//!
//! # What it promises
//!
//! - What comes out is what was put in for the same source, options, compiler and version of this crate, or nothing: an
//!   entry that is damaged, cut short, of another kernel or of another format is an error of [`Cache::get`], and the
//!   next [`Cache::put`] replaces it.
//! - Any number of threads and processes may use one folder. An entry is written to a temporary file, which is renamed, so a
//!   reader sees all of it or nothing. Of two that compile the same kernel the later one's entry stays; they are equal.
//! - What others than the user of this process could have written is not read: [`trust`] says what is looked at. The folder
//!   is made for its user alone, and so is each entry.
//! - No error is fatal: a caller that ignores all of them compiles each time. Nothing depends on times of files.
//!
//! The headers that a source includes from folders, unlike those given with it, are known by their folder's name alone.

mod entry;
mod key;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use crate::files::atomic::TEMPORARY_PREFIX;
use crate::files::trust::{self, Distrust, Folder, Refusal};
use crate::toolchain::{CompileOptions, Source};

pub use entry::Damage;
pub use key::{Description, Kernel, Key, image_digest, source_key};

/// How the file names of entries end.
const EXTENSION: &str = "kernel";

/// Where compiled kernels are kept: `SORTSMITH_CACHE_DIR`, else `sortsmith` in the platform's cache folder. None if
/// there is neither, as for a user without a home, and in a program that [has more rights](trust::is_privileged) than
/// its caller: the caller sets the variables.
pub fn folder() -> Option<PathBuf> {
    if trust::is_privileged() {
        return None;
    }
    trust::variable("SORTSMITH_CACHE_DIR").map(PathBuf::from).or_else(|| {
        etcetera::choose_base_strategy().ok().map(|dirs| dirs.cache_dir().join("sortsmith"))
    })
}

/// Why an entry was not read or written. None of these need stop anyone: they are warnings.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CacheError {
    /// There is no folder to keep kernels in.
    #[error(
        "no folder for compiled kernels: set SORTSMITH_CACHE_DIR (a program with more rights than its caller has none)"
    )]
    NoFolder,
    /// Others than this user could have written the folder or the file.
    #[error("{} is not used: {reason}", path.display())]
    Untrusted {
        /// The folder or file.
        path: PathBuf,
        /// What is wrong with it.
        reason: Distrust,
    },
    /// The folder cannot be made.
    #[error("cannot make the cache folder {}: {source}", path.display())]
    MakeFolder {
        /// The folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A file, or the folder, cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// An entry cannot be written or removed.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The entry.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// An entry is not what was written there.
    #[error("the cached kernel {} is not used: {damage}", path.display())]
    Damaged {
        /// The entry.
        path: PathBuf,
        /// What is wrong with it.
        damage: Damage,
    },
}

/// A folder of compiled kernels. It need not exist before something is put there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cache {
    dir: Option<PathBuf>,
}

/// A file of the cache, as lists show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The file.
    pub path: PathBuf,
    /// Its length.
    pub bytes: u64,
    /// What it holds, or why it will not be used.
    pub content: Result<Description, Damage>,
}

/// What [`Cache::clear`] removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cleared {
    /// Entries, and what interrupted writers left.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
}

impl Cache {
    /// The cache in [`folder`].
    pub fn of_this_user() -> Self {
        Self { dir: folder() }
    }

    /// A cache in this folder.
    pub fn at(dir: impl Into<PathBuf>) -> Self {
        Self { dir: Some(dir.into()) }
    }

    /// The folder.
    pub fn dir(&self) -> Result<&Path, CacheError> {
        self.dir.as_deref().ok_or(CacheError::NoFolder)
    }

    /// The image that was put in for this kernel, if there is one. An error says why an entry is not used.
    pub fn get(&self, kernel: &Kernel<'_>) -> Result<Option<Vec<u8>>, CacheError> {
        let Some(folder) = self.open()? else { return Ok(None) };
        let key = kernel.key();
        let (request, description) = (kernel.request_key(), kernel.description());
        let is_right = |entry: &entry::Fields<'_>| entry.key == key && entry.request == request;
        self.image(&folder, &file_name(&request, &key), is_right, &description)
    }

    /// The image of this source by these options that any compiler has made, for a process without a compiler. Of several it is the
    /// same one each time; an error says why none of those that are there is used.
    pub fn get_of_any_compiler(
        &self,
        source: &Source<'_>,
        options: &CompileOptions,
    ) -> Result<Option<Vec<u8>>, CacheError> {
        let Some(folder) = self.open()? else { return Ok(None) };
        let (request, description) =
            (key::request_key(source, options), key::description(source, options));
        let beginning = name_of_request(&request);
        let mut names = self.files()?;
        names.retain(|name| is_entry(name) && name.starts_with(&beginning));
        names.sort_unstable();
        let mut refusal = None;
        for name in names {
            match self.image(&folder, &name, |entry| entry.request == request, &description) {
                Ok(Some(image)) => return Ok(Some(image)),
                Ok(None) => {}
                Err(error) => refusal = Some(error),
            }
        }
        refusal.map_or(Ok(None), Err)
    }

    /// Keeps a kernel's image, in place of any that is there.
    pub fn put(&self, kernel: &Kernel<'_>, image: &[u8]) -> Result<(), CacheError> {
        let dir = self.dir()?;
        let folder = Folder::make(dir).map_err(|refusal| match refusal {
            Refusal::Io(source) => CacheError::MakeFolder { path: dir.to_owned(), source },
            Refusal::Distrust(reason) => CacheError::Untrusted { path: dir.to_owned(), reason },
        })?;
        let name = file_name(&kernel.request_key(), &kernel.key());
        let written = folder.write(&name, &[&entry::head(kernel, image), image]);
        written.map_err(|source| CacheError::Write { path: dir.join(name), source })
    }

    /// All entries, by kernel and architecture; damaged ones last.
    pub fn entries(&self) -> Result<Vec<Entry>, CacheError> {
        let mut entries = Vec::new();
        let Some(folder) = self.open_to_list()? else { return Ok(entries) };
        for name in self.files()?.into_iter().filter(|name| is_entry(name)) {
            let path = self.dir()?.join(&name);
            let (bytes, content) = match folder.read(&name) {
                Ok(bytes) => {
                    (bytes.len() as u64, entry::parse(&bytes).map(|entry| entry.description))
                }
                Err(Refusal::Distrust(reason)) => {
                    let bytes = fs::symlink_metadata(&path).map_or(0, |it| it.len());
                    (bytes, Err(Damage::Untrusted(reason)))
                }
                // Another process has cleared the cache meanwhile.
                Err(Refusal::Io(error)) if is_absent(&error) => continue,
                Err(Refusal::Io(source)) => return Err(CacheError::Read { path, source }),
            };
            entries.push(Entry { path, bytes, content });
        }
        entries.sort_by_cached_key(|entry| match &entry.content {
            Ok(content) => (false, content.name.clone(), content.arch, entry.path.clone()),
            Err(_) => (true, String::new(), 0, entry.path.clone()),
        });
        Ok(entries)
    }

    /// Removes all entries and what interrupted writers left. Other files stay, and so does the folder.
    pub fn clear(&self) -> Result<Cleared, CacheError> {
        let mut cleared = Cleared::default();
        let Some(folder) = self.open_to_list()? else { return Ok(cleared) };
        let is_ours = |name: &String| is_entry(name) || is_temporary(name);
        for name in self.files()?.into_iter().filter(is_ours) {
            let path = self.dir()?.join(&name);
            let bytes = fs::symlink_metadata(&path).map_or(0, |metadata| metadata.len());
            match folder.remove(&name) {
                Ok(()) => {
                    cleared.files += 1;
                    cleared.bytes += bytes;
                }
                Err(error) if is_absent(&error) => {}
                Err(source) => return Err(CacheError::Write { path, source }),
            }
        }
        Ok(cleared)
    }

    /// Why the folder is not used, if that is so: it cannot be opened, or others than this user could have written to it. A
    /// folder that is not there yet is made when it is needed.
    pub fn check(&self) -> Result<(), CacheError> {
        self.open_to_list().map(drop)
    }

    /// The image of an entry that is the right one.
    fn image(
        &self,
        folder: &Folder,
        name: &str,
        is_right: impl FnOnce(&entry::Fields<'_>) -> bool,
        description: &Description,
    ) -> Result<Option<Vec<u8>>, CacheError> {
        let path = self.dir()?.join(name);
        let mut bytes = match folder.read(name) {
            Ok(bytes) => bytes,
            Err(Refusal::Io(error)) if is_absent(&error) => return Ok(None),
            Err(Refusal::Io(source)) => return Err(CacheError::Read { path, source }),
            Err(Refusal::Distrust(reason)) => return Err(CacheError::Untrusted { path, reason }),
        };
        let start = match entry::parse(&bytes) {
            Ok(entry) if is_right(&entry) && file_name(&entry.request, &entry.key) == name => {
                // The key says all of it, but lists go by what is written.
                if entry.description != *description {
                    return Err(CacheError::Damaged { path, damage: Damage::Description });
                }
                bytes.len() - entry.image.len()
            }
            Ok(_) => return Err(CacheError::Damaged { path, damage: Damage::Key }),
            Err(damage) => return Err(CacheError::Damaged { path, damage }),
        };
        Ok(Some(bytes.split_off(start)))
    }

    /// The folder, if there is one. Below a file there is none.
    fn open(&self) -> Result<Option<Folder>, CacheError> {
        match self.open_to_list() {
            Err(CacheError::Read { source, .. }) if is_absent(&source) => Ok(None),
            opened => opened,
        }
    }

    /// The folder, if there is anything at its path.
    fn open_to_list(&self) -> Result<Option<Folder>, CacheError> {
        let path = self.dir()?;
        match Folder::open(path) {
            Ok(folder) => Ok(Some(folder)),
            Err(Refusal::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(Refusal::Io(source)) => Err(CacheError::Read { path: path.to_owned(), source }),
            Err(Refusal::Distrust(reason)) => {
                Err(CacheError::Untrusted { path: path.to_owned(), reason })
            }
        }
    }

    /// The names of the folder's files, whatever kind they are of; none if there is no folder.
    fn files(&self) -> Result<Vec<String>, CacheError> {
        let dir = self.dir()?;
        let failed = |source| CacheError::Read { path: dir.to_owned(), source };
        let entries = match fs::read_dir(dir) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed(error)),
        };
        let mut files = Vec::new();
        for entry in entries {
            let entry = entry.map_err(failed)?;
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            // Names of ours are text.
            if let Some(name) = entry.file_name().to_str().filter(|_| !is_folder) {
                files.push(name.to_owned());
            }
        }
        Ok(files)
    }
}

/// Whether there is nothing at that path. Below a file there is nothing either; writing there will say so.
fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Whether a file is named as entries are: by two keys, or by one as earlier versions named them.
fn is_entry(name: &str) -> bool {
    let Some((stem, EXTENSION)) = name.split_once('.') else { return false };
    let digits = stem.bytes().filter(u8::is_ascii_hexdigit).count();
    digits == 64 && (stem.len() == 64 || (stem.len() == 65 && stem.as_bytes()[32] == b'-'))
}

fn is_temporary(name: &str) -> bool {
    name.starts_with(TEMPORARY_PREFIX)
}

/// What the name of an entry begins with, for any compiler: half of a key's digits, which the entry has all of.
fn name_of_request(request: &Key) -> String {
    format!("{request:.32}-")
}

fn file_name(request: &Key, key: &Key) -> String {
    format!("{}{key:.32}.{EXTENSION}", name_of_request(request))
}

#[cfg(test)]
mod tests;
