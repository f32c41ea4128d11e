//! Numbered work that threads share.

use std::hint;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// How often a thread looks for a piece before it sleeps: some microseconds. A core that runs two threads is slowed down by one that
/// only looks.
const LOOKS: u32 = 100;

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
    /// How many threads sleep until they may take a piece, or none is left.
    sleepers: Mutex<usize>,
    has_changed: Condvar,
}

impl Progress {
    /// Of `count` pieces in this number of slots; no thread may take one yet.
    pub fn new(count: usize, slots: usize) -> Self {
        Self {
            count,
            next: AtomicUsize::new(0),
            limit: AtomicUsize::new(0),
            finished: (0..slots.min(count)).map(|_| AtomicUsize::new(0)).collect(),
            is_over: AtomicBool::new(false),
            sleepers: Mutex::new(0),
            has_changed: Condvar::new(),
        }
    }

    /// Permits threads to take the pieces below this one. The slots of these pieces are free: those before them in the slots have
    /// been finished, and their content has been used.
    pub fn permit(&self, limit: usize) {
        let limit = limit.min(self.count);
        let permitted = limit - self.limit.swap(limit, Ordering::AcqRel).min(limit);
        let sleepers = *self.lock();
        if sleepers == 0 {
            return;
        }
        if limit == self.count || permitted >= sleepers {
            self.has_changed.notify_all();
        } else {
            (0..permitted).for_each(|_| self.has_changed.notify_one());
        }
    }

    /// Works on pieces until all are taken, or the work is over.
    pub fn help(&self, work: &(dyn Fn(usize) + Sync)) {
        let mut looks = 0;
        while self.has_more() {
            looks = if self.work_on_one(work) { 0 } else { looks + 1 };
            if looks < LOOKS {
                hint::spin_loop();
            } else {
                self.sleep();
            }
        }
    }

    /// Works until this piece is finished, on it or on others. It was permitted.
    pub fn finish(&self, number: usize, work: &(dyn Fn(usize) + Sync)) {
        let finished = &self.finished[number % self.finished.len()];
        let mut looks = 0;
        while finished.load(Ordering::Acquire) <= number {
            looks = if self.work_on_one(work) { 0 } else { looks + 1 };
            if looks < LOOKS {
                hint::spin_loop();
            } else {
                thread::yield_now();
            }
        }
    }

    /// The work is over when the result is dropped: threads leave that have no piece.
    pub fn over_at_end(&self) -> impl Drop + '_ {
        struct Over<'a>(&'a Progress);
        impl Drop for Over<'_> {
            fn drop(&mut self) {
                self.0.is_over.store(true, Ordering::Release);
                if *self.0.lock() > 0 {
                    self.0.has_changed.notify_all();
                }
            }
        }
        Over(self)
    }

    fn has_more(&self) -> bool {
        !self.is_over.load(Ordering::Acquire) && self.next.load(Ordering::Relaxed) < self.count
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

    /// Sleeps until a piece may be taken, or none is left. What it waits for is changed before the lock is taken, so no wake-up is
    /// missed.
    fn sleep(&self) {
        let mut sleepers = self.lock();
        *sleepers += 1;
        while self.has_more()
            && self.next.load(Ordering::Relaxed) >= self.limit.load(Ordering::Acquire)
        {
            sleepers = self.has_changed.wait(sleepers).unwrap_or_else(PoisonError::into_inner);
        }
        *sleepers -= 1;
    }

    fn lock(&self) -> MutexGuard<'_, usize> {
        self.sleepers.lock().unwrap_or_else(PoisonError::into_inner)
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
