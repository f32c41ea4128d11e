//! The phase that sorts by the upper digits alone, before the one by all digits: what the tie fix-up and MSD buckets share.

use super::msd_buckets;
use super::spec::RadixSort;
use super::tie_fix_up;
use crate::types::ValueType;

/// A first phase by the upper digits is worth it only if it spares this number of passes.
pub(super) const SPARED_PASSES: u32 = 2;

impl RadixSort {
    /// Whether samples tell of keys that agree. Keys alone that have copies are sorted by counts of those, and gain little.
    pub(super) fn samples_keys(&self) -> bool {
        self.fixes_up_ties() || (self.sorts_msd_buckets() && self.value != ValueType::None)
    }

    /// From how many digits up samples may agree, and the slots of a hash table, as a logarithm to base 2.
    pub(super) fn sample_tables(&self) -> (u32, u32) {
        if self.fixes_up_ties() { (4, 13) } else { (1, 14) }
    }

    /// Bytes of the header's `KeySamples`.
    pub(super) fn sample_bytes(&self) -> u32 {
        let (levels, slots_log2) = self.sample_tables();
        if self.samples_keys() { 4 * (1 + levels * (2 + (1 << slots_log2))) } else { 0 }
    }

    /// Whether the sort may go by the upper digits first, in a phase of its own.
    pub(super) fn sorts_upper_digits(&self) -> bool {
        self.fixes_up_ties() || self.sorts_msd_buckets()
    }

    /// Passes without which there is no such phase.
    pub(super) fn min_upper_passes(&self) -> u32 {
        if self.fixes_up_ties() { tie_fix_up::MIN_PASSES } else { msd_buckets::MIN_PASSES }
    }
}
