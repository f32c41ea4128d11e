//! Binned argsorts: counting sorts of positions.

use super::threads;
use crate::bin_key::{BinKey, BinnedLists, MAX_BINS};

/// Writes each row's positions by bins, and the bins' offsets. The outputs have room for those of all rows.
pub(crate) fn argsort_binned<K: BinKey>(
    keys: &[K],
    lists: BinnedLists,
    positions: &mut [u32],
    offsets: &mut [u32],
) {
    let BinnedLists { columns, stride, bins, .. } = lists;
    let row = |row: usize| &keys[row * stride..][..columns];
    let is_parallel = threads::is_parallel(keys.len());
    let offsets = &mut offsets[..lists.offsets()];
    let positions = &mut positions[..lists.positions()];
    threads::run(keys.len(), &mut || {
        threads::for_each_chunk(offsets, bins + 1, is_parallel, &|number, offsets| {
            for offset in &mut *offsets {
                *offset = 0;
            }
            for key in row(number) {
                offsets[key.slot(bins)] += 1;
            }
            let mut first = 0;
            for offset in offsets {
                first += std::mem::replace(offset, first);
            }
        });
        let offsets = &*offsets;
        threads::for_each_chunk(positions, columns.max(1), is_parallel, &|number, positions| {
            // Where the next key of each bin goes, and of those in none.
            let mut next = [0; MAX_BINS + 1];
            next[..=bins].copy_from_slice(&offsets[number * (bins + 1)..][..=bins]);
            for (position, key) in row(number).iter().enumerate() {
                let next = &mut next[key.slot(bins)];
                positions[*next as usize] = position as u32;
                *next += 1;
            }
        });
    });
}
