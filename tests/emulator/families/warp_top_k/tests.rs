//! What is tested of top-ks by warps.

use super::mutants::MUTANTS;
use crate::kernels::{Amount, KernelTests};

pub(crate) const TESTS: KernelTests = KernelTests {
    plain: Amount { specs: [22, 120], batch: 8, cases: 30, races: 8 },
    sanitized: Amount { specs: [4, 40], batch: 6, cases: 18, races: 0 },
    mutants: MUTANTS,
    sites: &[],
};
