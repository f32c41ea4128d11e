//! The sorts on the CPU.

mod columns;
mod compare;
mod partition;
mod radix;

use bytemuck::{Pod, Zeroable};

use crate::{Error, SortKey, SortOptions};
use columns::Columns;
use compare::Comparison;

/// Sorts keys, and moves each value with its key. `()` values take no time and no memory.
pub(crate) fn sort_pairs<K: SortKey, V: Pod + Send + Sync>(
    keys: &mut [K],
    values: &mut [V],
    options: &SortOptions,
) -> Result<(), Error> {
    // Keys without NaNs have no code for them.
    if K::HAS_NAN && options.is_nan_last() {
        sort_columns(Columns { keys, values }, &Comparison::<K, true>::new(options)?)
    } else {
        sort_columns(Columns { keys, values }, &Comparison::<K, false>::new(options)?)
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
    positions.iter_mut().enumerate().for_each(|(index, position)| *position = index as u32);
    sort_pairs(&mut sorted, positions, options)
}

/// A place for so many positions.
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
    let survey = radix::survey(columns.keys, by);
    if survey.is_sorted {
        return Ok(());
    }
    if survey.is_reversed {
        columns.turn_round(by);
        return Ok(());
    }
    let mut keys = scratch(columns.len())?;
    let mut values = scratch(columns.len())?;
    let there = Columns { keys: &mut keys, values: &mut values };
    radix::sort_surveyed(columns, there, radix::Side::Here, by, &survey);
    Ok(())
}

/// Memory that the system has zeroed, which costs nothing before it is touched.
fn scratch<T: Zeroable>(length: usize) -> Result<Box<[T]>, Error> {
    bytemuck::allocation::try_zeroed_slice_box(length)
        .map_err(|()| Error::OutOfMemory { bytes: length.saturating_mul(size_of::<T>()) })
}
