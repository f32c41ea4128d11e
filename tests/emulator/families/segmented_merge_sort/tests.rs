//! What is tested of sorts of segments.

use super::mutants::{MUTANTS, SPECS};
use crate::kernels::{Amount, KernelTests};
use crate::sites;
use crate::sites::survivors::{Survivor, unpassed, within};

pub(crate) const TESTS: KernelTests = KernelTests {
    plain: Amount { fresh: [2, 53], batch: 5, cases: 30, races: 14 },
    sanitized: Amount { fresh: [4, 30], batch: 2, cases: 12, races: 0 },
    mutants: MUTANTS,
    sites: &[sites::Ground {
        name: "segmented_merge_sort",
        specs: &SPECS,
        cases: 44,
        survivors: SITES,
    }],
    unpassed: UNPASSED,
};

const ROWS_OF_MATRICES: &str = "Short segments are loaded and stored by the kernel's own code; warp bitonic sorts pass it for rows.";

const UNPASSED: &[sites::Unpassed] = &[
    unpassed("SortRow: __syncwarp 1", ROWS_OF_MATRICES),
    unpassed("store_row: __syncwarp 1", ROWS_OF_MATRICES),
    unpassed("write_row: __syncwarp 1", ROWS_OF_MATRICES),
    unpassed(
        "rearrange: __syncwarp 1",
        "Tiles are striped over the block, not over warps; block bitonic sorts have both.",
    ),
    unpassed("sort_in_memory: __syncwarp 1", ROWS_OF_MATRICES),
];

const SITES: &[Survivor] = &[within(
    "merged-items",
    &[SPECS[1]],
    "A thread has one item, and reads the one that it has written.",
)];
