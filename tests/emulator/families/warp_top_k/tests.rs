//! What is tested of top-ks by warps.

use super::mutants::{MUTANTS, SPECS};
use crate::kernels::{Amount, KernelTests};
use crate::sites;
use crate::sites::survivors::{Survivor, within};

pub(crate) const TESTS: KernelTests = KernelTests {
    plain: Amount { fresh: [4, 82], batch: 8, cases: 30, races: 8 },
    sanitized: Amount { fresh: [4, 40], batch: 6, cases: 18, races: 0 },
    mutants: MUTANTS,
    sites: &[sites::Ground { name: "warp_top_k", specs: &SPECS, cases: 60, survivors: SITES }],
    unpassed: &[],
};

const SITES: &[Survivor] = &[within(
    "check-before-slots",
    &[SPECS[2]],
    "Where lanes keep all of their items, the check reads keys alone, and slots are what is written behind it.",
)];
