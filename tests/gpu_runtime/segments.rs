//! Segments of device slices, each against the oracle.

use cudarc::driver::CudaContext;
use cudarc::driver::sys::{CUgraphInstantiate_flags, CUstreamCaptureMode};
use half::f16;
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use sortsmith::{Segments, SortKey, SortOptions, SortValue, Sorter};
use sortsmith_testkit::inputs::{self, Keys};
use sortsmith_testkit::oracle;

use crate::data::{Items, gathered, is_gathered, options_of, task_of};
use crate::{Setting, Test};

pub fn tests() -> Vec<Test> {
    vec![
        ("segments::of_u8".to_owned(), check::<u8, u32>),
        ("segments::of_f16".to_owned(), check::<f16, u16>),
        ("segments::of_u32".to_owned(), check::<u32, u32>),
        ("segments::of_f32".to_owned(), check::<f32, u64>),
        ("segments::of_i64".to_owned(), check::<i64, u128>),
        ("segments::of_u128".to_owned(), check::<u128, u8>),
        ("segments::with_wide_values".to_owned(), check::<f32, [u32; 3]>),
        ("segments::at_random".to_owned(), at_random),
        ("segments::captured".to_owned(), captured),
        ("segments::wild".to_owned(), wild),
    ]
}

/// Lengths at the edges of all classes; one of many tiles; many short ones.
fn lengths(setting: &Setting, rng: &mut impl rand::Rng) -> Vec<Vec<usize>> {
    let edges = [32, 128, 256, 384, 512, 1024, 2048, 3072, 4096, 8192];
    let mut around: Vec<usize> = edges.iter().flat_map(|it| [it - 1, *it, it + 1]).collect();
    around.extend([0, 0, 1, 2, 3]);
    around.shuffle(rng);
    let most = if setting.sanitize { 20_000 } else { 300_000 };
    let short = (0..most / 20).map(|_| rng.random_range(0..=40)).collect();
    let power = (0..500).map(|_| 20_000 / rng.random_range(1..=20_000)).collect();
    vec![around, vec![most], short, power, vec![0; 300], Vec::new()]
}

/// Which of pairs, keys alone and positions are sorted.
type Calls = [bool; 3];

/// All calls. Under a sanitizer all for lengths of all classes, and in the first order for many tiles; of other lengths one after the other.
fn calls<V: SortValue>(setting: &Setting, number: usize, is_first_order: bool) -> Calls {
    if !setting.sanitize {
        [true; 3]
    } else if !is_first_order && number > 0 {
        [false; 3]
    } else if is_gathered::<V>() {
        [true, false, false]
    } else {
        [0, 1, 2].map(|call| number < 2 || number % 3 == call)
    }
}

fn check<K: SortKey, V: SortValue>(setting: &Setting) {
    let mut rng = setting.seed.rng(&format!("segments of {}", K::KEY_TYPE));
    for (number, lengths) in lengths(setting, &mut rng).into_iter().enumerate() {
        for (order, options) in options_of::<K>().into_iter().enumerate() {
            let calls = calls::<V>(setting, number, order == 0);
            check_one::<K, V>(setting, &lengths, options, calls);
        }
    }
}

/// Many segmentations of short arrays.
fn at_random(setting: &Setting) {
    let mut rng = setting.seed.rng("segments at random");
    for _ in 0..if setting.sanitize { 3 } else { 500 } {
        let (count, most) = (rng.random_range(0..60), 1 << rng.random_range(0..10));
        let lengths: Vec<usize> = (0..count).map(|_| rng.random_range(0..=most)).collect();
        check_one::<u32, u32>(setting, &lengths, SortOptions::new(), [true; 3]);
    }
}

/// Where each item comes from, in the array and in its segment.
fn sources_of<K: SortKey>(
    keys: &[u8],
    offsets: &[u64],
    options: &SortOptions,
) -> (Vec<u32>, Vec<u32>) {
    let n = keys.len() / size_of::<K>();
    let (mut sources, mut positions): (Vec<u32>, _) = ((0..n as u32).collect(), vec![7; n]);
    for segment in offsets.windows(2) {
        let [begin, end] = [segment[0] as usize, segment[1] as usize];
        let of_segment = &keys[begin * size_of::<K>()..end * size_of::<K>()];
        let permutation = oracle::permutation(&task_of::<K>(options), of_segment);
        for (to, from) in permutation.into_iter().enumerate() {
            sources[begin + to] = begin as u32 + from;
            positions[begin + to] = from;
        }
    }
    (sources, positions)
}

/// Pairs by offsets; keys alone and positions by begins and ends.
fn check_one<K: SortKey, V: SortValue>(
    setting: &Setting,
    lengths: &[usize],
    options: SortOptions,
    calls @ [sorts_pairs, sorts_keys, sorts_positions]: Calls,
) {
    if calls == [false; 3] {
        return;
    }
    let stream = setting.context.new_stream().unwrap();
    let sorter = Sorter::on(&stream).unwrap();
    let mut rng = setting.seed.rng(&format!("{} {}", K::KEY_TYPE, lengths.len()));
    let kind = *Keys::all(K::KEY_TYPE).choose(&mut rng).unwrap();
    let mut offsets = vec![3u64];
    for length in lengths {
        offsets.push(offsets.last().unwrap() + *length as u64);
    }
    let n = *offsets.last().unwrap() as usize + 5;
    let keys = kind.generate(K::KEY_TYPE, n, &mut rng);
    let values = inputs::values(size_of::<V>(), n, rng.random());

    let (sources, positions) = sources_of::<K>(&keys, &offsets, &options);
    let expected_keys = gathered(&keys, size_of::<K>(), &sources);
    if sorts_pairs {
        let expected = [&expected_keys, &gathered(&values, size_of::<V>(), &sources)];
        check_pairs::<K, V>(&sorter, [&keys, &values], &offsets, options, expected);
    }

    let mut ranges: Vec<[u32; 2]> =
        offsets.windows(2).map(|it| [it[0] as u32, it[1] as u32]).collect();
    ranges.shuffle(&mut rng);
    let expected = (&keys[..], &expected_keys[..], &positions[..]);
    check_ranges::<K>(&sorter, expected, &ranges, options, [sorts_keys, sorts_positions]);
}

/// Keys alone and positions, by where segments begin and where they end, in any order.
fn check_ranges<K: SortKey>(
    sorter: &Sorter,
    (keys, expected_keys, positions): (&[u8], &[u8], &[u32]),
    ranges: &[[u32; 2]],
    options: SortOptions,
    [sorts_keys, sorts_positions]: [bool; 2],
) {
    let stream = sorter.stream().unwrap();
    let context = format!("{}: {} segments, {options:?}", K::KEY_TYPE, ranges.len());
    let [mut begins, mut ends] = [0, 1].map(|side| {
        // The driver refuses an allocation of no bytes.
        let side: Vec<u32> = ranges.iter().map(|it| it[side]).chain([0]).collect();
        stream.clone_htod(&side).unwrap()
    });
    let count = ranges.len();
    let (begins, ends) = (begins.slice_mut(..count), ends.slice_mut(..count));
    if sorts_keys {
        let mut alone = Items::holding(stream, keys);
        alone
            .call(|keys| {
                let segments = Segments::between(&begins, &ends);
                sorter.sort_segments_with::<K, _>(keys, segments, options)
            })
            .unwrap();
        assert!(alone.read() == expected_keys, "keys alone: {context}");
    }
    if !sorts_positions {
        return;
    }

    let mut from = Items::holding(stream, keys);
    let mut indices = Items::holding(stream, bytemuck::cast_slice(&vec![7u32; positions.len()]));
    from.call(|keys: &mut cudarc::driver::CudaViewMut<'_, K>| {
        indices.call(|indices| {
            let segments = Segments::between(&begins, &ends);
            sorter.argsort_segments_into_with::<K, _>(keys, indices, segments, options)
        })
    })
    .unwrap();
    assert!(indices.read() == bytemuck::cast_slice::<u32, u8>(positions), "positions: {context}");
    assert!(from.read() == keys, "keys of an argsort: {context}");
}

fn check_pairs<K: SortKey, V: SortValue>(
    sorter: &Sorter,
    [keys, values]: [&[u8]; 2],
    offsets: &[u64],
    options: SortOptions,
    expected: [&Vec<u8>; 2],
) {
    let stream = sorter.stream().unwrap();
    let context = format!("{}: {} offsets, {options:?}", K::KEY_TYPE, offsets.len());
    let offsets = stream.clone_htod(offsets).unwrap();
    let (mut of_keys, mut of_values) =
        (Items::holding(stream, keys), Items::holding(stream, values));
    of_keys
        .call(|keys| {
            of_values.call(|values| {
                sorter.sort_pairs_segments_with::<K, V, _>(keys, values, &offsets, options)
            })
        })
        .unwrap();
    assert!(of_keys.read() == *expected[0], "keys of pairs: {context}");
    assert!(of_values.read() == *expected[1], "values: {context}");
}

/// A graph that is launched twice, by other offsets.
fn captured(setting: &Setting) {
    let context = CudaContext::new(0).unwrap();
    // SAFETY: all memory is used on one stream.
    unsafe { context.disable_event_tracking() };
    let stream = context.new_stream().unwrap();
    let sorter = Sorter::on(&stream).unwrap();
    let n = 100_000;
    let mut keys = stream.alloc_zeros::<u32>(n).unwrap();
    let mut offsets = stream.alloc_zeros::<i32>(4).unwrap();
    stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL).unwrap();
    let enqueued = sorter.sort_segments::<u32, _>(&mut keys, &offsets);
    let graph = stream.end_capture(CUgraphInstantiate_flags(0)).unwrap().unwrap();
    enqueued.unwrap();
    for (round, at) in [[0, 0, 100_000, 100_000], [7, 60, 3000, 99_999]].into_iter().enumerate() {
        let mut rng = setting.seed.rng(&format!("captured segments {round}"));
        let mut items: Vec<u32> = (0..n).map(|_| rng.random()).collect();
        stream.memcpy_htod(&items, &mut keys).unwrap();
        stream.memcpy_htod(&at, &mut offsets).unwrap();
        graph.launch().unwrap();
        at.windows(2).for_each(|it| items[it[0] as usize..it[1] as usize].sort_unstable());
        assert!(stream.clone_dtoh(&keys).unwrap() == items, "{round}");
    }
}

/// Offsets past the end, descending and overlapping: nothing is accessed outside of the slices.
fn wild(setting: &Setting) {
    let stream = setting.context.new_stream().unwrap();
    let sorter = Sorter::on(&stream).unwrap();
    let mut rng = setting.seed.rng("wild segments");
    for n in [1usize, 1000, 50_000] {
        let mut offset = || rng.random_range(-3..=n as i64 + 3);
        let sides = [0, 1].map(|_| (0..200).map(|_| offset()).collect::<Vec<i64>>());
        let [begins, ends] = sides.map(|side| stream.clone_htod(&side).unwrap());
        let bytes = inputs::values(4, n, 7);
        let mut keys = Items::holding(&stream, &bytes);
        let mut values = Items::holding(&stream, &inputs::values(12, n, 9));
        keys.call(|keys| {
            values.call(|values| {
                let segments = Segments::between(&begins, &ends);
                sorter.sort_pairs_segments::<u32, [u32; 3], _>(keys, values, segments)
            })
        })
        .unwrap();
        // What is read back is checked for writes around the slices.
        assert_eq!(keys.read().len(), 4 * n);
        assert_eq!(values.read().len(), 12 * n);
    }
}
