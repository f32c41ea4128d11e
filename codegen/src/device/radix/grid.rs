//! Grids of blocks that stride over the items.

use super::spec::RadixSort;
use crate::contract::device::host::{HostFacts, HostLaunch, Number};
use crate::contract::device::launch::Kernel;

/// Threads of a block that copies.
pub(super) const COPY_THREADS: u32 = 256;

/// Resident blocks of a multiprocessor that look at each item.
const LOOKING_BLOCKS: u32 = 4;

/// Resident blocks of `_finish`, which mostly finds nothing to do: fewer blocks begin and end sooner.
const FINISH_BLOCKS: u32 = 2;

/// Blocks for `items` items of each thread at once, `resident` of them on a multiprocessor.
pub(super) fn blocks<N: Number>(
    facts: &HostFacts<N>,
    threads: u32,
    items: u32,
    resident: u32,
) -> N {
    let enough = facts.n.clone().divided_up_by(N::known((threads * items).into()));
    enough.at_most(facts.multiprocessors.clone().times(N::known(resident.into())))
}

/// The launch of a kernel that looks at each item.
pub(super) fn looking<N: Number>(facts: &HostFacts<N>, kernel: Kernel) -> HostLaunch<N> {
    HostLaunch::new(kernel, blocks(facts, COPY_THREADS, 4, 8), COPY_THREADS, N::known(0))
}

impl RadixSort {
    /// Threads of a block of `_finish`. A sort of long runs takes the registers of some.
    pub(super) fn finish_threads(&self) -> u32 {
        if self.fixes_up_ties() { 768 } else { 1024 }
    }

    /// The launch of `_finish`.
    pub(super) fn finishing<N: Number>(&self, facts: &HostFacts<N>) -> HostLaunch<N> {
        let threads = self.finish_threads();
        let blocks = blocks(facts, threads, 4, FINISH_BLOCKS);
        HostLaunch::new(Self::FINISH, blocks, threads, N::known(0))
    }
}

/// The `__launch_bounds__` of a kernel that looks at each item.
pub(super) fn bounds_of_looking() -> String {
    format!("{COPY_THREADS}, {LOOKING_BLOCKS}")
}

/// Resident blocks of `_finish` where a multiprocessor has room for 1024, 1536 or 2048 threads.
pub(super) fn resident_finishing(sort: &RadixSort) -> [u32; 3] {
    [1024, 1536, 2048].map(|threads: u32| FINISH_BLOCKS.min(threads / sort.finish_threads()))
}
