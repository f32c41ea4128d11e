//! Counting sorts of keys with few values: the histogram of keys, its exclusive scan, and the expansion of both to keys.

use std::ops::Range;

use super::onesweep::COUNT_THREADS;
use super::spec::{RADIX_BITS, RadixSort};
use crate::contract::device::host::{self, HostFacts, HostLaunch, Number, Truth as _};
use crate::contract::device::launch::{Device, Kernel, Launch};
use crate::types::ValueType;

/// Threads of a block of the expansion.
pub(super) const EXPAND_THREADS: u32 = 512;

/// The fewest keys that are worth a block of the expansion, if there are multiprocessors for all of these blocks.
const EXPAND_LEAST_KEYS: u32 = 1 << 12;

/// Keys of 8 bits for each thread of a block that counts them. With 64 a sort of 2¹⁸ takes 1.5 times as long (H200, 2026-11-22).
const COUNTED_SHORT_KEYS: u32 = 16;

/// The shared memory of a block that counts keys of 16 bits: 2 bytes for each of their values.
pub(super) const HISTOGRAM_SHARED_BYTES: u32 = 2 << 16;

/// From this number of items on keys of 16 bits are counted, which is where samples end, too: two passes over 2¹⁹ keys take 1.1 to 1.6
/// times as long (H200, 2026-11-23).
const HISTOGRAM_MIN_ITEMS: u64 = 1 << 18;

/// How many keys such a block counts between two barriers, at most.
const HISTOGRAM_BARRIER_KEYS: u32 = 1 << 15;

/// Keys that are worth such a block, up to this number of blocks; twice as many are worth one more, for each flushes its counters by
/// atomics in memory. With twice as many for each, 2²⁰ keys take 1.16 times as long, and 2²² 0.88 times (H200, 2026-11-23).
const HISTOGRAM_LEAST_KEYS: u32 = 1 << 15;
const HISTOGRAM_FEW_BLOCKS: u32 = 64;

/// Segments of the values of 16 bits, of two for each thread of a block: a block scans the counts of each.
pub(super) const HISTOGRAM_SEGMENTS: u32 = (1 << 16) / (2 * COUNT_THREADS);

/// What the header has of these.
pub(super) struct HistogramConstants {
    pub(super) shared_bytes: u32,
    pub(super) barrier_keys: u32,
    pub(super) segments: u32,
    pub(super) expand_threads: u32,
}

pub(super) const CONSTANTS: HistogramConstants = HistogramConstants {
    shared_bytes: HISTOGRAM_SHARED_BYTES,
    barrier_keys: HISTOGRAM_BARRIER_KEYS,
    segments: HISTOGRAM_SEGMENTS,
    expand_threads: EXPAND_THREADS,
};

impl RadixSort {
    /// The kernel that makes the histogram of keys of 16 bits.
    pub const HISTOGRAM: Kernel = Kernel::new("_histogram");
    /// The kernel that makes the histogram its exclusive scan.
    pub const SCAN: Kernel = Kernel::new("_scan");
    /// The expansion of a counting sort: writes keys of up to 16 bits from the scan alone.
    pub const EXPAND: Kernel = Kernel::new("_expand");

    /// Whether sorts by all bits are counting sorts: of integers with few values, alone. Floats have zeros and NaNs that
    /// count as equal and differ in their bits.
    pub fn sorts_by_counting(&self) -> bool {
        self.value == ValueType::None && self.key.bits() <= 16 && !self.key.has_float()
    }

    /// Whether these keys have more values than the digits' counters count.
    pub fn has_key_histogram(&self) -> bool {
        self.sorts_by_counting() && self.key.bits() > RADIX_BITS
    }

    /// Whether keys are counted: where it is possible, and where it pays for n of them.
    pub(super) fn launches_counting<N: Number>(&self, facts: &HostFacts<N>) -> N::Truth {
        let least = if self.has_key_histogram() { HISTOGRAM_MIN_ITEMS } else { 1 };
        self.may_count(facts).and(facts.n.clone().reaches(N::known(least)))
    }

    /// Whether keys have few values and the device has room for counting them.
    fn may_count<N: Number>(&self, facts: &HostFacts<N>) -> N::Truth {
        let least = if self.has_key_histogram() { HISTOGRAM_SHARED_BYTES } else { 0 };
        let may = N::Truth::known(self.sorts_by_counting()).and(self.sorts_all_bits(facts));
        may.and(facts.shared_bytes_per_block.clone().reaches(N::known(least.into())))
    }

    /// The most keys, up to n, that are sorted by passes where n of them are counted, if there are such.
    pub(super) fn most_by_passes(&self, n: u64, bits: &Range<u32>, device: Device) -> Option<u64> {
        let are_counted = self.launches_counting(&HostFacts::of(n, bits, device));
        (are_counted && self.has_key_histogram()).then_some(HISTOGRAM_MIN_ITEMS - 1)
    }

    /// The launches of a counting sort, where keys have few values and the device has room for it: what a sort launches, if
    /// it pays for n items.
    pub fn counting_launches(
        &self,
        n: u64,
        bits: &Range<u32>,
        device: Device,
    ) -> Option<Vec<Launch>> {
        let facts = HostFacts::of(n, bits, device);
        self.may_count(&facts).then(|| host::made(self.count_and_expand(&facts)))
    }

    /// The launches of a counting sort.
    pub(super) fn count_and_expand<N: Number>(&self, facts: &HostFacts<N>) -> Vec<HostLaunch<N>> {
        let HostFacts { n, multiprocessors, .. } = facts;
        let blocks = |keys: u32| n.clone().divided_up_by(N::known(keys.into()));
        let of_device = |blocks: u32| multiprocessors.clone().times(N::known(blocks.into()));
        let expanding = blocks(EXPAND_LEAST_KEYS)
            .at_most(of_device(2))
            .at_least(blocks(self.expand_most_keys()));
        let expand = HostLaunch::new(Self::EXPAND, expanding, EXPAND_THREADS, N::known(0));
        if !self.has_key_histogram() {
            let counting = blocks(COUNT_THREADS * COUNTED_SHORT_KEYS).at_most(of_device(1));
            let [count, plan] = self.count_launches(counting, facts);
            return vec![count, plan, expand];
        }
        let few = N::known(HISTOGRAM_FEW_BLOCKS.into());
        let counting = blocks(HISTOGRAM_LEAST_KEYS)
            .at_most(few.at_least(blocks(2 * HISTOGRAM_LEAST_KEYS)))
            .at_most(of_device(1));
        let shared_bytes = N::known(HISTOGRAM_SHARED_BYTES.into());
        let segments = N::known(HISTOGRAM_SEGMENTS.into());
        vec![
            HostLaunch::new(Self::HISTOGRAM, counting, COUNT_THREADS, shared_bytes),
            HostLaunch::new(Self::SCAN, segments, COUNT_THREADS, N::known(0)),
            expand,
        ]
    }

    /// Keys that a block of the expansion writes, if there are many.
    fn expand_most_keys(&self) -> u32 {
        if self.has_key_histogram() { 1 << 15 } else { 1 << 14 }
    }
}
