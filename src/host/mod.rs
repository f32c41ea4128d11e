//! Sorts on the CPU.

mod columns;
mod compare;
pub(crate) mod lists;
mod partition;
mod radix;
mod threads;

use bytemuck::{Pod, Zeroable};
use rayon::prelude::*;

use crate::algorithm::ArrayAlgorithm;
use crate::error::Error;
use crate::key::SortKey;
use crate::options::SortOptions;
use columns::Columns;
use compare::Comparison;
use sortsmith_codegen::Order;

/// Values of more bytes do not move in each pass: positions do, and the values are gathered once. docs/performance-notes.md has the
/// measurements.
const MOVED_MAX_BYTES: usize = 64;

/// The largest number of items that `u32` positions can number.
const POSITIONS_MAX: u64 = 1 << 32;

/// The smallest number of large values that one thread gathers.
const GATHERED_MIN: usize = 1 << 10;

/// Sorts keys, and moves each value with its key. `()` values take no time and no memory.
pub(crate) fn sort_pairs<K: SortKey, V: Pod + Send + Sync>(
    keys: &mut [K],
    values: &mut [V],
    options: &SortOptions,
) -> Result<(), Error> {
    // Key types without NaNs instantiate no code for them.
    if K::HAS_NAN && options.is_nan_last() {
        sort_columns(Columns { keys, values }, &Comparison::<K, true>::new(options)?)
    } else {
        sort_columns(Columns { keys, values }, &Comparison::<K, false>::new(options)?)
    }
}

/// Sorts keys without values.
pub(crate) fn sort_alone<K: SortKey>(keys: &mut [K], options: &SortOptions) -> Result<(), Error> {
    sort_pairs(keys, &mut vec![(); keys.len()], options)?;
    if options.get_algorithm() == ArrayAlgorithm::Bitonic {
        order_zeros(keys, options.get_order());
    }
    Ok(())
}

/// Orders zeros of both signs, which are adjacent in sorted keys, by all of their bits, as a network does.
fn order_zeros<K: SortKey>(keys: &mut [K], order: Order) {
    // Only −0.0 is compared by other bits than its own.
    let is_negative_zero = |key: &K| key.to_compared_bits() != key.to_ordered_bits();
    let Some(one) = keys.iter().position(is_negative_zero) else { return };
    let zero = keys[one].to_compared_bits();
    let is_zero = |key: &&K| key.to_compared_bits() == zero;
    let before = keys[..one].iter().rev().take_while(is_zero).count();
    let zeros = before + keys[one..].iter().take_while(is_zero).count();
    let zeros = &mut keys[one - before..][..zeros];
    zeros.sort_unstable_by_key(|key| key.to_ordered_bits());
    if order == Order::Descending {
        zeros.reverse();
    }
}

/// Writes the positions that sorted keys come from. There are at most 2³² keys, and as many positions.
pub(crate) fn argsort_into<K: SortKey>(
    keys: &[K],
    positions: &mut [u32],
    options: &SortOptions,
) -> Result<(), Error> {
    let mut sorted = scratch::<K>(keys.len())?;
    sorted.copy_from_slice(keys);
    number(positions);
    sort_pairs(&mut sorted, positions, options)
}

/// Sets each position to its index.
fn number(positions: &mut [u32]) {
    positions.iter_mut().enumerate().for_each(|(index, position)| *position = index as u32);
}

/// Allocates `length` positions.
pub(crate) fn positions(length: usize) -> Result<Vec<u32>, Error> {
    Ok(scratch::<u32>(length)?.into_vec())
}

fn sort_columns<K: SortKey, V: Pod + Send + Sync, const NAN_LAST: bool>(
    mut columns: Columns<'_, K, V>,
    by: &Comparison<K, NAN_LAST>,
) -> Result<(), Error> {
    if columns.len() <= radix::INSERTION_MAX {
        columns.insertion_sort(by);
        return Ok(());
    }
    threads::run(columns.len(), || sort_many(columns, by))
}

/// Sorts more items than an insertion sort takes.
fn sort_many<K: SortKey, V: Pod + Send + Sync, const NAN_LAST: bool>(
    mut columns: Columns<'_, K, V>,
    by: &Comparison<K, NAN_LAST>,
) -> Result<(), Error> {
    let survey = radix::survey(columns.keys, by);
    if survey.is_sorted {
        return Ok(());
    }
    if survey.is_reversed {
        columns.reverse_stably(by);
        return Ok(());
    }
    if size_of::<V>() > MOVED_MAX_BYTES && columns.len() as u64 <= POSITIONS_MAX {
        return sort_by_position(columns, by, &survey);
    }
    let mut keys = scratch(columns.len())?;
    let mut values = scratch(columns.len())?;
    let alternate = Columns { keys: &mut keys, values: &mut values };
    radix::sort_surveyed(columns, alternate, radix::Side::Primary, by, &survey);
    Ok(())
}

/// Sorts positions with the keys, and gathers the values by them.
fn sort_by_position<K: SortKey, V: Pod + Send + Sync, const NAN_LAST: bool>(
    columns: Columns<'_, K, V>,
    by: &Comparison<K, NAN_LAST>,
    survey: &radix::Survey<K::Bits>,
) -> Result<(), Error> {
    let n = columns.len();
    let (mut keys, mut copy) = (scratch(n)?, scratch::<V>(n)?);
    let (mut positions, mut more_positions) = (scratch(n)?, scratch(n)?);
    number(&mut positions);
    let primary = Columns { keys: columns.keys, values: &mut positions[..] };
    let alternate = Columns { keys: &mut keys, values: &mut more_positions[..] };
    radix::sort_surveyed(primary, alternate, radix::Side::Primary, by, survey);
    let values = columns.values;
    if threads::is_parallel(n) {
        let chunks = copy.par_chunks_mut(GATHERED_MIN).zip(values.par_chunks(GATHERED_MIN));
        chunks.for_each(|(to, from)| to.copy_from_slice(from));
        let outputs = values.par_iter_mut().with_min_len(GATHERED_MIN).zip(&*positions);
        outputs.for_each(|(value, position)| *value = copy[*position as usize]);
    } else {
        copy.copy_from_slice(values);
        let outputs = values.iter_mut().zip(&positions);
        outputs.for_each(|(value, position)| *value = copy[*position as usize]);
    }
    Ok(())
}

/// Memory that the system zeroes, which costs nothing before its first access.
fn scratch<T: Zeroable>(length: usize) -> Result<Box<[T]>, Error> {
    bytemuck::allocation::try_zeroed_slice_box(length)
        .map_err(|()| Error::OutOfMemory { bytes: length.saturating_mul(size_of::<T>()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sorts pairs and positions, and compares them with the standard library's stable sort. tests/host.rs has more cases; these are
    /// few enough for Miri, and execute all unsafe code.
    fn check<K: SortKey, V: Pod + Send + Sync + PartialEq>(
        keys: &[K],
        options: SortOptions,
        value_of: impl Fn(u32) -> V,
    ) {
        let n = keys.len();
        let mut expected: Vec<u32> = (0..n as u32).collect();
        expected.sort_by(|one, other| {
            let [one, other] = [one, other].map(|row| keys[*row as usize].to_compared_bits());
            if options.get_order() == Order::Descending { other.cmp(&one) } else { one.cmp(&other) }
        });
        let mut order = vec![0; n];
        argsort_into(keys, &mut order, &options).expect("there is memory");
        assert!(order == expected, "positions of {n} {} keys", K::KEY_TYPE);
        let (mut keys, mut values) =
            (keys.to_vec(), (0..n as u32).map(&value_of).collect::<Vec<_>>());
        sort_pairs(&mut keys, &mut values, &options).expect("there is memory");
        let moved = values.iter().zip(&expected).all(|(value, row)| *value == value_of(*row));
        assert!(moved, "values of {n} {} keys", K::KEY_TYPE);
        sort_alone(&mut keys, &options).expect("there is memory");
    }

    #[test]
    fn all_algorithms_sort_as_the_standard_library_does() {
        let mixed = |item: usize| (item as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // By insertion, one partition, passes, bins, and several threads (fewer items under Miri).
        let sizes: &[usize] = if cfg!(miri) {
            &[33, 257, threads::PARALLEL_MIN + 1]
        } else {
            &[1, 31, 33, 257, 700, threads::PARALLEL_MIN + 101]
        };
        for n in sizes.iter().copied() {
            let words: Vec<u64> = (0..n).map(mixed).collect();
            check::<u64, ()>(&words, SortOptions::new(), |_| ());
            let few: Vec<u8> = words.iter().map(|word| (word >> 60) as u8).collect();
            check::<u8, [u8; 3]>(&few, SortOptions::new().descending(), |row| [row as u8; 3]);
            let floats: Vec<f32> = words.iter().map(|word| (*word as i64 >> 40) as f32).collect();
            check::<f32, u32>(&floats, SortOptions::new(), |row| row);
            let large: fn(u32) -> [u32; 20] = |row| [row; 20];
            check::<i16, _>(
                &words.iter().map(|word| *word as i16).collect::<Vec<_>>(),
                SortOptions::new(),
                large,
            );
        }
        let reversed: Vec<u32> = (0..300).rev().collect();
        check::<u32, u8>(&reversed, SortOptions::new(), |row| row as u8);
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri aborts where a system would refuse")]
    fn out_of_memory_is_an_error_that_names_the_size() {
        let error = positions(1 << 60).expect_err("no machine has as much");
        assert!(matches!(error, Error::OutOfMemory { bytes } if bytes == 1 << 62), "{error}");
        assert_eq!(error.to_string(), "no memory for 4611686018427387904 bytes of scratch");
        let error = scratch::<u128>(usize::MAX).expect_err("nor has it more than addresses");
        assert!(matches!(error, Error::OutOfMemory { bytes: usize::MAX }), "{error}");
    }
}
