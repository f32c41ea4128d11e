//! Slices that are longer than a device's memory: sorts in runs.

use std::ops::ControlFlow;
use std::time::Instant;

use rayon::prelude::*;
use sortsmith::{RunMerge, RunSorter, RunStage, SortKey, SortValue, Sorter};
use sortsmith_benchkit::settings::variable;

use super::{Bus, Number, Pinned, Random, Run, copy, median, text};

/// The numbers of items, as powers of two, without a variable.
const LOG2: &str = "26";

/// The slices have this many times the bytes that runs may take of the device.
const TIMES_THE_MEMORY: usize = 4;

/// Runs that are in progress at the same time.
const SORTERS: usize = 3;

/// A run's bytes on the device for each byte of it: a copy, scratch of the same size, and some more.
const MEMORY_OF_A_RUN: f64 = 2.2;

/// Sorts in runs, with device memory for a quarter of the slices. The limit is that of two passes of copies to the device and back, both at once, and of a copy
/// in host memory.
pub fn measure(run: &Run, bus: Bus) -> Result<(), String> {
    let log2: String = variable("SORTSMITH_RUNS_LOG2", LOG2.to_owned())?;
    println!(
        "sorts in runs that take a quarter of the slices' bytes on the device: ms, and the share of the limit in percent"
    );
    println!("types,log2,memory,merged by,room,limit,runs,all,share");
    for log2 in log2.split(',') {
        let log2: u32 = log2.parse().map_err(|_| format!("{log2} is no power of two"))?;
        types::<u32, ()>(run, "u32", log2, bus)?;
        types::<f32, u32>(run, "f32 u32", log2, bus)?;
    }
    Ok(())
}

fn types<K, V>(run: &Run, types: &str, log2: u32, bus: Bus) -> Result<(), String>
where
    K: SortKey + Random + bytemuck::Pod + PartialOrd,
    V: SortValue + Number,
{
    let n = 1usize << log2;
    let input = |n: usize| {
        let keys: Vec<K> = (0..n as u64).into_par_iter().map(K::random).collect();
        let values: Vec<V> = (0..n as u32).into_par_iter().map(V::number).collect();
        (keys, values)
    };
    let (keys, values) = input(n);
    let (mut pageable_keys, mut pageable_values) = (keys.clone(), values.clone());
    let limit = limit(&keys, &mut pageable_keys, &values, &mut pageable_values, bus);
    let bytes = n * (size_of::<K>() + size_of::<V>());
    let row = |memory: &str, by: RunMerge, room: usize, slices: (&mut [K], &mut [V])| {
        let [sort, all] = time(run, by, room, (&keys, &values), slices)?;
        let room = if room < bytes { "a quarter" } else { "all" };
        println!(
            "{types},{log2},{memory},{by:?},{room},{:.1},{:.1},{:.1},{:.0}",
            limit * 1e3,
            sort * 1e3,
            all * 1e3,
            limit / all * 100.0
        );
        Ok::<(), String>(())
    };
    let mut pageable =
        |by, room| row("pageable", by, room, (&mut pageable_keys, &mut pageable_values));
    pageable(RunMerge::Sorters, usize::MAX)?;
    pageable(RunMerge::Sorters, bytes / 4)?;
    pageable(RunMerge::Host, usize::MAX)?;
    let (mut pinned_keys, mut pinned_values) = (Pinned::new(n)?, Pinned::new(n)?);
    row("pinned", RunMerge::Sorters, usize::MAX, (pinned_keys.items(), pinned_values.items()))
}

/// Seconds of two passes of copies and of a copy in host memory.
fn limit<K: Copy + Send + Sync, V: Copy + Send + Sync>(
    keys: &[K],
    to_keys: &mut [K],
    values: &[V],
    to_values: &mut [V],
    bus: Bus,
) -> f64 {
    let copies = (0..5).map(|_| {
        let begin = Instant::now();
        copy(keys, to_keys);
        copy(values, to_values);
        begin.elapsed().as_secs_f64()
    });
    let bytes = (size_of_val(keys) + size_of_val(values)) as f64;
    4.0 * bytes / 1e9 / bus.both + median(copies.collect())
}

/// Seconds until runs are sorted, and until they are merged: medians.
fn time<K: SortKey + PartialOrd, V: SortValue>(
    run: &Run,
    by: RunMerge,
    room: usize,
    (keys, values): (&[K], &[V]),
    (to_keys, to_values): (&mut [K], &mut [V]),
) -> Result<[f64; 2], String> {
    let context = run.stream.context();
    let sorters =
        (0..SORTERS).map(|_| Sorter::on(&context.new_stream().map_err(text)?).map_err(text));
    let sorters: Vec<Sorter> = sorters.collect::<Result<_, String>>()?;
    let bytes = size_of_val(keys) + size_of_val(values);
    let memory = (bytes / TIMES_THE_MEMORY) as f64;
    let run_bytes = (memory / MEMORY_OF_A_RUN / SORTERS as f64) as usize;
    let [mut sort_times, mut times] = [Vec::new(), Vec::new()];
    for _ in 0..super::WARM_UPS + run.repetitions.min(5) {
        copy(keys, to_keys);
        copy(values, to_values);
        let mut sorted = 0.0;
        let begin = Instant::now();
        let mut in_runs = RunSorter::new(sorters[0].clone())
            .run_bytes(run_bytes)
            .scratch_bytes(room)
            .merge_by(by);
        for sorter in &sorters[1..] {
            in_runs = in_runs.and(sorter.clone());
        }
        let mut in_runs = in_runs.progress(|progress| {
            if progress.stage == RunStage::Sort {
                sorted = begin.elapsed().as_secs_f64();
            }
            ControlFlow::Continue(())
        });
        if size_of::<V>() == 0 {
            in_runs.sort(to_keys).map_err(text)?;
        } else {
            in_runs.sort_pairs(to_keys, to_values).map_err(text)?;
        }
        drop(in_runs);
        times.push(begin.elapsed().as_secs_f64());
        sort_times.push(sorted);
    }
    if !to_keys.par_windows(2).all(|pair| pair[0] <= pair[1]) {
        return Err("not sorted".to_owned());
    }
    Ok([sort_times, times].map(|mut times| median(times.split_off(super::WARM_UPS))))
}
