//! Sorts in runs and their merge, against the oracle. Runs are short, and sorted on the host.

#![allow(clippy::unwrap_used)] // a failed unwrap is a failed test

mod keys;

use std::ops::ControlFlow;

use half::f16;
use rand::RngExt;
use sortsmith::{Error, Order, RunMerge, RunSorter, RunStage, SortKey, SortOptions, Sorter};
use sortsmith_testkit::inputs::{Keys, bit_range};
use sortsmith_testkit::oracle::{self, Task};
use sortsmith_testkit::seed::Seed;

use keys::{bits_of, keys_of};

/// Sorts keys and pairs in runs of this number of pairs, with room for `room` of them in the merge, by the host and by sorters.
fn check<K: SortKey>(bytes: &[u8], lengths: [usize; 2], task: &Task, context: &str) {
    for merge in [RunMerge::Host, RunMerge::Sorters] {
        check_merge::<K>(bytes, lengths, merge, task, &format!("{context} {merge:?}"));
    }
}

fn check_merge<K: SortKey>(
    bytes: &[u8],
    [run, room]: [usize; 2],
    merge: RunMerge,
    task: &Task,
    context: &str,
) {
    let options = SortOptions::new().order(task.order).bits(task.begin_bit..task.end_bit);
    let options = if task.nan_last { options.nan_last() } else { options };
    let (mut keys, expected) = (keys_of::<K>(bytes), oracle::permutation(task, bytes));
    let in_order: Vec<K> = expected.iter().map(|position| keys[*position as usize]).collect();
    let context = format!("{} {context}: {} in {run} {room} {task:?}", K::KEY_TYPE, keys.len());
    let pair = size_of::<K>() + size_of::<u32>();
    let new_sorter = || {
        let in_runs = RunSorter::new(Sorter::host()).merge_by(merge);
        in_runs.run_bytes(run * pair).scratch_bytes(room.saturating_mul(pair))
    };
    let mut alone = keys.clone();
    new_sorter().sort_with(&mut alone, options).unwrap();
    assert!(bits_of(&alone) == bits_of(&in_order), "sort: {context}");
    let mut values: Vec<u32> = (0..keys.len() as u32).collect();
    let mut pairs = if run % 2 == 0 { new_sorter() } else { new_sorter().and(Sorter::host()) };
    pairs.sort_pairs_with(&mut keys, &mut values, options).unwrap();
    assert!(bits_of(&keys) == bits_of(&in_order), "sort_pairs: {context}");
    assert!(values == expected, "values: {context}");
}

fn check_type<K: SortKey>() {
    let mut rng = Seed::from_env().rng(&K::KEY_TYPE.to_string());
    let mut kinds = Keys::all(K::KEY_TYPE);
    if cfg!(miri) {
        // Miri is slow: one of them, and with the seed another one.
        kinds = vec![kinds[rng.random_range(0..kinds.len())]];
    }
    for kind in kinds {
        let sizes: &[usize] = if cfg!(miri) { &[20] } else { &[0, 1, 2, 50, 3000] };
        for n in sizes.iter().copied() {
            let bytes = kind.generate(K::KEY_TYPE, n, &mut rng);
            let order = [Order::Ascending, Order::Descending][rng.random_range(0..2)];
            let (begin_bit, end_bit) = bit_range(K::KEY_TYPE, &mut rng);
            let all = Task { order, ..Task::new(K::KEY_TYPE) };
            let task = Task { begin_bit, end_bit, nan_last: rng.random(), ..all };
            let run = [1, 7, 64, 1000, 10_000][rng.random_range(2 * usize::from(n > 50)..5)];
            // Room for all, for a quarter or a twentieth, and for less than a run has.
            let room = [usize::MAX, n / 4 + 1, n / 20 + 1][rng.random_range(0..3)];
            if !cfg!(miri) {
                check::<K>(&bytes, [run, room], &all, &format!("{kind:?}"));
            }
            check::<K>(&bytes, [run, room], &task, &format!("{kind:?}"));
        }
    }
}

#[test]
fn keys_of_every_size_are_sorted_in_runs() {
    check_type::<u8>();
    check_type::<f16>();
    check_type::<f32>();
    check_type::<i64>();
    check_type::<u128>();
    check_type::<bool>();
}

#[test]
fn long_runs_are_merged_in_pieces_by_several_threads() {
    let mut rng = Seed::from_env().rng("long");
    let (n, run) = if cfg!(miri) { (200, 33) } else { (200_000, 33_333) };
    let kinds = [(Keys::Zipf, n * 7 / 20), (Keys::Uniform, usize::MAX), (Keys::Sorted, n / 4)];
    for (kind, room) in kinds.into_iter().take(if cfg!(miri) { 1 } else { 3 }) {
        let bytes = kind.generate(u32::KEY_TYPE, n, &mut rng);
        check::<u32>(&bytes, [run, room], &Task::new(u32::KEY_TYPE), &format!("{kind:?}"));
    }
}

/// Items that are in order of both stages, and no more than all.
#[test]
fn progress_is_reported_until_the_end() {
    // Enough for several threads.
    let n = if cfg!(miri) { 400 } else { 100_000 };
    let mut keys: Vec<u32> = (0..n as u32).rev().collect();
    let mut reports = Vec::new();
    let sorter = RunSorter::new(Sorter::host()).and(Sorter::host()).run_bytes(n * 2 / 5);
    let mut sorter = sorter.progress(|progress| {
        reports.push(progress);
        ControlFlow::Continue(())
    });
    sorter.sort(&mut keys).unwrap();
    drop(sorter);
    assert!(keys.is_sorted());
    let of = |stage| reports.iter().filter(move |report| report.stage == stage);
    assert_eq!(of(RunStage::Sort).count(), 10);
    // A small n is merged at once.
    assert!(of(RunStage::Merge).count() > usize::from(!cfg!(miri)));
    for stage in [RunStage::Sort, RunStage::Merge] {
        let done: Vec<usize> = of(stage).map(|report| report.done).collect();
        assert!(done.is_sorted() && done.last() == Some(&n), "{done:?}");
    }
}

/// Wherever it is interrupted, values are with their keys, and none is lost.
#[test]
fn an_interrupted_sort_keeps_all_items() {
    let n = if cfg!(miri) { 100u32 } else { 60_000 };
    let hash = |item: u32| item.wrapping_mul(0x9e37_79b9) >> 7;
    let merges = [(RunMerge::Host, n / 3), (RunMerge::Sorters, n / 3), (RunMerge::Sorters, n)];
    for (sorters, (merge, room)) in
        [1, 2].into_iter().flat_map(|sorters| merges.map(|merge| (sorters, merge)))
    {
        for end in (0..12).step_by(if cfg!(miri) { 6 } else { 1 }) {
            let (mut keys, mut values): (Vec<u32>, Vec<u32>) =
                (0..n).map(|item| (hash(item), item)).unzip();
            let mut reports = 0;
            let sorter = RunSorter::new(Sorter::host()).run_bytes(2 * n as usize);
            let mut sorter = sorter.merge_by(merge);
            if sorters == 2 {
                sorter = sorter.and(Sorter::host());
            }
            let mut sorter = sorter.scratch_bytes(8 * room as usize).progress(|_| {
                reports += 1;
                if reports > end { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            let result = sorter.sort_pairs(&mut keys, &mut values);
            drop(sorter);
            assert_eq!(matches!(result, Err(Error::Interrupted)), reports > end, "{result:?}");
            assert!(keys.iter().zip(&values).all(|(key, value)| *key == hash(*value)));
            values.sort_unstable();
            assert!(values.into_iter().eq(0..n), "after {end} reports");
        }
    }
}

#[test]
fn wrong_arguments_change_nothing() {
    let (mut keys, mut values) = ([3u8, 2, 1], [7u32, 8]);
    let mut sorter = RunSorter::new(Sorter::host()).run_bytes(1);
    let result = sorter.sort_pairs(&mut keys, &mut values);
    assert!(matches!(result, Err(Error::LengthMismatch { keys: 3, values: 2 })));
    let result = sorter.sort_with(&mut keys, SortOptions::new().bits(3..9));
    assert!(matches!(result, Err(Error::BitRange { .. })));
    assert_eq!(keys, [3, 2, 1]);
}
