//! The tie fix-up: keys that agree in the upper digits, by which all are sorted first, are put in order where they are.

use super::grid;
use super::spec::RadixSort;
use crate::contract::device::host::{HostFacts, HostLaunch, Number};
use crate::contract::device::launch::Kernel;

/// With fewer passes there is no first phase by the upper digits, and no tie fix-up.
pub(super) const MIN_PASSES: u32 = 5;

/// From how many digits up samples may agree, and the slots of a hash table for one warp a block, as a logarithm to base 2.
const SAMPLE_LEVELS: u32 = 4;
const SAMPLE_SLOTS_LOG2: u32 = 13;

/// One warp of a block has samples of fewer keys, two have for up to four times as many, and so on: logarithms to base 2.
const ONE_SAMPLE_WARP_LOG2: u32 = 24;
const MAX_SAMPLE_WARPS_LOG2: u32 = 4;

/// The most runs of ties in the queue for `_finish`, and its bytes.
const MAX_QUEUED_RUNS: u32 = 1024;
pub(super) const QUEUE_BYTES: u32 = 4 + 8 * MAX_QUEUED_RUNS;

/// Bytes of the header's `KeySamples`.
pub(super) const SAMPLE_BYTES: u32 = 4 * (1 + SAMPLE_LEVELS * 2 + 1);

/// Bytes of the hash tables of the samples of n keys.
pub(super) fn slot_bytes<N: Number>(n: N) -> N {
    let known = |number: u32| N::known(number.into());
    let quarters = n.divided_by(N::known(1 << (ONE_SAMPLE_WARP_LOG2 - 2)));
    let warps_log2 = quarters.log2().divided_by(known(2)).at_most(known(MAX_SAMPLE_WARPS_LOG2));
    known((4 * SAMPLE_LEVELS) << SAMPLE_SLOTS_LOG2).shifted_left_by(warps_log2)
}

/// What the header has of these.
pub(super) struct TieConstants {
    pub(super) sample_levels: u32,
    pub(super) sample_slots_log2: u32,
    pub(super) one_sample_warp_log2: u32,
    pub(super) max_sample_warps_log2: u32,
    pub(super) max_queued_runs: u32,
}

pub(super) const CONSTANTS: TieConstants = TieConstants {
    sample_levels: SAMPLE_LEVELS,
    sample_slots_log2: SAMPLE_SLOTS_LOG2,
    one_sample_warp_log2: ONE_SAMPLE_WARP_LOG2,
    max_sample_warps_log2: MAX_SAMPLE_WARPS_LOG2,
    max_queued_runs: MAX_QUEUED_RUNS,
};

impl RadixSort {
    /// The kernel of the tie fix-up: sorts keys that tie in the digits that were sorted by.
    pub const FIX_UP: Kernel = Kernel::new("_fix_up");

    /// Whether ties in the upper digits are sorted after that: keys with enough digits that, where they
    /// differ, few agree in half of them. See the header's `_fix_up`, which loads all of a key at once: no struct is aligned for that.
    pub fn fixes_up_ties(&self) -> bool {
        self.key.align() == 8 && self.key.bytes() == 8
    }

    /// The launch behind a first phase.
    pub(super) fn fix_up_launch<N: Number>(facts: &HostFacts<N>) -> HostLaunch<N> {
        grid::looking(facts, Self::FIX_UP)
    }
}
