//! Fixed sets of what only bitonic sorts of blocks have: packed 16-bit pairs and truncated keys.

use sortsmith_codegen::{
    Algorithm, Arrangement, Block, KeyClass, KeyType, Order, SortSpec, SpecFields, ValueType,
};

/// Sorts that compare truncated keys: of each key with each value, in shapes from one warp to a tile with short truncated keys.
pub fn truncated_set() -> Vec<SortSpec> {
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

/// Sorts of packed 16-bit pairs: of each short key, in shapes from one warp to many, with a power of two of composite keys a thread or another number.
pub fn packed_set() -> Vec<SortSpec> {
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

#[cfg(test)]
mod tests {
    use sortsmith_codegen::comparison::ComparisonPlan;

    use super::*;

    #[test]
    fn packed_sorts_compare_packed_pairs() {
        for spec in packed_set() {
            let plan = ComparisonPlan::of(&spec).expect("a bitonic sort");
            assert_eq!(plan.composites * 2, spec.items, "{spec}");
        }
    }

    #[test]
    fn truncated_sorts_compare_truncated_keys() {
        for spec in truncated_set() {
            let plan = ComparisonPlan::of(&spec).expect("a bitonic sort");
            assert!(plan.compares_truncated_keys(), "{spec}");
        }
    }
}
