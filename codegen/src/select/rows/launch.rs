//! How the host launches sorts of rows: which of them sort rows together, and how many rows a launch or a group of launches has. Written once, over
//! numbers where Rust sorts, and over C++ expressions where a header does.

use crate::contract::device::host::{Number, Truth as _};
use crate::contract::spec::SortSpec;
use crate::registry::{self, KernelSpec};

/// Items that are sorted at once in a group of rows. Groups of 2²⁰ are 0.6 times as fast, and larger ones 1.01 times (H200, 2026-11-24).
const GROUP_ITEMS: u64 = 1 << 25;

/// The most rows of a group: the most blocks of a grid along y.
const MAX_GROUP_ROWS: u64 = 65_535;

/// The most blocks of a launch of a tile's kernel of rows.
const MAX_BLOCKS: u64 = i32::MAX as u64;

/// Whether a sort of rows is used for as many of them, and not a sort of arrays for one after the other: a row alone for
/// which the table has a device-wide sort is an array.
///
/// ```
/// use sortsmith_codegen::rows::{RowSort, are_sorted_together};
/// use sortsmith_codegen::KeyType;
///
/// let sort = |columns| RowSort::keys(KeyType::F32).choose(columns).unwrap().spec();
/// assert!(are_sorted_together(&sort(1000), 1));
/// assert!(!are_sorted_together(&sort(100_000), 1));
/// assert!(are_sorted_together(&sort(100_000), 2));
/// ```
pub fn are_sorted_together(spec: &KernelSpec, rows: u64) -> bool {
    host_are_sorted_together(spec, rows)
}

pub(crate) fn host_are_sorted_together<N: Number>(spec: &KernelSpec, rows: N) -> N::Truth {
    match spec {
        KernelSpec::Tile(_) => N::Truth::known(true),
        KernelSpec::DeviceWide(_) => rows.reaches(N::known(2)),
    }
}

/// Rows that a device-wide sort of rows sorts at once: groups of them are sorted one after the other, so that scratch is bounded.
/// A counting sort takes no scratch, and sorts the same groups.
pub fn rows_of_group(columns: u64) -> u64 {
    host_rows_of_group(columns)
}

pub(crate) fn host_rows_of_group<N: Number>(columns: N) -> N {
    let rows = N::known(GROUP_ITEMS).divided_by(columns.at_least(N::known(1)));
    rows.at_least(N::known(1)).at_most(N::known(MAX_GROUP_ROWS))
}

/// Rows that a block of a tile's kernel of rows sorts.
pub fn rows_of_block(spec: &SortSpec) -> u64 {
    let block = spec.algorithm.block();
    let of_kernel = registry::summary(spec).map_or(block, |summary| summary.block);
    u64::from(of_kernel.threads() / block.threads())
}

/// The most rows that a launch of a tile's kernel of rows sorts.
pub fn max_rows_of_tiles(spec: &SortSpec) -> u64 {
    rows_of_block(spec) * MAX_BLOCKS
}
