//! What the host launches for one sort.

use std::fmt;
use std::ops::Range;

use super::{BINS, DeviceAlgorithm, DeviceSpec, RADIX_BITS, bitonic, radix::msd_buckets, sample};
use crate::types::Arch;

/// The kernels of a header, by what follows the spec's name in their symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kernel {
    /// Counts the digits of all passes.
    Count,
    /// Scans the histograms of digits, and finds the passes that move nothing.
    Plan,
    /// Sorts by one digit, in the pass slot of this number.
    Pass(u32),
    /// Sorts keys that tie in the digits that were sorted by; see [`DeviceSpec::fixes_up_ties`].
    FixUp,
    /// Finds the offsets of the MSD buckets that sorting by the upper two digits leaves; see [`DeviceSpec::sorts_msd_buckets`].
    BucketOffsets,
    /// Sorts these buckets.
    MsdBuckets,
    /// Makes the histogram of keys of 16 bits.
    Histogram,
    /// Makes the histogram its exclusive scan.
    Scan,
    /// The expansion of a counting sort: writes keys of up to 16 bits from the scan alone.
    Expand,
    /// Copies the result to where it belongs, if it lies elsewhere.
    Finish,
    /// Finds where buckets begin, by samples.
    Samples,
    /// Partitions each tile by bucket.
    Split,
    /// Sorts the buckets.
    Buckets,
    /// Sorts each tile by a network.
    Tiles,
    /// Takes some steps of a merge that are further apart than a tile is long: those that the argument says.
    Stride(u32),
    /// Takes the steps of a merge within tiles.
    Merge,
}

impl Kernel {
    /// What follows the spec's name in the kernel's symbol.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Count => "_count",
            Self::Plan => "_plan",
            Self::Pass(_) => "_pass",
            Self::FixUp => "_fix_up",
            Self::BucketOffsets => "_bucket_offsets",
            Self::MsdBuckets => "_msd_buckets",
            Self::Histogram => "_histogram",
            Self::Scan => "_scan",
            Self::Expand => "_expand",
            Self::Finish => "_finish",
            Self::Samples => "_samples",
            Self::Split => "_split",
            Self::Buckets => "_buckets",
            Self::Tiles => "_tiles",
            Self::Stride(_) => "_stride",
            Self::Merge => "_merge",
        }
    }

    /// The argument after [`Arguments`].
    pub fn pass(self) -> Option<u32> {
        match self {
            Self::Pass(pass) | Self::Stride(pass) => Some(pass),
            _ => None,
        }
    }
}

/// What launches depend on of the device that they are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Device {
    /// Its multiprocessors.
    pub multiprocessors: u32,
    /// The most shared memory that a block may have.
    pub shared_bytes_per_block: u32,
}

impl Device {
    /// The least device of an architecture: one multiprocessor, and shared memory as all of them have it. It tells which
    /// kernels there are; launches want to know more.
    pub fn of(arch: Arch) -> Self {
        Self { multiprocessors: 1, shared_bytes_per_block: arch.max_shared_bytes() }
    }
}

/// One launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The kernel.
    pub kernel: Kernel,
    /// Blocks, along x.
    pub blocks: u32,
    /// Threads of each, along x.
    pub threads: u32,
    /// Bytes of dynamic shared memory.
    pub shared_bytes: u32,
}

impl fmt::Display for Launch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kernel, blocks, threads, shared_bytes } = self;
        write!(f, "{kernel:?} <<<{blocks}, {threads}, {shared_bytes}>>>")
    }
}

/// The header's `Arguments`, which every kernel takes first; addresses are the device's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Arguments {
    /// The keys to sort.
    pub keys_in: u64,
    /// Where they are sorted; the same array to sort in place.
    pub keys_out: u64,
    /// Scratch.
    pub keys_alternate: u64,
    /// The values, where the sort reads any.
    pub values_in: u64,
    /// Where the values go, where the sort has any.
    pub values_out: u64,
    /// Scratch.
    pub values_alternate: u64,
    /// As many bytes as [`DeviceSpec::workspace_of`] says, of which the first are zero.
    pub workspace: u64,
    /// Items.
    pub n: u64,
    /// The first bit of the ordered key that takes part.
    pub begin_bit: i32,
    /// One past the last bit.
    pub end_bit: i32,
    /// Whether the sorted keys are written.
    pub writes_keys: i32,
    /// Whether keys and values lie side by side between passes: 1 if [`DeviceSpec::interleaves`] and the arrays of the
    /// result are aligned to an item.
    pub interleaves: i32,
    /// [`DeviceSpec::count_columns_log2`].
    pub count_columns_log2: i32,
    /// Whether [`Kernel::BucketOffsets`] and [`Kernel::MsdBuckets`] are launched: 1 if [`DeviceSpec::launches_msd_buckets`].
    pub sorts_msd_buckets: i32,
}

/// Threads of a block that counts, and of one that copies.
pub(super) const COUNT_THREADS: u32 = 1024;
const FINISH_THREADS: u32 = 256;

/// Threads of a block of the expansion.
pub(super) const EXPAND_THREADS: u32 = 512;

/// Keys of 8 bits for each thread of a block that counts them. H200, 2026-11-22, µs of a sort of 2¹⁸ `u8` with 64 and as many
/// keys for a block of the expansion as below: 26 and 17, where the host takes as long to launch anything.
const COUNTED_SHORT_KEYS: u32 = 16;

/// The shared memory of a block that counts keys of 16 bits: 2 bytes for each of their values.
pub(super) const HISTOGRAM_SHARED_BYTES: u32 = 2 << 16;

/// From so many items on keys of 16 bits are counted, which is where samples end, too. H200, 2026-11-23, µs by two passes and by
/// counting: 2¹⁹ random keys 34 and 27, equal ones 28 and 25, sorted ones 40 and 25, ANDs of five numbers 40 and 34; CUB 41, 38, 46, 45.
/// Of 2¹⁸ + 1, by counting alone: 26, 25, 23 and 33; CUB 35, 31, 35 and 34.
const HISTOGRAM_MIN_ITEMS: u64 = 1 << 18;

/// How many keys such a block counts between two barriers, at most.
pub(super) const HISTOGRAM_BARRIER_KEYS: u32 = 1 << 15;

/// Keys that are worth such a block, up to so many blocks; twice as many are worth one more, for each flushes its counters by
/// atomics in memory. H200, 2026-11-23, µs of a sort of random keys with blocks of 2¹⁵ and of 2¹⁶: 2²⁰ 27.6 and 31.9, 2²¹ 31.9 and
/// 34.9, 2²² 45.5 and 40.2.
const HISTOGRAM_LEAST_KEYS: u32 = 1 << 15;
const HISTOGRAM_FEW_BLOCKS: u32 = 64;

/// Segments of the values of 16 bits, of two for each thread of a block: so many blocks scan their counts.
pub(super) const HISTOGRAM_SEGMENTS: u32 = (1 << 16) / (2 * COUNT_THREADS);

/// The fewest keys that are worth a block of the expansion, if there are multiprocessors for all of these blocks.
const EXPAND_LEAST_KEYS: u32 = 1 << 12;

/// With fewer passes there is no first phase by the upper digits, whose ties are then fixed up.
pub(super) const MIN_FIX_UP_PASSES: u32 = 5;

/// A first phase by the upper digits is worth it only if it spares so many passes.
pub(super) const SPARED_PASSES: u32 = 2;

/// From this architecture on, a header's code waits for the kernel before it: `templates/common/grid_order.cuh`.
pub const FIRST_WAITING_ARCH: u32 = 90;

impl DeviceSpec {
    /// What the host launches, in this order, for n items. None for no items.
    ///
    /// Code of [`FIRST_WAITING_ARCH`] or a later architecture may be launched before the launch before it has ended, all but
    /// the first.
    pub fn launches(&self, n: u64, bits: Range<u32>, device: Device) -> Vec<Launch> {
        if n == 0 {
            return Vec::new();
        }
        if let Some(storage) = self.sample_storage {
            return sample::launches(self, storage, n);
        }
        if let DeviceAlgorithm::Bitonic { .. } = self.algorithm {
            return bitonic::launches(self, n);
        }
        let is_worth_it = !self.has_key_histogram() || n >= HISTOGRAM_MIN_ITEMS;
        if let Some(launches) = self.counting_launches(n, &bits, device).filter(|_| is_worth_it) {
            return launches;
        }
        let sorts_msd_buckets = self.launches_msd_buckets(n, &bits, device);
        self.pass_launches(n, &bits, device, sorts_msd_buckets)
    }

    /// The launches that may sort MSD buckets, where the spec, the bits and the device allow it: what [`Self::launches`] does, if
    /// it pays for so many items. None for no items.
    pub fn msd_bucket_launches(
        &self,
        n: u64,
        bits: &Range<u32>,
        device: Device,
    ) -> Option<Vec<Launch>> {
        let may = n > 0 && self.may_sort_msd_buckets(bits, device);
        may.then(|| self.pass_launches(n, bits, device, true))
    }

    /// The launches that sort digit by digit, with those of MSD buckets between two phases, or without.
    fn pass_launches(
        &self,
        n: u64,
        bits: &Range<u32>,
        device: Device,
        sorts_msd_buckets: bool,
    ) -> Vec<Launch> {
        // Blocks of a grid that strides over the items, a few for each multiprocessor.
        let striding = |threads: u32, items: u32, resident: u32| {
            let enough = n.div_ceil(u64::from(threads * items));
            u32::try_from(enough).unwrap_or(u32::MAX).min(device.multiprocessors.max(1) * resident)
        };
        let tiles = u32::try_from(n.div_ceil(u64::from(self.tile_items()))).unwrap_or(u32::MAX);
        let pass = |pass| Launch {
            kernel: Kernel::Pass(pass),
            blocks: tiles.min(device.multiprocessors.max(1) * self.resident_blocks()),
            threads: self.threads,
            shared_bytes: self.shared_bytes(),
        };
        let copying = |kernel| Launch {
            kernel,
            blocks: striding(FINISH_THREADS, 4, 8),
            threads: FINISH_THREADS,
            shared_bytes: 0,
        };
        let mut launches = vec![
            Launch {
                kernel: Kernel::Count,
                blocks: striding(COUNT_THREADS, 64 / self.key.bytes(), 1),
                threads: COUNT_THREADS,
                shared_bytes: self.count_shared_bytes(device),
            },
            Launch { kernel: Kernel::Plan, blocks: 1, threads: BINS, shared_bytes: 0 },
        ];
        let passes = bits.end.saturating_sub(bits.start).div_ceil(RADIX_BITS);
        let fixes_up_ties = self.fixes_up_ties() && passes >= MIN_FIX_UP_PASSES;
        // The first phase's pass slots come first, and then those of all digits.
        let first_pass_slots =
            if fixes_up_ties || sorts_msd_buckets { passes - SPARED_PASSES } else { 0 };
        launches.extend((0..first_pass_slots).map(pass));
        if fixes_up_ties {
            launches.push(copying(Kernel::FixUp));
        }
        if sorts_msd_buckets {
            launches.push(Launch {
                kernel: Kernel::BucketOffsets,
                blocks: (Self::max_msd_buckets(n) + 1).div_ceil(FINISH_THREADS),
                threads: FINISH_THREADS,
                shared_bytes: 0,
            });
            launches.push(Launch {
                kernel: Kernel::MsdBuckets,
                blocks: self.msd_bucket_blocks(n, device),
                threads: msd_buckets::THREADS,
                shared_bytes: self.msd_bucket_shared_bytes(),
            });
        }
        launches.extend((first_pass_slots..first_pass_slots + passes).map(pass));
        launches.push(copying(Kernel::Finish));
        launches
    }

    /// The launches of a counting sort, where keys have few values and the device has room for it:
    /// what [`Self::launches`] does, if it pays for so many items.
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
            blocks,
            threads,
            shared_bytes,
        };
        let filling = blocks(EXPAND_LEAST_KEYS).min(2 * device.multiprocessors);
        let fill =
            launch(Kernel::Expand, filling.max(blocks(self.expand_most_keys())), EXPAND_THREADS, 0);
        if !self.has_key_histogram() {
            let counting =
                blocks(COUNT_THREADS * COUNTED_SHORT_KEYS).min(device.multiprocessors.max(1));
            let shared_bytes = self.count_shared_bytes(device);
            return Some(vec![
                launch(Kernel::Count, counting, COUNT_THREADS, shared_bytes),
                launch(Kernel::Plan, 1, BINS, 0),
                fill,
            ]);
        }
        let tallying = blocks(HISTOGRAM_LEAST_KEYS)
            .min(HISTOGRAM_FEW_BLOCKS.max(blocks(2 * HISTOGRAM_LEAST_KEYS)))
            .min(device.multiprocessors.max(1));
        (device.shared_bytes_per_block >= HISTOGRAM_SHARED_BYTES).then(|| {
            vec![
                launch(Kernel::Histogram, tallying, COUNT_THREADS, HISTOGRAM_SHARED_BYTES),
                launch(Kernel::Scan, HISTOGRAM_SEGMENTS, COUNT_THREADS, 0),
                fill,
            ]
        })
    }

    /// Keys that a block of the expansion writes, if there are many.
    fn expand_most_keys(&self) -> u32 {
        if self.has_key_histogram() { 1 << 15 } else { 1 << 14 }
    }

    /// Blocks of a pass that a multiprocessor is to hold: 24 warps, with 80 registers a thread.
    pub(super) fn resident_blocks(&self) -> u32 {
        (768 / self.threads).max(1)
    }

    /// Columns of counters for a block that counts, as their logarithm to base 2: as many as its shared memory holds, at
    /// most one for each lane.
    pub fn count_columns_log2(&self, device: Device) -> u32 {
        let column = self.counted_digits() * BINS * 4;
        (device.shared_bytes_per_block / column).max(1).ilog2().min(5)
    }

    fn count_shared_bytes(&self, device: Device) -> u32 {
        (self.counted_digits() * BINS * 4) << self.count_columns_log2(device)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_waits_from_the_architecture_on_that_launches_are_told() {
        let text = include_str!("../../templates/common/grid_order.cuh");
        let condition = format!("__CUDA_ARCH__ >= {FIRST_WAITING_ARCH}0 ");
        assert_eq!(text.matches(&condition).count(), text.matches("griddepcontrol").count());
    }
}
