//! Device-wide sorts, compared with the same sorts on the host: their results are equal bit for bit.

pub mod check;
mod edges;
pub mod huge;
pub mod inputs;
mod network;
mod partition;

use half::{bf16, f16};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use sortsmith::{Order, SortKey, SortOptions, SortValue};
use sortsmith_codegen::device::SMALL_N;
use sortsmith_codegen::{KeyType, ValueType};
use sortsmith_testkit::inputs::Keys as SmallKeys;
use sortsmith_testkit::oracle::{Class, describe};

use crate::{Setting, Test};
use check::{Case, Checker, keys_of};
use inputs::{Keys, Pattern};

/// The tests; some of them with small n under a sanitizer.
pub fn tests(sanitize: bool) -> Vec<Test> {
    let mut tests: Vec<Test> = Vec::new();
    let mut test = |name: &str, run: fn(&Setting)| tests.push((format!("device::{name}"), run));
    macro_rules! of_keys {
        ($($key:ty)*) => {$( test(stringify!($key), check_keys::<$key>); )*};
    }
    test("correlated_u64", check_correlated::<u64>);
    test("buckets_and_counts", check_buckets_and_counts);
    if sanitize {
        of_keys! { u8 u16 f16 u32 f32 u64 u128 }
        tests.extend(network::tests(sanitize));
        tests.extend(partition::tests(sanitize));
        return tests;
    }
    of_keys! { u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 bool f16 bf16 f32 f64 }
    test("correlated_i64", check_correlated::<i64>);
    test("correlated_f64", check_correlated::<f64>);
    test("values_of_1_byte", check_values::<u8>);
    test("values_of_2_bytes", check_values::<u16>);
    test("values_of_16_bytes", check_values::<u128>);
    // These are gathered: in words of 1, 4, 8 and 16 bytes.
    test("values_of_3_bytes", check_values::<[u8; 3]>);
    test("values_of_12_bytes", check_values::<[f32; 3]>);
    test("values_of_24_bytes", check_values::<[u64; 3]>);
    test("values_of_64_bytes", check_values::<[u128; 4]>);
    test("long_u32", |setting| check_long::<u32, ()>(setting, 24));
    test("long_u16", |setting| check_long::<u16, ()>(setting, 24));
    test("long_u8_u8", |setting| check_long::<u8, u8>(setting, 24));
    test("long_f32_u32", |setting| check_long::<f32, u32>(setting, 24));
    test("long_u32_u64", |setting| check_long::<u32, u64>(setting, 24));
    test("long_u64", |setting| check_long::<u64, ()>(setting, 24));
    test("long_i64_u32", |setting| check_long::<i64, u32>(setting, 24));
    test("long_f64_u64", |setting| check_long::<f64, u64>(setting, 23));
    test("long_f32_12_bytes", |setting| check_long::<f32, [u32; 3]>(setting, 23));
    test("long_i128", |setting| check_long::<i128, ()>(setting, 22));
    test("longest_u32", |setting| check_longest::<u32, ()>(setting, 1 << 28));
    test("longest_f32_u32", |setting| check_longest::<f32, u32>(setting, (1 << 27) + 77));
    tests.extend(edges::tests());
    tests.extend(network::tests(sanitize));
    tests.extend(partition::tests(sanitize));
    tests
}

/// The options that are tried: ascending, descending, by some of the bits, NaNs last.
fn options_of<K: SortKey>() -> Vec<SortOptions> {
    let bits = K::KEY_TYPE.bits();
    let all = SortOptions::new();
    let mut options = vec![
        all,
        all.descending(),
        all.bits(bits / 8..bits - bits / 16),
        all.order(Order::Descending).bits(bits / 2..bits),
    ];
    if K::HAS_NAN {
        let some = all.bits(bits / 4..bits - 1);
        options.extend([some.nan_last(), all.nan_last(), all.descending().nan_last()]);
    }
    options
}

/// One kind of sort, checked.
type Check<K> = fn(&Checker, &Case<'_, K>);

/// Nought most often, so that whatever needs an aligned array is tried; else up to three items.
fn offsets(rng: &mut ChaCha8Rng) -> [usize; 2] {
    match rng.random_range(0..4) {
        0 | 1 => [0, 0],
        2 => [rng.random_range(0..4), rng.random_range(0..4)],
        _ => [1, 1],
    }
}

/// The largest number of items that any shape of a sample sort takes, where NaNs need not come last.
#[allow(clippy::cast_possible_truncation)] // they are few
const SHAPES: [usize; 5] = {
    let [a, b, c, d, e] = SMALL_N;
    [a as usize, b as usize, c as usize, d as usize, e as usize]
};

/// More items are sorted by the radix sort.
pub const FEW: usize = SHAPES[SHAPES.len() - 1];

/// Sizes around the edges of tiles and of shapes: of sample sorts, and of the radix sort with tiles of `tile` items, which
/// is the only one for NaNs that come last.
fn sizes(tile: usize, is_nan_last: bool, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let around = |edge: usize| [edge - 1, edge, edge + 1];
    if is_nan_last {
        return [around(tile), around(2 * tile), around(3 * tile)].concat();
    }
    let radix_edge = (FEW / tile + 1) * tile;
    let tiles = [2048, 3072, 4096].map(around).concat();
    let mut sizes = [tiles, SHAPES.map(|most| [most, most + 1]).concat()].concat();
    sizes.extend([radix_edge - 1, radix_edge, radix_edge + 1]);
    let mut least = 2048;
    for most in SHAPES.into_iter().chain([2 * FEW]) {
        sizes.push(rng.random_range(least..most));
        least = most;
    }
    sizes
}

/// Every kind of value, around the edges of tiles.
fn check_keys<K: SortKey>(setting: &Setting) {
    let checker = Checker::new(setting);
    let mut rng = setting.seed.rng(&format!("device {}", K::KEY_TYPE));
    let kinds: [(ValueType, Check<K>); 4] = [
        (ValueType::None, Checker::pairs::<K, ()>),
        (ValueType::U32, Checker::pairs::<K, u32>),
        (ValueType::Index, Checker::argsort::<K>),
        (ValueType::U64, Checker::pairs::<K, u64>),
    ];
    let distributions = SmallKeys::all(K::KEY_TYPE);
    let mut next_distribution = 0;
    let mut one = |n: usize, options: SortOptions, rng: &mut ChaCha8Rng| {
        let kind = distributions[next_distribution % distributions.len()];
        next_distribution += 1;
        let keys = keys_of::<K>(&kind.generate(K::KEY_TYPE, n, rng));
        (keys, offsets(rng), format!("{kind:?}"), options)
    };
    if setting.sanitize {
        let options = options_of::<K>();
        for (number, (value, sort)) in kinds.into_iter().take(3).enumerate() {
            let n = 2 * checker.tile_items::<K>(value) + 1;
            let options = options[options.len() - 1 - number];
            let (keys, offsets, words, options) = one(n, options, &mut rng);
            sort(&checker, &Case::new(&keys, options, offsets, &words));
        }
        // Of the radix sort NaNs that come last are enough, where there are any; and samples that come first are one sort.
        if matches!(K::KEY_TYPE, KeyType::U32 | KeyType::U16 | KeyType::U8) {
            for n in [SHAPES[0] + 1, FEW + 1] {
                let (keys, offsets, words, options) = one(n, SortOptions::new(), &mut rng);
                checker.pairs::<K, ()>(&Case::new(&keys, options, offsets, &words));
            }
        }
        return;
    }
    // The last tiles that are one block's, and the first arrays that are not.
    for n in [511, 512, 513, 2047, 2048, 2049, 8191, 8192, 8193] {
        let (keys, offsets, words, options) = one(n, SortOptions::new(), &mut rng);
        checker.all_of(&Case::new(&keys, options, offsets, &words));
    }
    for (value, sort) in kinds {
        let tile = checker.tile_items::<K>(value);
        for options in options_of::<K>() {
            // Two more kernels for each kind would be a long wait.
            if options.is_nan_last() && value == ValueType::U64 {
                continue;
            }
            for n in sizes(tile, options.is_nan_last(), &mut rng) {
                let (keys, offsets, words, options) = one(n, options, &mut rng);
                sort(&checker, &Case::new(&keys, options, offsets, &words));
            }
        }
    }
}

/// Values of this size, with keys of 2, 4 and 8 bytes.
fn check_values<V: SortValue>(setting: &Setting) {
    fn of_keys<K: SortKey, V: SortValue>(checker: &Checker, rng: &mut ChaCha8Rng) {
        let tile = checker.tile_items::<K>(V::CARRIED.moved());
        let edge = (FEW / tile + 1) * tile;
        for n in [8193, tile + 1, edge + 1, edge, edge - 1, rng.random_range(FEW..2 * FEW)] {
            for pattern in [Pattern::Uniform, Pattern::LowEntropy(3)] {
                let keys = Keys { pattern, n, seed: rng.random() }.all::<K>();
                let options = SortOptions::new();
                let case = Case::new(&keys, options, offsets(rng), &format!("{pattern:?}"));
                checker.pairs::<K, V>(&case);
            }
        }
    }
    let checker = Checker::new(setting);
    let mut rng = setting.seed.rng(&format!("device values of {} bytes", size_of::<V>()));
    of_keys::<f16, V>(&checker, &mut rng);
    of_keys::<f32, V>(&checker, &mut rng);
    of_keys::<u64, V>(&checker, &mut rng);
}

/// Keys of 64 bits with digits that depend on each other, so that to sort by some of them is not enough: then keys that agree
/// in those are sorted where they lie, and where many agree all digits are sorted by after all.
fn check_correlated<K: SortKey>(setting: &Setting) {
    let checker = Checker::new(setting);
    let mut rng = setting.seed.rng(&format!("device correlated {}", K::KEY_TYPE));
    let tile = checker.tile_items::<K>(ValueType::None);
    let sizes: &[usize] = if setting.sanitize {
        &[FEW + 1]
    } else {
        &[8193, 3 * tile + 1, FEW + 1, 1_000_003, 5_000_011]
    };
    let patterns = [
        Pattern::Repeated,
        Pattern::UpperDigits { keys_each: 1000, low: 0xff },
        Pattern::UpperDigits { keys_each: 1000, low: 0x00 },
        // Short runs, of some equal keys.
        Pattern::UpperDigits { keys_each: 10, low: 0x03 },
        Pattern::UpperDigits { keys_each: 2, low: 0xff },
        Pattern::Uniform,
    ];
    let all = SortOptions::new();
    let mut options = vec![
        all,
        all.descending(),
        all.bits(8..60),
        all.bits(20..64),
        all.descending().bits(3..61),
    ];
    if K::HAS_NAN {
        options.extend([all.nan_last(), all.descending().nan_last()]);
    }
    for &n in sizes {
        for (number, pattern) in patterns.into_iter().enumerate() {
            let keys = Keys { pattern, n, seed: rng.random() }.all::<K>();
            let words = format!("{pattern:?}");
            if setting.sanitize {
                let case = Case::new(&keys, all, [0, 0], &words);
                let sorts: [Check<K>; 2] = [Checker::pairs::<K, ()>, Checker::pairs::<K, u32>];
                sorts[number % 2](&checker, &case);
                continue;
            }
            let count = if n > 1_000_000 { 2 } else { options.len() };
            for options in &options[..count] {
                let case = Case::new(&keys, *options, offsets(&mut rng), &words);
                checker.pairs::<K, ()>(&case);
                checker.argsort(&case);
                if !options.is_nan_last() {
                    checker.pairs::<K, u32>(&case);
                    checker.pairs::<K, u64>(&case);
                }
            }
        }
    }
}

/// The least arrays that are sorted by MSD buckets, by value bucketing, and by counting: each once with keys for which
/// that is right from the beginning, and once with keys for which it was the wrong guess.
fn check_buckets_and_counts(setting: &Setting) {
    let checker = Checker::new(setting);
    let mut rng = setting.seed.rng("device buckets and counts");
    let [buckets, values, counts] = edges::PAYING.map(|edge| edge + rng.random_range(0..1000));
    let all = SortOptions::new();
    let (sorter, stray) = (&checker, offsets(&mut rng));
    for pattern in [Pattern::Uniform, Pattern::LowEntropy(3)] {
        let seed = rng.random();
        let words = format!("{pattern:?}");
        let integers = Keys { pattern, n: buckets, seed }.all::<u32>();
        sorter.pairs::<u32, ()>(&Case::new(&integers, all, [0, 0], &words));
        sorter.pairs::<u32, u32>(&Case::new(&integers, all.descending(), stray, &words));
        sorter.pairs::<u32, u64>(&Case::new(&integers, all, [0, 0], &words));
        let floats = Keys { pattern, n: values, seed }.all::<f32>();
        sorter.pairs::<f32, u32>(&Case::new(&floats, all, [0, 0], &words));
        let shorts = Keys { pattern, n: counts, seed }.all::<u16>();
        sorter.pairs::<u16, ()>(&Case::new(&shorts, all, [0, 0], &words));
    }
    // Even numbers, as from a random generator: their upper digits are not even, those of a linear map are.
    let fractions = Keys { pattern: Pattern::Uniform, n: values, seed: rng.random() }.all::<u32>();
    let numbers: Vec<f32> = fractions.iter().map(|word| (word >> 8) as f32 * 1e-7).collect();
    let case = Case::new(&numbers, all, [0, 0], "even numbers");
    sorter.pairs::<f32, u32>(&case);
    sorter.argsort(&case);
}

/// Random numbers of keys up to a power of two, of every pattern.
fn check_long<K: SortKey, V: SortValue>(setting: &Setting, log2: u32) {
    let checker = Checker::new(setting);
    let mut rng = setting.seed.rng(&format!("device long {} {}", K::KEY_TYPE, size_of::<V>()));
    let patterns = [
        Pattern::Sorted,
        Pattern::Reversed,
        Pattern::AllEqual,
        Pattern::FewDistinct,
        Pattern::LowEntropy(2),
        Pattern::LowEntropy(4),
    ];
    for pattern in patterns {
        let n = rng.random_range(1 << 18..1 << 21);
        one::<K, V>(&checker, pattern, n, SortOptions::new(), &mut rng);
    }
    for _ in 0..2 {
        let n = rng.random_range(1 << (log2 - 3)..=1 << log2);
        one::<K, V>(&checker, Pattern::Uniform, n, SortOptions::new(), &mut rng);
    }
    let (kind, bits) = describe(K::KEY_TYPE);
    let n = rng.random_range(1 << (log2 - 2)..=1 << log2);
    let options = match kind {
        Class::Float => SortOptions::new().descending(),
        _ => SortOptions::new().descending().bits(bits / 3..bits),
    };
    one::<K, V>(&checker, Pattern::LowEntropy(2), n, options, &mut rng);
}

/// A great many keys, once.
fn check_longest<K: SortKey, V: SortValue>(setting: &Setting, n: usize) {
    let checker = Checker::new(setting);
    let mut rng = setting.seed.rng(&format!("device longest {}", K::KEY_TYPE));
    one::<K, V>(&checker, Pattern::Uniform, n, SortOptions::new(), &mut rng);
}

fn one<K: SortKey, V: SortValue>(
    checker: &Checker,
    pattern: Pattern,
    n: usize,
    options: SortOptions,
    rng: &mut ChaCha8Rng,
) {
    let keys = Keys { pattern, n, seed: rng.random() }.all::<K>();
    let case = Case::new(&keys, options, offsets(rng), &format!("{pattern:?}"));
    checker.pairs::<K, V>(&case);
    if K::KEY_TYPE == KeyType::F32 && n < 1 << 25 {
        checker.argsort(&case);
    }
}
