//! Comparators, and what they compare, as templates show them.

use crate::primitives::composite_key::CompositeKey;
use crate::primitives::network::{self, Comparator};

/// Comparators on a line of the header, at most.
const COMPARATORS_OF_LINE: usize = 4;

/// Comparators of a thread's items.
pub(crate) struct ComparatorsView {
    pub(crate) count: usize,
    /// Calls of them, layer by layer.
    pub(crate) lines: Vec<String>,
}

impl ComparatorsView {
    fn of(comparators: &[Comparator]) -> Self {
        let call =
            |(first, second): &Comparator| format!("order(items[{first}], items[{second}]);");
        let line = |some: &[Comparator]| some.iter().map(call).collect::<Vec<String>>().join(" ");
        let layers = network::layers(comparators);
        let lines = layers.iter().flat_map(|layer| layer.chunks(COMPARATORS_OF_LINE).map(line));
        Self { count: comparators.len(), lines: lines.collect() }
    }
}

/// What `fragments/lane_network.cuh` says.
pub(crate) struct NetworkView {
    /// Sorts a lane's items.
    pub(crate) sorter: ComparatorsView,
    /// Sorts a lane's items if they are bitonic, where some are to be.
    pub(crate) merger: Option<ComparatorsView>,
    /// Whether what is put in order has several registers.
    pub(crate) orders_items: bool,
}

impl NetworkView {
    pub(crate) fn of(
        sorter: &[Comparator],
        merger: Option<&[Comparator]>,
        orders_items: bool,
    ) -> Self {
        Self {
            sorter: ComparatorsView::of(sorter),
            merger: merger.map(ComparatorsView::of),
            orders_items,
        }
    }
}

/// What `fragments/composite_keys.cuh`, and the fragments that move composite keys, say of them.
#[allow(clippy::struct_excessive_bools)] // one flag for each way in which composite keys differ
pub(crate) struct CompositeKeysView {
    /// The constant that says how many limbs of a composite key are compared.
    pub(crate) compared_limbs: &'static str,
    /// Limbs of the value that goes with a composite key, above what is compared; 0 where none does.
    pub(crate) carried_limbs: u32,
    /// What positions are of.
    pub(crate) of: &'static str,
    /// What items that are not there are past.
    pub(crate) end: &'static str,
    /// Whether two keys share one.
    pub(crate) are_packed_pairs: bool,
    /// The constant that says how many composite keys a thread has.
    pub(crate) per_thread: &'static str,
    /// And that of all composite keys of a tile.
    pub(crate) in_tile: &'static str,
    pub(crate) has_tie_break: bool,
    /// Whether the tie-break index shares a register with the key.
    pub(crate) joins: bool,
    pub(crate) tie_break_bits: u32,
    pub(crate) is_one_register: bool,
    pub(crate) marks_negative_zero: bool,
    pub(crate) values_break_ties: bool,
}

impl CompositeKeysView {
    /// The composite keys of a tile.
    pub(crate) fn of_tile(
        composite: CompositeKey,
        marks_negative_zero: bool,
        values_break_ties: bool,
    ) -> Self {
        let are_packed_pairs = composite == CompositeKey::PackedPairs;
        let (per_thread, in_tile) = if are_packed_pairs {
            ("kCompositesPerThread", "kTileComposites")
        } else {
            ("kItemsPerThread", "kTileItems")
        };
        Self {
            compared_limbs: "kCompositeLimbs",
            carried_limbs: 0,
            of: "tile",
            end: "valid_items",
            are_packed_pairs,
            per_thread,
            in_tile,
            has_tie_break: composite.has_tie_break(),
            joins: composite.joined_tie_break_bits() > 0,
            tie_break_bits: composite.joined_tie_break_bits(),
            is_one_register: composite.registers() == 1,
            marks_negative_zero,
            values_break_ties,
        }
    }

    /// The same of an array that is sorted device-wide, with `carried_limbs` words of a value above what is compared.
    pub(crate) fn of_array(self, carried_limbs: u32) -> Self {
        let carries = carried_limbs > 0;
        Self {
            compared_limbs: if carries { "kComparedLimbs" } else { self.compared_limbs },
            carried_limbs,
            of: "array",
            end: "the array's end",
            is_one_register: self.is_one_register && !carries,
            ..self
        }
    }
}
