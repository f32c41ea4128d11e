//! A team: the calling thread and a few helpers, for sorts that take less time than the pool's threads take to wake up one after the other.
//!
//! The calling thread leads. It begins the tasks of each phase of the sort by itself, and whichever helpers are awake take tasks too: so it waits
//! for tasks that have begun alone, and never for a thread to begin one.

use std::cell::Cell;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

use super::helpers::with_helpers;
use super::threads;

thread_local! {
    /// The team that this thread leads, or null.
    static LED: Cell<*const Team> = const { Cell::new(ptr::null()) };
}

/// The tasks of a phase.
struct Phase<'a> {
    task: &'a (dyn Fn(usize) + Sync),
    tasks: usize,
    /// The first task that no thread has taken.
    next: AtomicUsize,
}

impl Phase<'_> {
    /// Runs tasks until all are taken.
    fn work(&self) {
        loop {
            let task = self.next.fetch_add(1, Ordering::Relaxed);
            if task >= self.tasks {
                return;
            }
            // A thread of rayon's that waited here for another one could take over a helper's call, which ends after the sort.
            threads::alone(|| (self.task)(task));
        }
    }
}

/// What the members of a team share.
#[derive(Default)]
struct Team {
    /// The phase in progress, or null.
    phase: AtomicPtr<Phase<'static>>,
    /// The number of helpers that may access the phase.
    inside: AtomicUsize,
    is_over: AtomicBool,
}

impl Team {
    /// Runs these tasks, and returns after the last one.
    fn run(&self, tasks: usize, task: &(dyn Fn(usize) + Sync)) {
        /// Ends the phase when it is dropped, also if a task panics.
        struct Ending<'a>(&'a Team);
        impl Drop for Ending<'_> {
            fn drop(&mut self) {
                self.0.phase.store(ptr::null_mut(), Ordering::SeqCst);
                // A helper that is counted later finds no phase.
                wait(&|| self.0.inside.load(Ordering::SeqCst) == 0);
            }
        }
        let phase = Phase { task, tasks, next: AtomicUsize::new(0) };
        let _ending = Ending(self);
        self.phase.store(ptr::from_ref(&phase).cast_mut().cast(), Ordering::SeqCst);
        phase.work();
    }

    /// Helps in each phase until the sort is over.
    fn help(&self) {
        /// Counts a helper out, also if a task panics.
        struct Leaving<'a>(&'a AtomicUsize);
        impl Drop for Leaving<'_> {
            fn drop(&mut self) {
                self.0.fetch_sub(1, Ordering::SeqCst);
            }
        }
        let is_over = || self.is_over.load(Ordering::Acquire);
        while !is_over() {
            let last = self.phase.load(Ordering::Relaxed);
            if !last.is_null() {
                self.inside.fetch_add(1, Ordering::SeqCst);
                let _leaving = Leaving(&self.inside);
                // SAFETY: the leader ends the phase after it has stored null, and after that no helper is counted that has read it.
                if let Some(phase) = unsafe { self.phase.load(Ordering::SeqCst).as_ref() } {
                    phase.work();
                }
            }
            // The next phase is elsewhere or has the same address. The latter helps a little later, when the null between is seen.
            wait(&|| is_over() || self.phase.load(Ordering::Relaxed) != last);
        }
    }
}

/// Waits for something that other threads do soon.
fn wait(is_done: &dyn Fn() -> bool) {
    const SPINS: usize = if cfg!(miri) { 1 } else { 64 };
    while !is_done() {
        for _ in 0..SPINS {
            std::hint::spin_loop();
        }
        if !is_done() {
            std::thread::yield_now();
        }
    }
}

/// Runs a sort that this thread leads, with up to this number of threads. [`run_led`] runs its tasks.
pub(super) fn with_team<R>(threads: usize, sort: impl FnOnce() -> R) -> R {
    /// Ends the team when it is dropped, also if the sort panics.
    struct Leading<'a>(&'a Team, *const Team);
    impl Drop for Leading<'_> {
        fn drop(&mut self) {
            LED.set(self.1);
            self.0.is_over.store(true, Ordering::Release);
        }
    }
    // In a forked process the pool's threads are found by rayon alone.
    if threads < 2 || threads::others() == 0 {
        return sort();
    }
    let team = &Team::default();
    with_helpers(threads - 1, &|| team.help(), || {
        let _leading = Leading(team, LED.replace(team));
        sort()
    })
}

/// Runs these tasks, and returns true, if this thread leads a team.
pub(super) fn run_led(tasks: usize, task: &(dyn Fn(usize) + Sync)) -> bool {
    // SAFETY: the team outlives the call of `with_team` that has set this and will restore what was there.
    let Some(team) = (unsafe { LED.get().as_ref() }) else { return false };
    team.run(tasks, task);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_team_runs_each_task_once_in_each_phase() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().expect("threads");
        let rounds = if cfg!(miri) { 2 } else { 200 };
        for threads in [1, 2, 4, 9] {
            let sort = || {
                for phase in 0..rounds {
                    let counts: Vec<AtomicUsize> = (0..=phase % 7).map(AtomicUsize::new).collect();
                    let task = |task: usize| {
                        counts[task].fetch_add(1, Ordering::Relaxed);
                    };
                    let is_led = threads > 1 && threads::others() > 0;
                    assert_eq!(run_led(counts.len(), &task), is_led);
                    let is_run = |(task, count): (usize, &AtomicUsize)| {
                        count.load(Ordering::Relaxed) == task + usize::from(is_led)
                    };
                    assert!(counts.iter().enumerate().all(is_run));
                }
            };
            with_team(threads, sort);
            pool.install(|| with_team(threads, sort));
        }
        assert!(!run_led(1, &|_| ()));
    }

    #[test]
    fn a_panic_of_a_leader_ends_the_team() {
        let panicked = std::panic::catch_unwind(|| {
            with_team(3, || {
                run_led(2, &|_| ());
                panic!("in the sort");
            });
        });
        assert!(panicked.is_err() && !run_led(1, &|_| ()));
    }
}
