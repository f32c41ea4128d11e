//! Partition sorts of every type that they have, beside the same sorts on the host.

use cudarc::driver::CudaContext;
use cudarc::driver::sys::{CUgraphInstantiate_flags, CUstreamCaptureMode};
use rand::RngExt;
use sortsmith::tuning::{Case as TuningCase, SizeClass, Tuning};
use sortsmith::{ArrayAlgorithm, SortKey, SortOptions, Sorter};
use sortsmith_codegen::ValueType;
use sortsmith_codegen::device::{DeviceAlgorithm, DeviceSpec, Shape};
use sortsmith_testkit::inputs::Keys as SmallKeys;

use super::check::{Case, Checker, keys_of};
use super::inputs::{Keys, Pattern};
use super::offsets;
use crate::{Setting, Test};

/// The tests; with small n under a sanitizer.
pub fn tests(sanitize: bool) -> Vec<Test> {
    let mut tests: Vec<Test> = Vec::new();
    let mut test = |name: &str, run: fn(&Setting)| tests.push((format!("partition::{name}"), run));
    test("oversized_buckets_of_u64", check_oversized::<u64>);
    test("oversized_buckets_of_f64", check_oversized::<f64>);
    test("graphs", check_graphs);
    if sanitize {
        return tests;
    }
    test("u64", check_keys::<u64>);
    test("i64", check_keys::<i64>);
    test("f64", check_keys::<f64>);
    test("patterns_of_u64", check_patterns::<u64>);
    test("patterns_of_i64", check_patterns::<i64>);
    test("patterns_of_f64", check_patterns::<f64>);
    test("others", check_others);
    tests
}

/// By a partition sort.
pub fn by_partition() -> SortOptions {
    SortOptions::new().algorithm(ArrayAlgorithm::Partition)
}

/// Ascending and descending, and NaNs last where there are any.
fn options_of<K: SortKey>() -> Vec<SortOptions> {
    let all = by_partition();
    let mut options = vec![all, all.descending()];
    if K::HAS_NAN {
        options.extend([all.nan_last(), all.descending().nan_last()]);
    }
    options
}

/// The tile, and the most items of one level.
fn edges_of<K: SortKey>(checker: &Checker) -> [usize; 2] {
    let order = SortOptions::new().get_order();
    let spec = DeviceSpec::partition(K::KEY_TYPE, ValueType::U64, order, false, checker.device());
    let spec = spec.expect("keys of 8 bytes have one");
    let tile = spec.tile_items() as usize;
    [tile, tile * spec.threads as usize]
}

/// Lengths from two keys on, around tiles and where the second level begins, of all distributions in turn.
fn check_keys<K: SortKey>(setting: &Setting) {
    let checker = Checker::new(setting);
    let mut rng = setting.seed.rng(&format!("partition {}", K::KEY_TYPE));
    let [tile, one_level] = edges_of::<K>(&checker);
    let around = |edge: usize| [edge - 1, edge, edge + 1];
    let mut sizes = vec![2, 3, 31, rng.random_range(4..tile), rng.random_range(tile..one_level)];
    sizes.extend([1, 2, 3, 64, 65].map(|tiles| around(tiles * tile)).concat());
    sizes.extend([around(one_level), around(one_level + 3 * tile)].concat());
    sizes.push(rng.random_range(one_level..2 * one_level));
    let (distributions, options) = (SmallKeys::all(K::KEY_TYPE), options_of::<K>());
    // With other distributions and options the second time.
    let twice = [&sizes[..], &sizes].concat();
    for (number, n) in twice.into_iter().enumerate() {
        let kind = distributions[number % distributions.len()];
        let keys = keys_of::<K>(&kind.generate(K::KEY_TYPE, n, &mut rng));
        let options = options[number % options.len()];
        checker.all_of(&Case::new(&keys, options, offsets(&mut rng), &format!("{kind:?}")));
    }
}

const PATTERNS: [Pattern; 10] = [
    Pattern::Uniform,
    Pattern::Sorted,
    Pattern::Reversed,
    Pattern::AllEqual,
    Pattern::FewDistinct,
    Pattern::LowEntropy(2),
    Pattern::LowEntropy(5),
    Pattern::Repeated,
    Pattern::UpperDigits { keys_each: 1_000_000, low: 0xff },
    Pattern::UpperDigits { keys_each: 1_000_000, low: 0x01 },
];

/// One level and two of each pattern.
fn check_patterns<K: SortKey>(setting: &Setting) {
    let checker = Checker::new(setting);
    let mut rng = setting.seed.rng(&format!("partition patterns {}", K::KEY_TYPE));
    let options = options_of::<K>();
    for (number, pattern) in PATTERNS.into_iter().enumerate() {
        for n in [rng.random_range(500_000..2_000_000), rng.random_range(5_000_000..20_000_000)] {
            let keys = Keys { pattern, n, seed: rng.random() }.all::<K>();
            let options = options[number % options.len()];
            let case = Case::new(&keys, options, offsets(&mut rng), &format!("{pattern:?}"));
            checker.all_of(&case);
        }
    }
}

/// Tiles so small that blocks hold no bucket of any key: all are sorted where they lie.
fn check_oversized<K: SortKey>(setting: &Setting) {
    let mut rng = setting.seed.rng(&format!("partition oversized {}", K::KEY_TYPE));
    let shape = Shape { algorithm: DeviceAlgorithm::Partition, threads: 64, items: 4 };
    let values = [ValueType::None, ValueType::U32, ValueType::Index, ValueType::U64];
    let cases = values.into_iter().flat_map(|value| {
        SizeClass::ALL.map(|class| TuningCase::of(K::KEY_TYPE, value, class.most()))
    });
    let tuning = cases.flatten().fold(Tuning::default(), |tuning, case| tuning.with(case, shape));
    let checker = Checker::with_tuning(setting, tuning);
    let sizes: &[usize] =
        if setting.sanitize { &[40_000] } else { &[16_384, 16_385, 100_000, 1_000_003, 3_000_017] };
    for n in sizes {
        for (number, pattern) in PATTERNS.into_iter().enumerate().skip(n % 2).step_by(2) {
            let keys = Keys { pattern, n: *n, seed: rng.random() }.all::<K>();
            let options = options_of::<K>()[number % options_of::<K>().len()];
            checker.all_of(&Case::new(&keys, options, offsets(&mut rng), "oversized buckets"));
        }
    }
}

/// A graph of a sort in place and of an argsort sorts other keys at each launch, and the same ones again.
fn check_graphs(setting: &Setting) {
    let (n, rounds) = if setting.sanitize { (40_000, 3) } else { (5_000_003, 4) };
    let context = CudaContext::new(0).unwrap();
    // SAFETY: one stream uses all slices.
    unsafe { context.disable_event_tracking() };
    let stream = context.new_stream().unwrap();
    let sorter = Sorter::on(&stream).unwrap();
    let mut keys = stream.alloc_zeros::<u64>(n).unwrap();
    let mut positions = stream.alloc_zeros::<u32>(n).unwrap();
    stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL).unwrap();
    sorter.argsort_into_with::<u64>(&keys, &mut positions, by_partition().descending()).unwrap();
    sorter.sort_with::<u64>(&mut keys, by_partition()).unwrap();
    let graph = stream.end_capture(CUgraphInstantiate_flags(0)).unwrap().unwrap();
    drop(sorter);
    for round in 0..rounds {
        let seed = setting.seed.0 ^ (round / 2);
        let unsorted = Keys { pattern: Pattern::LowEntropy(2), n, seed }.all::<u64>();
        stream.memcpy_htod(&unsorted, &mut keys).unwrap();
        graph.launch().unwrap();
        let mut expected: Vec<u32> = (0..).take(n).collect();
        expected.sort_by_key(|position| !unsorted[*position as usize]);
        assert!(stream.clone_dtoh(&positions).unwrap() == expected, "round {round}");
        let mut expected = unsorted;
        expected.sort_unstable();
        assert!(stream.clone_dtoh(&keys).unwrap() == expected, "round {round}");
    }
}

/// What no partition sort has is sorted all the same; and values that are moved by position.
fn check_others(setting: &Setting) {
    let checker = Checker::new(setting);
    let mut rng = setting.seed.rng("partition others");
    let all = by_partition();
    for n in [1000, 100_000, 4_500_000] {
        let longs = Keys { pattern: Pattern::LowEntropy(2), n, seed: rng.random() }.all::<u64>();
        let case = Case::new(&longs, all.descending(), offsets(&mut rng), "other values");
        checker.pairs::<u64, u8>(&case);
        checker.pairs::<u64, u16>(&case);
        checker.pairs::<u64, [f32; 3]>(&case);
        checker.pairs::<u64, u128>(&case);
        let case = Case::new(&longs, all.bits(5..47), offsets(&mut rng), "some bits");
        checker.all_of(&case);
        let shorts = Keys { pattern: Pattern::Uniform, n, seed: rng.random() }.all::<f32>();
        checker.all_of(&Case::new(&shorts, all.nan_last(), offsets(&mut rng), "short keys"));
    }
}
