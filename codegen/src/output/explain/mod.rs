//! What a sort does and takes, in figures, before anything is compiled.

mod choice;
mod comparison;
mod device_wide;

use serde::Serialize;

use crate::block::comparison::plan::ComparisonPlan;
use crate::block::radix::plan::{BinScan, Carry, RadixPlan, RankPlan, SharedArray};
use crate::contract::spec::{Family, SortSpec};
use crate::primitives::word::Word;
use crate::types::{Arch, Arrangement, KeyType, LaneMatch, Order, Token, ValueType};
use crate::warp::bitonic::plan::{TileOutput, WarpPlan};

pub use choice::{CandidateRow, ChoiceExplanation, MeasuredTiles, RuledOutRow};
pub use comparison::Comparison;
pub use device_wide::{DeviceSortExplanation, GatherExplanation, LaunchRow, OneSort};

/// All that is known of a spec on an architecture.
///
/// ```
/// use sortsmith_codegen::{explain::Explanation, Arch, SortSpec};
/// let spec: SortSpec = "block_radix_sort_f32_u32_b256_i16_r6_desc".parse().unwrap();
/// let explanation = Explanation::of(&spec, Arch::new(90).unwrap());
/// let radix = explanation.radix.unwrap();
/// assert_eq!(radix.passes, 6);
/// assert_eq!(radix.shared.bytes, radix.on_arch.shared_bytes);
/// assert!(radix.on_arch.fits);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// The spec's name.
    pub name: String,
    /// The algorithm.
    pub algorithm: Family,
    /// The type of the keys.
    pub key: KeyType,
    /// Bytes of a key.
    pub key_bytes: u32,
    /// What travels with each key.
    pub value: ValueType,
    /// Bytes of a value.
    pub value_bytes: u32,
    /// Which end comes first.
    pub order: Order,
    /// Whether equal keys keep their order.
    pub stable: bool,
    /// Threads that sort a tile together.
    pub threads: u32,
    /// Items of a thread.
    pub items: u32,
    /// Items of a tile.
    pub tile_items: u32,
    /// Which thread holds which position before the sort.
    pub input: Arrangement,
    /// Which thread holds which position after the sort.
    pub output: Arrangement,
    /// What a radix sort does; none for other algorithms.
    pub radix: Option<Radix>,
    /// What the sort of a logical warp does; none for other algorithms.
    pub warp: Option<Warp>,
    /// What a block's bitonic or merge sort does; none for other algorithms.
    pub comparison: Option<Comparison>,
}

/// What the sort of a logical warp does and takes. All counts are for one lane, or for one instruction of all lanes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Warp {
    /// What the network compares, in words.
    pub compares: &'static str,
    /// Registers of what is compared.
    pub word_registers: u32,
    /// Registers of a value that moves with it where a member of the struct sorts.
    pub carried_registers: u32,
    /// Whether values take the place of positions in full tiles, and no register of their own.
    pub tile_values_break_ties: bool,
    /// Comparisons within the lane: to sort its items, and to merge them each time that runs have grown.
    pub comparators_in_lane: u32,
    /// Comparisons of its items with those of other lanes.
    pub comparators_across_lanes: u32,
    /// Whether lanes exchange one of each two items that were compared, or each item.
    pub exchanges_halves: bool,
    /// Shuffles of the tile kernel.
    pub tile_shuffles: u32,
    /// Shuffles of `Sort`.
    pub sort_shuffles: u32,
    /// The same for each item of the tile kernel.
    pub tile_shuffles_per_item: f32,
    /// Threads of a block of the tile kernel.
    pub tile_threads: u32,
    /// Tiles of such a block.
    pub tiles_per_block: u32,
    /// Items that a lane of the tile kernel reads at once.
    pub read_items: u32,
    /// Items that it writes at once.
    pub written_items: u32,
    /// How the tile kernel's lanes write.
    pub writes: &'static str,
}

/// What a block radix sort does and takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Radix {
    /// Bits of a digit.
    pub radix_bits: u32,
    /// The first bit and one past the last; all bits of the key where the sort's arguments say which.
    pub bits: (u32, u32),
    /// Whether the bits are constants of the kernel.
    pub static_bits: bool,
    /// Passes over these bits.
    pub passes: u32,
    /// How items are ranked.
    pub rank: String,
    /// The arrangement in which they are ranked.
    pub ranked_in: Arrangement,
    /// What goes through shared memory beside the key in each pass.
    pub carries: &'static str,
    /// Bytes a pass writes to shared memory for each item, and reads back, for the key.
    pub key_bytes_per_pass: u32,
    /// The same for what goes with it.
    pub carried_bytes_per_pass: u32,
    /// Bytes of values that move for each item once, after the last pass.
    pub value_bytes_at_end: u32,
    /// Barriers that one more pass costs.
    pub barriers_per_pass: u32,
    /// Barriers of one sort over these bits.
    pub barriers: u32,
    /// Shared memory and its arrays.
    pub shared: Shared,
    /// What that means on the architecture.
    pub on_arch: Fit,
}

/// Shared memory of a block and how it is used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Shared {
    /// All of it.
    pub bytes: u32,
    /// Whether ranking and exchange use the same bytes, one after the other.
    pub overlaps: bool,
    /// What ranking uses.
    pub ranking: Vec<Part>,
    /// What the exchange of items uses.
    pub exchange: Vec<Part>,
    /// What takes the exchange's bytes after the last pass.
    pub at_end: Vec<Part>,
}

/// An array in shared memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    /// What it holds.
    pub what: &'static str,
    /// Its size, without padding between arrays.
    pub bytes: u32,
}

/// What the shared memory allows on an architecture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fit {
    /// The architecture.
    pub arch: String,
    /// What a block needs.
    pub shared_bytes: u32,
    /// What a block may have.
    pub max_shared_bytes: u32,
    /// Whether that is enough.
    pub fits: bool,
    /// Blocks that fit the shared memory of a multiprocessor at the same time. Registers may allow fewer.
    pub resident_blocks: u32,
    /// Their threads, if the multiprocessor runs that many.
    pub resident_threads: u32,
}

impl Explanation {
    /// Explains a spec.
    pub fn of(spec: &SortSpec, arch: Arch) -> Self {
        let family = spec.algorithm.family();
        Self {
            name: spec.to_string(),
            algorithm: family,
            key: spec.key,
            key_bytes: spec.key.bytes(),
            value: spec.value,
            value_bytes: spec.value.bytes(),
            order: spec.order,
            stable: spec.algorithm.is_stable(),
            threads: spec.algorithm.block().threads(),
            items: spec.items,
            tile_items: spec.tile_items(),
            input: spec.input,
            output: spec.output,
            radix: RadixPlan::of(spec).map(|plan| Radix::of(spec, &plan, arch)),
            warp: WarpPlan::of(spec).map(|plan| Warp::of(spec, &plan)),
            comparison: ComparisonPlan::of(spec).map(|plan| Comparison::of(spec, &plan, arch)),
        }
    }
}

impl Warp {
    fn of(spec: &SortSpec, plan: &WarpPlan) -> Self {
        let compares = match plan.word {
            Word::Bits(_) => "ordered bits",
            Word::PackedPairs => "ordered bits of two keys at once, in one register",
            Word::Joined { .. } | Word::TruncatedKey => {
                "ordered bits and the position, in one register"
            }
            Word::Apart(_) => "ordered bits, then the position",
        };
        Self {
            compares,
            word_registers: plan.word.registers(),
            carried_registers: plan.carried_registers,
            tile_values_break_ties: plan.tile_values_break_ties,
            comparators_in_lane: plan.comparators_in_lane(),
            comparators_across_lanes: plan.comparators_across_lanes(),
            exchanges_halves: plan.exchanges_halves(),
            tile_shuffles: plan.tile_shuffles(),
            sort_shuffles: plan.member_shuffles(spec.output),
            tile_shuffles_per_item: plan.tile_shuffles() as f32 / plan.items as f32,
            tile_threads: plan.tile_threads,
            tiles_per_block: plan.tiles_per_block(),
            read_items: plan.read_items,
            written_items: plan.written_items(),
            writes: match plan.tile_output {
                TileOutput::Blocked => "each its own run",
                TileOutput::Paired => "two of them a sector",
                TileOutput::Striped => "side by side",
            },
        }
    }
}

impl Radix {
    fn of(spec: &SortSpec, plan: &RadixPlan, arch: Arch) -> Self {
        Self {
            radix_bits: plan.radix_bits,
            bits: plan.static_bits.unwrap_or((0, spec.key.bits())),
            static_bits: plan.static_bits.is_some(),
            passes: plan.passes,
            rank: rank_words(plan),
            ranked_in: plan.ranked,
            carries: match plan.carry {
                Carry::Nothing => "nothing",
                Carry::Values => "its value",
                Carry::Positions => "its position",
                Carry::Sources => "the position of its value",
            },
            key_bytes_per_pass: plan.stored_key.bytes,
            carried_bytes_per_pass: plan.carried().map_or(0, |carried| carried.bytes),
            value_bytes_at_end: plan.value_words() * 4,
            barriers_per_pass: with_passes(plan, 2).barriers() - with_passes(plan, 1).barriers(),
            barriers: plan.barriers(),
            shared: Shared::of(plan),
            on_arch: Fit::of(arch, plan.shared_bytes, plan.block.threads()),
        }
    }
}

fn with_passes(plan: &RadixPlan, passes: u32) -> RadixPlan {
    let mut plan = *plan;
    plan.passes = passes;
    plan
}

fn rank_words(plan: &RadixPlan) -> String {
    match plan.rank {
        RankPlan::Packed { lanes, segment, memoize, inner_scan } => {
            let memoize = if memoize { "kept in registers" } else { "read twice" };
            let scan = inner_scan.token();
            format!(
                "packed: {lanes} counter words a thread in rows of {segment}, {memoize}; inner scan {scan}"
            )
        }
        RankPlan::Match { scan, lanes } => {
            let lanes = match lanes {
                LaneMatch::Ballots => "ballots",
                LaneMatch::SharedMasks => "masks in shared memory",
            };
            let scan = match scan {
                BinScan::Bins(bins) => format!("{bins} bins scanned a thread"),
                BinScan::Groups(groups) => format!("{groups} threads scan a bin"),
            };
            let bins = plan.bins();
            format!("match: {bins} bins for each warp, lanes matched by {lanes}; {scan}")
        }
        RankPlan::Counts => {
            let bins = plan.bins();
            format!("any among equal keys, which are alike: {bins} counters of the block")
        }
    }
}

impl Shared {
    fn of(plan: &RadixPlan) -> Self {
        let listed = |arrays: &[SharedArray]| arrays.iter().map(Part::of).collect();
        Self {
            bytes: plan.shared_bytes,
            overlaps: plan.overlaps,
            ranking: listed(&plan.rank_arrays()),
            exchange: listed(&plan.exchange_arrays()),
            at_end: plan.end_array().iter().map(Part::of).collect(),
        }
    }
}

impl Part {
    fn of(array: &SharedArray) -> Self {
        Self { what: array.what, bytes: array.bytes() }
    }
}

impl Fit {
    /// Of blocks of `threads` threads that need `shared_bytes` of shared memory.
    fn of(arch: Arch, shared_bytes: u32, threads: u32) -> Self {
        let resident_blocks = arch.resident_blocks(shared_bytes);
        Self {
            arch: arch.to_string(),
            shared_bytes,
            max_shared_bytes: arch.max_shared_bytes(),
            fits: shared_bytes <= arch.max_shared_bytes(),
            resident_blocks,
            resident_threads: resident_blocks * threads,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(arrays: &[Part]) -> u32 {
        arrays.iter().map(|array| array.bytes).sum()
    }

    /// The arrays add up to the plan's bytes, but for alignment between arrays.
    #[test]
    fn the_arrays_are_all_of_the_shared_memory() {
        let names = [
            "block_radix_sort_u32_keys_b256_i16_r6_asc",
            "block_radix_sort_u8_u8_b96_i5_r4_asc_nomemo_raking",
            "block_radix_sort_u128_u128_b64_i3_r8_asc_match",
            "block_radix_sort_u16_index_b32_i8_r8_asc_matchmasks",
            "block_radix_sort_f64_u64_b1024_i8_r5_desc",
            "block_radix_sort_bool_keys_b1_i1_r1_asc",
        ];
        for name in names {
            let spec: SortSpec = name.parse().unwrap();
            let shared = Explanation::of(&spec, Arch::new(90).unwrap()).radix.unwrap().shared;
            let ranking = sum(&shared.ranking);
            let exchange = sum(&shared.exchange).max(sum(&shared.at_end));
            let bytes = if shared.overlaps { ranking.max(exchange) } else { ranking + exchange };
            assert!(
                (bytes..bytes + 32).contains(&shared.bytes),
                "{name}: {bytes} of {}",
                shared.bytes
            );
        }
    }

    #[test]
    fn a_multiprocessor_holds_what_its_shared_memory_holds() {
        let spec: SortSpec = "block_radix_sort_u32_keys_b256_i16_r6_asc".parse().unwrap();
        let on = |capability| {
            Explanation::of(&spec, Arch::new(capability).unwrap()).radix.unwrap().on_arch
        };
        // 50716 bytes a block, rounded up to allocation units and, on sm_90, with the system's own: 51840 of 228 KB.
        assert_eq!((on(90).fits, on(90).resident_blocks, on(90).resident_threads), (true, 4, 1024));
        assert_eq!((on(75).fits, on(75).resident_blocks), (true, 1));
    }
}
