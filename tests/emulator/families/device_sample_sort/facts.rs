//! What the tests know of sorts by samples.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::device::{DeviceAlgorithm, DeviceFields, DeviceSpec, Launch, RADIX_BITS};
use sortsmith_codegen::{KeyType, Order, Token, ValueType};

use crate::device_cases::{DeviceCase, How, case, case_of_keys};
use crate::device_families::{DeviceFacts, OwnCases, any_key, legal, named};
use crate::inputs::Keys;

/// Sorts of structs: of bytes that are those of an integer, with padding and without, or are not.
const OF_STRUCTS: [&str; 4] = [
    "device_sample_sort_u32f32u8_u32_b64_i2_asc",
    "device_sample_sort_i64u32_keys_b32_i4_desc",
    "device_sample_sort_u8i16u8_index_b64_i1_desc",
    "device_sample_sort_u8f64u8_u64_b32_i2_desc",
];

/// As many items as a sort is tried with: more than 32 tiles, or more than 32 buckets; of 64 threads, more than 64 buckets.
const MOST_ITEMS: u64 = 17_000;

pub(crate) struct Facts;

impl DeviceFacts for Facts {
    /// Each key twice, ascending and descending; values and shapes in turn. The same of rows, each key once. Then structs.
    fn covering_set(&self) -> Vec<DeviceSpec> {
        let shapes = [(32, 4), (64, 1), (32, 1), (128, 2), (32, 12), (64, 8), (256, 1)];
        let keys = KeyType::ALL.len();
        (0..3 * keys)
            .map(|number| {
                let is_of_rows = number >= 2 * keys;
                let is_second = (keys..2 * keys).contains(&number) || is_of_rows && number % 2 == 0;
                let (value, _) = ValueType::table()[number % ValueType::table().len()];
                let shape = shapes[(number * 3 + usize::from(is_second)) % shapes.len()];
                let order = if is_second { Order::Descending } else { Order::Ascending };
                let counted = number % 5 == 1;
                sort(KeyType::ALL[number % keys], value, shape, (order, is_of_rows, counted))
            })
            .chain(OF_STRUCTS.map(named))
            .collect()
    }

    /// Of small blocks most often, which need many buckets soon, now and then of the tuned shape.
    fn fresh(&self, rng: &mut ChaCha8Rng) -> DeviceSpec {
        let key = any_key(rng);
        let (value, _) = *ValueType::table().choose(rng).expect("not empty");
        let (order, _) = *Order::table().choose(rng).expect("not empty");
        let shape = match rng.random_range(0..16) {
            0 => (512, 2),
            1 => (1024, 1),
            // Their most items make buckets that no block holds.
            2 | 3 => (32, rng.random_range(10..=16)),
            // As many as these have more buckets than a block has threads.
            4 => (64, 8),
            _ => (*[32, 32, 64, 128, 256].choose(rng).expect("not empty"), rng.random_range(1..=6)),
        };
        let rows = key.is_scalar() && rng.random_ratio(1, 3);
        sort(key, value, shape, (order, rows, rng.random_ratio(1, 5)))
    }

    fn rounds(&self, spec: &DeviceSpec) -> u32 {
        spec.key.bits().div_ceil(RADIX_BITS)
    }

    fn own_arguments(&self, _: &DeviceSpec, how: &How, _: &[Launch]) -> Vec<u32> {
        // The seed; bits above its lower 32 are of sorts that count themselves.
        vec![how.seed as u32]
    }

    fn sizes(&self, spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> Vec<usize> {
        // Of a small block's most items each bucket has more than the block can sort.
        let most = spec.max_items().min(MOST_ITEMS) as usize;
        vec![most, most - 1, rng.random_range(most / 2..=most)]
    }

    /// Buckets of more pieces than a warp has lanes, of all distributions, on blocks that run at once.
    fn cases(&self, spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> OwnCases {
        let n = spec.max_items().min(MOST_ITEMS).min(66 * u64::from(spec.tile_items())) as usize;
        let how = How { blocks_at_once: 4, ..How::by_bits(0..spec.key.bits()) };
        let of_kind = |kind| case(spec, kind, n, how.clone(), rng);
        let mut last: Vec<DeviceCase> = Keys::all(spec.key).into_iter().map(of_kind).collect();
        if spec.key.is_scalar() {
            let keys = repeated_among_others(spec, n, rng);
            let repeated = case_of_keys(spec, Keys::Own("repeated"), keys, how, rng);
            last.push(repeated.showing("sub-buckets that overflow beside others"));
        }
        OwnCases { last, ..OwnCases::default() }
    }
}

/// Keys with any bits, and as many that have few distinct ones uppermost and none below: a bucket has several of these, each many times.
fn repeated_among_others(spec: &DeviceSpec, n: usize, rng: &mut ChaCha8Rng) -> Vec<u8> {
    /// The uppermost bits that repeated keys differ in.
    const DISTINCT: u8 = 0xfc;
    let bytes = spec.key.bytes() as usize;
    let draw = |byte: usize| {
        let bits: u8 = rng.random();
        let (is_repeated, is_uppermost) =
            ((byte / bytes).is_multiple_of(2), byte % bytes == bytes - 1);
        let bits = match (is_repeated, is_uppermost) {
            (false, _) => bits,
            (true, true) => bits & DISTINCT,
            (true, false) => 0,
        };
        // A byte with other bits is no `bool`.
        if spec.key == KeyType::Bool { bits & 1 } else { bits }
    };
    (0..n * bytes).map(draw).collect()
}

fn sort(
    key: KeyType,
    value: ValueType,
    (threads, items): (u32, u32),
    (order, rows, counted): (Order, bool, bool),
) -> DeviceSpec {
    let algorithm = DeviceAlgorithm::Sample { rows };
    let (nan_last, wide) = (false, false);
    let fields =
        DeviceFields { algorithm, key, value, threads, items, order, nan_last, wide, counted };
    // This number of threads has no room for the widest items.
    fields.validate().unwrap_or_else(|_| legal(DeviceFields { threads: 256, ..fields }))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand::SeedableRng;

    use super::*;

    #[test]
    fn keys_of_all_cases_are_valid() {
        let spec: DeviceSpec = "device_sample_sort_bool_u32_b256_i6_asc".parse().expect("legal");
        let cases = Facts.cases(&spec, &mut ChaCha8Rng::seed_from_u64(7)).last;
        let repeated = cases.iter().filter(|case| case.kind == Keys::Own("repeated"));
        assert_eq!(repeated.count(), 1);
        for case in cases {
            assert!(case.keys.iter().all(|byte| *byte <= 1), "{case}");
        }
    }

    #[test]
    fn sorts_by_samples_are_of_all_types() {
        let mut rng = ChaCha8Rng::seed_from_u64(11);
        let specs: Vec<DeviceSpec> = (0..1000).map(|_| Facts.fresh(&mut rng)).collect();
        let scalars = |specs: Vec<DeviceSpec>| specs.into_iter().filter(|it| it.key.is_scalar());
        let kinds: HashSet<_> = scalars(specs).map(|spec| (spec.key, spec.value)).collect();
        assert_eq!(kinds.len(), 17 * 7);
        let fixed = scalars(Facts.covering_set());
        let orders: HashSet<_> = fixed.map(|spec| (spec.key, spec.order)).collect();
        assert_eq!(orders.len(), 34);
    }
}
