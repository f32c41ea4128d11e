//! The phase that sorts by the upper digits alone, before the one by all digits: what the tie fix-up and MSD buckets share.

use super::msd_buckets;
use super::spec::RadixSort;
use super::tie_fix_up;

/// A first phase by the upper digits is worth it only if it spares this number of passes.
pub(super) const SPARED_PASSES: u32 = 2;

impl RadixSort {
    /// Whether the sort may go by the upper digits first, in a phase of its own.
    pub(super) fn sorts_upper_digits(&self) -> bool {
        self.fixes_up_ties() || self.sorts_msd_buckets()
    }

    /// Passes without which there is no such phase.
    pub(super) fn min_upper_passes(&self) -> u32 {
        if self.fixes_up_ties() { tie_fix_up::MIN_PASSES } else { msd_buckets::MIN_PASSES }
    }
}
