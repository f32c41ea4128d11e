//! How much memory a call takes.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Bytes that this thread has, less those that it gave back, and the most of them since they were last looked at.
    static LIVE: Cell<(isize, isize)> = const { Cell::new((0, 0)) };
}

/// The system's allocator, counted for each thread.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn count(bytes: isize) {
    // A thread that ends may free memory after its counters are gone.
    let _ = LIVE.try_with(|live| {
        let (now, most) = live.get();
        live.set((now + bytes, most.max(now + bytes)));
    });
}

// SAFETY: each call goes to the system's allocator as it is; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's promises are those that it asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as isize - layout.size() as isize);
        // SAFETY: as above.
        unsafe { System.realloc(at, layout, size) }
    }
}

/// What a call returns, and the most bytes that its thread had at a time beyond those before it.
pub fn peak_of<T>(call: impl FnOnce() -> T) -> (T, usize) {
    let before = LIVE.with(|live| {
        let (now, _) = live.get();
        live.set((now, now));
        now
    });
    let result = call();
    let (_, most) = LIVE.with(Cell::get);
    (result, (most - before) as usize)
}
