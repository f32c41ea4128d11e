//! The allocator of this program: it counts bytes, and refuses an allocation where a test wants that.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::ThreadPool;

/// Counts the bytes that are allocated, and the most of them at a time. While it is armed it refuses one allocation of a sort.
struct Counted;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

/// The smallest allocations of a sort that are numbered; none while it is not armed.
static NUMBERED_MIN: AtomicUsize = AtomicUsize::new(usize::MAX);
/// How many of them there were.
static NUMBERED: AtomicUsize = AtomicUsize::new(0);
/// The number of the one that is refused, from one on.
static REFUSED: AtomicUsize = AtomicUsize::new(0);
/// Its size, when it has been refused.
static REFUSED_BYTES: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// Whether this is a thread of sorts that may be refused memory.
    static IS_OF_SORTS: Cell<bool> = const { Cell::new(false) };
}

/// Allocations of fewer bytes are small tables, and the library's dependencies make such ones.
pub const LARGE: usize = 1 << 16;

/// The bytes that are allocated now.
pub fn bytes_now() -> usize {
    NOW.load(Ordering::SeqCst)
}

/// Makes this a thread of sorts that may be refused memory.
pub fn enter_sorts() {
    IS_OF_SORTS.set(true);
}

/// Runs a sort on a thread of sorts, and refuses its large allocation of this number. The size of that one, if there were as many.
pub fn refusing<R: Send>(
    number: usize,
    pool: &ThreadPool,
    sort: impl FnOnce() -> R + Send,
) -> (R, Option<usize>) {
    NUMBERED.store(0, Ordering::SeqCst);
    REFUSED_BYTES.store(0, Ordering::SeqCst);
    REFUSED.store(number, Ordering::SeqCst);
    let result = pool.install(|| {
        NUMBERED_MIN.store(LARGE, Ordering::SeqCst);
        let result = sort();
        NUMBERED_MIN.store(usize::MAX, Ordering::SeqCst);
        result
    });
    let bytes = REFUSED_BYTES.load(Ordering::SeqCst);
    (result, (bytes > 0).then_some(bytes))
}

/// Whether an allocation is the one that is refused.
fn is_refused(bytes: usize) -> bool {
    if bytes < NUMBERED_MIN.load(Ordering::SeqCst) || !IS_OF_SORTS.get() {
        return false;
    }
    let number = NUMBERED.fetch_add(1, Ordering::SeqCst) + 1;
    let is_refused = number == REFUSED.load(Ordering::SeqCst);
    if is_refused {
        REFUSED_BYTES.store(bytes, Ordering::SeqCst);
    }
    is_refused
}

// SAFETY: calls go to the system's allocator as they are, but for one that returns no memory.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if is_refused(layout.size()) {
            return ptr::null_mut();
        }
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

/// Tests allocate one after the other, because each would be counted with the others.
pub fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The bytes that a sort has allocated at a time.
pub fn most_bytes(sort: impl FnOnce()) -> usize {
    let before = NOW.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    sort();
    MOST.load(Ordering::Relaxed) - before
}
