//! Rows, segments and top-k of host slices against the oracle, list by list.

#![allow(clippy::unwrap_used)] // a failed unwrap is a failed test

use std::ops::Range;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use sortsmith::{ArrayAlgorithm, Error, Order, Rows, SortKey, SortOptions, Sorter, TopKOptions};
use sortsmith_testkit::inputs::Keys;
use sortsmith_testkit::oracle::{self, Task};

/// A type of keys that are read from the oracle's bytes.
trait FromBytes: SortKey + bytemuck::Pod {}
impl<K: SortKey + bytemuck::Pod> FromBytes for K {}

fn keys_of<K: FromBytes>(bytes: &[u8]) -> Vec<K> {
    bytes.chunks_exact(size_of::<K>()).map(bytemuck::pod_read_unaligned).collect()
}

fn bits_of<K: SortKey>(keys: &[K]) -> Vec<K::Bits> {
    keys.iter().map(|key| key.to_ordered_bits()).collect()
}

/// Options and the oracle's task for them.
fn tasks<K: SortKey>() -> Vec<(SortOptions, Task)> {
    let task = Task::new(K::KEY_TYPE);
    let bits = K::KEY_TYPE.bits();
    let descending = Task { order: Order::Descending, ..task };
    vec![
        (SortOptions::new(), task),
        (SortOptions::new().descending(), descending),
        (SortOptions::new().nan_last(), Task { nan_last: true, ..task }),
        (SortOptions::new().bits(1..bits - 2), Task { begin_bit: 1, end_bit: bits - 2, ..task }),
    ]
}

/// The positions within each list that the oracle sorts it from, and the items outside of lists as they are.
fn expected<K: FromBytes>(keys: &[K], lists: &[Range<usize>], task: &Task) -> (Vec<K>, Vec<u32>) {
    let (mut sorted, mut positions) = (keys.to_vec(), vec![0; keys.len()]);
    for list in lists {
        let bytes = bytemuck::cast_slice(&keys[list.clone()]);
        for (to, from) in oracle::permutation(task, bytes).into_iter().enumerate() {
            sorted[list.start + to] = keys[list.start + from as usize];
            positions[list.start + to] = from;
        }
    }
    (sorted, positions)
}

fn check_rows<K: FromBytes>(keys: &[K], rows: Rows, stride: usize) {
    let columns = rows.columns();
    let first_items = (0..keys.len()).step_by(stride.max(1));
    let lists: Vec<Range<usize>> = first_items.map(|first| first..first + columns).collect();
    for (options, task) in tasks::<K>() {
        let context = format!("{} keys of {}, {rows:?} {options:?}", keys.len(), K::KEY_TYPE);
        let (sorted, positions) = expected(keys, &lists, &task);
        let mut alone = keys.to_vec();
        sortsmith::sort_rows_with(&mut alone, rows, options).unwrap();
        assert!(bits_of(&alone) == bits_of(&sorted), "sort_rows: {context}");
        let found = sortsmith::argsort_rows_with(keys, rows, options).unwrap();
        assert!(found == positions, "argsort_rows: {context}");
        let (mut moved, mut values) = (keys.to_vec(), (0..keys.len() as u64).collect::<Vec<_>>());
        sortsmith::sort_pairs_rows_with(&mut moved, &mut values, rows, options).unwrap();
        assert!(bits_of(&moved) == bits_of(&sorted), "keys of sort_pairs_rows: {context}");
        let from = values.iter().map(|value| keys[*value as usize]).collect::<Vec<K>>();
        assert!(bits_of(&from) == bits_of(&sorted), "values of sort_pairs_rows: {context}");
        check_rows_by_sorter(keys, rows, options, (&values, &positions));
    }
}

/// A sorter does what the functions do. To other slices it writes rows, and nothing between them.
fn check_rows_by_sorter<K: FromBytes>(
    keys: &[K],
    rows: Rows,
    options: SortOptions,
    (sources, positions): (&[u64], &[u32]),
) {
    let context = format!("{} keys of {}, {rows:?} {options:?}", keys.len(), K::KEY_TYPE);
    let (sorter, numbers) = (Sorter::host(), (0..keys.len() as u64).collect::<Vec<_>>());
    let (mut moved, mut values) = (keys.to_vec(), numbers.clone());
    sorter.sort_pairs_rows_with(&mut moved, &mut values, rows, options).unwrap();
    assert!(values == sources, "sort_pairs_rows: {context}");
    let (mut other, mut alone) = (keys.to_vec(), keys.to_vec());
    let mut found = numbers.clone();
    let (to_keys, to_values) = (&mut other, &mut found);
    sorter.sort_pairs_rows_into_with(keys, &numbers, to_keys, to_values, rows, options).unwrap();
    assert!(found == sources && bits_of(&other) == bits_of(&moved), "to others: {context}");
    sorter.sort_rows_with(&mut alone, rows, options).unwrap();
    assert!(bits_of(&alone) == bits_of(&moved), "sort_rows: {context}");
    let mut into = keys.to_vec();
    sorter.sort_rows_into_with(keys, &mut into, rows, options).unwrap();
    assert!(bits_of(&into) == bits_of(&moved), "sort_rows_into: {context}");
    let mut order = vec![0; keys.len()];
    sorter.argsort_rows_into_with(keys, &mut order, rows, options).unwrap();
    assert!(order == positions, "argsort_rows_into: {context}");
}

fn check_segments<K: FromBytes>(keys: &[K], offsets: &[i64]) {
    let lists: Vec<Range<usize>> =
        offsets.windows(2).map(|pair| pair[0] as usize..pair[1] as usize).collect();
    for (options, task) in tasks::<K>() {
        let context = format!("{} keys of {}, {options:?}", keys.len(), K::KEY_TYPE);
        let (sorted, positions) = expected(keys, &lists, &task);
        let mut alone = keys.to_vec();
        sortsmith::sort_segments_with(&mut alone, offsets, options).unwrap();
        assert!(bits_of(&alone) == bits_of(&sorted), "sort_segments: {context}");
        let found = sortsmith::argsort_segments_with(keys, offsets, options).unwrap();
        assert!(found == positions, "argsort_segments: {context}");
        let (mut moved, mut values) = (keys.to_vec(), (0..keys.len() as u32).collect::<Vec<_>>());
        sortsmith::sort_pairs_segments_with(&mut moved, &mut values, offsets, options).unwrap();
        let from = values.iter().map(|value| keys[*value as usize]).collect::<Vec<K>>();
        assert!(bits_of(&from) == bits_of(&sorted), "sort_pairs_segments: {context}");
    }
}

fn check_top_k<K: FromBytes>(keys: &[K], rows: Rows, stride: usize, k: usize) {
    let task = Task::new(K::KEY_TYPE);
    let descending = Task { order: Order::Descending, ..task };
    for (options, task) in [
        (TopKOptions::new(), descending),
        (TopKOptions::new().smallest(), task),
        (TopKOptions::new().nan_last(), Task { nan_last: true, ..descending }),
        (TopKOptions::new().unsorted(), descending),
    ] {
        let context = format!("top {k} of {}, {rows:?} {options:?}", K::KEY_TYPE);
        let found = sortsmith::top_k_rows_with(keys, rows, k, options).unwrap();
        let mut positions = Vec::new();
        for start in (0..keys.len()).step_by(stride) {
            let row = bytemuck::cast_slice(&keys[start..start + rows.columns()]);
            let mut first = oracle::permutation(&task, row)[..k].to_vec();
            if options == TopKOptions::new().unsorted() {
                first.sort_unstable();
            }
            positions.push(first);
        }
        assert!(found.positions == positions.concat(), "{context}");
        check_beside(keys, &positions, (rows, stride, k), options);
        let of_row = positions.iter().zip((0..keys.len()).step_by(stride));
        let keys =
            of_row.flat_map(|(row, start)| row.iter().map(move |it| keys[start + *it as usize]));
        assert!(bits_of(&found.keys) == bits_of(&keys.collect::<Vec<K>>()), "{context}");
    }
}

/// Positions of 64 bits, and values.
fn check_beside<K: FromBytes>(
    keys: &[K],
    positions: &[Vec<u32>],
    (rows, stride, k): (Rows, usize, usize),
    options: TopKOptions,
) {
    let sorter = Sorter::host();
    let found = positions.len() * k;
    let (mut best, mut wide) = (vec![K::zeroed(); found], vec![0i64; found]);
    sorter.top_k_rows_into_with(keys, &mut best, &mut wide, rows, k, options).unwrap();
    let expected: Vec<i64> = positions.iter().flatten().map(|it| i64::from(*it)).collect();
    assert!(wide == expected, "64-bit positions: top {k} of {rows:?} {options:?}");
    let values: Vec<[u32; 3]> = (0..keys.len() as u32).map(|it| [it, !it, 7 * it]).collect();
    let (mut again, mut belonging) = (vec![K::zeroed(); found], vec![[0; 3]; found]);
    sorter
        .top_k_pairs_rows_into_with(keys, &values, &mut again, &mut belonging, rows, k, options)
        .unwrap();
    let of_row = positions.iter().zip((0..keys.len()).step_by(stride));
    let expected: Vec<[u32; 3]> = of_row
        .flat_map(|(row, start)| {
            row.iter().map(|it| values[start + *it as usize]).collect::<Vec<_>>()
        })
        .collect();
    assert!(belonging == expected, "values: top {k} of {rows:?} {options:?}");
    assert!(bits_of(&again) == bits_of(&best), "keys: top {k} of {rows:?} {options:?}");
}

fn check<K: FromBytes>() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for (number, kind) in Keys::all(K::KEY_TYPE).into_iter().enumerate() {
        // Short rows, some that several threads sort, and one long one.
        let shapes =
            [(5, 0, 1), (0, 1, 1), (7, 3, 3), (70, 33, 40), (900, 100, 100), (2, 700, 701)];
        for (rows, columns, stride) in shapes {
            let keys = keys_of::<K>(&kind.generate(K::KEY_TYPE, rows * stride, &mut rng));
            if columns > 0 {
                check_rows(&keys, Rows::of(columns).stride(stride), stride);
                let k = rng.random_range(0..=columns);
                check_top_k(&keys, Rows::of(columns).stride(stride), stride, k);
            }
        }
        for (segments, items) in [(0, 10), (1, 100), (50, 40), (300, 2000)] {
            let keys = keys_of::<K>(&kind.generate(K::KEY_TYPE, items, &mut rng));
            let mut offsets: Vec<i64> =
                (0..=segments).map(|_| rng.random_range(0..=items as i64)).collect();
            offsets.sort_unstable();
            check_segments(&keys, &offsets);
        }
        if number % 8 == 0 {
            let keys = keys_of::<K>(&kind.generate(K::KEY_TYPE, 150_000, &mut rng));
            check_rows(&keys, Rows::of(50_000), 50_000);
            check_rows(&keys, Rows::of(50), 50);
            // One segment has most items, and many are empty.
            let short = (0..2000).map(|it: i64| it * it / 400);
            check_segments(&keys, &short.chain([150_000; 40]).collect::<Vec<_>>());
            check_top_k(&keys, Rows::of(1000), 1000, 50);
        }
    }
}

#[test]
fn lists_of_integers_are_sorted_each_for_itself() {
    check::<u8>();
    check::<i16>();
    check::<u32>();
    check::<i64>();
    check::<u128>();
}

#[test]
fn lists_of_floats_are_sorted_each_for_itself() {
    check::<half::f16>();
    check::<f32>();
    check::<f64>();
}

#[test]
fn rows_in_another_slice_leave_what_is_between_them() {
    let (keys, numbers) = ([3u8, 1, 0, 9, 8], [1u32, 2, 3, 4, 5]);
    let (mut into, mut values, mut order) = ([7u8; 5], [7u32; 5], [7u32; 5]);
    let (sorter, rows, options) = (Sorter::host(), Rows::of(2).stride(3), SortOptions::new());
    let (to_keys, to_values) = (&mut into, &mut values);
    sorter.sort_pairs_rows_into_with(&keys, &numbers, to_keys, to_values, rows, options).unwrap();
    assert_eq!((into, values), ([1, 3, 7, 8, 9], [2, 1, 7, 5, 4]));
    into = [7; 5];
    sorter.sort_rows_into_with(&keys, &mut into, rows, options).unwrap();
    sorter.argsort_rows_into_with(&keys, &mut order, rows, options).unwrap();
    assert_eq!((into, order), ([1, 3, 7, 8, 9], [1, 0, 7, 1, 0]));
    let error = sorter.sort_rows_into(&keys, &mut into[..4], 1).unwrap_err();
    assert!(matches!(error, Error::OutputLength { items: 5, room: 4, .. }), "{error}");
    let error = sorter.argsort_rows_into(&keys, &mut order, 2).unwrap_err();
    assert!(matches!(error, Error::RowShape { items: 5, columns: 2, stride: 2 }), "{error}");
    assert_eq!((into, order), ([1, 3, 7, 8, 9], [1, 0, 7, 1, 0]));
}

#[test]
fn what_is_no_list_is_refused_and_nothing_is_moved() {
    let mut keys = [3u8, 2, 1, 0];
    let unchanged = keys;
    let error = sortsmith::sort_rows(&mut keys, 3).unwrap_err();
    assert!(matches!(error, Error::RowShape { items: 4, columns: 3, stride: 3 }), "{error}");
    assert!(
        sortsmith::sort_rows_with(&mut keys, Rows::of(2).stride(1), SortOptions::new()).is_err()
    );
    let error = sortsmith::sort_segments(&mut keys, &[0i32, 3, 2]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "offset 2 of the segments is 2; legal: 3 to 4, for offsets ascend"
    );
    assert!(sortsmith::sort_segments(&mut keys, &[0u64, 5]).is_err());
    let error = sortsmith::sort_pairs_rows(&mut keys, &mut [0u8; 3], 2).unwrap_err();
    assert!(matches!(error, Error::LengthMismatch { keys: 4, values: 3 }), "{error}");
    let bitonic = SortOptions::new().algorithm(ArrayAlgorithm::Bitonic);
    let error = sortsmith::sort_rows_with(&mut keys, 2, bitonic).unwrap_err();
    assert!(matches!(error, Error::NotOfAlgorithm { .. }), "{error}");
    let error = sortsmith::sort_rows_with(&mut keys, 2, SortOptions::new().bits(0..9)).unwrap_err();
    assert!(matches!(error, Error::BitRange { .. }), "{error}");
    assert_eq!(keys, unchanged);
    let error = sortsmith::argsort_binned(&keys, 513).unwrap_err();
    assert_eq!(error.to_string(), "513 bins; legal: 1 to 512");
    let error = sortsmith::argsort_binned_rows(&keys, 3, 8).unwrap_err();
    assert!(matches!(error, Error::RowShape { .. }), "{error}");
    let error = sortsmith::top_k_rows(&keys, 2, 3).unwrap_err();
    assert_eq!(error.to_string(), "the top 3 of 2 keys; legal: at most 2");
    assert!(sortsmith::top_k::<f32>(&[], 1).is_err());
    assert_eq!(sortsmith::top_k::<f32>(&[], 0).unwrap(), sortsmith::TopK::default());
    assert!(sortsmith::top_k(&keys, 0).unwrap().positions.is_empty());
}

/// The positions of each row by bins, and their offsets: of keys in no bin too, of one thread and of several.
#[test]
fn binned_argsorts_list_the_positions_of_each_bin() {
    let mut rng = ChaCha8Rng::seed_from_u64(40);
    let shapes = [(1, 0, 1), (1, 1, 3), (1, 5000, 256), (7, 300, 512), (3, 100, 2)];
    for (rows, columns, bins) in shapes.into_iter().chain([(40, 10_000, 64), (1, 300_000, 64)]) {
        let stride = columns + rng.random_range(0..3);
        let n = if rows == 1 { columns } else { rows * stride };
        let keys: Vec<i32> = (0..n).map(|_| rng.random_range(-2..bins as i32 + 2)).collect();
        let found = if rows == 1 {
            sortsmith::argsort_binned(&keys, bins).unwrap()
        } else {
            let rows = Rows::of(columns).stride(stride);
            sortsmith::argsort_binned_rows(&keys, rows, bins).unwrap()
        };
        let (mut positions, mut offsets) = (Vec::new(), Vec::new());
        for row in 0..rows {
            let keys = &keys[row * stride..][..columns];
            let of_bin = |bin: usize| (0..columns).filter(move |it| keys[*it] == bin as i32);
            let own: Vec<usize> = (0..bins).flat_map(of_bin).collect();
            let is_in_none = |it: &usize| !(0..bins as i32).contains(&keys[*it]);
            positions.extend(own.iter().copied().chain((0..columns).filter(is_in_none)));
            let before = |bin: usize| own.iter().filter(|it| (keys[**it] as usize) < bin).count();
            offsets.extend((0..=bins).map(before));
        }
        let numbers = |of: &[u32]| of.iter().map(|it| *it as usize).collect::<Vec<_>>();
        assert!(numbers(&found.positions) == positions, "{rows} x {columns}, {bins} bins");
        assert_eq!(numbers(&found.offsets), offsets, "{rows} x {columns}, {bins} bins");
    }
}
