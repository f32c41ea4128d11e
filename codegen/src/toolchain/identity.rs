//! Which NVRTC a file is, found out without loading it.

use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use super::{Component, Nvrtc, ToolchainError};

/// What tells one compiler from another.
///
/// A library that has a path is known by its file, so that asking costs no load: loading NVRTC takes longer than many a
/// sort. One that only the dynamic loader can find has no path to look at, and is loaded, for its version.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Identity {
    /// A file.
    File {
        /// Its path, through symbolic links.
        path: PathBuf,
        /// Its length in bytes.
        bytes: u64,
        /// When it was last written, in nanoseconds since 1970; below 0 where the clock was wrong.
        modified: i128,
    },
    /// A library that the dynamic loader found.
    Loaded {
        /// The name it was found by.
        name: PathBuf,
        /// Its version.
        version: (i32, i32),
    },
}

impl Identity {
    /// The identity of this NVRTC.
    pub fn of(component: &Component) -> Result<Self, ToolchainError> {
        let path = &component.path;
        let file = fs::canonicalize(path).and_then(|path| Ok((fs::metadata(&path)?, path)));
        let Ok((metadata, path)) = file else {
            let version = Nvrtc::load_component(component)?.version();
            return Ok(Self::Loaded { name: path.clone(), version });
        };
        let modified = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        let modified = match modified.duration_since(UNIX_EPOCH) {
            Ok(after) => after.as_nanos().cast_signed(),
            Err(before) => -before.duration().as_nanos().cast_signed(),
        };
        Ok(Self::File { path, bytes: metadata.len(), modified })
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, bytes, modified } => {
                write!(f, "{}, {bytes} bytes of {modified}", path.display())
            }
            Self::Loaded { name, version } => {
                write!(f, "{} {}.{}", name.display(), version.0, version.1)
            }
        }
    }
}
