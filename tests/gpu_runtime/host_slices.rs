//! Sorts of host slices by way of copies: in pieces through pinned memory, of pinned and of registered slices.

use std::thread;

use bytemuck::Pod;
use cudarc::driver::{CudaContext, result, sys};
use rand::{Rng, RngExt};
use rayon::prelude::*;
use sortsmith::{BlockRadixSort, Error, SortKey, SortOptions, SortValue, Sorter};

use crate::{Setting, Test};

pub fn tests() -> Vec<Test> {
    vec![
        ("host_slices::pieces_of_all_lengths".to_owned(), pieces_of_all_lengths),
        ("host_slices::long_slices".to_owned(), long_slices),
        ("host_slices::pinned_slices".to_owned(), pinned_slices),
        ("host_slices::registered_slices".to_owned(), registered_slices),
        ("host_slices::threads_share_a_sorter".to_owned(), threads_share_a_sorter),
        ("host_slices::memory_of_any_size".to_owned(), memory_of_any_size),
    ]
}

/// Tests that take all of the device's memory.
pub fn huge_tests() -> Vec<Test> {
    vec![("host_slices::beyond_device_memory".to_owned(), beyond_device_memory)]
}

/// Small enough that slots are used many times: pieces are of 16 KiB.
const SMALL: usize = 1 << 16;

/// The fewest bytes that pass pinned memory.
const STAGED_MIN: usize = 1 << 18;

fn random<T: Pod>(n: usize, rng: &mut impl Rng) -> Vec<T> {
    let mut items = vec![T::zeroed(); n];
    rng.fill_bytes(bytemuck::cast_slice_mut(&mut items));
    items
}

/// Sorts pairs, keys and positions by this sorter and on the host, and compares all bits.
fn check<K: SortKey + Pod, V: SortValue>(sorter: &Sorter, n: usize, rng: &mut impl Rng) {
    let context = format!("{n} keys of {}, values of {} bytes", K::KEY_TYPE, size_of::<V>());
    let (keys, values) = (random::<K>(n, rng), random::<V>(n, rng));
    let options = SortOptions::new().order(if n.is_multiple_of(2) {
        sortsmith::Order::Ascending
    } else {
        sortsmith::Order::Descending
    });
    let host = Sorter::host();
    let (mut expected, mut expected_values) = (keys.clone(), values.clone());
    host.sort_pairs_with(&mut expected, &mut expected_values, options).unwrap();
    let (mut found, mut found_values) = (keys.clone(), values);
    sorter.sort_pairs_with(&mut found, &mut found_values, options).unwrap();
    let same =
        |a: &[K], b: &[K]| bytemuck::cast_slice::<_, u8>(a) == bytemuck::cast_slice::<_, u8>(b);
    assert!(same(&found, &expected), "keys of pairs: {context}");
    assert!(
        bytemuck::cast_slice::<_, u8>(&found_values)
            == bytemuck::cast_slice::<_, u8>(&expected_values),
        "values: {context}"
    );
    let mut alone = keys.clone();
    sorter.sort_with(&mut alone, options).unwrap();
    assert!(same(&alone, &expected), "keys: {context}");
    let (mut positions, mut expected_positions) = (vec![7u32; n], vec![7u32; n]);
    sorter.argsort_into_with(&keys, &mut positions, options).unwrap();
    host.argsort_into_with(&keys, &mut expected_positions, options).unwrap();
    assert!(positions == expected_positions, "positions: {context}");
}

fn pieces_of_all_lengths(setting: &Setting) {
    let sorter = Sorter::on(&setting.context.new_stream().unwrap()).unwrap();
    sorter.set_staging_bytes(SMALL);
    let mut rng = setting.seed.rng("pieces");
    let piece = SMALL / 4;
    for bytes in [STAGED_MIN, 20 * piece, 21 * piece + piece / 2] {
        for more in [-1, 0, 1] {
            let n = |size: usize| (bytes / size).checked_add_signed(more).unwrap();
            check::<u32, u32>(&sorter, n(4), &mut rng);
            if setting.sanitize && bytes > STAGED_MIN {
                continue;
            }
            check::<u8, u8>(&sorter, n(1), &mut rng);
            check::<u32, [u32; 3]>(&sorter, n(4), &mut rng);
            check::<u64, u32>(&sorter, n(4), &mut rng);
            check::<f64, [u8; 3]>(&sorter, n(8), &mut rng);
        }
    }
    let mut keys = random::<u32>(100_001, &mut rng);
    let mut expected = keys.clone();
    let tiles = BlockRadixSort::<u32, ()>::tiles(128, 8);
    tiles.sort(&sorter, &mut keys).unwrap();
    expected.chunks_mut(1024).for_each(<[u32]>::sort_unstable);
    assert!(keys == expected, "tiles");
}

fn long_slices(setting: &Setting) {
    let sorter = Sorter::on(&setting.context.default_stream()).unwrap();
    let mut rng = setting.seed.rng("long slices");
    let lengths =
        if setting.sanitize { vec![300_001] } else { vec![300_001, 3_000_017, 9_000_001] };
    for n in lengths {
        sorter.reserve_host_slices::<u32, u32>(n).unwrap();
        check::<u32, u32>(&sorter, n, &mut rng);
        check::<u64, [u32; 3]>(&sorter, n, &mut rng);
        sorter.release();
    }
}

/// Whether a sort of keys and values at these addresses is that of the host.
fn check_in_place(sorter: &Sorter, keys: &mut [u32], values: &mut [u32], context: &str) {
    let (mut expected, mut expected_values) = (keys.to_vec(), values.to_vec());
    Sorter::host().sort_pairs(&mut expected, &mut expected_values).unwrap();
    sorter.sort_pairs(&mut *keys, &mut *values).unwrap();
    assert!(*keys == *expected && *values == *expected_values, "{context}");
}

fn pinned_slices(setting: &Setting) {
    let sorter = Sorter::on(&setting.context.new_stream().unwrap()).unwrap();
    sorter.set_staging_bytes(SMALL);
    let mut rng = setting.seed.rng("pinned");
    for n in [1000, 70_001, if setting.sanitize { 300_003 } else { 1_000_003 }] {
        // SAFETY: all of it is written below.
        let mut pinned = unsafe { setting.context.alloc_pinned::<u32>(n) }.unwrap();
        let pinned = pinned.as_mut_slice().unwrap();
        let mut pageable = random(n, &mut rng);
        pinned.copy_from_slice(&random::<u32>(n, &mut rng));
        check_in_place(&sorter, pinned, &mut pageable, "pinned keys");
        pinned.copy_from_slice(&random::<u32>(n, &mut rng));
        check_in_place(&sorter, &mut pageable, pinned, "pinned values");
        shuffle_bits(&mut pageable);
        let (from, to) = pinned.split_at_mut(n / 2);
        check_in_place(&sorter, from, &mut to[..n / 2], "both");
        let mut positions = vec![0; n];
        sorter.argsort_into(&pageable, pinned).unwrap();
        Sorter::host().argsort_into(&pageable, &mut positions).unwrap();
        assert!(*pinned == *positions, "pinned positions");
    }
}

/// Another order.
fn shuffle_bits(items: &mut [u32]) {
    for item in items {
        *item = item.wrapping_mul(0x9e37_79b9);
    }
}

/// A range that is registered with the driver, until this is dropped.
struct Registered(*mut u32);

impl Registered {
    /// # Safety
    ///
    /// The range has that many items, and is allocated as long as this lives.
    unsafe fn new(context: &CudaContext, first: *mut u32, n: usize) -> Self {
        context.bind_to_thread().unwrap();
        // SAFETY: the caller vouches for the range.
        unsafe { sys::cuMemHostRegister_v2(first.cast(), 4 * n, 0) }.result().unwrap();
        Self(first)
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        // SAFETY: it was registered.
        unsafe { sys::cuMemHostUnregister(self.0.cast()) }.result().unwrap();
    }
}

fn registered_slices(setting: &Setting) {
    let sorter = Sorter::on(&setting.context.new_stream().unwrap()).unwrap();
    sorter.set_staging_bytes(SMALL);
    let mut rng = setting.seed.rng("registered");
    let n = 1 << 19;
    let (mut keys, mut values) = (random::<u32>(n, &mut rng), random::<u32>(n, &mut rng));
    let first = keys.as_mut_ptr();
    {
        // SAFETY: the vector outlives it.
        let _all = unsafe { Registered::new(&setting.context, first, n) };
        check_in_place(&sorter, &mut keys[3..], &mut values[3..], "a registered slice");
    }
    shuffle_bits(&mut keys);
    {
        // SAFETY: the vector outlives it.
        let _half = unsafe { Registered::new(&setting.context, first, n / 2) };
        check_in_place(&sorter, &mut keys, &mut values, "a slice that leaves its range");
        shuffle_bits(&mut keys);
        // SAFETY: the same.
        let _other = unsafe { Registered::new(&setting.context, first.add(n / 2 + 4096), n / 4) };
        let end = n / 2 + 4096 + n / 4;
        check_in_place(&sorter, &mut keys[..end], &mut values[..end], "a slice of two ranges");
    }
    // Memory that cudarc knows nothing of.
    // SAFETY: it is written before it is read, and freed after the last use.
    unsafe {
        let memory = result::malloc_host(4 * n, 0).unwrap();
        let slice = std::slice::from_raw_parts_mut(memory.cast::<u32>(), n);
        slice.copy_from_slice(&random::<u32>(n, &mut rng));
        check_in_place(&sorter, slice, &mut values, "a slice of the driver's");
        result::free_host(memory).unwrap();
    }
}

fn threads_share_a_sorter(setting: &Setting) {
    let stream = setting.context.new_stream().unwrap();
    let sorter = Sorter::on(&stream).unwrap();
    // Some are staged, and some are not.
    let (rounds, most, on_device) =
        if setting.sanitize { (2, 150_000, 10) } else { (10, 300_000, 100) };
    let sort = |thread: u64| {
        let mut rng = sortsmith_testkit::seed::Seed(setting.seed.0 ^ thread).rng("threads");
        for _ in 0..rounds {
            let n = rng.random_range(2..most);
            let (mut keys, mut values) = (random::<u32>(n, &mut rng), random::<u32>(n, &mut rng));
            check_in_place(&sorter, &mut keys, &mut values, "threads");
        }
    };
    thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || sort(thread));
        }
        scope.spawn(|| {
            let mut keys = stream
                .clone_htod(&random::<u32>(100_000, &mut setting.seed.rng("device")))
                .unwrap();
            for _ in 0..on_device {
                sorter.sort::<u32>(&mut keys).unwrap();
            }
            assert!(stream.clone_dtoh(&keys).unwrap().is_sorted());
        });
    });
    // Threads of the pool, which waits for others of them.
    (0..16u64).into_par_iter().for_each(sort);
}

fn memory_of_any_size(setting: &Setting) {
    let sorter = Sorter::on(&setting.context.new_stream().unwrap()).unwrap();
    let mut rng = setting.seed.rng("memory");
    // By the same kernels.
    let n = if setting.sanitize { 140_003 } else { 200_003 };
    for bytes in [0, 1, 1 << 14, 100_000, 1 << 20, 3 << 20, 100 << 20, 1 << 16] {
        sorter.set_staging_bytes(bytes);
        check::<u32, u64>(&sorter, n, &mut rng);
    }
}

/// Slices that the device has no memory for are sorted in runs, by all functions for host slices; if there is no memory for runs either, the
/// error says so, and the slices are unchanged.
fn beyond_device_memory(setting: &Setting) {
    let stream = setting.context.new_stream().unwrap();
    let sorter = Sorter::on(&stream).unwrap();
    let mut rng = setting.seed.rng("beyond device memory");
    // Kernels take memory too.
    check::<u32, u32>(&sorter, 1 << 20, &mut rng);
    check::<f32, u64>(&sorter, 1 << 20, &mut rng);
    sorter.release();
    stream.synchronize().unwrap();
    let left = 640 << 20;
    let all_but = |left: usize| {
        let (free, _) = setting.context.mem_get_info().unwrap();
        stream.alloc_zeros::<u8>(free.checked_sub(left).unwrap()).unwrap()
    };
    let taken = all_but(left);
    // Pairs of as many bytes as the device has left, and of twice as many.
    check::<u32, u32>(&sorter, left / 8, &mut rng);
    check::<f32, u64>(&sorter, left / 6 + 1, &mut rng);
    drop(taken);
    sorter.release();
    stream.synchronize().unwrap();
    let _taken = all_but(40 << 20);
    let keys: Vec<u32> = random(1 << 25, &mut rng);
    let mut found = keys.clone();
    let error = sorter.sort(&mut found).unwrap_err();
    assert!(matches!(error, Error::OutOfDeviceMemory { .. }), "{error}");
    assert!(found == keys);
}
