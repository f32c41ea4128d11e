//! Keys of many digits that tie in the upper ones, though the histogram of each digit predicts that this is rare.
//!
//! Some have short runs of such keys everywhere, and one long run, which is sorted except for two neighbours. The tie
//! fix-up after a sort by upper digits has to find these two. If they belong to neighbouring warps, blocks or rows, one of them is read for this
//! comparison only. In others runs have all lengths that a warp of the fix-up sorts, and a few more.

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::KeyType;

use crate::oracle::{Task, gather, key_bytes, permutation};

/// Where the two keys of a long run are that are not in order: the offset of the second one after the first phase, and how many keys of the
/// run come before it, about. The warps of the tie fix-up look at 128 keys each, side by side, in rows of 32; a block has eight
/// warps. A run of more than 128 keys is long, and the warp of its first key looks at up to 512.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Descent {
    pub(crate) offset: usize,
    before: usize,
    pub(crate) runs: Runs,
    /// How many keys behind the second one there are two more that are not in order. 0 if there are none.
    again: usize,
    /// How many of the lowest bytes are the same in all keys of the run: a sort of the run has that many passes fewer.
    same: usize,
}

/// Keys of the long run, and of each other one. The others are long enough for digits to predict short runs after four of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Runs {
    long: usize,
    short: usize,
}

/// A warp sorts the long run.
const SORTED: Runs = Runs { long: 300, short: 6 };
/// A block does, by way of the queue.
const QUEUED: Runs = Runs { long: 600, short: 8 };
/// The same, with room for two warps behind the first 512 keys.
pub(crate) const LONG_QUEUED: Runs = Runs { long: 1000, short: 16 };
/// The second phase does: the run has more keys than are queued.
const TOO_LONG: Runs = Runs { long: 1100, short: 19 };
/// It does, and more than one warp may say so: each sees as many keys of the run before its own as are queued.
const MUCH_TOO_LONG: Runs = Runs { long: 1500, short: 29 };
/// The second phase sorts it, after a first one by three digits: tiles in flight see the state of that.
pub(crate) const AMONG_MANY: Runs = Runs { long: 1030, short: 42 };

impl Runs {
    /// There is a run for each value of a byte.
    pub(crate) const fn keys(self) -> usize {
        255 * self.short + self.long
    }
}

impl Descent {
    const fn lone(offset: usize, before: usize, runs: Runs) -> Self {
        Self { offset, before, runs, again: 0, same: 0 }
    }
}

pub(crate) const DESCENTS: [Descent; 14] = [
    // The pair is in the warp of the run's first key.
    Descent::lone(OF_ROW, 5, SORTED),
    // In the warp of its last key.
    Descent::lone(OF_ROW, 250, SORTED),
    Descent::lone(OF_ROW, 150, SORTED),
    Descent::lone(OF_WARP, 150, SORTED),
    Descent::lone(OF_BLOCK, 150, SORTED),
    // Only the warp of the run's first key sees that it is among the first 512.
    Descent { same: 1, ..Descent::lone(OF_ROW, 5, QUEUED) },
    Descent::lone(OF_BLOCK, 500, QUEUED),
    Descent::lone(OF_ROW, 5, TOO_LONG),
    Descent::lone(OF_BLOCK, 500, TOO_LONG),
    // Only another warp sees the pair.
    Descent::lone(OF_BLOCK, 560, QUEUED),
    Descent::lone(OF_BLOCK, 560, TOO_LONG),
    // Two other warps see a pair each, and one of them queues the run.
    Descent { again: 200, ..Descent::lone(OF_BLOCK, 560, LONG_QUEUED) },
    Descent { again: 300, ..Descent::lone(OF_THIRD_BLOCK, 1100, MUCH_TOO_LONG) },
    Descent::lone(OF_ROW, 5, AMONG_MANY),
];
/// The first of another row of the same warp.
pub(crate) const OF_ROW: usize = 544;
/// The first of another warp.
pub(crate) const OF_WARP: usize = 640;
/// The first of the second block.
pub(crate) const OF_BLOCK: usize = 1024;

/// The first of the third block.
const OF_THIRD_BLOCK: usize = 2048;

/// Keys of a warp.
pub(crate) const WARP_KEYS: usize = 128;

/// Lengths of runs, up to as many keys as a warp sorts, and a few more, which are queued; the others have up to eight.
const LENGTHS: [usize; 11] = [31, 33, 64, 100, 127, 128, 129, 260, 512, 513, 514];

/// The key of a run, with that lower half. The run's number is the upper byte, and all others of the upper half tell it too, each in another
/// way: the exclusive or of neighbours is not the same in all runs.
fn key_of(run: u8, lower: &[u8], bytes: usize) -> Vec<u8> {
    let upper = (lower.len()..bytes).map(|at| run.wrapping_mul(2 * (bytes - at) as u8 - 1));
    lower.iter().copied().chain(upper).collect()
}

/// Keys of which three agree in their upper digits. After a sort by these the first of the three is the last key of a warp, and no other warp's
/// than the next one has two neighbours that are not in order.
pub fn lone_run(task: &Task, rng: &mut ChaCha8Rng) -> Vec<u8> {
    let bytes = key_bytes(task.key);
    let mut any_of = |run: u8| {
        let lower: Vec<u8> = (0..bytes / 2).map(|_| rng.random()).collect();
        key_of(run, &lower, bytes)
    };
    let keys = (0..=255).flat_map(&mut any_of).collect::<Vec<u8>>();
    let sorted = |keys: &[u8]| gather(keys, bytes, &permutation(task, keys));
    let mut keys = sorted(&keys);
    let upper = keys[WARP_KEYS * bytes - 1];
    let run = sorted(&(0..3).flat_map(|_| any_of(upper)).collect::<Vec<u8>>());
    let [least, middle, most] = [0, 1, 2].map(|at| &run[at * bytes..][..bytes]);
    let end_of_warp = (WARP_KEYS - 1) * bytes..WARP_KEYS * bytes;
    keys.splice(end_of_warp, [middle, most, least].concat());
    keys
}

/// Keys of 256 runs, a few of which have nearly as many keys as a warp sorts, as many, or more.
pub fn tied_runs(key: KeyType, rng: &mut ChaCha8Rng) -> Vec<u8> {
    let bytes = key_bytes(key);
    let mut lengths: Vec<usize> = (0..256).map(|_| rng.random_range(1..=8)).collect();
    lengths[..LENGTHS.len()].copy_from_slice(&LENGTHS);
    lengths.shuffle(rng);
    let mut keys = Vec::new();
    for (upper, length) in (0..=255).zip(lengths) {
        // Some of a run are equal.
        let kinds = rng.random_range(1..=2 * length);
        let lower: Vec<Vec<u8>> =
            (0..kinds).map(|_| (0..bytes / 2).map(|_| rng.random()).collect()).collect();
        keys.extend((0..length).map(|_| key_of(upper, &lower[rng.random_range(0..kinds)], bytes)));
    }
    keys.shuffle(rng);
    keys.concat()
}

/// The keys of a case with one long run.
pub fn keys(task: &Task, descent: Descent, rng: &mut ChaCha8Rng) -> Vec<u8> {
    let Descent { offset, before, runs: Runs { long: count, short }, again, same } = descent;
    let bytes = key_bytes(task.key);
    let sorted = |keys: &[Vec<u8>]| {
        let all = keys.concat();
        gather(&all, bytes, &permutation(task, &all))
    };
    let mut lower = || (0..bytes / 2).map(|_| rng.random()).collect::<Vec<u8>>();
    // The runs in their order, by their first bytes.
    let firsts: Vec<Vec<u8>> =
        (0..=255).map(|upper| key_of(upper, &vec![1; bytes / 2], bytes)).collect();
    let firsts = sorted(&firsts);
    let uppers: Vec<u8> = firsts.chunks_exact(bytes).map(|key| key[bytes - 1]).collect();
    let rank = (offset - before) / short;
    let start = rank * short;
    let lower_of_long = |mut own: Vec<u8>| {
        own.iter_mut().take(same).for_each(|byte| *byte = 0);
        own
    };
    let long: Vec<Vec<u8>> =
        (0..count).map(|_| key_of(uppers[rank], &lower_of_long(lower()), bytes)).collect();
    let mut long = sorted(&long);
    long.rotate_right((offset - start) * bytes);
    if again > 0 {
        let second = (offset - start + again) * bytes;
        let (one, other) = long[second - bytes..second + bytes].split_at_mut(bytes);
        one.swap_with_slice(other);
    }
    let others = uppers.iter().enumerate().filter(|(other, _)| *other != rank);
    let mut keys: Vec<Vec<u8>> = others
        .flat_map(|(_, upper)| std::iter::repeat_n(*upper, short))
        .map(|upper| key_of(upper, &lower(), bytes))
        .collect();
    // The keys of the long run keep its order, wherever they are.
    keys.extend((0..count).map(|_| Vec::new()));
    keys.shuffle(rng);
    let mut in_order = long.chunks_exact(bytes);
    let next = |key: Vec<u8>| {
        if key.is_empty() { in_order.next().unwrap_or_default().to_vec() } else { key }
    };
    keys.into_iter().flat_map(next).collect()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use sortsmith_codegen::Order;

    use super::*;

    #[test]
    fn after_the_upper_digits_one_pair_of_a_long_run_is_in_the_wrong_order() {
        for key in [KeyType::U64, KeyType::I64, KeyType::F64] {
            for (order, nan_last) in
                [(Order::Ascending, false), (Order::Descending, false), (Order::Descending, true)]
            {
                for descent in DESCENTS {
                    let Descent { offset, runs, again, .. } = descent;
                    let count = runs.keys();
                    let task = Task { order, nan_last, ..Task::new(key) };
                    let keys = keys(&task, descent, &mut ChaCha8Rng::seed_from_u64(offset as u64));
                    assert_eq!(keys.len(), count * 8);
                    let upper = Task { begin_bit: 48, ..task };
                    let by_upper = gather(&keys, 8, &permutation(&upper, &keys));
                    // Ranks by all bits, of keys in the order of the upper ones.
                    let mut ranks = vec![0; count];
                    for (rank, position) in permutation(&task, &by_upper).iter().enumerate() {
                        ranks[*position as usize] = rank;
                    }
                    let run_of = |offset: usize| &by_upper[offset * 8 + 6..offset * 8 + 8];
                    let same = by_upper.chunks_exact(8).filter(|key| key[6..8] == *run_of(offset));
                    assert_eq!(same.count(), runs.long, "{key} {order}");
                    let is_descent =
                        |at: &usize| ranks[at - 1] > ranks[*at] && run_of(*at) == run_of(offset);
                    let descents: Vec<usize> = (1..count).filter(is_descent).collect();
                    let mut expected = vec![offset];
                    expected.extend((again > 0).then_some(offset + again));
                    assert_eq!(descents, expected, "{key} {order}");
                }
            }
        }
    }
}
