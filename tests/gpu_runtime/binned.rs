//! Binned argsorts of device slices, each against lists of positions that are made key by key.

use bytemuck::Pod;
use cudarc::driver::sys::{CUgraphInstantiate_flags, CUstreamCaptureMode};
use cudarc::driver::{CudaContext, CudaViewMut};
use num_traits::AsPrimitive;
use rand::RngExt;
use rand::seq::IndexedRandom;
use sortsmith::{BinKey, Rows, Sorter};

use crate::data::Items;
use crate::{Setting, Test};

pub fn tests() -> Vec<Test> {
    vec![
        ("binned::of_u8".to_owned(), check::<u8>),
        ("binned::of_i16".to_owned(), check::<i16>),
        ("binned::of_u32".to_owned(), check::<u32>),
        ("binned::of_i64".to_owned(), check::<i64>),
        ("binned::of_skewed_keys".to_owned(), skewed),
        ("binned::captured".to_owned(), captured),
    ]
}

/// How keys are made of random numbers, for some bins.
type Ids = fn(u32, usize) -> u64;

/// All bins alike; some keys in none; half of them in one bin; all in one; all in none; bin after bin.
const IDS: [Ids; 6] = [
    |random, bins| u64::from(random) % bins as u64,
    |random, bins| u64::from(random) % (2 * bins as u64 + 1),
    |random, bins| if random % 2 == 0 { 0 } else { u64::from(random) % bins as u64 },
    |_, bins| bins as u64 - 1,
    |_, _| u64::MAX,
    |random, bins| (u64::from(random) * bins as u64) >> 32,
];

/// Keys that are made of numbers, of which a type has the lower bits.
trait Key: BinKey + Pod + Into<i128> {}
impl<K: BinKey + Pod + Into<i128>> Key for K {}

fn check<K: Key>(setting: &Setting)
where
    u64: AsPrimitive<K>,
{
    let mut rng = setting.seed.rng(&format!("binned argsorts of {}", K::KEY_TYPE));
    let columns = [1, 31, 33, 511, 512, 513, 1000, 4096, 8191, 8192, 8193, 8704, 8705, 16_385];
    let long = [65_536, 100_000, 270_337, 1 << 20, (1 << 20) + 1, 10_000_000];
    let step = if setting.sanitize { 5 } else { 1 };
    for columns in columns.into_iter().chain(long).step_by(step) {
        for bins in [1, 2, 7, 64, 127, 128, 255, 256, 257, 512] {
            let most_rows = 1 + (1 << 20) / columns;
            let rows: usize = *[1, 1, 2, 140, 700].choose(&mut rng).unwrap();
            check_one::<K>(setting, (rows.min(most_rows), columns, bins));
        }
    }
}

fn check_one<K: Key>(setting: &Setting, (rows, columns, bins): (usize, usize, usize))
where
    u64: AsPrimitive<K>,
{
    let stream = setting.context.new_stream().unwrap();
    let sorter = Sorter::on(&stream).unwrap();
    let mut rng = setting.seed.rng(&format!("{} {rows} {columns} {bins}", K::KEY_TYPE));
    let kind = rng.random_range(0..IDS.len());
    let stride = columns + *[0, 0, 1, 13].choose(&mut rng).unwrap();
    let n = (rows - 1) * stride + columns;
    let keys: Vec<K> = (0..n).map(|_| IDS[kind](rng.random(), bins).as_()).collect();
    let (mut expected_positions, mut expected_offsets) = (Vec::new(), Vec::new());
    for row in 0..rows {
        let mut lists = vec![Vec::new(); bins + 1];
        for (position, key) in keys[row * stride..][..columns].iter().enumerate() {
            let number: i128 = (*key).into();
            let bin = usize::try_from(number).unwrap_or(bins).min(bins);
            lists[bin].push(position as u32);
        }
        let mut first = 0;
        for list in &lists {
            expected_offsets.push(first);
            first += list.len() as u32;
        }
        expected_positions.extend(lists.concat());
    }
    let mut items = Items::holding(&stream, bytemuck::cast_slice(&keys));
    let mut positions = Items::holding(&stream, &vec![7; 4 * expected_positions.len()]);
    let mut offsets = Items::holding(&stream, &vec![7; 4 * expected_offsets.len()]);
    let lists = Rows::of(columns).stride(stride);
    items
        .call(|keys: &mut CudaViewMut<'_, K>| {
            positions.call(|positions: &mut CudaViewMut<'_, u32>| {
                offsets.call(|offsets: &mut CudaViewMut<'_, u32>| {
                    sorter.argsort_binned_rows_into::<K>(keys, lists, bins, positions, offsets)
                })
            })
        })
        .unwrap();
    let context = format!("{}: {rows} x {columns}, {bins} bins, {kind}", K::KEY_TYPE);
    assert!(offsets.read() == bytes_of(&expected_offsets), "offsets: {context}");
    assert!(positions.read() == bytes_of(&expected_positions), "positions: {context}");
    assert!(items.read() == bytemuck::cast_slice::<K, u8>(&keys), "keys are only read");
    let on_host = sortsmith::argsort_binned_rows(&keys, lists, bins).unwrap();
    assert!(on_host.positions == expected_positions, "positions on the host: {context}");
    assert!(on_host.offsets == expected_offsets, "offsets on the host: {context}");
}

fn bytes_of(numbers: &[u32]) -> &[u8] {
    bytemuck::cast_slice(numbers)
}

/// Arrays of lengths around those of chunks, the same twice: the positions do not depend on which block comes first.
fn skewed(setting: &Setting) {
    let stream = setting.context.new_stream().unwrap();
    let sorter = Sorter::on(&stream).unwrap();
    let mut rng = setting.seed.rng("skewed binned argsorts");
    for log2 in if setting.sanitize { 13..15 } else { 10..23 } {
        let n = (1usize << log2) + rng.random_range(0..3);
        let key = |rng: &mut rand_chacha::ChaCha8Rng| (256.0 * rng.random::<f64>().powi(6)) as u32;
        let keys: Vec<u32> = (0..n).map(|_| key(&mut rng)).collect();
        let items = stream.clone_htod(&keys).unwrap();
        let expected = sortsmith::argsort_binned(&keys, 256).unwrap();
        for _ in 0..2 {
            let found = sorter.argsort_binned::<u32>(&items, 256).unwrap();
            assert!(stream.clone_dtoh(&found.offsets).unwrap() == expected.offsets, "{n}");
            assert!(stream.clone_dtoh(&found.positions).unwrap() == expected.positions, "{n}");
        }
    }
}

/// One launch and two, in graphs that are launched twice.
fn captured(setting: &Setting) {
    let context = CudaContext::new(0).unwrap();
    // SAFETY: all memory is used on one stream.
    unsafe { context.disable_event_tracking() };
    let stream = context.new_stream().unwrap();
    let sorter = Sorter::on(&stream).unwrap();
    for (n, bins) in [(1000, 8), (300_000, 256)] {
        sorter.reserve_argsort_binned::<u32>(n, bins).unwrap();
        let mut keys = stream.alloc_zeros::<u32>(n).unwrap();
        let mut positions = stream.alloc_zeros::<u32>(n).unwrap();
        let mut offsets = stream.alloc_zeros::<u32>(bins + 1).unwrap();
        stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL).unwrap();
        let enqueued = sorter.argsort_binned_into::<u32>(&keys, bins, &mut positions, &mut offsets);
        let graph = stream.end_capture(CUgraphInstantiate_flags(0)).unwrap().unwrap();
        enqueued.unwrap();
        for round in 0..2 {
            let mut rng = setting.seed.rng(&format!("captured binned argsort {n} {round}"));
            let items: Vec<u32> = (0..n).map(|_| rng.random_range(0..bins as u32 + 1)).collect();
            stream.memcpy_htod(&items, &mut keys).unwrap();
            graph.launch().unwrap();
            let expected = sortsmith::argsort_binned(&items, bins).unwrap();
            assert!(stream.clone_dtoh(&positions).unwrap() == expected.positions, "{n}, {round}");
            assert!(stream.clone_dtoh(&offsets).unwrap() == expected.offsets, "{n}, {round}");
        }
    }
}
