//! Comparators as templates show them.

use crate::primitives::network::{self, Comparator};

/// Comparators on a line of the header, at most.
const COMPARATORS_OF_LINE: usize = 4;

/// The comparators as calls, layer by layer.
pub(crate) fn lines(comparators: &[Comparator]) -> Vec<String> {
    let call = |(first, second): &Comparator| format!("order(items[{first}], items[{second}]);");
    let line = |some: &[Comparator]| some.iter().map(call).collect::<Vec<String>>().join(" ");
    network::layers(comparators)
        .iter()
        .flat_map(|layer| layer.chunks(COMPARATORS_OF_LINE).map(line).collect::<Vec<String>>())
        .collect()
}

/// What `fragments/words.cuh` and `fragments/lane_network.cuh` say of words.
pub(crate) struct WordsView {
    /// The constant that says how many parts of a word are compared.
    pub(crate) compared_parts: &'static str,
    /// Parts of the value that goes with a word above what is compared; 0 where none does.
    pub(crate) carried_parts: u32,
    /// What positions are of.
    pub(crate) of: &'static str,
    /// What items that are not there are past.
    pub(crate) end: &'static str,
    /// Whether two keys share a word.
    pub(crate) are_packed_pairs: bool,
    /// The constant that says how many words a thread has.
    pub(crate) per_thread: &'static str,
    /// And that of all words of a tile.
    pub(crate) in_tile: &'static str,
}

impl WordsView {
    /// The words of a tile.
    pub(crate) fn of_tile() -> Self {
        Self {
            compared_parts: "kWordParts",
            carried_parts: 0,
            of: "tile",
            end: "valid_items",
            are_packed_pairs: false,
            per_thread: "kItemsPerThread",
            in_tile: "kTileItems",
        }
    }

    /// The words of a tile that have two keys each.
    pub(crate) fn of_packed_pairs() -> Self {
        Self {
            are_packed_pairs: true,
            per_thread: "kWordsPerThread",
            in_tile: "kTileWords",
            ..Self::of_tile()
        }
    }

    /// The words of an array that is sorted device-wide.
    pub(crate) fn of_array(carried_parts: u32) -> Self {
        let compared_parts = if carried_parts > 0 { "kComparedParts" } else { "kWordParts" };
        Self {
            compared_parts,
            carried_parts,
            of: "array",
            end: "the array's end",
            ..Self::of_tile()
        }
    }
}
