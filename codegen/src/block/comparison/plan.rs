//! What a block's bitonic or merge sort does and needs, decided here once: the header, the launch and `explain` read the
//! same [`ComparisonPlan`].

use crate::block::comparison::spec::{KEY_BITS, LANES, padding, shared_bytes, shuffles, word_of};
use crate::contract::spec::{Algorithm, SortSpec};
use crate::layout::Padding;
use crate::primitives::network::{self, Comparator};
use crate::primitives::word::{self, Word};
use crate::types::{Arrangement, Block, KeyClass};

/// The most keys that agree in what is compared of them and are put in order one by one afterwards.
pub(crate) const MAX_FIXED_UP: u32 = 12;

/// With this number of warps on a multiprocessor each thread has 64 registers, enough for its words of packed pairs.
const BOUNDED_WARPS: u32 = 32;
const BOUNDED_WORDS: u32 = 8;

/// The number of blocks that fit on a multiprocessor of every architecture.
const MOST_RESIDENT: u32 = 16;

/// Barriers that find keys with equal truncated keys, put them in order, and check that they are.
const FIX_UP_BARRIERS: u32 = 3;

/// Barriers that find zeros in the input of a tile that has both, and keep their signs.
const ZEROS_BARRIERS: u32 = 5;

/// Items of a column, at most: they are in registers beside nothing else.
const COLUMN_ITEMS: u32 = 16;

/// One exchange through shared memory, in which threads merge columns: items that are a segment apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnExchange {
    /// Positions from one item of a column to the next.
    pub segment: u32,
    /// Items of a column.
    pub segments: u32,
    /// Whether the upper half of a column is taken from the mirrored positions: in the first exchange of a merge.
    pub is_mirrored: bool,
}

/// A merge of sorted runs, two by two, in shared memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merge {
    /// Threads with items that are one run afterwards.
    pub threads: u32,
    /// Whether such a run is always within the items of one warp.
    pub is_within_warp: bool,
    /// The exchanges of a network; none along a path.
    pub exchanges: Vec<ColumnExchange>,
    /// Lanes that merge their items by shuffles after the exchanges; 1: none, each thread merges its own.
    pub lanes: u32,
    /// Whether what is merged are the two sequences that lie in the halves of words.
    pub packs_pairs: bool,
}

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
    pub word: Word,
    /// Words of a thread: one for each item, or for two.
    pub words: u32,
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
        let values_break_ties = word::values_fit_tie_breaks(spec);
        let is_float = spec.key.info().class == KeyClass::Float;
        let word = word_of(spec);
        let words = items / word.keys();
        let shuffled_lanes = if shuffles(block, words) { LANES } else { 1 };
        let zeros = if word::orders_zeros(spec) {
            Zeros::ReorderedAfterwards
        } else if is_float && !values_break_ties && word::needs_positions(spec) {
            Zeros::AsEqual
        } else {
            Zeros::ByBits
        };
        Some(Self {
            block,
            items,
            word,
            words,
            zeros,
            values_break_ties,
            position_bits: word::bits_of_positions(spec),
            fetched_words: if spec.value.is_read()
                && !values_break_ties
                && word != Word::TruncatedKey
            {
                spec.value.bytes().div_ceil(4)
            } else {
                0
            },
            sorter: network::sorter(words as usize),
            merger: if merges_by_path && shuffled_lanes == 1 {
                Vec::new()
            } else {
                network::bitonic_merger(words as usize)
            },
            shuffled_lanes,
            merges_by_path,
            merges: merges(block, word, words, shuffled_lanes, merges_by_path),
            padding: padding(words),
            tile_arrangement: if block.has_full_warps() && word != Word::PackedPairs {
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
        word: Word,
        marks_negative_zero: bool,
        values_break_ties: bool,
        carried_limbs: u32,
    ) -> Self {
        let block = Block::linear(threads);
        let padding = padding(items);
        let tells_apart = carried_limbs == 0 || word.has_tie_break();
        let shuffled_lanes = if tells_apart && shuffles(block, items) { LANES } else { 1 };
        Self {
            block,
            items,
            word,
            words: items,
            zeros: if marks_negative_zero { Zeros::AsEqual } else { Zeros::ByBits },
            values_break_ties,
            position_bits: 0,
            fetched_words: 0,
            sorter: network::sorter(items as usize),
            merger: network::bitonic_merger(items as usize),
            shuffled_lanes,
            merges_by_path: false,
            merges: merges(block, word, items, shuffled_lanes, false),
            padding,
            tile_arrangement: Arrangement::Striped,
            shared_bytes: padding.slots(threads * items) * 4 * (word.registers() + carried_limbs),
        }
    }

    /// Whether truncated keys are compared, and values lie in shared memory by their positions.
    pub fn compares_truncated_keys(&self) -> bool {
        self.word == Word::TruncatedKey
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
        (self.word == Word::PackedPairs && self.words <= BOUNDED_WORDS && blocks > 1)
            .then_some(blocks)
    }

    /// Slots of a tile in shared memory.
    pub fn slots(&self) -> u32 {
        self.padding.slots(self.block.threads() * self.words)
    }

    /// Whether there is a merge in which lanes of one access to shared memory read several runs, with halves that are multiples of the period of
    /// banks.
    pub fn swaps_reads(&self) -> bool {
        let swaps = |lanes: u32| (2..16).contains(&lanes) && lanes / 2 * self.words >= LANES;
        self.merges.iter().any(|merge| swaps(merge.lanes))
    }

    /// `__syncthreads` calls of one sort from any to this arrangement: where truncated keys are compared, of the usual one, in which some keys
    /// agree in theirs.
    pub fn barriers(&self, output: Arrangement) -> u32 {
        if self.compares_truncated_keys() {
            return self.barriers_of_truncated_keys() + FIX_UP_BARRIERS;
        }
        self.barriers_of_merges()
            + u32::from(output == Arrangement::Striped || self.word == Word::PackedPairs)
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

    /// To find the range of keys and to show their sorted words.
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

    /// Exchanges of one item through shared memory: its word is written and read in each, but for the one to the output.
    pub fn exchanges(&self) -> u32 {
        self.merges.iter().map(|merge| merge.exchanges.len() as u32 + 1).sum()
    }

    /// Comparisons of a thread in its registers, as far as all threads have as many columns.
    pub fn comparators_in_thread(&self) -> u32 {
        let exchanges = self.merges.iter().flat_map(|merge| &merge.exchanges);
        let in_columns: u32 =
            exchanges.map(|exchange| exchange.segments.ilog2() * self.words / 2).sum();
        let by_network = if self.merges_by_path { 0 } else { self.merges.len() as u32 };
        let merges = self.shuffled_lanes.ilog2() + by_network;
        let in_words = if self.word == Word::PackedPairs { self.words } else { 0 };
        self.sorter.len() as u32 + merges * self.merger.len() as u32 + in_columns + in_words
    }

    /// Comparisons of a thread with what it got by shuffles: each is of two items, of which it sends one on.
    pub fn comparators_across_lanes(&self) -> u32 {
        let log = self.shuffled_lanes.ilog2();
        let steps =
            log * (log + 1) / 2 + self.merges.iter().map(|it| it.lanes.ilog2()).sum::<u32>();
        steps * self.words / 2
    }

    /// Shuffles of a thread, of one register each.
    pub fn shuffles(&self) -> u32 {
        let log = self.shuffled_lanes.ilog2();
        // A merge by shuffles alone begins with an exchange; one with items from shared memory gets them as they are needed.
        let exchanges =
            log * (log + 3) / 2 + self.merges.iter().map(|it| it.lanes.ilog2()).sum::<u32>();
        exchanges * self.words / 2 * self.word.registers()
    }
}

/// A column has up to twice as many items as a thread: half of the threads have one then, and fewer exchanges are left.
fn column_bits(items: u32) -> u32 {
    (2 * items).min(COLUMN_ITEMS).ilog2()
}

fn merges(block: Block, word: Word, words: u32, shuffled_lanes: u32, by_path: bool) -> Vec<Merge> {
    let all_bits = block.threads().next_power_of_two().ilog2();
    let lane_bits = shuffled_lanes.ilog2();
    // Of two sequences in the halves of words, one rises and the other falls: they meet in order as they are.
    let merge = |bits: u32, packs_pairs: bool| {
        let (mut left, mut exchanges) = (bits, Vec::new());
        while !by_path && left > lane_bits {
            let taken = column_bits(words).min(left);
            left -= taken;
            exchanges.push(ColumnExchange {
                segment: words << left,
                segments: 1 << taken,
                is_mirrored: exchanges.is_empty() && !packs_pairs,
            });
        }
        Merge {
            threads: 1 << bits,
            is_within_warp: block.has_full_warps() && 1 << bits <= LANES,
            exchanges,
            lanes: if by_path { 1 } else { 1 << left },
            packs_pairs,
        }
    };
    let mut merges: Vec<Merge> =
        (lane_bits + 1..=all_bits).map(|bits| merge(bits, false)).collect();
    if word == Word::PackedPairs {
        merges.push(merge(all_bits, true));
    }
    merges
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
        // Blocks of which one takes all of it, more words, and keys that are not two in a register.
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
        assert_eq!(plan("block_bitonic_sort_f16_index_b1024_i32_asc").word.registers(), 1);
        assert!("block_bitonic_sort_f16_index_b1024_i33_asc".parse::<SortSpec>().is_err());
        assert_eq!(plan("block_bitonic_sort_f16_index_b512_i50_asc").word.registers(), 1);
    }
}
