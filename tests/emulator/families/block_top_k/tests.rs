//! What is tested of top-ks.

use super::mutants::MUTANTS;
use crate::kernels::{Amount, KernelTests};

pub(crate) const TESTS: KernelTests = KernelTests {
    plain: Amount { specs: [18, 120], batch: 10, cases: 24, races: 8 },
    sanitized: Amount { specs: [4, 40], batch: 6, cases: 18, races: 0 },
    mutants: MUTANTS,
    sites: &[],
};
