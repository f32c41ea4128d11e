//! A fixed set of sorts of logical warps.

use sortsmith_codegen::{
    Algorithm, Arrangement, Family, KeyType, OptionValues, Order, SortSpec, SpecFields, Token,
    ValueType,
};

const LANES: [u32; 5] = [2, 4, 8, 16, 32];
const ITEM_COUNTS: [u32; 11] = [1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 32];

/// Specs in which all numbers of lanes and of items meet; the other axes go round beside them, each at a pace of its own, so that
/// each of their values meets each number of lanes and several numbers of items.
pub fn covering_set(family: Family) -> Vec<SortSpec> {
    let shapes = LANES.iter().flat_map(|lanes| ITEM_COUNTS.map(|items| (*lanes, items)));
    let spec = |(number, (lanes, items)): (usize, (u32, u32))| {
        let is_odd = |number: usize| number % 2 == 1;
        let striped = |is: bool| if is { Arrangement::Striped } else { Arrangement::Blocked };
        let values = OptionValues { lanes, stable: is_odd(number), ..OptionValues::default() };
        let fields = SpecFields {
            algorithm: Algorithm::of(family, values),
            key: KeyType::ALL[number % KeyType::ALL.len()],
            value: ValueType::table()[number % ValueType::table().len()].0,
            items,
            order: if is_odd(number / 2) { Order::Descending } else { Order::Ascending },
            input: striped(is_odd(number / 3)),
            output: striped(is_odd(number / 5)),
        };
        fields.validate().expect("each of them is legal")
    };
    shapes.enumerate().map(spec).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn key_number(key: KeyType) -> u64 {
        KeyType::ALL.iter().take_while(|it| **it != key).count() as u64
    }

    #[test]
    fn each_value_of_each_axis_meets_lanes_and_items() {
        let set = covering_set(Family::WarpBitonic);
        let met = |of: fn(&SortSpec) -> (u64, u64)| -> usize {
            set.iter().map(of).collect::<HashSet<_>>().len()
        };
        let lanes = |it: &SortSpec| u64::from(it.algorithm.block().threads());
        assert_eq!(met(|it| (0, key_number(it.key))), KeyType::ALL.len());
        assert_eq!(set.len(), LANES.len() * ITEM_COUNTS.len());
        let with_lanes = |of: fn(&SortSpec) -> u64| -> usize {
            set.iter().map(|it| (lanes(it), of(it))).collect::<HashSet<_>>().len()
        };
        assert_eq!(with_lanes(|it| u64::from(it.items)), LANES.len() * ITEM_COUNTS.len());
        assert_eq!(with_lanes(|it| it.value as u64), LANES.len() * ValueType::table().len());
        for flag in [
            |it: &SortSpec| u64::from(it.order == Order::Ascending),
            |it: &SortSpec| u64::from(it.input == Arrangement::Blocked),
            |it: &SortSpec| u64::from(it.output == Arrangement::Blocked),
            |it: &SortSpec| u64::from(it.algorithm.is_stable()),
        ] {
            assert_eq!(with_lanes(flag), 2 * LANES.len());
        }
    }
}
