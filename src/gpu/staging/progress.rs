//! Numbered work that threads share.

use std::hint;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// Work on pieces that threads take one after the other, as far as they may, and finish in any order.
#[derive(Debug)]
pub struct Progress {
    count: usize,
    /// The first piece that no thread has taken.
    next: AtomicUsize,
    /// The first piece that no thread may take.
    limit: AtomicUsize,
    /// For each slot one more than the last finished piece of it.
    finished: Vec<AtomicUsize>,
    is_over: AtomicBool,
}

impl Progress {
    /// Of `count` pieces in this number of slots; no thread may take one yet.
    pub fn new(count: usize, slots: usize) -> Self {
        let finished = (0..slots.min(count)).map(|_| AtomicUsize::new(0)).collect();
        let (next, limit) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Self { count, next, limit, finished, is_over: AtomicBool::new(false) }
    }

    /// Permits threads to take the pieces below this one. The slots of these pieces are free: those before them in the slots have
    /// been finished, and their content has been used.
    pub fn permit(&self, limit: usize) {
        self.limit.store(limit.min(self.count), Ordering::Release);
    }

    /// Works on pieces until all are taken, or the work is over.
    pub fn help(&self, work: &(dyn Fn(usize) + Sync)) {
        let mut pause = Pause::default();
        while !self.is_over.load(Ordering::Relaxed)
            && self.next.load(Ordering::Relaxed) < self.count
        {
            if self.work_on_one(work) {
                pause = Pause::default();
            } else {
                pause.wait();
            }
        }
    }

    /// Works until this piece is finished, on it or on others. It was permitted.
    pub fn finish(&self, number: usize, work: &(dyn Fn(usize) + Sync)) {
        let finished = &self.finished[number % self.finished.len()];
        let mut pause = Pause::default();
        while finished.load(Ordering::Acquire) <= number {
            if self.work_on_one(work) {
                pause = Pause::default();
            } else {
                pause.wait();
            }
        }
    }

    fn work_on_one(&self, work: &(dyn Fn(usize) + Sync)) -> bool {
        let limit = self.limit.load(Ordering::Acquire);
        let take = |next| (next < limit).then_some(next + 1);
        let taken = self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
        if let Ok(number) = taken {
            work(number);
            self.finished[number % self.finished.len()].store(number + 1, Ordering::Release);
        }
        taken.is_ok()
    }

    /// The work is over when the result is dropped: threads leave that have no piece.
    pub fn over_at_end(&self) -> impl Drop + '_ {
        struct Over<'a>(&'a AtomicBool);
        impl Drop for Over<'_> {
            fn drop(&mut self) {
                self.0.store(true, Ordering::Relaxed);
            }
        }
        Over(&self.is_over)
    }
}

/// A wait that leaves the core to other threads if it is not short.
#[derive(Debug, Default)]
struct Pause(u32);

impl Pause {
    fn wait(&mut self) {
        self.0 += 1;
        if self.0 < 64 { hint::spin_loop() } else { thread::yield_now() }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn each_piece_is_worked_on_once_and_in_the_limit() {
        for threads in [0, 1, 4] {
            let (count, slots) = (100, 4);
            let progress = Progress::new(count, slots);
            let (permitted, seen) = (AtomicUsize::new(slots), Mutex::new(Vec::new()));
            let work = |number| {
                assert!(number < permitted.load(Ordering::SeqCst));
                seen.lock().expect("no thread panicked").push(number);
            };
            thread::scope(|scope| {
                for _ in 0..threads {
                    scope.spawn(|| progress.help(&work));
                }
                let _over = progress.over_at_end();
                progress.permit(slots);
                for number in 0..count {
                    progress.finish(number, &work);
                    permitted.store(number + 1 + slots, Ordering::SeqCst);
                    progress.permit(number + 1 + slots);
                }
            });
            let mut seen = seen.into_inner().expect("no thread panicked");
            seen.sort_unstable();
            assert!(seen.into_iter().eq(0..count), "{threads} threads");
        }
    }

    #[test]
    fn helpers_leave_when_the_work_is_over() {
        let progress = Progress::new(3, 2);
        thread::scope(|scope| {
            scope.spawn(|| progress.help(&|_| ()));
            drop(progress.over_at_end());
        });
    }
}
