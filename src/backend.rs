//! The backend of a sort, and the environment's choice of one.

use std::fmt;
use std::sync::OnceLock;

#[cfg(feature = "cuda")]
use sortsmith_codegen::trust::variable;

use crate::error::Error;

/// An environment variable. Without GPUs there is nothing that it could choose for a program with more rights.
#[cfg(not(feature = "cuda"))]
fn variable(name: &str) -> Option<std::ffi::OsString> {
    std::env::var_os(name)
}

/// The hardware that sorts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Backend {
    /// The CPU: a stable radix sort on rayon's current thread pool. A process that was forked after this crate was loaded uses a
    /// pool of its own, or the calling thread alone if that is one of rayon's.
    Host,
    /// A GPU.
    #[non_exhaustive]
    Gpu {
        /// Its ordinal in CUDA.
        ordinal: usize,
        /// Its name.
        name: String,
        /// Its compute capability without the dot, such as 90.
        arch: u32,
    },
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host => f.pad("host"),
            Self::Gpu { name, arch, .. } => f.pad(&format!("GPU ({name}, sm_{arch})")),
        }
    }
}

/// The value of `SORTSMITH_BACKEND`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// A GPU if there is one, else the host.
    Auto,
    /// The host.
    Host,
    /// A GPU, or an error.
    Gpu,
}

impl Choice {
    /// The value at the first call in this process.
    pub(crate) fn of_this_process() -> Result<Self, Error> {
        static CHOICE: OnceLock<Result<Choice, String>> = OnceLock::new();
        let choice = CHOICE.get_or_init(|| {
            let word = variable("SORTSMITH_BACKEND").unwrap_or_default();
            let word = word.to_string_lossy();
            Self::parse(&word).ok_or_else(|| word.into_owned())
        });
        choice.clone().map_err(|value| Error::UnknownBackend { value })
    }

    fn parse(word: &str) -> Option<Self> {
        match word {
            "" => Some(Self::Auto),
            "host" => Some(Self::Host),
            "gpu" => Some(Self::Gpu),
            _ => None,
        }
    }
}
