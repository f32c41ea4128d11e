//! What a block radix sort does and takes, in figures.

use std::fmt::Write as _;

use serde::Serialize;

use crate::block::radix::plan::{BinScan, Carry, RadixPlan, RankPlan, SharedArray};
use crate::contract::explain::{Fit, Lines, TileFigures};
use crate::contract::spec::SortSpec;
use crate::types::{Arch, Arrangement, LaneMatch, Token};

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
    pub ranking: Vec<Array>,
    /// What the exchange of items uses.
    pub exchange: Vec<Array>,
    /// What takes the exchange's bytes after the last pass.
    pub at_end: Vec<Array>,
}

/// An array in shared memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Array {
    /// What it holds.
    pub what: &'static str,
    /// Its size, without padding between arrays.
    pub bytes: u32,
}

impl TileFigures for Radix {
    const NAME: &'static str = "radix";

    fn of(spec: &SortSpec, arch: Arch) -> Option<Self> {
        let plan = &RadixPlan::of(spec)?;
        Some(Self {
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
        })
    }

    fn lines(&self, _: &SortSpec) -> Lines {
        let mut lines = Lines::default();
        let (begin, end) = self.bits;
        let range = if self.static_bits {
            "constants of the kernel"
        } else {
            "all of the key; the arguments may say fewer"
        };
        let passes = format!(
            "{} of {} bits, over bits {begin}..{end} ({range})",
            self.passes, self.radix_bits
        );
        lines.add("passes", &passes);
        lines.add("rank", &self.rank);
        lines.add("ranked in", &format!("{} arrangement", self.ranked_in));
        let mut moved = format!("{} bytes of key", self.key_bytes_per_pass);
        if self.carried_bytes_per_pass > 0 {
            let _ =
                write!(moved, " and {} bytes for {}", self.carried_bytes_per_pass, self.carries);
        }
        moved.push_str(", written to shared memory and read back");
        lines.add("moves", &format!("per item and pass: {moved}"));
        if self.value_bytes_at_end > 0 {
            lines.add(
                "",
                &format!(
                    "per item after the last pass: {} bytes of value",
                    self.value_bytes_at_end
                ),
            );
        }
        lines.add(
            "barriers",
            &format!("{} a pass, {} in all", self.barriers_per_pass, self.barriers),
        );
        let shared = &self.shared;
        let how = if shared.overlaps {
            "ranking and exchange share them"
        } else {
            "ranking and exchange have bytes of their own"
        };
        lines.add("shared", &format!("{} bytes; {how}", shared.bytes));
        for (stage, arrays) in [
            ("ranking", &shared.ranking),
            ("exchange", &shared.exchange),
            ("at the end", &shared.at_end),
        ] {
            for Array { what, bytes } in arrays {
                lines.add("", &format!("{bytes:>7} {stage}: {what}"));
            }
        }
        lines.add_fit(&self.on_arch);
        lines
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
        let listed = |arrays: &[SharedArray]| arrays.iter().map(Array::of).collect();
        Self {
            bytes: plan.shared_bytes,
            overlaps: plan.overlaps,
            ranking: listed(&plan.rank_arrays()),
            exchange: listed(&plan.exchange_arrays()),
            at_end: plan.end_array().iter().map(Array::of).collect(),
        }
    }
}

impl Array {
    fn of(array: &SharedArray) -> Self {
        Self { what: array.what, bytes: array.bytes() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(arrays: &[Array]) -> u32 {
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
            let shared = Radix::of(&spec, Arch::new(90).unwrap()).unwrap().shared;
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
        let on = |capability| Radix::of(&spec, Arch::new(capability).unwrap()).unwrap().on_arch;
        // 50716 bytes a block, rounded up to allocation units and, on sm_90, with the system's own: 51840 of 228 KB.
        assert_eq!((on(90).fits, on(90).resident_blocks, on(90).resident_threads), (true, 4, 1024));
        assert_eq!((on(75).fits, on(75).resident_blocks), (true, 1));
    }
}
