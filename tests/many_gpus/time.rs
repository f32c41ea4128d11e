//! How long sorts take.

#![allow(clippy::similar_names)] // what is sorted, and by what

use std::sync::Arc;
use std::time::Instant;

use cudarc::driver::{CudaSlice, CudaStream};
use rayon::prelude::*;
use sortsmith::distributed::Transport as _;
use sortsmith::distributed::nccl::DeviceSorter;
use sortsmith::{SortOptions, Sorter};

use crate::inputs::{Input, Timed, filled, mixed, unset};
use crate::{Rank, on_ranks};

/// Whether a share is in order, and a sum of all of its keys.
fn sum_of<K: Timed>(stream: &Arc<CudaStream>, share: &CudaSlice<K>) -> (K, K, u64) {
    const CHUNK: usize = 1 << 26;
    let n = share.len();
    let mut chunk = vec![K::default(); CHUNK.min(n)];
    let (mut first, mut last, mut sum) = (None, None::<K>, 0u64);
    for begin in (0..n).step_by(CHUNK) {
        let items = CHUNK.min(n - begin);
        stream.memcpy_dtoh(&share.slice(begin..begin + items), &mut chunk[..items]).unwrap();
        let keys = &chunk[..items];
        let is_sorted = keys.par_windows(2).all(|pair| pair[0] <= pair[1]);
        assert!(is_sorted && last.is_none_or(|last| last <= keys[0]), "{begin}");
        sum = sum.wrapping_add(hash_of(keys));
        first.get_or_insert(keys[0]);
        last = Some(keys[items - 1]);
    }
    (first.unwrap(), last.unwrap(), sum)
}

fn hash_of<K: Timed>(keys: &[K]) -> u64 {
    let hash = |key: &K| mixed(num_traits::cast::<_, u64>(key.to_ordered_bits()).unwrap());
    keys.par_iter().map(hash).reduce(|| 0, u64::wrapping_add)
}

pub fn all(gpus: usize, sizes: &[u32], chosen: &[String]) {
    let sizes = if sizes.is_empty() { &[28] } else { sizes };
    let all = [Input::Random, Input::Sorted, Input::Zipf, Input::Equal, Input::Reversed];
    let is_chosen = |name: &str| chosen.iter().any(|it| it == name);
    let inputs: Vec<Input> =
        all.into_iter().filter(|input| is_chosen(&format!("{input:?}"))).collect();
    let inputs = if inputs.is_empty() { all.to_vec() } else { inputs };
    let types = ["u32", "f32,u32", "u64,u32"];
    let any = !types.iter().any(|name| is_chosen(name));
    for log2 in sizes {
        if any || is_chosen(types[0]) {
            time_type::<u32, false>(types[0], gpus, *log2, &inputs);
        }
        if any || is_chosen(types[1]) {
            time_type::<f32, true>(types[1], gpus, *log2, &inputs);
        }
        if any || is_chosen(types[2]) {
            time_type::<u64, true>(types[2], gpus, *log2, &inputs);
        }
    }
}

/// Milliseconds of each repetition, and their median.
fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn time_type<K: Timed, const PAIRS: bool>(name: &str, gpus: usize, log2: u32, inputs: &[Input]) {
    let n = 1usize << log2;
    let all = (gpus * n) as u64;
    let one = time_alone::<K, PAIRS>(gpus * n);
    let rate = |ms: f64| all as f64 / ms / 1e6;
    println!("{name} {gpus} x 2^{log2}: one GPU {one:.3} ms, {:.1} Gitems/s", rate(one));
    for input in inputs {
        let results = on_ranks(gpus, |rank, sorter| {
            time_rank::<K, PAIRS>(rank, &sorter.with_stages(), *input, n)
        });
        let times: Vec<f64> = (0..results[0].0.len())
            .map(|i| results.iter().map(|it| it.0[i]).fold(0.0, f64::max))
            .collect();
        let ms = median(times.clone());
        println!(
            "{name} {gpus} x 2^{log2} {input:?}: {ms:.3} ms, {:.1} Gitems/s, {:.2} of one; {times:.2?}",
            rate(ms),
            one / ms
        );
        for (rank, result) in
            results.iter().enumerate().take(if *input == Input::Random { 2 } else { 1 })
        {
            println!("  rank {rank}: {}", result.1);
        }
    }
}

fn time_rank<K: Timed, const PAIRS: bool>(
    rank: &Rank,
    sorter: &DeviceSorter,
    input: Input,
    n: usize,
) -> (Vec<f64>, String) {
    let all = (rank.ranks * n) as u64;
    let first = (rank.number * n) as u64;
    let keys = filled::<K>(&rank.stream, input, first, n, all);
    let mut sorted = unset::<K>(&rank.stream, n);
    let values = PAIRS.then(|| filled::<u32>(&rank.stream, input, first, n, all));
    let mut sorted_values = PAIRS.then(|| unset::<u32>(&rank.stream, n));
    let mut times = Vec::new();
    for _ in 0..8 {
        rank.barrier.wait();
        let begin = Instant::now();
        let options = SortOptions::new();
        match (&values, &mut sorted_values) {
            (Some(values), Some(sorted_values)) => {
                sorter
                    .sort_pairs_into_with(&keys, values, &mut sorted, sorted_values, options)
                    .unwrap();
            }
            _ => sorter.sort_into_with(&keys, &mut sorted, options).unwrap(),
        }
        times.push(begin.elapsed().as_secs_f64() * 1e3);
    }
    let stages: Vec<String> =
        sorter.stages().iter().map(|it| format!("{} {:.2}", it.name, it.end)).collect();
    check_share(rank, sorter, &keys, &sorted);
    if let (Some(values), Some(sorted_values)) = (&values, &sorted_values) {
        // Sums of all values, whatever their order.
        let sum = |slice: &CudaSlice<u32>| hash_of(&rank.stream.clone_dtoh(slice).unwrap());
        let sums = [sum(values), sum(sorted_values)];
        let sums = sorter.communicator().all_sum(&sums).unwrap();
        assert_eq!(sums[0], sums[1]);
    }
    (times.split_off(3), stages.join(", "))
}

fn check_share<K: Timed>(
    rank: &Rank,
    sorter: &DeviceSorter,
    keys: &CudaSlice<K>,
    sorted: &CudaSlice<K>,
) {
    let before = hash_of(&rank.stream.clone_dtoh(keys).unwrap());
    let (first, last, after) = sum_of(&rank.stream, sorted);
    let bits = |key: K| num_traits::cast::<_, u64>(key.to_ordered_bits()).unwrap();
    let all = sorter.communicator().all_gather(&[before, after, bits(first), bits(last)]).unwrap();
    let sum = |at: usize| all.chunks_exact(4).map(|words| words[at]).fold(0, u64::wrapping_add);
    assert_eq!(sum(0), sum(1), "the same keys");
    let ends: Vec<u64> = all.chunks_exact(4).flat_map(|words| [words[2], words[3]]).collect();
    assert!(ends.is_sorted(), "{ends:?}");
}

fn time_alone<K: Timed, const PAIRS: bool>(n: usize) -> f64 {
    let stream = sortsmith::cuda_context(0).unwrap().default_stream();
    let sorter = Sorter::on(&stream).unwrap();
    let keys = filled::<K>(&stream, Input::Random, 0, n, n as u64);
    let mut sorted = unset::<K>(&stream, n);
    let values = PAIRS.then(|| filled::<u32>(&stream, Input::Random, 0, n, n as u64));
    let mut sorted_values = PAIRS.then(|| unset::<u32>(&stream, n));
    let mut times = Vec::new();
    for _ in 0..7 {
        let begin = Instant::now();
        match (&values, &mut sorted_values) {
            (Some(values), Some(sorted_values)) => {
                sorter.sort_pairs_into(&keys, values, &mut sorted, sorted_values).unwrap();
            }
            _ => sorter.sort_into(&keys, &mut sorted).unwrap(),
        }
        stream.synchronize().unwrap();
        times.push(begin.elapsed().as_secs_f64() * 1e3);
    }
    sorter.release();
    median(times.split_off(2))
}
