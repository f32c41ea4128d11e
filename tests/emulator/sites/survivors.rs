//! The sites that may be taken out, and why.

use super::Survivor;

const BALLOTS: &str = "The ballots before the next access are rendezvous of the warp too. CUDA does not promise that they order \
                       memory, so it is needed on a GPU.";
const SAME_THREAD: &str = "One thread prepares the copies and asks for them; the barrier is for racecheck, which sees whole warps.";
const SAME_VALUE: &str = "All who write the word write the same, and nobody reads what was there.";
const TWICE: &str = "A tile that two blocks take is sorted twice, to the same places.";
const ONE_BLOCK: &str = "Blocks hardly ever add to a bin at the same time.";
const FIRST_KERNEL: &str =
    "The first kernel of a sort is no programmatic launch: it has nothing to wait for.";
const NO_TEARING: &str = "Words are loaded and stored whole on this machine too.";
const UNSEEN_STORES: &str = "Only where each access is seen are ordinary stores known.";

/// A survivor in all sorts that pass it.
const fn everywhere(site: &'static str, reason: &'static str) -> Survivor {
    Survivor { site, specs: &[], reason }
}

pub(super) const DEVICE_BITONIC: &[Survivor] =
    &[everywhere("sort_tile: wait_for_previous_grid 1 missing", FIRST_KERNEL)];

pub(super) const DEVICE_COUNTED: &[Survivor] = &[
    everywhere("load: __syncwarp 1 missing", BALLOTS),
    everywhere("clear_histogram: __syncwarp 1 missing", BALLOTS),
    everywhere("place_by_ballots: __syncwarp 2 missing", BALLOTS),
    everywhere("rank_by_atomics: __syncwarp 2 missing", BALLOTS),
    everywhere("sort_tiles: __syncwarp 1 missing", SAME_THREAD),
    everywhere("sort_tiles: atomicAdd 1 not atomic", TWICE),
    everywhere("sort_tile: atomicOr 1 not atomic", SAME_VALUE),
    everywhere("count_digits_of: atomicAdd 2 not atomic", ONE_BLOCK),
    everywhere("hand_over: atomicAdd 1 not atomic", ONE_BLOCK),
    everywhere("sum_of_tiles_before: poll 1 an ordinary load", NO_TEARING),
    everywhere("publish_count: publish 1 an ordinary store", NO_TEARING),
    everywhere("sum_of_tiles_before: publish 1 an ordinary store", NO_TEARING),
    everywhere("load: release_stores 1 missing", UNSEEN_STORES),
    everywhere("count_digits: wait_for_previous_grid 1 missing", FIRST_KERNEL),
    everywhere("tally: wait_for_previous_grid 1 missing", FIRST_KERNEL),
];
