//! As many items, rows and segments of device slices as a count on the device says, each against the oracle.

use std::ops::Range;
use std::sync::Arc;

use cudarc::driver::sys::{CUgraphInstantiate_flags, CUstreamCaptureMode};
use cudarc::driver::{CudaContext, CudaStream, CudaViewMut};
use rand::RngExt;
use rand::seq::IndexedRandom;
use sortsmith::{Rows, Segments, SortKey, SortOptions, SortValue, Sorter};
use sortsmith_testkit::inputs::{self, Keys};
use sortsmith_testkit::oracle;

use crate::data::{Items, gathered, is_gathered, options_of, task_of};
use crate::{Setting, Test};

pub fn tests() -> Vec<Test> {
    vec![
        ("counted::of_u8".to_owned(), check::<u8, u32>),
        ("counted::of_u32".to_owned(), check::<u32, u32>),
        ("counted::of_f32".to_owned(), check::<f32, u64>),
        ("counted::of_i64".to_owned(), check::<i64, u128>),
        ("counted::with_wide_values".to_owned(), check::<f32, [u32; 3]>),
        ("counted::captured".to_owned(), captured),
        ("counted::rows_captured".to_owned(), rows_captured),
    ]
}

/// None, one, all but one, all, one more, and far more than there are.
fn counts(most: usize) -> [u64; 6] {
    let most = most as u64;
    [0, 1, most - 1, most, most + 1, (1 << 32) + 1]
}

/// Which of pairs, keys alone and positions are sorted.
type Calls = [bool; 3];

/// All calls. Under a sanitizer all counts in the first order, with one call after the other, and all calls for all but one item.
fn calls<V: SortValue>(setting: &Setting, is_first_order: bool, number: usize) -> Calls {
    let is_all_but_one = number == 2;
    if !setting.sanitize {
        [true; 3]
    } else if !is_first_order && !is_all_but_one {
        [false; 3]
    } else if is_gathered::<V>() {
        [true, false, false]
    } else {
        [0, 1, 2].map(|call| is_all_but_one || number % 3 == call)
    }
}

fn check<K: SortKey, V: SortValue>(setting: &Setting) {
    for (order, options) in options_of::<K>().into_iter().enumerate() {
        let calls_of = |number| calls::<V>(setting, order == 0, number);
        let sizes = if setting.sanitize { vec![1, 5000] } else { vec![1, 40, 4096, 300_000] };
        for n in sizes {
            for (number, count) in counts(n).into_iter().enumerate() {
                first_items::<K, V>(setting, n, count, options, calls_of(number));
            }
        }
        let mosts = if setting.sanitize { [40, 100, 10, 3] } else { [40, 1000, 60, 9] };
        let shapes = [(1, 1), (7, 9), (300, 300), (5000, 5001)];
        for (most, (columns, stride)) in mosts.into_iter().zip(shapes) {
            for (number, count) in counts(most).into_iter().enumerate() {
                let of_columns = Rows::of(columns).stride(stride);
                let calls = calls_of(number);
                rows::<K, V>(setting, (most, of_columns, stride), count, options, calls);
            }
        }
    }
}

/// Keys and values, where each comes from if lists are sorted, and the positions within lists.
struct Case {
    keys: Vec<u8>,
    values: Vec<u8>,
    expected_keys: Vec<u8>,
    expected_values: Vec<u8>,
    positions: Vec<u32>,
    name: String,
}

impl Case {
    fn new<K: SortKey, V: SortValue>(
        setting: &Setting,
        n: usize,
        lists: &[Range<usize>],
        options: &SortOptions,
        what: &str,
    ) -> Self {
        let name = format!("{}: {what} of {n} keys, {options:?}", K::KEY_TYPE);
        let mut rng = setting.seed.rng(&name);
        let kind = *Keys::all(K::KEY_TYPE).choose(&mut rng).unwrap();
        let keys = kind.generate(K::KEY_TYPE, n, &mut rng);
        let values = inputs::values(size_of::<V>(), n, rng.random());
        let (mut sources, mut positions): (Vec<u32>, _) = ((0..n as u32).collect(), vec![7; n]);
        for list in lists {
            let bytes = &keys[list.start * size_of::<K>()..list.end * size_of::<K>()];
            for (to, from) in
                oracle::permutation(&task_of::<K>(options), bytes).into_iter().enumerate()
            {
                sources[list.start + to] = list.start as u32 + from;
                positions[list.start + to] = from;
            }
        }
        let expected_keys = gathered(&keys, size_of::<K>(), &sources);
        let expected_values = gathered(&values, size_of::<V>(), &sources);
        Self { keys, values, expected_keys, expected_values, positions, name }
    }

    /// Sorts pairs, keys alone and positions, and compares.
    fn check<K: SortKey, V: SortValue>(
        &self,
        stream: &Arc<CudaStream>,
        [sorts_pairs, sorts_keys, sorts_positions]: Calls,
        pairs: impl FnOnce(&mut CudaViewMut<'_, K>, &mut CudaViewMut<'_, V>),
        alone: impl FnOnce(&mut CudaViewMut<'_, K>),
        argsort: impl FnOnce(&mut CudaViewMut<'_, K>, &mut CudaViewMut<'_, u32>),
    ) {
        let Self { keys, values, name, .. } = self;
        let [mut of_pairs, mut of_keys, mut only_read] =
            [(); 3].map(|()| Items::holding(stream, keys));
        if sorts_pairs {
            let mut of_values = Items::holding(stream, values);
            of_pairs.call(|keys| of_values.call(|values| pairs(keys, values)));
            assert!(of_pairs.read() == self.expected_keys, "keys of pairs: {name}");
            assert!(of_values.read() == self.expected_values, "values: {name}");
        }
        if sorts_keys {
            of_keys.call(alone);
            assert!(of_keys.read() == self.expected_keys, "keys alone: {name}");
        }
        if !sorts_positions {
            return;
        }
        let mut indices =
            Items::holding(stream, bytemuck::cast_slice(&vec![7u32; keys.len() / size_of::<K>()]));
        only_read.call(|keys| indices.call(|indices| argsort(keys, indices)));
        assert!(
            indices.read() == bytemuck::cast_slice::<u32, u8>(&self.positions),
            "positions: {name}"
        );
        assert!(only_read.read() == *keys, "keys of an argsort: {name}");
    }
}

fn first_items<K: SortKey, V: SortValue>(
    setting: &Setting,
    n: usize,
    count: u64,
    options: SortOptions,
    calls: Calls,
) {
    if calls == [false; 3] {
        return;
    }
    let stream = setting.context.new_stream().unwrap();
    let sorter = Sorter::on(&stream).unwrap();
    let first = 0..n.min(count as usize);
    let case = Case::new::<K, V>(setting, n, &[first], &options, &format!("the first {count}"));
    let wide = stream.clone_htod(&[count]).unwrap();
    let narrow = stream.clone_htod(&[u32::try_from(count).unwrap_or(u32::MAX)]).unwrap();
    case.check::<K, V>(
        &stream,
        calls,
        |keys, values| {
            sorter.sort_pairs_counted_with::<K, V, u64>(keys, values, &wide, options).unwrap();
        },
        |keys| sorter.sort_counted_with::<K, u32>(keys, &narrow, options).unwrap(),
        |keys, indices| {
            sorter.argsort_counted_into_with::<K, u64>(keys, indices, &wide, options).unwrap();
        },
    );
}

/// Rows by their shape, and the same as segments by begins and ends.
fn rows<K: SortKey, V: SortValue>(
    setting: &Setting,
    (most, rows, stride): (usize, Rows, usize),
    count: u64,
    options: SortOptions,
    calls: Calls,
) {
    if calls == [false; 3] {
        return;
    }
    let stream = setting.context.new_stream().unwrap();
    let sorter = Sorter::on(&stream).unwrap();
    let n = (most - 1) * stride + rows.columns();
    let all = (0..most).map(|row| row * stride..row * stride + rows.columns());
    let lists: Vec<Range<usize>> = all.clone().take(count as usize).collect();
    let what = format!("{count} of {most} rows, {rows:?}");
    let case = Case::new::<K, V>(setting, n, &lists, &options, &what);
    let wide = stream.clone_htod(&[count]).unwrap();
    let narrow = stream.clone_htod(&[u32::try_from(count).unwrap_or(u32::MAX)]).unwrap();
    case.check::<K, V>(
        &stream,
        calls,
        |keys, values| {
            let rows = rows.counted(&wide);
            sorter.sort_pairs_rows_with::<K, V>(keys, values, rows, options).unwrap();
        },
        |keys| sorter.sort_rows_with::<K>(keys, rows.counted(&narrow), options).unwrap(),
        |keys, indices| {
            let rows = rows.counted(&narrow);
            sorter.argsort_rows_into_with::<K>(keys, indices, rows, options).unwrap();
        },
    );
    let begins: Vec<u32> = all.clone().map(|row| row.start as u32).collect();
    let ends: Vec<u32> = all.map(|row| row.end as u32).collect();
    let [begins, ends] = [begins, ends].map(|side| stream.clone_htod(&side).unwrap());
    case.check::<K, V>(
        &stream,
        calls,
        |keys, values| {
            let segments = Segments::between(&begins, &ends).counted(&narrow);
            sorter.sort_pairs_segments_with::<K, V, u32>(keys, values, segments, options).unwrap();
        },
        |keys| {
            let segments = Segments::between(&begins, &ends).counted(&wide);
            sorter.sort_segments_with::<K, u32>(keys, segments, options).unwrap();
        },
        |keys, indices| {
            let segments = Segments::between(&begins, &ends).counted(&wide);
            sorter.argsort_segments_into_with::<K, u32>(keys, indices, segments, options).unwrap();
        },
    );
}

/// A graph that is launched with one count after the other.
fn captured(setting: &Setting) {
    let context = CudaContext::new(0).unwrap();
    // SAFETY: all memory is used on one stream.
    unsafe { context.disable_event_tracking() };
    let stream = context.new_stream().unwrap();
    let sorter = Sorter::on(&stream).unwrap();
    let n = 100_000;
    let (mut keys, mut values) =
        (stream.alloc_zeros::<u32>(n).unwrap(), stream.alloc_zeros::<u32>(n).unwrap());
    let mut count = stream.alloc_zeros::<u32>(1).unwrap();
    sorter.reserve_counted::<u32, u32>(n).unwrap();
    stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL).unwrap();
    let enqueued = sorter.sort_pairs_counted::<u32, u32, u32>(&mut keys, &mut values, &count);
    let graph = stream.end_capture(CUgraphInstantiate_flags(0)).unwrap().unwrap();
    enqueued.unwrap();
    for at in [0u32, 1, 31, 5000, 99_999, 100_000, u32::MAX] {
        let mut rng = setting.seed.rng(&format!("captured counts {at}"));
        let items: Vec<u32> = (0..n).map(|_| rng.random_range(0..5000)).collect();
        let numbers: Vec<u32> = (0..n as u32).collect();
        stream.memcpy_htod(&items, &mut keys).unwrap();
        stream.memcpy_htod(&numbers, &mut values).unwrap();
        stream.memcpy_htod(&[at], &mut count).unwrap();
        graph.launch().unwrap();
        let mut expected = numbers;
        expected[..n.min(at as usize)].sort_by_key(|number| items[*number as usize]);
        assert!(stream.clone_dtoh(&values).unwrap() == expected, "values of {at}");
        let expected: Vec<u32> = expected.iter().map(|number| items[*number as usize]).collect();
        assert!(stream.clone_dtoh(&keys).unwrap() == expected, "keys of {at}");
    }
}

/// The same of rows.
fn rows_captured(setting: &Setting) {
    let context = CudaContext::new(0).unwrap();
    // SAFETY: all memory is used on one stream.
    unsafe { context.disable_event_tracking() };
    let stream = context.new_stream().unwrap();
    let sorter = Sorter::on(&stream).unwrap();
    let (most, columns) = (500, 300);
    let mut keys = stream.alloc_zeros::<f32>(most * columns).unwrap();
    let mut count = stream.alloc_zeros::<u64>(1).unwrap();
    sorter.reserve_counted_rows::<f32, ()>(most, columns).unwrap();
    stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL).unwrap();
    let rows = Rows::of(columns).counted(&count);
    let enqueued = sorter.sort_rows_with::<f32>(&mut keys, rows, SortOptions::new());
    let graph = stream.end_capture(CUgraphInstantiate_flags(0)).unwrap().unwrap();
    enqueued.unwrap();
    for at in [0u64, 1, 499, 500, u64::MAX] {
        let mut rng = setting.seed.rng(&format!("captured counts of rows {at}"));
        let mut items: Vec<f32> = (0..most * columns).map(|_| rng.random()).collect();
        stream.memcpy_htod(&items, &mut keys).unwrap();
        stream.memcpy_htod(&[at], &mut count).unwrap();
        graph.launch().unwrap();
        let counted = usize::try_from(at).unwrap_or(most).min(most);
        items.chunks_mut(columns).take(counted).for_each(|row| row.sort_by(f32::total_cmp));
        assert!(stream.clone_dtoh(&keys).unwrap() == items, "{at}");
    }
}
