//! What ranks have in common before they are a group.

use super::library::{Nccl, SUCCESS, UniqueIdBytes};
use crate::distributed::error::ShardError;
use crate::gpu::driver;

/// What the ranks of a group have in common before they are one: 128 bytes, which one rank makes and all others get by any means, such as
/// a file, MPI or a store of PyTorch's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UniqueId(UniqueIdBytes);

impl UniqueId {
    /// A new one. The process that makes it has to live until all ranks have joined.
    pub fn new() -> Result<Self, ShardError> {
        let opened = driver::open();
        opened.map_err(|error| ShardError::Transport { reason: error.to_string() })?;
        let nccl = Nccl::open()?;
        let mut id = UniqueIdBytes([0; 128]);
        // SAFETY: the pointer is to memory for an id.
        match unsafe { (nccl.unique_id)(&raw mut id) } {
            SUCCESS => Ok(Self(id)),
            code => Err(ShardError::Transport { reason: nccl.describe(code) }),
        }
    }

    /// As NCCL takes it.
    pub(super) fn bytes(self) -> UniqueIdBytes {
        self.0
    }

    /// Its bytes, for other ranks.
    pub fn as_bytes(&self) -> &[u8; 128] {
        &self.0.0
    }

    /// The id with these bytes.
    pub fn from_bytes(bytes: [u8; 128]) -> Self {
        Self(UniqueIdBytes(bytes))
    }
}
