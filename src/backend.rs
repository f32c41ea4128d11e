//! What runs the sorts.

use std::fmt;
use std::sync::OnceLock;

use crate::{Error, Sorter};

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

/// What runs the sorts of host slices, such as [`sort`](crate::sort), where a GPU pays: a GPU if there is one, else the
/// host. Few keys are sorted on the host in any case ([`Sorter::new`]).
///
/// Where those sorts are errors this is the same error: with `SORTSMITH_BACKEND=gpu` and no GPU, say, nothing sorts.
///
/// ```
/// match sortsmith::backend() {
///     Ok(backend) => println!("sorts run on the {backend}"), // such as: host
///     Err(error) => println!("no sort runs: {error}"),
/// }
/// ```
pub fn backend() -> Result<Backend, Error> {
    Ok(default_sorter()?.backend())
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

static DEFAULT: OnceLock<Sorter> = OnceLock::new();

/// The sorter of the functions for host slices, if a call has needed it.
pub(crate) fn made_sorter() -> Option<&'static Sorter> {
    DEFAULT.get()
}

/// The sorter of the functions for host slices, made at the first call that needs it.
pub(crate) fn default_sorter() -> Result<Sorter, Error> {
    if let Some(sorter) = DEFAULT.get() {
        return Ok(sorter.clone());
    }
    let sorter = Sorter::new()?;
    Ok(DEFAULT.get_or_init(|| sorter).clone())
}

/// The sorter for so many keys of a host slice: few of them are not worth opening a GPU for.
pub(crate) fn sorter_for(keys: usize) -> Result<Sorter, Error> {
    if Choice::of_this_process()? == Choice::Auto && keys < Sorter::HOST_BELOW {
        Ok(Sorter::host())
    } else {
        default_sorter()
    }
}
