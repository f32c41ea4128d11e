//! Onesweep passes: all digits are counted at once, and each pass moves the items by one of them, with decoupled look-back.

use std::ops::Range;

use super::grid::Grid;
use super::spec::{BINS, RADIX_BITS, RadixSort};
use super::tie_fix_up;
use super::upper_digits::SPARED_PASSES;
use crate::contract::device::launch::{Device, Kernel, Launch, LaunchArgument};

/// Threads of a block that counts.
pub(super) const COUNT_THREADS: u32 = 1024;

impl RadixSort {
    /// The kernel that counts the digits of all passes.
    pub const COUNT: Kernel = Kernel::new("_count");
    /// The kernel that scans the histograms of digits, and finds the passes that move nothing.
    pub const PLAN: Kernel = Kernel::new("_plan");
    /// The kernel that sorts by one digit, in the pass slot of its argument.
    pub const PASS: Kernel = Kernel::new("_pass");
    /// The kernel that copies the result to where it belongs, if it lies elsewhere.
    pub const FINISH: Kernel = Kernel::new("_finish");

    /// The launches that sort digit by digit, with those of MSD buckets between two phases, or without.
    pub(super) fn pass_launches(
        &self,
        n: u64,
        bits: &Range<u32>,
        device: Device,
        sorts_msd_buckets: bool,
    ) -> Vec<Launch> {
        let grid = Grid { n, device };
        let blocks = grid.blocks(COUNT_THREADS, 64 / self.key.bytes(), 1);
        let mut launches = Vec::from(self.count_launches(blocks, device));
        let passes = bits.end.saturating_sub(bits.start).div_ceil(RADIX_BITS);
        let fixes_up_ties = self.fixes_up_ties() && passes >= tie_fix_up::MIN_PASSES;
        // The first phase's pass slots come first, and then those of all digits.
        let first_pass_slots =
            if fixes_up_ties || sorts_msd_buckets { passes - SPARED_PASSES } else { 0 };
        launches.extend((0..first_pass_slots).map(|slot| self.pass_launch(grid, slot)));
        if fixes_up_ties {
            launches.push(Self::fix_up_launch(grid));
        }
        if sorts_msd_buckets {
            launches.extend(self.msd_bucket_kernels(n, device));
        }
        let slots = first_pass_slots..first_pass_slots + passes;
        launches.extend(slots.map(|slot| self.pass_launch(grid, slot)));
        launches.push(grid.finishing(Self::FINISH));
        launches
    }

    /// The launches that count digits by this number of blocks, and plan the passes.
    pub(super) fn count_launches(&self, blocks: u32, device: Device) -> [Launch; 2] {
        let count = Launch {
            kernel: Self::COUNT,
            argument: None,
            blocks,
            threads: COUNT_THREADS,
            shared_bytes: self.count_shared_bytes(device),
        };
        let plan = Launch {
            kernel: Self::PLAN,
            argument: None,
            blocks: 1,
            threads: BINS,
            shared_bytes: 0,
        };
        [count, plan]
    }

    fn pass_launch(&self, grid: Grid, slot: u32) -> Launch {
        let tiles = u32::try_from(self.tile_count(grid.n)).unwrap_or(u32::MAX);
        Launch {
            kernel: Self::PASS,
            argument: Some(LaunchArgument::Pass(slot)),
            blocks: tiles.min(grid.device.multiprocessors.max(1) * self.resident_blocks()),
            threads: self.threads,
            shared_bytes: self.pass_shared_bytes(),
        }
    }

    /// Blocks of a pass that a multiprocessor is to hold: 24 warps, with 80 registers a thread.
    pub(super) fn resident_blocks(&self) -> u32 {
        (768 / self.threads).max(1)
    }

    /// Digits that are counted.
    pub(super) fn counted_digits(&self) -> u32 {
        self.max_passes() + if self.maps_values() { 2 } else { 0 }
    }

    /// Columns of counters for a block that counts, as their logarithm to base 2: as many as its shared memory holds, at
    /// most one for each lane.
    pub fn count_columns_log2(&self, device: Device) -> u32 {
        let column = self.counted_digits() * BINS * 4;
        (device.shared_bytes_per_block / column).max(1).ilog2().min(5)
    }

    /// The shared memory of a block that counts.
    pub(super) fn count_shared_bytes(&self, device: Device) -> u32 {
        (self.counted_digits() * BINS * 4) << self.count_columns_log2(device)
    }
}
