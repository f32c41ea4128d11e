//! The sites that may be taken out, and why.

use super::Survivor;

/// The kinds of sites, each with the test that shows that it is caught where one is out. Fences of stores to where bulk copies
/// go are needed where keys and values lie side by side, which no sort of these tests has: toy kernels show them.
pub(super) const KINDS: &[(&str, &str)] = &[
    ("__syncthreads missing", "block_radix_sort"),
    ("__syncwarp missing", "block_radix_sort"),
    ("__syncthreads_or orders nothing", "device_counted"),
    ("__syncthreads_and orders nothing", "device_sample"),
    ("__syncthreads_count orders nothing", "device_sample"),
    ("atomicAdd not atomic", "block_radix_sort"),
    ("atomicOr not atomic", "block_radix_sort"),
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
const SAME_THREAD: &str = "One thread prepares the copies and asks for them; the barrier is for racecheck, which sees full warps.";
const FIRST_KERNEL: &str =
    "The first kernel of a sort is no programmatic launch: it has nothing to wait for.";
const ONE_BOUNDARY: &str = "All tiles of one array but the last begin at the same boundary: no block has a tile that is loaded \
                            otherwise before one that the copy engine loads.";

const ONE_WARP: &str = "The block has one warp, and a __syncwarp comes before any access by another lane, or there is none.";
const NO_TOTAL: &str = "The block has one warp, which sums by shuffles, and the total is not used.";
const OWN_SLOTS: &str =
    "The block has one warp, each lane of which reads the slots that it has written itself.";
const ONE_ADDER: &str = "The block has one warp, and one of its lanes adds.";
const ONE_ROW: &str =
    "A thread has one item: no thread adds to a histogram or reads it before the block's barrier.";
const ONE_OVERSIZED: &str = "No case has two oversized buckets.";
const BEHIND_HISTOGRAMS: &str = "The sort's histograms, its first writes, end before the marks.";
const SHORT_MARKS: &str = "Keys of two bytes take the place of their own marks.";
const FOR_COMPILERS: &str =
    "It keeps compilers from reads that would wait; the block's barrier follows.";

/// A survivor in all sorts that pass it.
const fn everywhere(marker: &'static str, reason: &'static str) -> Survivor {
    Survivor { marker, specs: &[], reason }
}

/// A survivor in these alone.
const fn within(
    marker: &'static str,
    specs: &'static [&'static str],
    reason: &'static str,
) -> Survivor {
    Survivor { marker, specs, reason }
}

/// The tables of all device-wide families.
pub(crate) const ALL: [&[Survivor]; 5] =
    [DEVICE_BITONIC, DEVICE_PARTITION, DEVICE_COUNTED, DEVICE_SAMPLE, DEVICE_RADIX];

pub(super) const DEVICE_BITONIC: &[Survivor] = &[everywhere("grid-before-tiles", FIRST_KERNEL)];

const PARTITION_OF_ONE_ROW: [&str; 2] =
    ["device_partition_sort_f64_index_b64_i1_desc", "device_partition_sort_i64_keys_b64_i1_asc"];

pub(super) const DEVICE_PARTITION: &[Survivor] = &[
    everywhere("grid-before-partition", FIRST_KERNEL),
    everywhere("index-of-oversized-bucket", ONE_OVERSIZED),
    within("row-of-tile", &PARTITION_OF_ONE_ROW, ONE_ROW),
];

pub(super) const DEVICE_COUNTED: &[Survivor] = &[
    everywhere("loaded-tile", OWN_ITEMS),
    everywhere("cleared-histogram", BARRIER_FOLLOWS),
    everywhere("prepared-copies", SAME_THREAD),
    everywhere("stores-of-tile", ONE_BOUNDARY),
    everywhere("grid-before-counts", FIRST_KERNEL),
    everywhere("grid-before-histogram", FIRST_KERNEL),
];

const SAMPLE_OF_ONE_WARP: &str = "device_sample_sort_f32_u32_b32_i12_asc";
const SAMPLE_OF_ONE_ROW: &str = "device_sample_sort_f16_keys_b256_i1_asc";

pub(super) const DEVICE_SAMPLE: &[Survivor] = &[
    everywhere("gathered-items", BEHIND_HISTOGRAMS),
    everywhere("found-sources", FOR_COMPILERS),
    everywhere("grid-before-samples", FIRST_KERNEL),
    within("grid-before-split", &[SAMPLE_OF_ONE_ROW], FIRST_KERNEL),
    within("copied-items", &[SAMPLE_OF_ONE_WARP], ONE_WARP),
    within("copied-items", &[SAMPLE_OF_ONE_ROW], SHORT_MARKS),
    within("counted-in-warps", &[SAMPLE_OF_ONE_WARP], ONE_WARP),
    within("ranked-samples", &[SAMPLE_OF_ONE_WARP], ONE_WARP),
    within("totals-of-one-warp", &[SAMPLE_OF_ONE_WARP], NO_TOTAL),
    within("large-bucket", &[SAMPLE_OF_ONE_WARP], OWN_SLOTS),
    within("run-of-large-bucket", &[SAMPLE_OF_ONE_WARP], OWN_SLOTS),
    within("bucket-offset", &[SAMPLE_OF_ONE_WARP], ONE_ADDER),
    within("row-of-one-bucket", &[SAMPLE_OF_ONE_ROW], ONE_ROW),
    within("row-of-buckets", &[SAMPLE_OF_ONE_ROW], ONE_ROW),
];

pub(super) const DEVICE_RADIX: &[Survivor] = &[
    everywhere("loaded-tile", OWN_ITEMS),
    everywhere("cleared-histogram", BARRIER_FOLLOWS),
    everywhere("prepared-copies", SAME_THREAD),
    everywhere("stores-of-tile", ONE_BOUNDARY),
    everywhere("grid-before-counts", FIRST_KERNEL),
];
