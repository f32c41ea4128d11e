//! More than 2³¹ keys. `SORTSMITH_GPU_HUGE=1` enables them: they take tens of gigabytes and a minute.
//!
//! No reference is sorted. Each key follows from its position, so sorted positions prove themselves: they are those of a
//! stable sort if key and position ascend strictly, together.

use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::{CudaSlice, CudaStream, CudaViewMut};
use rayon::prelude::*;
use sortsmith::{Error, SortKey, SortOptions, Sorter};

use super::check::{bytes_of, keys_of};
use super::inputs::{Keys, Pattern, mixed};
use super::partition;
use crate::{Setting, Test};

/// The variable that enables these tests.
pub const VARIABLE: &str = "SORTSMITH_GPU_HUGE";

const N: usize = (1 << 31) + 17;
const CHUNK: usize = 1 << 26;

/// They are not run at the same time: one of them has enough memory.
static ALONE: Mutex<()> = Mutex::new(());

/// The tests.
pub fn tests() -> Vec<Test> {
    vec![
        ("huge::u8".to_owned(), keys_alone::<u8>),
        ("huge::row_of_u8".to_owned(), one_row),
        ("huge::u32".to_owned(), keys_alone::<u32>),
        ("huge::u64_by_partition".to_owned(), by_partition),
        ("huge::argsort_of_u64_by_partition".to_owned(), argsort_by_partition),
        ("huge::u8_with_positions".to_owned(), with_positions),
        ("huge::argsort_of_u32".to_owned(), argsort),
    ]
}

/// Device memory that is filled and read by chunks.
struct Long<T> {
    memory: CudaSlice<u8>,
    stream: Arc<CudaStream>,
    item: std::marker::PhantomData<T>,
}

impl<T: Copy + Send + Sync> Long<T> {
    fn new(stream: &Arc<CudaStream>, at: impl Fn(usize) -> T + Sync) -> Self {
        // SAFETY: all of it is written below.
        let mut memory = unsafe { stream.alloc::<u8>(N * size_of::<T>()) }.unwrap();
        for first in (0..N).step_by(CHUNK) {
            let end = N.min(first + CHUNK);
            let chunk: Vec<T> = (first..end).into_par_iter().map(&at).collect();
            let mut slice = memory.slice_mut(first * size_of::<T>()..end * size_of::<T>());
            stream.memcpy_htod(bytes_of(&chunk), &mut slice).unwrap();
        }
        Self { memory, stream: Arc::clone(stream), item: std::marker::PhantomData }
    }
}

impl<K: SortKey> Long<K> {
    /// Chunks in their order, with the position of the first item.
    fn each_chunk(&self, mut see: impl FnMut(usize, &[K])) {
        for first in (0..N).step_by(CHUNK) {
            let end = N.min(first + CHUNK);
            let slice = self.memory.slice(first * size_of::<K>()..end * size_of::<K>());
            see(first, &keys_of(&self.stream.clone_dtoh(&slice).unwrap()));
        }
    }

    fn call<R>(&mut self, with: impl FnOnce(&mut CudaViewMut<'_, K>) -> R) -> R {
        let mut bytes = self.memory.slice_mut(..);
        // SAFETY: the bytes are those of as many keys, aligned as allocations are.
        with(&mut unsafe { bytes.transmute_mut::<K>(N) }.unwrap())
    }
}

fn input(setting: &Setting) -> Keys {
    Keys { pattern: Pattern::Uniform, n: N, seed: setting.seed.0 }
}

/// A sum that does not depend on the order.
fn sum_of<K: SortKey>(keys: impl IndexedParallelIterator<Item = K>) -> u64 {
    let hash = |key: K| {
        let mut bytes = [0; 16];
        bytes[..size_of::<K>()].copy_from_slice(bytes_of(&[key]));
        mixed(u128::from_le_bytes(bytes) as u64)
    };
    keys.map(hash).reduce(|| 0, u64::wrapping_add)
}

fn keys_alone<K: SortKey>(setting: &Setting) {
    sort_alone::<K>(setting, SortOptions::new());
}

fn by_partition(setting: &Setting) {
    sort_alone::<u64>(setting, partition::by_partition());
}

fn sort_alone<K: SortKey>(setting: &Setting, options: SortOptions) {
    check_sorted::<K>(setting, |sorter, keys| sorter.sort_with::<K>(keys, options));
}

fn one_row(setting: &Setting) {
    check_sorted::<u8>(setting, |sorter, keys| sorter.sort_rows::<u8>(keys, N));
}

fn check_sorted<K: SortKey>(
    setting: &Setting,
    sort: impl FnOnce(&Sorter, &mut CudaViewMut<'_, K>) -> Result<(), Error>,
) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let stream = setting.context.new_stream().unwrap();
    let input = input(setting);
    let mut keys = Long::<K>::new(&stream, |position| input.at(position));
    keys.call(|keys| sort(&Sorter::on(&stream).unwrap(), keys)).unwrap();
    let (mut last, mut sum) = (None, 0u64);
    keys.each_chunk(|first, chunk| {
        let bits = |key: &K| key.to_ordered_bits();
        let in_order = chunk.par_windows(2).all(|pair| bits(&pair[0]) <= bits(&pair[1]));
        assert!(in_order, "not in order from {first}");
        assert!(last.is_none_or(|last| last <= bits(&chunk[0])), "not in order at {first}");
        last = chunk.last().map(bits);
        sum = sum.wrapping_add(sum_of(chunk.par_iter().copied()));
    });
    let expected = sum_of((0..N).into_par_iter().map(|position| input.at::<K>(position)));
    assert_eq!(sum, expected, "other keys came out than went in");
}

/// Whether these are the positions of all keys in a stable sort.
fn check_positions<K: SortKey>(input: &Keys, positions: &Long<u32>) {
    let of = |position: &u32| {
        assert!((*position as usize) < N, "position {position}");
        (input.at::<K>(*position as usize).to_ordered_bits(), *position)
    };
    let mut last = None;
    positions.each_chunk(|first, chunk| {
        let ascend = chunk.par_windows(2).all(|pair| of(&pair[0]) < of(&pair[1]));
        assert!(ascend, "not in order from {first}");
        assert!(last.is_none_or(|last| of(&last) < of(&chunk[0])), "not in order at {first}");
        last = chunk.last().copied();
    });
}

fn with_positions(setting: &Setting) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let stream = setting.context.new_stream().unwrap();
    let input = input(setting);
    let mut keys = Long::<u8>::new(&stream, |position| input.at(position));
    let mut positions = Long::<u32>::new(&stream, |position| position as u32);
    let sorter = Sorter::on(&stream).unwrap();
    keys.call(|keys| positions.call(|positions| sorter.sort_pairs::<u8, u32>(keys, positions)))
        .unwrap();
    check_positions::<u8>(&input, &positions);
}

fn argsort(setting: &Setting) {
    argsort_of::<u32>(setting, SortOptions::new());
}

fn argsort_by_partition(setting: &Setting) {
    argsort_of::<u64>(setting, partition::by_partition());
}

fn argsort_of<K: SortKey>(setting: &Setting, options: SortOptions) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let stream = setting.context.new_stream().unwrap();
    let input = input(setting);
    let mut keys = Long::<K>::new(&stream, |position| input.at(position));
    let mut positions = Long::<u32>::new(&stream, |_| u32::MAX);
    let sorter = Sorter::on(&stream).unwrap();
    keys.call(|keys| {
        positions.call(|positions| sorter.argsort_into_with::<K>(keys, positions, options))
    })
    .unwrap();
    check_positions::<K>(&input, &positions);
}
