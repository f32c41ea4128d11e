//! GPU architectures: which there are, and what a block may use on each.

use std::fmt;

use super::UnknownToken;
use super::other_words::Hint;
use crate::types::OneLine;

/// A GPU architecture by its compute capability, such as `sm_90`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Arch(u32);

/// A text or number that is no known architecture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("architecture `{}` is unknown; legal: {}{}", OneLine(value), Arch::list(), Hint { axis: "architecture", word: value })]
pub struct ArchError {
    /// What was given.
    pub value: String,
}

/// Compute capability and the KB of shared memory a block may opt in to.
const SHARED_KB: &[(u32, u32)] = &[
    (70, 96),
    (72, 96),
    (75, 64),
    (80, 163),
    (86, 99),
    (87, 163),
    (88, 163),
    (89, 99),
    (90, 227),
    (100, 227),
    (103, 227),
    (110, 227),
    (120, 99),
    (121, 99),
];

/// Shared memory is given out in pieces of this size.
const ALLOCATION_BYTES: u32 = 128;

impl Arch {
    /// The architecture of Hopper, which is taken where none is named.
    pub const SM_90: Self = Self(90);

    /// The largest shared memory of any architecture: no spec may need more.
    pub const MAX_SHARED_BYTES: u32 = 227 * 1024;

    /// The architecture of a compute capability, such as 90.
    pub fn new(capability: u32) -> Result<Self, ArchError> {
        if SHARED_KB.iter().any(|(known, _)| *known == capability) {
            Ok(Self(capability))
        } else {
            Err(ArchError { value: capability.to_string() })
        }
    }

    /// Every known architecture, ascending.
    pub fn all() -> impl Iterator<Item = Self> {
        SHARED_KB.iter().map(|(capability, _)| Self(*capability))
    }

    /// The compute capability, such as 90.
    pub fn capability(self) -> u32 {
        self.0
    }

    /// Bytes of shared memory that one block may opt in to.
    pub fn max_shared_bytes(self) -> u32 {
        SHARED_KB.iter().find(|(known, _)| *known == self.0).map_or(0, |(_, kb)| kb * 1024)
    }

    /// Blocks of so much shared memory that a multiprocessor can hold at a time, as far as shared memory goes.
    pub fn resident_blocks(self, shared_bytes: u32) -> u32 {
        // Since sm_80 the system keeps 1 KB of each block's, and a multiprocessor has that much more than a block can get.
        let reserved = if self.0 >= 80 { 1024 } else { 0 };
        let of_block = shared_bytes.next_multiple_of(ALLOCATION_BYTES) + reserved;
        (self.max_shared_bytes() + reserved) / of_block.max(1)
    }

    fn list() -> String {
        Self::all().map(|arch| arch.to_string()).collect::<Vec<_>>().join(", ")
    }
}

impl From<ArchError> for UnknownToken {
    fn from(error: ArchError) -> Self {
        Self { axis: "architecture", value: error.value, legal: Arch::list() }
    }
}

impl fmt::Display for Arch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sm_{}", self.0)
    }
}

impl std::str::FromStr for Arch {
    type Err = ArchError;

    fn from_str(text: &str) -> Result<Self, ArchError> {
        text.strip_prefix("sm_")
            .and_then(|digits| digits.parse().ok())
            .and_then(|capability| Self::new(capability).ok())
            // Neither a sign nor leading zeros.
            .filter(|arch| arch.to_string() == text)
            .ok_or_else(|| ArchError { value: text.to_owned() })
    }
}
