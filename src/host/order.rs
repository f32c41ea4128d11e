//! Keys that are in order, or in the opposite order.

use super::compare::Comparison;
use super::threads::{all, is_parallel};
use crate::key::SortKey;

/// The number of keys that are compared at once.
const BLOCK: usize = 64;
/// The number of keys that a thread compares at once.
const CHUNK: usize = 1 << 14;

/// The order of keys that are one run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Run {
    InOrder,
    Reversed,
    /// Reversed, and no two neighbours are equal.
    StrictlyReversed,
}

/// The order of the keys, if they have one: of keys in any order the first few tell that they have none.
pub(super) fn of<K: SortKey, const NAN_LAST: bool>(
    keys: &[K],
    by: &Comparison<K, NAN_LAST>,
) -> Option<Run> {
    let in_order = |one: K, next: K| by.compared(one) <= by.compared(next);
    let strictly_reversed = |one: K, next: K| by.compared(one) > by.compared(next);
    let reversed = |one: K, next: K| by.compared(one) >= by.compared(next);
    if is_run(keys, in_order) {
        Some(Run::InOrder)
    } else if is_run(keys, strictly_reversed) {
        Some(Run::StrictlyReversed)
    } else if is_run(keys, reversed) {
        Some(Run::Reversed)
    } else {
        None
    }
}

/// Whether this holds for all neighbours.
fn is_run<K: SortKey>(keys: &[K], holds: impl Fn(K, K) -> bool + Sync) -> bool {
    let in_chunk = |keys: &[K], next: &[K]| {
        keys.chunks(BLOCK).zip(next.chunks(BLOCK)).all(|(keys, next)| {
            // Without a branch for each key.
            keys.iter().zip(next).fold(true, |all, (one, next)| all & holds(*one, *next))
        })
    };
    let (before, next) = (&keys[..keys.len() - 1], &keys[1..]);
    let first = BLOCK.min(next.len());
    if !in_chunk(&before[..first], &next[..first]) {
        return false;
    }
    if !is_parallel(keys.len()) {
        return in_chunk(before, next);
    }
    all(next.len().div_ceil(CHUNK), &|number| {
        let chunk = number * CHUNK..next.len().min((number + 1) * CHUNK);
        in_chunk(&before[chunk.clone()], &next[chunk])
    })
}
