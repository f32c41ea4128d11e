//! What runs the sorts.

use std::fmt;

/// What runs a sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Backend {
    /// The CPU's cores: a stable radix sort on rayon's current thread pool.
    Host,
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Host => "host",
        })
    }
}

/// What runs the sorts of host slices, such as [`sort`](crate::sort).
///
/// In this version that is always [`Backend::Host`], whether or not there is a GPU. GPUs are reached
/// through generated kernels: see [`device`](crate::device).
pub fn backend() -> Backend {
    Backend::Host
}
