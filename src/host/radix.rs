//! A stable radix sort, most significant digit first while there are many items or many digits, and
//! least significant digit first once the items fit a cache and few digits are left.
//!
//! ```text
//! sort(items):
//!     small n:             insertion sort
//!     find the bits in which items differ; if none, or if sorted already: done
//!     medium n:
//!         a stable partition by the highest digit of those bits
//!         insertion sort of all of them, which moves no item far
//!     fits a cache, and few digits cover those bits:
//!         a stable pass for each of these digits, the lowest first
//!     otherwise:
//!         a stable partition by the highest digit of those bits
//!         sort(bin) for each bin
//! ```
//!
//! Digits begin at bits in which items differ: bits in which all agree cost nothing. Items alternate between two buffers, and a bin
//! is sorted into the buffer that the caller names. Partitions and bins of many items run on all of rayon's threads.

use bytemuck::Pod;
use num_traits::{Bounded, PrimInt, Zero};
use rayon::prelude::*;

use super::columns::Columns;
use super::compare::{Comparison, Digit};
use super::partition::{self, Bins};
use super::threads::is_parallel;
use crate::key::{KeyBits, SortKey};

/// The largest number of items that insertion sorts.
pub(super) const INSERTION_MAX: usize = 32;
/// The largest number of items that are partitioned once and then sorted by insertion, which is fast even if all are in one bin.
const SMALL_MAX: usize = 256;
/// The largest number of bytes that are sorted by passes over all items.
const PASSES_MAX_BYTES: usize = 1 << 19;
/// The largest number of digits that are counted at once, each in a histogram.
const PASSES_MAX: usize = 4;

/// One of two buffers: the one that holds the items at the start, or the other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Primary,
    Alternate,
}

impl Side {
    fn other(self) -> Self {
        match self {
            Self::Primary => Self::Alternate,
            Self::Alternate => Self::Primary,
        }
    }
}

/// Facts about all keys, from one pass over them.
#[derive(Clone, Copy)]
pub(super) struct Survey<B> {
    /// The bits in which some keys differ.
    varying: B,
    /// Whether the keys are in order.
    pub(super) is_sorted: bool,
    /// Whether the keys are in the opposite order.
    pub(super) is_reversed: bool,
}

impl<B: KeyBits> Survey<B> {
    /// The survey of no keys.
    fn empty() -> Self {
        Self { varying: B::zero(), is_sorted: true, is_reversed: true }
    }

    fn and(self, other: Self) -> Self {
        Self {
            varying: self.varying | other.varying,
            is_sorted: self.is_sorted && other.is_sorted,
            is_reversed: self.is_reversed && other.is_reversed,
        }
    }
}

/// Surveys the keys, of which there is at least one.
pub(super) fn survey<K: SortKey, const NAN_LAST: bool>(
    keys: &[K],
    by: &Comparison<K, NAN_LAST>,
) -> Survey<K::Bits> {
    if !is_parallel(keys.len()) {
        return survey_from(by.compared(keys[0]), keys, by);
    }
    let first = by.compared(keys[0]);
    let chunk = keys.len().div_ceil(rayon::current_num_threads() * 4);
    (0..keys.len().div_ceil(chunk))
        .into_par_iter()
        .map(|index| {
            // One key more than the chunk, to compare it with its successor.
            let end = keys.len().min((index + 1) * chunk + 1);
            survey_from(first, &keys[index * chunk..end], by)
        })
        .reduce(Survey::empty, Survey::and)
}

fn survey_from<K: SortKey, const NAN_LAST: bool>(
    first: K::Bits,
    keys: &[K],
    by: &Comparison<K, NAN_LAST>,
) -> Survey<K::Bits> {
    let mut survey = Survey::empty();
    let mut before = by.compared(keys[0]);
    survey.varying = before ^ first;
    for key in &keys[1..] {
        let compared = by.compared(*key);
        survey.varying = survey.varying | (compared ^ first);
        survey.is_sorted &= before <= compared;
        survey.is_reversed &= before >= compared;
        before = compared;
    }
    survey
}

fn sort<K: SortKey, V: Pod + Send + Sync, const NAN_LAST: bool>(
    mut primary: Columns<'_, K, V>,
    mut alternate: Columns<'_, K, V>,
    result: Side,
    by: &Comparison<K, NAN_LAST>,
) {
    if primary.len() <= INSERTION_MAX {
        primary.insertion_sort(by);
        if result == Side::Alternate {
            alternate.copy_from(&primary);
        }
        return;
    }
    let survey = survey(primary.keys, by);
    sort_surveyed(primary, alternate, result, by, &survey);
}

/// Sorts the items of `primary` into the buffer that `result` names. The content of the other one is unspecified.
pub(super) fn sort_surveyed<K: SortKey, V: Pod + Send + Sync, const NAN_LAST: bool>(
    primary: Columns<'_, K, V>,
    mut alternate: Columns<'_, K, V>,
    result: Side,
    by: &Comparison<K, NAN_LAST>,
    survey: &Survey<K::Bits>,
) {
    if survey.is_sorted {
        if result == Side::Alternate {
            alternate.copy_from(&primary);
        }
        return;
    }
    let items = primary.len();
    if items <= SMALL_MAX {
        return sort_small(primary, alternate, result, by, survey.varying);
    }
    let fits = items * (size_of::<K>() + size_of::<V>()) <= PASSES_MAX_BYTES;
    // Random items differ in about as many leading digits as their numbering has.
    let worthwhile = (items.ilog2().div_ceil(Digit::MAX_BITS) as usize + 1).min(PASSES_MAX);
    match low_digits(survey.varying, by, worthwhile) {
        Some(digits) if fits => sort_by_passes(primary, alternate, result, by, &digits),
        _ => sort_by_bins(primary, alternate, result, by, survey.varying),
    }
}

/// The highest digit of the varying bits, with at least about two items per bin: fewer would leave more bins empty.
fn high_digit<K: SortKey, const NAN_LAST: bool>(
    varying: K::Bits,
    by: &Comparison<K, NAN_LAST>,
    items: usize,
) -> Digit {
    let last = K::Bits::WIDTH - 1 - varying.leading_zeros();
    by.digit_to(last, (items.ilog2() - 1).min(Digit::MAX_BITS))
}

/// A stable partition by the highest digit, then insertion.
fn sort_small<K: SortKey, V: Pod + Send + Sync, const NAN_LAST: bool>(
    mut primary: Columns<'_, K, V>,
    mut alternate: Columns<'_, K, V>,
    result: Side,
    by: &Comparison<K, NAN_LAST>,
    varying: K::Bits,
) {
    let digit = high_digit(varying, by, primary.len());
    let counts = partition::count(primary.keys, by, digit);
    partition::move_to_bins(&primary, &mut alternate, by, digit, &counts);
    alternate.insertion_sort(by);
    if result == Side::Primary {
        primary.copy_from(&alternate);
    }
}

/// The digits that cover the varying bits, the lowest first, or `None` if they are more than `at_most`.
fn low_digits<K: SortKey, const NAN_LAST: bool>(
    mut varying: K::Bits,
    by: &Comparison<K, NAN_LAST>,
    at_most: usize,
) -> Option<Vec<Digit>> {
    let mut digits = Vec::with_capacity(at_most);
    while !varying.is_zero() {
        if digits.len() == at_most {
            return None;
        }
        let begin = varying.trailing_zeros();
        digits.push(by.digit_from(begin, Digit::MAX_BITS));
        // Clears the digit's bits, in two steps because a shift by the full width is not legal.
        let above = (K::Bits::max_value() << begin as usize) << (Digit::MAX_BITS as usize - 1);
        varying = varying & (above << 1);
    }
    Some(digits)
}

/// A stable pass for each digit.
fn sort_by_passes<K: SortKey, V: Pod + Send + Sync, const NAN_LAST: bool>(
    mut primary: Columns<'_, K, V>,
    mut alternate: Columns<'_, K, V>,
    result: Side,
    by: &Comparison<K, NAN_LAST>,
    digits: &[Digit],
) {
    let mut counts: [Bins; PASSES_MAX] = [[0; Digit::MAX_BINS]; PASSES_MAX];
    for key in &*primary.keys {
        for (counts, digit) in counts.iter_mut().zip(digits) {
            counts[by.digit(*key, *digit)] += 1;
        }
    }
    let mut side = Side::Primary;
    for (counts, digit) in counts.iter().zip(digits) {
        let (from, mut to) = match side {
            Side::Primary => (primary.reborrow(), alternate.reborrow()),
            Side::Alternate => (alternate.reborrow(), primary.reborrow()),
        };
        partition::move_to_bins(&from, &mut to, by, *digit, counts);
        side = side.other();
    }
    match (side, result) {
        (Side::Primary, Side::Alternate) => alternate.copy_from(&primary),
        (Side::Alternate, Side::Primary) => primary.copy_from(&alternate),
        _ => {}
    }
}

/// A stable partition by the highest digit, and a sort of each bin.
fn sort_by_bins<K: SortKey, V: Pod + Send + Sync, const NAN_LAST: bool>(
    mut primary: Columns<'_, K, V>,
    mut alternate: Columns<'_, K, V>,
    result: Side,
    by: &Comparison<K, NAN_LAST>,
    varying: K::Bits,
) {
    let items = primary.len();
    let digit = high_digit(varying, by, items);
    let counts = if is_parallel(items) {
        partition::parallel_partition(&primary, &mut alternate, by, digit)
    } else {
        let counts = partition::count(primary.keys, by, digit);
        partition::move_to_bins(&primary, &mut alternate, by, digit, &counts);
        counts
    };
    let bins = bins(alternate.reborrow(), primary.reborrow(), &counts[..digit.bins()]);
    if is_parallel(items) {
        let bins: Vec<_> = bins.collect();
        bins.into_par_iter()
            .for_each(|(primary, alternate)| sort(primary, alternate, result.other(), by));
    } else {
        bins.for_each(|(primary, alternate)| sort(primary, alternate, result.other(), by));
    }
}

/// Both buffers, bin by bin, without empty bins.
fn bins<'a, K: SortKey, V: Copy>(
    primary: Columns<'a, K, V>,
    alternate: Columns<'a, K, V>,
    counts: &[usize],
) -> impl Iterator<Item = (Columns<'a, K, V>, Columns<'a, K, V>)> {
    let mut rest = Some((primary, alternate));
    counts.iter().filter(|count| **count > 0).filter_map(move |count| {
        let (primary, alternate) = rest.take()?;
        let (primary_bin, primary_rest) = primary.split_at(*count);
        let (alternate_bin, alternate_rest) = alternate.split_at(*count);
        rest = Some((primary_rest, alternate_rest));
        Some((primary_bin, alternate_bin))
    })
}
