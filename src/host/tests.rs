//! Sorts of all ways on the host: of lengths that Miri has time for, and in ways that execute all unsafe code.

use super::items::Pairs;
use super::*;
use crate::bin_key::BinnedLists;
use crate::lists::{RowLists, Rows};
use crate::options::TopKOptions;

/// Sorts pairs and positions, and compares them with the standard library's stable sort. tests/host.rs has more cases.
fn check<K: SortKey, V: Pod + Send + Sync + PartialEq>(
    keys: &[K],
    options: SortOptions,
    value_of: impl Fn(u32) -> V,
) {
    let n = keys.len();
    let mut expected: Vec<u32> = (0..n as u32).collect();
    expected.sort_by(|one, other| {
        let [one, other] = [one, other].map(|row| keys[*row as usize].to_compared_bits());
        if options.get_order() == Order::Descending { other.cmp(&one) } else { one.cmp(&other) }
    });
    let mut order = vec![0; n];
    argsort_into(keys, &mut order, &options).expect("there is memory");
    assert!(order == expected, "positions of {n} {} keys", K::KEY_TYPE);
    let (mut keys, mut values) = (keys.to_vec(), (0..n as u32).map(&value_of).collect::<Vec<_>>());
    sort_pairs(&mut keys, &mut values, &options).expect("there is memory");
    let moved = values.iter().zip(&expected).all(|(value, row)| *value == value_of(*row));
    assert!(moved, "values of {n} {} keys", K::KEY_TYPE);
    sort_pairs(&mut keys, &mut vec![(); n], &options).expect("there is memory");
}

#[test]
fn all_algorithms_sort_as_the_standard_library_does() {
    // By insertion, one partition, passes, bins, and several threads (fewer items under Miri).
    let sizes: &[usize] = if cfg!(miri) {
        &[33, 257, threads::PARALLEL_MIN + 1]
    } else {
        &[1, 31, 33, 257, 700, 2 * threads::PARALLEL_MIN + 101]
    };
    for n in sizes.iter().copied() {
        let has_time = |most: usize| !cfg!(miri) || n <= most;
        let words: Vec<u64> = (0..n).map(mixed).collect();
        if has_time(257) {
            check::<u64, ()>(&words, SortOptions::new(), |_| ());
        }
        let few: Vec<u8> = words.iter().map(|word| (word >> 60) as u8).collect();
        check::<u8, [u8; 3]>(&few, SortOptions::new().descending(), |row| [row as u8; 3]);
        if n > 2 * threads::PARALLEL_MIN {
            // Enough for a team.
            check::<u8, [u64; 2]>(&few, SortOptions::new(), |row| [u64::from(row); 2]);
            let bytes: Vec<u8> = words.iter().map(|word| (word >> 40) as u8).collect();
            check::<u8, [u64; 2]>(&bytes, SortOptions::new(), |row| [u64::from(row); 2]);
        }
        let floats: Vec<f32> = words.iter().map(|word| (*word as i64 >> 40) as f32).collect();
        if has_time(33) {
            check::<f32, u32>(&floats, SortOptions::new(), |row| row);
        }
        // Most agree in all upper bits, so several threads go by splitters; a third of the others are equal.
        let skewed = |item: usize| [1, 3, 5, 7, 9].map(|by| mixed(by * item)).into_iter();
        let skewed = |item| skewed(item).fold(u64::MAX, |bits, word| bits & word);
        let skewed: Vec<u64> =
            (0..n).map(|item| if item % 3 == 0 { 1 << 20 } else { skewed(item) >> 8 }).collect();
        check::<u64, u32>(&skewed, SortOptions::new().descending(), |row| row);
        let large: fn(u32) -> [u32; 20] = |row| [row; 20];
        check::<i16, _>(
            &words.iter().map(|word| *word as i16).collect::<Vec<_>>(),
            SortOptions::new(),
            large,
        );
    }
    let reversed: Vec<u32> = (0..300).rev().collect();
    check::<u32, u8>(&reversed, SortOptions::new(), |row| row as u8);
}

/// As many as no team sorts, but all threads.
#[test]
fn many_items_are_sorted_by_all_threads() {
    let words: Vec<u64> = (0..threads::TEAM_MAX + 101).map(mixed).collect();
    check::<u64, ()>(&words, SortOptions::new(), |_| ());
    let small: Vec<u8> = words.iter().map(|word| (word >> 40) as u8).collect();
    check::<u8, u16>(&small, SortOptions::new().descending(), |row| row as u16);
}

/// Keys alone that differ in few bits are written by their counts, whatever bits they have in common.
#[test]
fn keys_of_few_bits_are_counted() {
    let n = if cfg!(miri) { 60 } else { 1000 };
    let word = |item: usize| mixed(item) >> 40;
    let low: Vec<u32> = (0..n).map(|item| 0xabc0_0000 | word(item) as u32 & 0x3ff).collect();
    check::<u32, ()>(&low, SortOptions::new(), |_| ());
    let middle: Vec<i64> = (0..n).map(|item| -1 ^ (word(item) as i64 & 0xff) << 20).collect();
    check::<i64, ()>(&middle, SortOptions::new().descending(), |_| ());
    let bytes: Vec<u8> = (0..n).map(|item| word(item) as u8).collect();
    check::<u8, ()>(&bytes, SortOptions::new(), |_| ());
    // Positions are not.
    check::<u8, u16>(&bytes, SortOptions::new(), |row| row as u16);
    let floats: Vec<f32> = (0..n).map(|item| (word(item) % 64) as f32 - 32.0).collect();
    check::<f32, ()>(&floats, SortOptions::new(), |_| ());
    // Bits that take no part are no copies.
    let mut keys = low.clone();
    let mut expected = low;
    expected.sort_by_key(|key| key >> 3);
    sort_pairs(&mut keys, &mut vec![(); n], &SortOptions::new().bits(3..32)).expect("memory");
    assert!(keys == expected);
}

#[test]
fn several_threads_reverse_and_merge() {
    // A few threads leave merges of what lies behind most keys to one.
    let pools: &[usize] = if cfg!(miri) { &[6] } else { &[3, 6] };
    for threads in pools.iter().copied() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(reverse_and_merge);
    }
}

fn reverse_and_merge() {
    let n = threads::PARALLEL_MIN + 101;
    let (others, row) = (n / 50, |row: u32| row);
    // Runs of equal keys that are longer than a thread's share, and short ones. Miri takes minutes for each.
    let equal_keys: &[usize] = if cfg!(miri) { &[7] } else { &[1, 7, n / 3] };
    let run_counts: &[usize] = if cfg!(miri) { &[3] } else { &[2, 3, 8, 9] };
    for equal in equal_keys.iter().copied() {
        let reversed: Vec<i32> = (0..n).map(|item| -((item / equal) as i32)).collect();
        check::<i32, u32>(&reversed, SortOptions::new(), row);
        let floats: Vec<f32> = reversed.iter().map(|key| *key as f32).collect();
        check::<f32, u32>(&floats, SortOptions::new().descending(), row);
        if !cfg!(miri) {
            check::<f32, u32>(&floats, SortOptions::new(), row);
        }
        // Most in order, the last ones anywhere, among them keys that the first ones have.
        let behind = |item: usize| (item * 7919 % n / equal) as i32;
        let first = n - others;
        let appended =
            (0..n).map(|item| if item < first { (item / equal) as i32 } else { behind(item) });
        check::<i32, u32>(&appended.collect::<Vec<_>>(), SortOptions::new(), row);
        for count in run_counts.iter().copied() {
            let in_runs = (0..n).map(|item| (item * count % n + item * count / n) / equal);
            let in_runs: Vec<u64> = in_runs.map(|key| key as u64).collect();
            if !cfg!(miri) {
                check::<u64, u32>(&in_runs, SortOptions::new(), row);
            }
            check::<u64, [u8; 3]>(&in_runs, SortOptions::new(), |row| {
                [row as u8, (row >> 8) as u8, (row >> 16) as u8]
            });
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "Miri aborts where a system would refuse")]
fn out_of_memory_is_an_error_that_names_the_size() {
    let error = positions(1 << 60).expect_err("no machine has as much");
    assert!(matches!(error, Error::OutOfMemory { bytes } if bytes == 1 << 62), "{error}");
    assert_eq!(error.to_string(), "no memory for 4611686018427387904 bytes of scratch");
    let error = scratch::with_memory(0, usize::MAX, |_: *mut u128, _: Pairs<u128, ()>| ())
        .expect_err("nor has it more than addresses");
    assert!(matches!(error, Error::OutOfMemory { bytes: usize::MAX }), "{error}");
}

/// Numbers of no order.
fn mixed(item: usize) -> u64 {
    (item as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[test]
fn few_distinct_keys_are_counted() {
    let n = if cfg!(miri) { 150 } else { 1500 };
    let few: Vec<u16> = (0..n).map(|item| (mixed(item) >> 62) as u16).collect();
    check::<u16, [u8; 3]>(&few, SortOptions::new(), |row| [row as u8; 3]);
    // Zeros of both signs compare as equal, so they are not.
    let zeros: Vec<f32> = few.iter().map(|key| [0.0, -0.0, 1.0, 2.0][usize::from(*key)]).collect();
    check::<f32, u32>(&zeros, SortOptions::new(), |row| row);
}

/// Some keys agree in their upper bits and have more than a spare buffer's room: a fourth of all. Less do in other such buckets, by one pass, two
/// and three. All others are even.
#[test]
fn buckets_of_every_kind_are_sorted() {
    let n = if cfg!(miri) { 520 } else { threads::PARALLEL_MIN - 5 };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let keys = |large: fn(u64) -> u64| -> Vec<u64> {
        let key = |item: usize| {
            let (word, low) = (mixed(item), mixed(item) >> 8 & 0xff_ffff);
            match word >> 56 {
                ..72 => 7 << 60 | large(low),
                72..96 => 9 << 60 | low & 3,
                96..120 => 10 << 60 | low,
                120..144 => 11 << 60 | low | u64::from(item.is_multiple_of(16)) << 31,
                _ => word,
            }
        };
        (0..n).map(key).collect()
    };
    pool.install(|| {
        // Few distinct keys of a bucket are counted; samples of all hardly repeat others.
        check::<u64, u32>(&keys(|low| low & 3), SortOptions::new(), |row| row);
        check::<u64, [u8; 3]>(&keys(|low| low), SortOptions::new(), |row| [row as u8; 3]);
    });
}

#[test]
fn keys_that_agree_in_their_upper_bits_are_sorted_by_three_digits() {
    let n = if cfg!(miri) { 200 } else { 20_000 };
    let outlier = |item: usize| if item.is_multiple_of(60) { 1 << 31 } else { 0 };
    let keys: Vec<u32> = (0..n).map(|item| (mixed(item) >> 40) as u32 | outlier(item)).collect();
    check::<u32, ()>(&keys, SortOptions::new(), |_| ());
    // Below the digits, too.
    check::<u32, u8>(&keys, SortOptions::new().descending(), |row| row as u8);
}

#[test]
fn the_last_items_are_merged_with_those_in_order() {
    let merged = |first: usize, last: usize| {
        let behind = (0..last).map(|item| mixed(item) as u32 % first as u32 / 3);
        let keys: Vec<u32> = (0..first as u32).map(|item| item / 3).chain(behind).collect();
        check::<u32, [u8; 3]>(&keys, SortOptions::new(), |row| [row as u8; 3]);
    };
    // By insertion, and by more.
    merged(90, 9);
    merged(340, 40);
}

#[test]
fn reversed_keys_that_compare_as_equal_keep_their_order() {
    let (mut keys, mut values): (Vec<u32>, Vec<u8>) = (0..100).rev().zip(0..100).unzip();
    let mut expected = keys.clone();
    expected.sort_by_key(|key| key >> 2);
    sort_pairs(&mut keys, &mut values, &SortOptions::new().bits(2..32)).expect("there is memory");
    assert!(
        keys == expected
            && keys.iter().zip(&values).all(|(key, value)| key + u32::from(*value) == 99)
    );
    let zeros: Vec<f32> = (0..100).rev().map(|item| [-0.0, 0.0][item % 2]).collect();
    check::<f32, u8>(&zeros, SortOptions::new(), |row| row as u8);
    check::<f32, u8>(&zeros, SortOptions::new().descending(), |row| row as u8);
}

#[test]
fn lists_are_sorted_and_selected_from_on_several_threads() {
    let (columns, k, options) = (threads::PARALLEL_MIN / 6, 3, SortOptions::new());
    let keys: Vec<u16> = (0..6 * columns).map(|item| (mixed(item) >> 50) as u16).collect();
    let lists = RowLists::new(Rows::of(columns), keys.len()).expect("rows");
    let expected = keys.chunks(columns).flat_map(|row| {
        let mut order: Vec<u32> = (0..columns as u32).collect();
        order.sort_by_key(|position| row[*position as usize]);
        order
    });
    let expected: Vec<u32> = expected.collect();
    let mut positions = vec![0; keys.len()];
    lists::argsort_lists(&keys, &mut positions, &lists, &options).expect("there is memory");
    assert!(positions == expected);
    let (mut sorted, mut values) = (keys.clone(), keys.clone());
    lists::sort_lists(&mut sorted, &mut values, &lists, &options).expect("there is memory");
    assert!(values == sorted && sorted.chunks(columns).all(<[u16]>::is_sorted));
    let (mut first, top_k) = (vec![0; 6 * k], TopKOptions::new().smallest());
    lists::top_k_lists(&keys, &mut first, &lists, k, &top_k).expect("there is memory");
    assert!(first.chunks(k).eq(expected.chunks(columns).map(|row| &row[..k])));

    let bins: Vec<u8> = keys.iter().map(|key| (key % 5) as u8).collect();
    let by_bin = BinnedLists::of_rows(Rows::of(columns), bins.len(), 5).expect("rows");
    let (mut positions, mut offsets) = (vec![0; bins.len()], vec![0; 6 * 6]);
    binned::argsort_binned(&bins, by_bin, &mut positions, &mut offsets);
    for (row, positions) in bins.chunks(columns).zip(positions.chunks(columns)) {
        let key = |position: &u32| (row[*position as usize], *position);
        assert!(positions.is_sorted_by_key(key));
    }
}
