//! What is tested of sorts of segments.

use super::mutants::MUTANTS;
use crate::kernels::{Amount, KernelTests};

pub(crate) const TESTS: KernelTests = KernelTests {
    plain: Amount { specs: [9, 60], batch: 5, cases: 24, races: 12 },
    sanitized: Amount { specs: [4, 30], batch: 2, cases: 12, races: 0 },
    mutants: MUTANTS,
    sites: &[],
};
