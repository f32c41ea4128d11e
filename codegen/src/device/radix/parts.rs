//! Sorts by the upper two digits alone, or by the two of a linear map of the keys' values, which leave parts of the array
//! that a block sorts each: what `templates/device/radix/parts.cuh` and `spread.cuh` need.

use std::ops::Range;

use crate::device::{BINS, Device, DeviceAlgorithm, DeviceSpec, RADIX_BITS};
use crate::types::{KeyClass, KeyType, ValueType};

/// Threads of a block that sorts parts, and the places of each.
///
/// H200, 2026-11-21, µs for 65,536 parts of 4,096 items on average, in a probe: `u32` keys 288 threads 1059, 320 1132, 384
/// 1196; pairs of 4 bytes 1413, 1683, 1666.
pub(in crate::device) const THREADS: u32 = 288;
pub(in crate::device) const PLACES: u32 = 16;
const ITEMS: u32 = THREADS * PLACES;

/// Rows of items, one for each thread, that small parts have at most.
pub(in crate::device) const FEW_ROWS: u32 = 10;

/// The most items that a part is expected to have: six times the deviation of such a number fewer than a block holds.
pub(in crate::device) const MOST_EXPECTED: u32 = ITEMS - 6 * 68;

/// The most items of a cell.
pub(in crate::device) const MOST_IN_CELL: u32 = 56;

/// Items of a part that keys are spread over, if there can be as many parts as that takes.
pub(in crate::device) const SPREAD_ITEMS: u32 = 3840;

/// Upper digits that the numbers of such parts have, at least.
pub(in crate::device) const LEAST_UPPER_DIGITS: u32 = 4;

/// The most parts, and the least items that they have on average, unless there are as few parts as
/// [`LEAST_UPPER_DIGITS`] leave.
pub(in crate::device) const MOST: u32 = 1 << (2 * RADIX_BITS);
pub(in crate::device) const LEAST_ITEMS: u32 = 2048;

/// Items without which it is not worth it. H200, 2026-11-22, µs by all digits and so: `u32` keys 1.5 million 61.0 and 57.7, 4
/// million 110 and 102; with 8-byte values 83.7 and 79.1 at 1.5 million.
const MIN_ITEMS: u64 = 1_500_000;

/// The same where keys may be spread: `f32,u32` with even values two million 101 and 116, three million 159 and 159, six
/// million 237 and 234.
const SPREAD_MIN_ITEMS: u64 = 3_000_000;

/// Passes without which it is not worth it: two are saved, and the parts take about as long as one.
pub(in crate::device) const MIN_PASSES: u32 = 4;

impl DeviceSpec {
    /// Whether the sort may go by the upper two digits and sort the parts that these leave by a block each; see the header's
    /// `_parts`.
    pub fn sorts_parts(&self) -> bool {
        self.algorithm == DeviceAlgorithm::Radix
            && self.key.bits() == 4 * RADIX_BITS
            && self.value.bytes() <= 8
            && !self.wide
    }

    /// Whether it is launched so: where it may be, and for so many items as make it worth it.
    pub fn launches_parts(&self, n: u64, bits: &Range<u32>, device: Device) -> bool {
        let least = if self.spreads() { SPREAD_MIN_ITEMS } else { MIN_ITEMS };
        n >= least && self.may_sort_parts(bits, device)
    }

    /// Whether there are enough passes, all of a key is known by what it is sorted by or kept beside that, and a block has
    /// room.
    pub(in crate::device) fn may_sort_parts(&self, bits: &Range<u32>, device: Device) -> bool {
        let passes = bits.end.saturating_sub(bits.start).div_ceil(RADIX_BITS);
        self.sorts_parts()
            && passes >= MIN_PASSES
            && (self.places_items() || *bits == (0..self.key.bits()))
            && self.part_shared_bytes() <= device.shared_bytes_per_block
    }

    /// Whether parts are sorted by where items are: all but integers alone, which are known by their order. Floats have
    /// two zeros of the same order.
    pub(in crate::device) fn places_items(&self) -> bool {
        self.value != ValueType::None || self.key.info().class == KeyClass::Float
    }

    /// Whether parts may also be those of a linear map of the keys' values, whose two digits are counted beside the keys'.
    pub(in crate::device) fn spreads(&self) -> bool {
        self.sorts_parts() && self.key == KeyType::F32
    }

    /// Digits that are counted.
    pub(in crate::device) fn counted_digits(&self) -> u32 {
        self.max_passes() + if self.spreads() { 2 } else { 0 }
    }

    /// The header's `sizeof(PartStorage)`.
    pub(in crate::device) fn part_shared_bytes(&self) -> u32 {
        let words = (ITEMS + PLACES) / PLACES * (PLACES + 4) * 4;
        let keys = if self.places_items() { ITEMS * self.key.bytes() } else { 0 };
        let starts = if self.places_items() { 0 } else { THREADS * (PLACES + 4) * 4 };
        let counts = (THREADS / 32 + 1) * 4;
        let values = self.value.bytes();
        let before = starts + words + counts;
        let items = if self.interleaves() {
            before.next_multiple_of(self.item_bytes()) + ITEMS * self.item_bytes()
        } else {
            (before + keys).next_multiple_of(values.max(1)) + ITEMS * values
        };
        items.next_multiple_of(16)
    }

    /// Blocks that a multiprocessor is to hold: as many as have room in a data centre's, at most 4, for the registers.
    pub(in crate::device) fn resident_parts(&self) -> u32 {
        (227 * 1024 / (self.part_shared_bytes() + 1024)).clamp(1, 4)
    }

    /// The most parts of n items.
    pub(in crate::device) fn max_parts(n: u64) -> u32 {
        let parts = u32::try_from(n.div_ceil(u64::from(LEAST_ITEMS))).unwrap_or(MOST);
        parts.clamp(LEAST_UPPER_DIGITS * BINS, MOST).next_power_of_two()
    }

    /// Blocks that sort parts of n items.
    pub(in crate::device) fn part_blocks(&self, n: u64, device: Device) -> u32 {
        Self::max_parts(n).min(device.multiprocessors.max(1) * self.resident_parts())
    }
}
