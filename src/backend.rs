//! What runs the sorts.

use std::fmt;
use std::sync::OnceLock;

use crate::error::Error;

/// What runs a sort.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Backend {
    /// The CPU's cores: a stable radix sort on rayon's current thread pool. In a process that was forked after this crate was
    /// loaded, on a pool of that process's own, and on the calling thread alone where that is one of rayon's.
    Host,
    /// A GPU.
    #[non_exhaustive]
    Gpu {
        /// Its number, as CUDA counts.
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

/// What `SORTSMITH_BACKEND` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// A GPU if there is one.
    Auto,
    /// The host.
    Host,
    /// A GPU, or an error.
    Gpu,
}

impl Choice {
    /// As the environment had it at the first call.
    pub(crate) fn of_this_process() -> Result<Self, Error> {
        static CHOICE: OnceLock<Result<Choice, String>> = OnceLock::new();
        let choice = CHOICE.get_or_init(|| match std::env::var("SORTSMITH_BACKEND") {
            Ok(word) => Self::parse(&word).ok_or(word),
            Err(std::env::VarError::NotPresent) => Ok(Self::Auto),
            Err(std::env::VarError::NotUnicode(word)) => Err(word.to_string_lossy().into_owned()),
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
