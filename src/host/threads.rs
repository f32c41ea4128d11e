//! The threads of a sort on the host.
//!
//! They are rayon's, and a fork copies none of them: in the child of a process with such threads a parallel sort would wait for
//! ever. So a process that was forked after this code was loaded sorts on threads of its own. A fork is detected by the process id,
//! which is recorded when the code is loaded: rayon's threads start later, in this crate or in others.
//!
//! Tasks are behind references: so rayon's code is compiled once, and not for each type of keys and values.

use std::cell::Cell;
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::team;

/// The smallest number of items that several threads sort. It is small under Miri, which is slow, so that several run there too.
pub(crate) const PARALLEL_MIN: usize = if cfg!(miri) { 320 } else { 1 << 16 };

/// The number of bytes that take as long to move as to find an item's slot, in a pass of a sort.
const BYTES_OF_ITEM: usize = 8;
/// The number of passes over large keys.
const PASSES_MAX: usize = 3;
/// The least work of a team, in bytes that passes move: each takes a thread about 1/8 ns.
const TEAM_MIN_WORK: usize = 1 << 21;
/// The work for each thread of a team, so that it pays to wake it up.
const THREAD_WORK: usize = 1 << 19;
/// The least number of items that all threads sort.
pub(super) const TEAM_MAX: usize = if cfg!(miri) { 360 } else { 1 << 19 };

/// This number of items for a task of a thread. Under Miri few, so that several tasks run there too.
pub(super) const fn of_task(items: usize) -> usize {
    if cfg!(miri) { 80 } else { items }
}

/// The id of the process that loaded the code; 0 before it is recorded.
static LOADED_IN: AtomicU32 = AtomicU32::new(0);

/// Records the process id, run by the dynamic loader. On platforms without `.init_array` the first sort records it, which is too late
/// only if a process uses rayon, forks, and its child is the first to sort.
#[cfg(all(unix, not(miri)))]
#[used]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
static AT_LOAD: extern "C" fn() = record_process;

extern "C" fn record_process() {
    let _ = LOADED_IN.compare_exchange(0, process::id(), Ordering::Relaxed, Ordering::Relaxed);
}

thread_local! {
    /// Whether this thread sorts without other threads.
    static IS_ALONE: Cell<bool> = const { Cell::new(false) };
}

/// Whether several threads sort this number of items: if it is large enough and the pool has several.
pub(super) fn is_parallel(items: usize) -> bool {
    items >= PARALLEL_MIN && !IS_ALONE.get() && rayon::current_num_threads() > 1
}

/// Whether several threads read this number of keys once, which takes a small part of a sort.
pub(super) fn is_parallel_scan(items: usize) -> bool {
    const PART: usize = if cfg!(miri) { 1 } else { 8 };
    is_parallel(items / PART)
}

/// How many threads sort this number of items by moving them. A few, which form a [team](super::team), where all would take as long to wake
/// up.
pub(super) fn of_sort<K, V>(items: usize) -> usize {
    if !is_parallel(items) {
        return 1;
    }
    let all = rayon::current_num_threads();
    if cfg!(miri) || !is_for_team(items) {
        return all;
    }
    let passes = size_of::<K>().min(PASSES_MAX);
    let work = items * passes * (size_of::<K>() + size_of::<V>() + BYTES_OF_ITEM);
    if work < TEAM_MIN_WORK { 1 } else { all.min(1 + work / THREAD_WORK) }
}

/// Whether a team sorts this number of items.
pub(super) fn is_for_team(items: usize) -> bool {
    items < TEAM_MAX
}

/// Whether several threads sort this number of items, and more than a few: with those, four times the work of one thread takes longer.
pub(super) fn are_many(items: usize) -> bool {
    const FEW: usize = 4;
    is_parallel(items) && rayon::current_num_threads() > FEW
}

/// How many threads the caller's pool has beside one. None where the pool may have no threads: in a forked process.
pub(super) fn others() -> usize {
    if LOADED_IN.load(Ordering::Relaxed) == 0 {
        record_process();
    }
    let may_lack_threads = IS_ALONE.get() || LOADED_IN.load(Ordering::Relaxed) != process::id();
    if may_lack_threads { 0 } else { rayon::current_num_threads().saturating_sub(1) }
}

/// How many threads a sort of many items has in the caller's pool.
#[cfg(feature = "cuda")]
pub(crate) fn count() -> usize {
    others() + 1
}

/// Runs these tasks, on several threads if `is_parallel`.
pub(super) fn for_each(tasks: usize, is_parallel: bool, task: &(dyn Fn(usize) + Sync)) {
    if is_parallel {
        if !team::run_led(tasks, task) {
            (0..tasks).into_par_iter().for_each(task);
        }
    } else {
        (0..tasks).for_each(task);
    }
}

/// The address of items.
struct Items<T>(*mut T);
// SAFETY: each item is accessed by one thread, and may be sent to it.
unsafe impl<T: Send> Sync for Items<T> {}

/// Runs a task for each chunk of the items, with the chunk's number, on several threads if `is_parallel`.
pub(super) fn for_each_chunk<T: Send>(
    items: &mut [T],
    chunk: usize,
    is_parallel: bool,
    task: &(dyn Fn(usize, &mut [T]) + Sync),
) {
    assert!(chunk > 0);
    let length = items.len();
    let items = &Items(items.as_mut_ptr());
    for_each(length.div_ceil(chunk), is_parallel, &|number| {
        let begin = number * chunk;
        // SAFETY: the chunks are disjoint ranges of items that are borrowed exclusively, and each task is run once.
        let chunk = unsafe {
            std::slice::from_raw_parts_mut(items.0.add(begin), chunk.min(length - begin))
        };
        task(number, chunk);
    });
}

/// Reverses items, on several threads if there are many.
pub(super) fn reverse<T: Send>(items: &mut [T]) {
    const REVERSED: usize = of_task(1 << 13);
    if !is_parallel_scan(items.len()) {
        return items.reverse();
    }
    let (front, others) = items.split_at_mut(items.len() / 2);
    let (half, middle) = (front.len(), others.len() - front.len());
    let back = &Items(others[middle..].as_mut_ptr());
    for_each_chunk(front, REVERSED, true, &|number, chunk| {
        let end = half - number * REVERSED;
        // SAFETY: the mirror images of disjoint chunks are disjoint, within the back half, which is borrowed exclusively.
        let mirrored =
            unsafe { std::slice::from_raw_parts_mut(back.0.add(end - chunk.len()), chunk.len()) };
        for (one, other) in chunk.iter_mut().zip(mirrored.iter_mut().rev()) {
            std::mem::swap(one, other);
        }
    });
}

/// Reverses each run of items that are alike, on several threads if there are many. `is_alike` says whether the item of a slot is like that of the
/// slot before.
pub(super) fn reverse_runs<T: Send>(items: &mut [T], is_alike: &(impl Fn(usize) -> bool + Sync)) {
    const CHUNK: usize = of_task(1 << 14);
    let n = items.len();
    let items = &Items(items.as_mut_ptr());
    for_each(n.div_ceil(CHUNK), is_parallel_scan(n), &|number| {
        let (mut begin, end) = (number * CHUNK, n.min((number + 1) * CHUNK));
        // A run is reversed by the task that has its beginning.
        while begin > 0 && begin < end && is_alike(begin) {
            begin += 1;
        }
        while begin < end {
            let next = (begin + 1..n).find(|slot| !is_alike(*slot)).unwrap_or(n);
            if next > begin + 1 {
                // SAFETY: runs are disjoint ranges of items that are borrowed exclusively, and each is of one task.
                let run =
                    unsafe { std::slice::from_raw_parts_mut(items.0.add(begin), next - begin) };
                run.reverse();
            }
            begin = next;
        }
    });
}

/// The first of these tasks that does not return true. After one that does not, few later ones are run.
pub(super) fn first_untrue(tasks: usize, task: &(dyn Fn(usize) -> bool + Sync)) -> Option<usize> {
    (0..tasks).into_par_iter().find_first(|number| !task(*number))
}

/// Runs two tasks at the same time.
pub(super) fn join(one: &mut (dyn FnMut() + Send), other: &mut (dyn FnMut() + Send)) {
    rayon::join(one, other);
}

/// Runs a sort of this number of items in a context with threads: the caller's, or in a forked process a pool of its own.
pub(super) fn run(items: usize, sort: &mut (dyn FnMut() + Send)) {
    if LOADED_IN.load(Ordering::Relaxed) == 0 {
        record_process();
    }
    // The process id is a call of the system.
    if items < PARALLEL_MIN || LOADED_IN.load(Ordering::Relaxed) == process::id() {
        return sort();
    }
    // A thread of rayon's that has forked would wait for threads that do not exist, whatever pool it uses.
    let is_of_rayon = rayon::current_thread_index().is_some();
    match own_pool().filter(|_| !is_of_rayon) {
        Some(pool) => pool.install(sort),
        None => alone(sort),
    }
}

/// Runs a sort, or a task of one, on the calling thread.
pub(super) fn alone<R>(sort: impl FnOnce() -> R) -> R {
    /// Restores the flag, also if the sort panics.
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            IS_ALONE.set(self.0);
        }
    }
    let _restore = Restore(IS_ALONE.replace(true));
    sort()
}

/// Locks without waiting. `None` if another thread holds the lock. A lock that a panic has poisoned is taken like any other: content that is
/// changed by single assignments is complete.
pub(super) fn try_lock<T>(lock: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    match lock.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// The pool of a process of this id.
static OWN: Mutex<Option<(u32, &'static ThreadPool)>> = Mutex::new(None);

/// The pool of this process, which lives as long as the process. `None` if the system refuses threads, or if another thread held the
/// lock when the process was forked.
fn own_pool() -> Option<&'static ThreadPool> {
    let mut own = try_lock(&OWN)?;
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
    fn the_process_is_recorded_when_the_code_is_loaded() {
        assert!(cfg!(miri) || LOADED_IN.load(Ordering::Relaxed) == process::id());
        record_process();
        let mut runs = 0;
        run(PARALLEL_MIN, &mut || runs += 1);
        assert_eq!(runs, 1);
        assert_eq!(LOADED_IN.load(Ordering::Relaxed), process::id());
    }

    #[test]
    fn a_poisoned_lock_leaves_a_process_its_pool() {
        let poison = || {
            let _own = OWN.lock();
            panic!("with the lock");
        };
        assert!(std::panic::catch_unwind(poison).is_err() && OWN.is_poisoned());
        let pool = own_pool().expect("a pool");
        assert!(std::ptr::eq(own_pool().expect("a pool"), pool), "one pool");
        assert_eq!(pool.install(|| 7), 7);
    }

    #[test]
    fn a_held_lock_is_not_waited_for() {
        let lock = Mutex::new(3);
        let held = try_lock(&lock).expect("no thread holds it");
        assert!(try_lock(&lock).is_none());
        drop(held);
        assert!(try_lock(&lock).is_some_and(|content| *content == 3));
    }

    #[test]
    fn a_thread_that_is_alone_uses_no_others() {
        assert!(!alone(|| is_parallel(usize::MAX)));
        assert_eq!(is_parallel(usize::MAX), rayon::current_num_threads() > 1);
        let panicked = std::panic::catch_unwind(|| alone(|| panic!("in a sort")));
        assert!(panicked.is_err() && !IS_ALONE.get());
    }
}
