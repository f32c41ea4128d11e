//! Sorts of device slices, and of host slices by way of copies.

use cudarc::driver::CudaViewMut;
use half::{bf16, f16};
use rand::RngExt;
use sortsmith::{BlockSort, Error, SortKey, SortOptions, SortValue, Sorter};
use sortsmith_codegen::KeyType;
use sortsmith_testkit::inputs::{self, Keys};
use sortsmith_testkit::oracle::{self, Task};

use crate::data::{Items, gathered, options_of, task_of};
use crate::{Setting, Test};

/// Around the edges of the single tiles.
const SIZES: [usize; 14] = [0, 1, 2, 3, 33, 511, 512, 513, 2047, 2048, 2049, 5000, 8191, 8192];

pub fn tests() -> Vec<Test> {
    let mut tests: Vec<Test> = Vec::new();
    macro_rules! of_keys {
        ($($key:ty)*) => {$(
            tests.push((format!("slices::{}", stringify!($key)), check_keys::<$key>));
        )*};
    }
    of_keys! { u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 f16 bf16 f32 f64 bool }
    macro_rules! of_values {
        ($($value:ty)*) => {$(
            tests.push((format!("slices::values_of_{}_bytes", size_of::<$value>()), check_values::<$value>));
        )*};
    }
    of_values! { u8 u16 u32 u64 u128 [u8; 3] [u16; 3] [u32; 3] [u64; 3] [u128; 4] }
    macro_rules! of_odd_values {
        ($($value:ty)*) => {$(
            tests.push((
                format!("slices::odd_addresses_of_{}_bytes", size_of::<$value>()),
                check_odd_values::<$value>,
            ));
        )*};
    }
    of_odd_values! { [u8; 2] [u16; 2] [f32; 2] [u64; 2] }
    tests.push(("slices::neighbours_stay".to_owned(), neighbours_stay));
    tests.push(("slices::host_slices_are_copied".to_owned(), host_slices_are_copied));
    tests.push(("slices::refusals".to_owned(), refusals));
    tests.push(("slices::out_of_memory".to_owned(), out_of_memory));
    tests.push(("slices::counted_keys".to_owned(), counted_keys));
    tests
}

fn check_keys<K: SortKey>(setting: &Setting) {
    let stream = setting.context.new_stream().unwrap();
    let sorter = Sorter::on(&stream).unwrap();
    let mut rng = setting.seed.rng(&K::KEY_TYPE.to_string());
    let step = if setting.sanitize { 5 } else { 1 };
    for (round, n) in SIZES.into_iter().enumerate().step_by(step) {
        let kinds = Keys::all(K::KEY_TYPE);
        for (number, options) in options_of::<K>().into_iter().enumerate() {
            let [alone, with_keys] = setting.ways(round / step + number);
            let kind = kinds[rng.random_range(0..kinds.len())];
            let context = format!("{} {kind:?} {n} items {options:?}", K::KEY_TYPE);
            let bytes = kind.generate(K::KEY_TYPE, n, &mut rng);
            let positions = oracle::permutation(&task_of::<K>(&options), &bytes);
            let expected = gathered(&bytes, size_of::<K>(), &positions);

            let mut keys = Items::holding(&stream, &bytes);
            if alone {
                let order = keys.call(|keys| sorter.argsort_with::<K>(keys, options)).unwrap();
                assert_eq!(stream.clone_dtoh(&order).unwrap(), positions, "argsort: {context}");
                assert!(keys.read() == bytes, "argsort wrote the keys: {context}");
            }
            if with_keys {
                let of_n = |size: usize| Items::holding(&stream, &vec![0xa5; n * size]);
                let (mut beside, mut order) = (of_n(size_of::<K>()), of_n(size_of::<u32>()));
                keys.call(|keys: &mut CudaViewMut<'_, K>| {
                    beside.call(|beside| {
                        order.call(|order| {
                            sorter.sort_with_positions_into_with::<K>(keys, beside, order, options)
                        })
                    })
                })
                .unwrap();
                assert!(beside.read() == expected, "keys beside positions: {context}");
                let of_bytes = bytemuck::cast_slice::<u32, u8>(&positions);
                assert!(order.read() == of_bytes, "positions beside keys: {context}");
                assert!(keys.read() == bytes, "the keys were written: {context}");
            }

            keys.call(|keys| sorter.sort_with::<K>(keys, options)).unwrap();
            assert!(keys.read() == expected, "sort: {context}");

            let values = inputs::values(4, n, round as u64);
            let (mut keys, mut rows) =
                (Items::holding(&stream, &bytes), Items::holding(&stream, &values));
            keys.call(|keys| {
                rows.call(|rows| sorter.sort_pairs_with::<K, u32>(keys, rows, options))
            })
            .unwrap();
            assert!(keys.read() == expected, "keys of pairs: {context}");
            assert!(rows.read() == gathered(&values, 4, &positions), "values: {context}");
        }
    }
}

fn check_values<V: SortValue>(setting: &Setting) {
    let stream = setting.context.default_stream();
    let sorter = Sorter::on(&stream).unwrap();
    let mut rng = setting.seed.rng("values");
    for n in [0, 1, 2, 600, 4000, 20_000] {
        let bytes = Keys::Zipf.generate(u64::KEY_TYPE, n, &mut rng);
        let values = inputs::values(size_of::<V>(), n, 7);
        let positions = oracle::permutation(&task_of::<u64>(&SortOptions::new()), &bytes);
        let (mut keys, mut with) =
            (Items::holding(&stream, &bytes), Items::holding(&stream, &values));
        keys.call(|keys| with.call(|values| sorter.sort_pairs::<u64, V>(keys, values))).unwrap();
        assert!(keys.read() == gathered(&bytes, 8, &positions));
        assert!(with.read() == gathered(&values, size_of::<V>(), &positions));
        // Pairs of equal keys in any order are the same pairs.
        let (mut keys, mut with) =
            (Items::holding(&stream, &bytes), Items::holding(&stream, &values));
        keys.call(|keys| with.call(|values| sorter.sort_pairs_unstable::<u64, V>(keys, values)))
            .unwrap();
        let (keys, with) = (keys.read(), with.read());
        assert!(keys == gathered(&bytes, 8, &positions));
        assert!(sorted_pairs(&keys, &with) == sorted_pairs(&bytes, &values));
    }
}

/// Values at addresses that are multiples of their type's alignment, and not of their size.
fn check_odd_values<V: SortValue>(setting: &Setting) {
    let stream = setting.context.new_stream().unwrap();
    let sorter = Sorter::on(&stream).unwrap();
    let tiles = BlockSort::<u64, V>::tiles(128, 4);
    let mut rng = setting.seed.rng("odd values");
    let (size, odd) = (size_of::<V>(), align_of::<V>());
    assert!(odd < size);
    for n in [2, 1000, 20_001, 300_001] {
        let bytes = Keys::LowEntropy(3).generate(KeyType::U64, n, &mut rng);
        let values = inputs::values(size, n, n as u64);
        let positions = oracle::permutation(&Task::new(KeyType::U64), &bytes);
        let (keys_sorted, values_moved) =
            (gathered(&bytes, 8, &positions), gathered(&values, size, &positions));
        let mut keys = Items::holding(&stream, &bytes);
        let mut with = Items::holding_at(odd, &stream, &values);
        keys.call(|keys| with.call(|values| sorter.sort_pairs::<u64, V>(keys, values))).unwrap();
        assert!(keys.read() == keys_sorted && with.read() == values_moved, "{n} in place");
        let all = [[0, odd], [odd, 0], [odd, 3 * odd]];
        let does_less = setting.sanitize && n > 100_000;
        for [from, to] in &all[if does_less { 2 } else { 0 }..] {
            let mut keys = Items::holding(&stream, &bytes);
            let mut with = Items::holding_at(*from, &stream, &values);
            let mut keys_out = Items::holding(&stream, &vec![0; bytes.len()]);
            let mut values_out = Items::holding_at(*to, &stream, &vec![0; values.len()]);
            let done = keys.call::<u64, _>(|keys| {
                with.call::<V, _>(|values| {
                    keys_out.call::<u64, _>(|keys_out| {
                        values_out.call::<V, _>(|values_out| {
                            sorter.sort_pairs_into::<u64, V>(keys, values, keys_out, values_out)
                        })
                    })
                })
            });
            done.unwrap();
            assert!(
                keys_out.read() == keys_sorted && values_out.read() == values_moved,
                "{n}, {from} to {to}"
            );
            assert!(keys.read() == bytes && with.read() == values, "{n}: the inputs stay");
        }
        if does_less {
            continue;
        }
        let mut keys = Items::holding(&stream, &bytes);
        let mut with = Items::holding_at(odd, &stream, &values);
        keys.call(|keys| with.call(|values| tiles.sort_pairs(&sorter, keys, values))).unwrap();
        let tile_positions: Vec<u32> = (0..n)
            .step_by(512)
            .flat_map(|start| {
                let tile = &bytes[8 * start..8 * (start + 512).min(n)];
                let within = oracle::permutation(&Task::new(KeyType::U64), tile);
                within.into_iter().map(move |position| position + start as u32)
            })
            .collect();
        assert!(keys.read() == gathered(&bytes, 8, &tile_positions), "{n}: keys of tiles");
        assert!(with.read() == gathered(&values, size, &tile_positions), "{n}: values of tiles");
    }
}

/// Each key of 8 bytes with its value, in an order that depends on nothing else.
fn sorted_pairs<'a>(keys: &'a [u8], values: &'a [u8]) -> Vec<(&'a [u8], &'a [u8])> {
    let value_bytes = (8 * values.len()).checked_div(keys.len()).unwrap_or(1);
    let mut pairs: Vec<_> = keys.chunks(8).zip(values.chunks(value_bytes)).collect();
    pairs.sort_unstable();
    pairs
}

fn neighbours_stay(setting: &Setting) {
    let stream = setting.context.default_stream();
    let sorter = Sorter::on(&stream).unwrap();
    let descending: Vec<f32> = (0..3000u16).rev().map(f32::from).collect();
    let mut keys = stream.clone_htod(&descending).unwrap();
    sorter.sort(&mut keys.slice_mut(100..2500)).unwrap();
    let mut expected = descending.clone();
    expected[100..2500].reverse();
    assert_eq!(stream.clone_dtoh(&keys).unwrap(), expected);
    sorter.sort::<f32>(&mut keys).unwrap();
    assert!(stream.clone_dtoh(&keys).unwrap().is_sorted());
}

fn host_slices_are_copied(setting: &Setting) {
    let sorter = Sorter::on(&setting.context.default_stream()).unwrap();
    let mut rng = setting.seed.rng("host slices");
    let keys: Vec<f64> = (0..3000).map(|_| rng.random_range(-1.0..1.0)).collect();
    let order = sortsmith::argsort(&keys).unwrap();
    let mut found = vec![0; keys.len()];
    sorter.argsort_into(&keys, &mut found).unwrap();
    assert_eq!(found, order);
    let (mut expected, mut rows) = (keys.clone(), (0..3000).collect::<Vec<u32>>());
    sorter.sort_pairs(&mut expected, &mut rows).unwrap();
    assert_eq!(rows, order);
    let (mut again, mut triples) =
        (keys.clone(), (0..3000).map(|row| [row; 3]).collect::<Vec<[u32; 3]>>());
    sorter.sort_pairs(&mut again, &mut triples).unwrap();
    assert!(
        again == expected && triples.iter().zip(&order).all(|(value, row)| *value == [*row; 3])
    );
    let mut alone = keys;
    sorter.sort(&mut alone).unwrap();
    assert_eq!(alone, expected);
    let mut flags = vec![true, false, true];
    sorter.sort(&mut flags).unwrap();
    assert_eq!(flags, [false, true, true]);
}

fn refusals(setting: &Setting) {
    let stream = setting.context.default_stream();
    let sorter = Sorter::on(&stream).unwrap();
    let mut keys = stream.alloc_zeros::<u32>(100).unwrap();
    let mut fewer = stream.alloc_zeros::<u32>(99).unwrap();
    let error = sorter.sort_pairs::<u32, u32>(&mut keys, &mut fewer).unwrap_err();
    assert!(matches!(error, Error::LengthMismatch { keys: 100, values: 99 }), "{error}");
    let error = sorter.sort_with(&mut keys, SortOptions::new().bits(0..33)).unwrap_err();
    assert!(matches!(error, Error::BitRange { .. }), "{error}");
    let error = sorter.sort_pairs(&mut keys, &mut vec![0u32; 100]).unwrap_err();
    assert!(matches!(error, Error::MixedMemory { what: "keys and values" }), "{error}");
    let error = Sorter::host().sort(&mut keys).unwrap_err();
    assert!(matches!(error, Error::HostSorter { what: "keys" }), "{error}");
    let error = Sorter::on_device(1000).unwrap_err();
    assert!(matches!(error, Error::InvalidDevice { ordinal: 1000, devices: 1.. }), "{error}");
    let error = sorter.argsort_into(&keys, &mut fewer).unwrap_err();
    assert!(matches!(error, Error::LengthMismatch { keys: 100, values: 99 }), "{error}");
}

/// More scratch than any device has is an error, after which smaller sorts still get their memory.
fn out_of_memory(setting: &Setting) {
    let stream = setting.context.new_stream().unwrap();
    let sorter = Sorter::on(&stream).unwrap();
    let n = 1 << 29;
    let error = sorter.reserve::<u32, [u8; 4096]>(n).unwrap_err();
    let is_named =
        matches!(error, Error::OutOfDeviceMemory { what: "scratch", bytes } if bytes >= n << 12);
    assert!(is_named, "{error}");
    let mut keys = stream.clone_htod(&(0..100_000u32).rev().collect::<Vec<_>>()).unwrap();
    sorter.sort(&mut keys).unwrap();
    assert!(stream.clone_dtoh(&keys).unwrap().is_sorted());
}

/// Keys that are counted and written anew take no second array; fewer of them, and a part of their bits, do. Each sorter
/// has exactly the scratch of the largest sort.
fn counted_keys(setting: &Setting) {
    fn check<K: SortKey>(setting: &Setting) {
        let stream = setting.context.new_stream().unwrap();
        let mut rng = setting.seed.rng(&format!("counted {}", K::KEY_TYPE));
        let all = SortOptions::new();
        let lengths = [600_001, 5_000_011];
        let lengths = &lengths[..if setting.sanitize { 1 } else { 2 }];
        for (n, options) in lengths.iter().flat_map(|n| [all, all.bits(0..1)].map(|it| (*n, it))) {
            let bytes = Keys::Uniform.generate(K::KEY_TYPE, n, &mut rng);
            let positions = oracle::permutation(&task_of::<K>(&options), &bytes);
            let sorter = Sorter::on(&stream).unwrap();
            sorter.reserve_with::<K, ()>(n, options).unwrap();
            let mut keys = Items::holding(&stream, &bytes);
            keys.call(|keys| sorter.sort_with::<K>(keys, options)).unwrap();
            let expected = gathered(&bytes, size_of::<K>(), &positions);
            assert!(keys.read() == expected, "{n} keys of {} {options:?}", K::KEY_TYPE);
        }
    }
    check::<u8>(setting);
    check::<i8>(setting);
    check::<bool>(setting);
    check::<u16>(setting);
    check::<i16>(setting);
}
