//! Grids of blocks that stride over the items.

use crate::contract::device::host::{HostFacts, HostLaunch, Number};
use crate::contract::device::launch::Kernel;

/// Threads of a block that copies.
pub(super) const COPY_THREADS: u32 = 256;

/// Threads of a block of `_finish`, which mostly finds nothing to do: fewer blocks begin and end sooner.
pub(super) const FINISH_THREADS: u32 = 1024;

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

/// The launch of a kernel that copies items, if any.
pub(super) fn finishing<N: Number>(facts: &HostFacts<N>, kernel: Kernel) -> HostLaunch<N> {
    HostLaunch::new(kernel, blocks(facts, FINISH_THREADS, 4, 2), FINISH_THREADS, N::known(0))
}
