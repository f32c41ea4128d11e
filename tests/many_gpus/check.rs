//! Sorts against the oracle.

#![allow(clippy::similar_names)] // shards and shares; what is sorted, and by what

use std::sync::{Arc, Mutex};

use cudarc::driver::{CudaSlice, CudaStream, DeviceRepr};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use sortsmith::distributed::Shares;
use sortsmith::distributed::nccl::DeviceSorter;
use sortsmith::{Order, SortKey, SortOptions};
use sortsmith_codegen::KeyType;
use sortsmith_testkit::inputs::{Keys, bit_range};
use sortsmith_testkit::oracle::{self, Task};
use sortsmith_testkit::seed::Seed;

use crate::keys::{bits_of, keys_of};
use crate::{Rank, on_ranks};

/// Lengths that sum up to `n`.
fn random_lengths(n: usize, ranks: usize, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let mut ends: Vec<usize> = (1..ranks).map(|_| rng.random_range(0..=n)).collect();
    if rng.random_ratio(1, 4) {
        let end = [0, n][rng.random_range(0..2)];
        ends = vec![end; ranks - 1];
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
    if items.is_empty() { Vec::new() } else { stream.clone_dtoh(items).unwrap() }
}

/// All types, or those that are named; `large` stands for the long arrays. cudarc has no arrays of 16-bit floats without its feature `f16`, which
/// brings old versions of other crates.
pub fn all(gpus: usize, chosen: &[String]) {
    let seed = Seed::from_env();
    println!("SORTSMITH_SEED={}", seed.0);
    let is_chosen = |name: &str| chosen.is_empty() || chosen.iter().any(|it| it == name);
    let mut checks = 0;
    macro_rules! check_types {
        ($check:ident $is_chosen:expr; $($key:ty)*) => {$(
            if $is_chosen(<$key>::KEY_TYPE) {
                $check::<$key>(seed, gpus);
                checks += 1;
            }
        )*};
    }
    let of_type = |key: KeyType| is_chosen(&key.to_string());
    check_types! { check_type of_type; bool u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 f32 f64 }
    check_types! { check_large |_| is_chosen("large"); u32 f32 u64 }
    assert!(checks > 0, "{chosen:?} are no types that are checked");
}

fn check_type<K: SortKey + DeviceRepr>(seed: Seed, gpus: usize) {
    const SIZES: [usize; 7] = [0, 1, 2, 3, 40, 700, 20_000];
    let mut rng = seed.rng(&K::KEY_TYPE.to_string());
    let mut cases = Vec::new();
    for kind in Keys::all(K::KEY_TYPE) {
        for all_bits in [true, false] {
            let n = SIZES[rng.random_range(0..SIZES.len())];
            cases.push(case::<K>(kind, n, gpus, all_bits, &mut rng));
        }
    }
    check_cases::<K>(gpus, &cases);
    println!("{}: {} cases", K::KEY_TYPE, cases.len());
}

fn check_large<K: SortKey + DeviceRepr>(seed: Seed, gpus: usize) {
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

fn check_case<K: SortKey + DeviceRepr>(
    rank: &Rank,
    sorter: DeviceSorter,
    case: &Case,
) -> DeviceSorter {
    let Case { bytes, shards, shares, task, context, .. } = case;
    let sorter = sorter.shares((case.kind)(shares[rank.number]));
    let options = SortOptions::new().order(task.order).bits(task.begin_bit..task.end_bit);
    let options = if task.nan_last { options.nan_last() } else { options };
    let keys = keys_of::<K>(bytes);
    let values: Vec<u32> = (0..keys.len() as u32).collect();
    let first: usize = shards[..rank.number].iter().sum();
    let range = first..first + shards[rank.number];
    let d_keys = upload(&rank.stream, &keys[range.clone()]);
    let d_values = upload(&rank.stream, &values[range.clone()]);
    let alone =
        sorter.sort_with(&d_keys, options).unwrap_or_else(|error| panic!("{context}: {error}"));
    let (with_values, d_sorted) = sorter.sort_pairs_with(&d_keys, &d_values, options).unwrap();
    let positions = sorter.argsort_with(&d_keys, options).unwrap();
    let expected = oracle::permutation(task, bytes);
    let begin: usize = shares[..rank.number].iter().sum();
    let expected = &expected[begin..begin + shares[rank.number]];
    let sorted: Vec<K> = expected.iter().map(|position| keys[*position as usize]).collect();
    let found = download(&rank.stream, &alone);
    assert!(
        bits_of(&found) == bits_of(&sorted),
        "sort: {context}: {}",
        difference(&found, &sorted)
    );
    assert!(
        bits_of(&download(&rank.stream, &with_values)) == bits_of(&sorted),
        "sort_pairs: {context}"
    );
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
