//! A fixed set of sorts of blocks that have no digits.

use sortsmith_codegen::{
    Algorithm, Arrangement, Block, Family, KeyType, OptionValues, Order, SortSpec, SpecFields,
    Token, ValueType,
};

/// Less than a warp, full warps, one thread more or less, numbers that are no powers of two, three dimensions.
const BLOCKS: [(u32, u32, u32); 12] = [
    (1, 1, 1),
    (2, 1, 1),
    (7, 1, 1),
    (32, 1, 1),
    (33, 1, 1),
    (8, 4, 2),
    (96, 1, 1),
    (100, 1, 1),
    (128, 1, 1),
    (16, 5, 4),
    (256, 1, 1),
    (512, 1, 1),
];
/// Odd and even, powers of two and others; more than a column has.
const ITEM_COUNTS: [u32; 9] = [1, 2, 3, 4, 6, 7, 8, 12, 20];
/// Tiles up to here: larger ones take the emulator long, and have no other code.
const LARGEST_TILE: u32 = 4096;

/// Sorts of a family in which all of these blocks and numbers of items meet, as far as they are legal; the other axes go round beside them,
/// each at a pace of its own.
pub fn covering_set(family: Family) -> Vec<SortSpec> {
    let shapes = BLOCKS.iter().flat_map(|block| ITEM_COUNTS.map(|items| (*block, items)));
    let spec = |(number, ((x, y, z), items)): (usize, ((u32, u32, u32), u32))| {
        let is_odd = |number: usize| number % 2 == 1;
        let block = Block { x, y, z };
        let values = OptionValues { block, stable: is_odd(number), ..OptionValues::default() };
        let striped = |is: bool| if is { Arrangement::Striped } else { Arrangement::Blocked };
        let input = if number % 7 == 3 && block.has_full_warps() {
            Arrangement::WarpStriped
        } else {
            striped(is_odd(number / 3))
        };
        let fields = SpecFields {
            algorithm: Algorithm::of(family, values),
            key: KeyType::ALL[number % KeyType::ALL.len()],
            value: ValueType::table()[number % ValueType::table().len()].0,
            items,
            order: if is_odd(number / 2) { Order::Descending } else { Order::Ascending },
            input,
            output: striped(is_odd(number / 5)),
        };
        fields.validate().ok()
    };
    shapes.enumerate().filter_map(spec).filter(|spec| spec.tile_items() <= LARGEST_TILE).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn key_number(key: KeyType) -> u64 {
        KeyType::ALL.iter().take_while(|it| **it != key).count() as u64
    }

    #[test]
    fn each_value_of_each_axis_is_there_with_full_warps_and_without() {
        let set = covering_set(Family::BlockBitonic);
        let met = |of: fn(&SortSpec) -> u64| -> usize {
            let both = |it: &SortSpec| (it.algorithm.block().has_full_warps(), of(it));
            set.iter().map(both).collect::<HashSet<_>>().len()
        };
        assert_eq!(met(|it| key_number(it.key)), 2 * KeyType::ALL.len());
        assert_eq!(met(|it| it.value as u64), 2 * ValueType::table().len());
        assert_eq!(met(|it| u64::from(it.items)), 2 * ITEM_COUNTS.len());
        assert_eq!(met(|it| it.input as u64), 3 + 2);
        for flag in [
            |it: &SortSpec| u64::from(it.order == Order::Ascending),
            |it: &SortSpec| u64::from(it.output == Arrangement::Blocked),
            |it: &SortSpec| u64::from(it.algorithm.is_stable()),
        ] {
            assert_eq!(met(flag), 4);
        }
    }
}
