//! Fixed sets of sorts of blocks that have no digits.

use sortsmith_codegen::{
    Algorithm, Arrangement, Block, Family, KeyClass, KeyType, OptionValues, Order, SortSpec,
    SpecFields, Token, ValueType,
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

/// Bitonic sorts that compare truncated keys: of each key with each value, in shapes from one warp to a tile with short truncated keys.
pub fn block_bitonic_truncated_set() -> Vec<SortSpec> {
    let shapes = [(32, 2), (32, 64), (64, 6), (96, 4), (256, 8), (512, 2)];
    let values = [ValueType::U8, ValueType::U16, ValueType::U32, ValueType::Index];
    let spec = |(number, (key, value)): (usize, (KeyType, ValueType))| {
        let (threads, items) = shapes[number % shapes.len()];
        let is_odd = |number: usize| number % 2 == 1;
        let fields = SpecFields {
            algorithm: Algorithm::BlockBitonic { block: Block::linear(threads), stable: true },
            key,
            value,
            items,
            order: if is_odd(number) { Order::Descending } else { Order::Ascending },
            input: [Arrangement::Blocked, Arrangement::Striped, Arrangement::WarpStriped]
                [number / 2 % 3],
            output: [Arrangement::Blocked, Arrangement::Striped][number / 3 % 2],
        };
        fields.validate().expect("each of them is legal")
    };
    let keys = [KeyType::F32, KeyType::U32, KeyType::I32];
    let types = keys.into_iter().flat_map(|key| values.map(|value| (key, value)));
    types.enumerate().map(spec).collect()
}

/// Bitonic sorts of packed 16-bit pairs: of each short key, in shapes from one warp to many, with a power of two of composite keys a thread or another number.
pub fn block_bitonic_packed_set() -> Vec<SortSpec> {
    let shapes = [(32, 4), (32, 8), (64, 20), (64, 4), (128, 16), (256, 12), (512, 4), (1024, 8)];
    let spec = |(number, key): (usize, KeyType)| {
        let (threads, items) = shapes[number % shapes.len()];
        let is_float = key.info().class == KeyClass::Float;
        let stable = number % 3 == 1 && !is_float;
        let fields = SpecFields {
            algorithm: Algorithm::BlockBitonic { block: Block::linear(threads), stable },
            key,
            value: ValueType::None,
            items,
            order: if number / 2 % 2 == 1 { Order::Descending } else { Order::Ascending },
            input: Arrangement::Blocked,
            output: [Arrangement::Blocked, Arrangement::Striped][number / 3 % 2],
        };
        fields.validate().expect("each of them is legal")
    };
    let keys: Vec<KeyType> = KeyType::ALL.iter().copied().filter(|key| key.bytes() <= 2).collect();
    // Twice, for all shapes; the second time with other orders.
    keys.iter().chain(keys[1..].iter().chain(&keys[..1])).copied().enumerate().map(spec).collect()
}

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

    use sortsmith_codegen::comparison::ComparisonPlan;

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

    #[test]
    fn what_is_said_to_compare_packed_pairs_does() {
        for spec in block_bitonic_packed_set() {
            let plan = ComparisonPlan::of(&spec).expect("a bitonic sort");
            assert_eq!(plan.composites * 2, spec.items, "{spec}");
        }
    }

    #[test]
    fn what_is_said_to_compare_truncated_keys_does() {
        for spec in block_bitonic_truncated_set() {
            let plan = ComparisonPlan::of(&spec).expect("a bitonic sort");
            assert!(plan.compares_truncated_keys(), "{spec}");
        }
    }
}
