//! Comparators as templates show them.

use crate::network::{self, Comparator};

/// Comparators on a line of the header, at most.
const COMPARATORS_OF_LINE: usize = 4;

/// The comparators as calls, layer by layer.
pub(super) fn lines(comparators: &[Comparator]) -> Vec<String> {
    let call = |(first, second): &Comparator| format!("order(items[{first}], items[{second}]);");
    let line = |some: &[Comparator]| some.iter().map(call).collect::<Vec<String>>().join(" ");
    network::layers(comparators)
        .iter()
        .flat_map(|layer| layer.chunks(COMPARATORS_OF_LINE).map(line).collect::<Vec<String>>())
        .collect()
}
