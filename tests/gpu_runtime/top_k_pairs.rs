//! Top-ks of device slices that find values or 64-bit positions, each against the same on the host.

use bytemuck::Pod;
use cudarc::driver::sys::{CUgraphInstantiate_flags, CUstreamCaptureMode};
use cudarc::driver::{CudaContext, CudaViewMut};
use half::f16;
use rand::RngExt;
use rand::seq::IndexedRandom;
use sortsmith::{Rows, SortKey, SortValue, Sorter, TopKOptions};
use sortsmith_testkit::inputs::Keys;

use crate::data::Items;
use crate::{Setting, Test};

pub fn tests() -> Vec<Test> {
    vec![
        ("top_k_pairs::of_f32_and_u32".to_owned(), check::<f32, u32>),
        ("top_k_pairs::of_f32_and_u8".to_owned(), check::<f32, u8>),
        ("top_k_pairs::of_f16_and_u64".to_owned(), check::<f16, u64>),
        ("top_k_pairs::of_u64_and_f32x4".to_owned(), check::<u64, [f32; 4]>),
        ("top_k_pairs::of_u32_and_f32x3".to_owned(), check::<u32, [f32; 3]>),
        ("top_k_pairs::of_u128_and_u8x7".to_owned(), check::<u128, [u8; 7]>),
        ("top_k_pairs::captured".to_owned(), captured),
    ]
}

/// Rows, columns and k: a few lanes, a warp, a block, several blocks, ranked survivors, and a sort.
const SHAPES: [(usize, usize, usize); 10] = [
    (1000, 60, 6),
    (33, 256, 256),
    (300, 1000, 50),
    (64, 2000, 200),
    (40, 20_000, 1),
    (1, 128_256, 50),
    (12, 128_256, 50),
    (2, 1 << 20, 8),
    (2, 20_000, 5000),
    (1, 300_000, 300_000),
];

fn check<K: SortKey + Pod, V: SortValue>(setting: &Setting) {
    let step = if setting.sanitize { 3 } else { 1 };
    for (number, (rows, columns, k)) in SHAPES.into_iter().enumerate().step_by(step) {
        let few = if columns < 100 { 40 } else { 3 };
        let shape = (if setting.sanitize { rows.min(few) } else { rows }, columns, k);
        for options in [TopKOptions::new(), TopKOptions::new().smallest().unsorted()] {
            // Values at any address that their type allows.
            let offset = if number % 2 == 0 { 0 } else { align_of::<V>() };
            check_one::<K, V>(setting, shape, options, offset);
        }
    }
}

fn check_one<K: SortKey + Pod, V: SortValue>(
    setting: &Setting,
    (rows, columns, k): (usize, usize, usize),
    options: TopKOptions,
    offset: usize,
) {
    let stream = setting.context.new_stream().unwrap();
    let sorter = Sorter::on(&stream).unwrap();
    let context = format!("k = {k} of {rows} x {columns}, {offset}, {options:?}");
    let mut rng = setting.seed.rng(&format!("pairs of {} {context}", K::KEY_TYPE));
    let kind = *Keys::all(K::KEY_TYPE).choose(&mut rng).unwrap();
    let stride = columns + *[0, 0, 1, 13].choose(&mut rng).unwrap();
    let items = (rows - 1) * stride + columns;
    let bytes = kind.generate(K::KEY_TYPE, items, &mut rng);
    let keys: Vec<K> = typed(&bytes);
    let random: Vec<u8> = (0..items * size_of::<V>()).map(|_| rng.random()).collect();
    let values: Vec<V> = typed(&random);
    let of_rows = Rows::of(columns).stride(stride);
    let found = rows * k;
    let (mut best, mut belonging) = (vec![K::zeroed(); found], vec![V::zeroed(); found]);
    let mut positions = vec![0i64; found];
    let on_host = Sorter::host();
    on_host
        .top_k_pairs_rows_into_with(&keys, &values, &mut best, &mut belonging, of_rows, k, options)
        .unwrap();
    on_host.top_k_rows_into_with(&keys, &mut best, &mut positions, of_rows, k, options).unwrap();

    let mut d_keys = Items::holding(&stream, &bytes);
    let mut d_values = Items::holding_at(offset, &stream, bytemuck::cast_slice(&values));
    let mut d_best = Items::holding(&stream, &vec![7; size_of_val(&best[..])]);
    let mut d_belonging = Items::holding_at(offset, &stream, &vec![7; size_of_val(&belonging[..])]);
    let mut d_positions = Items::holding(&stream, &vec![7; 8 * found]);
    d_keys.call(|keys: &mut CudaViewMut<'_, K>| {
        d_best.call(|best: &mut CudaViewMut<'_, K>| {
            d_values.call(|values: &mut CudaViewMut<'_, V>| {
                d_belonging.call(|found: &mut CudaViewMut<'_, V>| {
                    sorter
                        .top_k_pairs_rows_into_with(keys, values, best, found, of_rows, k, options)
                        .unwrap();
                });
            });
        });
    });
    assert!(d_best.read() == bytemuck::cast_slice::<K, u8>(&best), "keys: {context}");
    assert!(d_belonging.read() == bytemuck::cast_slice::<V, u8>(&belonging), "values: {context}");
    d_keys.call(|keys: &mut CudaViewMut<'_, K>| {
        d_best.call(|best: &mut CudaViewMut<'_, K>| {
            d_positions.call(|positions: &mut CudaViewMut<'_, i64>| {
                sorter.top_k_rows_into_with(keys, best, positions, of_rows, k, options).unwrap();
            });
        });
    });
    assert!(d_best.read() == bytemuck::cast_slice::<K, u8>(&best), "keys again: {context}");
    let positions = bytemuck::cast_slice::<i64, u8>(&positions);
    assert!(d_positions.read() == positions, "positions: {context}");
    assert!(d_keys.read() == bytes, "keys are only read");
    let values = bytemuck::cast_slice::<V, u8>(&values);
    assert!(d_values.read() == values, "values are only read");
}

fn typed<T: Pod>(bytes: &[u8]) -> Vec<T> {
    bytes.chunks(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect()
}

/// In graphs, after which nothing is allocated: one block, several blocks and a sort.
fn captured(setting: &Setting) {
    let context = CudaContext::new(0).unwrap();
    // SAFETY: all memory is used on one stream.
    unsafe { context.disable_event_tracking() };
    let stream = context.new_stream().unwrap();
    let sorter = Sorter::on(&stream).unwrap();
    let by_sort = (!setting.sanitize).then_some((20_000, 5000));
    for (columns, k) in [(1000, 10), (300_000, 100)].into_iter().chain(by_sort) {
        sorter.reserve_top_k_pairs::<u32, u64>(columns, k).unwrap();
        let mut keys = stream.alloc_zeros::<u32>(columns).unwrap();
        let mut rng = setting.seed.rng(&format!("captured pairs {columns}"));
        let host_values: Vec<u64> = (0..columns).map(|_| rng.random()).collect();
        let values = stream.clone_htod(&host_values).unwrap();
        let mut found = stream.alloc_zeros::<u32>(k).unwrap();
        let mut belonging = stream.alloc_zeros::<u64>(k).unwrap();
        stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL).unwrap();
        let enqueued =
            sorter.top_k_pairs_into::<u32, u64>(&keys, &values, &mut found, &mut belonging);
        let graph = stream.end_capture(CUgraphInstantiate_flags(0)).unwrap().unwrap();
        enqueued.unwrap();
        let items: Vec<u32> = (0..columns).map(|_| rng.random()).collect();
        stream.memcpy_htod(&items, &mut keys).unwrap();
        graph.launch().unwrap();
        let expected = sortsmith::top_k(&items, k).unwrap();
        let expected_values: Vec<u64> =
            expected.positions.iter().map(|it| host_values[*it as usize]).collect();
        assert!(stream.clone_dtoh(&found).unwrap() == expected.keys, "{columns}");
        assert!(stream.clone_dtoh(&belonging).unwrap() == expected_values, "{columns}");
    }
}
