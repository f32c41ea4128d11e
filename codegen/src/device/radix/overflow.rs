//! MSD buckets that overflow: their items are gathered in the scratch arrays, and the second phase sorts these alone. See
//! `templates/device/radix/overflow.cuh`.

use super::spec::{BINS, RADIX_BITS, RadixSort};
use super::{grid, msd_buckets};
use crate::contract::device::host::{HostFacts, HostLaunch, Number};
use crate::contract::device::launch::Kernel;

// A block scans the buckets of one value of the upper digit, and looks at all of these.
const _: () = assert!(msd_buckets::MOST <= BINS << RADIX_BITS);

impl RadixSort {
    /// The kernel that counts the digits of the items in overflowing buckets.
    pub const COUNT_OVERFLOW: Kernel = Kernel::new("_count_overflow");
    /// The kernel that gathers these items, and plans the passes over them.
    pub const GATHER_OVERFLOW: Kernel = Kernel::new("_gather_overflow");

    /// The launches behind that of MSD buckets. They find out on the device whether there is something to do; mostly there is not, so
    /// there are no more blocks than take all of it at a good rate.
    pub(super) fn overflow_launches<N: Number>(facts: &HostFacts<N>) -> [HostLaunch<N>; 2] {
        [Self::COUNT_OVERFLOW, Self::GATHER_OVERFLOW].map(|kernel| {
            HostLaunch::new(kernel, grid::blocks(facts, BINS, 4, 4), BINS, N::known(0))
        })
    }

    /// Bytes of the header's `Control` for counts of overflowing buckets: of each digit, and of each segment of buckets.
    pub(super) fn overflow_count_bytes(&self) -> u32 {
        if self.sorts_msd_buckets() { (self.max_passes() + 1) * BINS * 4 } else { 0 }
    }
}
