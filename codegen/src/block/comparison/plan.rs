//! What a block's bitonic or merge sort does and needs, decided here once: the header, the launch and `explain` read the
//! same [`ComparisonPlan`].

use crate::block::comparison::merges::{Merge, merges};
use crate::block::comparison::spec::{
    KEY_BITS, LANES, composite_of, padding, shared_bytes, shuffles,
};
use crate::contract::spec::{Algorithm, SortSpec};
use crate::layout::Padding;
use crate::primitives::composite_key::{self, CompositeKey};
use crate::primitives::network::{self, Comparator};
use crate::types::{Arrangement, Block, KeyClass};

/// The most keys that agree in what is compared of them and are put in order one by one afterwards.
pub(crate) const MAX_FIXED_UP: u32 = 12;

/// With this number of warps on a multiprocessor each thread has 64 registers, enough for its packed pairs.
const BOUNDED_WARPS: u32 = 32;
const BOUNDED_COMPOSITES: u32 = 8;

/// The number of blocks that fit on a multiprocessor of every architecture.
const MOST_RESIDENT: u32 = 16;

/// Barriers that find keys with equal truncated keys, put them in order, and check that they are.
const FIX_UP_BARRIERS: u32 = 3;

/// Barriers that find zeros in the input of a tile that has both, and keep their signs.
const ZEROS_BARRIERS: u32 = 5;

/// How -0.0 and +0.0 compare, where keys are floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zeros {
    /// By all bits: -0.0 is less.
    ByBits,
    /// As equal, by what stands below the key.
    AsEqual,
    /// By all bits, and their signs are put in input order once keys are sorted.
    ReorderedAfterwards,
}

/// All that is decided about one block's bitonic or merge sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparisonPlan {
    /// The thread block.
    pub block: Block,
    /// Items of a thread.
    pub items: u32,
    /// What is compared.
    pub composite: CompositeKey,
    /// Composite keys of a thread: one for each item, or for two.
    pub composites: u32,
    /// How zeros of both signs compare.
    pub zeros: Zeros,
    /// Whether values are the tie-break indices.
    pub values_break_ties: bool,
    /// Bits of a position in the tile.
    pub position_bits: u32,
    /// Words of a value that is fetched by its position once the keys are sorted; 0 where none is.
    pub fetched_words: u32,
    /// Sorts a thread's items.
    pub sorter: Vec<Comparator>,
    /// Sorts a thread's items if they are bitonic.
    pub merger: Vec<Comparator>,
    /// Lanes that sort their items by shuffles; 1: none.
    pub shuffled_lanes: u32,
    /// Whether runs are merged along a path that each thread finds by a search, and not by a network.
    pub merges_by_path: bool,
    /// The merges through shared memory.
    pub merges: Vec<Merge>,
    /// How the tile lies in shared memory.
    pub padding: Padding,
    /// The arrangement in which a tile kernel reads, and writes.
    pub tile_arrangement: Arrangement,
    /// `sizeof(TempStorage)`.
    pub shared_bytes: u32,
}

impl ComparisonPlan {
    /// The plan of a spec; `None` where it is of another family.
    pub fn of(spec: &SortSpec) -> Option<Self> {
        let (block, merges_by_path) = match spec.algorithm {
            Algorithm::BlockBitonic { block, .. } => (block, false),
            Algorithm::BlockMerge { block } => (block, true),
            _ => return None,
        };
        let items = spec.items;
        let values_break_ties = composite_key::values_fit_tie_breaks(spec);
        let is_float = spec.key.info().class == KeyClass::Float;
        let composite = composite_of(spec);
        let composites = items / composite.keys();
        let shuffled_lanes = if shuffles(block, composites) { LANES } else { 1 };
        let zeros = if composite_key::orders_zeros(spec) {
            Zeros::ReorderedAfterwards
        } else if is_float && !values_break_ties && composite_key::needs_positions(spec) {
            Zeros::AsEqual
        } else {
            Zeros::ByBits
        };
        Some(Self {
            block,
            items,
            composite,
            composites,
            zeros,
            values_break_ties,
            position_bits: composite_key::bits_of_positions(spec),
            fetched_words: if spec.value.is_read()
                && !values_break_ties
                && composite != CompositeKey::TruncatedKey
            {
                spec.value.bytes().div_ceil(4)
            } else {
                0
            },
            sorter: network::sorter(composites as usize),
            merger: if merges_by_path && shuffled_lanes == 1 {
                Vec::new()
            } else {
                network::bitonic_merger(composites as usize)
            },
            shuffled_lanes,
            merges_by_path,
            merges: merges(block, composite, composites, shuffled_lanes, merges_by_path),
            padding: padding(composites),
            tile_arrangement: if block.has_full_warps() && composite != CompositeKey::PackedPairs {
                Arrangement::WarpStriped
            } else {
                Arrangement::Striped
            },
            shared_bytes: shared_bytes(spec),
        })
    }

    /// The plan of the tiles of a device-wide sort by a network: blocks of full warps, more than one of them.
    /// Where a value goes with its key, in `carried_limbs` words, and no tie-break index tells equal keys apart, items past the end stay
    /// there only if comparisons move nothing where two are equal. Comparisons by shuffles do.
    pub(crate) fn of_tiles(
        (threads, items): (u32, u32),
        composite: CompositeKey,
        marks_negative_zero: bool,
        values_break_ties: bool,
        carried_limbs: u32,
    ) -> Self {
        let block = Block::linear(threads);
        let padding = padding(items);
        let tells_apart = carried_limbs == 0 || composite.has_tie_break();
        let shuffled_lanes = if tells_apart && shuffles(block, items) { LANES } else { 1 };
        Self {
            block,
            items,
            composite,
            composites: items,
            zeros: if marks_negative_zero { Zeros::AsEqual } else { Zeros::ByBits },
            values_break_ties,
            position_bits: 0,
            fetched_words: 0,
            sorter: network::sorter(items as usize),
            merger: network::bitonic_merger(items as usize),
            shuffled_lanes,
            merges_by_path: false,
            merges: merges(block, composite, items, shuffled_lanes, false),
            padding,
            tile_arrangement: Arrangement::Striped,
            shared_bytes: padding.slots(threads * items)
                * 4
                * (composite.registers() + carried_limbs),
        }
    }

    /// Whether truncated keys are compared, and values lie in shared memory by their positions.
    pub fn compares_truncated_keys(&self) -> bool {
        self.composite == CompositeKey::TruncatedKey
    }

    /// Whether the lowest bit of the tie-break index says that the key is -0.0, which is compared as +0.0.
    pub fn marks_negative_zero(&self) -> bool {
        self.zeros == Zeros::AsEqual && !self.compares_truncated_keys()
    }

    /// Warps of the block, the last of which may not be full.
    pub fn warps(&self) -> u32 {
        self.block.threads().div_ceil(LANES)
    }

    /// Blocks that a multiprocessor is to hold, which bounds registers: without it NVRTC takes as many that there is room for one
    /// block of 512 x 16 `f16` keys, which is 0.82 times as fast (H200, NVRTC 13.0).
    pub fn resident_blocks(&self) -> Option<u32> {
        let blocks = (BOUNDED_WARPS / self.warps()).min(MOST_RESIDENT);
        (self.composite == CompositeKey::PackedPairs
            && self.composites <= BOUNDED_COMPOSITES
            && blocks > 1)
            .then_some(blocks)
    }

    /// Slots of a tile in shared memory.
    pub fn slots(&self) -> u32 {
        self.padding.slots(self.block.threads() * self.composites)
    }

    /// Whether there is a merge in which lanes of one access to shared memory read several runs, with halves that are multiples of the period of
    /// banks.
    pub fn swaps_reads(&self) -> bool {
        let swaps = |lanes: u32| (2..16).contains(&lanes) && lanes / 2 * self.composites >= LANES;
        self.merges.iter().any(|merge| swaps(merge.lanes))
    }

    /// `__syncthreads` calls of one sort from any to this arrangement: where truncated keys are compared, of the usual one, in which some keys
    /// agree in theirs.
    pub fn barriers(&self, output: Arrangement) -> u32 {
        if self.compares_truncated_keys() {
            return self.barriers_of_truncated_keys() + FIX_UP_BARRIERS;
        }
        self.barriers_of_merges()
            + u32::from(
                output == Arrangement::Striped || self.composite == CompositeKey::PackedPairs,
            )
            + 2 * self.fetched_words
            + u32::from(self.zeros == Zeros::ReorderedAfterwards)
    }

    /// All numbers of barriers that a sort may have, by its keys.
    pub fn possible_barriers(&self, output: Arrangement) -> Vec<u32> {
        let usual = self.barriers(output);
        if self.zeros == Zeros::ReorderedAfterwards {
            // No zero is negative; all are; there are both.
            return vec![usual, usual + 1, usual + 1 + ZEROS_BARRIERS];
        }
        if !self.compares_truncated_keys() {
            return vec![usual];
        }
        // Truncated keys hide nothing; none are equal; some are. Keys that overflow by those of one kind are sorted by those of the next, and
        // then by further digits, each of which is shown, read and written anew.
        let shown = self.barriers_of_merges() + 1;
        let failed =
            |tries: u32| usual - shown - FIX_UP_BARRIERS + tries * (shown + FIX_UP_BARRIERS);
        let tries = if self.zeros == Zeros::AsEqual { 2 } else { 1 };
        let digits = KEY_BITS.div_ceil(KEY_BITS - self.position_bits);
        let good = (0..tries).flat_map(|overflows| {
            [0, 1, FIX_UP_BARRIERS].map(|fix_up| failed(overflows) + shown + fix_up)
        });
        let overflowing = (1..=tries).flat_map(|overflows| {
            (1..=digits).map(move |digits| failed(overflows) + digits * (shown + 2))
        });
        good.chain(overflowing).collect()
    }

    /// To find the range of keys and to show their sorted composite keys.
    fn barriers_of_truncated_keys(&self) -> u32 {
        self.barriers_of_merges() + 2
    }

    /// Whether runs in shared memory are merged along paths.
    pub(crate) fn has_paths(&self) -> bool {
        self.merges_by_path && !self.merges.is_empty()
    }

    fn barriers_of_merges(&self) -> u32 {
        let of_block = self.merges.iter().filter(|merge| !merge.is_within_warp);
        // What has been merged along a path is written again only after all have read.
        let of_path = u32::from(self.merges_by_path);
        of_block.map(|merge| merge.exchanges.len() as u32 + 1 + of_path).sum()
    }

    /// Exchanges of one item through shared memory: its composite key is written and read in each, but for the one to the output.
    pub fn exchanges(&self) -> u32 {
        self.merges.iter().map(|merge| merge.exchanges.len() as u32 + 1).sum()
    }

    /// Comparisons of a thread in its registers, as far as all threads have as many columns.
    pub fn comparators_in_thread(&self) -> u32 {
        let exchanges = self.merges.iter().flat_map(|merge| &merge.exchanges);
        let in_columns: u32 =
            exchanges.map(|exchange| exchange.segments.ilog2() * self.composites / 2).sum();
        let by_network = if self.merges_by_path { 0 } else { self.merges.len() as u32 };
        let merges = self.shuffled_lanes.ilog2() + by_network;
        let in_registers =
            if self.composite == CompositeKey::PackedPairs { self.composites } else { 0 };
        self.sorter.len() as u32 + merges * self.merger.len() as u32 + in_columns + in_registers
    }

    /// Comparisons of a thread with what it got by shuffles: each is of two items, of which it sends one on.
    pub fn comparators_across_lanes(&self) -> u32 {
        let log = self.shuffled_lanes.ilog2();
        let steps =
            log * (log + 1) / 2 + self.merges.iter().map(|it| it.lanes.ilog2()).sum::<u32>();
        steps * self.composites / 2
    }

    /// Shuffles of a thread, of one register each.
    pub fn shuffles(&self) -> u32 {
        let log = self.shuffled_lanes.ilog2();
        // A merge by shuffles alone begins with an exchange; one with items from shared memory gets them as they are needed.
        let exchanges =
            log * (log + 3) / 2 + self.merges.iter().map(|it| it.lanes.ilog2()).sum::<u32>();
        exchanges * self.composites / 2 * self.composite.registers()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(name: &str) -> ComparisonPlan {
        let spec: SortSpec = name.parse().unwrap_or_else(|error| panic!("{error}"));
        ComparisonPlan::of(&spec).expect("a block's bitonic sort")
    }

    #[test]
    fn exchanges_and_shuffles_take_each_bit_of_a_thread_once() {
        for (name, merges) in [
            ("block_bitonic_sort_u32_keys_b256_i16_asc", 3),
            ("block_bitonic_sort_u32_keys_b512_i4_asc", 4),
            ("block_bitonic_sort_u32_keys_b1024_i2_asc", 5),
            ("block_bitonic_sort_u32_keys_b100_i7_asc", 7),
            ("block_bitonic_sort_u32_keys_b96_i1_asc", 7),
            ("block_bitonic_sort_u32_keys_b1_i9_asc", 0),
        ] {
            let plan = plan(name);
            assert_eq!(plan.merges.len(), merges, "{name}");
            for merge in &plan.merges {
                let in_exchanges: u32 =
                    merge.exchanges.iter().map(|exchange| exchange.segments).product();
                assert_eq!(in_exchanges * merge.lanes, merge.threads, "{name}");
                assert_eq!(
                    merge.exchanges[0].segment * merge.exchanges[0].segments,
                    merge.threads * plan.items
                );
                let last = merge.exchanges.last().expect("there is one");
                assert_eq!(last.segment, merge.lanes * plan.items, "{name}");
                assert!(merge.lanes <= plan.shuffled_lanes, "{name}");
            }
        }
    }

    #[test]
    fn bounded_blocks_have_64_registers_for_each_thread() {
        let blocks = |name: &str| plan(name).resident_blocks();
        for threads in 1..=1024_u32 {
            let name = format!("block_bitonic_sort_u16_keys_b{threads}_i4_asc");
            // A warp that is not full has the registers of one that is.
            let Some(blocks) = blocks(&name) else { continue };
            assert!((2..=16).contains(&blocks), "{name}: {blocks}");
            assert!(blocks * threads.next_multiple_of(32) * 64 <= 1 << 16, "{name}: {blocks}");
        }
        assert_eq!(blocks("block_bitonic_sort_f16_keys_b512_i16_asc"), Some(2));
        // Blocks of which one takes all of it, more composite keys, and keys that are not two in a register.
        for name in ["u16_keys_b1024_i4", "u16_keys_b512_i20", "u32_keys_b512_i8"] {
            assert_eq!(blocks(&format!("block_bitonic_sort_{name}_asc")), None, "{name}");
        }
    }

    #[test]
    fn counts_of_the_usual_shapes() {
        // Shuffles and exchanges of an item, and barriers.
        let counts = |threads: u32, items: u32| {
            let plan = plan(&format!("block_bitonic_sort_u32_keys_b{threads}_i{items}_asc"));
            (2 * plan.shuffles() / items, plan.exchanges(), plan.barriers(Arrangement::Blocked))
        };
        assert_eq!(counts(128, 4), (27, 4, 4));
        assert_eq!(counts(128, 16), (25, 4, 4));
        assert_eq!(counts(256, 16), (29, 6, 6));
        assert_eq!(counts(512, 4), (35, 9, 9));
        assert_eq!(counts(512, 16), (34, 8, 8));
    }

    #[test]
    fn merges_along_paths_have_two_barriers_each_and_none_within_warps() {
        let of = |name: &str| {
            let plan = plan(&format!("block_merge_sort_{name}"));
            let barriers = [Arrangement::Blocked, Arrangement::Striped].map(|it| plan.barriers(it));
            (plan.shuffled_lanes, plan.merges.len(), barriers)
        };
        assert_eq!(of("u32_keys_b256_i4_asc"), (32, 3, [6, 7]));
        assert_eq!(of("f32_u32_b256_i3_asc"), (1, 8, [8, 9]));
        assert_eq!(of("u32_keys_b20_i4_asc"), (1, 5, [10, 11]));
        assert_eq!(of("u32_keys_b32_i4_asc"), (32, 0, [0, 1]));
    }

    #[test]
    fn shared_memory_is_a_word_for_each_limb_of_an_item() {
        assert_eq!(plan("block_bitonic_sort_u32_keys_b128_i7_asc").shared_bytes, 4 * 896);
        assert_eq!(plan("block_bitonic_sort_u16_u16_b128_i8_asc").shared_bytes, 4 * (1024 + 62));
        assert_eq!(plan("block_bitonic_sort_u64_u64_b128_i7_asc").shared_bytes, 4 * 3 * 896);
        // A half and its position do not fit one register.
        assert_eq!(plan("block_bitonic_sort_f16_index_b1024_i32_asc").composite.registers(), 1);
        assert!("block_bitonic_sort_f16_index_b1024_i33_asc".parse::<SortSpec>().is_err());
        assert_eq!(plan("block_bitonic_sort_f16_index_b512_i50_asc").composite.registers(), 1);
    }
}
