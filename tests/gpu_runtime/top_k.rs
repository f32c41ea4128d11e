//! Top-ks of device slices, each against the oracle.

use cudarc::driver::sys::{CUgraphInstantiate_flags, CUstreamCaptureMode};
use cudarc::driver::{CudaContext, CudaViewMut};
use half::f16;
use rand::RngExt;
use rand::seq::IndexedRandom;
use sortsmith::{Order, Rows, SortKey, Sorter, TopKOptions};
use sortsmith_testkit::inputs::Keys;
use sortsmith_testkit::oracle::{self, Task};

use crate::data::{Items, gathered};
use crate::{Setting, Test};

pub fn tests() -> Vec<Test> {
    vec![
        ("top_k::of_u8".to_owned(), check::<u8>),
        ("top_k::of_bool".to_owned(), check::<bool>),
        ("top_k::of_f16".to_owned(), check::<f16>),
        ("top_k::of_u32".to_owned(), check::<u32>),
        ("top_k::of_f32".to_owned(), check::<f32>),
        ("top_k::of_i64".to_owned(), check::<i64>),
        ("top_k::of_u128".to_owned(), check::<u128>),
        ("top_k::of_long_rows".to_owned(), long_rows),
        ("top_k::captured".to_owned(), captured),
    ]
}

/// The options, with what they say to the oracle: the order, whether NaNs come last, whether the result is sorted.
fn options_of<K: SortKey>() -> Vec<(TopKOptions, Order, bool, bool)> {
    let mut all = vec![
        (TopKOptions::new(), Order::Descending, false, true),
        (TopKOptions::new().smallest().unsorted(), Order::Ascending, false, false),
    ];
    if K::HAS_NAN {
        all.push((TopKOptions::new().nan_last(), Order::Descending, true, true));
        let smallest = TopKOptions::new().smallest().nan_last().unsorted();
        all.push((smallest, Order::Ascending, true, false));
    }
    all
}

fn check<K: SortKey>(setting: &Setting) {
    let mut rng = setting.seed.rng(&format!("top-k of {}", K::KEY_TYPE));
    let mut shapes: Vec<(usize, usize)> = [1, 2, 31, 32, 33, 511, 512, 513, 1024, 4095, 4096, 4097]
        .into_iter()
        .chain([16_384, 20_000, 128_256])
        .map(|columns| (columns, most_rows(setting, columns)))
        .collect();
    shapes.push((300_000, 1));
    let step = if setting.sanitize { 4 } else { 1 };
    for (columns, rows) in shapes.into_iter().step_by(step) {
        let ks = [1, 2, 31, 32, 33, 64, 256, 257, 1024, 2048, 4096, 5000, columns];
        for (number, k) in ks.into_iter().enumerate() {
            let is_slow = k == columns && rows * columns > 1 << 16;
            let is_twice = setting.sanitize && ks[..number].contains(&k);
            if k <= columns && !is_slow && !is_twice {
                let rows = if k > 4096 { rows.min(2) } else { rows };
                let shape = (rng.random_range(1..=rows), columns, k);
                // Two of the smaller ks that follow each other are found by the same kernels.
                let ways = if k < 256 && k < columns { setting.ways(number) } else { [true; 2] };
                check_one::<K>(setting, shape, ways);
            }
        }
    }
}

fn most_rows(setting: &Setting, columns: usize) -> usize {
    if setting.sanitize { 2 + (1 << 11) / columns } else { 1 + (1 << 14) / columns }
}

/// The largest keys, the smallest, or both.
fn check_one<K: SortKey>(
    setting: &Setting,
    (rows, columns, k): (usize, usize, usize),
    [finds_largest, finds_smallest]: [bool; 2],
) {
    let stream = setting.context.new_stream().unwrap();
    let sorter = Sorter::on(&stream).unwrap();
    let mut rng = setting.seed.rng(&format!("top-k {} {rows} {columns} {k}", K::KEY_TYPE));
    let kind = *Keys::all(K::KEY_TYPE).choose(&mut rng).unwrap();
    let stride = columns + *[0, 0, 1, 13].choose(&mut rng).unwrap();
    let keys = kind.generate(K::KEY_TYPE, (rows - 1) * stride + columns, &mut rng);
    let mut items = Items::holding(&stream, &keys);
    for (options, order, nan_last, is_sorted) in options_of::<K>() {
        let is_largest = order == Order::Descending;
        if !(if is_largest { finds_largest } else { finds_smallest }) {
            continue;
        }
        let task = Task { order, nan_last, ..Task::new(K::KEY_TYPE) };
        let (mut expected, mut expected_positions) = (Vec::new(), Vec::new());
        for row in 0..rows {
            let of_row = &keys[row * stride * size_of::<K>()..][..columns * size_of::<K>()];
            let mut positions = oracle::permutation(&task, of_row);
            positions.truncate(k);
            if !is_sorted {
                positions.sort_unstable();
            }
            expected.extend(gathered(of_row, size_of::<K>(), &positions));
            expected_positions.extend(positions);
        }
        let mut found = Items::holding(&stream, &vec![7; rows * k * size_of::<K>()]);
        let mut positions = Items::holding(&stream, &vec![7; rows * k * size_of::<u32>()]);
        let lists = Rows::of(columns).stride(stride);
        items
            .call(|keys: &mut CudaViewMut<'_, K>| {
                found.call(|found| {
                    positions.call(|positions: &mut CudaViewMut<'_, u32>| {
                        sorter
                            .top_k_rows_into_with::<K, _>(keys, found, positions, lists, k, options)
                    })
                })
            })
            .unwrap();
        let context = format!("{}: k = {k} of {rows} x {columns} {kind:?}", K::KEY_TYPE);
        let expected_positions = bytemuck::cast_slice::<u32, u8>(&expected_positions);
        assert!(positions.read() == expected_positions, "positions, {options:?}: {context}");
        assert!(found.read() == expected, "keys, {options:?}: {context}");
    }
    assert!(items.read() == keys, "keys are only read");
}

/// Orders in which most keys survive, in rows that several blocks search.
fn long_rows(setting: &Setting) {
    let stream = setting.context.new_stream().unwrap();
    let sorter = Sorter::on(&stream).unwrap();
    let columns = if setting.sanitize { 1 << 18 } else { 1 << 22 };
    let ascending: Vec<u32> = (0..columns as u32).collect();
    let descending: Vec<u32> = ascending.iter().rev().copied().collect();
    for keys in [ascending, descending, vec![5; columns]] {
        for k in [1, 100, 3000] {
            let items = stream.clone_htod(&keys).unwrap();
            let found = sorter.top_k::<u32>(&items, k).unwrap();
            let expected = sortsmith::top_k(&keys, k).unwrap();
            assert!(stream.clone_dtoh(&found.keys).unwrap() == expected.keys, "{k}");
            assert!(stream.clone_dtoh(&found.positions).unwrap() == expected.positions, "{k}");
        }
    }
}

/// One block, several blocks, a list and a sort, in graphs that are launched twice.
fn captured(setting: &Setting) {
    let context = CudaContext::new(0).unwrap();
    // SAFETY: all memory is used on one stream.
    unsafe { context.disable_event_tracking() };
    let stream = context.new_stream().unwrap();
    let sorter = Sorter::on(&stream).unwrap();
    let by_selection = [(1000, 10), (300_000, 100), (1 << 22, 100)];
    // initcheck looks at what a graph copies when it is launched, before the graph's kernels have written it.
    let by_sort = (!setting.sanitize).then_some((20_000, 5000));
    for (columns, k) in by_selection.into_iter().chain(by_sort) {
        sorter.reserve_top_k::<u32>(columns, k).unwrap();
        let mut keys = stream.alloc_zeros::<u32>(columns).unwrap();
        let mut found = stream.alloc_zeros::<u32>(k).unwrap();
        let mut positions = stream.alloc_zeros::<u32>(k).unwrap();
        stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL).unwrap();
        let enqueued = sorter.top_k_into::<u32, _>(&keys, &mut found, &mut positions);
        let graph = stream.end_capture(CUgraphInstantiate_flags(0)).unwrap().unwrap();
        enqueued.unwrap();
        for round in 0..2 {
            let mut rng = setting.seed.rng(&format!("captured top-k {columns} {round}"));
            let items: Vec<u32> = (0..columns).map(|_| rng.random()).collect();
            stream.memcpy_htod(&items, &mut keys).unwrap();
            graph.launch().unwrap();
            let expected = sortsmith::top_k(&items, k).unwrap();
            assert!(stream.clone_dtoh(&found).unwrap() == expected.keys, "{columns}, {round}");
            assert!(stream.clone_dtoh(&positions).unwrap() == expected.positions, "{columns}");
        }
    }
}
