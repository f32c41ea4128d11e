//! What the sort of a logical warp does and takes, in figures.

use std::fmt::Write as _;

use serde::Serialize;

use crate::contract::explain::{Lines, TileFigures, registers};
use crate::contract::spec::SortSpec;
use crate::primitives::composite_key::CompositeKey;
use crate::types::Arch;
use crate::warp::bitonic::plan::{TileOutput, WarpPlan};

/// What the sort of a logical warp does and takes. All counts are for one lane, or for one instruction of all lanes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Warp {
    /// What the network compares, in words.
    pub compares: &'static str,
    /// Registers of what is compared.
    pub composite_registers: u32,
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

impl TileFigures for Warp {
    const NAME: &'static str = "warp";

    fn of(spec: &SortSpec, _: Arch) -> Option<Self> {
        let plan = &WarpPlan::of(spec)?;
        let compares = match plan.composite {
            CompositeKey::Bits(_) => "ordered bits",
            CompositeKey::PackedPairs => "ordered bits of two keys at once, in one register",
            CompositeKey::Joined { .. } | CompositeKey::TruncatedKey => {
                "ordered bits and the position, in one register"
            }
            CompositeKey::Apart(_) => "ordered bits, then the position",
        };
        Some(Self {
            compares,
            composite_registers: plan.composite.registers(),
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
        })
    }

    fn lines(&self, spec: &SortSpec) -> Lines {
        let mut lines = Lines::default();
        let mut compared =
            format!("{}: {} an item", self.compares, registers(self.composite_registers));
        if self.tile_values_break_ties {
            compared.push_str("; the value in place of the position where tiles are complete");
        } else if self.carried_registers > 0 {
            let _ = write!(
                compared,
                ", and {} for its value in members of the struct",
                registers(self.carried_registers)
            );
        }
        lines.add("compares", &compared);
        lines.add(
            "network",
            &format!(
                "{} comparators in each lane and {} across lanes, for {} items",
                self.comparators_in_lane, self.comparators_across_lanes, spec.items
            ),
        );
        let how = if self.exchanges_halves {
            "lanes exchange one of each two items that were compared"
        } else {
            "lanes exchange each item, for they have an odd number"
        };
        lines.add("exchanges", how);
        lines.add(
            "shuffles",
            &format!(
                "{} a lane in the tile kernel, {:.2} an item; {} in Sort",
                self.tile_shuffles, self.tile_shuffles_per_item, self.sort_shuffles
            ),
        );
        lines.add("memory",
            &format!(
                "the tile kernel's lanes read {} items at once and write {} at once, {}; no shared memory",
                self.read_items, self.written_items, self.writes
            ),
        );
        lines.add(
            "blocks",
            &format!(
                "of {} threads and {} tiles, in the tile kernel",
                self.tile_threads, self.tiles_per_block
            ),
        );
        lines
    }
}
