//! The host backend against the oracle: every key type, size, option and distribution.

#![allow(clippy::unwrap_used)] // a failed unwrap is a failed test

mod keys;

use std::fmt::Debug;

use half::{bf16, f16};
use proptest::prelude::*;
use sortsmith::{ArrayAlgorithm, Error, Order, SortKey, SortOptions, SortValue, Sorter};
use sortsmith_testkit::inputs::Keys;
use sortsmith_testkit::oracle::{self, Task};
use sortsmith_testkit::seed::Seed;

use keys::{bits_of, keys_of};

/// Around the sizes at which another way of sorting takes over: insertion, passes, bins, threads. Under Miri, which is slow, insertion and
/// passes; the library's own tests have the others there.
const SIZES: &[usize] = if cfg!(miri) {
    &[0, 2, 41]
} else {
    &[0, 1, 2, 3, 32, 33, 100, 300, 5000, 65_535, 65_537, 300_000]
};

/// This, or under Miri that.
const fn or_under_miri<T: Copy>(this: T, that: T) -> T {
    if cfg!(miri) { that } else { this }
}

fn check_keys<K: SortKey>(kind: Keys, bytes: &[u8], task: &Task) {
    let context =
        || format!("{} {kind:?} {} items {task:?}", K::KEY_TYPE, bytes.len() / size_of::<K>());
    let options = SortOptions::new().order(task.order).bits(task.begin_bit..task.end_bit);
    let options = if task.nan_last { options.nan_last() } else { options };
    let expected = oracle::permutation(task, bytes);
    let keys = keys_of::<K>(bytes);
    let sorted: Vec<K> = expected.iter().map(|position| keys[*position as usize]).collect();

    // Of the host whatever else there is on this machine.
    let host = Sorter::host();
    let mut order = vec![0; keys.len()];
    host.argsort_into_with(&keys, &mut order, options).unwrap();
    assert!(order == expected, "argsort: {}", context());

    let (mut sorted_apart, mut order) = (keys.clone(), vec![7; keys.len()]);
    host.sort_with_positions_into_with(&keys, &mut sorted_apart, &mut order, options).unwrap();
    assert!(bits_of(&sorted_apart) == bits_of(&sorted), "keys beside positions: {}", context());
    assert!(order == expected, "positions beside keys: {}", context());

    let mut alone = keys.clone();
    host.sort_with(&mut alone, options).unwrap();
    assert!(bits_of(&alone) == bits_of(&sorted), "sort: {}", context());

    let (mut with_values, mut values) = (keys, (0..expected.len() as u32).collect::<Vec<_>>());
    host.sort_pairs_with(&mut with_values, &mut values, options).unwrap();
    assert!(bits_of(&with_values) == bits_of(&sorted), "sort_pairs: {}", context());
    assert!(values == expected, "values: {}", context());
}

/// Both orders, or under Miri one of them.
fn orders(number: usize) -> impl Iterator<Item = Order> {
    let both = [Order::Ascending, Order::Descending];
    both.into_iter().skip(or_under_miri(0, number % 2)).take(or_under_miri(2, 1))
}

fn check_type<K: SortKey>() {
    let seed = Seed::from_env();
    println!("SORTSMITH_SEED={}", seed.0);
    let mut rng = seed.rng(&K::KEY_TYPE.to_string());
    let mut kinds = Keys::all(K::KEY_TYPE);
    if cfg!(miri) {
        // One of them, and with the seed another one.
        kinds = vec![kinds[rng.random_range(0..kinds.len())]];
    }
    let long: Vec<Keys> = seed.tested(kinds.len()).map(|index| kinds[index]).collect();
    for kind in kinds {
        for n in SIZES.iter().copied() {
            // The quick run has few distributions of many keys.
            if n > 5000 && !long.contains(&kind) {
                continue;
            }
            // The largest size is for one distribution of each kind of work.
            if n > 100_000 && !matches!(kind, Keys::Uniform | Keys::Zipf) {
                continue;
            }
            let bytes = kind.generate(K::KEY_TYPE, n, &mut rng);
            for order in orders(rng.random_range(0..2)) {
                let all = K::KEY_TYPE.bits();
                let (begin_bit, end_bit) = if n % 2 == 0 {
                    (0, all)
                } else {
                    sortsmith_testkit::inputs::bit_range(K::KEY_TYPE, &mut rng)
                };
                let task = Task { order, begin_bit, end_bit, ..Task::new(K::KEY_TYPE) };
                check_keys::<K>(kind, &bytes, &task);
                if kind == Keys::Nans {
                    check_keys::<K>(kind, &bytes, &Task { nan_last: true, ..task });
                }
            }
        }
    }
}

macro_rules! check_types {
    ($($name:ident: $key:ty;)*) => {$(
        #[test]
        fn $name() {
            check_type::<$key>();
        }
    )*};
}

check_types! {
    u8_keys: u8; u16_keys: u16; u32_keys: u32; u64_keys: u64; u128_keys: u128;
    i8_keys: i8; i16_keys: i16; i32_keys: i32; i64_keys: i64; i128_keys: i128;
    f16_keys: f16; bf16_keys: bf16; f32_keys: f32; f64_keys: f64; bool_keys: bool;
}

fn check_values<V: SortValue + PartialEq + Debug>(value_of: impl Fn(usize) -> V) {
    for n in or_under_miri([5, 1000, 100_000], [0, 5, 40]) {
        let keys: Vec<u16> = (0..n).map(|item| (item * 7919 % 1013) as u16).collect();
        let expected = sortsmith::argsort(&keys).unwrap();
        let (mut sorted, mut values) = (keys, (0..n).map(&value_of).collect::<Vec<_>>());
        sortsmith::sort_pairs(&mut sorted, &mut values).unwrap();
        let expected: Vec<V> =
            expected.iter().map(|position| value_of(*position as usize)).collect();
        assert!(values == expected, "{n} values of {} bytes", size_of::<V>());
    }
}

#[test]
fn values_of_every_size_and_alignment_go_with_their_keys() {
    check_values(|item| item as u8);
    check_values(|item| item as i16);
    check_values(|item| item as f32);
    check_values(|item| [item as u16, !(item as u16)]);
    check_values(|item| [item as u64, !(item as u64)]);
    check_values(|item| (item as u128) << 64 | 5);
    check_values(|item| [item as u8; 16]);
    // Sizes that no kernel carries, up to those that the host gathers by positions.
    check_values(|item| [item as u8, !(item as u8), (item >> 8) as u8]);
    check_values(|item| [item as f32, -1.0, item as f32 / 3.0]);
    check_values(|item| [item as u64, !(item as u64), 7]);
    check_values(|item| [item as u32; 16]);
    check_values(|item| [[item as u8; 5]; 13]);
    check_values(|item| [item as u128, !(item as u128), 1, 2, 3]);
}

#[test]
fn large_values_follow_keys_of_any_order() {
    const WORDS: usize = 32;
    let check = |keys: &[i32], options: SortOptions| {
        let value_of = |item: &u32| [*item; WORDS];
        let order = sortsmith::argsort_with(keys, options).unwrap();
        let mut sorted = keys.to_vec();
        let mut values: Vec<[u32; WORDS]> =
            (0..keys.len() as u32).map(|it| value_of(&it)).collect();
        sortsmith::sort_pairs_with(&mut sorted, &mut values, options).unwrap();
        assert!(values == order.iter().map(value_of).collect::<Vec<_>>(), "{options:?}");
        assert!(sorted == order.iter().map(|item| keys[*item as usize]).collect::<Vec<_>>());
    };
    let sizes: &[i32] = or_under_miri(&[0, 1, 2, 32, 33, 300, 5000, 70_000], &[0, 2, 33]);
    for n in sizes.iter().copied() {
        let shuffled: Vec<i32> = (0..n).map(|item: i32| item.wrapping_mul(7919) % 1013).collect();
        let ascending: Vec<i32> = (0..n).collect();
        for keys in [shuffled, ascending, vec![5; n as usize]] {
            check(&keys, SortOptions::new());
            check(&keys, SortOptions::new().descending());
            check(&keys, SortOptions::new().bits(3..3));
        }
    }
}

/// A float of any bits, NaNs and zeros more often than by chance.
fn any_float() -> impl Strategy<Value = f32> {
    let special = [f32::NAN, -f32::NAN, 0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, 1.0];
    prop_oneof![any::<u32>().prop_map(f32::from_bits), proptest::sample::select(special.to_vec())]
}

/// Under Miri few cases, and no file of those that failed.
fn proptest_config() -> ProptestConfig {
    let config = ProptestConfig::default();
    if cfg!(miri) {
        ProptestConfig { cases: 2, failure_persistence: None, ..config }
    } else {
        config
    }
}

proptest! {
    #![proptest_config(proptest_config())]

    #[test]
    fn nans_come_last_in_either_order(
        keys in proptest::collection::vec(any_float(), 0..or_under_miri(200, 50)),
        descending: bool,
    ) {
        let options = SortOptions::new().nan_last();
        let options = if descending { options.descending() } else { options };
        let mut expected: Vec<u32> = (0..keys.len() as u32).collect();
        expected.sort_by(|a, b| {
            let (a, b) = (keys[*a as usize], keys[*b as usize]);
            match a.partial_cmp(&b) {
                Some(ordering) if descending => ordering.reverse(),
                Some(ordering) => ordering,
                None => a.is_nan().cmp(&b.is_nan()),
            }
        });
        prop_assert_eq!(sortsmith::argsort_with(&keys, options).unwrap(), expected);
    }

    #[test]
    fn nan_last_changes_nothing_for_integers(keys in proptest::collection::vec(any::<i16>(), 0..or_under_miri(200, 50))) {
        let order = sortsmith::argsort_with(&keys, SortOptions::new().nan_last()).unwrap();
        prop_assert_eq!(order, sortsmith::argsort(&keys).unwrap());
    }

    #[test]
    fn integers_sort_as_by_std(mut keys in proptest::collection::vec(any::<i64>(), 0..or_under_miri(5000, 50))) {
        let mut expected = keys.clone();
        expected.sort_unstable();
        sortsmith::sort(&mut keys).unwrap();
        prop_assert_eq!(keys, expected);
    }
}

#[test]
fn a_range_of_bits_takes_nans_last_as_all_ones() {
    let keys = [f32::NAN, 1.0, -f32::NAN, 2.0];
    // 1.0 and 2.0 have zeros there.
    let low = SortOptions::new().bits(0..8).nan_last();
    assert_eq!(sortsmith::argsort_with(&keys, low).unwrap(), [1, 3, 0, 2]);
    let low = low.descending();
    // Descending, zeros come last, with the NaNs.
    assert_eq!(sortsmith::argsort_with(&keys, low).unwrap(), [0, 1, 2, 3]);
    let nothing = SortOptions::new().bits(4..4).nan_last();
    assert_eq!(sortsmith::argsort_with(&keys, nothing).unwrap(), [0, 1, 2, 3]);
}

#[test]
fn errors_name_both_sides_and_leave_the_data_alone() {
    let mut keys = [3u32, 2, 1];
    let error = sortsmith::sort_pairs(&mut keys, &mut [0u8; 2]).unwrap_err();
    assert!(matches!(error, Error::LengthMismatch { keys: 3, values: 2 }));
    assert_eq!(error.to_string(), "3 keys and 2 values: each key needs one value");

    let past = SortOptions::new().bits(0..45);
    let error = sortsmith::sort_with(&mut keys, past).unwrap_err();
    let text = "bits 0..45 are not bits of a u32 key; legal: begin <= end <= 32";
    assert_eq!(error.to_string(), text);
    assert_eq!(keys, [3, 2, 1]);
    assert!(sortsmith::sort_with(&mut [1u64, 0], past).is_ok());

    #[allow(clippy::reversed_empty_ranges)] // a caller's mistake
    let reversed = SortOptions::new().bits(9..5);
    assert!(sortsmith::argsort_with(&keys, reversed).is_err());
    // The range is checked even where there is nothing to sort.
    assert!(sortsmith::argsort_with::<bool>(&[], SortOptions::new().bits(0..2)).is_err());
}

#[test]
fn sorts_run_on_a_thread_pool_of_any_size() {
    let keys: Vec<u64> = (0..or_under_miri(200_000u64, 700))
        .map(|item| item.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20)
        .collect();
    let mut expected = keys.clone();
    expected.sort_unstable();
    for threads in or_under_miri([1, 2, 7].as_slice(), &[2]).iter().copied() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut sorted = keys.clone();
        pool.install(|| sortsmith::sort(&mut sorted)).unwrap();
        assert!(sorted == expected, "{threads} threads");
    }
}

/// Keys that a sort by samples or by upper bits could get wrong, or slow: outliers, heavy hitters, long runs that agree in all but
/// their lowest bits, and equal keys but one.
#[test]
fn skewed_keys_are_sorted_by_buckets_and_by_runs() {
    const CLASSES: [fn(u64) -> u64; 6] = [
        |word| word,
        |word| if word % 999 == 0 { word } else { word & 0xff_ffff },
        |word| if word % 3 == 0 { 1 << 40 } else { word },
        |word| (word & 7) << 60 | word >> 50,
        |word| u64::from(word % 500_000 == 7),
        |word| word >> (word % 64),
    ];
    // By passes on one thread, and by buckets; by both on several.
    let cases: &[(u32, usize)] =
        or_under_miri(&[(3000, 1), (800_000, 1), (800_000, 3), (100_000, 16)], &[(200, 1)]);
    for (n, threads) in cases.iter().copied() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let seed = Seed::from_env();
        // Under Miri one of them, and with the seed another one.
        let is_meant = |class: &usize| !cfg!(miri) || seed.0 % 6 == *class as u64;
        for class in seed.tested(CLASSES.len()).filter(is_meant) {
            let key_of = CLASSES[class];
            let word = |item: u32| u64::from(item + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let keys: Vec<u64> = (0..n).map(|item| key_of(word(item) ^ word(item) >> 29)).collect();
            let mut expected: Vec<u32> = (0..n).collect();
            expected.sort_by_key(|row| keys[*row as usize]);
            let (mut sorted, mut rows) = (keys.clone(), (0..n).collect::<Vec<u32>>());
            pool.install(|| sortsmith::sort_pairs(&mut sorted, &mut rows)).unwrap();
            assert!(rows == expected, "class {class}, {n} keys, {threads} threads");
            assert!(sorted.is_sorted());
        }
    }
}

/// Keys in order, the other way round, and all but a few in order; few distinct ones; with equal keys in each, and zeros of both signs.
#[test]
fn equal_keys_stay_in_order_where_keys_have_an_order() {
    const CLASSES: [fn(u32, u32) -> f32; 6] = [
        |item, _| (item / 3) as f32,
        |item, n| ((n - item) / 3) as f32 - (n / 6) as f32,
        |item, n| if (item + item % 2) * 2 < n { 0.0 } else { -0.0 },
        |item, n| if item < n - n / 50 { (item / 5) as f32 } else { (item % 97) as f32 },
        |item, _| [0.5, -1.0, 3.0, f32::INFINITY][item.wrapping_mul(2_654_435_761) as usize % 4],
        |item, _| [0.0, -0.0, 1.0][item.wrapping_mul(2_654_435_761) as usize % 3],
    ];
    let sizes: &[u32] = or_under_miri(&[34, 70, 1500, 5000, 70_000, 300_000], &[40]);
    let ways = or_under_miri([1, 3].as_slice(), &[1]).iter();
    let ways: Vec<_> = ways.flat_map(|threads| (0..6).map(move |it| (threads, it))).collect();
    // The quick run has few of many keys.
    let of_many: Vec<usize> = Seed::from_env().tested(ways.len()).collect();
    for n in sizes.iter().copied() {
        let is_tested = |way: &usize| n <= 5000 || of_many.contains(way);
        for (threads, class) in (0..ways.len()).filter(is_tested).map(|way| ways[way]) {
            let keys: Vec<f32> = (0..n).map(|item| CLASSES[class](item, n)).collect();
            let bytes: Vec<u8> = keys.iter().flat_map(|key| key.to_ne_bytes()).collect();
            let pool = rayon::ThreadPoolBuilder::new().num_threads(*threads).build().unwrap();
            for order in orders(class) {
                let task = Task { order, ..Task::new(f32::KEY_TYPE) };
                pool.install(|| check_keys::<f32>(Keys::Sorted, &bytes, &task));
            }
        }
    }
}

#[test]
fn out_of_place_sorts_leave_the_input() {
    let sorter = Sorter::host();
    let (keys, values) = ([3u8, 1, 3, 2], ["a", "b", "c", "d"].map(|it| it.as_bytes()[0]));
    let (mut in_order, mut moved) = ([0; 4], [0; 4]);
    sorter.sort_into(&keys, &mut in_order).unwrap();
    assert_eq!(in_order, [1, 2, 3, 3]);
    let descending = SortOptions::new().descending();
    sorter.sort_pairs_into_with(&keys, &values, &mut in_order, &mut moved, descending).unwrap();
    assert_eq!((in_order, &moved), ([3, 3, 2, 1], b"acdb"));

    let error = sorter.sort_into(&keys, &mut in_order[..3]).unwrap_err();
    assert_eq!(error.to_string(), "4 keys, but the output has 3: the lengths must be equal");
    let error = sorter.sort_pairs_into(&keys, &values, &mut in_order, &mut moved[..1]).unwrap_err();
    assert!(matches!(error, Error::OutputLength { what: "values", items: 4, room: 1 }), "{error}");
    let error = sorter.sort_pairs_into(&keys, &values[..2], &mut in_order, &mut moved).unwrap_err();
    assert!(matches!(error, Error::LengthMismatch { keys: 4, values: 2 }), "{error}");
    let mut none: [u8; 0] = [];
    sorter.sort_into(&[], &mut none).unwrap();
}

/// Keys alone come out as a network sorts them on a GPU: by all of their bits, zeros too.
#[test]
fn a_network_orders_zeros_by_their_signs() {
    let by_network = SortOptions::new().algorithm(ArrayAlgorithm::Bitonic);
    let mut rng = Seed::from_env().rng("zeros of a network");
    for kind in [Keys::Zeros, Keys::Uniform, Keys::FewDistinct] {
        for n in SIZES.iter().copied().filter(|n| *n <= 5000) {
            let keys = keys_of::<f32>(&kind.generate(f32::KEY_TYPE, n, &mut rng));
            let mut expected = bits_of(&keys);
            expected.sort_unstable();
            let mut sorted = keys.clone();
            Sorter::host().sort_with(&mut sorted, by_network).unwrap();
            assert_eq!(bits_of(&sorted), expected, "{kind:?}, {n}");
            expected.reverse();
            Sorter::host().sort_with(&mut sorted, by_network.descending()).unwrap();
            assert_eq!(bits_of(&sorted), expected, "{kind:?}, {n}, descending");
        }
    }
}

#[test]
fn unsupported_requests_are_refused_by_name() {
    let by_network = SortOptions::new().algorithm(ArrayAlgorithm::Bitonic);
    let host = Sorter::host();
    let (mut keys, mut values) = ([2.0f32, -0.0, 0.0, 1.0], [0u32, 1, 2, 3]);
    let refused = |result: Result<(), Error>| match result {
        Err(error @ Error::NotOfAlgorithm { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    };
    let text = refused(host.sort_with(&mut keys, by_network.bits(0..31)));
    assert_eq!(text, "a bitonic sort does not take a range of bits; legal: all bits of the key");
    let text = refused(host.sort_pairs_with(&mut keys, &mut values, by_network.nan_last()));
    assert!(text.starts_with("a bitonic sort does not take NaNs last"), "{text}");
    let mut triples = [[0u32; 3]; 4];
    let text = refused(host.sort_pairs_with(&mut keys, &mut triples, by_network));
    assert!(text.ends_with("values of 1, 2, 4, 8 or 16 bytes, or none"), "{text}");
    refused(host.reserve_with::<u32, [u32; 3]>(10, by_network));
    // All bits, and keys that are never NaN, are as they are without the options.
    host.sort_with(&mut values, by_network.bits(0..32).nan_last()).unwrap();
    host.sort_pairs_with(&mut keys, &mut values, by_network).unwrap();
    assert_eq!(values, [1, 2, 3, 0]);
}
