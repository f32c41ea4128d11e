//! What a warp's sort does and takes, decided here once: the header, the launch and `explain` read the same [`WarpPlan`].

use crate::contract::spec::{Algorithm, Family, SortSpec, SpecFields};
use crate::contract::validate::{Field, SpecError};
use crate::contract::validate::{
    check_arrangements, check_items, check_scalar_key, not_of, require,
};
use crate::primitives::composite_key::{self, CompositeKey};
use crate::primitives::network::{self, Comparator};
use crate::types::{Arrangement, KeyClass};

/// Threads of a block of the tile kernel.
const TILE_THREADS: u32 = 128;

/// Bytes that a lane reads or writes at once, at most.
const VECTOR_BYTES: u32 = 16;

/// How a tile kernel's lanes write what they hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TileOutput {
    /// The order of the network's output: each lane its own run.
    Blocked,
    /// The same, after neighbouring lanes have exchanged vectors so that two of them are a sector.
    Paired,
    /// Turned to striped.
    Striped,
}

/// All that is decided about one warp's sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarpPlan {
    /// Lanes of the logical warp.
    pub lanes: u32,
    /// Items of a lane.
    pub items: u32,
    /// What is compared.
    pub composite: CompositeKey,
    /// Whether the lowest bit of the position says that the key is -0.0, which is compared as +0.0.
    pub marks_negative_zero: bool,
    /// Whether the signs of zeros are put in input order once keys are sorted.
    pub orders_zeros: bool,
    /// Whether values are the tie-break indices where a full tile is sorted, and nothing has to come last.
    pub tile_values_break_ties: bool,
    /// Registers of a value that moves with its key where a lane's values are sorted with its keys.
    pub carried_registers: u32,
    /// Sorts a lane's items.
    pub sorter: Vec<Comparator>,
    /// Sorts a lane's items if they are bitonic.
    pub merger: Vec<Comparator>,
    /// Threads of a block of the tile kernel.
    pub tile_threads: u32,
    /// Items that a lane of the tile kernel reads at once.
    pub read_items: u32,
    /// How the tile kernel writes.
    pub tile_output: TileOutput,
    /// How the rows kernel moves rows that do not lie as vectors do; none where shared memory that is static has no room for a block's.
    pub staged_rows: Option<StagedRows>,
}

/// Rows in shared memory, where the rows kernel has its keys and then its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StagedRows {
    /// Items from one row to the next.
    pub pitch: u32,
    /// Bytes of all rows of a block.
    pub bytes: u32,
}

impl StagedRows {
    /// The most bytes of static shared memory.
    const MAX_BYTES: u32 = 48 << 10;

    /// The rows of a block of the rows kernel.
    fn of(spec: &SortSpec, lanes: u32) -> Option<Self> {
        let tile = lanes * spec.items;
        // A gap behind every 32 items; and the rows of a warp begin as many banks apart as a row has lanes.
        let slots = tile + (tile - 1) / 32;
        let pitch = slots + (lanes + 32 - slots % 32) % 32;
        // What is sorted and then written, and beside it the values that were read.
        let written = spec.key.bytes().max(spec.value.bytes());
        let read = if spec.value.is_read() { spec.value.bytes() } else { 0 };
        let align = written.max(read);
        let rows_of_warp = 32 / lanes;
        let of_warp = (rows_of_warp * pitch * (written + read)).next_multiple_of(align);
        let bytes = TILE_THREADS / 32 * of_warp;
        (bytes <= Self::MAX_BYTES).then_some(Self { pitch, bytes })
    }
}

impl WarpPlan {
    /// The plan of a spec; `None` where it is of another family.
    pub fn of(spec: &SortSpec) -> Option<Self> {
        let Algorithm::WarpBitonic { lanes, .. } = spec.algorithm else { return None };
        let is_float = spec.key.info().class == KeyClass::Float;
        let has_position = composite_key::needs_positions(spec);
        let composite =
            CompositeKey::of(spec.key, has_position.then(|| composite_key::position_bits(spec)));
        let value_bytes = spec.value.bytes();
        let vector = (0..5)
            .map(|log| 1 << log)
            .filter(|vector| spec.items.is_multiple_of(*vector))
            .filter(|vector| vector * spec.key.bytes().max(value_bytes) <= VECTOR_BYTES)
            .max()
            .unwrap_or(1);
        let vector_bytes = vector * spec.key.bytes().max(value_bytes);
        let tile_output = if vector == spec.items {
            TileOutput::Blocked
        } else if vector_bytes == VECTOR_BYTES {
            TileOutput::Paired
        } else {
            TileOutput::Striped
        };
        Some(Self {
            lanes,
            items: spec.items,
            composite,
            marks_negative_zero: has_position && is_float,
            orders_zeros: composite_key::orders_zeros(spec),
            tile_values_break_ties: composite_key::values_fit_tie_breaks(spec),
            carried_registers: if spec.value.is_read() { value_bytes.div_ceil(4) } else { 0 },
            sorter: network::sorter(spec.items as usize),
            merger: network::bitonic_merger(spec.items as usize),
            tile_threads: TILE_THREADS,
            read_items: vector,
            tile_output,
            staged_rows: StagedRows::of(spec, lanes),
        })
    }

    /// Tiles that a block of the tile kernel sorts.
    pub fn tiles_per_block(&self) -> u32 {
        self.tile_threads / self.lanes
    }

    /// Items that a lane of the tile kernel writes at once.
    pub fn written_items(&self) -> u32 {
        if self.tile_output == TileOutput::Striped { 1 } else { self.read_items }
    }

    /// Blocks of the tile kernel for n items.
    pub fn tile_blocks(&self, n: u64) -> u64 {
        n.div_ceil(u64::from(self.lanes * self.items)).div_ceil(u64::from(self.tiles_per_block()))
    }

    /// Rounds of merging across lanes: each makes runs twice as long.
    pub fn merges(&self) -> u32 {
        self.lanes.ilog2()
    }

    /// Whether a lane's items go to another lane by halves: one of each two that were compared. A single one is not split.
    pub fn exchanges_halves(&self) -> bool {
        self.items.is_multiple_of(2)
    }

    /// Comparisons of one lane within its own registers.
    pub fn comparators_in_lane(&self) -> u32 {
        (self.sorter.len() + self.merges() as usize * self.merger.len()) as u32
    }

    /// Comparisons of one lane with items of other lanes.
    pub fn comparators_across_lanes(&self) -> u32 {
        let steps = self.merges() * (self.merges() + 1) / 2;
        // Where items go by halves a comparison is done once, else in both lanes.
        steps * if self.exchanges_halves() { self.items / 2 } else { self.items }
    }

    /// Items that one lane sends in the network.
    pub fn sent_items(&self) -> u32 {
        let merges = self.merges();
        if self.exchanges_halves() {
            merges * (merges + 3) / 2 * (self.items / 2)
        } else {
            merges * (merges + 1) / 2 * self.items
        }
    }

    /// Shuffles of one lane to bring sorted items from blocked to striped arrangement, or to what the tile kernel writes.
    fn turned_items(&self, output: TileOutput) -> u32 {
        match output {
            TileOutput::Blocked => 0,
            TileOutput::Paired => self.items / self.read_items / 2 * self.read_items,
            TileOutput::Striped => self.items,
        }
    }

    /// Shuffle instructions of one warp in the tile kernel.
    pub fn tile_shuffles(&self) -> u32 {
        (self.sent_items() + self.turned_items(self.tile_output)) * self.composite.registers()
    }

    /// Shuffle instructions of one warp in a member of the struct that sorts full tiles.
    pub fn member_shuffles(&self, output: Arrangement) -> u32 {
        let turned = match output {
            Arrangement::Blocked => 0,
            _ => self.turned_items(TileOutput::Striped),
        };
        let carried = if self.tile_values_break_ties { 0 } else { self.carried_registers };
        (self.sent_items() + turned) * (self.composite.registers() + carried)
    }
}

/// The fields as a spec of this family, or the first field that is not legal.
pub(crate) fn validate(fields: SpecFields) -> Result<SortSpec, SpecError> {
    let Algorithm::WarpBitonic { lanes, .. } = fields.algorithm else {
        return Err(not_of(&[Family::WarpBitonic], &fields));
    };
    check_scalar_key(&fields)?;
    check_items(&fields, 32)?;
    require([2, 4, 8, 16, 32].contains(&lanes), Field::Lanes, lanes, "2, 4, 8, 16 or 32")?;
    // The tile is one warp's: striped says it.
    let legal = fields.input != Arrangement::WarpStriped;
    require(legal, Field::Input, fields.input, "blocked or striped for the sort of a warp")?;
    check_arrangements(&fields)?;
    Ok(SortSpec::of_legal(fields))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(name: &str) -> WarpPlan {
        let spec: SortSpec = name.parse().unwrap_or_else(|error| panic!("{error}"));
        WarpPlan::of(&spec).expect("a warp's sort")
    }

    #[test]
    fn shuffles_of_a_key_fall_with_fewer_lanes() {
        let shuffles = |lanes: u32, items: u32| {
            let plan = plan(&format!("warp_bitonic_sort_u32_keys_w{lanes}_i{items}_asc"));
            // Of two keys, for halves are exchanged.
            2 * plan.sent_items() / items
        };
        assert_eq!([32, 16, 8, 4, 2].map(|lanes| shuffles(lanes, 8)), [20, 14, 9, 5, 2]);
        assert_eq!([32, 16, 8, 4, 2].map(|lanes| shuffles(lanes, 7)), [30, 20, 12, 6, 2]);
    }

    #[test]
    fn positions_are_compared_only_where_they_can_be_seen() {
        let composite = |types: &str, stable: &str| {
            plan(&format!("warp_bitonic_sort_{types}_w32_i4_asc{stable}")).composite
        };
        assert!(!composite("u32_keys", "_stable").has_tie_break());
        assert!(!composite("f32_keys", "").has_tie_break());
        assert!(!composite("f32_keys", "_stable").has_tie_break());
        assert_eq!(composite("f16_u128", "").registers(), 1);
        assert_eq!(composite("i32_index", "").registers(), 2);
        assert_eq!(composite("u64_u8", "_stable").registers(), 3);
        assert_eq!(composite("u128_keys", "").registers(), 4);
    }

    #[test]
    fn values_break_ties_where_they_fit_and_nothing_tells_equal_keys_apart() {
        let tile_values_break_ties =
            |rest: &str| plan(&format!("warp_bitonic_sort_{rest}")).tile_values_break_ties;
        for is in ["f32_u32_w8_i4_asc", "f16_u16_w8_i4_asc", "u128_u8_w2_i1_desc"] {
            assert!(tile_values_break_ties(is), "{is}");
        }
        for is_not in [
            "f32_u32_w8_i4_asc_stable",
            "f16_u32_w8_i4_asc",
            "u32_index_w8_i4_asc",
            "u32_keys_w8_i4_asc",
        ] {
            assert!(!tile_values_break_ties(is_not), "{is_not}");
        }
    }

    #[test]
    fn vectors_divide_the_items_of_a_lane() {
        let vector = |types: &str, items: u32| {
            let plan = plan(&format!("warp_bitonic_sort_{types}_w8_i{items}_asc"));
            (plan.read_items, plan.tile_output)
        };
        assert_eq!(vector("u32_keys", 4), (4, TileOutput::Blocked));
        assert_eq!(vector("u32_keys", 16), (4, TileOutput::Paired));
        assert_eq!(vector("u32_keys", 6), (2, TileOutput::Striped));
        assert_eq!(vector("u8_u64", 8), (2, TileOutput::Paired));
        assert_eq!(vector("u8_keys", 32), (16, TileOutput::Paired));
        assert_eq!(vector("u64_u128", 3), (1, TileOutput::Paired));
        assert_eq!(vector("bool_keys", 5), (1, TileOutput::Striped));
    }
}
