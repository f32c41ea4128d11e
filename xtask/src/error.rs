//! What makes a task fail.

use std::{io, path::PathBuf};

use sortsmith_benchkit::RecordError;
use sortsmith_codegen::toolchain::ToolchainError;

/// Why a task failed, as one line for people.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("`{command}` failed ({status})")]
    Failed { command: String, status: std::process::ExitStatus },
    #[error("cannot run `{command}`: {source}")]
    Spawn { command: String, source: io::Error },
    #[error("cannot {action} {}: {source}", path.display())]
    File { action: &'static str, path: PathBuf, source: io::Error },
    #[error("{0}")]
    Toolchain(#[from] ToolchainError),
    #[error("{0}")]
    Record(#[from] RecordError),
    #[error("{0}")]
    Request(String),
    #[error("{0}")]
    Other(String),
}

impl Error {
    /// 2 for a request that was wrong, 1 for a task that failed.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Record(_) | Self::Request(_) => 2,
            _ => 1,
        }
    }

    /// For `map_err` on a file operation: `Error::file("read", &path)`.
    pub fn file(action: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { action, path, source }
    }
}
