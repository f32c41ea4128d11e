//! What is tested of top-ks.

use super::mutants::{MUTANTS, SPECS};
use crate::kernels::{Amount, KernelTests};
use crate::sites;

pub(crate) const TESTS: KernelTests = KernelTests {
    plain: Amount { fresh: [4, 86], batch: 10, cases: 24, races: 8 },
    sanitized: Amount { fresh: [4, 40], batch: 6, cases: 18, races: 0 },
    mutants: MUTANTS,
    sites: &[sites::Ground { name: "block_top_k", specs: &SPECS, cases: 320, survivors: &[] }],
    unpassed: &[],
};
