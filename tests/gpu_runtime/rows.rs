//! Rows of device slices, each against the oracle.

use std::sync::Arc;
use std::thread;

use cudarc::driver::sys::{CUgraphInstantiate_flags, CUstreamCaptureMode};
use cudarc::driver::{CudaContext, CudaStream, CudaViewMut};
use half::f16;
use rand::RngExt;
use rand::seq::IndexedRandom;
use sortsmith::{Rows, SortKey, SortOptions, SortValue, Sorter};
use sortsmith_codegen::rows::RowSort;
use sortsmith_codegen::{KeyType, ValueType};
use sortsmith_testkit::inputs::{self, Keys};
use sortsmith_testkit::oracle;

use crate::data::{Items, gathered, is_gathered, options_of, task_of};
use crate::{Setting, Test};

/// Items of a case, about.
const ITEMS: usize = 1 << 14;

pub fn tests() -> Vec<Test> {
    vec![
        ("rows::of_u8".to_owned(), check::<u8, u32>),
        ("rows::of_f16".to_owned(), check::<f16, u16>),
        ("rows::of_u32".to_owned(), check::<u32, u32>),
        ("rows::of_f32".to_owned(), check::<f32, u64>),
        ("rows::of_i64".to_owned(), check::<i64, u128>),
        ("rows::of_u128".to_owned(), check::<u128, u8>),
        ("rows::with_wide_values".to_owned(), check::<f32, [u32; 3]>),
        ("rows::long_ones_of_u32".to_owned(), check_long::<u32, u32>),
        ("rows::long_ones_of_f32".to_owned(), check_long::<f32, u8>),
        ("rows::long_ones_of_f16".to_owned(), check_long::<f16, u32>),
        ("rows::long_ones_of_u64".to_owned(), check_long::<u64, u64>),
        ("rows::long_ones_of_i128".to_owned(), check_long::<i128, u16>),
        ("rows::each_number_of_columns".to_owned(), each_number_of_columns),
        ("rows::of_eight_threads".to_owned(), of_eight_threads),
        ("rows::past_the_group".to_owned(), past_the_group),
        ("rows::captured".to_owned(), captured),
        ("rows::past_the_grid".to_owned(), past_the_grid),
    ]
}

/// Columns around powers of two up to the largest tile and past it, and any between.
fn columns<K: SortKey>(setting: &Setting, rng: &mut impl rand::Rng) -> Vec<usize> {
    let powers = (0..=14).map(|log2| 1 << log2);
    let mut all: Vec<usize> =
        powers.flat_map(|power: usize| [power - 1, power, power + 1]).collect();
    all.extend((0..20).map(|_| rng.random_range(2..=4100)));
    all.push(40_000);
    all.retain(|columns| *columns > 0);
    all.dedup();
    let step = if setting.sanitize { 7 } else { 1 };
    let mut some: Vec<usize> = all.into_iter().step_by(step).collect();
    // Tiles of longer rows than 2¹⁴ are there for keys of a byte alone; of others these columns take the kernels of 2¹⁴ + 1.
    if setting.sanitize && size_of::<K>() > 1 {
        some.retain(|columns| *columns < 40_000);
    }
    some
}

/// The most rows of a case. Values that are gathered are sorted row after row.
fn most_rows<V: SortValue>(setting: &Setting, stride: usize) -> usize {
    let items = if setting.sanitize { ITEMS / 8 } else { ITEMS };
    let most = (items / stride).max(2);
    if setting.sanitize && is_gathered::<V>() {
        most.min(4)
    } else if size_of::<V>() > 16 {
        most.min(20)
    } else {
        most
    }
}

fn check<K: SortKey, V: SortValue>(setting: &Setting) {
    let mut rng = setting.seed.rng(&format!("rows of {}", K::KEY_TYPE));
    for (number, columns) in columns::<K>(setting, &mut rng).into_iter().enumerate() {
        let stride = columns + *[0, 0, 1, 4, 13].choose(&mut rng).unwrap();
        let most = most_rows::<V>(setting, stride);
        // One long row is an array, and there are few of these cases under a sanitizer.
        let least = if setting.sanitize && columns > ITEMS { 2 } else { 1 };
        for (round, options) in (number..).zip(options_of::<K>()) {
            let shape = (rng.random_range(least..=most), columns, stride);
            check_one::<K, V>(setting, shape, options, round);
        }
    }
}

/// Columns that no tile holds, around powers of two and the most that all rows are sorted at once of; rows of every kind of keys.
fn check_long<K: SortKey, V: SortValue>(setting: &Setting) {
    let mut rng = setting.seed.rng(&format!("long rows of {}", K::KEY_TYPE));
    let edges = [1 << 14, 1 << 15, 1 << 16, 1 << 17, 1 << 20];
    let mut all: Vec<usize> = edges.iter().flat_map(|edge| [edge - 1, *edge, edge + 1]).collect();
    all.extend([20_000, 100_000, 128_256, rng.random_range(1 << 17..1 << 20)]);
    if setting.sanitize {
        all.truncate(3);
    }
    for (number, columns) in all.into_iter().enumerate() {
        let stride = columns + *[0, 1, 4].choose(&mut rng).unwrap();
        let most = if setting.sanitize || columns > 200_000 { 2 } else { 4 };
        // One less takes the same tile.
        let orders = if setting.sanitize && number == 0 { 1 } else { 3 };
        for (round, options) in (number..).zip(options_of::<K>()).take(orders) {
            let shape = (rng.random_range(2..=most), columns, stride);
            check_one::<K, V>(setting, shape, options, round);
        }
    }
    for kind in Keys::all(K::KEY_TYPE) {
        // Several tiles that count keys of 16 bits, and more equal ones than a counter holds; of others, more than a bucket does.
        let is_long = matches!(kind, Keys::Uniform | Keys::AllEqual);
        let columns = if setting.sanitize && !is_long { 32_000 } else { 70_000 };
        let rows = if setting.sanitize { 2 } else { 3 };
        let keys = kind.generate(K::KEY_TYPE, rows * columns, &mut rng);
        let options = SortOptions::new();
        let mut expected = Vec::new();
        for of_row in keys.chunks(columns * size_of::<K>()) {
            let positions = oracle::permutation(&task_of::<K>(&options), of_row);
            expected.extend(gathered(of_row, size_of::<K>(), &positions));
        }
        let stream = setting.context.new_stream().unwrap();
        let mut items = Items::holding(&stream, &keys);
        let sorter = Sorter::on(&stream).unwrap();
        items.call(|keys| sorter.sort_rows_with::<K>(keys, columns, options)).unwrap();
        assert!(items.read() == expected, "{} of {kind:?}", K::KEY_TYPE);
    }
}

/// Each number of columns up to 4,100, and those around the most of each kernel, of all kinds of keys in turn.
fn each_number_of_columns(setting: &Setting) {
    let stream = setting.context.new_stream().unwrap();
    let sorter = Sorter::on(&stream).unwrap();
    let most = 300_000;
    let kernels = [RowSort::keys(KeyType::F32), RowSort::pairs(KeyType::F32, ValueType::Index)];
    let edges = kernels.into_iter().flat_map(RowSort::table).map(|(most, _)| most as usize);
    let around = edges.flat_map(|edge| [edge - 1, edge, edge + 1]);
    let mut all: Vec<usize> = (1..=4100).chain(around).collect();
    all.retain(|columns| (1..=most).contains(columns));
    all.sort_unstable();
    all.dedup();
    let step = if setting.sanitize { 97 } else { 1 };
    for columns in all.into_iter().step_by(step) {
        let mut rng = setting.seed.rng(&format!("{columns} columns"));
        let kinds = Keys::all(KeyType::F32);
        let kind = kinds[columns % kinds.len()];
        let rows = if columns > 4100 { 2 } else { 3 };
        let keys = kind.generate(KeyType::F32, rows * columns, &mut rng);
        let mut expected = (Vec::new(), Vec::new());
        for of_row in keys.chunks(columns * size_of::<f32>()) {
            let positions = oracle::permutation(&task_of::<f32>(&SortOptions::new()), of_row);
            expected.0.extend(gathered(of_row, size_of::<f32>(), &positions));
            expected.1.extend(positions);
        }
        let mut items = Items::holding(&stream, &keys);
        let unset = vec![7u32; rows * columns];
        let mut indices = Items::holding(&stream, bytemuck::cast_slice(&unset));
        items
            .call(|keys: &mut CudaViewMut<'_, f32>| {
                indices.call(|indices| sorter.argsort_rows_into::<f32>(keys, indices, columns))
            })
            .unwrap();
        items.call(|keys| sorter.sort_rows::<f32>(keys, columns)).unwrap();
        assert!(items.read() == expected.0, "{columns} columns of {kind:?}");
        let positions = bytemuck::cast_slice::<u32, u8>(&expected.1);
        assert!(indices.read() == positions, "positions of {columns} columns of {kind:?}");
    }
}

/// Rows, segments and the first items of rows, by eight threads with a stream and a sorter each.
fn of_eight_threads(setting: &Setting) {
    let rounds = if setting.sanitize { 3 } else { 150 };
    thread::scope(|scope| {
        for number in 0..8 {
            scope.spawn(move || {
                let stream = setting.context.new_stream().unwrap();
                let sorter = Sorter::on(&stream).unwrap();
                for round in 0..rounds {
                    sorts_lists(setting, &stream, &sorter, &format!("{number} {round}"));
                }
            });
        }
    });
}

fn sorts_lists(setting: &Setting, stream: &Arc<CudaStream>, sorter: &Sorter, name: &str) {
    let mut rng = setting.seed.rng(name);
    let most = if rng.random_ratio(1, 30) { 30_000 } else { 2000 };
    let (rows, columns) = (rng.random_range(1..=8), rng.random_range(1..=most));
    let keys: Vec<u32> = (0..rows * columns).map(|_| rng.random_range(0..500)).collect();
    let mut expected = keys.clone();
    expected.chunks_mut(columns).for_each(<[u32]>::sort_unstable);

    let k = rng.random_range(1..=columns.min(100));
    let given = stream.clone_htod(&keys).unwrap();
    let best = sorter.top_k_rows::<u32>(&given, columns, k).unwrap();
    let of_rows = expected.chunks(columns).flat_map(|row| row.iter().rev().take(k).copied());
    let of_rows: Vec<u32> = of_rows.collect();
    assert!(stream.clone_dtoh(&best.keys).unwrap() == of_rows, "the first {k}, {name}");

    let offsets: Vec<u32> = (0..=rows).map(|row| (row * columns) as u32).collect();
    let offsets = stream.clone_htod(&offsets).unwrap();
    let mut items = stream.clone_htod(&keys).unwrap();
    sorter.sort_segments::<u32, _>(&mut items, &offsets).unwrap();
    assert!(stream.clone_dtoh(&items).unwrap() == expected, "segments, {name}");

    let mut items = stream.clone_htod(&keys).unwrap();
    sorter.sort_rows::<u32>(&mut items, columns).unwrap();
    assert!(stream.clone_dtoh(&items).unwrap() == expected, "rows, {name}");
}

/// More items than rows are sorted of at once, with scratch that is reserved.
fn past_the_group(setting: &Setting) {
    let stream = setting.context.new_stream().unwrap();
    let sorter = Sorter::on(&stream).unwrap();
    let (rows, columns) = if setting.sanitize { (3, 50_000) } else { (700, 60_000) };
    let n = rows * columns;
    let keys: Vec<u32> = (0..n as u32).map(|item| item.wrapping_mul(2_654_435_761)).collect();
    let mut expected = keys.clone();
    expected.chunks_mut(columns).for_each(<[u32]>::sort_unstable);
    sorter.reserve_rows::<u32, ()>(rows, columns).unwrap();
    let mut items = Items::holding(&stream, bytemuck::cast_slice(&keys));
    items.call(|keys| sorter.sort_rows::<u32>(keys, columns)).unwrap();
    assert!(items.read() == bytemuck::cast_slice::<u32, u8>(&expected));
    let mut indices = Items::holding(&stream, bytemuck::cast_slice(&keys));
    items
        .call(|keys: &mut CudaViewMut<'_, u32>| {
            indices.call(|indices| sorter.argsort_rows_into::<u32>(keys, indices, columns))
        })
        .unwrap();
    let positions: Vec<u32> = (0..n).map(|item| (item % columns) as u32).collect();
    assert!(indices.read() == bytemuck::cast_slice::<u32, u8>(&positions), "the rows are in order");
}

/// Where each item comes from, in the array and in its row.
fn sources_of<K: SortKey>(
    keys: &[u8],
    (rows, columns, stride): (usize, usize, usize),
    options: &SortOptions,
) -> (Vec<u32>, Vec<u32>) {
    let n = keys.len() / size_of::<K>();
    let (mut sources, mut positions): (Vec<u32>, _) = ((0..n as u32).collect(), vec![7; n]);
    for start in (0..rows).map(|row| row * stride) {
        let of_row = &keys[start * size_of::<K>()..(start + columns) * size_of::<K>()];
        let permutation = oracle::permutation(&task_of::<K>(options), of_row);
        for (to, from) in permutation.into_iter().enumerate() {
            sources[start + to] = start as u32 + from;
            positions[start + to] = from;
        }
    }
    (sources, positions)
}

/// All calls, of rows with gaps or without, the last one with its gap or without.
fn check_one<K: SortKey, V: SortValue>(
    setting: &Setting,
    (rows, columns, stride): (usize, usize, usize),
    options: SortOptions,
    round: usize,
) {
    let stream = setting.context.new_stream().unwrap();
    let sorter = Sorter::on(&stream).unwrap();
    let mut rng = setting.seed.rng(&format!("{} {rows} {columns} {stride}", K::KEY_TYPE));
    let context = format!("{}: {rows} x {columns}, {stride} apart, {options:?}", K::KEY_TYPE);
    let kind = *Keys::all(K::KEY_TYPE).choose(&mut rng).unwrap();
    let n = if rng.random() { rows * stride } else { (rows - 1) * stride + columns };
    let keys = kind.generate(K::KEY_TYPE, n, &mut rng);
    let values = inputs::values(size_of::<V>(), n, rng.random());

    let (sources, positions) = sources_of::<K>(&keys, (rows, columns, stride), &options);
    let expected_keys = gathered(&keys, size_of::<K>(), &sources);
    let expected_values = gathered(&values, size_of::<V>(), &sources);
    let lists = Rows::of(columns).stride(stride);
    let (mut of_keys, mut of_values) =
        (Items::holding(&stream, &keys), Items::holding(&stream, &values));
    of_keys
        .call(|keys| {
            of_values
                .call(|values| sorter.sort_pairs_rows_with::<K, V>(keys, values, lists, options))
        })
        .unwrap();
    assert!(of_keys.read() == expected_keys, "keys of pairs: {context}");
    assert!(of_values.read() == expected_values, "values: {context}");
    if setting.sanitize && is_gathered::<V>() {
        return;
    }

    let ways @ [in_place, elsewhere] = setting.ways(round);
    if in_place {
        let mut alone = Items::holding(&stream, &keys);
        alone.call(|keys| sorter.sort_rows_with::<K>(keys, lists, options)).unwrap();
        assert!(alone.read() == expected_keys, "keys alone: {context}");
    }
    if elsewhere {
        // What lies between rows is the same in both slices, so that the expectation is that of a sort in place.
        let (mut from, mut to) = (Items::holding(&stream, &keys), Items::holding(&stream, &keys));
        from.call(|from: &mut CudaViewMut<'_, K>| {
            to.call(|to| sorter.sort_rows_into_with::<K>(from, to, lists, options))
        })
        .unwrap();
        assert!(to.read() == expected_keys, "to another slice: {context}");
    }

    check_columns::<K>(
        &sorter,
        (&keys, &expected_keys, &positions),
        (lists, options),
        ways,
        &context,
    );
}

/// Argsorts of rows, without sorted keys and with them.
fn check_columns<K: SortKey>(
    sorter: &Sorter,
    (keys, expected_keys, positions): (&[u8], &[u8], &[u32]),
    (lists, options): (Rows, SortOptions),
    [alone, with_keys]: [bool; 2],
    context: &str,
) {
    let stream = sorter.stream().unwrap();
    let positions = bytemuck::cast_slice::<u32, u8>(positions);
    let mut from = Items::holding(stream, keys);
    let unset = || Items::holding(stream, bytemuck::cast_slice(&vec![7u32; positions.len() / 4]));
    if alone {
        let mut indices = unset();
        from.call(|keys: &mut CudaViewMut<'_, K>| {
            indices
                .call(|indices| sorter.argsort_rows_into_with::<K>(keys, indices, lists, options))
        })
        .unwrap();
        assert!(indices.read() == positions, "columns: {context}");
        assert!(from.read() == keys, "keys of an argsort: {context}");
    }
    if !with_keys {
        return;
    }

    let (mut beside, mut indices) = (Items::holding(stream, keys), unset());
    let sort = |keys: &mut CudaViewMut<'_, K>,
                beside: &mut CudaViewMut<'_, K>,
                indices: &mut CudaViewMut<'_, u32>| {
        sorter.sort_rows_with_positions_into_with::<K>(keys, beside, indices, lists, options)
    };
    from.call(|keys| beside.call(|beside| indices.call(|indices| sort(keys, beside, indices))))
        .unwrap();
    assert!(beside.read() == expected_keys, "keys beside columns: {context}");
    assert!(indices.read() == positions, "columns beside keys: {context}");
    assert!(from.read() == keys, "the keys were written: {context}");
}

/// Rows that a tile holds and longer ones, in a graph that is launched twice.
fn captured(setting: &Setting) {
    let context = CudaContext::new(0).unwrap();
    // SAFETY: all memory is used on one stream.
    unsafe { context.disable_event_tracking() };
    let stream = context.new_stream().unwrap();
    let sorter = Sorter::on(&stream).unwrap();
    for columns in [50, 1000, 20_000] {
        let mut keys = stream.alloc_zeros::<u32>(3 * columns).unwrap();
        stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL).unwrap();
        let enqueued = sorter.sort_rows::<u32>(&mut keys, columns);
        let graph = stream.end_capture(CUgraphInstantiate_flags(0)).unwrap().unwrap();
        enqueued.unwrap();
        for round in 0..2 {
            let mut rng = setting.seed.rng(&format!("captured {columns} {round}"));
            let mut items: Vec<u32> = (0..3 * columns).map(|_| rng.random()).collect();
            stream.memcpy_htod(&items, &mut keys).unwrap();
            graph.launch().unwrap();
            items.chunks_mut(columns).for_each(<[u32]>::sort_unstable);
            assert!(stream.clone_dtoh(&keys).unwrap() == items, "{columns} columns, {round}");
        }
    }
}

/// More rows than a grid has blocks along y.
fn past_the_grid(setting: &Setting) {
    let stream = setting.context.new_stream().unwrap();
    let sorter = Sorter::on(&stream).unwrap();
    let rows = if setting.sanitize { 1000 } else { 70_000 };
    for columns in [3, 300] {
        let n = rows * columns;
        let keys: Vec<u32> = (0..n as u32).map(|item| item.wrapping_mul(2_654_435_761)).collect();
        let mut expected = keys.clone();
        expected.chunks_mut(columns).for_each(<[u32]>::sort_unstable);
        let mut items = Items::holding(&stream, bytemuck::cast_slice(&keys));
        items.call(|keys| sorter.sort_rows::<u32>(keys, columns)).unwrap();
        assert!(items.read() == bytemuck::cast_slice::<u32, u8>(&expected), "{columns} columns");
    }
}
