//! Onesweep passes: all digits are counted at once, and each pass moves the items by one of them, with decoupled look-back.

use super::grid;
use super::spec::{BINS, RADIX_BITS, RadixSort};
use super::tie_fix_up;
use super::upper_digits::SPARED_PASSES;
use crate::contract::device::host::{HostFacts, HostLaunch, Number, Truth as _};
use crate::contract::device::launch::{Device, Kernel};

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

    /// Passes over the bits that take part.
    pub(super) fn passes<N: Number>(facts: &HostFacts<N>) -> N {
        let bits = facts.end_bit.clone().minus(facts.begin_bit.clone());
        bits.divided_up_by(N::known(RADIX_BITS.into()))
    }

    /// Whether all bits take part.
    pub(super) fn sorts_all_bits<N: Number>(&self, facts: &HostFacts<N>) -> N::Truth {
        let from_first = facts.begin_bit.clone().is(N::known(0));
        from_first.and(facts.end_bit.clone().is(N::known(self.key.bits().into())))
    }

    /// The launches that sort digit by digit, with those of MSD buckets between two phases, or without.
    pub(super) fn pass_launches<N: Number>(
        &self,
        facts: &HostFacts<N>,
        sorts_msd_buckets: &N::Truth,
    ) -> Vec<HostLaunch<N>> {
        let known = |number: u32| N::known(number.into());
        let counting = grid::blocks(facts, COUNT_THREADS, 64 / self.key.bytes(), 1);
        // One more looks for copies, if not all multiprocessors have a block.
        let with_samples = counting.clone().plus(known(1)).at_most(facts.multiprocessors.clone());
        let blocks = N::choose(sorts_msd_buckets, with_samples, counting);
        let mut launches = Vec::from(self.count_launches(blocks, facts));
        let passes = Self::passes(facts);
        let fixes_up_ties = N::Truth::known(self.fixes_up_ties())
            .and(passes.clone().reaches(known(tie_fix_up::MIN_PASSES)));
        // The first phase's pass slots come first, and then those of all digits.
        let spared = || passes.clone().minus(known(SPARED_PASSES));
        let of_buckets = N::choose(sorts_msd_buckets, spared(), known(0));
        let first_pass_slots = N::choose(&fixes_up_ties, spared(), of_buckets);
        let most_first =
            if self.sorts_upper_digits() { self.max_passes() - SPARED_PASSES } else { 0 };
        launches.extend((1..=most_first).map(|slots| {
            let is_there = first_pass_slots.clone().reaches(known(slots));
            self.pass_launch(facts, known(slots - 1)).only_if(&is_there)
        }));
        if self.fixes_up_ties() {
            launches.push(Self::fix_up_launch(facts).only_if(&fixes_up_ties));
        }
        if self.sorts_msd_buckets() {
            let kernels = self.msd_bucket_kernels(facts);
            launches.extend(kernels.map(|it| it.only_if(sorts_msd_buckets)));
        }
        launches.extend((1..=self.max_passes()).map(|slots| {
            let slot = first_pass_slots.clone().plus(known(slots - 1));
            self.pass_launch(facts, slot).only_if(&passes.clone().reaches(known(slots)))
        }));
        launches.push(self.finishing(facts));
        launches
    }

    /// The launches that count digits by this number of blocks, and plan the passes.
    pub(super) fn count_launches<N: Number>(
        &self,
        blocks: N,
        facts: &HostFacts<N>,
    ) -> [HostLaunch<N>; 2] {
        let shared_bytes = self.counter_bytes(facts.shared_bytes_per_block.clone());
        let count = HostLaunch::new(Self::COUNT, blocks, COUNT_THREADS, shared_bytes);
        [count, HostLaunch::new(Self::PLAN, N::known(1), BINS, N::known(0))]
    }

    fn pass_launch<N: Number>(&self, facts: &HostFacts<N>, slot: N) -> HostLaunch<N> {
        let known = |number: u32| N::known(number.into());
        let most = facts.multiprocessors.clone().times(known(self.resident_blocks()));
        let blocks = self.tiles(facts.n.clone()).at_most(most);
        let shared_bytes = known(self.pass_shared_bytes());
        HostLaunch {
            argument: Some(("pass", slot)),
            ..HostLaunch::new(Self::PASS, blocks, self.threads, shared_bytes)
        }
    }

    /// Tiles of n items.
    pub(super) fn tiles<N: Number>(&self, n: N) -> N {
        n.divided_up_by(N::known(self.tile_items().into()))
    }

    /// Blocks of a pass that a multiprocessor is to hold: 24 warps, with 80 registers a thread.
    pub(super) fn resident_blocks(&self) -> u32 {
        (768 / self.threads).max(1)
    }

    /// Whether a digit that the one above it determines is found, and takes no pass: of keys with digits that are full.
    pub(super) fn finds_determined_digits(&self) -> bool {
        matches!(self.key.bits(), 32 | 64)
    }

    /// Chunks of keys that a thread which counts has on their way at once: of 16 bytes each, or of a larger struct.
    pub(super) fn chunks_at_once(&self) -> u32 {
        64 / self.key.bytes().max(16)
    }

    /// Digits that are counted: of sorts by MSD buckets also the two of a linear map, or those below shared bits.
    pub(super) fn counted_digits(&self) -> u32 {
        self.max_passes() + if self.sorts_msd_buckets() { 2 } else { 0 }
    }

    /// Columns of counters for a block that counts, as their logarithm to base 2: as many as its shared memory holds, at
    /// most one for each lane.
    pub fn count_columns_log2(&self, device: Device) -> u32 {
        self.counter_columns_log2(u64::from(device.shared_bytes_per_block)) as u32
    }

    /// The same where a block may have this number of bytes.
    pub(super) fn counter_columns_log2<N: Number>(&self, shared_bytes_per_block: N) -> N {
        shared_bytes_per_block.divided_by(self.column_bytes()).log2().at_most(N::known(5))
    }

    /// The shared memory of a block that counts, which may have this number of bytes.
    pub(super) fn counter_bytes<N: Number>(&self, shared_bytes_per_block: N) -> N {
        let columns_log2 = self.counter_columns_log2(shared_bytes_per_block);
        self.column_bytes::<N>().shifted_left_by(columns_log2)
    }

    fn column_bytes<N: Number>(&self) -> N {
        N::known((self.counted_digits() * BINS * 4).into())
    }
}
