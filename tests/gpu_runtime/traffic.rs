//! Ten thousand sorts at once: of some thousand and some hundred thousand keys, of several types, on many streams.

use std::sync::Arc;
use std::thread;

use cudarc::driver::{CudaContext, CudaSlice, CudaStream};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use sortsmith::{SortKey, SortValue, Sorter};

use crate::by_bytes::{Sort, argsort, sort_keys, sort_pairs};
use crate::device::check::bytes_of;
use crate::device::inputs::{Keys, Pattern, value_at};
use crate::{Setting, Test};

/// Around single tiles, and arrays of a few tiles or of many.
const SIZES: [usize; 7] = [300, 2000, 8192, 25_001, 60_001, 131_073, 200_003];

pub fn tests() -> Vec<Test> {
    vec![("traffic::many_threads_and_streams".to_owned(), many_threads_and_streams)]
}

/// An input on the device, and its sorted output.
struct Job {
    name: String,
    sort: Sort,
    input: [CudaSlice<u8>; 2],
    output: [Vec<u8>; 2],
}

impl Job {
    fn new<K: SortKey, V: SortValue>(
        stream: &Arc<CudaStream>,
        (sort, what): (Sort, &str),
        (n, pattern): (usize, Pattern),
        expect: fn(&mut [K], &mut [V]),
    ) -> Self {
        let mut keys = Keys { pattern, n, seed: n as u64 }.all::<K>();
        let mut values: Vec<V> = (0..n).map(value_at).collect();
        let upload = |bytes: &[u8]| {
            // An allocation of nothing is an error.
            let at_least_one = if bytes.is_empty() { &[0] } else { bytes };
            stream.clone_htod(at_least_one).unwrap()
        };
        let input = [upload(bytes_of(&keys)), upload(bytes_of(&values))];
        expect(&mut keys, &mut values);
        let output = [bytes_of(&keys).to_vec(), bytes_of(&values).to_vec()];
        let name = format!("{what} of {n} {} keys, {pattern:?}", K::KEY_TYPE);
        Self { name, sort, input, output }
    }

    /// Some of every type.
    fn all(context: &Arc<CudaContext>, sizes: &[usize]) -> Vec<Self> {
        fn expect_keys<K: SortKey>(keys: &mut [K], _: &mut [()]) {
            Sorter::host().sort(keys).unwrap();
        }
        fn expect_pairs<K: SortKey, V: SortValue>(keys: &mut [K], values: &mut [V]) {
            Sorter::host().sort_pairs(keys, values).unwrap();
        }
        fn expect_positions<K: SortKey>(keys: &mut [K], positions: &mut [u32]) {
            Sorter::host().argsort_into(keys, positions).unwrap();
        }
        let stream = context.default_stream();
        let mut jobs = Vec::new();
        for (number, &n) in sizes.iter().enumerate() {
            let pattern = [Pattern::Uniform, Pattern::LowEntropy(3)][number % 2];
            let clustered = Pattern::UpperDigits { keys_each: 100, low: 0xff };
            jobs.extend([
                Self::new(&stream, (sort_keys::<u32>, "sort"), (n, pattern), expect_keys::<u32>),
                Self::new(&stream, (sort_keys::<u8>, "sort"), (n, pattern), expect_keys::<u8>),
                Self::new(&stream, (sort_keys::<u64>, "sort"), (n, clustered), expect_keys::<u64>),
                Self::new(
                    &stream,
                    (sort_pairs::<f32, u32>, "sort with 4 bytes"),
                    (n, pattern),
                    expect_pairs::<f32, u32>,
                ),
                Self::new(
                    &stream,
                    (sort_pairs::<i64, u64>, "sort with 8 bytes"),
                    (n, pattern),
                    expect_pairs::<i64, u64>,
                ),
                Self::new(
                    &stream,
                    (sort_pairs::<u32, [u32; 3]>, "sort with 12 bytes"),
                    (n, pattern),
                    expect_pairs::<u32, [u32; 3]>,
                ),
                Self::new(
                    &stream,
                    (argsort::<f32>, "argsort"),
                    (n, pattern),
                    expect_positions::<f32>,
                ),
            ]);
        }
        // Other streams read them, in an order of their own.
        stream.synchronize().unwrap();
        jobs
    }
}

/// A stream with its sorter, and memory for the arrays of one job.
struct Lane {
    stream: Arc<CudaStream>,
    sorter: Sorter,
    arrays: [CudaSlice<u8>; 2],
}

impl Lane {
    fn new(context: &Arc<CudaContext>, bytes: usize) -> Self {
        let stream = context.new_stream().unwrap();
        let sorter = Sorter::on(&stream).unwrap();
        let arrays = [(), ()].map(|()| stream.alloc_zeros::<u8>(bytes).unwrap());
        Self { stream, sorter, arrays }
    }

    fn enqueue(&mut self, job: &Job) {
        for (input, array) in job.input.iter().zip(&mut self.arrays) {
            self.stream.memcpy_dtod(input, array).unwrap();
        }
        let [keys, values] = &mut self.arrays;
        let mut keys = keys.slice_mut(..job.output[0].len());
        let mut values = values.slice_mut(..job.output[1].len());
        (job.sort)(&self.sorter, &mut keys, &mut values).unwrap();
    }

    fn check(&self, job: &Job) {
        for (array, expected) in self.arrays.iter().zip(&job.output) {
            if !expected.is_empty() {
                let found = self.stream.clone_dtoh(&array.slice(..expected.len())).unwrap();
                self.stream.synchronize().unwrap();
                assert!(found == *expected, "{}", job.name);
            }
        }
    }
}

fn many_threads_and_streams(setting: &Setting) {
    // As many sorts as this says, in rounds of one on each stream.
    let (threads, streams, rounds, sizes) =
        if setting.sanitize { (2, 2, 2, &SIZES[2..5]) } else { (8, 8, 157, &SIZES[..]) };
    let jobs = Job::all(&setting.context, sizes);
    let bytes = jobs.iter().flat_map(|job| &job.output).map(Vec::len).max().unwrap();
    thread::scope(|scope| {
        for thread in 0..threads {
            let jobs = &jobs;
            scope.spawn(move || {
                let mut rng: ChaCha8Rng = setting.seed.rng(&format!("traffic {thread}"));
                let mut lanes: Vec<Lane> =
                    (0..streams).map(|_| Lane::new(&setting.context, bytes)).collect();
                for _ in 0..rounds {
                    let chosen: Vec<&Job> =
                        lanes.iter().map(|_| &jobs[rng.random_range(0..jobs.len())]).collect();
                    lanes.iter_mut().zip(&chosen).for_each(|(lane, job)| lane.enqueue(job));
                    lanes.iter().zip(&chosen).for_each(|(lane, job)| lane.check(job));
                }
            });
        }
    });
}
