//! Headers that are asked for by name, one by one: those that work on whole arrays.

use std::fmt;
use std::str::FromStr;

use super::File;
use crate::contract::render::RenderError;
use crate::device::{self, DeviceNameError, DeviceSpec};
use crate::gather::{self, GatherNameError, GatherSpec};

/// What works on whole arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Named {
    /// A device-wide sort.
    Sort(DeviceSpec),
    /// A gather.
    Gather(GatherSpec),
}

/// A text that is not the name of any.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NamedError {
    /// It begins as a device-wide sort's name does, or as none.
    #[error(transparent)]
    Sort(#[from] DeviceNameError),
    /// It begins as a gather's name does.
    #[error(transparent)]
    Gather(#[from] GatherNameError),
}

impl Named {
    /// What their names begin with, and no other names.
    pub const PREFIXES: [&str; 2] = [device::PREFIX, gather::PREFIX];

    /// Whether a name begins as that of one of these does.
    pub fn claims(name: &str) -> bool {
        Self::PREFIXES.iter().any(|prefix| name.starts_with(prefix))
    }

    /// Its header.
    pub fn header(&self) -> Result<String, RenderError> {
        match self {
            Self::Sort(spec) => device::header(spec),
            Self::Gather(spec) => gather::header(spec),
        }
    }

    /// The header of CUDA's that its own includes.
    pub fn cuda_header(&self) -> Option<&'static str> {
        match self {
            Self::Sort(spec) => spec.key.info().header,
            Self::Gather(_) => None,
        }
    }

    /// The most shared memory that a block of it needs.
    pub fn shared_bytes(&self) -> u32 {
        match self {
            Self::Sort(spec) => spec.shared_bytes(),
            Self::Gather(_) => 0,
        }
    }

    /// The file of its header.
    pub fn file(&self) -> Result<File, RenderError> {
        Ok(File { name: format!("{self}.cuh"), text: self.header()? })
    }
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sort(spec) => spec.fmt(f),
            Self::Gather(spec) => spec.fmt(f),
        }
    }
}

impl FromStr for Named {
    type Err = NamedError;

    fn from_str(name: &str) -> Result<Self, NamedError> {
        if name.starts_with(gather::PREFIX) {
            Ok(Self::Gather(name.parse()?))
        } else {
            Ok(Self::Sort(name.parse()?))
        }
    }
}
