//! A folder of headers: what is there against what would be made, and making it so.

use std::collections::HashSet;
use std::fs;
use std::io::{ErrorKind, Read};
use std::path::Path;

use super::{EmitError, File, MARK};
use crate::files::atomic;

/// How a file on disk compares with the one that would be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum State {
    /// The same, byte for byte.
    Current,
    /// Made by sortsmith, but of another content.
    Stale,
    /// Not there.
    Missing,
    /// There, and not made by sortsmith.
    Foreign,
    /// Made by sortsmith, and not among the files that would be made now.
    LeftOver,
}

impl State {
    /// The state as lists show it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::Stale => "stale",
            Self::Missing => "missing",
            Self::Foreign => "foreign",
            Self::LeftOver => "left over",
        }
    }
}

/// Which files the folder holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// These files and perhaps others, from other calls: nothing is left over.
    Files,
    /// These files alone: any other that sortsmith made is left over.
    Folder,
}

/// Every file of the request, and those left over, with its state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// Name and state: first the request's files in their order, then those left over by name.
    pub states: Vec<(String, State)>,
}

impl Survey {
    /// Compares a folder, which need not exist, with the files that would be made.
    pub fn of(dir: &Path, files: &[File], scope: Scope) -> Result<Self, EmitError> {
        let mut states = Vec::with_capacity(files.len());
        for file in files {
            states.push((file.name.clone(), state_of(&dir.join(&file.name), &file.text)?));
        }
        if scope == Scope::Folder {
            states.extend(left_over(dir, files)?.into_iter().map(|name| (name, State::LeftOver)));
        }
        Ok(Self { states })
    }

    /// Whether the folder is as it would be made.
    pub fn is_current(&self) -> bool {
        self.states.iter().all(|(_, state)| *state == State::Current)
    }

    /// How many files are in this state.
    pub fn count(&self, state: State) -> usize {
        self.in_state(state).count()
    }

    /// The names of the files in this state.
    pub fn in_state(&self, state: State) -> impl Iterator<Item = &str> {
        self.states.iter().filter(move |(_, it)| *it == state).map(|(name, _)| name.as_str())
    }
}

/// Writes the files that differ, each one atomically, and makes the folder if there is none; returns how many files it
/// wrote. A file that sortsmith did not make is an error before anything is written, unless `force` is set.
pub fn write(
    dir: &Path,
    files: &[File],
    survey: &Survey,
    force: bool,
    mut written: impl FnMut(&File),
) -> Result<usize, EmitError> {
    if let Some(name) = survey.in_state(State::Foreign).next().filter(|_| !force) {
        return Err(EmitError::Foreign { path: dir.join(name) });
    }
    fs::create_dir_all(dir).map_err(|source| EmitError::Write { path: dir.to_owned(), source })?;
    let current: HashSet<&str> = survey.in_state(State::Current).collect();
    let mut count = 0;
    for file in files.iter().filter(|file| !current.contains(file.name.as_str())) {
        write_file(&dir.join(&file.name), file.text.as_bytes())?;
        written(file);
        count += 1;
    }
    Ok(count)
}

/// The kernels that a header may have or not, by the ends of their names and the flags that ask for them.
const KERNELS: [(&str, &str); 3] = [
    ("_tile(", "--tile-kernel"),
    ("_rows(", "--rows-kernel"),
    ("_counted_rows(", "--counted-rows-kernel"),
];

/// The first stale header with a kernel that it would lose, and the flag that keeps it.
pub fn lost_kernel<'a>(
    dir: &Path,
    files: &'a [File],
    survey: &Survey,
) -> Result<Option<(&'a str, &'static str)>, EmitError> {
    let stale: HashSet<&str> = survey.in_state(State::Stale).collect();
    for File { name, text, .. } in files.iter().filter(|it| stale.contains(it.name.as_str())) {
        let path = dir.join(name);
        let old = fs::read(&path).map_err(|source| EmitError::Read { path, source })?;
        let old = String::from_utf8_lossy(&old);
        let sort = name.trim_end_matches(".cuh");
        let has = |text: &str, end: &str| text.contains(&format!("\n{sort}{end}"));
        let lost = KERNELS.into_iter().find(|(end, _)| has(&old, end) && !has(text, end));
        if let Some((_, flag)) = lost {
            return Ok(Some((name, flag)));
        }
    }
    Ok(None)
}

/// Deletes the files that are left over; returns how many.
pub fn prune(dir: &Path, survey: &Survey) -> Result<usize, EmitError> {
    let mut count = 0;
    for name in survey.in_state(State::LeftOver) {
        let path = dir.join(name);
        fs::remove_file(&path).map_err(|source| EmitError::Write { path, source })?;
        count += 1;
    }
    Ok(count)
}

/// Writes one file so that others see all of it or nothing: to a temporary file in the same folder, which is then renamed.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), EmitError> {
    atomic::write(path, &[bytes], atomic::ANY)
        .map_err(|source| EmitError::Write { path: path.to_owned(), source })
}

/// Whether a file says in its first lines that sortsmith made it: in the comment that it begins with, or at the head of
/// a JSON object.
pub fn is_ours(start: &[u8]) -> bool {
    let text = String::from_utf8_lossy(start);
    let comment = text.lines().map_while(|line| line.strip_prefix("//"));
    let json =
        text.lines().take(2).filter_map(|line| line.trim_start().strip_prefix("\"about\": \""));
    comment.chain(json).any(|line| line.trim_start().starts_with(MARK))
}

fn state_of(path: &Path, text: &str) -> Result<State, EmitError> {
    match fs::symlink_metadata(path) {
        Ok(metadata) => {
            // Folders, pipes and devices, and links that lead to none of our files: reading from a pipe might never end.
            if !(metadata.is_file() || metadata.is_symlink() && path.is_file()) {
                return Ok(State::Foreign);
            }
        }
        // Below a file there is nothing either; writing there will say so.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(State::Missing);
        }
        Err(source) => return Err(EmitError::Read { path: path.to_owned(), source }),
    }
    // One byte more than it may have tells a longer file, however long.
    let start = start_of(path, HEAD_BYTES.max(text.len() as u64 + 1))?;
    Ok(if start == text.as_bytes() {
        State::Current
    } else if is_ours(&start) {
        State::Stale
    } else {
        State::Foreign
    })
}

fn left_over(dir: &Path, files: &[File]) -> Result<Vec<String>, EmitError> {
    let wanted: HashSet<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let failed = |source| EmitError::Read { path: dir.to_owned(), source };
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        Err(error) => return Err(failed(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let path = entry.map_err(failed)?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if !wanted.contains(name) && path.is_file() && is_ours(&start_of(&path, HEAD_BYTES)?) {
            names.push(name.to_owned());
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// Enough of a file to hold the comment that a header begins with.
const HEAD_BYTES: u64 = 4096;

/// As many bytes of a file's start as that, or all of it.
fn start_of(path: &Path, bytes: u64) -> Result<Vec<u8>, EmitError> {
    let mut start = Vec::new();
    fs::File::open(path)
        .and_then(|file| file.take(bytes).read_to_end(&mut start))
        .map_err(|source| EmitError::Read { path: path.to_owned(), source })?;
    Ok(start)
}
