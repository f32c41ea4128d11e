//! The sites that may be taken out, and why.

use super::Survivor;

const BARRIER_FOLLOWS: &str = "The block's barrier follows.";
const OWN_ITEMS: &str = "A lane ranks the items that it has loaded itself; others read them behind a barrier of the block.";
const SAME_THREAD: &str = "One thread prepares the copies and asks for them; the barrier is for racecheck, which sees whole warps.";
const FIRST_KERNEL: &str =
    "The first kernel of a sort is no programmatic launch: it has nothing to wait for.";
const ONE_BOUNDARY: &str = "All tiles of keys alone but the last begin at the same boundary: no block has a tile that is loaded \
                            otherwise before one that the copy engine loads.";

/// A survivor in all sorts that pass it.
const fn everywhere(site: &'static str, reason: &'static str) -> Survivor {
    Survivor { site, specs: &[], reason }
}

pub(super) const DEVICE_BITONIC: &[Survivor] =
    &[everywhere("sort_tile: wait_for_previous_grid 1 missing", FIRST_KERNEL)];

pub(super) const DEVICE_COUNTED: &[Survivor] = &[
    everywhere("load: __syncwarp 1 missing", OWN_ITEMS),
    everywhere("clear_histogram: __syncwarp 1 missing", BARRIER_FOLLOWS),
    everywhere("sort_tiles: __syncwarp 1 missing", SAME_THREAD),
    everywhere("load: release_stores 1 missing", ONE_BOUNDARY),
    everywhere("count_digits: wait_for_previous_grid 1 missing", FIRST_KERNEL),
    everywhere("tally: wait_for_previous_grid 1 missing", FIRST_KERNEL),
];
