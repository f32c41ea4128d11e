//! Specs of device-wide sorts: a fixed set, and fresh ones.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::device::{
    BitonicSort, Device, DeviceAlgorithm, DeviceFields, DeviceSpec, SMALL_N,
};
use sortsmith_codegen::{KeyType, Order, Token, ValueType};

use crate::oracle::{Class, describe};

/// Shapes of the fixed set: each has its own numbers of warps, of items a register, of blocks of counters.
const SHAPES: [(u32, u32); 7] =
    [(256, 1), (288, 2), (256, 5), (384, 3), (512, 2), (256, 8), (320, 4)];

/// More than are sorted by samples.
const MANY_ITEMS: u64 = SMALL_N[SMALL_N.len() - 1] + 1;

/// Each key twice, ascending and descending, and in turn everything else: the same specs each time.
pub fn device_covering_set() -> Vec<DeviceSpec> {
    let keys = KeyType::ALL.len();
    (0..2 * keys)
        .map(|number| {
            let (key, is_second) = (KeyType::ALL[number % keys], number >= keys);
            // Both rounds go through all values, and each value meets either order, and 32-bit and 64-bit positions.
            let (value, _) = ValueType::table()[number % ValueType::table().len()];
            let (threads, items) = SHAPES[(number * 3 + usize::from(is_second)) % SHAPES.len()];
            let fields = DeviceFields {
                algorithm: DeviceAlgorithm::Radix,
                key,
                value,
                threads,
                items,
                order: if is_second { Order::Descending } else { Order::Ascending },
                nan_last: describe(key).0 == Class::Float && number % 2 == 0,
                wide: (number + number / 7) % 3 == 0,
            };
            legal(fields)
        })
        .collect()
}

/// Any device-wide sort: of a small tile most often, now and then of a large one or of the tuned shape.
pub fn device_radix(rng: &mut ChaCha8Rng) -> DeviceSpec {
    let key = *KeyType::ALL.choose(rng).expect("not empty");
    let (value, _) = *ValueType::table().choose(rng).expect("not empty");
    let (order, _) = *Order::table().choose(rng).expect("not empty");
    let shared_bytes_per_block = *[64, 99, 227].choose(rng).expect("not empty") * 1024;
    let device = Device { multiprocessors: 132, shared_bytes_per_block };
    let tuned = DeviceSpec::tuned(key, value, order, rng.random(), MANY_ITEMS, device).fields();
    let tuned = DeviceFields { wide: rng.random_ratio(1, 3), ..tuned };
    let (threads, items) = match rng.random_range(0..16) {
        0 => return legal(tuned),
        1 => (rng.random_range(8..=32) * 32, rng.random_range(1..=16)),
        _ => (rng.random_range(8..=16) * 32, rng.random_range(1..=8)),
    };
    // A large tile of wide items may not fit.
    let fields = DeviceFields { threads, items, ..tuned };
    fields.validate().unwrap_or_else(|_| legal(DeviceFields { threads: 256, ..fields }))
}

/// Each key twice, ascending and descending, sorted by samples; values and shapes in turn.
pub fn sample_covering_set() -> Vec<DeviceSpec> {
    let shapes = [(32, 4), (64, 1), (32, 1), (128, 2), (32, 12), (64, 5), (256, 1)];
    let keys = KeyType::ALL.len();
    (0..2 * keys)
        .map(|number| {
            let is_second = number >= keys;
            let (value, _) = ValueType::table()[number % ValueType::table().len()];
            let shape = shapes[(number * 3 + usize::from(is_second)) % shapes.len()];
            let order = if is_second { Order::Descending } else { Order::Ascending };
            sample_sort(KeyType::ALL[number % keys], value, shape, order)
        })
        .collect()
}

/// Any sort by samples: of small blocks most often, which need many buckets soon, now and then of the tuned shape.
pub fn device_sample(rng: &mut ChaCha8Rng) -> DeviceSpec {
    let key = *KeyType::ALL.choose(rng).expect("not empty");
    let (value, _) = *ValueType::table().choose(rng).expect("not empty");
    let (order, _) = *Order::table().choose(rng).expect("not empty");
    let shape = match rng.random_range(0..16) {
        0 => (512, 2),
        1 => (1024, 1),
        // Their most items make buckets that no block holds.
        2 | 3 => (32, rng.random_range(10..=16)),
        _ => (*[32, 32, 64, 128, 256].choose(rng).expect("not empty"), rng.random_range(1..=6)),
    };
    sample_sort(key, value, shape, order)
}

fn sample_sort(
    key: KeyType,
    value: ValueType,
    (threads, items): (u32, u32),
    order: Order,
) -> DeviceSpec {
    let algorithm = DeviceAlgorithm::Sample;
    let (nan_last, wide) = (false, false);
    let fields = DeviceFields { algorithm, key, value, threads, items, order, nan_last, wide };
    // This number of threads has no room for the widest items.
    fields.validate().unwrap_or_else(|_| legal(DeviceFields { threads: 256, ..fields }))
}

/// Each key once, sorted by a network; values, orders and shapes in turn, stable and not.
pub fn bitonic_covering_set() -> Vec<DeviceSpec> {
    let shapes = [(64, 1), (64, 2), (128, 2), (64, 4), (128, 1), (64, 8)];
    let keys = KeyType::ALL.iter().enumerate();
    keys.map(|(number, key)| {
        let (value, _) = ValueType::table()[number % ValueType::table().len()];
        let (order, _) = Order::table()[number % 2];
        bitonic_sort((*key, value), shapes[number % shapes.len()], order, number % 5 < 2)
    })
    .collect()
}

/// Any sort by a network: of small tiles most often, which need long merges soon, now and then of the shape that
/// programs use.
pub fn device_bitonic(rng: &mut ChaCha8Rng) -> DeviceSpec {
    let key = *KeyType::ALL.choose(rng).expect("not empty");
    let (value, _) = *ValueType::table().choose(rng).expect("not empty");
    let (order, _) = *Order::table().choose(rng).expect("not empty");
    let stable = rng.random_ratio(1, 3);
    let threads = *[64, 64, 64, 128, 256].choose(rng).expect("not empty");
    match rng.random_range(0..24) {
        0 => {
            let device = Device { multiprocessors: 132, shared_bytes_per_block: 64 * 1024 };
            BitonicSort::for_device(key, value, order, stable, device)
        }
        _ => bitonic_sort((key, value), (threads, 1 << rng.random_range(0..=3)), order, stable),
    }
}

fn bitonic_sort(
    (key, value): (KeyType, ValueType),
    (threads, items): (u32, u32),
    order: Order,
    stable: bool,
) -> DeviceSpec {
    let algorithm = DeviceAlgorithm::Bitonic { stable: stable && value.is_read() };
    let (nan_last, wide) = (false, false);
    legal(DeviceFields { algorithm, key, value, threads, items, order, nan_last, wide })
}

/// Each key that is partitioned with each value, ascending and descending; shapes in turn.
pub fn partition_covering_set() -> Vec<DeviceSpec> {
    let shapes = [(64, 1), (64, 2), (128, 1), (64, 3)];
    let kinds = PARTITION_KEYS.iter().flat_map(|key| PARTITION_VALUES.map(|value| (*key, value)));
    kinds
        .enumerate()
        .map(|(number, kind)| {
            let (order, _) = Order::table()[number % 2];
            partition_sort(kind, shapes[number % shapes.len()], order, number % 3 == 0)
        })
        .collect()
}

/// Any partition sort: of small tiles most often, which have two levels soon, now and then of larger ones.
pub fn device_partition(rng: &mut ChaCha8Rng) -> DeviceSpec {
    let key = *PARTITION_KEYS.choose(rng).expect("not empty");
    let value = *PARTITION_VALUES.choose(rng).expect("not empty");
    let (order, _) = *Order::table().choose(rng).expect("not empty");
    let shape = match rng.random_range(0..8) {
        0 => (*[64, 128, 256].choose(rng).expect("not empty"), rng.random_range(4..=16)),
        _ => (64, rng.random_range(1..=3)),
    };
    partition_sort((key, value), shape, order, rng.random())
}

const PARTITION_KEYS: [KeyType; 3] = [KeyType::U64, KeyType::I64, KeyType::F64];

const PARTITION_VALUES: [ValueType; 5] =
    [ValueType::None, ValueType::U32, ValueType::Index, ValueType::U64, ValueType::U16];

fn partition_sort(
    (key, value): (KeyType, ValueType),
    (threads, items): (u32, u32),
    order: Order,
    nan_last: bool,
) -> DeviceSpec {
    let algorithm = DeviceAlgorithm::Partition;
    let nan_last = nan_last && describe(key).0 == Class::Float;
    let wide = false;
    legal(DeviceFields { algorithm, key, value, threads, items, order, nan_last, wide })
}

fn legal(fields: DeviceFields) -> DeviceSpec {
    fields.validate().unwrap_or_else(|error| panic!("{fields:?}: {error}"))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand::SeedableRng;

    use super::*;

    #[test]
    fn values_meet_orders_and_widths_in_the_fixed_set() {
        let set = device_covering_set();
        assert_eq!(set.iter().collect::<HashSet<_>>().len(), 2 * KeyType::ALL.len());
        let keys: HashSet<_> = set.iter().map(|spec| (spec.key, spec.order)).collect();
        let orders: HashSet<_> = set.iter().map(|spec| (spec.value, spec.order)).collect();
        let widths: HashSet<_> = set.iter().map(|spec| (spec.value, spec.wide)).collect();
        let nans: HashSet<_> = set
            .iter()
            .filter(|spec| describe(spec.key).0 == Class::Float)
            .map(|spec| (spec.key, spec.nan_last))
            .collect();
        let shapes: HashSet<_> = set.iter().map(|spec| (spec.threads, spec.items)).collect();
        assert_eq!(
            [keys.len(), orders.len(), widths.len(), nans.len(), shapes.len()],
            [34, 14, 14, 12, SHAPES.len()]
        );
    }

    #[test]
    fn sorts_by_samples_are_of_all_types() {
        let mut rng = ChaCha8Rng::seed_from_u64(11);
        let specs: Vec<DeviceSpec> = (0..1000).map(|_| device_sample(&mut rng)).collect();
        let kinds: HashSet<_> = specs.iter().map(|spec| (spec.key, spec.value)).collect();
        assert_eq!(kinds.len(), 17 * 7);
        let fixed = sample_covering_set();
        let orders: HashSet<_> = fixed.iter().map(|spec| (spec.key, spec.order)).collect();
        assert_eq!(orders.len(), 34);
        for spec in specs.into_iter().chain(fixed) {
            assert_eq!(spec.to_string().parse(), Ok(spec));
        }
    }

    #[test]
    fn sorts_by_networks_are_of_all_types() {
        let mut rng = ChaCha8Rng::seed_from_u64(12);
        let specs: Vec<DeviceSpec> = (0..1500).map(|_| device_bitonic(&mut rng)).collect();
        let kinds: HashSet<_> = specs.iter().map(|spec| (spec.key, spec.value)).collect();
        assert_eq!(kinds.len(), 17 * 7);
        let fixed = bitonic_covering_set();
        let kinds = |what: fn(&DeviceSpec) -> String| -> usize {
            fixed.iter().map(what).collect::<HashSet<_>>().len()
        };
        assert_eq!([kinds(|it| it.key.to_string()), kinds(|it| it.value.to_string())], [17, 7]);
        let stable =
            |spec: &&DeviceSpec| spec.algorithm == DeviceAlgorithm::Bitonic { stable: true };
        assert!((3..10).contains(&fixed.iter().filter(stable).count()));
        for spec in specs.into_iter().chain(fixed) {
            assert_eq!(spec.to_string().parse(), Ok(spec));
        }
    }

    #[test]
    fn fresh_ones_are_of_all_sorts_and_mostly_small() {
        let mut rng = ChaCha8Rng::seed_from_u64(10);
        let specs: Vec<DeviceSpec> = (0..2000).map(|_| device_radix(&mut rng)).collect();
        let small = specs.iter().filter(|spec| spec.tile_items() <= 4096).count();
        assert!((1600..1990).contains(&small), "{small}");
        let kinds: HashSet<_> = specs.iter().map(|spec| (spec.key, spec.value)).collect();
        assert_eq!(kinds.len(), 17 * 7);
        for spec in specs {
            assert_eq!(spec.algorithm, DeviceAlgorithm::Radix, "{spec}");
            assert_eq!(spec.to_string().parse(), Ok(spec));
        }
    }
}
