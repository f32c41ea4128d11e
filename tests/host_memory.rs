//! What sorts on the host allocate, counted by the allocator of this program.

#![allow(clippy::unwrap_used)] // a failed unwrap is a failed test

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts the bytes that are allocated, and the most of them at a time.
struct Counted;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: calls go to the system's allocator as they are.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(now, Ordering::Relaxed);
        // SAFETY: as the caller guarantees.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as the caller guarantees.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counted = Counted;

/// The bytes that a sort has allocated at a time.
fn most_bytes(sort: impl FnOnce()) -> usize {
    let before = NOW.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    sort();
    MOST.load(Ordering::Relaxed) - before
}

/// One test, because others would allocate at the same time. Each sort is larger than the one before, so that none finds memory that
/// another one has left.
#[test]
fn a_sort_allocates_one_copy_of_its_data_and_an_eighth() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    // Large sorts take complete pages of 2 MiB, and some tables.
    let bound = |bytes: usize| bytes + bytes / 8 + (9 << 18);
    let word = |item: u32| item.wrapping_mul(2_654_435_761) ^ item >> 7;
    for n in [1 << 20, 1 << 21, 1 << 22] {
        let classes: [fn(u32) -> u32; 3] = [|word| word, |word| word % 9, |word| word & word << 7];
        for class in classes {
            let mut keys: Vec<u32> = (0..n as u32).map(|item| class(word(item))).collect();
            let mut values: Vec<u32> = (0..n as u32).collect();
            let most = pool.install(|| most_bytes(|| sortsmith::sort(&mut keys).unwrap()));
            assert!(most <= bound(n * 4), "{n} keys: {most} bytes");
            keys.iter_mut().zip(0..).for_each(|(key, item)| *key = class(word(item)));
            let sort = || sortsmith::sort_pairs(&mut keys, &mut values).unwrap();
            let most = pool.install(|| most_bytes(sort));
            assert!(most <= bound(n * 8), "{n} pairs: {most} bytes");
        }
    }
    let mut keys: Vec<u16> = (0..1000).map(|item| word(item) as u16).collect();
    let most = most_bytes(|| sortsmith::sort(&mut keys).unwrap());
    assert_eq!(most, 0, "a small n is sorted by way of the stack");
}
