//! Grids of blocks that stride over the items.

use crate::contract::device::launch::{Device, Kernel, Launch};

/// Threads of a block that copies.
pub(super) const COPY_THREADS: u32 = 256;

/// Threads of a block of `_finish`, which mostly finds nothing to do: fewer blocks begin and end sooner.
pub(super) const FINISH_THREADS: u32 = 1024;

/// Grids that stride over the items: a few blocks for each multiprocessor.
#[derive(Clone, Copy)]
pub(super) struct Grid {
    pub(super) n: u64,
    pub(super) device: Device,
}

impl Grid {
    /// Blocks for `items` items of each thread at once, `resident` of them on a multiprocessor.
    pub(super) fn blocks(self, threads: u32, items: u32, resident: u32) -> u32 {
        let enough = self.n.div_ceil(u64::from(threads * items));
        let most = self.device.multiprocessors.max(1) * resident;
        u32::try_from(enough).unwrap_or(u32::MAX).min(most)
    }

    /// The launch of a kernel that looks at each item.
    pub(super) fn looking(self, kernel: Kernel) -> Launch {
        let (threads, blocks) = (COPY_THREADS, self.blocks(COPY_THREADS, 4, 8));
        Launch { kernel, argument: None, blocks, threads, shared_bytes: 0 }
    }

    /// The launch of a kernel that copies items, if any.
    pub(super) fn finishing(self, kernel: Kernel) -> Launch {
        let (threads, blocks) = (FINISH_THREADS, self.blocks(FINISH_THREADS, 4, 2));
        Launch { kernel, argument: None, blocks, threads, shared_bytes: 0 }
    }
}
