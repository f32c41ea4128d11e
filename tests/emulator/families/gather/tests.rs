//! What is tested of gathers.

use super::mutants::MUTANTS;
use crate::kernels::{Amount, KernelTests};

pub(crate) const TESTS: KernelTests = KernelTests {
    plain: Amount { specs: [60, 400], batch: 30, cases: 18, races: 4 },
    sanitized: Amount { specs: [40, 100], batch: 20, cases: 12, races: 0 },
    mutants: MUTANTS,
    sites: &[],
    unpassed: &[],
};
