//! As many items, rows and segments of host slices as a count says: what lies behind is left as it is.

#![allow(clippy::unwrap_used)] // a failed unwrap is a failed test

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use sortsmith::{ArrayAlgorithm, Error, Rows, Segments, SortOptions, Sorter};

/// None, one, all but one, all, one more, and far more than there are.
fn counts(most: usize) -> [u64; 6] {
    let most = most as u64;
    [0, 1, most - 1, most, most + 1, u64::MAX]
}

fn keys(n: usize) -> Vec<u32> {
    let mut rng = ChaCha8Rng::seed_from_u64(n as u64);
    (0..n).map(|_| rng.random_range(0..n as u32)).collect()
}

/// The positions after the stable sort of lists of `columns` items, `stride` apart.
fn sources(keys: &[u32], lists: usize, columns: usize, stride: usize) -> Vec<u32> {
    let mut sources: Vec<u32> = (0..keys.len() as u32).collect();
    for list in 0..lists {
        sources[list * stride..list * stride + columns].sort_by_key(|it| keys[*it as usize]);
    }
    sources
}

fn gathered(keys: &[u32], sources: &[u32]) -> Vec<u32> {
    sources.iter().map(|from| keys[*from as usize]).collect()
}

#[test]
fn as_many_of_the_first_items_are_sorted() {
    let (sorter, options) = (Sorter::host(), SortOptions::new());
    for n in [1, 2, 50, 3000] {
        let keys = keys(n);
        for count in counts(n) {
            let first = n.min(usize::try_from(count).unwrap_or(n));
            let sources = sources(&keys, 1, first, n);
            let (mut alone, mut of_pairs) = (keys.clone(), keys.clone());
            let mut values: Vec<u32> = (0..n as u32).collect();
            sorter.sort_counted(&mut alone, &[count]).unwrap();
            assert_eq!(alone, gathered(&keys, &sources), "{count} of {n}");
            sorter.sort_pairs_counted(&mut of_pairs, &mut values, &[count]).unwrap();
            assert_eq!((of_pairs, values), (alone, sources.clone()), "{count} of {n}");
            let mut order = vec![7; n];
            sorter.argsort_counted_into_with(&keys, &mut order, &[count], options).unwrap();
            assert_eq!(order[..first], sources[..first], "{count} of {n}");
            assert_eq!(order[first..], vec![7; n - first], "{count} of {n}");
        }
    }
}

#[test]
fn as_many_of_the_first_lists_are_sorted() {
    let (sorter, options) = (Sorter::host(), SortOptions::new());
    for (most, columns, stride) in [(5, 3, 4), (1, 40, 40), (300, 100, 101)] {
        let keys = keys((most - 1) * stride + columns);
        let offsets: Vec<u64> = (0..=most).map(|row| (row * columns) as u64).collect();
        let [begins, ends] = [0, columns]
            .map(|at| (0..most).map(|row| (row * stride + at) as u64).collect::<Vec<u64>>());
        for count in counts(most) {
            let (counted, name) = (&[count], format!("{count} of {most} x {columns}"));
            let lists = most.min(usize::try_from(count).unwrap_or(most));
            let of_rows = sources(&keys, lists, columns, stride);
            let (mut alone, mut of_pairs) = (keys.clone(), keys.clone());
            let rows = || Rows::of(columns).stride(stride);
            sorter.sort_rows_with(&mut alone, rows().counted(counted), options).unwrap();
            assert_eq!(alone, gathered(&keys, &of_rows), "{name}");
            let mut values: Vec<u32> = (0..keys.len() as u32).collect();
            let rows = rows().counted(counted);
            sorter.sort_pairs_rows_with(&mut of_pairs, &mut values, rows, options).unwrap();
            assert_eq!((of_pairs, &values), (alone.clone(), &of_rows), "{name}");
            let mut order = vec![7; keys.len()];
            let rows = Rows::of(columns).stride(stride).counted(counted);
            sorter.argsort_rows_into_with(&keys, &mut order, rows, options).unwrap();
            for (at, position) in order.iter().enumerate() {
                let is_sorted = at / stride < lists && at % stride < columns;
                let begin = (at / stride * stride) as u32;
                let expected = if is_sorted { of_rows[at] - begin } else { 7 };
                assert_eq!(*position, expected, "{name}, {at}");
            }
            let mut between = keys.clone();
            let segments = Segments::between(&begins, &ends).counted(counted);
            sorter.sort_segments(&mut between, segments).unwrap();
            assert_eq!(between, alone, "{name}");
            let mut by_offsets = keys.clone();
            let segments = Segments::from(&offsets).counted(counted);
            sorter.sort_segments(&mut by_offsets, segments).unwrap();
            assert_eq!(by_offsets, gathered(&keys, &sources(&keys, lists, columns, columns)));
        }
    }
}

/// What is behind the count may be anything.
#[test]
fn offsets_behind_the_count_are_not_read() {
    let mut keys = [3u8, 2, 1, 0];
    let segments = Segments::from(&[0i32, 2, 99, -1]).counted(&[1u64]);
    Sorter::host().sort_segments(&mut keys, segments).unwrap();
    assert_eq!(keys, [2, 3, 1, 0]);
    let segments = Segments::from(&[] as &[u32]).counted(&[1u32]);
    Sorter::host().sort_segments(&mut keys, segments).unwrap();
    let error =
        Sorter::host().sort_segments(&mut keys, Segments::from(&[0u32, 9]).counted(&[9u32]));
    assert!(matches!(error, Err(Error::SegmentOffset { index: 1, .. })), "{error:?}");
}

#[test]
fn what_is_no_count_is_refused_and_nothing_is_moved() {
    let (sorter, options) = (Sorter::host(), SortOptions::new());
    let mut keys = [3u8, 2, 1, 0];
    let unchanged = keys;
    let error = sorter.sort_counted(&mut keys, &[1u32, 2]);
    assert!(matches!(error, Err(Error::CountLength { items: 2 })), "{error:?}");
    let error = sorter.sort_rows_with(&mut keys, Rows::of(2).counted(&[0u32; 0]), options);
    assert!(matches!(error, Err(Error::CountLength { items: 0 })), "{error:?}");
    let segments = Segments::from(&[0u32, 4]).counted(&[1u64; 3]);
    let error = sorter.sort_segments(&mut keys, segments);
    assert!(matches!(error, Err(Error::CountLength { items: 3 })), "{error:?}");
    let bitonic = options.algorithm(ArrayAlgorithm::Bitonic);
    let error = sorter.sort_counted_with(&mut keys, &[4u32], bitonic);
    assert!(matches!(error, Err(Error::NotOfAlgorithm { .. })), "{error:?}");
    let error = sorter.sort_pairs_counted(&mut keys, &mut [0u8; 3], &[4u32]);
    assert!(matches!(error, Err(Error::LengthMismatch { keys: 4, values: 3 })), "{error:?}");
    assert_eq!(keys, unchanged);
}
