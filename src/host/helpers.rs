//! Threads of the pool that help the calling thread.
//!
//! The calling thread may hold locks, and it may be one of the pool's. So it waits for no task that has not begun, and runs no other
//! tasks meanwhile, as it would in a scope of rayon's: one of these could wait for its locks.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::threads;

/// Runs `lead`, and meanwhile `help` on up to `most` other threads: on as many as the caller's pool has beside one, if they are idle.
///
/// Each call of `help` has to return soon after `lead` has returned or panicked, and must not panic. No call is in progress when this
/// function returns or unwinds, and none begins later.
pub fn with_helpers<R>(most: usize, help: &(dyn Fn() + Sync), lead: impl FnOnce() -> R) -> R {
    let helpers = most.min(threads::others());
    if helpers == 0 {
        return lead();
    }
    // SAFETY: `Gate::pass` calls it while the gate is open alone, and this frame outlives that: `Closing` waits for the calls.
    let help =
        unsafe { std::mem::transmute::<&(dyn Fn() + Sync), &'static (dyn Fn() + Sync)>(help) };
    let gate = Arc::new(Gate { help, state: AtomicUsize::new(0) });
    let _closing = Closing(&gate);
    for _ in 0..helpers {
        let gate = Arc::clone(&gate);
        rayon::spawn(move || gate.pass());
    }
    lead()
}

/// What a task needs that may begin after the call has ended.
struct Gate {
    help: &'static (dyn Fn() + Sync),
    /// The number of calls in progress; with [`CLOSED`] no other begins.
    state: AtomicUsize,
}

const CLOSED: usize = 1 << (usize::BITS - 1);

impl Gate {
    /// Helps, unless the gate is closed.
    fn pass(&self) {
        /// Counts the call as ended, also if it panics.
        struct Leaving<'a>(&'a AtomicUsize);
        impl Drop for Leaving<'_> {
            fn drop(&mut self) {
                self.0.fetch_sub(1, Ordering::Release);
            }
        }
        let enter = |state| (state & CLOSED == 0).then_some(state + 1);
        if self.state.fetch_update(Ordering::Acquire, Ordering::Relaxed, enter).is_ok() {
            let _leaving = Leaving(&self.state);
            (self.help)();
        }
    }
}

/// Closes the gate when it is dropped, and waits for the calls in progress.
struct Closing<'a>(&'a Gate);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.state.fetch_or(CLOSED, Ordering::Relaxed);
        while self.0.state.load(Ordering::Acquire) != CLOSED {
            thread::yield_now();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{self, AssertUnwindSafe};
    use std::sync::Mutex;
    use std::sync::atomic::AtomicBool;

    use super::*;

    /// Counts calls in progress, which end when the flag is set.
    struct Work {
        running: AtomicUsize,
        calls: AtomicUsize,
        is_over: AtomicBool,
    }

    impl Work {
        fn new() -> Self {
            let (running, calls) = (AtomicUsize::new(0), AtomicUsize::new(0));
            Self { running, calls, is_over: AtomicBool::new(false) }
        }

        fn help(&self) {
            self.running.fetch_add(1, Ordering::SeqCst);
            self.calls.fetch_add(1, Ordering::SeqCst);
            while !self.is_over.load(Ordering::SeqCst) {
                thread::yield_now();
            }
            self.running.fetch_sub(1, Ordering::SeqCst);
        }
    }

    #[test]
    fn helpers_run_beside_the_caller_and_are_waited_for() {
        for threads in [1, 2, 4] {
            let pool =
                rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let work = Work::new();
            let done = pool.install(|| {
                with_helpers(7, &|| work.help(), || {
                    while work.calls.load(Ordering::SeqCst) < threads - 1 {
                        thread::yield_now();
                    }
                    work.is_over.store(true, Ordering::SeqCst);
                    5
                })
            });
            assert_eq!((done, work.running.load(Ordering::SeqCst)), (5, 0));
            assert_eq!(work.calls.load(Ordering::SeqCst), threads - 1);
        }
    }

    #[test]
    fn a_panic_waits_for_the_helpers_too() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("threads");
        let work = Work::new();
        let panicked = panic::catch_unwind(AssertUnwindSafe(|| {
            pool.install(|| {
                with_helpers(2, &|| work.help(), || {
                    while work.calls.load(Ordering::SeqCst) < 2 {
                        thread::yield_now();
                    }
                    work.is_over.store(true, Ordering::SeqCst);
                    panic!("in the call");
                });
            });
        }));
        assert!(panicked.is_err());
        assert_eq!(work.running.load(Ordering::SeqCst), 0);
    }

    /// The pool's only other thread waits for a lock that the caller holds.
    #[test]
    fn tasks_that_do_not_begin_are_not_waited_for() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
        let (lock, is_waiting) = (Mutex::new(()), AtomicBool::new(false));
        let of_other = Arc::new((lock, is_waiting));
        let of_caller = Arc::clone(&of_other);
        let calls = AtomicUsize::new(0);
        pool.install(|| {
            let (lock, is_waiting) = &*of_caller;
            let guard = lock.lock().expect("no thread panicked");
            rayon::spawn(move || {
                of_other.1.store(true, Ordering::SeqCst);
                drop(of_other.0.lock());
            });
            while !is_waiting.load(Ordering::SeqCst) {
                thread::yield_now();
            }
            let help = || {
                calls.fetch_add(1, Ordering::SeqCst);
            };
            with_helpers(1, &help, || ());
            drop(guard);
        });
        assert_eq!(calls.load(Ordering::SeqCst), 0);
    }
}
