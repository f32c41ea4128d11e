//! What is tested of sorts of segments.

use super::mutants::{MUTANTS, SPECS};
use crate::kernels::{Amount, KernelTests};
use crate::sites;
use crate::sites::survivors::{Survivor, within};

pub(crate) const TESTS: KernelTests = KernelTests {
    plain: Amount { specs: [9, 60], batch: 5, cases: 24, races: 12 },
    sanitized: Amount { specs: [4, 30], batch: 2, cases: 12, races: 0 },
    mutants: MUTANTS,
    sites: &[sites::Ground {
        name: "segmented_merge_sort",
        specs: &SPECS,
        cases: 24,
        survivors: SITES,
    }],
};

const SITES: &[Survivor] = &[within(
    "merged-items",
    &[SPECS[1]],
    "A thread has one item, and reads the one that it has written.",
)];
