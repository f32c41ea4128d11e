//! Sorts by the upper two digits alone, or by the two of a linear map of the keys' values, which leave MSD buckets
//! that a block sorts each: what `templates/device/radix/msd_buckets.cuh` and `linear_map.cuh` need.

use std::ops::Range;

use super::grid::COPY_THREADS;
use super::spec::{BINS, RADIX_BITS, RadixSort};
use crate::contract::device::host::{self, HostFacts, HostLaunch, Number, Truth as _};
use crate::contract::device::launch::{Device, Kernel, Launch};
use crate::types::{KeyType, ValueType};

/// Threads of a block that sorts MSD buckets, and the items of each. More threads take 1.07 to 1.19 times as long (H200, 2026-11-21).
pub(super) const THREADS: u32 = 288;
pub(super) const ROWS: u32 = 16;
const ITEMS: u32 = THREADS * ROWS;

/// Rows of items, one for each thread, that small buckets have at most.
pub(super) const FEW_ROWS: u32 = 10;

/// The most items that a bucket is expected to have: six times the deviation of such a number fewer than a block holds.
pub(super) const MOST_EXPECTED: u32 = ITEMS - 6 * 68;

/// The most items that a sub-bucket has in any case room for: those that composite keys tell from the ones near by, which have 7 bits for it. More
/// are left to the sort by distinct keys, but of keys alone that are soon in order.
pub(super) const MAX_SUB_BUCKET: u32 = 128 - 2 * ROWS;

/// Items of a bucket of the linear map, if there can be as many buckets as that takes.
pub(super) const MAPPED_BUCKET_ITEMS: u32 = 3840;

/// Upper digits that the numbers of such buckets have, at least.
pub(super) const MIN_UPPER_DIGITS: u32 = 4;

/// The most buckets, and the least items that they have on average, unless there are as few buckets as
/// [`MIN_UPPER_DIGITS`] leave.
pub(super) const MOST: u32 = 1 << (2 * RADIX_BITS);
pub(super) const LEAST_ITEMS: u32 = 2048;

/// More shared upper bits than are left out: those of a digit take no pass in any case.
pub(super) const ALL_BITS: u64 = RADIX_BITS as u64;

/// Copies of most keys with which buckets have few distinct keys, and all digits are faster.
const MANY_COPIES: u32 = 40;

/// Likewise, of keys alone that go by their digits. Of the linear map's sub-buckets some have two of these keys, and are not in order after a few rounds.
const MANY_COPIES_ALONE: u32 = 128;

/// Items without which it is not worth it: from here on all digits take 1.06 times as long (H200, 2026-11-22).
const MIN_ITEMS: u64 = 1_500_000;

/// The same where there may be a linear map: pairs with even values are as fast by all digits here, and 1.15 times as fast with two thirds as
/// many (H200, 2026-11-22).
const MAPPED_MIN_ITEMS: u64 = 3_000_000;

/// Passes without which it is not worth it: two are saved, and the buckets take about as long as one.
pub(super) const MIN_PASSES: u32 = 4;

impl RadixSort {
    /// The kernel that finds the offsets of the MSD buckets that sorting by the upper two digits leaves.
    pub const BUCKET_OFFSETS: Kernel = Kernel::new("_bucket_offsets");
    /// The kernel that sorts these buckets.
    pub const MSD_BUCKETS: Kernel = Kernel::new("_msd_buckets");

    /// Whether the sort may go by the upper two digits and sort the buckets that these leave by a block each; see the
    /// header's `_msd_buckets`.
    pub fn sorts_msd_buckets(&self) -> bool {
        let is_word = self.key.bits() == 4 * RADIX_BITS && self.key.bytes() == 4;
        is_word && self.value.bytes() <= 8 && !self.wide
    }

    /// Whether it is launched so: where it may be, and where it pays for n items.
    pub(super) fn launches_msd_buckets<N: Number>(&self, facts: &HostFacts<N>) -> N::Truth {
        let least = if self.maps_values() { MAPPED_MIN_ITEMS } else { MIN_ITEMS };
        facts.n.clone().reaches(N::known(least)).and(self.may_sort_msd_buckets(facts))
    }

    /// The launches that may sort MSD buckets, where the spec, the bits and the device allow it: what a sort launches, if it pays
    /// for n items. None for no items.
    pub fn msd_bucket_launches(
        &self,
        n: u64,
        bits: &Range<u32>,
        device: Device,
    ) -> Option<Vec<Launch>> {
        let facts = HostFacts::of(n, bits, device);
        let may = n > 0 && self.may_sort_msd_buckets(&facts);
        may.then(|| host::made(self.pass_launches(&facts, &true)))
    }

    /// The fewest upper bits that are left out where all of n keys share them, of sorts that have no linear map: without these the upper two digits
    /// leave buckets that a block may have no room for. Twice as many items as it expects are room for keys that are not even. [`ALL_BITS`] are none.
    pub(super) fn fewest_shared_bits<N: Number>(&self, n: N) -> N {
        if self.maps_values() {
            return N::known(ALL_BITS);
        }
        let buckets = n.minus(N::known(1)).divided_by(N::known((MOST_EXPECTED / 2).into()));
        let all = N::known((2 * RADIX_BITS).into());
        all.minus(buckets.log2()).at_least(N::known(1)).at_most(N::known(ALL_BITS))
    }

    /// As many copies of most keys leave buckets that take longer than passes.
    pub(super) fn many_copies(&self) -> u32 {
        let are_alone = self.value == ValueType::None && !self.maps_values();
        if are_alone { MANY_COPIES_ALONE } else { MANY_COPIES }
    }

    /// The launches between the phases.
    pub(super) fn msd_bucket_kernels<N: Number>(&self, facts: &HostFacts<N>) -> [HostLaunch<N>; 4] {
        let offsets = HostLaunch::new(
            Self::BUCKET_OFFSETS,
            Self::bucket_offset_blocks(facts),
            COPY_THREADS,
            N::known(0),
        );
        let buckets = HostLaunch::new(
            Self::MSD_BUCKETS,
            self.msd_bucket_blocks(facts),
            THREADS,
            N::known(self.msd_bucket_shared_bytes().into()),
        );
        let [count, gather] = Self::overflow_launches(facts);
        [offsets, buckets, count, gather]
    }

    /// Whether there are enough passes, all of a key is known by what it is sorted by or kept beside that, and a block has
    /// room.
    fn may_sort_msd_buckets<N: Number>(&self, facts: &HostFacts<N>) -> N::Truth {
        let may = N::Truth::known(self.sorts_msd_buckets()).and(
            facts
                .shared_bytes_per_block
                .clone()
                .reaches(N::known(self.msd_bucket_shared_bytes().into())),
        );
        if self.sorts_positions() {
            may.and(Self::passes(facts).reaches(N::known(MIN_PASSES.into())))
        } else {
            may.and(self.sorts_all_bits(facts))
        }
    }

    /// Whether buckets are sorted by composite keys with positions: all but integers alone, which are known by their order. Floats have
    /// two zeros of the same order.
    pub(super) fn sorts_positions(&self) -> bool {
        self.value != ValueType::None || self.key.has_float()
    }

    /// Whether buckets may also be those of a linear map of the keys' values; its two digits are counted beside the keys'.
    pub(super) fn maps_values(&self) -> bool {
        self.sorts_msd_buckets() && self.key == KeyType::F32
    }

    /// The header's `sizeof(BucketStorage)`.
    pub(super) fn msd_bucket_shared_bytes(&self) -> u32 {
        let words = (ITEMS + ROWS) / ROWS * (ROWS + 4) * 4;
        let keys = if self.sorts_positions() { ITEMS * self.key.bytes() } else { 0 };
        let offsets = if self.sorts_positions() { 0 } else { THREADS * (ROWS + 4) * 4 };
        let counts = (THREADS / 32 + 1) * 4;
        let values = self.value.bytes();
        let before = offsets + words + counts;
        let items = if self.interleaves() {
            before.next_multiple_of(self.item_bytes()) + ITEMS * self.item_bytes()
        } else {
            (before + keys).next_multiple_of(values.max(1)) + ITEMS * values
        };
        items.next_multiple_of(16)
    }

    /// Blocks that a multiprocessor is to hold: as many as have room in a data centre's, at most 4, for the registers.
    pub(super) fn resident_msd_buckets(&self) -> u32 {
        (227 * 1024 / (self.msd_bucket_shared_bytes() + 1024)).clamp(1, 4)
    }

    /// The most buckets of n items.
    pub(super) fn max_msd_buckets<N: Number>(n: N) -> N {
        let [least, most] = [MIN_UPPER_DIGITS * BINS, MOST].map(|it| N::known(it.into()));
        let buckets = n.divided_up_by(N::known(LEAST_ITEMS.into()));
        buckets.at_least(least).at_most(most).next_power_of_two()
    }

    /// Blocks that find the offsets of the buckets of n items: a thread for each offset at least, a warp at most. Where every
    /// multiprocessor has one, fewer blocks of the next kernel can begin early: pairs of 4 bytes take 1.02 times as long then (H100, 2026-11-25).
    fn bucket_offset_blocks<N: Number>(facts: &HostFacts<N>) -> N {
        let known = |number: u32| N::known(number.into());
        let offsets = Self::max_msd_buckets(facts.n.clone()).plus(known(1));
        let of_warps = known(32).times(offsets.clone()).divided_up_by(known(COPY_THREADS));
        let most = facts.multiprocessors.clone().divided_by(known(2)).at_most(of_warps);
        most.at_least(offsets.divided_up_by(known(COPY_THREADS)))
    }

    /// Blocks that sort the buckets of n items.
    fn msd_bucket_blocks<N: Number>(&self, facts: &HostFacts<N>) -> N {
        let resident = N::known(self.resident_msd_buckets().into());
        let most = facts.multiprocessors.clone().times(resident);
        Self::max_msd_buckets(facts.n.clone()).at_most(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::device::spec::DeviceSpec;

    #[test]
    fn fewer_shared_bits_matter_for_more_keys() {
        let fewest = |name: &str, n: u64| {
            let spec: DeviceSpec = name.parse().expect("legal");
            RadixSort::of(&spec).expect("a radix sort").fewest_shared_bits(n)
        };
        let [of_integers, of_floats] = ["u32", "f32"].map(|key| {
            let name = format!("device_radix_sort_{key}_u32_b384_i16_asc");
            move |n: u64| fewest(&name, n)
        });
        // With as many shared bits buckets have 2,100 keys or more.
        let keys = |shared: u32| u64::from(MOST_EXPECTED / 2) << (2 * RADIX_BITS - shared);
        for shared in 1..8 {
            assert_eq!(of_integers(keys(shared) + 1), u64::from(shared));
            assert_eq!(of_integers(keys(shared)), u64::from(shared) + 1);
        }
        assert_eq!([0, 1, 4200].map(&of_integers), [ALL_BITS; 3]);
        assert_eq!([1 << 29, (1 << 32) - 1].map(&of_integers), [1; 2]);
        assert_eq!([1 << 20, 1 << 28].map(&of_floats), [ALL_BITS; 2]);
    }
}
