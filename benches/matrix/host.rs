//! The host's sorts, where there is no GPU.

use bytemuck::Pod;
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use sortsmith::{Backend, SortKey};
use sortsmith_benchkit::matrix::Matrix;
use sortsmith_benchkit::{Cache, Case, Input, scattered, zipf_rank};
use sortsmith_codegen::{KeyType, ValueType};

/// Longer arrays would take minutes.
const MOST: u64 = 1 << 20;

/// Measures those device-wide sorts that are short enough.
pub fn measure(criterion: &mut Criterion, matrix: &Matrix) {
    if !matches!(sortsmith::backend(), Ok(Backend::Host)) {
        // There is a GPU, but not all that the other benchmarks need.
        println!(
            "left out: the host's sorts, for `sort` uses a GPU; SORTSMITH_BACKEND=host forbids it"
        );
        return;
    }
    let (warm, cold): (Vec<&Case>, Vec<&Case>) =
        matrix.arrays.iter().partition(|case| case.cache == Cache::Warm);
    let (short, long): (Vec<&Case>, Vec<&Case>) = warm.into_iter().partition(|case| case.n <= MOST);
    let is_class = |case: &&Case| matches!(case.input, Input::Class(_));
    let (classes, short): (Vec<&Case>, Vec<&Case>) = short.into_iter().partition(is_class);
    let [long, cold, classes] = [long, cold, classes].map(|cases| cases.len());
    println!(
        "the host sorts arrays; left out: {long} of more than 2^20 keys, {cold} cold ones, {classes} of classes, which a GPU makes"
    );
    for case in short {
        match case.types.key {
            KeyType::U8 => sorts::<u8>(criterion, case),
            KeyType::U16 => sorts::<u16>(criterion, case),
            KeyType::U32 => sorts::<u32>(criterion, case),
            KeyType::U64 => sorts::<u64>(criterion, case),
            KeyType::I64 => sorts::<i64>(criterion, case),
            KeyType::F32 => sorts::<f32>(criterion, case),
            other => println!("left out: keys of {other} on the host"),
        }
    }
}

/// The sort of a case, by what goes with its keys.
fn sorts<K: SortKey + Pod + PartialOrd>(criterion: &mut Criterion, case: &Case) {
    let keys = input::<K>(case);
    let mut group = criterion.benchmark_group("host");
    group.throughput(Throughput::Elements(case.n));
    let id = BenchmarkId::from_parameter(case.name());
    match case.types.value {
        ValueType::None => group.bench_function(id, |bencher| {
            let sort = |mut keys: Vec<K>| {
                sortsmith::sort(&mut keys).expect("memory");
                keys
            };
            bencher.iter_batched(|| keys.clone(), sort, BatchSize::LargeInput);
        }),
        ValueType::Index => group.bench_function(id, |bencher| {
            bencher.iter(|| sortsmith::argsort(&keys).expect("memory"));
        }),
        ValueType::U64 => group.bench_function(id, |bencher| {
            let both = || (keys.clone(), (0..case.n).collect::<Vec<u64>>());
            bencher.iter_batched(both, pairs, BatchSize::LargeInput);
        }),
        _ => group.bench_function(id, |bencher| {
            let both = || (keys.clone(), (0..case.n as u32).collect::<Vec<u32>>());
            bencher.iter_batched(both, pairs, BatchSize::LargeInput);
        }),
    };
    group.finish();
}

fn pairs<K: SortKey, V: sortsmith::SortValue>(
    (mut keys, mut values): (Vec<K>, Vec<V>),
) -> (Vec<K>, Vec<V>) {
    sortsmith::sort_pairs(&mut keys, &mut values).expect("memory");
    (keys, values)
}

/// Keys of a case's kind, as the device's are: floats are multiples of 1/4096 unless their kind is of bits, whatever the key.
fn input<K: SortKey + Pod + PartialOrd>(case: &Case) -> Vec<K> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let key_bits = u8::BITS * size_of::<K>() as u32;
    let ranks = Input::zipf_ranks(key_bits);
    let one: u64 = rng.random();
    let mut bits = || match case.input {
        Input::And(0) => one,
        Input::And(words) => (0..words).fold(u64::MAX, |bits, _| bits & rng.random::<u64>()),
        Input::Bits(bits) => rng.random::<u64>() & ((1 << bits) - 1),
        Input::Distinct(values) => scattered(rng.random_range(0..u64::from(values)), key_bits),
        Input::Zipf => scattered(zipf_rank(rng.random(), ranks), key_bits),
        Input::Random | Input::Sorted | Input::Reversed if K::HAS_NAN => {
            let number = (rng.random_range(0..1 << 24) - (1 << 23)) as f32 / 4096.0;
            u64::from(number.to_bits())
        }
        // Classes and segments were left out.
        Input::Random | Input::Sorted | Input::Reversed | Input::Segments(_) | Input::Class(_) => {
            rng.random()
        }
    };
    let mut key = || bytemuck::pod_read_unaligned(&bits().to_le_bytes()[..size_of::<K>()]);
    let mut keys: Vec<K> = (0..case.n).map(|_| key()).collect();
    match case.input {
        Input::Sorted => keys.sort_by(|a, b| a.partial_cmp(b).expect("no NaNs")),
        Input::Reversed => keys.sort_by(|a, b| b.partial_cmp(a).expect("no NaNs")),
        _ => {}
    }
    keys
}
