//! Work on all cores, item by item.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Does the work for every item, on all cores: a core that is done takes the next item. Each has a state of its own.
pub fn for_each<T: Sync, State>(
    items: &[T],
    state: impl Fn() -> State + Sync,
    work: impl Fn(&mut State, &T) + Sync,
) {
    let next = AtomicUsize::new(0);
    let of_core = || {
        let mut state = state();
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            work(&mut state, item);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(of_core);
        }
    });
}
