//! Exact splitters of sorted runs: where each run is cut so that the pieces before the cut hold a wanted number of items in all.
//!
//! The *target* of a cut is that number. Its *splitter* is the largest bits with no more than `target` items below them, found digit by
//! digit from counts alone. So the runs may lie in one memory or in several, of which each counts its own. Of the items that are equal to the splitter
//! those of the first runs lie before the cut. So the pieces between two, merged, are in order and stable.

use std::ops::Range;

use crate::error::Error;
use crate::key::KeyBits;
use crate::memory::{collected, with_room};

/// The most values of a digit.
const DIGIT_BITS_MAX: u32 = 8;

/// The most targets of a search in one memory, so that its tables stay small.
const TARGETS_MAX: usize = 1 << 10;

/// A search for splitters. All holders of runs search alike, as they narrow by the same counts.
pub(crate) struct Search<B> {
    targets: Vec<u64>,
    /// The known upper bits of the splitters.
    splitters: Vec<B>,
    /// The unknown bits.
    unknown: Range<u32>,
    digit_bits: u32,
}

impl<B: KeyBits> Search<B> {
    /// Of keys with compared bits of at least `least` and at most `most`, and zero outside of `bits`. A round compares at most
    /// `counts_max` candidates, and at least one for each target.
    pub(crate) fn new(
        targets: Vec<u64>,
        bits: &Range<u32>,
        [least, most]: [B; 2],
        counts_max: usize,
    ) -> Self {
        let differing = B::WIDTH - (least ^ most).leading_zeros();
        let unknown = bits.start..differing.clamp(bits.start, bits.end);
        let splitters = vec![without_low(least, unknown.end); targets.len()];
        let fits = |bits: &u32| ((1 << bits) - 1) * targets.len() <= counts_max;
        let digit_bits = (1..=DIGIT_BITS_MAX).take_while(fits).last().unwrap_or(1);
        Self { targets, splitters, unknown, digit_bits }
    }

    /// The candidates of the next round, of which each holder of runs counts the items below: as many for each target, ascending. None when
    /// the splitters are known.
    pub(crate) fn candidates(&self) -> Vec<B> {
        let Some((shift, values)) = self.digit() else { return Vec::new() };
        let unit = B::one() << shift;
        let mut candidates = Vec::with_capacity(self.targets.len() * values);
        for splitter in &self.splitters {
            let mut candidate = *splitter;
            for _ in 0..values {
                candidate = candidate + unit;
                candidates.push(candidate);
            }
        }
        candidates
    }

    /// Ends a round: `below` has the number of items below each candidate, of all runs.
    pub(crate) fn narrow(&mut self, candidates: &[B], below: &[u64]) {
        let Some((shift, values)) = self.digit() else { return };
        let rounds = candidates.chunks_exact(values).zip(below.chunks_exact(values));
        for ((splitter, target), (candidates, below)) in
            self.splitters.iter_mut().zip(&self.targets).zip(rounds)
        {
            let digit = below.partition_point(|below| below <= target);
            if let Some(found) = digit.checked_sub(1).and_then(|last| candidates.get(last)) {
                *splitter = *found;
            }
        }
        self.unknown.end = shift as u32;
    }

    /// The splitters, one for each target. They are known when there are no candidates.
    pub(crate) fn splitters(&self) -> &[B] {
        &self.splitters
    }

    /// The lowest bit of the next digit, and its number of values but zero.
    fn digit(&self) -> Option<(usize, usize)> {
        let bits = self.digit_bits.min(self.unknown.len() as u32);
        (bits > 0).then(|| ((self.unknown.end - bits) as usize, (1 << bits) - 1))
    }
}

/// The bits with the lowest ones cleared.
fn without_low<B: KeyBits>(bits: B, low: u32) -> B {
    if low >= B::WIDTH { B::zero() } else { (bits >> low as usize) << low as usize }
}

/// The items of one run below a splitter, and those equal to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Around {
    pub(crate) below: u64,
    pub(crate) equal: u64,
}

impl Around {
    /// In keys that are sorted by the compared bits.
    pub(crate) fn of<T: Copy, B: KeyBits>(
        keys: &[T],
        splitter: B,
        compared: &impl Fn(T) -> B,
    ) -> Self {
        let below = keys.partition_point(|key| compared(*key) < splitter);
        let equal = keys[below..].partition_point(|key| compared(*key) == splitter);
        Self { below: below as u64, equal: equal as u64 }
    }
}

/// Where each run is cut for one target.
pub(crate) fn cut(
    target: u64,
    runs: impl Iterator<Item = Around> + Clone,
) -> impl Iterator<Item = u64> {
    let below: u64 = runs.clone().map(|run| run.below).sum();
    let mut missing = target.saturating_sub(below);
    runs.map(move |run| {
        let equal = run.equal.min(missing);
        missing -= equal;
        run.below + equal
    })
}

/// The divisions of runs in one memory, for each target, ascending and at most the number of items: where each run is cut.
pub(crate) fn divisions<T: Copy, B: KeyBits>(
    runs: &[&[T]],
    targets: &[u64],
    bits: &Range<u32>,
    compared: &impl Fn(T) -> B,
) -> Result<Vec<Vec<u64>>, Error> {
    let mut divisions = with_room(targets.len())?;
    for targets in targets.chunks(TARGETS_MAX) {
        let splitters = splitters(runs, targets, bits, compared);
        for (target, splitter) in targets.iter().zip(splitters) {
            let around = runs.iter().map(|run| Around::of(run, splitter, compared));
            divisions.push(collected(runs.len(), cut(*target, around))?);
        }
    }
    Ok(divisions)
}

/// The splitters of runs in one memory, for a few targets.
fn splitters<T: Copy, B: KeyBits>(
    runs: &[&[T]],
    targets: &[u64],
    bits: &Range<u32>,
    compared: &impl Fn(T) -> B,
) -> Vec<B> {
    let ends = |run: &&[T]| Some([compared(*run.first()?), compared(*run.last()?)]);
    let widest = |[least, most]: [B; 2], [first, last]: [B; 2]| [least.min(first), most.max(last)];
    let Some(ends) = runs.iter().filter_map(ends).reduce(widest) else {
        return vec![B::zero(); targets.len()];
    };
    // More values of a digit save rounds, and here rounds cost no more than the counts in them.
    let mut search = Search::new(targets.to_vec(), bits, ends, 0);
    loop {
        let candidates = search.candidates();
        if candidates.is_empty() {
            break;
        }
        let below = |bound: &B| {
            let of_run = |run: &&[T]| run.partition_point(|key| compared(*key) < *bound) as u64;
            runs.iter().map(of_run).sum()
        };
        let below: Vec<u64> = candidates.iter().map(below).collect();
        search.narrow(&candidates, &below);
    }
    search.splitters
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Divisions at all targets agree with a stable sort of all runs.
    fn check(runs: &[&[u8]], bits: &Range<u32>) {
        let mask = (0..8).filter(|bit| bits.contains(bit)).fold(0u8, |mask, bit| mask | 1 << bit);
        let mut items: Vec<(u8, usize)> = Vec::new();
        for (number, run) in runs.iter().enumerate() {
            items.extend(run.iter().map(|key| (*key & mask, number)));
        }
        items.sort_by_key(|item| item.0);
        let targets: Vec<u64> = (0..=items.len() as u64).collect();
        let divisions = divisions(runs, &targets, bits, &|key| key & mask).unwrap();
        for (target, cut) in divisions.iter().enumerate() {
            let mut expected = vec![0; runs.len()];
            items[..target].iter().for_each(|(_, run)| expected[*run] += 1);
            assert_eq!(cut, &expected, "{target} of {runs:?}");
        }
    }

    #[test]
    fn runs_are_cut_at_every_target() {
        check(&[&[1, 2, 2, 9], &[], &[2, 2, 3], &[0, 255]], &(0..8));
        check(&[&[7, 7, 7], &[7, 7], &[7]], &(0..8));
        check(&[&[0, 255], &[0, 255, 255]], &(0..8));
        check(&[&[0x10, 0x21, 0x20, 0x35], &[0x1f, 0x20]], &(4..8));
        check(&[&[9, 3, 1], &[2]], &(3..3));
        check(&[&[], &[]], &(0..8));
    }

    #[test]
    fn digits_of_any_number_of_bits_find_the_same() {
        let keys: Vec<u64> = (0..999u64).map(|item| item.pow(5)).collect();
        let counts: &[usize] = if cfg!(miri) { &[0, 64] } else { &[0, 7, 64, 4096] };
        for counts_max in counts.iter().copied() {
            let targets = vec![0, 1, 500, 998, 999];
            let mut search =
                Search::new(targets.clone(), &(0..64), [keys[0], keys[998]], counts_max);
            let mut rounds = 0;
            loop {
                let candidates = search.candidates();
                if candidates.is_empty() {
                    break;
                }
                assert!(candidates.len() <= counts_max.max(targets.len()));
                let below = |bound: &u64| keys.partition_point(|key| key < bound) as u64;
                let below: Vec<u64> = candidates.iter().map(below).collect();
                search.narrow(&candidates, &below);
                rounds += 1;
            }
            assert!(rounds <= 64, "{rounds}");
            for (target, splitter) in targets.iter().zip(search.splitters()) {
                let around = Around::of(&keys, *splitter, &|key| key);
                assert!(cut(*target, std::iter::once(around)).eq([*target]));
            }
        }
    }
}
