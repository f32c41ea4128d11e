//! Sorts over several GPUs by NCCL, a thread for each, against the oracle; and how long they take.
//!
//!     many_gpus check            all types and classes of keys, shards and shares of any lengths
//!     many_gpus time [what...]   beside one GPU with as many items as all have; by logarithms of the items a GPU, types of keys and values, and
//!                                classes of keys: `time 28 30 u32 f32,u32 Random`
//!     many_gpus steady           a thousand sorts, and the memory that they take
//!     many_gpus lost             a rank ends, or stalls: the others' errors
//!
//! Without GPUs it says so and passes.

#![allow(clippy::unwrap_used)] // a failed unwrap is a failed test
#![allow(clippy::print_stdout)]

mod keys;

use std::sync::{Arc, Barrier, Mutex};
use std::time::{Duration, Instant};

use cudarc::driver::{CudaContext, CudaSlice, CudaStream, DeviceRepr};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use sortsmith::distributed::nccl::{Communicator, DeviceSorter, UniqueId};
use sortsmith::distributed::{ShardError, Shares, Transport as _};
use sortsmith::{Order, SortKey, SortOptions, Sorter};
use sortsmith_testkit::inputs::{Keys, bit_range};
use sortsmith_testkit::oracle::{self, Task};
use sortsmith_testkit::seed::Seed;

use keys::{bits_of, keys_of};

const LIMIT: Duration = Duration::from_secs(60);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|it| !it.starts_with("--")).collect();
    let gpus = (0..).take_while(|ordinal| sortsmith::cuda_context(*ordinal).is_ok()).count();
    let id = UniqueId::new();
    if gpus > 1 && id.is_ok() {
        return run(&arguments, gpus);
    }
    println!("left out: {gpus} GPUs, {:?}", id.err());
    assert!(std::env::var_os("SORTSMITH_REQUIRE_GPU").is_none());
}

fn run(arguments: &[String], gpus: usize) {
    match arguments.first().map_or("check", String::as_str) {
        "check" => check_all(gpus),
        "time" => {
            let sizes: Vec<u32> = arguments[1..].iter().filter_map(|it| it.parse().ok()).collect();
            time_all(gpus, &sizes, &arguments[1..]);
        }
        "steady" => steady(gpus),
        "lost" => lost(gpus),
        other => panic!("{other} is none of check, time, steady, lost"),
    }
}

/// A rank's thread.
struct Rank {
    rank: usize,
    ranks: usize,
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
    barrier: Arc<Barrier>,
}

/// What each rank does, on a thread for each.
fn on_ranks<R: Send>(ranks: usize, work: impl Fn(&Rank, DeviceSorter) -> R + Sync) -> Vec<R> {
    on_ranks_within(LIMIT, ranks, work)
}

fn on_ranks_within<R: Send>(
    limit: Duration,
    ranks: usize,
    work: impl Fn(&Rank, DeviceSorter) -> R + Sync,
) -> Vec<R> {
    let (id, work, barrier) = (UniqueId::new().unwrap(), &work, Arc::new(Barrier::new(ranks)));
    let start = move |rank: usize, barrier: Arc<Barrier>| {
        let context = sortsmith::cuda_context(rank).unwrap();
        let stream = context.default_stream();
        let communicator = Communicator::new(&context, &id, rank, ranks, limit).unwrap();
        let sorter = DeviceSorter::on(&stream, communicator).unwrap();
        work(&Rank { rank, ranks, context, stream, barrier }, sorter)
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..ranks)
            .map(|rank| {
                let barrier = Arc::clone(&barrier);
                scope.spawn(move || start(rank, barrier))
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// Lengths that sum up to `n`.
fn random_lengths(n: usize, ranks: usize, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let mut ends: Vec<usize> = (1..ranks).map(|_| rng.random_range(0..=n)).collect();
    if rng.random_ratio(1, 4) {
        ends.fill([0, n][rng.random_range(0..2)]);
    }
    ends.sort_unstable();
    ends.push(n);
    ends.iter().zip(std::iter::once(&0).chain(&ends)).map(|(end, begin)| end - begin).collect()
}

/// One case: keys, where they lie and go, and by which order.
struct Case {
    bytes: Vec<u8>,
    shards: Vec<usize>,
    shares: Vec<usize>,
    kind: fn(usize) -> Shares,
    task: Task,
    context: String,
}

fn upload<T: DeviceRepr + Clone>(stream: &Arc<CudaStream>, items: &[T]) -> CudaSlice<T> {
    if items.is_empty() { stream.null().unwrap() } else { stream.clone_htod(items).unwrap() }
}

fn download<T: DeviceRepr + Clone>(stream: &Arc<CudaStream>, items: &CudaSlice<T>) -> Vec<T> {
    if items.len() == 0 { Vec::new() } else { stream.clone_dtoh(items).unwrap() }
}

fn check_all(gpus: usize) {
    let seed = Seed::from_env();
    println!("SORTSMITH_SEED={}", seed.0);
    let small = [0, 1, 2, 3, 40, 700, 20_000];
    macro_rules! check_types {
        ($($key:ty)*) => {$(check_type::<$key>(&seed, gpus, &small);)*};
    }
    check_types! { u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 f32 f64 }
    check_large::<u32>(&seed, gpus);
    check_large::<f32>(&seed, gpus);
    check_large::<u64>(&seed, gpus);
}

fn check_type<K: SortKey + DeviceRepr>(seed: &Seed, gpus: usize, sizes: &[usize]) {
    let mut rng = seed.rng(&K::KEY_TYPE.to_string());
    let mut cases = Vec::new();
    for kind in Keys::all(K::KEY_TYPE) {
        for all_bits in [true, false] {
            let n = sizes[rng.random_range(0..sizes.len())];
            cases.push(case::<K>(kind, n, gpus, all_bits, &mut rng));
        }
    }
    check_cases::<K>(gpus, &cases);
    println!("{}: {} cases", K::KEY_TYPE, cases.len());
}

fn check_large<K: SortKey + DeviceRepr>(seed: &Seed, gpus: usize) {
    let mut rng = seed.rng(&format!("large {}", K::KEY_TYPE));
    let kinds = Keys::all(K::KEY_TYPE);
    let cases: Vec<Case> =
        kinds.into_iter().map(|kind| case::<K>(kind, 3_000_000, gpus, true, &mut rng)).collect();
    check_cases::<K>(gpus, &cases);
    println!("{}: {} large cases", K::KEY_TYPE, cases.len());
    let cases = [case::<K>(Keys::Uniform, 40_000_000, gpus, true, &mut rng)];
    check_cases::<K>(gpus, &cases);
}

fn case<K: SortKey>(
    kind: Keys,
    n: usize,
    ranks: usize,
    all_bits: bool,
    rng: &mut ChaCha8Rng,
) -> Case {
    let bytes = kind.generate(K::KEY_TYPE, n, rng);
    let shards = random_lengths(n, ranks, rng);
    let even = (0..ranks).map(|rank| (rank + 1) * n / ranks - rank * n / ranks).collect();
    let (shares, of_kind): (Vec<usize>, fn(usize) -> Shares) = match rng.random_range(0..3) {
        0 => (even, |_| Shares::Even),
        1 => (shards.clone(), |_| Shares::AsGiven),
        _ => (random_lengths(n, ranks, rng), Shares::Items),
    };
    let order = [Order::Ascending, Order::Descending][rng.random_range(0..2)];
    let mut task = Task { order, ..Task::new(K::KEY_TYPE) };
    if !all_bits {
        let (begin_bit, end_bit) = bit_range(K::KEY_TYPE, rng);
        task = Task { begin_bit, end_bit, nan_last: rng.random(), ..task };
    }
    let context = format!("{} {kind:?} {shards:?} to {shares:?} {task:?}", K::KEY_TYPE);
    Case { bytes, shards, shares, kind: of_kind, task, context }
}

fn check_cases<K: SortKey + DeviceRepr>(gpus: usize, cases: &[Case]) {
    let sorters = Mutex::new(Vec::new());
    on_ranks(gpus, |rank, sorter| {
        let mut sorter = sorter;
        for case in cases {
            sorter = check_case::<K>(rank, sorter, case);
        }
        sorters.lock().unwrap().push(sorter);
    });
}

fn check_case<K: SortKey + DeviceRepr>(rank: &Rank, sorter: DeviceSorter, case: &Case) -> DeviceSorter {
    let Case { bytes, shards, shares, task, context, .. } = case;
    let sorter = sorter.shares((case.kind)(shares[rank.rank]));
    let options = SortOptions::new().order(task.order).bits(task.begin_bit..task.end_bit);
    let options = if task.nan_last { options.nan_last() } else { options };
    let keys = keys_of::<K>(bytes);
    let values: Vec<u32> = (0..keys.len() as u32).collect();
    let first: usize = shards[..rank.rank].iter().sum();
    let range = first..first + shards[rank.rank];
    let d_keys = upload(&rank.stream, &keys[range.clone()]);
    let d_values = upload(&rank.stream, &values[range.clone()]);
    let alone = sorter.sort_with(&d_keys, options).unwrap_or_else(|error| panic!("{context}: {error}"));
    let (with_values, d_sorted) = sorter.sort_pairs_with(&d_keys, &d_values, options).unwrap();
    let positions = sorter.argsort_with(&d_keys, options).unwrap();
    let expected = oracle::permutation(task, bytes);
    let begin: usize = shares[..rank.rank].iter().sum();
    let expected = &expected[begin..begin + shares[rank.rank]];
    let sorted: Vec<K> = expected.iter().map(|position| keys[*position as usize]).collect();
    let found = download(&rank.stream, &alone);
    assert!(bits_of(&found) == bits_of(&sorted), "sort: {context}: {}", difference(&found, &sorted));
    assert!(bits_of(&download(&rank.stream, &with_values)) == bits_of(&sorted), "sort_pairs: {context}");
    assert!(download(&rank.stream, &d_sorted) == expected, "values: {context}");
    let found = download(&rank.stream, &positions);
    let is_same = found.iter().copied().eq(expected.iter().map(|position| u64::from(*position)));
    assert!(is_same, "argsort: {context}");
    let unchanged = download(&rank.stream, &d_keys);
    assert!(bits_of(&unchanged) == bits_of(&keys[range]), "shard: {context}");
    sorter
}

fn difference<K: SortKey>(found: &[K], expected: &[K]) -> String {
    let (found, expected) = (bits_of(found), bits_of(expected));
    let at = found.iter().zip(&expected).position(|(a, b)| a != b);
    let count = found.iter().zip(&expected).filter(|(a, b)| a != b).count();
    format!("{} and {} items, {count} differ, first {at:?}", found.len(), expected.len())
}

/// How keys are distributed, by a number of 64 random bits and the place among all.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Input {
    Random,
    Sorted,
    Reversed,
    Zipf,
    Equal,
}

impl Input {
    fn bits(self, index: u64, all: u64) -> u64 {
        let random = mixed(index);
        match self {
            Self::Random => random,
            Self::Sorted => ((u128::from(index) << 64) / u128::from(all)) as u64 | random >> 40,
            Self::Reversed => !(((u128::from(index) << 64) / u128::from(all)) as u64 | random >> 40),
            Self::Zipf => {
                let unit = (random >> 11) as f64 / (1u64 << 53) as f64;
                ((20.0 * unit).exp2() as u64) << 32
            }
            Self::Equal => 7 << 40,
        }
    }
}

fn mixed(number: u64) -> u64 {
    let mut bits = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

trait Timed: SortKey + DeviceRepr + Default + PartialOrd {
    fn of(bits: u64) -> Self;
}

impl Timed for u32 {
    fn of(bits: u64) -> Self {
        (bits >> 32) as Self
    }
}

impl Timed for f32 {
    /// Any but NaNs.
    fn of(bits: u64) -> Self {
        let key = Self::from_bits((bits >> 32) as u32);
        if key.is_nan() { 1.0 } else { key }
    }
}

impl Timed for u64 {
    fn of(bits: u64) -> Self {
        bits
    }
}

/// Items on a device from the one of this number on.
fn filled<K: Timed>(stream: &Arc<CudaStream>, input: Input, first: u64, n: usize, all: u64) -> CudaSlice<K> {
    const CHUNK: usize = 1 << 26;
    let mut slice = unsafe { stream.alloc::<K>(n) }.unwrap();
    let mut chunk = vec![K::default(); CHUNK.min(n)];
    for begin in (0..n).step_by(CHUNK) {
        let items = CHUNK.min(n - begin);
        let at = first + begin as u64;
        let fill = |(number, key): (usize, &mut K)| *key = K::of(input.bits(at + number as u64, all));
        chunk[..items].par_iter_mut().with_min_len(1 << 14).enumerate().for_each(fill);
        stream.memcpy_htod(&chunk[..items], &mut slice.slice_mut(begin..begin + items)).unwrap();
    }
    stream.synchronize().unwrap();
    slice
}

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

fn time_all(gpus: usize, sizes: &[u32], chosen: &[String]) {
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
        let results = on_ranks(gpus, |rank, sorter| time_rank::<K, PAIRS>(rank, sorter.with_stages(), *input, n));
        let times: Vec<f64> =
            (0..results[0].0.len()).map(|i| results.iter().map(|it| it.0[i]).fold(0.0, f64::max)).collect();
        let ms = median(times.clone());
        println!("{name} {gpus} x 2^{log2} {input:?}: {ms:.3} ms, {:.1} Gitems/s, {:.2} of one; {times:.2?}", rate(ms), one / ms);
        for (rank, result) in results.iter().enumerate().take(if *input == Input::Random { 2 } else { 1 }) {
            println!("  rank {rank}: {}", result.1);
        }
    }
}

fn time_rank<K: Timed, const PAIRS: bool>(rank: &Rank, sorter: DeviceSorter, input: Input, n: usize) -> (Vec<f64>, String) {
    let all = (rank.ranks * n) as u64;
    let first = (rank.rank * n) as u64;
    let keys = filled::<K>(&rank.stream, input, first, n, all);
    let mut sorted = unsafe { rank.stream.alloc::<K>(n) }.unwrap();
    let values = PAIRS.then(|| filled::<u32>(&rank.stream, input, first, n, all));
    let mut sorted_values = PAIRS.then(|| unsafe { rank.stream.alloc::<u32>(n) }.unwrap());
    let mut times = Vec::new();
    for _ in 0..8 {
        rank.barrier.wait();
        let begin = Instant::now();
        let options = SortOptions::new();
        match (&values, &mut sorted_values) {
            (Some(values), Some(sorted_values)) => {
                sorter.sort_pairs_into_with(&keys, values, &mut sorted, sorted_values, options).unwrap();
            }
            _ => sorter.sort_into_with(&keys, &mut sorted, options).unwrap(),
        }
        times.push(begin.elapsed().as_secs_f64() * 1e3);
    }
    let stages: Vec<String> = sorter.stages().iter().map(|it| format!("{} {:.2}", it.name, it.end)).collect();
    check_share(rank, &sorter, &keys, &sorted);
    if let (Some(values), Some(sorted_values)) = (&values, &sorted_values) {
        // Sums of all values, whatever their order.
        let sum = |slice: &CudaSlice<u32>| hash_of(&rank.stream.clone_dtoh(slice).unwrap());
        let sums = [sum(values), sum(sorted_values)];
        let sums = sorter.communicator().all_sum(&sums).unwrap();
        assert_eq!(sums[0], sums[1]);
    }
    (times.split_off(3), stages.join(", "))
}

fn check_share<K: Timed>(rank: &Rank, sorter: &DeviceSorter, keys: &CudaSlice<K>, sorted: &CudaSlice<K>) {
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
    let mut sorted = unsafe { stream.alloc::<K>(n) }.unwrap();
    let values = PAIRS.then(|| filled::<u32>(&stream, Input::Random, 0, n, n as u64));
    let mut sorted_values = PAIRS.then(|| unsafe { stream.alloc::<u32>(n) }.unwrap());
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

/// A thousand sorts of changing lengths, and the memory that they take.
fn steady(gpus: usize) {
    let grown = on_ranks(gpus, |rank, sorter| {
        let keys = filled::<u32>(&rank.stream, Input::Random, (rank.rank << 22) as u64, 1 << 22, 1 << 24);
        let mut least_free = Vec::new();
        for round in 0..1000usize {
            let n = (1 << 22) - (round * 7919 + rank.rank * 104_729) % (1 << 21);
            let share = sorter.sort(&keys.slice(0..n)).unwrap();
            drop(share);
            if round % 100 == 99 {
                rank.stream.synchronize().unwrap();
                least_free.push(rank.context.mem_get_info().unwrap().0);
            }
        }
        least_free
    });
    println!("free memory each 100 sorts: {grown:?}");
    for free in &grown {
        assert!(free[1] <= free[free.len() - 1] + (64 << 20), "{free:?}");
    }
}

/// A rank that ends, and one that stalls.
fn lost(gpus: usize) {
    for stalls in [false, true] {
        let begin = Instant::now();
        let results = on_ranks_within(Duration::from_secs(3), gpus, |rank, sorter| {
            let keys = filled::<u32>(&rank.stream, Input::Random, 0, 1 << 24, 1 << 24);
            sorter.sort(&keys).unwrap();
            rank.barrier.wait();
            if rank.rank + 1 == rank.ranks {
                if stalls {
                    std::thread::sleep(Duration::from_secs(6));
                    return sorter.sort(&keys).map(|_| ());
                }
                drop(sorter);
                return Err(ShardError::Lost { rank: rank.rank });
            }
            let error = sorter.sort(&keys).map(|_| ());
            let again = sorter.sort(&keys).map(|_| ());
            assert_eq!(again, error);
            // The shard is as it was, and the device works.
            assert_eq!(rank.stream.clone_dtoh(&keys.slice(0..1)).unwrap().len(), 1);
            error
        });
        println!("stalls: {stalls}, {results:?}, {:?}", begin.elapsed());
        assert!(results.iter().all(Result::is_err) && begin.elapsed() < LIMIT);
    }
}
