//! What a block's bitonic or merge sort does and takes, in figures.

use serde::Serialize;

use crate::block::comparison::plan::ComparisonPlan;
use crate::contract::explain::{Fit, Lines, TileFigures, registers};
use crate::contract::spec::SortSpec;
use crate::primitives::composite_key::CompositeKey;
use crate::types::Arch;

/// What a block's bitonic or merge sort does and takes. Counts are for one thread, or for one instruction of all threads.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// What the network compares, in words.
    pub compares: &'static str,
    /// Registers of what is compared, which are also its words in shared memory.
    pub composite_registers: u32,
    /// Words of a value that is fetched by its position at the end.
    pub fetched_words: u32,
    /// Comparisons of a thread in its registers: of its own items, and of columns from shared memory.
    pub comparators_in_thread: u32,
    /// Comparisons of its items with those of other lanes.
    pub comparators_across_lanes: u32,
    /// Whether runs are merged along a path that each thread finds by a search, and not by a network.
    pub merges_by_path: bool,
    /// Shuffles.
    pub shuffles: u32,
    /// The same for each item.
    pub shuffles_per_item: f32,
    /// Exchanges of the tile through shared memory, each of which writes and reads it, but for the one to the output.
    pub exchanges: u32,
    /// Barriers of `Sort`.
    pub barriers: u32,
    /// What the shared memory means on the architecture.
    pub on_arch: Fit,
}

impl TileFigures for Comparison {
    const NAME: &'static str = "comparison";

    fn of(spec: &SortSpec, arch: Arch) -> Option<Self> {
        let plan = &ComparisonPlan::of(spec)?;
        let shuffles = plan.shuffles();
        Some(Self {
            compares: match plan.composite {
                CompositeKey::Joined { .. } if plan.values_break_ties => {
                    "ordered bits and the value, in one register"
                }
                CompositeKey::Apart(_) if plan.values_break_ties => "ordered bits, then the value",
                CompositeKey::Bits(_) => "ordered bits",
                CompositeKey::PackedPairs => "ordered bits of two keys at once, in one register",
                CompositeKey::Joined { .. } => "ordered bits and the position, in one register",
                CompositeKey::Apart(_) => "ordered bits, then the position",
                CompositeKey::TruncatedKey => {
                    "the distance from the least key, as far as there is room, and the position, in one register"
                }
            },
            composite_registers: plan.composite.registers(),
            fetched_words: plan.fetched_words,
            comparators_in_thread: plan.comparators_in_thread(),
            comparators_across_lanes: plan.comparators_across_lanes(),
            merges_by_path: plan.merges_by_path,
            shuffles,
            shuffles_per_item: shuffles as f32 / plan.items as f32,
            exchanges: plan.exchanges(),
            barriers: plan.barriers(spec.output),
            on_arch: Fit::of(arch, plan.shared_bytes, plan.block.threads()),
        })
    }

    fn lines(&self, spec: &SortSpec) -> Lines {
        let mut lines = Lines::default();
        let mut compared =
            format!("{}: {} an item", self.compares, registers(self.composite_registers));
        if self.fetched_words > 0 {
            compared.push_str("; values are fetched by their positions at the end");
        }
        lines.add("compares", &compared);
        lines.add(
            "network",
            &format!(
                "{} comparators in each thread's registers and {} across lanes, for {} items",
                self.comparators_in_thread, self.comparators_across_lanes, spec.items
            ),
        );
        let shuffles = match self.shuffles {
            0 => "none: what threads compare goes through shared memory".to_owned(),
            some => format!("{some} a thread, {:.2} an item", self.shuffles_per_item),
        };
        lines.add("shuffles", &shuffles);
        if self.merges_by_path {
            let how = "each thread finds its share of two runs by a search, and merges it";
            lines.add("merges", how);
        }
        let exchanges =
            format!("{} through shared memory, and {} barriers", self.exchanges, self.barriers);
        lines.add("exchanges", &exchanges);
        lines.add_fit(&self.on_arch);
        lines
    }
}
