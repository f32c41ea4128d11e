//! Counting sorts of keys with few values: the histogram of keys, its exclusive scan, and the expansion of both to keys.

use std::ops::Range;

use super::onesweep::COUNT_THREADS;
use super::spec::{RADIX_BITS, RadixSort};
use crate::contract::device::launch::{Device, Kernel, Launch};
use crate::types::{KeyClass, ValueType};

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
pub(super) const HISTOGRAM_BARRIER_KEYS: u32 = 1 << 15;

/// Keys that are worth such a block, up to this number of blocks; twice as many are worth one more, for each flushes its counters by
/// atomics in memory. With twice as many for each, 2²⁰ keys take 1.16 times as long, and 2²² 0.88 times (H200, 2026-11-23).
const HISTOGRAM_LEAST_KEYS: u32 = 1 << 15;
const HISTOGRAM_FEW_BLOCKS: u32 = 64;

/// Segments of the values of 16 bits, of two for each thread of a block: a block scans the counts of each.
pub(super) const HISTOGRAM_SEGMENTS: u32 = (1 << 16) / (2 * COUNT_THREADS);

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
        self.value == ValueType::None
            && self.key.bits() <= 16
            && self.key.info().class != KeyClass::Float
    }

    /// Whether these keys have more values than the digits' counters count.
    pub fn has_key_histogram(&self) -> bool {
        self.sorts_by_counting() && self.key.bits() > RADIX_BITS
    }

    /// Whether counting n keys pays.
    fn is_worth_counting(&self, n: u64) -> bool {
        !self.has_key_histogram() || n >= HISTOGRAM_MIN_ITEMS
    }

    /// The launches of a counting sort, where it is possible and pays.
    pub(super) fn worthwhile_counting_launches(
        &self,
        n: u64,
        bits: &Range<u32>,
        device: Device,
    ) -> Option<Vec<Launch>> {
        self.counting_launches(n, bits, device).filter(|_| self.is_worth_counting(n))
    }

    /// The most keys, up to n, that are sorted by passes where n of them are counted, if there are such.
    pub(super) fn most_by_passes(&self, n: u64, bits: &Range<u32>, device: Device) -> Option<u64> {
        let are_counted = self.worthwhile_counting_launches(n, bits, device).is_some();
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
        if !self.sorts_by_counting() || *bits != (0..self.key.bits()) {
            return None;
        }
        let blocks = |keys: u32| u32::try_from(n.div_ceil(u64::from(keys))).unwrap_or(u32::MAX);
        let launch = |kernel, blocks, threads, shared_bytes| Launch {
            kernel,
            argument: None,
            blocks,
            threads,
            shared_bytes,
        };
        let expanding = blocks(EXPAND_LEAST_KEYS)
            .min(2 * device.multiprocessors)
            .max(blocks(self.expand_most_keys()));
        let expand = launch(Self::EXPAND, expanding, EXPAND_THREADS, 0);
        if !self.has_key_histogram() {
            let counting =
                blocks(COUNT_THREADS * COUNTED_SHORT_KEYS).min(device.multiprocessors.max(1));
            let [count, plan] = self.count_launches(counting, device);
            return Some(vec![count, plan, expand]);
        }
        let counting = blocks(HISTOGRAM_LEAST_KEYS)
            .min(HISTOGRAM_FEW_BLOCKS.max(blocks(2 * HISTOGRAM_LEAST_KEYS)))
            .min(device.multiprocessors.max(1));
        (device.shared_bytes_per_block >= HISTOGRAM_SHARED_BYTES).then(|| {
            vec![
                launch(Self::HISTOGRAM, counting, COUNT_THREADS, HISTOGRAM_SHARED_BYTES),
                launch(Self::SCAN, HISTOGRAM_SEGMENTS, COUNT_THREADS, 0),
                expand,
            ]
        })
    }

    /// Keys that a block of the expansion writes, if there are many.
    fn expand_most_keys(&self) -> u32 {
        if self.has_key_histogram() { 1 << 15 } else { 1 << 14 }
    }
}
