//! The threads that a sort on the host runs on.
//!
//! They are rayon's, and a fork copies none of them: in the child of a process that had such threads a parallel sort would
//! wait for ever. So a process that was forked after this code was loaded sorts on threads of its own. Whether it was is told by
//! its number, which is noted when the code is loaded: rayon's threads are started later, by this crate or by others.

use std::cell::Cell;
use std::process;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// At least so many items are worth more than one thread. Miri, which is slow, is to see that too.
pub(super) const PARALLEL_MIN: usize = if cfg!(miri) { 600 } else { 1 << 16 };

/// The process that the code was loaded in; 0 before that is known.
static LOADED_IN: AtomicU32 = AtomicU32::new(0);

/// What notes the process, run by the dynamic loader. Where there is no such thing the first sort notes it, which is late
/// only if a process uses rayon, forks, and its child is the first to sort.
#[cfg(all(unix, not(miri)))]
#[used]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
static AT_LOAD: extern "C" fn() = note_process;

extern "C" fn note_process() {
    let _ = LOADED_IN.compare_exchange(0, process::id(), Ordering::Relaxed, Ordering::Relaxed);
}

thread_local! {
    /// Whether this thread sorts without the help of others.
    static IS_ALONE: Cell<bool> = const { Cell::new(false) };
}

/// Whether so many items are worth more than one thread, and there is more than one.
pub(super) fn is_parallel(items: usize) -> bool {
    items >= PARALLEL_MIN && !IS_ALONE.get() && rayon::current_num_threads() > 1
}

/// Sorts so many items where there are threads: where it is called, or in a forked process on threads of its own.
pub(super) fn run<R: Send>(items: usize, sort: impl FnOnce() -> R + Send) -> R {
    note_process();
    if items < PARALLEL_MIN || LOADED_IN.load(Ordering::Relaxed) == process::id() {
        return sort();
    }
    // A thread of rayon's that forked waits for threads that are not there, whatever pool it asks.
    let is_of_rayon = rayon::current_thread_index().is_some();
    match own_pool().filter(|_| !is_of_rayon) {
        Some(pool) => pool.install(sort),
        None => alone(sort),
    }
}

/// Sorts on the calling thread.
fn alone<R>(sort: impl FnOnce() -> R) -> R {
    /// Sets back what it has set, also if the sort panics.
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            IS_ALONE.set(self.0);
        }
    }
    let _before = Before(IS_ALONE.replace(true));
    sort()
}

/// This process's own threads, which stay. None if they cannot be had: the system may refuse threads, and another thread may
/// have been in here when the process was forked.
fn own_pool() -> Option<&'static ThreadPool> {
    static OWN: Mutex<Option<(u32, &'static ThreadPool)>> = Mutex::new(None);

    let mut own = OWN.try_lock().ok()?;
    match *own {
        Some((process, pool)) if process == process::id() => Some(pool),
        _ => {
            let pool: &ThreadPool = Box::leak(Box::new(ThreadPoolBuilder::new().build().ok()?));
            *own = Some((process::id(), pool));
            Some(pool)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_process_is_noted_when_the_code_is_loaded() {
        assert!(cfg!(miri) || LOADED_IN.load(Ordering::Relaxed) == process::id());
        note_process();
        assert_eq!(run(PARALLEL_MIN, || 3), 3);
        assert_eq!(LOADED_IN.load(Ordering::Relaxed), process::id());
    }

    #[test]
    fn a_thread_that_is_alone_uses_no_others() {
        assert!(!alone(|| is_parallel(usize::MAX)));
        assert_eq!(is_parallel(usize::MAX), rayon::current_num_threads() > 1);
        let panicked = std::panic::catch_unwind(|| alone(|| panic!("in a sort")));
        assert!(panicked.is_err() && !IS_ALONE.get());
    }
}
