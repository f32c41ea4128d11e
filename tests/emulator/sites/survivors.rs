//! The sites that may be taken out, and why.

use super::Survivor;

/// The kinds of sites, each with the test that shows that it is caught where one is out. Fences of stores to where bulk copies
/// go are needed where keys and values lie side by side, which no sort of these tests has: toy kernels show them.
pub(super) const KINDS: &[(&str, &str)] = &[
    ("__syncthreads missing", "block_radix"),
    ("__syncwarp missing", "block_radix"),
    ("__syncthreads_or orders nothing", "device_counted"),
    ("__syncthreads_and orders nothing", "device_sample"),
    ("__syncthreads_count orders nothing", "device_sample"),
    ("atomicAdd not atomic", "block_radix"),
    ("atomicOr not atomic", "block_radix"),
    ("atomicSub not atomic", "device_counted"),
    ("atomicMax not atomic", "device_sample"),
    ("poll an ordinary load", "device_counted"),
    ("publish an ordinary store", "device_counted"),
    ("wait_for_copies missing", "device_sample"),
    ("prepare without its fence", "device_counted"),
    ("acquire_stores missing", "device_counted"),
    ("release_stores missing", "what_comes_late"),
    ("begin missing", "device_counted"),
    ("wait missing", "device_counted"),
    ("wait_for_previous_grid missing", "device_bitonic"),
];

const BARRIER_FOLLOWS: &str = "The block's barrier follows.";
const OWN_ITEMS: &str = "A lane ranks the items that it has loaded itself; others read them behind a barrier of the block.";
const SAME_THREAD: &str = "One thread prepares the copies and asks for them; the barrier is for racecheck, which sees whole warps.";
const FIRST_KERNEL: &str =
    "The first kernel of a sort is no programmatic launch: it has nothing to wait for.";
const ONE_BOUNDARY: &str = "All tiles of one array but the last begin at the same boundary: no block has a tile that is loaded \
                            otherwise before one that the copy engine loads.";

const ONE_WARP: &str = "The block has one warp, and a __syncwarp comes before any access by another lane, or there is none.";
const NO_TOTAL: &str = "The block has one warp, which sums by shuffles, and the total is not used.";
const OWN_PLACES: &str =
    "The block has one warp, each lane of which reads the places that it has written itself.";
const READ_PLACES: &str = "Each lane writes the places that it has read itself.";
const ONE_ADDER: &str = "The block has one warp, and one of its lanes adds.";
const ONE_ROW: &str =
    "A thread has one item: nobody adds to a histogram or reads it before the block's barrier.";
const BEHIND_HISTOGRAMS: &str = "The sort's histograms, its first writes, end before the marks.";
const SHORT_MARKS: &str = "Keys of two bytes take the places of their own marks.";
const FOR_COMPILERS: &str =
    "It keeps compilers from reads that would wait; the block's barrier follows.";

/// A survivor in all sorts that pass it.
const fn everywhere(site: &'static str, reason: &'static str) -> Survivor {
    Survivor { site, specs: &[], reason }
}

/// A survivor in these alone.
const fn within(
    site: &'static str,
    specs: &'static [&'static str],
    reason: &'static str,
) -> Survivor {
    Survivor { site, specs, reason }
}

pub(super) const WARP_BITONIC: &[Survivor] = &[within(
    "SortTile: __syncwarp 1 missing",
    &[
        "warp_bitonic_sort_i16_u8_w4_i4_asc",
        "warp_bitonic_sort_f32_u32_w16_i3_desc_stable_instriped_outstriped",
        "warp_bitonic_sort_u64_u64_w4_i6_desc_stable_outstriped",
    ],
    READ_PLACES,
)];

pub(super) const DEVICE_BITONIC: &[Survivor] =
    &[everywhere("sort_tile: wait_for_previous_grid 1 missing", FIRST_KERNEL)];

pub(super) const DEVICE_COUNTED: &[Survivor] = &[
    everywhere("load: __syncwarp 1 missing", OWN_ITEMS),
    everywhere("clear_histogram: __syncwarp 1 missing", BARRIER_FOLLOWS),
    everywhere("sort_tiles: __syncwarp 1 missing", SAME_THREAD),
    everywhere("load: release_stores 1 missing", ONE_BOUNDARY),
    everywhere("count_digits: wait_for_previous_grid 1 missing", FIRST_KERNEL),
    everywhere("build_histogram: wait_for_previous_grid 1 missing", FIRST_KERNEL),
];

const SAMPLE_OF_ONE_WARP: &str = "device_sample_sort_f32_u32_b32_i12_asc";
const SAMPLE_OF_ONE_ROW: &str = "device_sample_sort_f16_keys_b256_i1_asc";

pub(super) const DEVICE_SAMPLE: &[Survivor] = &[
    everywhere("sort_items: __syncthreads 1 missing", BEHIND_HISTOGRAMS),
    everywhere("sort_in_windows: __syncwarp 1 missing", FOR_COMPILERS),
    everywhere("find_splitters: wait_for_previous_grid 1 missing", FIRST_KERNEL),
    within("split: wait_for_previous_grid 1 missing", &[SAMPLE_OF_ONE_ROW], FIRST_KERNEL),
    within("sort_in_windows: __syncthreads 1 missing", &[SAMPLE_OF_ONE_WARP], ONE_WARP),
    within("sort_in_windows: __syncthreads 1 missing", &[SAMPLE_OF_ONE_ROW], SHORT_MARKS),
    within("rank_items: __syncthreads 1 missing", &[SAMPLE_OF_ONE_WARP], ONE_WARP),
    within("rank_of_sample: __syncthreads 1 missing", &[SAMPLE_OF_ONE_WARP], ONE_WARP),
    within("exclusive_sum: __syncwarp 1 missing", &[SAMPLE_OF_ONE_WARP], NO_TOTAL),
    within("sort_large_bucket: __syncthreads 1 missing", &[SAMPLE_OF_ONE_WARP], OWN_PLACES),
    within("sort_large_bucket: __syncthreads 2 missing", &[SAMPLE_OF_ONE_WARP], OWN_PLACES),
    within("find_pieces: atomicAdd 1 not atomic", &[SAMPLE_OF_ONE_WARP], ONE_ADDER),
    within("rank_by_atomics: atomicAdd 2 not atomic", &[SAMPLE_OF_ONE_ROW], ONE_ROW),
    within("rank_by_ballots: __syncwarp 2 missing", &[SAMPLE_OF_ONE_ROW], ONE_ROW),
];

pub(super) const DEVICE_RADIX: &[Survivor] = &[
    everywhere("load: __syncwarp 1 missing", OWN_ITEMS),
    everywhere("clear_histogram: __syncwarp 1 missing", BARRIER_FOLLOWS),
    everywhere("sort_tiles: __syncwarp 1 missing", SAME_THREAD),
    everywhere("load: release_stores 1 missing", ONE_BOUNDARY),
    everywhere("count_digits: wait_for_previous_grid 1 missing", FIRST_KERNEL),
];
