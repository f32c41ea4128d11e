//! What can go wrong.

use sortsmith_codegen::{KeyType, render::RenderError};

/// Why a sort, or the rendering of a kernel, was not done. The data is as it was before the call.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Each key needs one value.
    #[error("{keys} keys and {values} values: each key needs one value")]
    LengthMismatch {
        /// How many keys there are.
        keys: usize,
        /// How many values there are.
        values: usize,
    },
    /// The range of bits is not one of this key's.
    #[error("bits {begin}..{end} are not bits of a {key} key; legal: begin <= end <= {key_bits}")]
    BitRange {
        /// The first bit asked for.
        begin: u32,
        /// One past the last bit asked for.
        end: u32,
        /// The type of the keys.
        key: KeyType,
        /// The bits that such a key has.
        key_bits: u32,
    },
    /// There are more keys than the type of the indices can tell apart.
    #[error("{items} keys, but u32 indices tell at most {limit} apart")]
    TooManyItems {
        /// How many keys there are.
        items: usize,
        /// How many there may be.
        limit: u64,
    },
    /// There is no memory for the copy that keys and values are sorted by way of.
    #[error("no memory for {bytes} bytes of scratch")]
    OutOfMemory {
        /// What was asked for.
        bytes: usize,
    },
    /// The spec could not be turned into a header.
    #[error(transparent)]
    Render(#[from] RenderError),
}
