//! A stable radix sort, most significant digit first while there are many items or many digits, and
//! least significant digit first once the items fit a cache and few digits are left.
//!
//! ```text
//! sort(items):
//!     few items:           insertion sort
//!     find the bits in which items differ; if none, or if sorted already: done
//!     not many items:
//!         a stable partition by the highest digit of those bits
//!         insertion sort of all of them, which moves no item far
//!     fits a cache, and few digits cover those bits:
//!         a stable pass for each of these digits, the lowest first
//!     otherwise:
//!         a stable partition by the highest digit of those bits
//!         sort(bin) for each bin
//! ```
//!
//! Digits begin at bits in which items differ: those in which all agree cost nothing. Items go back and
//! forth between two buffers; a bin is sorted into whichever buffer its caller wants it in. Partitions
//! and bins of many items run on all of rayon's threads.

use bytemuck::Pod;
use num_traits::{Bounded, PrimInt, Zero};
use rayon::prelude::*;

use super::columns::Columns;
use super::compare::{Comparison, Digit};
use super::partition::{self, Bins};
use super::threads::is_parallel;
use crate::key::{KeyBits, SortKey};

/// At most so many items are sorted by insertion.
pub(super) const INSERTION_MAX: usize = 32;
/// At most so many are partitioned once and then sorted by insertion; even if all of them are in one bin,
/// that is not slow.
const SMALL_MAX: usize = 256;
/// At most so many bytes go through passes over all of them.
const PASSES_MAX_BYTES: usize = 1 << 19;
/// At most so many digits are counted at once.
const PASSES_MAX: usize = 4;

/// Of two buffers, the one that holds the items, or the other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Here,
    There,
}

impl Side {
    fn other(self) -> Self {
        match self {
            Self::Here => Self::There,
            Self::There => Self::Here,
        }
    }
}

/// What a look at all keys tells.
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
    /// What is so of no keys.
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

/// Looks at all keys; there is at least one.
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
            // One more than the chunk, to see whether the next one goes on in order.
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
    mut here: Columns<'_, K, V>,
    mut there: Columns<'_, K, V>,
    result: Side,
    by: &Comparison<K, NAN_LAST>,
) {
    if here.len() <= INSERTION_MAX {
        here.insertion_sort(by);
        if result == Side::There {
            there.copy_from(&here);
        }
        return;
    }
    let survey = survey(here.keys, by);
    sort_surveyed(here, there, result, by, &survey);
}

/// Sorts the items of `here` into the wanted side. The other is left with anything.
pub(super) fn sort_surveyed<K: SortKey, V: Pod + Send + Sync, const NAN_LAST: bool>(
    here: Columns<'_, K, V>,
    mut there: Columns<'_, K, V>,
    result: Side,
    by: &Comparison<K, NAN_LAST>,
    survey: &Survey<K::Bits>,
) {
    if survey.is_sorted {
        if result == Side::There {
            there.copy_from(&here);
        }
        return;
    }
    let items = here.len();
    if items <= SMALL_MAX {
        return sort_small(here, there, result, by, survey.varying);
    }
    let fits = items * (size_of::<K>() + size_of::<V>()) <= PASSES_MAX_BYTES;
    // Random items are told apart by about as many digits as it takes to number them.
    let worthwhile = (items.ilog2().div_ceil(Digit::MAX_BITS) as usize + 1).min(PASSES_MAX);
    match low_digits(survey.varying, by, worthwhile) {
        Some(digits) if fits => sort_by_passes(here, there, result, by, &digits),
        _ => sort_by_bins(here, there, result, by, survey.varying),
    }
}

/// The highest digit of the varying bits. Few items do not fill many bins: two a bin are few enough.
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
    mut here: Columns<'_, K, V>,
    mut there: Columns<'_, K, V>,
    result: Side,
    by: &Comparison<K, NAN_LAST>,
    varying: K::Bits,
) {
    let digit = high_digit(varying, by, here.len());
    let counts = partition::count(here.keys, by, digit);
    partition::move_to_bins(&here, &mut there, by, digit, &counts);
    there.insertion_sort(by);
    if result == Side::Here {
        here.copy_from(&there);
    }
}

/// The digits that cover the varying bits, the lowest first, if they are at most so many.
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
        // Clears the digit's bits; two steps, because a shift by the full width is not legal.
        let above = (K::Bits::max_value() << begin as usize) << (Digit::MAX_BITS as usize - 1);
        varying = varying & (above << 1);
    }
    Some(digits)
}

/// A stable pass for each digit.
fn sort_by_passes<K: SortKey, V: Pod + Send + Sync, const NAN_LAST: bool>(
    mut here: Columns<'_, K, V>,
    mut there: Columns<'_, K, V>,
    result: Side,
    by: &Comparison<K, NAN_LAST>,
    digits: &[Digit],
) {
    let mut counts: [Bins; PASSES_MAX] = [[0; Digit::MAX_BINS]; PASSES_MAX];
    for key in &*here.keys {
        for (counts, digit) in counts.iter_mut().zip(digits) {
            counts[by.digit(*key, *digit)] += 1;
        }
    }
    let mut side = Side::Here;
    for (counts, digit) in counts.iter().zip(digits) {
        let (from, mut to) = match side {
            Side::Here => (here.reborrow(), there.reborrow()),
            Side::There => (there.reborrow(), here.reborrow()),
        };
        partition::move_to_bins(&from, &mut to, by, *digit, counts);
        side = side.other();
    }
    match (side, result) {
        (Side::Here, Side::There) => there.copy_from(&here),
        (Side::There, Side::Here) => here.copy_from(&there),
        _ => {}
    }
}

/// A stable partition by the highest digit, and a sort of each bin.
fn sort_by_bins<K: SortKey, V: Pod + Send + Sync, const NAN_LAST: bool>(
    mut here: Columns<'_, K, V>,
    mut there: Columns<'_, K, V>,
    result: Side,
    by: &Comparison<K, NAN_LAST>,
    varying: K::Bits,
) {
    let items = here.len();
    let digit = high_digit(varying, by, items);
    let counts = if is_parallel(items) {
        partition::parallel_partition(&here, &mut there, by, digit)
    } else {
        let counts = partition::count(here.keys, by, digit);
        partition::move_to_bins(&here, &mut there, by, digit, &counts);
        counts
    };
    let bins = bins(there.reborrow(), here.reborrow(), &counts[..digit.bins()]);
    if is_parallel(items) {
        let bins: Vec<_> = bins.collect();
        bins.into_par_iter().for_each(|(here, there)| sort(here, there, result.other(), by));
    } else {
        bins.for_each(|(here, there)| sort(here, there, result.other(), by));
    }
}

/// Both buffers, bin by bin; empty bins are left out.
fn bins<'a, K: SortKey, V: Copy>(
    here: Columns<'a, K, V>,
    there: Columns<'a, K, V>,
    counts: &[usize],
) -> impl Iterator<Item = (Columns<'a, K, V>, Columns<'a, K, V>)> {
    let mut rest = Some((here, there));
    counts.iter().filter(|count| **count > 0).filter_map(move |count| {
        let (here, there) = rest.take()?;
        let (here_bin, here_rest) = here.split_at(*count);
        let (there_bin, there_rest) = there.split_at(*count);
        rest = Some((here_rest, there_rest));
        Some((here_bin, there_bin))
    })
}
