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
    for kind in Keys::all(K::KEY_TYPE) {
        for n in [0, 1, 2, 50, 3000] {
            let bytes = kind.generate(K::KEY_TYPE, n, &mut rng);
            let order = [Order::Ascending, Order::Descending][rng.random_range(0..2)];
            let (begin_bit, end_bit) = bit_range(K::KEY_TYPE, &mut rng);
            let all = Task { order, ..Task::new(K::KEY_TYPE) };
            let task = Task { begin_bit, end_bit, nan_last: rng.random(), ..all };
            let run = [1, 7, 64, 1000, 10_000][rng.random_range(2 * usize::from(n > 50)..5)];
            // Room for all, for a quarter or a twentieth, and for less than a run has.
            let room = [usize::MAX, n / 4 + 1, n / 20 + 1][rng.random_range(0..3)];
            check::<K>(&bytes, [run, room], &all, &format!("{kind:?}"));
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
    for (kind, room) in [(Keys::Uniform, usize::MAX), (Keys::Zipf, 70_000), (Keys::Sorted, 50_000)]
    {
        let bytes = kind.generate(u32::KEY_TYPE, 200_000, &mut rng);
        check::<u32>(&bytes, [33_333, room], &Task::new(u32::KEY_TYPE), &format!("{kind:?}"));
    }
}

/// Items that are in order of both stages, and no more than all.
#[test]
fn progress_is_reported_until_the_end() {
    let mut keys: Vec<u32> = (0..100_000).rev().collect();
    let mut reports = Vec::new();
    let sorter = RunSorter::new(Sorter::host()).and(Sorter::host()).run_bytes(40_000);
    let mut sorter = sorter.progress(|progress| {
        reports.push(progress);
        ControlFlow::Continue(())
    });
    sorter.sort(&mut keys).unwrap();
    drop(sorter);
    assert!(keys.is_sorted());
    let of = |stage| reports.iter().filter(move |report| report.stage == stage);
    assert_eq!(of(RunStage::Sort).count(), 10);
    assert!(of(RunStage::Merge).count() > 1);
    for stage in [RunStage::Sort, RunStage::Merge] {
        let done: Vec<usize> = of(stage).map(|report| report.done).collect();
        assert!(done.is_sorted() && done.last() == Some(&100_000), "{done:?}");
    }
}

/// Wherever it is interrupted, values are with their keys, and none is lost.
#[test]
fn an_interrupted_sort_keeps_all_items() {
    let n = 60_000u32;
    let hash = |item: u32| item.wrapping_mul(0x9e37_79b9) >> 7;
    let merges =
        [(RunMerge::Host, 20_000), (RunMerge::Sorters, 20_000), (RunMerge::Sorters, 60_000)];
    for (sorters, (merge, room)) in
        [1, 2].into_iter().flat_map(|sorters| merges.map(|merge| (sorters, merge)))
    {
        for end in 0..12 {
            let (mut keys, mut values): (Vec<u32>, Vec<u32>) =
                (0..n).map(|item| (hash(item), item)).unzip();
            let mut reports = 0;
            let sorter = RunSorter::new(Sorter::host()).run_bytes(8 * 15_000);
            let mut sorter = sorter.merge_by(merge);
            if sorters == 2 {
                sorter = sorter.and(Sorter::host());
            }
            let mut sorter = sorter.scratch_bytes(8 * room).progress(|_| {
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
