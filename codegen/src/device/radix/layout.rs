//! The shared memory of a pass, and the workspace.

use crate::contract::device::host::{HostScratch, Number};
use crate::contract::device::launch::Launch;
use crate::contract::device::scratch::Scratch;

use super::counting::HISTOGRAM_SEGMENTS;
use super::spec::{BINS, RadixSort};
use super::tie_fix_up::{self, slot_bytes};
use super::upper_digits::SPARED_PASSES;

/// Bytes of a line of the caches, at the least.
const LINE_BYTES: u32 = 128;

impl RadixSort {
    /// Whether a pass loads regular tiles with a slot unused behind each row. Tiles of floats that a linear map sorts leave no room for it
    /// beside as many blocks of a multiprocessor.
    pub(super) fn pads_rows(&self) -> bool {
        !self.maps_values()
    }

    /// The alignment of keys in shared memory: an integer's bytes, or that of the struct.
    fn key_align(&self) -> u32 {
        self.key.unsigned().map_or(self.key.align(), |it| it.bytes)
    }

    /// Slots of a tile, where each row of 32 and each warp may have an unused one behind it. Each array of them ends where the copy engine
    /// could write another, at a multiple of 16 bytes.
    pub(super) fn slots(&self) -> u32 {
        if !self.pads_rows() {
            return self.tile_items();
        }
        // Of elements of this size, which for structs may be other than a power of two.
        let multiple_for =
            |bytes: u32| if bytes == 0 { 1 } else { 16 >> bytes.trailing_zeros().min(4) };
        let multiple = multiple_for(self.key.bytes()).max(multiple_for(self.value.bytes()));
        (self.threads / 32 * (33 * self.items + 1)).next_multiple_of(multiple)
    }

    /// The header's `sizeof(PassStorage)`.
    pub(super) fn pass_shared_bytes(&self) -> u32 {
        let (key, value, count) = (self.key.bytes(), self.value.bytes(), self.count_type().bytes);
        let tile = self.tile_items();
        let slots = self.slots();
        let arrays = (slots * key).next_multiple_of(value.max(1)) + slots * value;
        let items = if self.interleaves() { slots * self.item_bytes() } else { 0 };
        let copies = arrays.max(items).next_multiple_of(8) + 8;
        let counters = BINS * count + 4 * BINS + self.threads / 32 * BINS * 4;
        let rest = BINS / 32 * 4 + 16 + 2 * tile;
        let align =
            if self.interleaves() { self.item_bytes() } else { self.key_align().max(value) };
        (copies + counters + rest).next_multiple_of(align.max(8))
    }

    /// Bytes of the header's `Control`, which the workspace begins with.
    pub(super) fn control_bytes(&self) -> u32 {
        self.bytes_to_last_member().next_multiple_of(LINE_BYTES)
    }

    /// What is unused in `Control`: before the histograms, and behind its last member. So histograms and descriptors begin with a line.
    pub(super) fn unused_control_bytes(&self) -> [u32; 2] {
        [
            self.bytes_to_bins() - self.control_words() * 4,
            self.control_bytes() - self.bytes_to_last_member(),
        ]
    }

    fn bytes_to_bins(&self) -> u32 {
        (self.control_words() * 4).next_multiple_of(LINE_BYTES)
    }

    fn bytes_to_last_member(&self) -> u32 {
        let counts = self.counted_digits() * BINS * self.count_type().bytes;
        let odd_item = if self.interleaves() { self.item_bytes() } else { 0 };
        self.bytes_to_bins() + counts + self.overflow_count_bytes() + odd_item
    }

    /// Words before the histograms.
    fn control_words(&self) -> u32 {
        // Of 8 bytes in all is what says which buckets overflow; `needs_all` has four.
        let (phases, more) = match (self.fixes_up_ties(), self.sorts_msd_buckets()) {
            (true, _) => (2, 3),
            (_, true) => (2, 5),
            _ => (1, 0),
        };
        let slots = self.max_passes() * phases - (phases - 1) * SPARED_PASSES;
        // The linear map, or the shared bits.
        let map = match (self.maps_values(), self.sorts_msd_buckets()) {
            (true, _) => 4,
            (_, true) => 2,
            _ => 0,
        };
        let of_ties = (tie_fix_up::SAMPLE_BYTES + tie_fix_up::QUEUE_BYTES) / 4;
        let ties = if self.fixes_up_ties() { of_ties } else { 0 };
        let determined = u32::from(self.finds_determined_digits());
        phases + more + determined + map + self.max_passes() + slots + ties
    }

    /// What these launches of a sort of n items use.
    pub(super) fn scratch(&self, n: u64, launches: &[Launch]) -> Scratch {
        let is_counting = launches.iter().any(|launch| launch.kernel == Self::EXPAND);
        self.host_scratch(n, &is_counting).into()
    }

    /// What a sort of n items uses, by counting or by passes. The workspace is the header's `zeroed_bytes(n)` and
    /// `workspace_bytes(n)`, and its `counting_bytes()` for both where keys are counted.
    pub(super) fn host_scratch<N: Number>(&self, n: N, is_counting: &N::Truth) -> HostScratch<N> {
        let known = |number: u32| N::known(number.into());
        let counted = if self.has_key_histogram() { (1 << 16) + HISTOGRAM_SEGMENTS } else { 0 };
        let of_tiles = self.tiles(n.clone()).times(known(BINS));
        let counters = N::choose(is_counting, known(counted), of_tiles);
        let count = || known(self.count_type().bytes);
        let zeroed = known(self.control_bytes()).plus(counters.times(count()));
        let zeroed = if self.fixes_up_ties() { zeroed.plus(slot_bytes(n.clone())) } else { zeroed };
        let workspace = if self.sorts_msd_buckets() {
            // Of each bucket: its offset, that of its items among all that overflow, and what the queue has.
            let words = known(4).times(Self::max_msd_buckets(n.clone())).plus(known(1));
            zeroed.clone().plus(words.times(count())).next_multiple_of(16)
        } else {
            zeroed.clone()
        };
        let keys = n.clone().times(known(self.key.bytes()));
        let alternate_keys = if self.interleaves() { keys } else { keys.next_multiple_of(16) };
        let alternate = alternate_keys.clone().plus(n.times(known(self.value.bytes())));
        // The expansion writes the keys from their counts, and needs no other array.
        let unless_counting = |bytes| N::choose(is_counting, N::known(0), bytes);
        HostScratch {
            zeroed,
            workspace,
            alternate: unless_counting(alternate),
            alternate_keys: unless_counting(alternate_keys),
        }
    }
}
