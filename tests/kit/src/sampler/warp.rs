//! A fixed set of sorts of logical warps.

use sortsmith_codegen::{
    Algorithm, Arrangement, KeyType, Order, SortSpec, SpecFields, Token, ValueType,
};

const LANES: [u32; 5] = [2, 4, 8, 16, 32];
const ITEM_COUNTS: [u32; 11] = [1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 32];

/// Specs in which each two of key, value, lanes and items meet: the numbers of their values have no common divisor, so going
/// round all of them side by side brings any two together.
pub fn warp_covering_set() -> Vec<SortSpec> {
    let count = KeyType::ALL.len() * ITEM_COUNTS.len();
    (0..count)
        .map(|number| {
            // The axes of two values change with the rounds of the others.
            let of_two = |round: usize| number / round % 2;
            let striped = [Arrangement::Blocked, Arrangement::Striped];
            let fields = SpecFields {
                algorithm: Algorithm::WarpBitonic {
                    lanes: LANES[number % LANES.len()],
                    stable: of_two(1) == 1,
                },
                key: KeyType::ALL[number % KeyType::ALL.len()],
                value: ValueType::table()[number % ValueType::table().len()].0,
                items: ITEM_COUNTS[number % ITEM_COUNTS.len()],
                order: [Order::Ascending, Order::Descending][of_two(2)],
                input: striped[of_two(3)],
                output: striped[of_two(4)],
            };
            fields.validate().expect("each of them is legal")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn each_two_values_of_two_axes_meet() {
        let set = warp_covering_set();
        let met =
            |of: fn(&SortSpec) -> (u64, u64)| set.iter().map(of).collect::<HashSet<_>>().len();
        let (keys, values) = (KeyType::ALL.len(), ValueType::table().len());
        let lanes = |spec: &SortSpec| u64::from(spec.algorithm.block().threads());
        assert_eq!(met(|it| (it.key as u64, it.value as u64)), keys * values);
        assert_eq!(met(|it| (it.key as u64, u64::from(it.items))), keys * ITEM_COUNTS.len());
        assert_eq!(met(|it| (it.value as u64, u64::from(it.items))), values * ITEM_COUNTS.len());
        for other in [
            |it: &SortSpec| it.key as u64,
            |it: &SortSpec| it.value as u64,
            |it: &SortSpec| u64::from(it.items),
        ] {
            let pairs: HashSet<(u64, u64)> = set.iter().map(|it| (lanes(it), other(it))).collect();
            let others: HashSet<u64> = set.iter().map(other).collect();
            assert_eq!(pairs.len(), LANES.len() * others.len());
        }
        for flag in [
            |it: &SortSpec| it.order == Order::Ascending,
            |it: &SortSpec| it.input == Arrangement::Blocked,
            |it: &SortSpec| it.output == Arrangement::Blocked,
            |it: &SortSpec| it.algorithm.is_stable(),
        ] {
            let pairs: HashSet<(u64, bool)> = set.iter().map(|it| (lanes(it), flag(it))).collect();
            assert_eq!(pairs.len(), 2 * LANES.len());
        }
    }
}
